import type { Event, EventStatus } from '@meetmark/contracts';
import { adminEventsText as text } from '@meetmark/i18n/texts/admin';
import { commonText } from '@meetmark/i18n/texts/common';
import { useQueryClient } from '@tanstack/react-query';
import { send } from '../../../api/client';
import { withQuery } from '../../../api/pages';
import { useToasts } from '../../../ui/toasts';
import { useFailure } from '../../auth/session';
import type { FormatFilter } from '../../events/shared/event';
import { refreshEvents } from '../../events/shared/events.api';
import { useRowDeletion } from '../shared/optimistic-removal';
import { pageQuery, ROWS_PER_PAGE } from '../shared/paged-list';

const EVENTS = '/api/events';
const LISTS_KEY = [EVENTS, 'admin'] as const;

export type AdminEventFilters = {
  q: string;
  time: 'all' | 'upcoming' | 'past';
  price: 'all' | 'free' | 'paid';
  format: FormatFilter;
  status: 'all' | EventStatus;
};

export const firstEventsPath = ({ q, time, price, format, status }: AdminEventFilters, managed: boolean) =>
  withQuery(EVENTS, {
    q,
    time,
    price: price === 'all' ? undefined : price,
    format: format === 'all' ? undefined : format,
    status: status === 'all' ? undefined : status,
    managedBy: managed ? 'me' : undefined,
    sort: time === 'all' ? 'upcomingFirst' : undefined,
    limit: ROWS_PER_PAGE,
  });

export const eventsPageQuery = (path: string) => pageQuery<Event>(LISTS_KEY, path);

export function useEventDeletion(): (event: Event) => Promise<boolean> {
  const toasts = useToasts();
  const failed = useFailure();
  const client = useQueryClient();
  const deletion = useRowDeletion(
    LISTS_KEY,
    (id) => send(`${EVENTS}/${id}`, { method: 'DELETE' }),
    () => refreshEvents(client),
  );
  return async ({ id }) => {
    try {
      await deletion.mutateAsync(id);
      toasts.success(commonText.success, text.deleted);
      return true;
    } catch (error) {
      failed(error, text.deleteFailed);
      return false;
    }
  };
}
