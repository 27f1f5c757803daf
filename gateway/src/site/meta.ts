import {
  type Community,
  type Event,
  type EventContent,
  type EventFormat,
  type EventPage,
  getLastTime,
  type RegistrationState,
  zonedRange,
  getZone,
} from '@meetmark/contracts';
import { type ProductLocale } from '@meetmark/i18n/locales';
import { shortenText } from '@meetmark/contracts/cut-text';
import { eventPath } from '@meetmark/contracts/events/event-path';
import type { PresentCommunity } from '@meetmark/platform';
import { textOfMarkdown } from '@meetmark/platform/text/markdown';
import escape from 'escape-html';
import { communityImageUrl, SHARE_IMAGES, shareImageUrl } from '../media/share-image.js';
import { jsonForScript } from './index-page.js';

export interface PageMeta {
  title: string;
  description: string;
  /** Absolute URL. */
  url: string;
  image: {
    /** Absolute URL. */
    url: string;
    /** Empty for a pattern, which is only decorative. */
    alt: string;
  };
  type: 'website' | 'article';
  /** Whether to ask search engines not to index the page. */
  hidden?: boolean;
  data?: object;
}

const DESCRIPTION_LENGTH = 200;

/** Open Graph requires a territory: `de` becomes `de_DE`. */
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
    ['og:image:width', String(SHARE_IMAGES.wide.width)],
    ['og:image:height', String(SHARE_IMAGES.wide.height)],
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

export const NEUTRAL_META = '<title>Events</title>\n    <meta name="robots" content="noindex">';

export const siteMeta = (community: PresentCommunity, publicUrl: string, path: string): PageMeta => ({
  title: community.name,
  description: community.tagline,
  url: new URL(path, publicUrl).href,
  image: { url: new URL(communityImageUrl(community), publicUrl).href, alt: '' },
  type: 'website',
});

const DAY = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit' } as const;

/** Returns, for example, 'Wed, May 1, 2030, 10:00 AM – 12:00 PM BST'. */
function formatWhen(event: Event, community: Pick<Community, 'locale' | 'timeZone'>): string {
  const place = { locale: community.locale, timeZone: getZone(event, community) };
  const startDate = new Date(event.startDate);
  const end = getLastTime({ startDate, endDate: new Date(event.endDate), isAllDay: event.isAllDay });
  return event.isAllDay
    ? new Intl.DateTimeFormat(place.locale, { timeZone: place.timeZone, ...DAY }).formatRange(startDate, end)
    : zonedRange(startDate, end, place, { ...DAY, ...TIME });
}

export function eventMeta(
  event: EventPage,
  community: PresentCommunity,
  publicUrl: string,
  locale: string,
): PageMeta {
  const url = new URL(eventPath(event), publicUrl).href;
  const image = new URL(shareImageUrl(event, community), publicUrl).href;
  const description = shortened(toPlainText(event) || community.tagline);
  const { hosts, speakers, agenda } = event.content;
  const organisation = { '@type': 'Organization', name: community.name, url: publicUrl };
  return {
    title: `${event.title} · ${community.name}`,
    description: shortened(
      [formatWhen(event, { ...community, locale }), event.location, toPlainText(event)]
        .filter(Boolean)
        .join(' · '),
    ),
    url,
    image: { url: image, alt: event.bannerImageUrl === null ? '' : event.title },
    type: 'article',
    hidden: event.visibility === 'unlisted',
    data: {
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: event.title,
      description,
      ...getDates(event, community),
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

/** Availability for schema.org. There is no offer in the other states, because registration is closed. */
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

/** Returns timestamps, or local dates for an all-day event, whose end date is its last day. */
function getDates(event: Event, community: PresentCommunity): Pick<Event, 'startDate' | 'endDate'> {
  const { startDate, endDate, isAllDay } = event;
  if (!isAllDay) return { startDate, endDate };
  const start = new Date(startDate);
  const timeZone = getZone(event, community);
  const last = getLastTime({ startDate: start, endDate: new Date(endDate), isAllDay });
  return { startDate: dateIn(timeZone, start), endDate: dateIn(timeZone, last) };
}

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

const toPlainText = ({ description, descriptionFormat }: Event) =>
  (descriptionFormat === 'markdown' && description !== null
    ? textOfMarkdown(description)
    : (description ?? '')
  )
    .replaceAll(/\s+/g, ' ')
    .trim();

export const shortened = (text: string) => shortenText(text, DESCRIPTION_LENGTH);

/** Characters that XML 1.0 forbids even if they are escaped. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

export const xmlText = (text: string): string => escape(text.replaceAll(FORBIDDEN, ''));
