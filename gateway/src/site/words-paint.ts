import {
  type Community,
  type Event,
  type EventPage,
  formatPrice,
  isFree,
  PAYMENT_NOTE,
  formatWhen,
  formatLocation,
} from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { frameWords, whereWords } from '@meetmark/platform/mail/words';
import escape from 'escape-html';
import { fill, type Pieces } from './index-page.js';

// Text of pages for browsers without scripts.

export interface Reading {
  community: Community;
  locale: string;
}

function when(event: Event, { community, locale }: Reading): string {
  const span = { ...event, startDate: new Date(event.startDate), endDate: new Date(event.endDate) };
  return formatWhen(span, { ...community, locale }).text;
}

function renderState(pieces: Pieces, { registrationState, cancelReason }: Event): string {
  const words: Partial<Record<Event['registrationState'], string>> = {
    cancelled: pieces.cancelled,
    ended: pieces.ended,
    waitlist: pieces.full,
    full: pieces.full,
  };
  const state = words[registrationState];
  if (state === undefined) return '';
  const reason = registrationState === 'cancelled' ? (cancelReason ?? '') : '';
  return fill(pieces.state ?? '', { state: escape(state), reason: escape(reason) });
}

function renderDescription(pieces: Pieces, { description, descriptionFormat, html }: EventPage): string {
  if (!description) return '';
  const made = descriptionFormat === 'markdown' ? html?.description : null;
  const shown = made
    ? fill(pieces.markdown ?? '', { html: made })
    : fill(pieces.text ?? '', { text: escape(description) });
  return fill(pieces.about ?? '', { description: shown });
}

export function eventWords(pieces: Pieces, event: EventPage, reading: Reading): string {
  if (pieces.eventWords === undefined) return '';
  const { community, locale } = reading;
  const names = frameWords(locale).event;
  const { venue, hosts } = event.content;
  const where = formatLocation({ ...event, location: venue?.name ?? event.location }, whereWords(locale));
  const price = formatPrice(event.price, { currency: community.currency, locale }, pieces.free);
  const said = community.paymentNoteDefault;
  const byDefault = said === PAYMENT_NOTE ? pieces.howToPay : said;
  const facts: [name: string, lines: (string | null | undefined)[]][] = [
    [names.when, [when(event, reading)]],
    [names.where, [where, venue?.address, venue?.note]],
    [names.accessibility, [event.content.accessibility]],
    [names.price, [price, isFree(event.price) ? null : (event.paymentNote ?? byDefault)]],
    [pieces.hosts ?? '', hosts.map(({ firstName, lastName }) => `${firstName} ${lastName}`)],
  ];
  const shown = facts
    .map(([name, lines]) => ({ name: escape(name), value: escape(lines.filter(Boolean).join('\n')) }))
    .filter(({ value }) => value !== '')
    .map((fact) => fill(pieces.fact ?? '', fact));
  return fill(pieces.eventWords, {
    state: renderState(pieces, event),
    facts: shown.join(''),
    about: renderDescription(pieces, event),
    email: escape(community.supportEmail),
  });
}

export function listWords(pieces: Pieces, events: Event[] | undefined, reading: Reading): string {
  if (events === undefined) return '';
  if (events.length === 0) return pieces.noEvents ?? '';
  const listed = events.map((event) =>
    fill(pieces.listed ?? '', {
      address: escape(eventPath(event)),
      title: escape(event.title),
      facts: escape(
        [when(event, reading), formatLocation(event, whereWords(reading.locale))].filter(Boolean).join(' · '),
      ),
    }),
  );
  return fill(pieces.eventList ?? '', { events: listed.join('') });
}

export const forgotPasswordWords = ({ forgotPassword = '' }: Pieces, { community }: Reading) =>
  fill(forgotPassword, { email: escape(community.supportEmail) });
