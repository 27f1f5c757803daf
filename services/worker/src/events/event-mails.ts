import {
  type Community,
  type Event,
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
      const [format, location] = JSON.parse(shown.location) as [Event['format'], string | null];
      words.location = whereOf({ format, location }) ?? 'to be announced';
    }
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

  private async find(condition: string, values: string[]): Promise<MailedRegistration | null> {
    const [row] = await this.dataSource.query<
      (Omit<MailedRegistration, 'event' | 'shown'> & { event: JsonEvent })[]
    >(
      `SELECT ${REGISTRATION}, ${EVENT}
       FROM events.event_registrations r JOIN events.events e ON e.id = r.event_id
       WHERE e.status = 'published' AND ${condition}`,
      values,
    );
    if (row === undefined) return null;
    const { format, location, price, ...event } = row.event;
    const [startDate, endDate] = [new Date(event.startDate), new Date(event.endDate)];
    return {
      ...row,
      event: { ...event, location: whereOf({ format, location }), startDate, endDate },
      shown: shownState({ ...event, format, location, price, startDate, endDate }),
    };
  }
}

const EVENT = `json_build_object('id', e.id, 'title', e.title, 'location', e.location, 'format', e.format, 'sequence', e.sequence + r.entry_revision,
  'startDate', e.start_date, 'endDate', e.end_date, 'isAllDay', e.is_all_day, 'price', e.price::text) AS event`;
const REGISTRATION = `r.user_id AS "userId", r.status, r.registered_at AS "registeredAt"`;

/** JSON has no dates. */
type JsonEvent = Omit<MailedEvent, 'startDate' | 'endDate'> &
  Pick<Event, 'startDate' | 'endDate' | 'format' | 'price'>;

export const eventFacts = ({ title, when, location }: EventVariables) =>
  facts(['Event', title], ['When', when], ['Where', location]);
