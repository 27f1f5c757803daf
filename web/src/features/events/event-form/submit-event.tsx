import type { Edit, Event } from '@meetmark/contracts';
import { useState } from 'react';
import { hasCode } from '../../../api/client';
import { commonText } from '../../../strings/common';
import { editConflictText } from '../../../strings/edit-conflict';
import { eventFormText as text } from '../../../strings/event-form';
import { formatText } from '../../../strings/events';
import { useOnce } from '../../../ui/action-button';
import { changesSince, EditConflict, editConflictOf } from '../../../ui/edit-conflict';
import { useToasts } from '../../../ui/toasts';
import { useFormats } from '../../../ui/use-formats';
import { whatToDo } from '../../../ui/what-to-do';
import { useLoggedOutRedirect } from '../../auth/session';
import { type EventChange, type EventPayload, useSaveEvent } from '../events.api';
import { type EventFormFields, fieldsOf, hasDates, payloadOf } from './event-fields';

/** The only failure of a save that leads to the login. */
const isLoggedOut = (error: Error) => hasCode(error, 'UNAUTHORIZED');

interface Outcomes {
  done: () => void;
  refused: (error: Error) => void;
}

/**
 * Saves the form and shows the outcome; `refusal` says beside the fields why it failed and what can be done. `conflict`: another
 * administrator has saved the event since it was opened.
 */
export function useSubmitEvent(event: Event | undefined, { done, refused }: Outcomes) {
  const toasts = useToasts();
  const leaveForLogin = useLoggedOutRedirect();
  const saving = useSaveEvent(event?.id);
  const saveOnce = useOnce(saving);
  const [base, setBase] = useState(event); // the list behind the form may learn of newer ones meanwhile
  const conflict = editConflictOf<Event>(saving.error);
  const save = (change: EventChange) =>
    saveOnce(change, {
      onSuccess: () => {
        toasts.success(commonText.success, event ? text.updated : text.created);
        done();
      },
      onError: (error) => {
        if (isLoggedOut(error)) return leaveForLogin();
        if (editConflictOf(error)) return undefined;
        toasts.error(commonText.error, event ? text.updateFailed : text.createFailed);
        return refused(error);
      },
    });
  return {
    save: (fields: EventFormFields) => save({ ...payloadOf(fields, base), version: base?.version }),
    isPending: saving.isPending,
    refusal: saving.error && !conflict && !isLoggedOut(saving.error) ? whatToDo(saving.error) : null,
    conflict: conflict &&
      base && {
        ...conflict,
        base,
        /** Sends only what was changed here, so that the other person's changes stay. */
        saveMine: (fields: EventFormFields) =>
          save({
            ...changesSince(payloadOf(fieldsOf(base), base), payloadOf(fields, base)),
            version: conflict.present.version,
          }),
        /** Continues from the saved event. */
        takeTheirs: () => {
          setBase(conflict.present);
          saving.reset();
        },
      },
  };
}

interface EventConflictProps {
  /** `base`: the event when the form opened. */
  conflict: { edits: Edit[]; present: Event; base: Event };
  fields: EventFormFields;
  saving: boolean;
  saveMine: () => void;
  takeTheirs: () => void;
}

/** What another administrator saved of the event, beside what is typed here. */
export function EventConflict({ conflict, fields, ...actions }: EventConflictProps) {
  const formats = useFormats();
  const { edits, present, base } = conflict;
  const opened = payloadOf(fieldsOf(base), base);
  const show = (name: keyof EventPayload, value: unknown) => {
    if (name === 'startDate' || name === 'endDate') return formats.dateTime(value as string);
    if (name === 'price') return formats.price(value as string | null);
    if (name === 'format') return formatText.names[value as EventPayload['format']];
    if (name === 'capacity' && value === null) return editConflictText.unlimited;
    if (name === 'bannerImageUrl' && value !== null) return editConflictText.picture;
    return undefined;
  };
  return (
    <EditConflict
      edits={edits}
      base={opened}
      mine={hasDates(fields) ? payloadOf(fields, base) : opened}
      theirs={payloadOf(fieldsOf(present), present)}
      show={show}
      {...actions}
    />
  );
}
