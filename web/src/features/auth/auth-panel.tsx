import { LIMITS } from '@meetmark/contracts/limits';
import { authText } from '@meetmark/i18n/texts/auth';
import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { serverMessage } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { useCommunity } from '../../api/community';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Tabs } from '../../ui/choice';
import { Refusal } from '../../ui/feedback';
import { EmailField, Field } from '../../ui/field';
import { lazyDialog } from '../../ui/lazy';
import { LegalNote } from '../legal/lazy-legal-note';
import styles from './auth-panel.module.css';
import { notKeptMessage, requestSignInCode, getSecondStep, useSignIn } from './auth.api';
import { noteReturnTo } from './return-to';
import { SignUpForm } from './sign-up-form';

export type AuthMode = 'login' | 'signup';

const MODES: { key: AuthMode; label: string }[] = [
  { key: 'login', label: authText.signInTab },
  { key: 'signup', label: authText.signUpTab },
];

export function AuthPanel({ first = 'login' }: { first?: AuthMode }) {
  const { name } = useCommunity();
  const [mode, setMode] = useState(first);
  const login = mode === 'login';
  return (
    <section className={styles.panel} aria-labelledby="auth-title">
      <Tabs label={authText.modeLabel} tabs={MODES} active={mode} change={setMode}>
        <div>
          <h2 id="auth-title" className={styles.title}>
            {login ? authText.welcome : authText.join}
          </h2>
          {login && <p className={styles.line}>{authText.welcomeLine({ community: name })}</p>}
        </div>
        {login ? <SignInForm /> : <SignUpForm />}
      </Tabs>
    </section>
  );
}

const SignInCode = lazyDialog(async () => ({ default: (await import('./code-entry')).SignInCode }));
const SecondStep = lazyDialog(() => import('./second-step'));

function SignInForm() {
  const signIn = useSignIn();
  const submitOnce = useOnce(signIn);
  const [credentials, setCredentials] = useState({ email: '', password: '' });
  const [codeFor, setCodeFor] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const request = useMutation({ mutationFn: requestSignInCode });
  const requestOnce = useOnce(request);
  const { legalPages } = useCommunity();
  const change = (field: keyof typeof credentials) => (value: string) =>
    setCredentials((current) => ({ ...current, [field]: value }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    submitOnce(credentials);
  };
  const sendCode = () => {
    // lets the browser validate only the email field, because a code needs no password
    if (!form.current?.querySelector<HTMLInputElement>('input[type="email"]')?.reportValidity()) return;
    const email = credentials.email.trim();
    requestOnce(email, {
      onSuccess: () => {
        noteReturnTo();
        setCodeFor(email);
      },
    });
  };
  if (codeFor !== null) return <SignInCode email={codeFor} close={() => setCodeFor(null)} />;
  const methods = getSecondStep(signIn.error);
  if (methods) return <SecondStep methods={methods} close={signIn.reset} />;
  return (
    <form ref={form} className={styles.form} onSubmit={submit}>
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
      {signIn.isError && <Refusal>{notKeptMessage(signIn.error) ?? authText.signInFailed}</Refusal>}
      {request.isError && <Refusal>{serverMessage(request.error) ?? authText.signInCodeFailed}</Refusal>}
      <ActionButton type="primary" htmlType="submit" size="large" block inactive={signIn.isPending}>
        {signIn.isPending ? authText.signingIn : authText.signIn}
      </ActionButton>
      <div className={styles.ways}>
        <Link to="/forgot-password" className={styles.link}>
          {authText.forgotPassword}
        </Link>
        <ActionButton type="link" className={styles.link} inactive={request.isPending} onClick={sendCode}>
          {request.isPending ? authText.signInCodeSending : authText.signInCode}
        </ActionButton>
      </div>
      {legalPages.length > 0 && (
        <div className={styles.termsPlace}>
          <LegalNote to="signIn" className={styles.terms} />
        </div>
      )}
    </form>
  );
}
