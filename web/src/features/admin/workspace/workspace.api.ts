import type { Door, EventActivityDay, Guest, NewDoorLink, RegistrationStatus } from '@meetmark/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { detailsOf, send, sendForJson } from '../../../api/client';
import { withQuery } from '../../../api/pages';
import { ALWAYS_STALE, FRESHNESS } from '../../../api/query-client';
import { refreshEvents } from '../../events/shared/events.api';
import { pageQuery, ROWS_PER_PAGE } from '../shared/paged-list';

const workspacePath = (eventId: string) => `/api/admin/events/${eventId}`;

/** Registrations of the last 14 days. */
export const eventActivityQuery = (eventId: string) =>
  queryOptions({
    queryKey: [workspacePath(eventId), 'activity'],
    queryFn: ({ signal }) =>
      sendForJson<EventActivityDay[]>(`${workspacePath(eventId)}/activity`, { signal }),
    staleTime: FRESHNESS.activity,
    refetchOnMount: true,
  });

const guestsPath = (eventId: string) => `${workspacePath(eventId)}/guests`;

/** Where the browser downloads the whole list from. */
export const guestsFilePath = (eventId: string) => `${guestsPath(eventId)}.csv`;

export type GuestFilters = {
  q: string;
  state: 'all' | RegistrationStatus;
  checkedIn: 'all' | 'true' | 'false';
};

export const firstGuestsPath = (eventId: string, { q, state, checkedIn }: GuestFilters) =>
  withQuery(guestsPath(eventId), {
    q,
    state: state === 'all' ? undefined : state,
    checkedIn: checkedIn === 'all' ? undefined : checkedIn,
    limit: ROWS_PER_PAGE,
  });

export const guestsPageQuery = (eventId: string, path: string) =>
  pageQuery<Guest>([workspacePath(eventId), 'guests'], path);

/** How many wait, when a place was refused because none is free; else null. */
export function waitingAtFull(error: unknown): number | null {
  const refusal = detailsOf(error, 'EVENT_FULL');
  return refusal ? (refusal.waiting ?? 0) : null;
}

/** A change of the guest list; the event's figures follow it, after a refusal too. */
function useGuestCall<Given, Answer>(call: (given: Given) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: call, onSettled: () => refreshEvents(client) });
}

export interface NewGuest {
  name: string;
  email: string | null;
  /** Adds one place where none is free. */
  raiseCapacity?: boolean;
}

export const useAddGuest = (eventId: string) =>
  useGuestCall((guest: NewGuest) => sendForJson<Guest>(guestsPath(eventId), { method: 'POST', body: guest }));

/** What is left out stays. */
export const useChangeGuest = (eventId: string) =>
  useGuestCall(
    ({ id, ...change }: { id: string; note?: string | null; paid?: boolean; checkedIn?: boolean }) =>
      sendForJson<Guest>(`${guestsPath(eventId)}/${id}`, { method: 'PATCH', body: change }),
  );

export const usePlaceGuest = (eventId: string) =>
  useGuestCall(({ id, raiseCapacity }: { id: string; raiseCapacity: boolean }) =>
    sendForJson<Guest>(`${guestsPath(eventId)}/${id}/place`, { method: 'POST', body: { raiseCapacity } }),
  );

/** The CSV file of those registrations. */
export const useExportGuests = (eventId: string) =>
  useMutation({
    mutationFn: async (ids: string[]) =>
      (await send(guestsFilePath(eventId), { method: 'POST', body: { ids } })).text(),
  });

/** The person is mailed the reason. */
export const useRemoveGuest = (eventId: string) =>
  useGuestCall(({ id, reason }: { id: string; reason: string }) =>
    send(`${guestsPath(eventId)}/${id}`, { method: 'DELETE', body: { reason: reason || null } }),
  );

/** Milliseconds between two questions about who is in, while the page is visible. */
export const DOOR_EVERY = 10_000;

export const doorQuery = (eventId: string) =>
  queryOptions({
    queryKey: [workspacePath(eventId), 'door'],
    queryFn: ({ signal }) => sendForJson<Door>(`${workspacePath(eventId)}/door`, { signal }),
    ...ALWAYS_STALE,
    refetchInterval: DOOR_EVERY,
  });

function useDoorCall<Given, Answer>(eventId: string, call: (given: Given) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSettled: () => client.invalidateQueries(doorQuery(eventId)),
  });
}

/** The answer is the only one that has the token. */
export const useMakeDoorLink = (eventId: string) =>
  useDoorCall(eventId, () =>
    sendForJson<NewDoorLink>(`${workspacePath(eventId)}/door-links`, { method: 'POST' }),
  );

export const useRevokeDoorLink = (eventId: string) =>
  useDoorCall(eventId, (linkId: string) =>
    send(`${workspacePath(eventId)}/door-links/${linkId}`, { method: 'DELETE' }),
  );
