import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { usePageTitle } from '../../ui/screen-heading';
import styles from './auth-page.module.css';

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
