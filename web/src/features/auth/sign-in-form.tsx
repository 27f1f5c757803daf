import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { LIMITS } from '@meetmark/contracts/limits';
import { authText } from '../../strings/auth';
import { ActionButton } from '../../ui/action-button';
import { EmailField } from '../../ui/account-fields';
import { Field } from '../../ui/field';
import { Refusal } from '../../ui/notice';
import { useOnce } from '../../ui/use-once';
import { useSignIn } from './auth.api';
import styles from './auth-panel.module.css';

export function SignInForm() {
  const signIn = useSignIn();
  const submitOnce = useOnce(signIn);
  const [credentials, setCredentials] = useState({ email: '', password: '' });
  const change = (field: keyof typeof credentials) => (value: string) =>
    setCredentials((current) => ({ ...current, [field]: value }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    submitOnce(credentials);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.credentials}>
        <EmailField label={authText.email} required value={credentials.email} onChange={change('email')} />
        <Field
          label={authText.password}
          type="password"
          autoComplete="current-password"
          required
          maxLength={LIMITS.password}
          value={credentials.password}
          onChange={change('password')}
        />
      </div>
      {signIn.isError && <Refusal>{authText.signInFailed}</Refusal>}
      <div className={styles.submit}>
        <ActionButton type="primary" htmlType="submit" size="large" block inactive={signIn.isPending}>
          {signIn.isPending ? authText.signingIn : authText.signIn}
        </ActionButton>
        <Link to="/forgot-password" className={styles.link}>
          {authText.forgotPassword}
        </Link>
      </div>
      <p className={styles.terms}>{authText.termsSignIn}</p>
    </form>
  );
}
