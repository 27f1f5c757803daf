import { LIMITS } from '@meetmark/contracts/limits';
import { Button } from 'antd';
import { type FormEvent, useState } from 'react';
import { changePasswordText as text } from '../../strings/auth';
import { commonText } from '../../strings/common';
import { Dialog } from '../../ui/dialog';
import { DialogActions } from '../../ui/dialog-actions';
import { Field } from '../../ui/field';
import { useToasts } from '../../ui/toasts';
import { useOnce } from '../../ui/use-once';
import { useChangePassword } from './auth.api';
import styles from './auth-panel.module.css';
import { type PasswordErrors, passwordErrors, type PasswordFields, refusalErrors } from './password-change';

const EMPTY: PasswordFields = { currentPassword: '', newPassword: '', confirmPassword: '' };

/** Rendered while it is open only, so closing it forgets what was typed. */
export default function ChangePasswordDialog({ close }: { close: () => void }) {
  return (
    <Dialog title={text.title} close={close} width={440}>
      {(dismiss) => <ChangePasswordForm dismiss={dismiss} />}
    </Dialog>
  );
}

function ChangePasswordForm({ dismiss }: { dismiss: () => void }) {
  const toasts = useToasts();
  const change = useChangePassword();
  const changeOnce = useOnce(change);
  const [fields, setFields] = useState(EMPTY);
  const [errors, setErrors] = useState<PasswordErrors>({});

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = passwordErrors(fields);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const { currentPassword, newPassword } = fields;
    changeOnce(
      { currentPassword, newPassword },
      {
        onSuccess: () => {
          toasts.success(text.changed, text.changedDetail);
          dismiss();
        },
        onError: (error) => setErrors(refusalErrors(error)),
      },
    );
  };

  const bind = (field: keyof PasswordFields) => ({
    type: 'password' as const,
    maxLength: LIMITS.password,
    value: fields[field],
    error: errors[field],
    onChange: (value: string) => setFields((current) => ({ ...current, [field]: value })),
  });
  const complete = Object.values(fields).every(Boolean);
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <Field
        label={text.currentPassword}
        autoFocus
        autoComplete="current-password"
        {...bind('currentPassword')}
      />
      <Field label={text.newPassword} autoComplete="new-password" {...bind('newPassword')} />
      <Field label={text.confirmPassword} autoComplete="new-password" {...bind('confirmPassword')} />
      <DialogActions>
        <Button onClick={dismiss}>{commonText.cancel}</Button>
        <Button type="primary" htmlType="submit" disabled={!complete || change.isPending}>
          {change.isPending ? text.submitting : text.submit}
        </Button>
      </DialogActions>
    </form>
  );
}
