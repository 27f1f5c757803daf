import {
  type Community,
  type Event,
  type EventContent,
  type EventFormat,
  type EventPage,
  lastMomentOf,
  zonedRange,
  zoneOf,
} from '@meetmark/contracts';
import type { PresentCommunity } from '@meetmark/platform';
import { textOfMarkdown } from '@meetmark/platform/text/markdown';
import escape from 'escape-html';
import { jsonForScript } from './index-page.js';

/** The meta data of a page for search engines and link previews. */
export interface PageMeta {
  title: string;
  description: string;
  /** Absolute. */
  url: string;
  /** Absolute. */
  image?: string;
  type: 'website' | 'article';
  /** Not for search engines: only who has the address finds it. */
  hidden?: boolean;
  /** schema.org. */
  data?: object;
}

const DESCRIPTION_LENGTH = 200;

export function metaHtml(meta: PageMeta, community: Community): string {
  const properties: [string, string | undefined][] = [
    ['og:site_name', community.name],
    ['og:type', meta.type],
    ['og:title', meta.title],
    ['og:description', meta.description],
    ['og:url', meta.url],
    ['og:image', meta.image],
    ['twitter:card', meta.image === undefined ? 'summary' : 'summary_large_image'],
  ];
  return [
    `<title>${escape(meta.title)}</title>`,
    `<meta name="description" content="${escape(meta.description)}">`,
    `<link rel="canonical" href="${escape(meta.url)}">`,
    `<link rel="alternate" type="application/rss+xml" href="/feeds/events.rss" title="${escape(community.name)}">`,
    ...(meta.hidden ? ['<meta name="robots" content="noindex">'] : []),
    ...properties
      .filter(([, content]) => content !== undefined)
      .map(([name, content]) => `<meta property="${name}" content="${escape(content!)}">`),
    ...(meta.data === undefined
      ? []
      : [`<script type="application/ld+json">${jsonForScript(meta.data)}</script>`]),
  ].join('\n    ');
}

/** Of a page that is no community's. */
export const NEUTRAL_META = '<title>Events</title>\n    <meta name="robots" content="noindex">';

export const siteMeta = (community: Community, publicUrl: string, path: string): PageMeta => ({
  title: community.name,
  description: community.tagline,
  url: new URL(path, publicUrl).href,
  type: 'website',
});

export function eventMeta(event: EventPage, community: PresentCommunity, publicUrl: string): PageMeta {
  const url = new URL(`/events/${event.id}`, publicUrl).href;
  const image = new URL(sharePictureUrl(event, community), publicUrl).href;
  const description = shortened(textOf(event) || community.tagline);
  const { hosts, speakers, agenda } = event.content;
  const organisation = { '@type': 'Organization', name: community.name, url: publicUrl };
  return {
    title: `${event.title} · ${community.name}`,
    description: shortened(
      [whenOf(event, community), event.location, textOf(event)].filter(Boolean).join(' · '),
    ),
    url,
    image,
    type: 'article',
    hidden: event.visibility === 'unlisted',
    data: {
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: event.title,
      description,
      ...datesOf(event, community),
      eventStatus: `https://schema.org/${event.status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
      eventAttendanceMode: `https://schema.org/${ATTENDANCE[event.format]}`,
      ...located(event, event.content, url),
      image: [image],
      ...(event.capacity === null ? {} : { maximumAttendeeCapacity: event.capacity }),
      offers: {
        '@type': 'Offer',
        url,
        price: event.price ?? '0',
        priceCurrency: community.currency,
        availability: `https://schema.org/${isFull(event) ? 'SoldOut' : 'InStock'}`,
        validFrom: event.registrationOpensAt ?? event.createdAt,
      },
      organizer: hosts.length === 0 ? organisation : [organisation, ...hosts.map(host)],
      ...(speakers.length === 0 ? {} : { performer: speakers.map(speaker) }),
      ...(agenda.length === 0 ? {} : { subEvent: agenda.map(subEvent) }),
    },
  };
}

/** Whole days are dates, as the clock of the place has them; the last one is part of the event. */
function datesOf(event: Event, community: PresentCommunity): Pick<Event, 'startDate' | 'endDate'> {
  const { startDate, endDate, isAllDay } = event;
  if (!isAllDay) return { startDate, endDate };
  const start = new Date(startDate);
  const timeZone = zoneOf(event, community);
  const last = lastMomentOf({ startDate: start, endDate: new Date(endDate), isAllDay });
  return { startDate: dateIn(timeZone, start), endDate: dateIn(timeZone, last) };
}

/** '2027-06-11'. */
export function dateIn(timeZone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const named = Object.fromEntries(parts.formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${named.year!.padStart(4, '0')}-${named.month}-${named.day}`;
}

const ATTENDANCE: Record<EventFormat, string> = {
  in_person: 'OfflineEventAttendanceMode',
  online: 'OnlineEventAttendanceMode',
  hybrid: 'MixedEventAttendanceMode',
};

const host = ({ firstName, lastName, linkedInUrl }: EventContent['hosts'][number]) => ({
  '@type': 'Person',
  name: `${firstName} ${lastName}`,
  ...(linkedInUrl === null ? {} : { sameAs: linkedInUrl }),
});

const speaker = ({ name, role, linkUrl }: EventContent['speakers'][number]) => ({
  '@type': 'Person',
  name,
  ...(role === null ? {} : { jobTitle: role }),
  ...(linkUrl === null ? {} : { sameAs: linkUrl }),
});

const subEvent = ({ title, note, startsAt, endsAt }: EventContent['agenda'][number]) => ({
  '@type': 'Event',
  name: title,
  startDate: startsAt,
  ...(endsAt === null ? {} : { endDate: endsAt }),
  ...(note === null ? {} : { description: note }),
});

/** The place, the page of an online event, or both for a hybrid one. */
function located(
  { format, location }: Event,
  { venue }: EventContent,
  url: string,
): { location?: object | object[] } {
  const there = {
    '@type': 'Place',
    name: venue?.name ?? location,
    address: venue?.address ?? location,
    ...(venue?.mapUrl ? { hasMap: venue.mapUrl } : {}),
  };
  const place = location === null || format === 'online' ? [] : [there];
  const online = format === 'in_person' ? [] : [{ '@type': 'VirtualLocation', url }];
  const all = [...place, ...online];
  return all.length === 0 ? {} : { location: all.length === 1 ? all[0] : all };
}

const isFull = ({ capacity, registrationCount }: Event) => capacity !== null && registrationCount >= capacity;

const DAY = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit' } as const;

/** Another version of the event is another picture. */
export const sharePictureUrl = (
  { id, version }: Pick<Event, 'id' | 'version'>,
  { settingsVersion }: Pick<PresentCommunity, 'settingsVersion'>,
) => `/media/share/${id}-${version}${settingsVersion > 1 ? `-${settingsVersion}` : ''}.jpg`;

/** On the clock of its place, with the zone. */
export function whenOf(event: Event, community: Pick<Community, 'locale' | 'timeZone'>): string {
  const place = { locale: community.locale, timeZone: zoneOf(event, community) };
  const startDate = new Date(event.startDate);
  const end = lastMomentOf({ startDate, endDate: new Date(event.endDate), isAllDay: event.isAllDay });
  return event.isAllDay
    ? new Intl.DateTimeFormat(place.locale, { timeZone: place.timeZone, ...DAY }).formatRange(startDate, end)
    : zonedRange(startDate, end, place, { ...DAY, ...TIME });
}

const textOf = ({ description, descriptionFormat }: Event) =>
  (descriptionFormat === 'markdown' && description !== null
    ? textOfMarkdown(description)
    : (description ?? '')
  )
    .replaceAll(/\s+/g, ' ')
    .trim();

export const shortened = (text: string) =>
  text.length <= DESCRIPTION_LENGTH ? text : `${text.slice(0, DESCRIPTION_LENGTH - 1).trimEnd()}…`;
