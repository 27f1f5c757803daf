import { LIMITS } from '@meetmark/contracts/limits';
import { authText } from '../../strings/auth';
import { ActionButton, useOnce } from '../../ui/action-button';
import { EmailField, Field, FirstNameField, LastNameField } from '../../ui/field';
import { Refusal } from '../../ui/feedback';
import { type FieldErrors, useForm } from '../../ui/use-form';
import { useSignUp } from './auth.api';
import styles from './auth-panel.module.css';
import { PasswordStrength } from './password-strength';

const EMPTY = {
  firstName: '',
  lastName: '',
  email: '',
  linkedInUrl: '',
  password: '',
  confirmation: '',
};

const errorsOf = ({ password, confirmation }: typeof EMPTY): FieldErrors<typeof EMPTY> =>
  password === confirmation ? {} : { confirmation: authText.passwordsDiffer };

export function SignUpForm() {
  const signUp = useSignUp();
  const submitOnce = useOnce(signUp);
  const { form, fields, errors, bind, refuseAs, submit } = useForm(EMPTY, errorsOf);

  const create = submit(({ confirmation: _, linkedInUrl, ...account }) =>
    submitOnce({ ...account, linkedInUrl: linkedInUrl || null }, { onError: refuseAs }),
  );

  const refusal = errors.confirmation ?? (signUp.isError ? authText.signUpFailed : null);
  return (
    <form ref={form} className={styles.form} onSubmit={create}>
      <div className={styles.pair}>
        <FirstNameField label={authText.firstName} required {...bind('firstName')} />
        <LastNameField label={authText.lastName} required {...bind('lastName')} />
      </div>
      <EmailField label={authText.email} required {...bind('email')} />
      <Field
        label={authText.linkedInUrl}
        type="url"
        autoComplete="url"
        placeholder={authText.linkedInPlaceholder}
        maxLength={LIMITS.linkedInUrl}
        {...bind('linkedInUrl')}
      />
      <Field
        label={authText.password}
        type="password"
        autoComplete="new-password"
        required
        maxLength={LIMITS.password}
        hint={<PasswordStrength password={fields.password} />}
        {...bind('password')}
      />
      <Field
        label={authText.confirmPassword}
        type="password"
        autoComplete="new-password"
        required
        maxLength={LIMITS.password}
        {...bind('confirmation')}
        error={null}
      />
      {refusal && <Refusal>{refusal}</Refusal>}
      <ActionButton type="primary" htmlType="submit" size="large" block inactive={signUp.isPending}>
        {signUp.isPending ? authText.creatingAccount : authText.createAccount}
      </ActionButton>
      <p className={styles.terms}>{authText.termsSignUp}</p>
    </form>
  );
}
