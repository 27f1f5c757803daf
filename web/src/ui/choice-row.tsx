import type { ReactNode } from 'react';
import styles from './choice-row.module.css';

/** Choices among the other controls of a list. On a phone they are one row that is pushed sideways: the list stays in sight. */
export const ChoiceRow = ({ children }: { children: ReactNode }) => (
  <div className={styles.row}>{children}</div>
);
