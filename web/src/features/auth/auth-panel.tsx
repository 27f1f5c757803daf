import { useState } from 'react';
import { useCommunity } from '../../api/community';
import { authText } from '../../strings/auth';
import { Tabs } from '../../ui/choice';
import styles from './auth-panel.module.css';
import { SignInForm } from './sign-in-form';
import { SignUpForm } from './sign-up-form';

type Mode = 'login' | 'signup';

const MODES: { key: Mode; label: string }[] = [
  { key: 'login', label: authText.signInTab },
  { key: 'signup', label: authText.signUpTab },
];

/** Two modes in one panel; each form keeps its own error, so switching clears it. */
export function AuthPanel() {
  const { name } = useCommunity();
  const [mode, setMode] = useState<Mode>('login');
  const login = mode === 'login';
  return (
    <section className={styles.panel} aria-labelledby="auth-title">
      <Tabs label={authText.modeLabel} tabs={MODES} active={mode} change={setMode}>
        <div>
          <h2 id="auth-title" className={styles.title}>
            {login ? authText.welcome : authText.join}
          </h2>
          <p className={styles.line}>{login ? authText.welcomeLine(name) : authText.joinLine(name)}</p>
        </div>
        {login ? <SignInForm /> : <SignUpForm />}
      </Tabs>
    </section>
  );
}
