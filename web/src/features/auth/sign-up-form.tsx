import { LIMITS } from '@meetmark/contracts/limits';
import { Button } from 'antd';
import { type FormEvent, useState } from 'react';
import { authText } from '../../strings/auth';
import { Field } from '../../ui/field';
import { Refusal } from '../../ui/notice';
import { useOnce } from '../../ui/use-once';
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

export function SignUpForm() {
  const signUp = useSignUp();
  const submitOnce = useOnce(signUp);
  const [fields, setFields] = useState(EMPTY);
  const [mismatch, setMismatch] = useState(false);
  const bind = (field: keyof typeof EMPTY) => ({
    value: fields[field],
    onChange: (value: string) => setFields((current) => ({ ...current, [field]: value })),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { confirmation, linkedInUrl, ...account } = fields;
    const differs = account.password !== confirmation;
    setMismatch(differs);
    signUp.reset();
    if (!differs) submitOnce({ ...account, linkedInUrl: linkedInUrl || null });
  };

  const error = mismatch ? authText.passwordsDiffer : signUp.isError ? authText.signUpFailed : null;
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.pair}>
        <Field
          label={authText.firstName}
          autoComplete="given-name"
          required
          maxLength={LIMITS.name}
          {...bind('firstName')}
        />
        <Field
          label={authText.lastName}
          autoComplete="family-name"
          required
          maxLength={LIMITS.name}
          {...bind('lastName')}
        />
      </div>
      <Field
        label={authText.email}
        type="email"
        autoComplete="username"
        required
        maxLength={LIMITS.email}
        {...bind('email')}
      />
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
      />
      {error && <Refusal>{error}</Refusal>}
      <Button type="primary" htmlType="submit" size="large" block disabled={signUp.isPending}>
        {signUp.isPending ? authText.creatingAccount : authText.createAccount}
      </Button>
      <p className={styles.terms}>{authText.termsSignUp}</p>
    </form>
  );
}
