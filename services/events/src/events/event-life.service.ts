import { Injectable } from '@nestjs/common';
import {
  type CancelEventRequest,
  type ChangeEventSlugRequest,
  DomainError,
  type ErrorCode,
  EventChanged,
  type EventPage,
  type EventPreview,
  invalidFields,
  LIMITS,
  type PublishEventRequest,
} from '@meetmark/contracts';
import { editAs, inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager, type QueryDeepPartialEntity } from 'typeorm';
import { type CallingManager, requireManager } from './event-managers.js';
import { PublicCache } from '../public-cache.js';
import { hashOf, newToken } from '../secret-address.js';
import { participants, takeEventLock } from './participants.repository.js';
import { auditEvent, auditValues, planAnnouncement } from './event-notices.js';
import { contentOf } from './event-content.repository.js';
import { presentPage } from './event-content.js';
import { EventEntity } from './event.entity.js';
import {
  changeSlug,
  ENDING,
  lockEvent,
  managedEvent,
  notifyCancelled,
  presentTo,
  previewedEvent,
  removePreview,
  replacePreview,
  requireVersion,
} from './events.repository.js';

const REFUSALS: Record<string, ErrorCode> = {
  event_previews_event_id_fkey: 'EVENT_NOT_FOUND',
  events_event_slug_fkey: 'SLUG_TAKEN',
};

/** A draft is previewed and published, a published event is cancelled. Nothing goes back. */
@Injectable()
export class EventLifeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly publicCache: PublicCache,
  ) {}

  /** Does nothing when it is published. @throws DomainError EVENT_NOT_FOUND, EVENT_CANCELLED, EDIT_CONFLICT, VALIDATION_FAILED, FORBIDDEN */
  publish(caller: CallingManager, { eventId, version, announce }: PublishEventRequest): Promise<EventPage> {
    return this.change(caller, eventId, async (manager) => {
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      if (event.status === 'cancelled') throw new DomainError('EVENT_CANCELLED');
      if (event.status === 'draft') {
        await requireVersion(manager, event, version, caller.sub);
        await planAnnouncement(manager, event, { announce, publishes: true });
        await this.enter(manager, event, caller.sub, 'published', { publishAt: null });
      }
      return presentTo(manager, caller.sub, event.id);
    });
  }

  /**
   * Tells everybody who is registered or waits, and takes the event out of their calendars. Does nothing when it is cancelled.
   * @throws DomainError EVENT_NOT_FOUND, EVENT_IS_DRAFT, EDIT_CONFLICT, FORBIDDEN
   */
  cancel(caller: CallingManager, { eventId, version, reason }: CancelEventRequest): Promise<EventPage> {
    return this.change(caller, eventId, async (manager) => {
      // waits for registrations under way, which have found the event open
      await manager.query(`SELECT ${takeEventLock('$1')}`, [eventId]);
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      if (event.status === 'draft') throw new DomainError('EVENT_IS_DRAFT');
      if (event.status === 'published') {
        await requireVersion(manager, event, version, caller.sub);
        const cancelReason = reason ?? null;
        await this.enter(manager, event, caller.sub, 'cancelled', {
          cancelledAt: () => 'now()',
          cancelReason,
          sequence: event.sequence + 1,
        });
        await this.outbox.supersede(manager, EventChanged, 'eventId', event.id);
        await notifyCancelled(manager, event, await participants(manager, event.id), {
          page: true,
          ...(cancelReason !== null && { reason: cancelReason }),
        });
      }
      return presentTo(manager, caller.sub, event.id);
    });
  }

  /**
   * Sends no mail, and is no change of what calendars or forms show. Does nothing when the event has that address.
   * @throws DomainError EVENT_NOT_FOUND, EVENT_NOT_PUBLISHED, SLUG_TAKEN, VALIDATION_FAILED, FORBIDDEN
   */
  changeSlug(caller: CallingManager, { eventId, slug }: ChangeEventSlugRequest): Promise<EventPage> {
    return this.change(caller, eventId, async (manager) => {
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      if (event.status === 'draft') throw new DomainError('EVENT_NOT_PUBLISHED');
      if (event.slug === slug) return presentTo(manager, caller.sub, event.id);
      if (
        event.visibility === 'unlisted' &&
        slug.length > LIMITS.eventSlug - ENDING &&
        !slug.endsWith(event.slug!.slice(-ENDING))
      )
        throw invalidFields([
          'slug',
          `must leave room for ${ENDING} characters, in which the address of an unlisted event ends`,
        ]);
      const values = { slug: { before: event.slug, after: await changeSlug(manager, event, slug) } };
      await auditEvent(this.outbox, manager, 'event.updated', caller.sub, event, ['slug'], values);
      return presentTo(manager, caller.sub, event.id);
    });
  }

  /** Makes a link that shows a draft before it is published; an earlier link ends. @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  makePreview(caller: CallingManager, eventId: string): Promise<EventPreview> {
    return this.transaction(async (manager) => {
      const event = await managedEvent(manager, caller, eventId);
      const token = newToken();
      const createdAt = await replacePreview(manager, eventId, hashOf(token));
      await auditEvent(this.outbox, manager, 'event.previewMade', caller.sub, event);
      return { token, createdAt: createdAt.toISOString() };
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  async revokePreview(caller: CallingManager, eventId: string): Promise<void> {
    await this.transaction(async (manager) => {
      const event = await managedEvent(manager, caller, eventId);
      if (await removePreview(manager, eventId))
        await auditEvent(this.outbox, manager, 'event.previewRevoked', caller.sub, event);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  async preview(token: string): Promise<EventPage> {
    const { manager } = this.dataSource;
    const event = await previewedEvent(manager, hashOf(token));
    return presentPage(event, await contentOf(manager, event.id), null);
  }

  private change<T>(
    caller: CallingManager,
    eventId: string,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.publicCache.changing(() =>
      this.transaction(async (manager) => {
        await requireManager(manager, caller, eventId);
        return work(manager);
      }),
    );
  }

  private transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.dataSource, work, REFUSALS);
  }

  private async enter(
    manager: EntityManager,
    event: EventEntity,
    callerId: string,
    status: 'published' | 'cancelled',
    values: QueryDeepPartialEntity<EventEntity>,
  ): Promise<void> {
    await editAs(manager, callerId);
    const changes = { ...values, status, updatedAt: () => 'now()' };
    await manager.update(EventEntity, { id: event.id }, changes);
    const after = auditValues(event, { status });
    await auditEvent(this.outbox, manager, `event.${status}`, callerId, event, [], after);
  }
}
