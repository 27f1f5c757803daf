import { LIMITS } from '@meetmark/contracts/limits';
import { resetText as text } from '@meetmark/i18n/texts/passwords';
import { Link, useLocation } from 'react-router-dom';
import { ActionButton, useOnce } from '../../ui/action-button';
import { EmailField, Field } from '../../ui/field';
import { Refusal } from '../../ui/feedback';
import { useForm } from '../../ui/use-form';
import { useResetPassword } from './auth.api';
import { AuthPage, ResetDone } from './auth-page';
import { CookiesNeeded } from './cookies-needed';
import styles from './auth-page.module.css';
import { CodeField } from '../../ui/code-field';
import { passwordResetErrors, passwordResetFailure } from './passwords';

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
      <CookiesNeeded />
      <EmailField label={text.email} {...bind('email')} />
      <div className={styles.code}>
        <CodeField label={text.code} {...bind('token')} />
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
