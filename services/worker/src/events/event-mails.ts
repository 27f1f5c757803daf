import { type Community, type Event, type RegistrationStatus, whereOf } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { InjectCommunity } from '@meetmark/platform';
import { facts } from '../mail/content.js';
import { Links } from '../mail/links.js';
import type { Recipient } from '../mail/recipients.js';
import { Sender } from '../mail/sender.js';
import { formatSpan } from '../mail/when.js';
import { type CalendarEntry, invitation, type MailedEvent, withdrawal } from '../mail/calendar-entry.js';

/** What the mails about events share. */
@Injectable()
export class EventMails {
  constructor(
    private readonly sender: Sender,
    private readonly links: Links,
    @InjectCommunity() private readonly community: Community,
  ) {}

  variables(event: MailedEvent, recipient: Recipient): EventFacts & Addressed {
    return {
      communityName: this.community.name,
      firstName: recipient.firstName,
      title: event.title,
      location: event.location,
      when: formatSpan(event, this.community),
      eventUrl: this.links.event(event.id),
      homeUrl: this.links.home(),
      locale: this.community.locale,
    };
  }

  /** @param stamp when this version of the entry was made */
  invitation(event: MailedEvent, recipient: Recipient, stamp: Date): CalendarEntry {
    return invitation(event, { ...this.parties(recipient), stamp, url: this.links.event(event.id) });
  }

  withdrawal(event: MailedEvent, recipient: Recipient, stamp: Date): CalendarEntry {
    return withdrawal(event, { ...this.parties(recipient), stamp });
  }

  private parties({ firstName, lastName, email }: Recipient) {
    return {
      organizer: { name: this.sender.name, email: this.sender.address },
      attendee: { name: `${firstName} ${lastName}`, email },
      timeZone: this.community.timeZone,
    };
  }
}

interface Addressed {
  communityName: string;
  firstName: string;
  eventUrl: string;
  homeUrl: string;
  locale: string;
}

export interface MailedRegistration {
  userId: string;
  status: RegistrationStatus;
  registeredAt: Date;
  event: MailedEvent;
}

const EVENT = `json_build_object('id', e.id, 'title', e.title, 'location', e.location, 'format', e.format, 'sequence', e.sequence + r.entry_revision,
  'startDate', e.start_date, 'endDate', e.end_date, 'isAllDay', e.is_all_day) AS event`;
const REGISTRATION = `r.user_id AS "userId", r.status, r.registered_at AS "registeredAt"`;

/** Registrations and their events, as mails need them. */
@Injectable()
export class RegisteredEvents {
  constructor(private readonly dataSource: DataSource) {}

  /** Null when the registration is gone, which it is with its event or its member. */
  findRegistration(id: string): Promise<MailedRegistration | null> {
    return this.find('r.id = $1', [id]);
  }

  findPlace(eventId: string, userId: string): Promise<MailedRegistration | null> {
    return this.find('r.event_id = $1 AND r.user_id = $2', [eventId, userId]);
  }

  private async find(condition: string, values: string[]): Promise<MailedRegistration | null> {
    const [row] = await this.dataSource.query<(Omit<MailedRegistration, 'event'> & { event: JsonEvent })[]>(
      `SELECT ${REGISTRATION}, ${EVENT}
       FROM events.event_registrations r JOIN events.events e ON e.id = r.event_id WHERE ${condition}`,
      values,
    );
    if (row === undefined) return null;
    const { format, location, ...event } = row.event;
    const [startDate, endDate] = [new Date(event.startDate), new Date(event.endDate)];
    return { ...row, event: { ...event, location: whereOf({ format, location }), startDate, endDate } };
  }
}

/** JSON has no dates. */
type JsonEvent = Omit<MailedEvent, 'startDate' | 'endDate'> & Pick<Event, 'startDate' | 'endDate' | 'format'>;

/** What every mail about an event says of it. */
export interface EventFacts {
  title: string;
  /** In the community's zone, see formatSpan. */
  when: string;
  location: string | null;
}

export const eventFacts = ({ title, when, location }: EventFacts) =>
  facts(['Event', title], ['When', when], ['Where', location]);
