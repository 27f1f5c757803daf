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
  formatWhen,
  formatLocation,
} from '@meetmark/contracts';
import { tagFor } from '@meetmark/i18n/locales';
import { cutText } from '@meetmark/contracts/cut-text';
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
  email: string | null;
}

export interface MailedRegistration extends MailedPage {
  id: string;
  userId: string | null;
  guest: MailedGuest | null;
  status: RegistrationStatus;
  registeredAt: Date;
  shown: ShownState;
}

/** If the registration was deleted, only the event is known. */
type Booking = Pick<MailedRegistration, 'event'> &
  Partial<MailedRegistration> & {
    subscriptionId?: string;
  };

export interface EventVariables extends Omit<EventRows, 'was'> {
  communityName: string;
  locale: string;
  firstName: string;
  title: string;
  about: string | null;
  waitingCount: number;
  coverUrl: string | null;
  code: DoorCode | null;
  eventUrl: string;
  keepUrl: string;
  calendarUrl: string;
  /** Null for guests without an account, because they can't cancel without one. */
  giveUpUrl: string | null;
  takeOverUrl: string | null;
  homeUrl: string;
  profileUrl: string;
}

export type Listed = Span & Pick<Event, 'id' | 'slug' | 'title'>;
export const LISTED =
  'e.id, e.event_slug AS slug, e.title, e.start_date AS "startDate", e.end_date AS "endDate", e.is_all_day AS "isAllDay", e.time_zone AS "timeZone"';

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
  /** Undefined for emails that members can't turn off. */
  list?: MailList;
  entry?: keyof typeof ENTRIES;
  withCode?: true;
  own?: boolean;
}

const ENTRIES = { invitation, withdrawal };

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

  async fetchPosition(registrationId: string): Promise<number> {
    const [row] = await this.dataSource.query<[{ position: number }]>(
      `SELECT count(*)::integer AS position
       FROM events.event_registrations AS own JOIN events.event_registrations AS other ON other.event_id = own.event_id
       WHERE own.id = $1 AND other.status = 'waitlisted' AND (other.registered_at, other.id) <= (own.registered_at, own.id)`,
      [registrationId],
    );
    return row.position;
  }

  async send(
    job: JobContext,
    booking: Booking,
    { content, list, entry, withCode, own }: EventMail,
  ): Promise<MailOutcome> {
    const recipient = await this.findRecipient(booking);
    if (recipient === null) return 'skipped';
    const code = withCode ? this.getGuestCode(booking) : null;
    const picture = code === null ? undefined : qrPicture(this.links.guestCode(code));
    const shown = code === null || picture === undefined ? null : { words: code, cid: picture.cid };
    const variables = { ...this.variables(booking, recipient), code: shown };
    const calendar =
      entry && ENTRIES[entry](booking.event, this.entryContext(variables, booking, recipient, job));
    const about = { eventId: booking.event.id, startsAt: booking.event.startDate, own };
    return this.mailer.send({ job, recipient, about, list, content: content(variables), calendar, picture });
  }

  /** Returns the same code as the events service, or null if the guest can't be checked in at a venue. */
  private getGuestCode({ id, event, page, status }: Booking): string | null {
    const isAtDoor = status === REGISTERED && page?.format !== 'online' && !isOver({ event });
    return id !== undefined && isAtDoor ? sealId('guest', id, this.config.guestCodeSecrets[0]!) : null;
  }

  private async findRecipient({ userId, guest, subscriptionId }: Booking): Promise<Recipient | null> {
    if (userId) return this.recipients.find(userId);
    if (subscriptionId) return this.recipients.findSubscription(subscriptionId);
    return guest?.email ? guestRecipient(guest.email) : null;
  }

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
    const when = formatWhen(span, { timeZone: this.community.timeZone, locale });
    return span.isAllDay ? { ...when, hours: mailWords(locale).allDay } : when;
  }

  /** Formats values for `locale` and the event's current time zone. */
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
          formatLocation({ format, location: venue ?? place }, whereWords(locale)) ??
          mailWords(locale).toBeAnnounced,
      ),
      // The value is a hash of the joining link, so the link can't be shown.
      online: null,
      accessibility: accessibility ?? null,
      price: say<string | null>(price, (amount) => this.formatAmount(amount, locale)),
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
      place: buildVenueRow(event, page, locale),
      directionsUrl: page === undefined ? null : directionsTo(page),
      join: page?.onlineUrl && status === REGISTERED ? { url: page.onlineUrl, note: page.onlineNote } : null,
      accessibility: page?.accessibility ?? null,
      price: page === undefined ? null : this.buildPrice(page, locale),
      about: page?.description ? toExcerpt(toPlainText(page.description, page.descriptionFormat)) : null,
      waitingCount: page?.waitingCount ?? 0,
      // Mail programs load images without signing in, and images of drafts aren't public.
      coverUrl:
        page === undefined || page.status === 'draft' ? null : this.links.squareCover(event.id, page.version),
      eventUrl: this.links.event(event),
      keepUrl: this.links.keepPlace(event),
      calendarUrl: this.links.addToCalendar(event),
      giveUpUrl: userId ? this.links.giveUp(event.id) : null,
      takeOverUrl: userId ? null : this.links.takeOver(event),
      homeUrl: this.links.home(),
      profileUrl: this.links.ownRoles(),
    };
  }

  private formatAmount(price: string | null, locale: string): string {
    const { currency } = this.community;
    return formatPrice(price, { currency, locale }, mailWords(locale).free);
  }

  private buildPrice({ price, paymentNote }: Page, locale: string): EventRows['price'] {
    const { currency, paymentNoteDefault } = this.community;
    const byDefault = paymentNoteDefault === PAYMENT_NOTE ? mailWords(locale).howToPay : paymentNoteDefault;
    const parts = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
    });
    return {
      amount: this.formatAmount(price, locale),
      symbol: parts.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? currency,
      howToPay: isFree(price) ? null : (paymentNote ?? byDefault),
    };
  }

  private entryContext(
    { eventUrl, join, locale }: Pick<EventVariables, 'eventUrl' | 'join' | 'locale'>,
    { event }: Booking,
    { firstName, lastName, email }: Recipient,
    { createdAt: stamp }: JobContext,
  ) {
    return {
      organizer: { name: this.sender.name, email: this.sender.address },
      attendee: { name: `${firstName} ${lastName}`.trim(), email },
      timeZone: this.community.timeZone,
      url: eventUrl,
      location: inWords(event, locale),
      description:
        join && [frameWords(locale).event.joinAt({ url: join.url }), join.note].filter(Boolean).join('\n\n'),
      stamp,
    };
  }

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
  json_build_object('email', r.guest_email) END AS guest, r.status, r.registered_at AS "registeredAt"`;
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

interface MailedRow {
  event: Omit<MailedEvent, 'location' | 'format'>;
  page: Page;
}

function mailed({ event, page }: MailedRow): MailedPage {
  const [startDate, endDate] = [new Date(event.startDate), new Date(event.endDate)];
  return {
    event: { ...event, startDate, endDate, format: page.format, location: formatVenueLine(page) },
    page,
  };
}

const formatVenueLine = ({ venue, location }: Page) => (venue === null ? location : venueLine(venue));

const digest = (link: string | null) =>
  link === null ? '' : createHash('sha256').update(link).digest('base64url');

const inWords = ({ format, location }: MailedEvent, locale: string): string | null =>
  format === undefined ? location : formatLocation({ format, location }, whereWords(locale));

function buildVenueRow(event: MailedEvent, page: Page | undefined, locale: string): EventRows['place'] {
  const text = inWords(event, locale);
  if (text === null) return null;
  const { format = text.startsWith('Online') ? 'online' : 'in_person' } = event;
  const { venue = null } = page ?? {};
  return {
    text,
    name: (venue && formatLocation({ format, location: venue.name }, whereWords(locale))) ?? text,
    address: venue?.address ?? null,
    note: venue?.note ?? null,
    isOnline: format === 'online',
  };
}

const EXCERPT = 300;

const toPlainText = (description: string, format: Event['descriptionFormat']) =>
  format === 'markdown' ? textOfMarkdown(description) : description;

function toExcerpt(description: string): string | null {
  const text = description.replaceAll(/\s+/g, ' ').trim();
  if (text.length <= EXCERPT) return text || null;
  return `${cutText(text, EXCERPT).replace(/\s\S*$/, '')} …`;
}

/** Modules of white border that the QR standard requires. */
const QUIET = 4;
/** Pixels per module. With one bit per pixel, a module's row is exactly one byte. */
const SCALE = 8;
const [BLACK, WHITE] = [0x00, 0xff];

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
