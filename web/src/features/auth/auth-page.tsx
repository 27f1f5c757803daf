import { Button } from 'antd';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { resetText as text } from '../../strings/auth';
import { CheckIcon } from '../../ui/icons';
import { usePageTitle } from '../../ui/screen-heading';
import styles from './auth-page.module.css';

interface AuthPageProps extends Pick<ComponentProps<'form'>, 'ref' | 'onSubmit'> {
  title: string;
  subtitle: string;
  /** The form's fields and buttons. */
  children: ReactNode;
  /** The ways out, below the form. */
  links: { to: string; label: string }[];
}

/** A form on a page of its own: both halves of the way to a new password. Its fields say themselves what is wrong. */
export function AuthPage({ title, subtitle, children, links, ...form }: AuthPageProps) {
  usePageTitle(title);
  return (
    <section className={styles.card}>
      <h1>{title}</h1>
      <p className={styles.subtitle}>{subtitle}</p>
      <form className={styles.form} noValidate {...form}>
        {children}
      </form>
      <div className={styles.links}>
        {links.map(({ to, label }) => (
          <Link key={to} to={to} className={styles.back}>
            {label}
          </Link>
        ))}
      </div>
    </section>
  );
}

interface LinkPageProps {
  title: string;
  sentence: ReactNode;
  /** What was pressed is gone: the focus goes to what came of it. */
  announced?: boolean;
  children?: ReactNode;
  links?: { to: string; label: string }[];
}

/** A page behind the link of a mail: it says what the link is for, and does nothing until its button is pressed. */
export function LinkPage({ title, sentence, announced = false, children, links = [] }: LinkPageProps) {
  usePageTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (announced) heading.current?.focus();
  }, [announced, title]);
  return (
    <section className={styles.card}>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p className={styles.subtitle}>{sentence}</p>
      {children}
      <div className={styles.links}>
        {links.map(({ to, label }) => (
          <Link key={to} to={to} className={styles.back}>
            {label}
          </Link>
        ))}
      </div>
    </section>
  );
}

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
