import { Modal } from 'antd';
import { type ReactNode, useState } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  title: string;
  /** Called when the dialog is gone and the focus is back where it was: then stop rendering it. */
  close: () => void;
  /** Pixels on a wide screen; a phone gives it the whole width. */
  width?: number;
  /** Whether the title only names the dialog, because its content begins with a heading of its own. */
  hideTitle?: boolean;
  /** A question of a line or two: a phone shows it as a sheet at its lower edge instead of a page. */
  compact?: boolean;
  /** Whether something is typed in it: a click beside it does not throw that away. */
  form?: boolean;
  className?: string;
  children: (dismiss: () => void) => ReactNode;
}

/** A modal dialog that is open for as long as it is rendered, and leaves in its own time. */
export function Dialog({
  title,
  close,
  width = 520,
  hideTitle,
  compact,
  form = false,
  className,
  children,
}: DialogProps) {
  const [open, setOpen] = useState(true);
  const dismiss = () => setOpen(false);
  return (
    <Modal
      open={open}
      title={title}
      classNames={hideTitle ? { header: 'visually-hidden' } : undefined}
      width={width}
      footer={null}
      mask={{ closable: !form }}
      onCancel={dismiss}
      afterClose={close}
      className={[styles.dialog, compact ? styles.sheet : styles.page, className].filter(Boolean).join(' ')}
    >
      {children(dismiss)}
    </Modal>
  );
}
