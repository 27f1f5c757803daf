import { LIMITS } from '@meetmark/contracts/limits';
import { Button } from 'antd';
import { serverMessage } from '../../api/client';
import { resetText } from '../../strings/auth';
import { codesText, setPasswordText as text } from '../../strings/codes';
import { commonText } from '../../strings/common';
import { ActionButton, useOnce } from '../../ui/action-button';
import { DialogActions } from '../../ui/dialog-actions';
import { Field } from '../../ui/field';
import { Refusal } from '../../ui/feedback';
import { useToasts } from '../../ui/toasts';
import { useForm } from '../../ui/use-form';
import { useRequestResetCode, useResetPassword } from './auth.api';
import styles from './auth-panel.module.css';
import { passwordResetErrors, passwordResetFailure } from './password-reset';

/** For an account without a password: a code to its own address, then the password. The session goes on. */
export function SetPassword({ email, dismiss }: { email: string; dismiss: () => void }) {
  const request = useRequestResetCode();
  const requestOnce = useOnce(request);
  if (request.isSuccess) return <WithCode email={email} dismiss={dismiss} />;
  return (
    <div className={styles.form}>
      <p>{text.intro}</p>
      {request.isError && <Refusal>{serverMessage(request.error) ?? codesText.sendFailed}</Refusal>}
      <DialogActions>
        <Button onClick={dismiss}>{commonText.cancel}</Button>
        <ActionButton type="primary" inactive={request.isPending} onClick={() => requestOnce(email)}>
          {request.isPending ? codesText.sending : text.ask}
        </ActionButton>
      </DialogActions>
    </div>
  );
}

function WithCode({ email, dismiss }: { email: string; dismiss: () => void }) {
  const toasts = useToasts();
  const reset = useResetPassword();
  const resetOnce = useOnce(reset);
  const { form, bind, submit } = useForm({ email, token: '', newPassword: '' }, passwordResetErrors);
  const set = submit((fields) =>
    resetOnce(fields, {
      onSuccess: () => {
        toasts.success(text.done, text.doneDetail);
        dismiss();
      },
    }),
  );
  return (
    <form ref={form} className={styles.form} onSubmit={set} noValidate>
      <p>{codesText.sentTo(email)}</p>
      <Field
        label={resetText.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={LIMITS.resetCode}
        autoFocus
        {...bind('token')}
      />
      <Field
        label={resetText.newPassword}
        type="password"
        autoComplete="new-password"
        maxLength={LIMITS.password}
        {...bind('newPassword')}
      />
      {reset.isError && <Refusal>{passwordResetFailure(reset.error)}</Refusal>}
      <DialogActions>
        <Button onClick={dismiss}>{commonText.cancel}</Button>
        <ActionButton type="primary" htmlType="submit" inactive={reset.isPending}>
          {reset.isPending ? text.submitting : text.submit}
        </ActionButton>
      </DialogActions>
    </form>
  );
}
