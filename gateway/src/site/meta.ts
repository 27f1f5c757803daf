import type { Community, Event, EventFormat } from '@meetmark/contracts';
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
    ...(meta.hidden ? ['<meta name="robots" content="noindex">'] : []),
    ...properties
      .filter(([, content]) => content !== undefined)
      .map(([name, content]) => `<meta property="${name}" content="${escape(content!)}">`),
    ...(meta.data === undefined
      ? []
      : [`<script type="application/ld+json">${jsonForScript(meta.data)}</script>`]),
  ].join('\n    ');
}

export const siteMeta = (community: Community, publicUrl: string, path: string): PageMeta => ({
  title: community.name,
  description: community.tagline,
  url: new URL(path, publicUrl).href,
  type: 'website',
});

export function eventMeta(event: Event, community: Community, publicUrl: string): PageMeta {
  const url = new URL(`/events/${event.id}`, publicUrl).href;
  const image = event.bannerImageUrl === null ? undefined : new URL(event.bannerImageUrl, publicUrl).href;
  const description = summary(event, community);
  return {
    title: `${event.title} · ${community.name}`,
    description,
    url,
    image,
    type: 'article',
    hidden: event.visibility === 'unlisted',
    data: {
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: event.title,
      description,
      startDate: event.startDate,
      endDate: event.endDate,
      eventStatus: `https://schema.org/${event.status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
      eventAttendanceMode: `https://schema.org/${ATTENDANCE[event.format]}`,
      ...located(event, url),
      ...(image === undefined ? {} : { image: [image] }),
      ...(event.capacity === null ? {} : { maximumAttendeeCapacity: event.capacity }),
      offers: {
        '@type': 'Offer',
        url,
        price: event.price ?? '0',
        priceCurrency: community.currency,
        availability: `https://schema.org/${isFull(event) ? 'SoldOut' : 'InStock'}`,
      },
      organizer: { '@type': 'Organization', name: community.name, url: publicUrl },
    },
  };
}

const ATTENDANCE: Record<EventFormat, string> = {
  in_person: 'OfflineEventAttendanceMode',
  online: 'OnlineEventAttendanceMode',
  hybrid: 'MixedEventAttendanceMode',
};

/** The place, the page of an online event, or both for a hybrid one. */
function located({ format, location }: Event, url: string): { location?: object | object[] } {
  const place =
    location === null || format === 'online' ? [] : [{ '@type': 'Place', name: location, address: location }];
  const online = format === 'in_person' ? [] : [{ '@type': 'VirtualLocation', url }];
  const all = [...place, ...online];
  return all.length === 0 ? {} : { location: all.length === 1 ? all[0] : all };
}

const isFull = ({ capacity, registrationCount }: Event) => capacity !== null && registrationCount >= capacity;

function summary(event: Event, community: Community): string {
  const text = event.description?.replaceAll(/\s+/g, ' ').trim() || community.tagline;
  return text.length <= DESCRIPTION_LENGTH ? text : `${text.slice(0, DESCRIPTION_LENGTH - 1).trimEnd()}…`;
}
