import type { ReactNode } from 'react';
import styles from './badge.module.css';

interface BadgeProps {
  tone: 'primary' | 'warm' | 'danger' | 'plain';
  children: ReactNode;
}

/** One word about a row. */
export function Badge({ tone, children }: BadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}
