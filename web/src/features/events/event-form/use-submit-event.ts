import type { Event } from '@meetmark/contracts';
import { useState } from 'react';
import { changesSince, editConflictOf } from '../../../ui/edit-conflict';
import { commonText } from '../../../strings/common';
import { eventFormText as text } from '../../../strings/event-form';
import { useToasts } from '../../../ui/toasts';
import { useOnce } from '../../../ui/action-button';
import { whatToDo } from '../../../ui/what-to-do';
import { useLoggedOutRedirect } from '../../auth/logged-out';
import { type EventChange, useSaveEvent } from '../events.api';
import { type EventFormFields, fieldsOf, payloadOf } from './event-fields';

/** Section 8 of the specification: the only failure of a save that leads to the login. */
const isLoggedOut = (error: Error) =>
  error.message.startsWith('401:') && error.message.includes('Unauthorized');

interface Outcomes {
  done: () => void;
  refused: (error: Error) => void;
}

/**
 * Saves the form and tells how it went; `refusal` says beside the fields why it was refused, and what can be done. `conflict`: somebody
 * else has saved the event since it was opened.
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
        /** Only what was changed here: what somebody else changed elsewhere stays. */
        saveMine: (fields: EventFormFields) =>
          save({
            ...changesSince(payloadOf(fieldsOf(base), base), payloadOf(fields, base)),
            version: conflict.present.version,
          }),
        /** Goes on from what is there. */
        takeTheirs: () => {
          setBase(conflict.present);
          saving.reset();
        },
      },
  };
}
