import { resetText as text } from '@meetmark/i18n/texts/passwords';
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
  children: ReactNode;
  links: Way[];
}

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
  announced?: boolean;
  children?: ReactNode;
  links?: Way[];
}

/** Page of an emailed link. Acts only when its button is pressed, because email scanners open every link. */
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
  words: { act: string; acting: string; failed: string };
  danger?: boolean;
  press: () => void;
}

export const LinkAction = ({ call: { isPending, error }, words, danger, press }: LinkActionProps) => (
  <div className={styles.form}>
    {error && <Refusal>{serverMessage(error) ?? words.failed}</Refusal>}
    <ActionButton type="primary" danger={danger} size="large" block inactive={isPending} onClick={press}>
      {isPending ? words.acting : words.act}
    </ActionButton>
  </div>
);

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
