import type { Door, EventActivityDay, Guest, NewDoorLink, RegistrationStatus } from '@meetmark/contracts';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { getErrorDetails, send, sendForJson } from '../../../api/client';
import { useMutation } from '../../../api/mutation';
import { withQuery } from '../../../api/pages';
import { ALWAYS_STALE, FRESHNESS } from '../../../api/query-client';
import { refreshEvents } from '../../events/shared/events.api';
import { withName } from '../shared/former-member';
import { pageQuery, ROWS_PER_PAGE } from '../shared/paged-list';

const workspacePath = (eventId: string) => `/api/admin/events/${eventId}`;

export const eventActivityQuery = (eventId: string) =>
  queryOptions({
    queryKey: [workspacePath(eventId), 'activity'],
    queryFn: ({ signal }) =>
      sendForJson<EventActivityDay[]>(`${workspacePath(eventId)}/activity`, { signal }),
    staleTime: FRESHNESS.activity,
    refetchOnMount: true,
  });

const guestsPath = (eventId: string) => `${workspacePath(eventId)}/guests`;

export const guestsFilePath = (eventId: string) => `${guestsPath(eventId)}.csv`;

export type GuestFilters = {
  q: string;
  state: 'all' | RegistrationStatus;
  checkedIn: 'all' | 'true' | 'false';
  unconfirmed: 'all' | 'true' | 'false';
};

export const firstGuestsPath = (eventId: string, { q, state, checkedIn, unconfirmed }: GuestFilters) =>
  withQuery(guestsPath(eventId), {
    q,
    state: state === 'all' ? undefined : state,
    checkedIn: checkedIn === 'all' ? undefined : checkedIn,
    unconfirmed: unconfirmed === 'all' ? undefined : unconfirmed,
    limit: ROWS_PER_PAGE,
  });

export const guestsPageQuery = (eventId: string, path: string) =>
  queryOptions({
    ...pageQuery<Guest>([workspacePath(eventId), 'guests'], path),
    select: (page) => ({ ...page, items: page.items.map(withName) }),
  });

export function waitingAtFull(error: unknown): number | null {
  const refusal = getErrorDetails(error, 'EVENT_FULL');
  return refusal ? (refusal.waiting ?? 0) : null;
}

function useGuestCall<Given, Answer>(call: (given: Given) => Promise<Answer>) {
  const client = useQueryClient();
  return useMutation({ mutationFn: call, onSettled: () => refreshEvents(client) });
}

export interface NewGuest {
  name: string;
  email: string | null;
  raiseCapacity?: boolean;
}

export const useAddGuest = (eventId: string) =>
  useGuestCall((guest: NewGuest) => sendForJson<Guest>(guestsPath(eventId), { method: 'POST', body: guest }));

export const useChangeGuest = (eventId: string) =>
  useGuestCall(
    ({ id, ...change }: { id: string; note?: string | null; paid?: boolean; checkedIn?: boolean }) =>
      sendForJson<Guest>(`${guestsPath(eventId)}/${id}`, { method: 'PATCH', body: change }),
  );

export const usePlaceGuest = (eventId: string) =>
  useGuestCall(({ id, raiseCapacity }: { id: string; raiseCapacity: boolean }) =>
    sendForJson<Guest>(`${guestsPath(eventId)}/${id}/place`, { method: 'POST', body: { raiseCapacity } }),
  );

export const useExportGuests = (eventId: string) =>
  useMutation({
    mutationFn: async (ids: string[]) =>
      (await send(guestsFilePath(eventId), { method: 'POST', body: { ids } })).text(),
  });

export const useRemoveGuests = (eventId: string) =>
  useGuestCall(({ ids, reason }: { ids: string[]; reason: string }) =>
    send(`${guestsPath(eventId)}/remove`, { method: 'POST', body: { ids, reason: reason || null } }),
  );

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

/** Only this response contains the link's token. */
export const useMakeDoorLink = (eventId: string) =>
  useDoorCall(eventId, () =>
    sendForJson<NewDoorLink>(`${workspacePath(eventId)}/door-links`, { method: 'POST' }),
  );

export const useRevokeDoorLink = (eventId: string) =>
  useDoorCall(eventId, (linkId: string) =>
    send(`${workspacePath(eventId)}/door-links/${linkId}`, { method: 'DELETE' }),
  );
