import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type BadgeTone = 'good' | 'warm' | 'quiet' | 'accent';

export const Badge = ({ tone, children }: { tone: BadgeTone; children: ReactNode }) => (
  <span className={styles.badge} data-tone={tone}>
    {children}
  </span>
);
