import { Button } from 'antd';
import { adminText } from '../../../strings/admin';
import { Dialog } from '../../../ui/dialog';
import { DialogActions } from '../../../ui/dialog-actions';

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
