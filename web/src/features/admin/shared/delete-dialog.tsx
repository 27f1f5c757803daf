import { Button } from 'antd';
import { commonText } from '../../../strings/common';
import { Dialog } from '../../../ui/dialog';
import { DialogActions } from '../../../ui/dialog-actions';
import styles from './delete-dialog.module.css';

interface DeleteDialogProps {
  title: string;
  question: string;
  warning: string;
  confirm: string;
  onConfirm: () => void;
  close: () => void;
}

/** Asks before something is deleted. The row is taken out at once, so the dialog does not wait for the answer. */
export function DeleteDialog({ title, question, warning, confirm, onConfirm, close }: DeleteDialogProps) {
  const closeAndKeepFocus = () => {
    close();
    focusContentIfLost();
  };
  return (
    <Dialog title={title} close={closeAndKeepFocus} width={480} compact>
      {(dismiss) => (
        <>
          <p className={styles.question}>{question}</p>
          <p className={styles.warning}>{warning}</p>
          <DialogActions>
            <Button onClick={dismiss}>{commonText.cancel}</Button>
            <Button
              type="primary"
              danger
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

/** The control that opened the dialog went with its row: the keyboard goes on at the screen, not at the address bar. */
function focusContentIfLost(): void {
  if (document.activeElement === document.body) document.getElementById('content')?.focus();
}
