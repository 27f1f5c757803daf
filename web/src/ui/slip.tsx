import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
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

/** A short message at the lower edge, above everything, made of what every page has from the start. */
// The slip is a child of the body: inside the header, whose backdrop is filtered, `fixed` would be relative to the header.
export const Slip = ({ kind, title, text, busy = false, children }: SlipProps) =>
  createPortal(
    <div className={styles.slip} role={kind}>
      {busy && <span className={styles.spinner} />}
      <p className={styles.words}>
        <strong>{title}</strong>
        {text && <span> {text}</span>}
      </p>
      {children && <div className={styles.actions}>{children}</div>}
    </div>,
    document.body,
  );
