import { Injectable } from '@nestjs/common';
import { DomainError } from '@meetmark/contracts';
import type {
  CreateEventRequest,
  ErrorCode,
  Event,
  HandOverEventsRequest,
  UpdateEventRequest,
} from '@meetmark/contracts';
import { editAs, inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { requireAdministrator } from '../administrators/administrator.view.js';
import { auditEvent } from '../administrators/audit.js';
import { EventsConfig } from '../events.config.js';
import { PicturesService } from '../pictures/pictures.service.js';
import { PublicCache } from '../public-cache/public-cache.js';
import { announceEdit } from './change-notice.js';
import {
  changedFields,
  eventValues,
  formOf,
  changesEntry,
  toldChanges,
  toldState,
  type EventValues,
} from './event-changes.js';
import { editsSince } from './event-edits.js';
import { EventEntity } from './event.entity.js';
import { eventsFor } from './event-query.js';
import { presentEvent } from './event.presenter.js';

const REFUSALS: Record<string, ErrorCode> = {
  events_pkey: 'REQUEST_IN_PROGRESS',
  events_dates_check: 'DATE_RANGE_INVALID',
  events_within_capacity_check: 'CAPACITY_BELOW_REGISTERED',
  events_banner_hash_fkey: 'PICTURE_NOT_FOUND',
  events_created_by_id_fkey: 'USER_NOT_FOUND',
};

/** What administrators write. */
@Injectable()
export class EventEditingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly pictures: PicturesService,
    private readonly publicCache: PublicCache,
    private readonly config: EventsConfig,
  ) {}

  /** @throws DomainError DATE_RANGE_INVALID, PICTURE_NOT_FOUND, REQUEST_IN_PROGRESS, FORBIDDEN */
  create(adminId: string, request: CreateEventRequest): Promise<Event> {
    return this.change(async (manager) => {
      await requireAdministrator(manager, adminId);
      const { id = uuid() } = request;
      // its answer was lost on the way
      if (await manager.existsBy(EventEntity, { id, createdById: adminId }))
        return this.present(manager, id, adminId);
      const banner = await this.pictures.apply(manager, request.banner);
      const event = { ...eventValues(request, banner), id, createdById: adminId };
      await manager.insert(EventEntity, event);
      await auditEvent(this.outbox, manager, 'event.created', adminId, event);
      return this.present(manager, event.id, adminId);
    });
  }

  /**
   * What the request leaves out stays as it is. A repeated request finds nothing to change and is no conflict.
   * @throws DomainError EVENT_NOT_FOUND, EDIT_CONFLICT, CAPACITY_BELOW_REGISTERED, DATE_RANGE_INVALID, VALIDATION_FAILED, FORBIDDEN
   */
  update(adminId: string, request: UpdateEventRequest): Promise<Event> {
    return this.change(async (manager) => {
      await requireAdministrator(manager, adminId);
      const before = await lockEvent(manager, request.eventId);
      const banner = await this.pictures.apply(manager, request.banner, before.bannerHash);
      const after = eventValues({ ...formOf(before), ...request }, banner);
      const changed = changedFields(before, after);
      const { version } = request;
      if (changed.length > 0 && (version ?? before.version) !== before.version)
        throw new DomainError('EDIT_CONFLICT', {
          present: await this.present(manager, before.id, adminId),
          edits: await editsSince(manager, before.id, version!, adminId),
        });
      if (after.capacity !== null && after.capacity < before.registrationCount) {
        throw new DomainError('CAPACITY_BELOW_REGISTERED', { registered: before.registrationCount });
      }
      if (changed.length > 0) await this.write(manager, adminId, before, after, changed);
      return this.present(manager, before.id, adminId);
    });
  }

  /** Gives every event of one user to another. @throws DomainError USER_NOT_FOUND, FORBIDDEN */
  async handOver(adminId: string, { fromUserId, toUserId }: HandOverEventsRequest): Promise<void> {
    await this.change(async (manager) => {
      await requireAdministrator(manager, adminId);
      // Locked in the order of the ids, as the trigger of the registrations does.
      await manager.query(
        `WITH theirs AS (
           SELECT id FROM events.events WHERE created_by_id = $1 ORDER BY id FOR NO KEY UPDATE)
         UPDATE events.events SET created_by_id = $2 FROM theirs WHERE events.id = theirs.id`,
        [fromUserId, toUserId],
      );
    });
  }

  private change<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.publicCache.changing(() => inTransaction(this.dataSource, work, REFUSALS));
  }

  private async write(
    manager: EntityManager,
    adminId: string,
    before: EventEntity,
    after: EventValues,
    changed: string[],
  ): Promise<void> {
    const sequence = before.sequence + (changesEntry(changed) ? 1 : 0);
    await editAs(manager, adminId);
    await manager.update(EventEntity, { id: before.id }, { ...after, sequence, updatedAt: () => 'now()' });
    await auditEvent(
      this.outbox,
      manager,
      'event.updated',
      adminId,
      { id: before.id, title: after.title },
      changed,
    );
    const told = { before: toldState(before), after: toldState(after) };
    if (toldChanges(told.before, told.after).length === 0) return;
    const now = await databaseTime(manager);
    if (before.startDate <= now && after.startDate <= now) return;
    const notBefore = new Date(now.getTime() + this.config.eventChangedDelay * 1000);
    await announceEdit(this.outbox, manager, { eventId: before.id, sequence, ...told, at: now, notBefore });
  }

  private async present(manager: EntityManager, eventId: string, viewerId: string): Promise<Event> {
    const event = await eventsFor(manager, viewerId)
      .andWhere('event.id = :eventId', { eventId })
      .getOneOrFail();
    return presentEvent(event);
  }
}

/** Registrations wait from here to the commit, so the number registered stays what it is. */
async function lockEvent(manager: EntityManager, id: string): Promise<EventEntity> {
  const event = await manager.findOne(EventEntity, { where: { id }, lock: { mode: 'for_no_key_update' } });
  if (!event) throw new DomainError('EVENT_NOT_FOUND');
  return event;
}

async function databaseTime(manager: EntityManager): Promise<Date> {
  const [row] = await manager.query<{ now: Date }[]>('SELECT now()');
  return row!.now;
}
