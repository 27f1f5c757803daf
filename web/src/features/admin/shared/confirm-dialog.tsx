import { adminText } from '@meetmark/i18n/texts/admin';
import { commonText } from '@meetmark/i18n/texts/common';
import { Button } from 'antd';
import { Dialog, DialogActions } from '../../../ui/dialog';
import styles from './admin.module.css';

interface ConfirmDialogProps {
  title: string;
  question: string;
  warning: string;
  confirm: string;
  danger?: boolean;
  onConfirm: () => void;
  keep?: string;
  alternative?: { label: string; act: () => void };
  close: () => void;
}

/** Closes as soon as the user confirms. A toast shows the outcome later. */
export function ConfirmDialog({
  title,
  question,
  warning,
  confirm,
  danger = false,
  onConfirm,
  keep = commonText.cancel,
  alternative,
  close,
}: ConfirmDialogProps) {
  return (
    <Dialog title={title} close={close} width={480} compact>
      {(dismiss) => (
        <>
          <p className={styles.question}>{question}</p>
          <p className={styles.warning}>{warning}</p>
          <DialogActions>
            <Button onClick={dismiss}>{keep}</Button>
            {alternative && (
              <Button
                onClick={() => {
                  alternative.act();
                  dismiss();
                }}
              >
                {alternative.label}
              </Button>
            )}
            <Button
              type="primary"
              danger={danger}
              onClick={() => {
                onConfirm();
                dismiss();
              }}
            >
              {confirm}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

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
