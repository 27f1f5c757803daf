import { createHash } from 'node:crypto';
import {
  type Community,
  directionsTo,
  type Event,
  type EventContent,
  formatPrice,
  isFree,
  type MailList,
  PAYMENT_NOTE,
  REGISTERED,
  type RegistrationStatus,
  shownState,
  type ShownState,
  type Span,
  venueLine,
  whenOf,
  whereOf,
  tagFor,
} from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { textOfMarkdown } from '@meetmark/platform/text/markdown';
import { Injectable } from '@nestjs/common';
import { encode as encodePng } from 'fast-png';
import { DataSource } from 'typeorm';
import { encode as encodeQr } from 'uqr';
import { sealId } from '@meetmark/platform/identity/sealed-id';
import type { DoorCode, EventRows, ListedEvent } from '@meetmark/platform/mail/blocks';
import { invitation, type MailedEvent, withdrawal } from '../mail/calendar-entry.js';
import { defineTemplate, type MailContent } from '@meetmark/platform/mail/content';
import { Links } from '@meetmark/platform/mail/links';
import { frameWords, whereWords } from '@meetmark/platform/mail/words';
import { Mailer, type MailPicture } from '../mail/mailer.js';
import { guestRecipient, type Recipient, Recipients } from '../mail/recipients.js';
import { Sender } from '../mail/sender.js';
import type { JobContext, MailOutcome } from '../queue/job-handler.js';
import { WorkerConfig } from '../worker.config.js';
import { mailWords } from '../mail/words.js';

/** What of an event no calendar entry says. */
type Page = Pick<
  Event,
  | 'description'
  | 'descriptionFormat'
  | 'format'
  | 'location'
  | 'price'
  | 'paymentNote'
  | 'waitingCount'
  | 'version'
  | 'status'
> &
  Pick<EventContent, 'venue' | 'onlineUrl' | 'onlineNote' | 'accessibility'>;

interface MailedPage {
  event: MailedEvent;
  page: Page;
}

interface MailedGuest {
  /** Null: cannot be written to. */
  email: string | null;
}

/** A registration and its event, as mails need them. */
export interface MailedRegistration extends MailedPage {
  id: string;
  userId: string | null;
  /** Somebody without an account. */
  guest: MailedGuest | null;
  status: RegistrationStatus;
  registeredAt: Date;
  /** When the place is lost unless the address is verified; null where it is kept. */
  lapsesAt: Date | null;
  /** As notices about changes compare it. */
  shown: ShownState;
}

/** What a mail knows of a booking: of one at a deleted event, which has no page any more, the event alone. */
type Booking = Pick<MailedRegistration, 'event'> &
  Partial<MailedRegistration> & {
    /** Somebody without an account who signed up for announcements. */
    subscriptionId?: string;
  };

/** What every template about an event may say. */
export interface EventVariables extends Omit<EventRows, 'was'> {
  communityName: string;
  locale: string;
  firstName: string;
  title: string;
  /** The beginning of the description. */
  about: string | null;
  /** How many wait for a place. */
  waitingCount: number;
  coverUrl: string | null;
  /** The code of the place; null unless the mail asks for it and people meet in a room. */
  code: DoorCode | null;
  eventUrl: string;
  /** The same, saying that the place is kept. */
  keepUrl: string;
  calendarUrl: string;
  /** Null of a guest, who has no account to give it up in. */
  giveUpUrl: string | null;
  /** Where a guest makes the place their account's; null for a member. */
  takeOverUrl: string | null;
  homeUrl: string;
  profileUrl: string;
}

export type Listed = Span & Pick<Event, 'id' | 'slug' | 'title'>;
/** SQL about the event `e`. */
export const LISTED =
  'e.id, e.event_slug AS slug, e.title, e.start_date AS "startDate", e.end_date AS "endDate", e.is_all_day AS "isAllDay", e.time_zone AS "timeZone"';

/** The wording of a mail about an event, whose title and picture stand above it. */
export const eventTemplate = <More extends object>(
  name: string,
  write: (mail: EventVariables & More) => Omit<MailContent, 'template' | 'title' | 'firstName' | 'coverUrl'>,
) =>
  defineTemplate<EventVariables & More>(name, (mail) => ({
    title: mail.title,
    firstName: mail.firstName || null,
    coverUrl: mail.coverUrl,
    ...write(mail),
  }));

export const isOver = ({ event }: Pick<MailedRegistration, 'event'>) => event.endDate <= new Date();

export interface EventMail {
  content: (variables: EventVariables) => MailContent;
  /** The list that the member can turn off; a notice about the member's own booking has none. */
  list?: MailList;
  /** What the mail does to the entry in the member's calendar. */
  entry?: keyof typeof ENTRIES;
  /** Whether it shows the code for the door. */
  withCode?: true;
}

const ENTRIES = { invitation, withdrawal };

/** What mails about events share. A handler says whether there is still something to send, to whom, and in which words. */
@Injectable()
export class EventMails {
  constructor(
    private readonly dataSource: DataSource,
    private readonly recipients: Recipients,
    private readonly mailer: Mailer,
    private readonly sender: Sender,
    private readonly links: Links,
    private readonly config: WorkerConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** Null when the registration is gone, which it is with its event or its member, was made anew since that moment, or its event is cancelled. */
  async registration({
    registrationId,
    registeredAt,
  }: {
    registrationId: string;
    registeredAt?: string;
  }): Promise<MailedRegistration | null> {
    const found = await this.find('r.id = $1', [registrationId]);
    const isOther = registeredAt !== undefined && found?.registeredAt.getTime() !== Date.parse(registeredAt);
    return isOther ? null : found;
  }

  place(eventId: string, userId: string): Promise<MailedRegistration | null> {
    return this.find('r.event_id = $1 AND r.user_id = $2', [eventId, userId]);
  }

  /** From 1, on the waiting list. */
  async positionOf(registrationId: string): Promise<number> {
    const [row] = await this.dataSource.query<[{ position: number }]>(
      `SELECT count(*)::integer AS position
       FROM events.event_registrations AS own JOIN events.event_registrations AS other ON other.event_id = own.event_id
       WHERE own.id = $1 AND other.status = 'waitlisted' AND (other.registered_at, other.id) <= (own.registered_at, own.id)`,
      [registrationId],
    );
    return row.position;
  }

  /** To an account that is gone, or a guest without an address, nothing. */
  async send(
    { id, createdAt }: JobContext,
    booking: Booking,
    { content, list, entry, withCode }: EventMail,
  ): Promise<MailOutcome> {
    const recipient = await this.recipientOf(booking);
    if (recipient === null) return 'skipped';
    const code = withCode ? this.codeOf(booking) : null;
    const picture = code === null ? undefined : qrPicture(this.links.guestCode(code));
    const shown = code === null || picture === undefined ? null : { words: code, cid: picture.cid };
    const variables = { ...this.variables(booking, recipient), code: shown };
    const context = this.entryContext(
      variables,
      inWords(booking.event, variables.locale),
      recipient,
      createdAt,
    );
    const calendar = entry && ENTRIES[entry](booking.event, context);
    return this.mailer.send({ id, recipient, list, content: content(variables), calendar, picture });
  }

  /** As the events service makes it. Null where there is no door to show it at. */
  private codeOf({ id, event, page, status }: Booking): string | null {
    const isAtDoor = status === REGISTERED && page?.format !== 'online' && !isOver({ event });
    return id !== undefined && isAtDoor ? sealId('guest', id, this.config.guestCodeSecrets[0]!) : null;
  }

  private async recipientOf({ userId, guest, subscriptionId }: Booking): Promise<Recipient | null> {
    if (userId) return this.recipients.find(userId);
    if (subscriptionId) return this.recipients.findSubscription(subscriptionId);
    return guest?.email ? guestRecipient(guest.email) : null;
  }

  /** The public events that come next and have places. */
  async nextEvents(exceptId: string): Promise<(locale: string) => ListedEvent[]> {
    const rows = await this.dataSource.query<Listed[]>(NEXT, [exceptId]);
    return (locale) => rows.map((event) => this.listed(event, locale));
  }

  listed(event: Listed, locale: string): ListedEvent {
    return {
      title: event.title,
      when: this.when(event, locale),
      place: null,
      url: this.links.event(event),
    };
  }

  private when(span: Span, locale: string): EventRows['when'] {
    const when = whenOf(span, { timeZone: this.community.timeZone, locale });
    return span.isAllDay ? { ...when, hours: mailWords(locale).allDay } : when;
  }

  /** The same in words, on the clock of its place as that is now; null where nothing is said. */
  wordsFor(
    { title, time, location, accessibility, price }: Partial<ShownState>,
    { timeZone }: Pick<Span, 'timeZone'>,
    locale: string,
  ): Record<keyof ShownState, string | null> {
    const say = <T>(text: string | undefined, words: (value: T) => string | null) =>
      text === undefined ? null : words(JSON.parse(text) as T);
    return {
      title: title ?? null,
      time: say<[string, string, boolean]>(time, ([startDate, endDate, isAllDay]) => {
        const span = { startDate: new Date(startDate), endDate: new Date(endDate), isAllDay, timeZone };
        return this.when(span, locale).text;
      }),
      location: say<[Event['format'], string | null, string?]>(
        location,
        ([format, place, venue]) =>
          whereOf({ format, location: venue ?? place }, whereWords(locale)) ??
          mailWords(locale).toBeAnnounced,
      ),
      // a digest
      online: null,
      accessibility: accessibility ?? null,
      price: say<string | null>(price, (amount) => this.amountOf(amount, locale)),
    };
  }

  private variables(
    { event, page, status, userId }: Booking,
    { firstName, locale: chosen }: Recipient,
  ): Omit<EventVariables, 'code'> {
    const locale = tagFor(chosen, this.community);
    return {
      communityName: this.community.name,
      locale,
      firstName,
      title: event.title,
      when: this.when(event, locale),
      place: placeOf(event, page, locale),
      directionsUrl: page === undefined ? null : directionsTo(page),
      join: page?.onlineUrl && status === REGISTERED ? { url: page.onlineUrl, note: page.onlineNote } : null,
      accessibility: page?.accessibility ?? null,
      price: page === undefined ? null : this.priceOf(page, locale),
      about: page?.description ? excerptOf(textOf(page.description, page.descriptionFormat)) : null,
      waitingCount: page?.waitingCount ?? 0,
      // strangers are shown none of a draft, which mail programs are
      coverUrl:
        page === undefined || page.status === 'draft' ? null : this.links.squareCover(event.id, page.version),
      eventUrl: this.links.event(event),
      keepUrl: this.links.keepPlace(event),
      calendarUrl: this.links.addToCalendar(event),
      giveUpUrl: userId ? this.links.giveUp(event.id) : null,
      takeOverUrl: userId ? null : this.links.takeOver(event),
      homeUrl: this.links.home(),
      profileUrl: this.links.settings(),
    };
  }

  private amountOf(price: string | null, locale: string): string {
    const { currency } = this.community;
    return formatPrice(price, { currency, locale }, mailWords(locale).free);
  }

  private priceOf({ price, paymentNote }: Page, locale: string): EventRows['price'] {
    const { currency, paymentNoteDefault } = this.community;
    const byDefault = paymentNoteDefault === PAYMENT_NOTE ? mailWords(locale).howToPay : paymentNoteDefault;
    const parts = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    });
    return {
      amount: this.amountOf(price, locale),
      symbol: parts.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency,
      howToPay: isFree(price) ? null : (paymentNote ?? byDefault),
    };
  }

  /** @param stamp when this version of the entry was made */
  private entryContext(
    { eventUrl, join, locale }: Pick<EventVariables, 'eventUrl' | 'join' | 'locale'>,
    location: string | null,
    { firstName, lastName, email }: Recipient,
    stamp: Date,
  ) {
    return {
      organizer: { name: this.sender.name, email: this.sender.address },
      attendee: { name: `${firstName} ${lastName}`.trim(), email },
      timeZone: this.community.timeZone,
      url: eventUrl,
      location,
      description:
        join && [frameWords(locale).event.joinAt({ url: join.url }), join.note].filter(Boolean).join('\n\n'),
      stamp,
    };
  }

  /** The event as every recipient's mail shows it; null when it is gone, cancelled, or a draft unless drafts are asked for. */
  async event(id: string, { drafts = false } = {}): Promise<MailedPage | null> {
    const [row] = await this.dataSource.query<MailedRow[]>(
      `SELECT ${EVENT}, ${PAGE} FROM ${EVENTS}, (SELECT 0 AS entry_revision) r
       WHERE (e.status = 'published' OR $2 AND e.status = 'draft') AND e.id = $1`,
      [id, drafts],
    );
    return row === undefined ? null : mailed(row);
  }

  private async find(condition: string, values: string[]): Promise<MailedRegistration | null> {
    const [row] = await this.dataSource.query<(MailedRow & Omit<MailedRegistration, 'shown'>)[]>(
      `SELECT ${REGISTRATION}, ${EVENT}, ${PAGE} FROM ${EVENTS} JOIN events.event_registrations r ON r.event_id = e.id
       WHERE e.status = 'published' AND ${condition}`,
      values,
    );
    if (row === undefined) return null;
    const { event, page } = mailed(row);
    return { ...row, event, page, shown: shownState({ ...event, ...page }, digest(page.onlineUrl)) };
  }
}

const EVENTS = 'events.events e LEFT JOIN events.event_contents c ON c.event_id = e.id';
const REGISTRATION = `r.id, r.user_id AS "userId", CASE WHEN r.user_id IS NULL THEN
  json_build_object('email', r.guest_email) END AS guest, r.status, r.registered_at AS "registeredAt",
  CASE WHEN r.unproved THEN r.lapses_at END AS "lapsesAt"`;
const EVENT = `json_build_object('id', e.id, 'slug', e.event_slug, 'title', e.title, 'sequence', e.sequence + r.entry_revision,
  'startDate', e.start_date, 'endDate', e.end_date, 'isAllDay', e.is_all_day, 'timeZone', e.time_zone) AS event`;
const PAGE = `json_build_object('description', e.description, 'descriptionFormat', e.description_format, 'format', e.format,
  'location', e.location, 'price', e.price::text, 'paymentNote', e.payment_note, 'waitingCount', e.waiting_count, 'version', e.version, 'status', e.status,
  'onlineUrl', c.online_url, 'onlineNote', c.online_note, 'accessibility', c.accessibility, 'venue', CASE WHEN c.venue_name IS NOT NULL THEN json_build_object(
  'name', c.venue_name, 'address', c.venue_address, 'note', c.venue_note, 'mapUrl', c.venue_map_url) END) AS page`;
const NEXT = `SELECT ${LISTED} FROM events.events e
  WHERE events.is_listed(e) AND events.registration_refusal(e) IS NULL AND id <> $1
    AND (capacity IS NULL OR registration_count < capacity)
  ORDER BY start_date, id LIMIT 3`;

/** JSON has no dates. */
interface MailedRow {
  event: Omit<MailedEvent, 'location' | 'format'>;
  page: Page;
}

function mailed({ event, page }: MailedRow): MailedPage {
  const [startDate, endDate] = [new Date(event.startDate), new Date(event.endDate)];
  return {
    event: { ...event, startDate, endDate, format: page.format, location: lineOf(page) },
    page,
  };
}

/** The venue's, else what the organiser wrote. */
const lineOf = ({ venue, location }: Page) => (venue === null ? location : venueLine(venue));

const digest = (link: string | null) =>
  link === null ? '' : createHash('sha256').update(link).digest('base64url');

const inWords = ({ format, location }: MailedEvent, locale: string): string | null =>
  format === undefined ? location : whereOf({ format, location }, whereWords(locale));

function placeOf(event: MailedEvent, page: Page | undefined, locale: string): EventRows['place'] {
  const text = inWords(event, locale);
  if (text === null) return null;
  const { format = text.startsWith('Online') ? 'online' : 'in_person' } = event;
  const { venue = null } = page ?? {};
  return {
    text,
    name: (venue && whereOf({ format, location: venue.name }, whereWords(locale))) ?? text,
    address: venue?.address ?? null,
    note: venue?.note ?? null,
    isOnline: format === 'online',
  };
}

const EXCERPT = 300;

const textOf = (description: string, format: Event['descriptionFormat']) =>
  format === 'markdown' ? textOfMarkdown(description) : description;

/** Ends after a word. */
function excerptOf(description: string): string | null {
  const text = description.replaceAll(/\s+/g, ' ').trim();
  if (text.length <= EXCERPT) return text || null;
  return `${text.slice(0, EXCERPT).replace(/\s\S*$/, '')} …`;
}

/** Modules of white on each side, as the standard asks. */
const QUIET = 4;
/** Pixels of a module. At one bit a pixel, a module of a line is one byte. */
const SCALE = 8;
const [BLACK, WHITE] = [0x00, 0xff];

/** Half a kilobyte. */
function qrPicture(text: string): MailPicture {
  const { data: modules, size } = encodeQr(text, { ecc: 'M', border: QUIET });
  const lines = modules.flatMap((row) =>
    Array<number[]>(SCALE).fill(row.map((isDark) => (isDark ? BLACK : WHITE))),
  );
  const width = size * SCALE;
  const data = Uint8Array.from(lines.flat());
  const content = Buffer.from(encodePng({ width, height: width, data, channels: 1, depth: 1 }));
  return { cid: `${createHash('sha256').update(content).digest('hex').slice(0, 32)}@code`, content };
}
