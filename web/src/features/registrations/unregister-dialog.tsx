import type { Event } from '@meetmark/contracts';
import { registrationText as text } from '@meetmark/i18n/texts/events';
import { Dialog, DialogButtons } from '../../ui/dialog';
import { useUnregister } from './registrations.api';
import { useAction } from '../auth/use-action';

interface UnregisterDialogProps {
  event: Event;
  waiting?: boolean;
  close: () => void;
}

export default function UnregisterDialog({ event, waiting = false, close }: UnregisterDialogProps) {
  const unregistration = useUnregister(event.id);
  const unregisterOnce = useAction(unregistration);
  const words = WORDS[waiting ? 'waiting' : 'registered'];

  const unregister = (dismiss: () => void) =>
    unregisterOnce(undefined, {
      success: words.done,
      failed: words.failed,
      onSuccess: dismiss,
      onError: dismiss,
    });

  return (
    <Dialog title={words.title} close={close} width={460} compact>
      {(dismiss) => (
        <>
          <p>{words.question({ title: event.title })}</p>
          <DialogButtons
            dismiss={dismiss}
            keep={words.keep}
            danger
            inactive={unregistration.isPending}
            onClick={() => unregister(dismiss)}
          >
            {unregistration.isPending ? words.underway : words.act}
          </DialogButtons>
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
