import { Injectable } from '@nestjs/common';
import {
  type CancelEventRequest,
  DomainError,
  EventChanged,
  type EventPage,
  type EventPreview,
  type PublishEventRequest,
} from '@meetmark/contracts';
import {
  type CallingAdministrator,
  editAs,
  inTransaction,
  OutboxWriter,
  requireAdministrator,
} from '@meetmark/platform';
import { DataSource, type EntityManager, type QueryDeepPartialEntity } from 'typeorm';
import { PublicCache } from '../public-cache.js';
import { hashOf, newToken } from '../secret-address.js';
import { participants, takeEventLock } from '../registrations/registrations.repository.js';
import { auditEvent } from './event-notices.js';
import { contentOf } from './event-content.repository.js';
import { presentPage } from './event-content.js';
import { EventEntity } from './event.entity.js';
import {
  eventSeenBy,
  lockEvent,
  notifyCancelled,
  presentTo,
  previewedEvent,
  removePreview,
  replacePreview,
  requireVersion,
} from './events.repository.js';

/** A draft is previewed and published, a published event is cancelled. Nothing goes back. */
@Injectable()
export class EventLifeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly publicCache: PublicCache,
  ) {}

  /** Does nothing when it is published. @throws DomainError EVENT_NOT_FOUND, EVENT_CANCELLED, EDIT_CONFLICT, FORBIDDEN */
  publish(admin: CallingAdministrator, { eventId, version }: PublishEventRequest): Promise<EventPage> {
    return this.change(admin, async (manager) => {
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      if (event.status === 'cancelled') throw new DomainError('EVENT_CANCELLED');
      if (event.status === 'draft') {
        await requireVersion(manager, event, version, admin.sub);
        await this.enter(manager, event, admin.sub, { status: 'published', publishAt: null });
        await auditEvent(this.outbox, manager, 'event.published', admin.sub, event);
      }
      return presentTo(manager, admin.sub, event.id);
    });
  }

  /**
   * Tells everybody who is registered or waits, and takes the event out of their calendars. Does nothing when it is cancelled.
   * @throws DomainError EVENT_NOT_FOUND, EVENT_IS_DRAFT, EDIT_CONFLICT, FORBIDDEN
   */
  cancel(admin: CallingAdministrator, { eventId, version, reason }: CancelEventRequest): Promise<EventPage> {
    return this.change(admin, async (manager) => {
      // waits for registrations under way, which have found the event open
      await manager.query(`SELECT ${takeEventLock('$1')}`, [eventId]);
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      if (event.status === 'draft') throw new DomainError('EVENT_IS_DRAFT');
      if (event.status === 'published') {
        await requireVersion(manager, event, version, admin.sub);
        const sequence = event.sequence + 1;
        const cancelReason = reason ?? null;
        await this.enter(manager, event, admin.sub, {
          status: 'cancelled',
          cancelledAt: () => 'now()',
          cancelReason,
          sequence,
        });
        await this.outbox.supersede(manager, EventChanged, 'eventId', event.id);
        await notifyCancelled(manager, event, await participants(manager, event.id), {
          page: true,
          ...(cancelReason !== null && { reason: cancelReason }),
        });
        await auditEvent(this.outbox, manager, 'event.cancelled', admin.sub, event);
      }
      return presentTo(manager, admin.sub, event.id);
    });
  }

  /** A link for whoever is to see a draft before it is published; an earlier one ends. @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  makePreview(admin: CallingAdministrator, eventId: string): Promise<EventPreview> {
    return this.transaction(admin, async (manager) => {
      const event = await eventSeenBy(manager, { sub: admin.sub, isAdmin: true }, eventId);
      const token = newToken();
      const createdAt = await replacePreview(manager, eventId, hashOf(token));
      await auditEvent(this.outbox, manager, 'event.previewMade', admin.sub, event);
      return { token, createdAt: createdAt.toISOString() };
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  async revokePreview(admin: CallingAdministrator, eventId: string): Promise<void> {
    await this.transaction(admin, async (manager) => {
      const event = await eventSeenBy(manager, { sub: admin.sub, isAdmin: true }, eventId);
      if (await removePreview(manager, eventId))
        await auditEvent(this.outbox, manager, 'event.previewRevoked', admin.sub, event);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  async preview(token: string): Promise<EventPage> {
    const { manager } = this.dataSource;
    const event = await previewedEvent(manager, hashOf(token));
    return presentPage(event, await contentOf(manager, event.id), null);
  }

  private change<T>(admin: CallingAdministrator, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.publicCache.changing(() => this.transaction(admin, work));
  }

  private transaction<T>(
    admin: CallingAdministrator,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return inTransaction(
      this.dataSource,
      async (manager) => {
        await requireAdministrator(manager, admin);
        return work(manager);
      },
      { event_previews_event_id_fkey: 'EVENT_NOT_FOUND' },
    );
  }

  private async enter(
    manager: EntityManager,
    { id }: EventEntity,
    adminId: string,
    values: QueryDeepPartialEntity<EventEntity>,
  ): Promise<void> {
    await editAs(manager, adminId);
    await manager.update(EventEntity, { id }, { ...values, updatedAt: () => 'now()' });
  }
}
