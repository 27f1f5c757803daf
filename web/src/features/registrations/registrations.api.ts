import type { Event, GivenAnswers, Registration, Waiting } from '@meetmark/contracts';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { send } from '../../api/client';
import { useMutation } from '../../api/mutation';
import { readQuery } from '../../api/query-client';
import { useSession } from '../auth/session';
import { refreshEvents } from '../events/shared/events.api';

export const myEventsQuery = readQuery<Event[]>('/api/my-events?include=waiting', ['/api/my-events']);

export type Place = 'registered' | Waiting | null;

export const getPosition = (place: Place): number => (place === 'registered' ? 0 : (place?.position ?? 0));

/** Uses the registration in `event` until My Events is loaded, then the one in My Events. */
export function usePlace(event: Event): Place {
  const { user } = useSession();
  const { data: myEvents } = useQuery({ ...myEventsQuery, enabled: user !== null });
  if (!user) return null;
  const mine = myEvents?.find(({ id }) => id === event.id);
  if (mine) return mine.waiting ?? 'registered';
  if (myEvents) return null;
  return event.registrations.some(({ status }) => status === 'registered') ? 'registered' : event.waiting;
}

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
  waiting?: Waiting;
}

interface RegistrationOutcome {
  onRegistered: (outcome: { created: boolean; waiting: boolean }) => void;
  onRefused: (error: Error) => void;
}

export function useRegister(event: Event, { onRegistered, onRefused }: RegistrationOutcome) {
  const client = useQueryClient();
  return useMutation({
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
    onSettled: (_answer, error) => {
      if (error) onRefused(error);
      void refreshEvents(client);
    },
  });
}

export function useUnregister(eventId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => send(`/api/events/${eventId}/register`, { method: 'DELETE' }),
    onSuccess: () =>
      client.setQueryData(myEventsQuery.queryKey, (mine) => mine?.filter(({ id }) => id !== eventId)),
    onSettled: () => void refreshEvents(client),
  });
}
