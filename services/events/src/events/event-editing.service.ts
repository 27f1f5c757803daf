import { Injectable } from '@nestjs/common';
import {
  type Community,
  type CreateEventRequest,
  DomainError,
  type ErrorCode,
  type Event,
  type EventPage,
  type MakeSeriesRequest,
  type UpdateEventRequest,
  zoneOf,
} from '@meetmark/contracts';
import {
  type CallingAdministrator,
  editAs,
  InjectCommunity,
  inTransaction,
  OutboxWriter,
  PictureStore,
  requireOrganiser,
} from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { type CallingManager, requireManager } from './event-managers.js';
import { dismissWaiting, placeWaiting, removeRegistrations } from './participants.repository.js';
import { EventsConfig } from '../events.config.js';
import { PublicCache } from '../public-cache.js';
import {
  changedFields,
  changesEntry,
  checkMoments,
  coverFields,
  eventValues,
  type EventValues,
  formOf,
  notifiedState,
  toldChanges,
} from './event-changes.js';
import {
  contentOf,
  insertContent,
  lockMembers,
  membersThere,
  topicsThere,
  updateContent,
} from './event-content.repository.js';
import {
  changedContent,
  checkCoHosts,
  checkContent,
  checkDescription,
  checkMembers,
  checkTopics,
  contentAfterSameChange,
  contentOfForm,
  contentValues,
  type ContentValues,
  membersNamed,
  placed,
  withEvent,
} from './event-content.js';
import { announceEdit, auditEvent, auditValues, planAnnouncement } from './event-notices.js';
import { EventEntity, presentEvent } from './event.entity.js';
import { afterSameChange, followers } from './event-series.js';
import { requireUnanswered } from './questions.js';
import { keepRendered } from './rendered-texts.js';
import {
  databaseTime,
  eventSeenBy,
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
  event_topics_topic_id_fkey: 'TOPIC_NOT_FOUND',
  event_contents_answered_check: 'QUESTION_ANSWERED',
};

/** A change of one event. */
interface Change {
  before: EventEntity;
  after: EventValues;
  content: { before: ContentValues; after: ContentValues };
  request: UpdateEventRequest;
}

/** Fields that are kept as HTML and text as well. */
const RENDERED = ['description', 'descriptionFormat', 'recap'];

/** What may still be written of an event that is cancelled. */
const AFTERWARDS = ['resources', 'recap'] as const;

/** Changes of events by those who manage them. */
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

  /** @throws DomainError DATE_RANGE_INVALID, VALIDATION_FAILED, PICTURE_NOT_FOUND, REQUEST_IN_PROGRESS, FORBIDDEN */
  create(caller: CallingAdministrator, request: CreateEventRequest): Promise<EventPage> {
    return this.change(async (manager) => {
      await requireOrganiser(manager, caller);
      const { id = uuid() } = request;
      // a repeated request, whose answer was lost
      if (await manager.existsBy(EventEntity, { id, createdById: caller.sub }))
        return presentTo(manager, caller.sub, id);
      const banner = await this.pictures.apply(manager, request.banner);
      const { status = 'published' } = request;
      const fields = { ...placed(request, null), ...coverFields(request, banner, null) };
      const event = { ...eventValues(fields, banner), status, id, createdById: caller.sub };
      checkMoments(event, request);
      checkContent(event, request);
      checkMembers(request, await lockMembers(manager, membersNamed(request)));
      checkTopics(request, await topicsThere(manager, request));
      const content = contentOfForm(fields);
      checkCoHosts(request, content);
      await manager.insert(EventEntity, event);
      await insertContent(manager, id, content, caller.sub);
      await keepRendered(manager, id);
      await planAnnouncement(manager, event, { ...request, publishes: status === 'published' });
      await auditEvent(this.outbox, manager, 'event.created', caller.sub, event);
      return presentTo(manager, caller.sub, event.id);
    });
  }

  /**
   * Fields that the request omits stay as they are. A repeated request changes nothing and is no conflict.
   * @throws DomainError EVENT_NOT_FOUND, EVENT_CANCELLED, EDIT_CONFLICT, WAITLIST_NOT_EMPTY, REGISTRATION_CLOSED, CAPACITY_BELOW_REGISTERED, DATE_RANGE_INVALID, VALIDATION_FAILED, QUESTION_ANSWERED, FORBIDDEN
   */
  update(caller: CallingManager, request: UpdateEventRequest): Promise<EventPage> {
    return this.change(async (manager) => {
      await requireManager(manager, caller, request.eventId);
      const members = await lockMembers(manager, [
        ...membersNamed(request),
        ...(await membersThere(manager, request)),
      ]);
      const { event: before, later } = await lockForEdit(manager, request.eventId, request.scope === 'later');
      for (const { id } of later) await requireManager(manager, caller, id);
      if (before.status === 'cancelled' && AFTERWARDS.every((field) => request[field] === undefined))
        throw new DomainError('EVENT_CANCELLED');
      const fields = placed(request, before);
      const banner = await this.pictures.apply(manager, request.banner, before.bannerHash);
      const cover = coverFields(request, banner, before.bannerHash);
      const after = eventValues({ ...formOf(before), ...fields, ...cover }, banner);
      const present = contentValues(await contentOf(manager, before.id));
      const content = {
        before: present,
        after: contentOfForm(fields, withEvent(present, before, after, this.community)),
      };
      const changed = [...changedFields(before, after), ...changedContent(content.before, content.after)];
      if (
        before.status === 'cancelled' &&
        !changed.every((field) => AFTERWARDS.some((name) => name === field))
      )
        throw new DomainError('EVENT_CANCELLED');
      checkContent(after, request);
      checkDescription(after, request);
      checkMembers(request, members);
      checkTopics(request, await topicsThere(manager, request));
      checkCoHosts(request, content.after);
      if (changed.length > 0) await requireVersion(manager, before, request.version, caller.sub);
      await this.save(manager, caller.sub, { before, after, content, request });
      await planAnnouncement(manager, { ...after, id: before.id, status: before.status }, request);
      for (const other of later) {
        const same = afterSameChange(before, after, other, this.community);
        const own = contentValues(await contentOf(manager, other.id));
        const there = { content: own, before: other, after: same };
        // a time for publishing is checked of the event that the request is about; published ones keep none
        await this.save(manager, caller.sub, {
          before: other,
          after: same,
          content: {
            before: own,
            after: contentAfterSameChange({ ...content, span: after }, there, this.community),
          },
          request: { ...request, publishAt: null },
        });
      }
      return presentTo(manager, caller.sub, before.id);
    });
  }

  /** Drafts like the event, linked with it. @throws DomainError EVENT_NOT_FOUND, EVENT_CANCELLED, SERIES_EXISTS, FORBIDDEN */
  makeSeries(caller: CallingManager, { eventId, every, count }: MakeSeriesRequest): Promise<Event[]> {
    return this.change(async (manager) => {
      await requireManager(manager, caller, eventId);
      const content = contentValues(await contentOf(manager, eventId));
      await lockMembers(manager, membersNamed(content));
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      if (event.status === 'cancelled') throw new DomainError('EVENT_CANCELLED');
      if (event.seriesId !== null) throw new DomainError('SERIES_EXISTS');
      const seriesId = uuid();
      await manager.update(EventEntity, { id: event.id }, { seriesId });
      const made: Event[] = [];
      const values = eventValues(formOf(event), event.bannerHash);
      const zone = zoneOf(event, this.community);
      for (const follower of followers(values, { every, count, zone })) {
        const draft = {
          ...follower,
          status: 'draft',
          id: uuid(),
          seriesId,
          createdById: event.createdById,
        } as const;
        await manager.insert(EventEntity, draft);
        const same = { ...withEvent(content, event, draft, this.community), recap: null };
        await insertContent(manager, draft.id, same, caller.sub);
        await keepRendered(manager, draft.id);
        await auditEvent(this.outbox, manager, 'event.created', caller.sub, draft);
        made.push(presentEvent(await eventSeenBy(manager, { sub: caller.sub, isAdmin: true }, draft.id)));
      }
      return made;
    });
  }

  /**
   * Removes the event and its registrations, sends mails to those who were registered or waited for an event that is not over and was not
   * cancelled before, and keeps for calendars that it is cancelled.
   * @throws DomainError EVENT_NOT_FOUND, FORBIDDEN
   */
  async delete(caller: CallingManager, eventId: string): Promise<void> {
    await this.change(async (manager) => {
      await requireManager(manager, caller, eventId);
      const removed = await removeRegistrations(manager, eventId);
      const event = await lockEvent(manager, eventId, 'pessimistic_write');
      const registered = removed.flatMap(({ waiting, userId }) =>
        waiting || userId === null ? [] : [userId],
      );
      await keepForCalendars(manager, event.id, registered);
      if (event.status === 'published') await notifyCancelled(manager, event, removed);
      await auditEvent(this.outbox, manager, 'event.deleted', caller.sub, event);
      await manager.delete(EventEntity, { id: eventId });
    });
  }

  private change<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.publicCache.changing(() => inTransaction(this.dataSource, work, REFUSALS));
  }

  /** Saves the change of one event. The request may also say what becomes of those who wait. */
  private async save(manager: EntityManager, callerId: string, edit: Change): Promise<void> {
    const { before, request } = edit;
    const after = { ...edit.after };
    const endsWaiting = before.waitingCount > 0 && !after.waitlistEnabled && request.waitlistOff;
    if (endsWaiting === 'promote' && after.startDate <= (await databaseTime(manager)))
      throw new DomainError('REGISTRATION_CLOSED');
    if (endsWaiting === 'promote' && after.capacity !== null)
      after.capacity = Math.max(after.capacity, before.registrationCount + before.waitingCount);
    checkMoments({ ...after, status: before.status }, request);
    if (after.capacity !== null && after.capacity < before.registrationCount)
      throw new DomainError('CAPACITY_BELOW_REGISTERED', { registered: before.registrationCount });
    if (before.waitingCount > 0 && !after.waitlistEnabled && !endsWaiting)
      throw new DomainError('WAITLIST_NOT_EMPTY', { waiting: before.waitingCount });
    const changed = changedFields(before, after);
    const changedThere = changedContent(edit.content.before, edit.content.after);
    if (changed.length + changedThere.length > 0)
      await this.write(manager, callerId, { ...edit, after }, { changed, changedThere });
    // while registration is open, the change itself has given the places; this gives those that are left
    if (endsWaiting === 'promote') await placeWaiting(manager, before.id, null);
    if (endsWaiting === 'dismiss') await dismissWaiting(manager, before.id, null);
  }

  private async write(
    manager: EntityManager,
    callerId: string,
    { before, after, content, request: { notify, note = null } }: Change,
    { changed, changedThere }: { changed: string[]; changedThere: (keyof ContentValues)[] },
  ): Promise<void> {
    const all = [...changed, ...changedThere];
    if (changedThere.includes('questions'))
      await requireUnanswered(manager, before.id, content.before.questions, content.after.questions);
    const sequence = before.sequence + (changesEntry(all) ? 1 : 0);
    await editAs(manager, callerId);
    await manager.update(EventEntity, { id: before.id }, { ...after, sequence, updatedAt: () => 'now()' });
    await updateContent(manager, before.id, content.after, changedThere, callerId);
    if (all.some((field) => RENDERED.includes(field))) await keepRendered(manager, before.id);
    await auditEvent(
      this.outbox,
      manager,
      'event.updated',
      callerId,
      { id: before.id, title: after.title },
      all,
      auditValues(before, after),
    );
    const states = {
      before: notifiedState(before, content.before),
      after: notifiedState(after, content.after),
    };
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
