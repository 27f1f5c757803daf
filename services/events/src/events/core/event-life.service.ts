import { Controller } from '@nestjs/common';
import {
  type CancelEventRequest,
  type ChangeEventSlugRequest,
  DomainError,
  type ErrorCode,
  EventChanged,
  type EventPage,
  type EventPreview,
  type PreviewLink,
  invalidFields,
  LIMITS,
  type PublishEventRequest,
  PublishEvent,
  CancelEvent,
  ChangeEventSlug,
  CreateEventPreview,
  type EventIdRequest,
  GetEventPreviewLink,
  RevokeEventPreview,
  GetEventPreview,
  type EventPreviewRequest,
} from '@meetmark/contracts';
import { editAs, inTransaction, OutboxWriter, Handles, type Call, callerId } from '@meetmark/platform';
import { DataSource, type EntityManager, type QueryDeepPartialEntity } from 'typeorm';
import { requireManager } from './event-managers.js';
import { PublicCache } from '../../public-cache.js';
import { hashToken, newToken } from '../../secret-address.js';
import { participants } from '../../registrations/participants.repository.js';
import { auditEvent, auditValues, planAnnouncement, releaseAnnouncement } from '../notices/event-notices.js';
import { askNamed, fetchContent } from '../content/event-content.repository.js';
import { presentPage } from '../content/event-content.js';
import { EventEntity } from './event.entity.js';
import {
  changeSlug,
  ENDING,
  findPreview,
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

@Controller()
export class EventLifeService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly publicCache: PublicCache,
  ) {}

  /**
   * Does nothing if the event is published already.
   * @throws DomainError EVENT_NOT_FOUND, EVENT_CANCELLED, EDIT_CONFLICT, VALIDATION_FAILED, FORBIDDEN
   */
  @Handles(PublishEvent)
  publish({ eventId, version, announce }: PublishEventRequest, call: Call): Promise<EventPage> {
    return this.change(call, eventId, async (manager) => {
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      if (event.status === 'cancelled') throw new DomainError('EVENT_CANCELLED');
      if (event.status === 'draft') {
        await requireVersion(manager, event, version, callerId(call));
        await planAnnouncement(manager, event, { announce, publishes: true });
        await this.enter(manager, event, callerId(call), 'published', { publishAt: null });
        await releaseAnnouncement(manager, eventId);
        await askNamed(manager, eventId);
      }
      return presentTo(manager, callerId(call), event.id);
    });
  }

  /**
   * Does nothing if the event is cancelled already.
   * @throws DomainError EVENT_NOT_FOUND, EVENT_IS_DRAFT, EDIT_CONFLICT, FORBIDDEN
   */
  @Handles(CancelEvent)
  cancel({ eventId, version, reason }: CancelEventRequest, call: Call): Promise<EventPage> {
    return this.change(call, eventId, async (manager) => {
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      if (event.status === 'draft') throw new DomainError('EVENT_IS_DRAFT');
      if (event.status === 'published') {
        await requireVersion(manager, event, version, callerId(call));
        const cancelReason = reason ?? null;
        await this.enter(manager, event, callerId(call), 'cancelled', {
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
      return presentTo(manager, callerId(call), event.id);
    });
  }

  /**
   * Sends no email, and doesn't count as an edit.
   * @throws DomainError EVENT_NOT_FOUND, EVENT_NOT_PUBLISHED, SLUG_TAKEN, VALIDATION_FAILED, FORBIDDEN
   */
  @Handles(ChangeEventSlug)
  changeSlug({ eventId, slug }: ChangeEventSlugRequest, call: Call): Promise<EventPage> {
    return this.change(call, eventId, async (manager) => {
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      if (event.status === 'draft') throw new DomainError('EVENT_NOT_PUBLISHED');
      if (event.slug === slug) return presentTo(manager, callerId(call), event.id);
      if (
        event.visibility === 'unlisted' &&
        slug.length > LIMITS.eventSlug - ENDING &&
        !slug.endsWith(event.slug!.slice(-ENDING))
      )
        throw invalidFields([
          'slug',
          `must leave room for ${ENDING} more characters, because the slug of an unlisted event has a random ending`,
        ]);
      const values = { slug: { before: event.slug, after: await changeSlug(manager, event, slug) } };
      await auditEvent(this.outbox, manager, 'event.updated', callerId(call), event, ['slug'], values);
      return presentTo(manager, callerId(call), event.id);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  @Handles(CreateEventPreview)
  makePreview({ eventId }: EventIdRequest, call: Call): Promise<EventPreview> {
    return this.transaction(async (manager) => {
      const event = await managedEvent(manager, call, eventId);
      const token = newToken();
      const createdAt = await replacePreview(manager, eventId, callerId(call), hashToken(token));
      await auditEvent(this.outbox, manager, 'event.previewMade', callerId(call), event);
      return { token, createdAt: createdAt.toISOString() };
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  @Handles(GetEventPreviewLink)
  previewLink({ eventId }: EventIdRequest, call: Call): Promise<PreviewLink | null> {
    return this.transaction(async (manager) => {
      await managedEvent(manager, call, eventId);
      return findPreview(manager, eventId);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  @Handles(RevokeEventPreview)
  async revokePreview({ eventId }: EventIdRequest, call: Call): Promise<void> {
    await this.transaction(async (manager) => {
      const event = await managedEvent(manager, call, eventId);
      if (await removePreview(manager, eventId))
        await auditEvent(this.outbox, manager, 'event.previewRevoked', callerId(call), event);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  @Handles(GetEventPreview)
  async preview({ token }: EventPreviewRequest): Promise<EventPage> {
    const { manager } = this.dataSource;
    const event = await previewedEvent(manager, hashToken(token));
    return presentPage(event, await fetchContent(manager, event.id), null);
  }

  private change<T>(call: Call, eventId: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.publicCache.transaction(async (manager) => {
      await requireManager(manager, call, eventId);
      return work(manager);
    }, REFUSALS);
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
