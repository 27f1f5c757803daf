import { createHash } from 'node:crypto';
import {
  type Community,
  type Event,
  type EventContent,
  formatPrice,
  type MailList,
  type RegistrationStatus,
  shownState,
  type ShownState,
  whereOf,
} from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { invitation, type MailedEvent, withdrawal } from '../mail/calendar-entry.js';
import { facts, type Template } from '../mail/content.js';
import { Links } from '../mail/links.js';
import { Mailer } from '../mail/mailer.js';
import { type Recipient, Recipients } from '../mail/recipients.js';
import { Sender } from '../mail/sender.js';
import { formatSpan } from '../mail/when.js';
import type { JobContext, MailOutcome } from '../queue/job-handler.js';

/** A member's registration and its event, as mails need them. */
export interface MailedRegistration {
  userId: string;
  status: RegistrationStatus;
  registeredAt: Date;
  event: MailedEvent;
  /** As notices about changes compare it. */
  shown: ShownState;
}

/** What every template about an event may say. */
export interface EventVariables {
  communityName: string;
  locale: string;
  firstName: string;
  title: string;
  /** In the community's zone, see formatSpan. */
  when: string;
  location: string | null;
  eventUrl: string;
  giveUpUrl: string;
  homeUrl: string;
}

export interface EventMail {
  content: Template<EventVariables>;
  /** The list that the member can turn off; a notice about the member's own booking has none. */
  list?: MailList;
  /** What the mail does to the entry in the member's calendar. */
  entry?: keyof typeof ENTRIES;
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
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** Null when the registration is gone, which it is with its event or its member, was made anew since that moment, or its event is cancelled. */
  async registration(id: string, registeredAt?: string): Promise<MailedRegistration | null> {
    const found = await this.find('r.id = $1', [id]);
    const isOther = registeredAt !== undefined && found?.registeredAt.getTime() !== Date.parse(registeredAt);
    return isOther ? null : found;
  }

  place(eventId: string, userId: string): Promise<MailedRegistration | null> {
    return this.find('r.event_id = $1 AND r.user_id = $2', [eventId, userId]);
  }

  /** To an account that is gone, nothing. */
  async send(
    { id, createdAt }: JobContext,
    { userId, event }: Pick<MailedRegistration, 'userId' | 'event'>,
    { content, list, entry }: EventMail,
  ): Promise<MailOutcome> {
    const recipient = await this.recipients.find(userId);
    if (recipient === null) return 'skipped';
    return this.mailer.send({
      id,
      recipient,
      list,
      content: content(this.variables(event, recipient)),
      calendar: entry && ENTRIES[entry](event, this.entryContext(event, recipient, createdAt)),
    });
  }

  /** The same in words, and `NOTHING` where there is nothing. */
  wordsFor(shown: Partial<ShownState>): Partial<ShownState> {
    const words: Partial<ShownState> = { title: shown.title };
    if (shown.time !== undefined) {
      const [startDate, endDate, isAllDay] = JSON.parse(shown.time) as [string, string, boolean];
      const span = { startDate: new Date(startDate), endDate: new Date(endDate), isAllDay };
      words.time = formatSpan(span, this.community);
    }
    if (shown.location !== undefined) {
      const [format, location, venue] = JSON.parse(shown.location) as [
        Event['format'],
        string | null,
        string | undefined,
      ];
      words.location = whereOf({ format, location: venue ?? location }) ?? 'to be announced';
    }
    // a digest of the link, which the mail does not show twice
    if (shown.online !== undefined) words.online = shown.online === '' ? 'none' : 'another one';
    if (shown.price !== undefined)
      words.price = formatPrice(JSON.parse(shown.price) as string | null, this.community);
    return words;
  }

  private variables(event: MailedEvent, { firstName }: Recipient): EventVariables {
    return {
      communityName: this.community.name,
      locale: this.community.locale,
      firstName,
      title: event.title,
      when: formatSpan(event, this.community),
      location: event.location,
      eventUrl: this.links.event(event.id),
      giveUpUrl: this.links.giveUp(event.id),
      homeUrl: this.links.home(),
    };
  }

  /** @param stamp when this version of the entry was made */
  private entryContext({ id }: MailedEvent, { firstName, lastName, email }: Recipient, stamp: Date) {
    return {
      organizer: { name: this.sender.name, email: this.sender.address },
      attendee: { name: `${firstName} ${lastName}`, email },
      timeZone: this.community.timeZone,
      url: this.links.event(id),
      stamp,
    };
  }

  /** Whoever it is for; null when it is gone, a draft or cancelled. */
  async event(id: string): Promise<MailedEvent | null> {
    const [row] = await this.dataSource.query<{ event: JsonEvent }[]>(
      `SELECT ${EVENT} FROM events.events e LEFT JOIN events.event_contents c ON c.event_id = e.id
       LEFT JOIN LATERAL (SELECT 0 AS entry_revision) r ON true WHERE e.status = 'published' AND e.id = $1`,
      [id],
    );
    return row === undefined ? null : mailed(row.event).event;
  }

  private async find(condition: string, values: string[]): Promise<MailedRegistration | null> {
    const [row] = await this.dataSource.query<
      (Omit<MailedRegistration, 'event' | 'shown'> & { event: JsonEvent })[]
    >(
      `SELECT ${REGISTRATION}, ${EVENT}
       FROM events.event_registrations r JOIN events.events e ON e.id = r.event_id
       LEFT JOIN events.event_contents c ON c.event_id = e.id
       WHERE e.status = 'published' AND ${condition}`,
      values,
    );
    return row === undefined ? null : { ...row, ...mailed(row.event) };
  }
}

function mailed(row: JsonEvent): Pick<MailedRegistration, 'event' | 'shown'> {
  const { format, location, price, venue, onlineUrl, ...event } = row;
  const [startDate, endDate] = [new Date(event.startDate), new Date(event.endDate)];
  return {
    event: { ...event, location: whereOf({ format, location }), startDate, endDate },
    shown: shownState({ ...event, format, location, price, venue, startDate, endDate }, digest(onlineUrl)),
  };
}

const EVENT = `json_build_object('id', e.id, 'title', e.title, 'location', e.location, 'format', e.format, 'sequence', e.sequence + r.entry_revision,
  'startDate', e.start_date, 'endDate', e.end_date, 'isAllDay', e.is_all_day, 'price', e.price::text, 'onlineUrl', c.online_url,
  'venue', CASE WHEN c.venue_name IS NOT NULL THEN json_build_object('name', c.venue_name, 'address', c.venue_address) END) AS event`;
const REGISTRATION = `r.user_id AS "userId", r.status, r.registered_at AS "registeredAt"`;

/** JSON has no dates. */
type JsonEvent = Omit<MailedEvent, 'startDate' | 'endDate'> &
  Pick<Event, 'startDate' | 'endDate' | 'format' | 'price'> &
  Pick<EventContent, 'venue' | 'onlineUrl'>;

const digest = (link: string | null) =>
  link === null ? '' : createHash('sha256').update(link).digest('base64url');

export const eventFacts = ({ title, when, location }: EventVariables) =>
  facts(['Event', title], ['When', when], ['Where', location]);
