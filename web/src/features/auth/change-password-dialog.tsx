import { LIMITS } from '@meetmark/contracts/limits';
import { Button } from 'antd';
import { isUnauthorized } from '../../api/client';
import { changePasswordText as text } from '../../strings/auth';
import { commonText } from '../../strings/common';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Dialog } from '../../ui/dialog';
import { DialogActions } from '../../ui/dialog-actions';
import { Field } from '../../ui/field';
import { useToasts } from '../../ui/toasts';
import { useForm } from '../../ui/use-form';
import { useChangePassword } from './auth.api';
import styles from './auth-panel.module.css';
import { useMember } from './session';
import { SetPassword } from './set-password';
import { useLoggedOutRedirect } from './logged-out';
import { passwordErrors, type PasswordFields, refusalErrors } from './password-change';

const EMPTY: PasswordFields = { currentPassword: '', newPassword: '', confirmPassword: '' };

/** Rendered while it is open only, so closing it forgets what was typed. */
export default function ChangePasswordDialog({ close }: { close: () => void }) {
  const user = useMember();
  return (
    <Dialog title={text.title} close={close} width={440} form>
      {(dismiss) =>
        user.hasPassword ? (
          <ChangePasswordForm dismiss={dismiss} />
        ) : (
          <SetPassword email={user.email} dismiss={dismiss} />
        )
      }
    </Dialog>
  );
}

function ChangePasswordForm({ dismiss }: { dismiss: () => void }) {
  const toasts = useToasts();
  const leaveForLogin = useLoggedOutRedirect();
  const change = useChangePassword();
  const changeOnce = useOnce(change);
  const { form, fields, bind, refuse, submit } = useForm(EMPTY, passwordErrors);

  const save = submit(({ currentPassword, newPassword }) =>
    changeOnce(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          toasts.success(text.changed, text.changedDetail);
          dismiss();
        },
        onError: (error) => (isUnauthorized(error) ? leaveForLogin() : refuse(refusalErrors(error))),
      },
    ),
  );

  const password = (name: keyof PasswordFields) => ({
    type: 'password' as const,
    maxLength: LIMITS.password,
    ...bind(name),
  });
  const complete = Object.values(fields).every(Boolean);
  return (
    <form ref={form} className={styles.form} onSubmit={save} noValidate>
      <Field
        label={text.currentPassword}
        autoFocus
        autoComplete="current-password"
        {...password('currentPassword')}
      />
      <Field label={text.newPassword} autoComplete="new-password" {...password('newPassword')} />
      <Field label={text.confirmPassword} autoComplete="new-password" {...password('confirmPassword')} />
      <DialogActions>
        <Button onClick={dismiss}>{commonText.cancel}</Button>
        <ActionButton type="primary" htmlType="submit" disabled={!complete} inactive={change.isPending}>
          {change.isPending ? text.submitting : text.submit}
        </ActionButton>
      </DialogActions>
    </form>
  );
}
