import type { Event } from '@meetmark/contracts';
import { Button } from 'antd';
import { serverMessage } from '../../api/client';
import { commonText } from '../../strings/common';
import { registrationText } from '../../strings/events';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { useToasts } from '../../ui/toasts';
import { useFailure } from '../auth/session';
import { useUnregister } from './registrations.api';

export default function UnregisterDialog({ event, close }: { event: Event; close: () => void }) {
  const toasts = useToasts();
  const failed = useFailure();
  const unregistration = useUnregister(event.id);
  const unregisterOnce = useOnce(unregistration);

  const unregister = (dismiss: () => void) =>
    unregisterOnce(undefined, {
      onSuccess: () => {
        toasts.success(commonText.success, registrationText.unregistered);
        dismiss();
      },
      onError: (error) => {
        failed(error, serverMessage(error) ?? registrationText.unregisterFailed);
        dismiss();
      },
    });

  return (
    <Dialog title={registrationText.unregisterTitle} close={close} width={460} compact>
      {(dismiss) => (
        <>
          <p>{registrationText.unregisterQuestion(event.title)}</p>
          <DialogActions>
            <Button onClick={dismiss}>{registrationText.keep}</Button>
            <ActionButton
              type="primary"
              danger
              inactive={unregistration.isPending}
              onClick={() => unregister(dismiss)}
            >
              {unregistration.isPending ? registrationText.unregistering : registrationText.unregister}
            </ActionButton>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
