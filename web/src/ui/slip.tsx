import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import styles from './slip.module.css';

interface SlipProps {
  kind: 'status' | 'alert';
  title: string;
  text?: string;
  busy?: boolean;
  children?: ReactNode;
}

// rendered into the body, because the header's backdrop filter would confine `position: fixed` to the header
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
