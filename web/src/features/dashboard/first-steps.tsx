import { dashboardText as text } from '@meetmark/i18n/texts/dashboard';
import { Button } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { CheckIcon } from '../../ui/icons';
import { persist, readPersisted } from '../../ui/persisted-state';
import { useMember } from '../auth/session';
import styles from './dashboard.module.css';

const NEW_FOR = 60 * 24 * 3_600_000;

export function FirstSteps({ hasEvents }: { hasEvents: boolean }) {
  const user = useMember();
  const key = `first-steps:${user.id}`;
  const [hidden, setHidden] = useState(() => readPersisted(key) !== null);
  const [isNew] = useState(() => Date.now() - Date.parse(user.createdAt) < NEW_FOR);
  const steps = [
    { ...text.steps.event, to: '/', done: hasEvents },
    { ...text.steps.picture, to: '/profile', done: user.profileImageUrl !== null },
    { ...text.steps.about, to: '/profile', done: Boolean(user.description ?? user.linkedInUrl) },
  ];
  if (hidden || !isNew || steps.every(({ done }) => done)) return null;
  const hide = () => {
    persist(key, 'hidden');
    setHidden(true);
  };
  return (
    <section className={styles.card} aria-labelledby="steps-title">
      <div className={styles.head}>
        <h2 id="steps-title">{text.stepsTitle}</h2>
        <Button type="text" onClick={hide}>
          {text.hideSteps}
        </Button>
      </div>
      <ol className={styles.steps}>
        {steps.map(({ name, hint, to, done }, n) => (
          <li key={name} data-done={done || undefined}>
            <span className={styles.step} aria-hidden="true">
              {done ? <CheckIcon size={18} /> : n + 1}
            </span>
            <span>
              {done ? <s>{name}</s> : <Link to={to}>{name}</Link>}
              <span className={styles.actionHint}>{done ? text.stepDone : hint}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
