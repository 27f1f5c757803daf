import type { Event } from '@meetmark/contracts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { send, sendForJson } from '../../api/client';
import { useSession } from '../auth/session';
import { refreshEvents } from '../events/events.api';

/** The events that the signed-in member registered for, soonest first. Always stale. */
export const myEventsQuery = queryOptions({
  queryKey: ['/api/my-events'],
  queryFn: ({ signal }) => sendForJson<Event[]>('/api/my-events', { signal }),
  staleTime: 0,
  refetchOnMount: true,
});

/** Whether the signed-in member has a place at an event. False without a session. */
export function useIsRegistered(): (eventId: string) => boolean {
  const { user } = useSession();
  const { data: myEvents } = useQuery({ ...myEventsQuery, enabled: user !== null });
  return (eventId) => user !== null && (myEvents?.some(({ id }) => id === eventId) ?? false);
}

const CREATED = 201;

interface RegistrationOutcome {
  /** `created` is false where the member had the place already. */
  onRegistered: (created: boolean) => void;
  onRefused: (error: Error) => void;
}

/** Reports the outcome even when the button that asked is gone by then. */
export function useRegister(event: Event, { onRegistered, onRefused }: RegistrationOutcome) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { status } = await send(`/api/events/${event.id}/register`, { method: 'POST' });
      return { created: status === CREATED };
    },
    onSuccess: ({ created }) => {
      client.setQueryData(myEventsQuery.queryKey, (mine) =>
        mine?.some(({ id }) => id === event.id) ? mine : [...(mine ?? []), event],
      );
      onRegistered(created);
    },
    onError: onRefused,
    // After a refusal too: the screen was out of date.
    onSettled: () => {
      void refreshEvents(client);
    },
  });
}

export function useUnregister(eventId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send(`/api/events/${eventId}/register`, { method: 'DELETE' }),
    onSuccess: () => {
      client.setQueryData(myEventsQuery.queryKey, (mine) => mine?.filter(({ id }) => id !== eventId));
    },
    onSettled: () => {
      void refreshEvents(client);
    },
  });
}
