import { Injectable } from '@nestjs/common';
import { DomainError, EventCancelledMail, whereOf, type CancelledEvent } from '@meetmark/contracts';
import { inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { requireAdministrator } from '../administrators/administrator.view.js';
import { auditEvent } from '../administrators/audit.js';
import { insertRollUp, requestId, WAKE_RELAY } from '../outbox/outbox-rows.js';
import { PublicCache } from '../public-cache/public-cache.js';
import { closeGate } from '../registrations/event-gate.js';
import { EventEntity } from './event.entity.js';

@Injectable()
export class EventDeletionService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly publicCache: PublicCache,
  ) {}

  /**
   * Removes the event and its registrations, tells whoever was registered for an event that is not over, and leaves for the
   * calendars that the event is cancelled.
   * @throws DomainError EVENT_NOT_FOUND, FORBIDDEN
   */
  async delete(adminId: string, eventId: string): Promise<void> {
    await this.publicCache.changing(() =>
      inTransaction(this.dataSource, async (manager) => {
        await manager.query(`SELECT ${closeGate('$1')}`, [eventId]);
        await requireAdministrator(manager, adminId);
        const removed = await removeRegistrations(manager, eventId);
        const registered = removed.map(({ userId }) => userId);
        const event = await lockEvent(manager, eventId);
        await keepForCalendars(manager, event, registered);
        await tellCancelled(manager, event, removed);
        await auditEvent(this.outbox, manager, 'event.deleted', adminId, event);
        await manager.delete(EventEntity, { id: eventId });
      }),
    );
  }
}

/** Before the event's row is locked: the order in which everybody takes locks. Returns who had a place. */
async function removeRegistrations(manager: EntityManager, eventId: string): Promise<Removed[]> {
  return manager.query(
    `WITH removed AS (
       DELETE FROM events.event_registrations WHERE event_id = $1 RETURNING user_id, status, entry_revision),
     roll_up AS (${insertRollUp('removed', '$2', '$3')})
     SELECT user_id AS "userId", entry_revision AS "entryRevision" FROM removed WHERE status = 'registered'`,
    [eventId, uuid(), requestId()],
  );
}

interface Removed {
  userId: string;
  /** What the member's calendar entry adds to the event's sequence. */
  entryRevision: number;
}

async function lockEvent(manager: EntityManager, id: string): Promise<EventEntity> {
  const event = await manager.findOne(EventEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (!event) throw new DomainError('EVENT_NOT_FOUND');
  return event;
}

async function keepForCalendars(
  manager: EntityManager,
  event: EventEntity,
  registered: string[],
): Promise<void> {
  await manager.query(
    `INSERT INTO events.deleted_events
       (id, title, location, start_date, end_date, is_all_day, sequence, created_at, registered_user_ids)
     SELECT id, title, location, start_date, end_date, is_all_day, sequence + 1, created_at, $2::uuid[]
     FROM events.events WHERE id = $1`,
    [event.id, registered],
  );
}

async function tellCancelled(manager: EntityManager, event: EventEntity, removed: Removed[]): Promise<void> {
  const cancelled: CancelledEvent = {
    id: event.id,
    title: event.title,
    location: whereOf(event),
    startDate: event.startDate.toISOString(),
    endDate: event.endDate.toISOString(),
    isAllDay: event.isAllDay,
    sequence: event.sequence + 1,
  };
  await manager.query(
    `WITH mails AS (
       INSERT INTO events.outbox (id, job, payload, request_id)
       SELECT gen_random_uuid(), '${EventCancelledMail.name}',
         jsonb_build_object('event', jsonb_set($1::jsonb, '{sequence}', to_jsonb($5::integer + entry_revision)), 'userId', user_id), $2::text
       FROM unnest($3::uuid[], $6::integer[]) AS removed (user_id, entry_revision) WHERE $4::timestamptz > now()
       RETURNING id)
     SELECT ${WAKE_RELAY} FROM mails LIMIT 1`,
    [
      JSON.stringify(cancelled),
      requestId(),
      removed.map(({ userId }) => userId),
      event.endDate,
      cancelled.sequence,
      removed.map(({ entryRevision }) => entryRevision),
    ],
  );
}
