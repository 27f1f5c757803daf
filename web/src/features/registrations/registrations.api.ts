import type { Event, GivenAnswers, Registration, Waiting } from '@meetmark/contracts';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { send, sendForJson } from '../../api/client';
import { ALWAYS_STALE } from '../../api/query-client';
import { useSession } from '../auth/session';
import { refreshEvents } from '../events/shared/events.api';

/** The events that the signed-in member registered for or waits for, soonest first. Always stale. */
export const myEventsQuery = queryOptions({
  queryKey: ['/api/my-events'],
  queryFn: ({ signal }) => sendForJson<Event[]>('/api/my-events?include=waiting', { signal }),
  ...ALWAYS_STALE,
});

/** What the signed-in member has at an event. */
export type Place = 'registered' | Waiting | null;

/** The position on the waiting list; 0 where it is not known. */
export const positionOf = (place: Place): number => (place === 'registered' ? 0 : (place?.position ?? 0));

/** The member's place at an event, or on its waiting list: from the event's own answer until their events are known. Null without a session. */
export function usePlace(event: Event): Place {
  const { user } = useSession();
  const { data: myEvents } = useQuery({ ...myEventsQuery, enabled: user !== null });
  if (!user) return null;
  const mine = myEvents?.find(({ id }) => id === event.id);
  if (mine) return mine.waiting ?? 'registered';
  if (myEvents) return null;
  return event.registrations.some(({ status }) => status === 'registered') ? 'registered' : event.waiting;
}

/** Notes what became of a registration, before the member's events are asked for again. */
export function notePlace(
  client: QueryClient,
  event: Event,
  { registration, waiting }: { registration?: Registration | null; waiting?: Waiting },
): void {
  client.setQueryData(myEventsQuery.queryKey, (mine) => [
    ...(mine ?? []).filter(({ id }) => id !== event.id),
    {
      ...event,
      registrations: registration ? [registration] : event.registrations,
      waiting: waiting ?? null,
    },
  ]);
}

const CREATED = 201;

interface RegisterAnswer {
  registration?: Registration;
  /** On the waiting list. */
  waiting?: Waiting;
}

interface RegistrationOutcome {
  /** `created` is false where the member had the place already. */
  onRegistered: (outcome: { created: boolean; waiting: boolean }) => void;
  onRefused: (error: Error) => void;
}

/** Reports the outcome even when the button that asked is gone by then. */
export function useRegister(event: Event, { onRegistered, onRefused }: RegistrationOutcome) {
  const client = useQueryClient();
  return useMutation({
    /** `waitlist`: joins the waiting list where no place is free. */
    mutationFn: async ({ waitlist, answers }: { waitlist: boolean; answers?: GivenAnswers }) => {
      const body = waitlist || answers ? { ...(waitlist && { waitlist }), answers } : undefined;
      const response = await send(`/api/events/${event.id}/register`, { method: 'POST', body });
      const answer = (await response.json()) as RegisterAnswer;
      return { created: response.status === CREATED, answer };
    },
    onSuccess: ({ created, answer }) => {
      notePlace(client, event, answer);
      onRegistered({ created, waiting: answer.waiting !== undefined });
    },
    onError: onRefused,
    // A refusal refreshes the lists as well: the screen was out of date.
    onSettled: () => void refreshEvents(client),
  });
}

/** Gives up the place, or the place on the waiting list. */
export function useUnregister(eventId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send(`/api/events/${eventId}/register`, { method: 'DELETE' }),
    onSuccess: () =>
      client.setQueryData(myEventsQuery.queryKey, (mine) => mine?.filter(({ id }) => id !== eventId)),
    onSettled: () => void refreshEvents(client),
  });
}
