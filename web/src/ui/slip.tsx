import type { ReactNode } from 'react';
import styles from './slip.module.css';

interface SlipProps {
  /** Whether assistive technology interrupts for it. */
  kind: 'status' | 'alert';
  title: string;
  text?: string;
  /** Whether something is underway. */
  busy?: boolean;
  /** Buttons. */
  children?: ReactNode;
}

/** A short word at the lower edge, above everything, in what every page has from the start. */
export const Slip = ({ kind, title, text, busy = false, children }: SlipProps) => (
  <div className={styles.slip} role={kind}>
    {busy && <span className={styles.spinner} />}
    <p className={styles.words}>
      <strong>{title}</strong>
      {text && <span> {text}</span>}
    </p>
    {children && <div className={styles.actions}>{children}</div>}
  </div>
);
