import { adminText } from '@meetmark/contracts/texts/admin';
import { commonText } from '@meetmark/contracts/texts/common';
import { Button } from 'antd';
import { Dialog, DialogActions } from '../../../ui/dialog';
import styles from './admin.module.css';

interface ConfirmDialogProps {
  title: string;
  question: string;
  /** What happens then. */
  warning: string;
  confirm: string;
  danger?: boolean;
  onConfirm: () => void;
  /** What is better in most cases: it leads. `keep` is then the answer that changes nothing. */
  instead?: { label: string; keep: string; act: () => void };
  close: () => void;
}

/** Asks before an action that cannot be undone or that affects another person. A toast shows the outcome; the dialog does not wait. */
export function ConfirmDialog({
  title,
  question,
  warning,
  confirm,
  danger = false,
  onConfirm,
  instead,
  close,
}: ConfirmDialogProps) {
  return (
    <Dialog title={title} close={close} width={480} compact>
      {(dismiss) => (
        <>
          <p className={styles.question}>{question}</p>
          <p className={styles.warning}>{warning}</p>
          <DialogActions>
            <Button onClick={dismiss}>{instead?.keep ?? commonText.cancel}</Button>
            <Button
              type={instead ? 'default' : 'primary'}
              danger={danger}
              onClick={() => {
                onConfirm();
                dismiss();
              }}
            >
              {confirm}
            </Button>
            {instead && (
              <Button
                type="primary"
                onClick={() => {
                  instead.act();
                  dismiss();
                }}
              >
                {instead.label}
              </Button>
            )}
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

/** 'Unable to Complete Action': stays until it is read, over the form that caused it. */
export const UnableAlert = ({ message, close }: { message: string; close: () => void }) => (
  <Dialog title={adminText.unableTitle} close={close} width={440} compact>
    {(dismiss) => (
      <>
        <p role="alert">{message}</p>
        <DialogActions>
          <Button type="primary" onClick={dismiss}>
            {adminText.ok}
          </Button>
        </DialogActions>
      </>
    )}
  </Dialog>
);
