import { LIMITS } from '@meetmark/contracts/limits';
import { authText } from '@meetmark/i18n/texts/auth';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Refusal } from '../../ui/feedback';
import { EmailField, Field, FirstNameField, LastNameField } from '../../ui/field';
import { type FieldErrors, useForm } from '../../ui/use-form';
import { LegalNote } from '../legal/lazy-legal-note';
import styles from './auth-panel.module.css';
import { notKeptMessage, useSignUp } from './auth.api';

const EMPTY = {
  firstName: '',
  lastName: '',
  email: '',
  linkedInUrl: '',
  password: '',
  confirmation: '',
};

const findErrors = ({ password, confirmation }: typeof EMPTY): FieldErrors<typeof EMPTY> =>
  password === confirmation ? {} : { confirmation: authText.passwordsDiffer };

export function SignUpForm() {
  const signUp = useSignUp();
  const submitOnce = useOnce(signUp);
  const { form, fields, errors, bind, refuseAs, submit } = useForm(EMPTY, findErrors);

  const create = submit(({ confirmation: _, linkedInUrl, ...account }) =>
    submitOnce({ ...account, linkedInUrl: linkedInUrl || null }, { onError: refuseAs }),
  );

  const refusal =
    errors.confirmation ?? (signUp.isError ? (notKeptMessage(signUp.error) ?? authText.signUpFailed) : null);
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
        hint={authText.linkedInHint}
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
      <LegalNote to="signUp" className={styles.terms} />
    </form>
  );
}

const LEVELS = 4;
const THRESHOLDS = [30, 48, 64];

const CLASSES: [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[^a-zA-Z\d]/, 33],
];

/** Returns 0 (easy to guess) to 3 (strong). This is only a hint, because weak passwords are accepted. */
function computeStrength(password: string): number {
  const alphabet = CLASSES.reduce((size, [kind, count]) => size + (kind.test(password) ? count : 0), 0);
  const distinct = new Set(password).size;
  const bits = Math.min(password.length, distinct * 2) * Math.log2(Math.max(alphabet, 1));
  return THRESHOLDS.filter((threshold) => bits >= threshold).length;
}

function PasswordStrength({ password }: { password: string }) {
  const strength = computeStrength(password);
  if (!password) return <span>{authText.strengthHint}</span>;
  return (
    <span className={styles.strength}>
      <span className={styles.bars} aria-hidden="true">
        {Array.from({ length: LEVELS }, (_, bar) => (
          <i key={bar} data-on={bar <= strength || undefined} />
        ))}
      </span>
      <span>{authText.strength[strength]}</span>
    </span>
  );
}
