import type {
  Attendee,
  Event,
  EventFaces,
  EventFields,
  EventPage,
  FoundEvent,
  FoundMember,
  RegistrationCount,
  Venue,
} from '@meetmark/contracts';
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query';
import { sendForJson, useIdempotencyKey } from '../../../api/client';
import { useMutation } from '../../../api/mutation';
import { dehydratedBody } from '../../../api/dehydrated-queries';
import { dehydratedPage, readAll, readPage, withQuery } from '../../../api/pages';
import { ALWAYS_STALE, FRESHNESS } from '../../../api/query-client';
import type { FormatFilter } from './event';

export type TimeFilter = 'upcoming' | 'past' | 'all';
export type PriceFilter = 'all' | 'free' | 'paid';

export type EventFilters = {
  q: string;
  price: PriceFilter;
  time: TimeFilter;
  format: FormatFilter;
  topic: string;
};

export const ALL_UPCOMING: EventFilters = { q: '', price: 'all', time: 'upcoming', format: 'all', topic: '' };

type ListFilters = Omit<EventFilters, 'time'> & { time: TimeFilter | 'notEnded' };

export const NOT_ENDED: ListFilters = { ...ALL_UPCOMING, time: 'notEnded' };

const PUBLIC_EVENTS = '/api/events/public';
const EVENTS = '/api/events';
const CARDS_PER_PAGE = 12;
const ATTENDEES_SHOWN = 24;

export const browseEventsQuery = ({ q, price, time, format, topic }: ListFilters) => {
  const path = withQuery(PUBLIC_EVENTS, {
    q,
    price: price === 'all' ? undefined : price,
    time,
    format: format === 'all' ? undefined : format,
    topic,
    limit: CARDS_PER_PAGE,
  });
  return infiniteQueryOptions({
    queryKey: [PUBLIC_EVENTS, 'pages', { q, price, time, format, topic }],
    initialPageParam: path,
    queryFn: ({ pageParam, signal }) => readPage<Event>(pageParam, signal),
    getNextPageParam: (page) => page.next,
    initialData: () => {
      const page = dehydratedPage<Event>(path);
      return page && { pages: [page], pageParams: [path] };
    },
    ...ALWAYS_STALE,
  });
};

const NEXT_EVENT = withQuery(PUBLIC_EVENTS, { time: 'upcoming', limit: 1 });

export const nextEventQuery = queryOptions({
  queryKey: [PUBLIC_EVENTS, 'next'],
  queryFn: async ({ signal }) => {
    const { items } = await readPage<Event>(NEXT_EVENT, signal);
    return items[0] ?? null;
  },
  initialData: () => {
    const page = dehydratedPage<Event>(NEXT_EVENT);
    return page && (page.items[0] ?? null);
  },
  ...ALWAYS_STALE,
});

const NEXT_DATES = 3;

export const nextDatesQuery = ({ id, seriesId }: Pick<Event, 'id' | 'seriesId'>) =>
  queryOptions({
    queryKey: [PUBLIC_EVENTS, 'series', seriesId, id],
    queryFn: async ({ signal }) => {
      const path = withQuery(PUBLIC_EVENTS, {
        series: seriesId ?? undefined,
        time: 'notEnded',
        limit: NEXT_DATES + 1,
      });
      const { items } = await readPage<Event>(path, signal);
      return items.filter((other) => other.id !== id).slice(0, NEXT_DATES);
    },
  });

export const eventsBetweenQuery = (span: { from: string; until: string }) => {
  const path = withQuery(PUBLIC_EVENTS, span);
  return queryOptions({
    queryKey: [PUBLIC_EVENTS, 'between', span],
    queryFn: ({ signal }) => readAll<Event>(path, signal),
    initialData: () => {
      const page = dehydratedPage<Event>(path);
      return page?.next === null ? page.items : undefined;
    },
    ...ALWAYS_STALE,
  });
};

const carried = <T>(path: string) => ({
  queryFn: ({ signal }: { signal: AbortSignal }) => sendForJson<T>(path, { signal }),
  initialData: () => dehydratedBody<T>(path),
  ...ALWAYS_STALE,
});

export const eventQuery = (id: string) =>
  queryOptions({ queryKey: [EVENTS, id], ...carried<EventPage>(`${EVENTS}/${id}`) });

export const slugQuery = (slug: string) =>
  queryOptions({
    queryKey: ['/api/event-slugs', slug],
    ...carried<FoundEvent>(`/api/event-slugs/${slug}`),
  });

export const registrationCountQuery = (id: string) =>
  queryOptions({
    queryKey: [EVENTS, id, 'count'],
    ...carried<RegistrationCount>(`${EVENTS}/${id}/count`),
    refetchOnWindowFocus: true,
  });

const attendeesPath = (id: string) => `${EVENTS}/${id}/attendees`;

export const attendeesQuery = (id: string) =>
  queryOptions({
    queryKey: [EVENTS, id, 'attendees'],
    queryFn: ({ signal }) =>
      readPage<Attendee>(withQuery(attendeesPath(id), { limit: ATTENDEES_SHOWN }), signal),
    ...ALWAYS_STALE,
  });

export const allAttendeesQuery = (id: string) =>
  queryOptions({
    queryKey: [EVENTS, id, 'all attendees'],
    queryFn: ({ signal }) => readAll<Attendee>(attendeesPath(id), signal),
    ...ALWAYS_STALE,
  });

export const facesQuery = (eventIds: string[]) =>
  queryOptions({
    queryKey: [EVENTS, 'faces', eventIds],
    queryFn: ({ signal }) =>
      sendForJson<EventFaces[]>(
        `/api/event-faces?${new URLSearchParams(eventIds.map((id) => ['eventIds', id]))}`,
        { signal },
      ),
    ...ALWAYS_STALE,
  });

export const dashboardEventsQuery = (filter: Record<string, string | number>) =>
  queryOptions({
    queryKey: [EVENTS, 'dashboard', filter],
    queryFn: ({ signal }) => readPage<Event>(withQuery(EVENTS, filter), signal),
    staleTime: FRESHNESS.dashboardEvents,
    refetchOnMount: true,
  });

export const refreshEvents = (client: QueryClient) => client.invalidateQueries({ predicate: isAboutEvents });

const isAboutEvents = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) =>
  typeof path === 'string' && (/^\/api\/(admin\/)?events/.test(path) || path === '/api/my-events');

export const venuesQuery = (q: string) =>
  queryOptions({
    queryKey: ['/api/venues', q],
    queryFn: async ({ signal }) =>
      (await readPage<Venue>(withQuery('/api/venues', { q: q || undefined, limit: 8 }), signal)).items,
    placeholderData: keepPreviousData,
  });

export const memberSearchQuery = (eventId: string | undefined, q: string) => {
  const place = eventId === undefined ? '/api/admin' : `/api/admin/events/${eventId}`;
  const path = withQuery(`${place}/members/search`, { q });
  return queryOptions({
    queryKey: [path],
    // debounced, so that typing a word causes one request
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, TYPING_PAUSE));
      signal.throwIfAborted();
      return sendForJson<FoundMember[]>(path, { signal });
    },
    placeholderData: keepPreviousData,
  });
};

const TYPING_PAUSE = 200;

export interface EventPayload extends Required<Omit<EventFields, 'location' | 'venue' | 'publishAt'>> {
  bannerImageUrl: string | null;
  location?: string | null;
  venue?: Venue | null;
  publishAt?: string | null;
}

export type WaitlistOff = 'promote' | 'dismiss';

export interface EventChange extends Partial<EventPayload> {
  status?: 'draft' | 'published';
  version?: number;
  announce?: boolean;
  notify?: boolean;
  note?: string;
  waitlistOff?: WaitlistOff;
  scope?: 'this' | 'later';
}

export function useSaveEvent(id?: string) {
  const client = useQueryClient();
  const keyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (payload: EventChange) =>
      id === undefined
        ? sendForJson<EventPage>(EVENTS, { method: 'POST', body: payload, headers: keyFor(payload) })
        : sendForJson<EventPage>(`${EVENTS}/${id}`, { method: 'PUT', body: payload }),
    onSettled: () => void refreshEvents(client),
  });
}
