import type { Event } from '@meetmark/contracts';
import { adminEventsText as text } from '@meetmark/contracts/texts/admin';
import { eventLifeText } from '@meetmark/contracts/texts/event-life';
import { useState } from 'react';
import { CancelEventDialog } from '../../events/event-menu';
import { isOver, useRegistrationState } from '../../events/shared/use-registration-state';
import { ConfirmDialog } from '../shared/confirm-dialog';
import { useEventDeletion } from './admin-events.api';

interface DeleteEventDialogProps {
  event: Event;
  /** The dialog calls it once the event is deleted. */
  deleted?: () => void;
  close: () => void;
}

/** Where people count on the event, cancelling it comes first: its page can then tell them. */
export function DeleteEventDialog({ event, deleted, close }: DeleteEventDialogProps) {
  const remove = useEventDeletion();
  const [cancelling, setCancelling] = useState(false);
  const over = isOver(useRegistrationState(event));
  const people = event.registrationCount + event.waitingCount;
  const concerned = event.status === 'published' && !over && people > 0;
  if (cancelling) return <CancelEventDialog event={event} close={close} />;
  return (
    <ConfirmDialog
      danger
      title={text.deleteTitle}
      question={text.deleteQuestion({ title: event.title })}
      warning={[
        text.deleteWarning({ registered: event.registrationCount }),
        concerned && text.deleteTold({ people }),
      ]
        .filter(Boolean)
        .join(' ')}
      confirm={text.deleteConfirm}
      onConfirm={() => void remove(event).then((gone) => gone && deleted?.())}
      instead={
        concerned
          ? {
              label: eventLifeText.cancelInstead,
              keep: eventLifeText.keep,
              act: () => setCancelling(true),
            }
          : undefined
      }
      close={close}
    />
  );
}
