import { LIMITS } from '@meetmark/contracts/limits';
import { resetText as text } from '@meetmark/contracts/texts/passwords';
import { Link, useLocation } from 'react-router-dom';
import { ActionButton, useOnce } from '../../ui/action-button';
import { EmailField, Field } from '../../ui/field';
import { Refusal } from '../../ui/feedback';
import { useForm } from '../../ui/use-form';
import { useResetPassword } from './auth.api';
import { AuthPage, ResetDone } from './auth-page';
import styles from './auth-page.module.css';
import { passwordResetErrors, passwordResetFailure } from './passwords';

/** The address that was typed on the previous page, if any. */
function carriedEmail(state: unknown): string {
  return typeof state === 'object' && state !== null && 'email' in state && typeof state.email === 'string'
    ? state.email
    : '';
}

export default function ResetPasswordScreen() {
  const reset = useResetPassword();
  return reset.isSuccess ? <ResetDone /> : <ResetForm reset={reset} />;
}

function ResetForm({ reset }: { reset: ReturnType<typeof useResetPassword> }) {
  const { state } = useLocation();
  const resetOnce = useOnce(reset);
  const { form, bind, submit } = useForm(
    { email: carriedEmail(state), token: '', newPassword: '' },
    passwordResetErrors,
  );
  return (
    <AuthPage
      title={text.title}
      subtitle={text.subtitle}
      ref={form}
      onSubmit={submit((fields) => resetOnce({ ...fields, email: fields.email.trim() }))}
      links={[
        { to: '/forgot-password', label: text.back },
        { to: '/', label: text.cancel },
      ]}
    >
      <EmailField label={text.email} {...bind('email')} />
      <div className={styles.code}>
        <Field
          label={text.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={LIMITS.resetCode}
          {...bind('token')}
        />
      </div>
      <Field
        label={text.newPassword}
        type="password"
        autoComplete="new-password"
        maxLength={LIMITS.password}
        {...bind('newPassword')}
      />
      {reset.isError && (
        <>
          <Refusal>{passwordResetFailure(reset.error)}</Refusal>
          <p className={styles.hint}>
            {text.newCodeHint} <Link to="/forgot-password">{text.newCode}</Link>
          </p>
        </>
      )}
      <ActionButton type="primary" htmlType="submit" size="large" block inactive={reset.isPending}>
        {reset.isPending ? text.submitting : text.submit}
      </ActionButton>
    </AuthPage>
  );
}
