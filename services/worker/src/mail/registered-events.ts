import { whereOf, type Event, type RegistrationStatus } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Span } from './when.js';

export interface MailedEvent extends Span {
  id: string;
  title: string;
  /** In words, see whereOf. */
  location: string | null;
  /** Of the member's own calendar entry. */
  sequence: number;
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
