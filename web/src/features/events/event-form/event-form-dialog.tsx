import type { Event } from '@meetmark/contracts';
import { eventFormText as text } from '../../../strings/event-form';
import { Dialog } from '../../../ui/dialog';
import { EventForm } from './event-form';

interface EventFormDialogProps {
  /** The event to edit; without one, an event is created. */
  event?: Event;
  /** A new event begins with the fields of this one. */
  template?: Event;
  /** Called when the dialog is gone: then stop rendering it. */
  close: () => void;
}

/** 'Create New Event' and 'Edit Event', shared by the member's and the administrator's screens. */
export default function EventFormDialog({ event, template, close }: EventFormDialogProps) {
  return (
    <Dialog title={event ? text.editTitle : text.createTitle} close={close} width={680} form>
      {(dismiss) => <EventForm event={event} template={template} dismiss={dismiss} />}
    </Dialog>
  );
}
