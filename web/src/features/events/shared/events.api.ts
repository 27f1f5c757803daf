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
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { sendForJson, useIdempotencyKey } from '../../../api/client';
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
  /** Its slug, or empty. */
  topic: string;
};

/** What the list shows to begin with. */
export const ALL_UPCOMING: EventFilters = { q: '', price: 'all', time: 'upcoming', format: 'all', topic: '' };

const PUBLIC_EVENTS = '/api/events/public';
const EVENTS = '/api/events';
const CARDS_PER_PAGE = 12;
const FACES_PER_PAGE = 24;

/** Browse Events: pages of cards, soonest (or latest past) first. */
export const browseEventsQuery = ({ q, price, time, format, topic }: EventFilters) => {
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

/** The event that starts next, or null: the strip at the top. */
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

/** The next events of the series of an event that everybody sees. */
export const nextDatesQuery = ({ id, seriesId }: Pick<Event, 'id' | 'seriesId'>) =>
  queryOptions({
    queryKey: [PUBLIC_EVENTS, 'series', seriesId, id],
    queryFn: async ({ signal }) => {
      // with the event itself, which may be one of them
      const path = withQuery(PUBLIC_EVENTS, {
        series: seriesId ?? undefined,
        time: 'upcoming',
        limit: NEXT_DATES + 1,
      });
      const { items } = await readPage<Event>(path, signal);
      return items.filter((other) => other.id !== id).slice(0, NEXT_DATES);
    },
  });

/** Every event that touches the span. */
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

/** An answer that may have come with the page. */
const carried = <T>(path: string) => ({
  queryFn: ({ signal }: { signal: AbortSignal }) => sendForJson<T>(path, { signal }),
  initialData: () => dehydratedBody<T>(path),
  ...ALWAYS_STALE,
});

export const eventQuery = (id: string) =>
  queryOptions({ queryKey: [EVENTS, id], ...carried<EventPage>(`${EVENTS}/${id}`) });

/** Which event has, or had, a short address. */
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

/** Who comes, page by page in the order of arrival. */
export const attendeesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [EVENTS, id, 'attendees'],
    initialPageParam: withQuery(`${EVENTS}/${id}/attendees`, { limit: FACES_PER_PAGE }),
    queryFn: ({ pageParam, signal }) => readPage<Attendee>(pageParam, signal),
    getNextPageParam: (page) => page.next,
    ...ALWAYS_STALE,
  });

/** Some of those who come to each of these events. */
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

/** The first events of a filter and, in `total`, how many there are: the dashboard's lists and figures, fresh for two minutes. */
export const dashboardEventsQuery = (filter: Record<string, string | number>) =>
  queryOptions({
    queryKey: [EVENTS, 'dashboard', filter],
    queryFn: ({ signal }) => readPage<Event>(withQuery(EVENTS, filter), signal),
    staleTime: FRESHNESS.dashboardEvents,
    refetchOnMount: true,
  });

/** Invalidates every list of events, counts and attendees after a change. Lists on screen are fetched at once. */
export const refreshEvents = (client: QueryClient) => client.invalidateQueries({ predicate: isAboutEvents });

const isAboutEvents = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) =>
  typeof path === 'string' && (/^\/api\/(admin\/)?events/.test(path) || path === '/api/my-events');

/** Venues that events had, the latest first: suggestions. */
export const venuesQuery = (q: string) =>
  queryOptions({
    queryKey: ['/api/venues', q],
    queryFn: async ({ signal }) =>
      (await readPage<Venue>(withQuery('/api/venues', { q: q || undefined, limit: 8 }), signal)).items,
    placeholderData: keepPreviousData,
  });

/** Members by name, for an event that is there or, without an id, for a new one. */
export const memberSearchQuery = (eventId: string | undefined, q: string) => {
  const place = eventId === undefined ? '/api/admin' : `/api/admin/events/${eventId}`;
  const path = withQuery(`${place}/members/search`, { q });
  return queryOptions({
    queryKey: [path],
    // a word that is typed is one question, not one for each letter
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, TYPING_PAUSE));
      signal.throwIfAborted();
      return sendForJson<FoundMember[]>(path, { signal });
    },
    placeholderData: keepPreviousData,
  });
};

/** Milliseconds. */
const TYPING_PAUSE = 200;

/** Payload of the event form: optional values that are empty travel as null. */
export interface EventPayload extends Required<Omit<EventFields, 'location' | 'venue' | 'publishAt'>> {
  bannerImageUrl: string | null;
  /** Left out where the venue says it. */
  location?: string | null;
  venue?: Venue | null;
  /** Drafts only. */
  publishAt?: string | null;
}

/** What happens to people on the waiting list when it is turned off. */
export type WaitlistOff = 'promote' | 'dismiss';

/** Some or all values of the form, and how they are saved. */
export interface EventChange extends Partial<EventPayload> {
  /** The state of a new event; published when left out. */
  status?: 'draft' | 'published';
  /** That the values were read with. */
  version?: number;
  /** Whether its followers get a mail when it is published. */
  announce?: boolean;
  /** Whether registered people get a mail about the change. */
  notify?: boolean;
  /** What the organiser adds to that mail. */
  note?: string;
  waitlistOff?: WaitlistOff;
  /** Whether the later events of a series change as well. */
  scope?: 'this' | 'later';
}

/** Creates an event, or updates the one whose id is given. */
export function useSaveEvent(id?: string) {
  const client = useQueryClient();
  const keyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (payload: EventChange) =>
      id === undefined
        ? sendForJson<EventPage>(EVENTS, { method: 'POST', body: payload, headers: keyFor(payload) })
        : sendForJson<EventPage>(`${EVENTS}/${id}`, { method: 'PUT', body: payload }),
    // A refusal refreshes the lists as well: another administrator may have deleted the event.
    onSettled: () => void refreshEvents(client),
  });
}
