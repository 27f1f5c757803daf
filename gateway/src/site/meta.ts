import {
  type Community,
  type Event,
  type EventContent,
  type EventFormat,
  type EventPage,
  lastMomentOf,
  type ProductLocale,
  type RegistrationState,
  zoneOf,
} from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/event-path';
import type { PresentCommunity } from '@meetmark/platform';
import { textOfMarkdown } from '@meetmark/platform/text/markdown';
import escape from 'escape-html';
import { communityPictureUrl, SHARE_PICTURE, sharePictureUrl, whenOf } from '../media/share-picture.js';
import { jsonForScript } from './index-page.js';

/** The meta data of a page for search engines and link previews. */
export interface PageMeta {
  title: string;
  description: string;
  /** Absolute. */
  url: string;
  image: {
    /** Absolute. */
    url: string;
    /** What it shows, in words. */
    alt: string;
  };
  type: 'website' | 'article';
  /** Not for search engines: only who has the address finds it. */
  hidden?: boolean;
  /** schema.org. */
  data?: object;
}

const DESCRIPTION_LENGTH = 200;

/** A language and a territory, as the protocol has it. */
/** `de` is `de_DE` there. */
function ogLocale(locale: ProductLocale): string {
  const { language, region } = new Intl.Locale(locale).maximize();
  return `${language}_${region}`;
}

export function metaHtml(meta: PageMeta, community: Community, locale: ProductLocale): string {
  const properties: [string, string][] = [
    ['og:site_name', community.name],
    ['og:type', meta.type],
    ['og:title', meta.title],
    ['og:description', meta.description],
    ['og:url', meta.url],
    ['og:locale', ogLocale(locale)],
    ['og:image', meta.image.url],
    ['og:image:alt', meta.image.alt],
    ['og:image:width', String(SHARE_PICTURE.width)],
    ['og:image:height', String(SHARE_PICTURE.height)],
    ['twitter:card', 'summary_large_image'],
  ];
  return [
    `<title>${escape(meta.title)}</title>`,
    `<meta name="description" content="${escape(meta.description)}">`,
    `<link rel="canonical" href="${escape(meta.url)}">`,
    `<link rel="alternate" type="application/rss+xml" href="/feeds/events.rss" title="${escape(community.name)}">`,
    ...(meta.hidden ? ['<meta name="robots" content="noindex">'] : []),
    ...properties.map(([name, content]) => `<meta property="${name}" content="${escape(content)}">`),
    ...(meta.data === undefined
      ? []
      : [`<script type="application/ld+json">${jsonForScript(meta.data)}</script>`]),
  ].join('\n    ');
}

/** The meta data of a page that belongs to no community. */
export const NEUTRAL_META = '<title>Events</title>\n    <meta name="robots" content="noindex">';

export const siteMeta = (community: PresentCommunity, publicUrl: string, path: string): PageMeta => ({
  title: community.name,
  description: community.tagline,
  url: new URL(path, publicUrl).href,
  image: {
    url: new URL(communityPictureUrl(community), publicUrl).href,
    alt: `${community.name}: ${community.headline}`,
  },
  type: 'website',
});

/** @param locale of the page */
export function eventMeta(
  event: EventPage,
  community: PresentCommunity,
  publicUrl: string,
  locale: string,
): PageMeta {
  const url = new URL(eventPath(event), publicUrl).href;
  const image = new URL(sharePictureUrl(event, community), publicUrl).href;
  const description = shortened(textOf(event) || community.tagline);
  const { hosts, speakers, agenda } = event.content;
  const organisation = { '@type': 'Organization', name: community.name, url: publicUrl };
  return {
    title: `${event.title} · ${community.name}`,
    description: shortened(
      [whenOf(event, { ...community, locale }), event.location, textOf(event)].filter(Boolean).join(' · '),
    ),
    url,
    image: { url: image, alt: event.title },
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
      ...offered(event, community, url),
      organizer: hosts.length === 0 ? organisation : [organisation, ...hosts.map(host)],
      ...(speakers.length === 0 ? {} : { performer: speakers.map(speaker) }),
      ...(agenda.length === 0 ? {} : { subEvent: agenda.map(subEvent) }),
    },
  };
}

/** What there is to be had; in other states registration is closed, and nothing is offered. */
const AVAILABILITY: Partial<Record<RegistrationState, string>> = {
  scheduled: 'PreOrder',
  open: 'InStock',
  waitlist: 'SoldOut',
  full: 'SoldOut',
};

function offered(event: Event, { currency }: Community, url: string): { offers?: object } {
  const availability = AVAILABILITY[event.registrationState];
  if (availability === undefined) return {};
  return {
    offers: {
      '@type': 'Offer',
      url,
      price: event.price ?? '0',
      priceCurrency: currency,
      availability: `https://schema.org/${availability}`,
      validFrom: event.registrationOpensAt ?? event.createdAt,
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

const textOf = ({ description, descriptionFormat }: Event) =>
  (descriptionFormat === 'markdown' && description !== null
    ? textOfMarkdown(description)
    : (description ?? '')
  )
    .replaceAll(/\s+/g, ' ')
    .trim();

export const shortened = (text: string) =>
  text.length <= DESCRIPTION_LENGTH ? text : `${text.slice(0, DESCRIPTION_LENGTH - 1).trimEnd()}…`;

/** What no XML 1.0 document may hold, not even escaped: most control characters, half letters and two that are none. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Stored text for an element or an attribute of XML. */
export const xmlText = (text: string): string => escape(text.replaceAll(FORBIDDEN, ''));
