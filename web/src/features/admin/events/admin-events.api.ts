import type { Event, EventStatus, RegistrationWithMember } from '@meetmark/contracts';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { send } from '../../../api/client';
import { readAll, readPage, withQuery } from '../../../api/pages';
import { adminEventsText as text } from '../../../strings/admin';
import { commonText } from '../../../strings/common';
import { useToasts } from '../../../ui/toasts';
import { useFailure } from '../../auth/session';
import type { FormatFilter } from '../../events/event';
import { refreshEvents } from '../../events/events.api';
import { removeRow } from '../shared/optimistic-removal';
import { ROWS_PER_PAGE } from '../shared/paged-list';

const EVENTS = '/api/events';
const LISTS_KEY = [EVENTS, 'admin'] as const;

export type AdminEventFilters = {
  q: string;
  time: 'all' | 'upcoming' | 'past';
  price: 'all' | 'free' | 'paid';
  format: FormatFilter;
  status: 'all' | EventStatus;
};

export const firstEventsPath = ({ q, time, price, format, status }: AdminEventFilters) =>
  withQuery(EVENTS, {
    q,
    time,
    price: price === 'all' ? undefined : price,
    format: format === 'all' ? undefined : format,
    status: status === 'all' ? undefined : status,
    // Planned events come before years of history.
    sort: time === 'all' ? '-startDate' : undefined,
    limit: ROWS_PER_PAGE,
  });

/** Fetched again whenever the screen opens. */
export const eventsPageQuery = (path: string) =>
  queryOptions({
    queryKey: [...LISTS_KEY, path],
    queryFn: ({ signal }) => readPage<Event>(path, signal),
    staleTime: 0,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
  });

const registrationsPath = (eventId: string) => `${EVENTS}/${eventId}/registrations`;

export const firstRegistrationsPath = (eventId: string) =>
  withQuery(registrationsPath(eventId), { limit: ROWS_PER_PAGE });

export const registrationsPageQuery = (path: string) =>
  queryOptions({
    queryKey: [EVENTS, 'registrations', path],
    queryFn: ({ signal }) => readPage<RegistrationWithMember>(path, signal),
    staleTime: 0,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
  });

/** Everyone who is registered, for the export. */
export const fetchAllRegistrations = (eventId: string) =>
  readAll<RegistrationWithMember>(registrationsPath(eventId));

/** Somebody on the waiting list of an event. */
export interface WaitingMember {
  id: string;
  userId: string;
  joinedAt: string;
  position: number;
  member: RegistrationWithMember['member'];
}

const waitlistPath = (eventId: string) => `${EVENTS}/${eventId}/waitlist`;

export const firstWaitlistPath = (eventId: string) =>
  withQuery(waitlistPath(eventId), { limit: ROWS_PER_PAGE });

export const waitlistPageQuery = (path: string) =>
  queryOptions({
    queryKey: [EVENTS, 'waitlist', path],
    queryFn: ({ signal }) => readPage<WaitingMember>(path, signal),
    staleTime: 0,
    refetchOnMount: true,
    placeholderData: keepPreviousData,
  });

export type WaitlistAction = 'promote' | 'add' | 'remove';

/** Gives somebody a place out of turn, for which `add` makes one where none is free, or takes them from the list. */
export function useWaitlistAction(eventId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, action }: { userId: string; action: WaitlistAction }) =>
      action === 'remove'
        ? send(`${waitlistPath(eventId)}/${userId}`, { method: 'DELETE' })
        : send(`${waitlistPath(eventId)}/${userId}/promote`, {
            method: 'POST',
            body: { raiseCapacity: action === 'add' },
          }),
    onSettled: () => refreshEvents(client),
  });
}

/** Optimistic: the row is gone at once and comes back when the call fails. */
function useDeleteEvent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => send(`${EVENTS}/${id}`, { method: 'DELETE' }),
    onMutate: (id) => removeRow(client, LISTS_KEY, id),
    onError: (_error, _id, restore) => restore?.(),
    onSettled: () => {
      void refreshEvents(client);
    },
  });
}

/** Deletes an event and shows the outcome. */
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
