import type { Event } from '@meetmark/contracts';
import { adminEventsText as text } from '@meetmark/i18n/texts/admin';
import { eventLifeText } from '@meetmark/i18n/texts/event-life';
import { useState } from 'react';
import { CancelEventDialog } from '../../events/event-menu';
import { useRegistrationState } from '../../events/shared/use-registration-state';
import { ConfirmDialog } from '../shared/confirm-dialog';
import { useEventDeletion } from './admin-events.api';

interface DeleteEventDialogProps {
  event: Event;
  deleted?: () => void;
  close: () => void;
}

export function DeleteEventDialog({ event, deleted, close }: DeleteEventDialogProps) {
  const remove = useEventDeletion();
  const [cancelling, setCancelling] = useState(false);
  const over = useRegistrationState(event) === 'ended';
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
      keep={concerned ? eventLifeText.keep : undefined}
      alternative={
        concerned ? { label: eventLifeText.cancelInstead, act: () => setCancelling(true) } : undefined
      }
      close={close}
    />
  );
}
