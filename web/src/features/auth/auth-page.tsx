import { resetText as text } from '@meetmark/contracts/texts/passwords';
import { Button } from 'antd';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { serverMessage } from '../../api/client';
import { ActionButton } from '../../ui/action-button';
import { Refusal } from '../../ui/feedback';
import { CheckIcon } from '../../ui/icons';
import { usePageTitle } from '../../ui/screen-heading';
import styles from './auth-page.module.css';

interface Way {
  to: string;
  label: string;
}

const Ways = ({ links }: { links: Way[] }) => (
  <div className={styles.links}>
    {links.map(({ to, label }) => (
      <Link key={to} to={to} className={styles.back}>
        {label}
      </Link>
    ))}
  </div>
);

interface AuthPageProps extends Pick<ComponentProps<'form'>, 'ref' | 'onSubmit'> {
  title: string;
  subtitle: string;
  /** The form's fields and buttons. */
  children: ReactNode;
  /** The ways out, below the form. */
  links: Way[];
}

/** A form on a page of its own, for both steps to a new password. Its fields show their own errors. */
export function AuthPage({ title, subtitle, children, links, ...form }: AuthPageProps) {
  usePageTitle(title);
  return (
    <section className={styles.card}>
      <h1>{title}</h1>
      <p className={styles.subtitle}>{subtitle}</p>
      <form className={styles.form} noValidate {...form}>
        {children}
      </form>
      <Ways links={links} />
    </section>
  );
}

interface LinkPageProps {
  title: string;
  sentence?: ReactNode;
  /** Focuses the heading, because the pressed button is gone. */
  announced?: boolean;
  children?: ReactNode;
  links?: Way[];
}

/** The page of a mailed link: it says what the link is for, and acts only when its button is pressed. */
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
      {sentence && <p className={styles.subtitle}>{sentence}</p>}
      {children}
      <Ways links={links} />
    </section>
  );
}

interface LinkActionProps {
  call: { isPending: boolean; error: Error | null };
  /** `failed`: for a refusal without words of its own. */
  words: { act: string; acting: string; failed: string };
  danger?: boolean;
  press: () => void;
}

/** The button of such a page, and why its call was refused. */
export const LinkAction = ({ call: { isPending, error }, words, danger, press }: LinkActionProps) => (
  <div className={styles.form}>
    {error && <Refusal>{serverMessage(error) ?? words.failed}</Refusal>}
    <ActionButton type="primary" danger={danger} size="large" block inactive={isPending} onClick={press}>
      {isPending ? words.acting : words.act}
    </ActionButton>
  </div>
);

/** Milliseconds for which the success is shown before the home screen opens. */
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
