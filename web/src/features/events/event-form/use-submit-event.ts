import type { Event } from '@meetmark/contracts';
import { commonText } from '../../../strings/common';
import { eventFormText as text } from '../../../strings/event-form';
import { useToasts } from '../../../ui/toasts';
import { useOnce } from '../../../ui/use-once';
import { whatToDo } from '../../../ui/what-to-do';
import { useLoggedOutRedirect } from '../../auth/logged-out';
import { useSaveEvent } from '../events.api';
import { type EventFormFields, payloadOf } from './event-fields';

/** Section 8 of the specification: the only failure of a save that leads to the login. */
const isLoggedOut = (error: Error) =>
  error.message.startsWith('401:') && error.message.includes('Unauthorized');

interface Outcomes {
  done: () => void;
  refused: (error: Error) => void;
}

/** Saves the form and tells how it went; `refusal` says beside the fields why it was refused, and what can be done. */
export function useSubmitEvent(event: Event | undefined, { done, refused }: Outcomes) {
  const toasts = useToasts();
  const leaveForLogin = useLoggedOutRedirect();
  const saving = useSaveEvent(event?.id);
  const saveOnce = useOnce(saving);
  return {
    save: (fields: EventFormFields) =>
      saveOnce(payloadOf(fields), {
        onSuccess: () => {
          toasts.success(commonText.success, event ? text.updated : text.created);
          done();
        },
        onError: (error) => {
          if (isLoggedOut(error)) return leaveForLogin();
          toasts.error(commonText.error, event ? text.updateFailed : text.createFailed);
          return refused(error);
        },
      }),
    isPending: saving.isPending,
    refusal: saving.error && !isLoggedOut(saving.error) ? whatToDo(saving.error) : null,
  };
}
