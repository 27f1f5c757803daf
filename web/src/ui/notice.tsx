import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** A refusal that stays beside what it is about. */
export const Refusal = ({ children }: { children: ReactNode }) => (
  <p className={styles.refusal} role="alert">
    {children}
  </p>
);
