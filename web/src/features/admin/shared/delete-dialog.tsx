import { Modal } from 'antd';
import { commonText } from '../../../strings/common';
import { HEADING_ID } from './page-heading';
import { useLast } from './use-last';

interface DeleteDialogProps<Subject> {
  /** What is to be deleted; null keeps the dialog closed. */
  subject: Subject | null;
  title: string;
  question: (subject: Subject) => string;
  warning: (subject: Subject) => string;
  confirm: string;
  onConfirm: (subject: Subject) => void;
  onClose: () => void;
}

/** Asks before something is deleted. The focus returns to the row, or to the screen's heading once the row is gone. */
export function DeleteDialog<Subject>({
  subject,
  title,
  question,
  warning,
  confirm,
  onConfirm,
  onClose,
}: DeleteDialogProps<Subject>) {
  // Keeps the words while the dialog fades out.
  const last = useLast(subject);
  return (
    <Modal
      open={subject !== null}
      title={title}
      okText={confirm}
      okButtonProps={{ danger: true }}
      cancelText={commonText.cancel}
      onOk={() => {
        if (subject) onConfirm(subject);
        onClose();
      }}
      onCancel={onClose}
      afterClose={focusHeadingIfLost}
    >
      {last && (
        <>
          <p>
            <strong>{question(last)}</strong>
          </p>
          <p>{warning(last)}</p>
        </>
      )}
    </Modal>
  );
}

function focusHeadingIfLost(): void {
  if (document.activeElement === document.body) document.getElementById(HEADING_ID)?.focus();
}
