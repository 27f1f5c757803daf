import { LIMITS } from '@meetmark/contracts/limits';
import { serverMessage } from '../../api/client';
import { resetText } from '../../strings/auth';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Field } from '../../ui/field';
import { Refusal } from '../../ui/feedback';
import { useForm } from '../../ui/use-form';
import styles from './auth-page.module.css';
import { type useConfirmLink } from './codes.api';

const tooShort = ({ newPassword }: { newPassword: string }) =>
  newPassword.length < LIMITS.passwordMin ? { newPassword: resetText.passwordTooShort } : {};

type Confirmation = ReturnType<typeof useConfirmLink>;

/** A new password by the secret of a link. */
export function ChoosePassword({ token, confirmation }: { token: string; confirmation: Confirmation }) {
  const confirmOnce = useOnce(confirmation);
  const { form, bind, submit } = useForm({ newPassword: '' }, tooShort);
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={submit(({ newPassword }) => confirmOnce({ token, newPassword }))}
      noValidate
    >
      <Field
        label={resetText.newPassword}
        type="password"
        autoComplete="new-password"
        maxLength={LIMITS.password}
        {...bind('newPassword')}
      />
      {confirmation.isError && <Refusal>{serverMessage(confirmation.error) ?? resetText.failed}</Refusal>}
      <ActionButton type="primary" htmlType="submit" size="large" block inactive={confirmation.isPending}>
        {confirmation.isPending ? resetText.submitting : resetText.submit}
      </ActionButton>
    </form>
  );
}
