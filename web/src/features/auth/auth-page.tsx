import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router-dom';
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
