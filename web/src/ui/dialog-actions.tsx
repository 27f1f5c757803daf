import type { ReactNode } from 'react';
import styles from './dialog-actions.module.css';

/** The buttons that end a dialog, the main one last. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);
