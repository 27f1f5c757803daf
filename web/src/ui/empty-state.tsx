import type { ReactNode } from 'react';
import styles from './states.module.css';

interface EmptyStateProps {
  title: string;
  /** Where it is the whole page, its title is the page's heading. */
  heading?: 'h1' | 'p';
  hint?: string;
  children?: ReactNode;
}

/** A list with nothing in it: says so, and what could be done about it. */
export function EmptyState({ title, heading: Heading = 'p', hint, children }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      <svg viewBox="0 0 96 56" width="96" height="56" aria-hidden="true" className={styles.drawing}>
        <circle cx="34" cy="28" r="22" />
        <circle cx="62" cy="28" r="22" />
      </svg>
      <Heading className={styles.title}>{title}</Heading>
      {hint && <p className={styles.hint}>{hint}</p>}
      {children}
    </div>
  );
}
