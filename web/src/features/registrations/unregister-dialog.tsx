import type { Event } from '@meetmark/contracts';
import { commonText } from '@meetmark/contracts/texts/common';
import { registrationText as text } from '@meetmark/contracts/texts/events';
import { Button } from 'antd';
import { serverMessage } from '../../api/client';
import { ActionButton, useOnce } from '../../ui/action-button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { useToasts } from '../../ui/toasts';
import { useFailure } from '../auth/session';
import { useUnregister } from './registrations.api';

interface UnregisterDialogProps {
  event: Event;
  /** Whether the place is one on the waiting list. */
  waiting?: boolean;
  close: () => void;
}

export default function UnregisterDialog({ event, waiting = false, close }: UnregisterDialogProps) {
  const toasts = useToasts();
  const failed = useFailure();
  const unregistration = useUnregister(event.id);
  const unregisterOnce = useOnce(unregistration);
  const words = WORDS[waiting ? 'waiting' : 'registered'];

  const unregister = (dismiss: () => void) =>
    unregisterOnce(undefined, {
      onSuccess: () => {
        toasts.success(commonText.success, words.done);
        dismiss();
      },
      onError: (error) => {
        failed(error, serverMessage(error) ?? words.failed);
        dismiss();
      },
    });

  return (
    <Dialog title={words.title} close={close} width={460} compact>
      {(dismiss) => (
        <>
          <p>{words.question({ title: event.title })}</p>
          <DialogActions>
            <Button onClick={dismiss}>{words.keep}</Button>
            <ActionButton
              type="primary"
              danger
              inactive={unregistration.isPending}
              onClick={() => unregister(dismiss)}
            >
              {unregistration.isPending ? words.underway : words.act}
            </ActionButton>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}

const WORDS = {
  registered: {
    title: text.unregisterTitle,
    question: text.unregisterQuestion,
    keep: text.keep,
    act: text.unregister,
    underway: text.unregistering,
    done: text.unregistered,
    failed: text.unregisterFailed,
  },
  waiting: {
    title: text.leaveTitle,
    question: text.leaveQuestion,
    keep: text.keepWaiting,
    act: text.leave,
    underway: text.leaving,
    done: text.left,
    failed: text.leaveFailed,
  },
};
