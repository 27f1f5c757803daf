import type { Event } from '@meetmark/contracts';
import { serverMessage } from '../../../api/client';
import { commonText } from '../../../strings/common';
import { eventFormText as text } from '../../../strings/event-form';
import { useToasts } from '../../../ui/toasts';
import { useOnce } from '../../../ui/use-once';
import { useLoggedOutRedirect } from '../../auth/logged-out';
import { useSaveEvent } from '../events.api';
import { type EventFormFields, payloadOf } from './event-fields';

/** Section 8 of the specification: the only failure of a save that leads to the login. */
const isLoggedOut = (error: Error) =>
  error.message.startsWith('401:') && error.message.includes('Unauthorized');

/** Saves the form: on success a notice and `done`; `refusal` is the server's own sentence, shown beside the fields. */
export function useSubmitEvent(event: Event | undefined, done: () => void) {
  const toasts = useToasts();
  const leaveForLogin = useLoggedOutRedirect();
  const saving = useSaveEvent(event?.id);
  const saveOnce = useOnce(saving);
  return {
    submit: (fields: EventFormFields) =>
      saveOnce(payloadOf(fields), {
        onSuccess: () => {
          toasts.success(commonText.success, event ? text.updated : text.created);
          done();
        },
        onError: (error) => {
          if (isLoggedOut(error)) leaveForLogin();
          else toasts.error(commonText.error, event ? text.updateFailed : text.createFailed);
        },
      }),
    isPending: saving.isPending,
    refusal: saving.error && !isLoggedOut(saving.error) ? serverMessage(saving.error) : null,
  };
}
