import { Button } from 'antd';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { resetText as text } from '../../strings/auth';
import { CheckIcon } from '../../ui/icons';
import { usePageTitle } from '../../ui/screen-heading';
import styles from './auth-page.module.css';

/** Milliseconds that the success is read before the home screen opens (section 9). */
const REDIRECT_DELAY = 3_000;

export function ResetDone() {
  usePageTitle(text.title);
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate('/'), REDIRECT_DELAY);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <section className={styles.card}>
      <div className={styles.done} role="status">
        <span className={styles.tick}>
          <CheckIcon size={32} />
        </span>
        <h1>{text.doneTitle}</h1>
        <p>{text.done}</p>
        <p className={styles.hint}>{text.redirecting}</p>
        <Button type="primary" onClick={() => void navigate('/')}>
          {text.goHome}
        </Button>
      </div>
    </section>
  );
}
