import { LIMITS } from '@meetmark/contracts/limits';
import { codesText } from '@meetmark/i18n/texts/codes';
import { commonText } from '@meetmark/i18n/texts/common';
import { setPasswordText } from '@meetmark/i18n/texts/links';
import { changePasswordText as text, resetText } from '@meetmark/i18n/texts/passwords';
import { Button } from 'antd';
import { isUnauthorized, serverMessage } from '../../api/client';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Dialog, DialogActions, DialogButtons } from '../../ui/dialog';
import { Refusal } from '../../ui/feedback';
import { Field } from '../../ui/field';
import { useToasts } from '../../ui/toasts';
import { useForm } from '../../ui/use-form';
import { useChangePassword, useRequestResetCode, useResetPassword } from './auth.api';
import { CodeField } from '../../ui/code-field';
import {
  passwordErrors,
  type PasswordFields,
  passwordResetErrors,
  passwordResetFailure,
  refusalErrors,
} from './passwords';
import { useLoggedOutRedirect, useMember } from './session';

const EMPTY: PasswordFields = { currentPassword: '', newPassword: '', confirmPassword: '' };

export default function ChangePasswordDialog({ close }: { close: () => void }) {
  const user = useMember();
  return (
    <Dialog title={text.title} close={close} width={440} form="unasked">
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
  const { form, fields, bind, refuse, submit, show } = useForm(EMPTY, passwordErrors);

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
    onBlur: () => fields[name] === '' && show({ [name]: passwordErrors(fields)[name] }),
  });
  const complete = Object.values(fields).every(Boolean);
  return (
    <form ref={form} className="grid gap-3" onSubmit={save} noValidate>
      <Field
        label={text.currentPassword}
        autoFocus
        autoComplete="current-password"
        {...password('currentPassword')}
      />
      <Field label={text.newPassword} autoComplete="new-password" {...password('newPassword')} />
      <Field label={text.confirmPassword} autoComplete="new-password" {...password('confirmPassword')} />
      <DialogActions>
        {/* Keeps the focus in the field. Otherwise the field would show its error and move this button. */}
        <Button onMouseDown={(event) => event.preventDefault()} onClick={dismiss}>
          {commonText.cancel}
        </Button>
        <ActionButton type="primary" htmlType="submit" disabled={!complete} inactive={change.isPending}>
          {change.isPending ? text.submitting : text.submit}
        </ActionButton>
      </DialogActions>
    </form>
  );
}

function SetPassword({ email, dismiss }: { email: string; dismiss: () => void }) {
  const request = useRequestResetCode();
  const requestOnce = useOnce(request);
  if (request.isSuccess) return <WithCode email={email} dismiss={dismiss} />;
  return (
    <div className="grid gap-3">
      <p>{setPasswordText.intro}</p>
      {request.isError && <Refusal>{serverMessage(request.error) ?? codesText.sendFailed}</Refusal>}
      <DialogButtons dismiss={dismiss} inactive={request.isPending} onClick={() => requestOnce(email)}>
        {request.isPending ? codesText.sending : setPasswordText.ask}
      </DialogButtons>
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
        toasts.success(setPasswordText.done, setPasswordText.doneDetail);
        dismiss();
      },
    }),
  );
  return (
    <form ref={form} className="grid gap-3" onSubmit={set} noValidate>
      <p>{codesText.sentTo({ email })}</p>
      <CodeField label={resetText.code} autoFocus {...bind('token')} />
      <Field
        label={resetText.newPassword}
        type="password"
        autoComplete="new-password"
        maxLength={LIMITS.password}
        {...bind('newPassword')}
      />
      {reset.isError && <Refusal>{passwordResetFailure(reset.error)}</Refusal>}
      <DialogButtons dismiss={dismiss} inactive={reset.isPending}>
        {reset.isPending ? setPasswordText.submitting : setPasswordText.submit}
      </DialogButtons>
    </form>
  );
}
