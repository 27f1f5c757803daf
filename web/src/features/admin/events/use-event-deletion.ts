import type { Event } from '@meetmark/contracts';
import { adminEventsText as text } from '../../../strings/admin';
import { commonText } from '../../../strings/common';
import { useToasts } from '../../../ui/toasts';
import { useFailure } from '../../auth/use-failure';
import { useDeleteEvent } from './admin-events.api';

/** Deletes an event and tells how it went. */
export function useEventDeletion(): (event: Event) => Promise<void> {
  const toasts = useToasts();
  const failed = useFailure();
  const deletion = useDeleteEvent();
  return async ({ id }) => {
    try {
      await deletion.mutateAsync(id);
      toasts.success(commonText.success, text.deleted);
    } catch (error) {
      failed(error, text.deleteFailed);
    }
  };
}
