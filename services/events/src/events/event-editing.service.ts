import { Injectable } from '@nestjs/common';
import {
  type Community,
  type CreateEventRequest,
  DomainError,
  type ErrorCode,
  type Event,
  type HandOverEventsRequest,
  type MakeSeriesRequest,
  type UpdateEventRequest,
} from '@meetmark/contracts';
import {
  type CallingAdministrator,
  editAs,
  InjectCommunity,
  inTransaction,
  OutboxWriter,
  PictureStore,
  requireAdministrator,
} from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import {
  dismissWaiting,
  placeWaiting,
  removeRegistrations,
} from '../registrations/registrations.repository.js';
import { EventsConfig } from '../events.config.js';
import { PublicCache } from '../public-cache.js';
import {
  changedFields,
  changesEntry,
  checkMoments,
  eventValues,
  type EventValues,
  formOf,
  notifiedState,
  toldChanges,
} from './event-changes.js';
import { announceEdit, auditEvent } from './event-notices.js';
import { EventEntity } from './event.entity.js';
import { afterSameChange, followers } from './event-series.js';
import {
  databaseTime,
  handOverEvents,
  keepForCalendars,
  lockEvent,
  lockForEdit,
  notifyCancelled,
  presentTo,
  requireVersion,
} from './events.repository.js';

const REFUSALS: Record<string, ErrorCode> = {
  events_pkey: 'REQUEST_IN_PROGRESS',
  events_dates_check: 'DATE_RANGE_INVALID',
  events_within_capacity_check: 'CAPACITY_BELOW_REGISTERED',
  events_banner_hash_fkey: 'PICTURE_NOT_FOUND',
  events_created_by_id_fkey: 'USER_NOT_FOUND',
};

/** Of one event. */
interface Change {
  before: EventEntity;
  after: EventValues;
  request: UpdateEventRequest;
}

/** Changes of events by administrators. */
@Injectable()
export class EventEditingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly pictures: PictureStore,
    private readonly publicCache: PublicCache,
    private readonly config: EventsConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** @throws DomainError DATE_RANGE_INVALID, PICTURE_NOT_FOUND, REQUEST_IN_PROGRESS, FORBIDDEN */
  create(admin: CallingAdministrator, request: CreateEventRequest): Promise<Event> {
    return this.change(async (manager) => {
      await requireAdministrator(manager, admin);
      const { id = uuid() } = request;
      // a repeated request, whose answer was lost
      if (await manager.existsBy(EventEntity, { id, createdById: admin.sub }))
        return presentTo(manager, admin.sub, id);
      const banner = await this.pictures.apply(manager, request.banner);
      const { status = 'published' } = request;
      const event = { ...eventValues(request, banner), status, id, createdById: admin.sub };
      checkMoments(event, request);
      await manager.insert(EventEntity, event);
      await auditEvent(this.outbox, manager, 'event.created', admin.sub, event);
      return presentTo(manager, admin.sub, event.id);
    });
  }

  /**
   * Fields that the request omits stay as they are. A repeated request changes nothing and is no conflict.
   * @throws DomainError EVENT_NOT_FOUND, EVENT_CANCELLED, EDIT_CONFLICT, WAITLIST_NOT_EMPTY, CAPACITY_BELOW_REGISTERED, DATE_RANGE_INVALID, VALIDATION_FAILED, FORBIDDEN
   */
  update(admin: CallingAdministrator, request: UpdateEventRequest): Promise<Event> {
    return this.change(async (manager) => {
      await requireAdministrator(manager, admin);
      const { event: before, later } = await lockForEdit(manager, request.eventId, request.scope === 'later');
      if (before.status === 'cancelled') throw new DomainError('EVENT_CANCELLED');
      const banner = await this.pictures.apply(manager, request.banner, before.bannerHash);
      const after = eventValues({ ...formOf(before), ...request }, banner);
      if (changedFields(before, after).length > 0)
        await requireVersion(manager, before, request.version, admin.sub);
      await this.save(manager, admin.sub, { before, after, request });
      const { timeZone } = this.community;
      for (const other of later) {
        const same = afterSameChange(before, after, other, timeZone);
        // a time for publishing is checked of the event that the request is about; published ones keep none
        await this.save(manager, admin.sub, {
          before: other,
          after: same,
          request: { ...request, publishAt: null },
        });
      }
      return presentTo(manager, admin.sub, before.id);
    });
  }

  /** Drafts like the event, linked with it. @throws DomainError EVENT_NOT_FOUND, EVENT_CANCELLED, SERIES_EXISTS, FORBIDDEN */
  makeSeries(admin: CallingAdministrator, { eventId, every, count }: MakeSeriesRequest): Promise<Event[]> {
    return this.change(async (manager) => {
      await requireAdministrator(manager, admin);
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      if (event.status === 'cancelled') throw new DomainError('EVENT_CANCELLED');
      if (event.seriesId !== null) throw new DomainError('SERIES_EXISTS');
      const seriesId = uuid();
      await manager.update(EventEntity, { id: event.id }, { seriesId });
      const made: Event[] = [];
      const values = eventValues(formOf(event), event.bannerHash);
      for (const follower of followers(values, { every, count, zone: this.community.timeZone })) {
        const draft = { ...follower, status: 'draft', id: uuid(), seriesId, createdById: admin.sub } as const;
        await manager.insert(EventEntity, draft);
        await auditEvent(this.outbox, manager, 'event.created', admin.sub, draft);
        made.push(await presentTo(manager, admin.sub, draft.id));
      }
      return made;
    });
  }

  /** Gives every event of one user to another. @throws DomainError USER_NOT_FOUND, FORBIDDEN */
  async handOver(
    admin: CallingAdministrator,
    { fromUserId, toUserId }: HandOverEventsRequest,
  ): Promise<void> {
    await this.change(async (manager) => {
      await requireAdministrator(manager, admin);
      await handOverEvents(manager, fromUserId, toUserId);
    });
  }

  /**
   * Removes the event and its registrations, sends mails to those who were registered or waited for an event that is not over and was not
   * cancelled before, and keeps for calendars that it is cancelled.
   * @throws DomainError EVENT_NOT_FOUND, FORBIDDEN
   */
  async delete(admin: CallingAdministrator, eventId: string): Promise<void> {
    await this.change(async (manager) => {
      await requireAdministrator(manager, admin);
      const removed = await removeRegistrations(manager, eventId);
      const event = await lockEvent(manager, eventId, 'pessimistic_write');
      const registered = removed.filter(({ waiting }) => !waiting).map(({ userId }) => userId);
      await keepForCalendars(manager, event.id, registered);
      if (event.status === 'published') await notifyCancelled(manager, event, removed);
      await auditEvent(this.outbox, manager, 'event.deleted', admin.sub, event);
      await manager.delete(EventEntity, { id: eventId });
    });
  }

  private change<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.publicCache.changing(() => inTransaction(this.dataSource, work, REFUSALS));
  }

  /** Of one event. The request may also say what becomes of those who wait. */
  private async save(manager: EntityManager, adminId: string, edit: Change): Promise<void> {
    const { before, request } = edit;
    const after = { ...edit.after };
    const endsWaiting = before.waitingCount > 0 && !after.waitlistEnabled && request.waitlistOff;
    if (endsWaiting === 'promote' && after.capacity !== null)
      after.capacity = Math.max(after.capacity, before.registrationCount + before.waitingCount);
    checkMoments({ ...after, status: before.status }, request);
    if (after.capacity !== null && after.capacity < before.registrationCount)
      throw new DomainError('CAPACITY_BELOW_REGISTERED', { registered: before.registrationCount });
    if (before.waitingCount > 0 && !after.waitlistEnabled && !endsWaiting)
      throw new DomainError('WAITLIST_NOT_EMPTY', { waiting: before.waitingCount });
    const changed = changedFields(before, after);
    if (changed.length > 0) await this.write(manager, adminId, { before, after, request }, changed);
    // while registration is open, the change itself has given the places; this gives those that are left
    if (endsWaiting === 'promote') await placeWaiting(manager, before.id, null);
    if (endsWaiting === 'dismiss') await dismissWaiting(manager, before.id, null);
  }

  private async write(
    manager: EntityManager,
    adminId: string,
    { before, after, request: { notify, note = null } }: Change,
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
    const states = { before: notifiedState(before), after: notifiedState(after) };
    if (before.status !== 'published') return;
    const now = await databaseTime(manager);
    if (before.startDate <= now && after.startDate <= now) return;
    const notBefore = new Date(now.getTime() + this.config.eventChangedDelay * 1000);
    const told = toldChanges(states.before, states.after, notify);
    await announceEdit(this.outbox, manager, {
      eventId: before.id,
      sequence,
      ...states,
      told,
      note,
      at: now,
      notBefore,
    });
  }
}
