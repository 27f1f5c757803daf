import { Controller } from '@nestjs/common';
import {
  type Community,
  type CreateEventRequest,
  DomainError,
  type ErrorCode,
  type Event,
  type EventPage,
  type MakeSeriesRequest,
  type UpdateEventRequest,
  getZone,
  CreateEvent,
  UpdateEvent,
  MakeSeries,
  DeleteEvent,
  type EventIdRequest,
} from '@meetmark/contracts';
import {
  editAs,
  InjectCommunity,
  OutboxWriter,
  PictureStore,
  requireOrganiser,
  Handles,
  type Call,
  requireIdentity,
  callerId,
} from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { requireManager } from './event-managers.js';
import {
  dismissWaiting,
  placeWaiting,
  removeRegistrations,
} from '../../registrations/participants.repository.js';
import { EventsConfig } from '../../events.config.js';
import { requireRoomForDrafts } from './drafts.js';
import { PublicCache } from '../../public-cache.js';
import { changedFields, changesEntry, checkMoments, coverFields, eventValues } from './event-changes.js';
import {
  fetchContent,
  insertContent,
  lockMembers,
  lockTopics,
  membersThere,
  topicsOfSeries,
  updateContent,
} from '../content/event-content.repository.js';
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
  withLocation,
  withMovedAgenda,
} from '../content/event-content.js';
import {
  scheduleChangeEmail,
  auditEvent,
  auditValues,
  notifiedState,
  planAnnouncement,
  toldChanges,
} from '../notices/event-notices.js';
import { EventEntity, type EventValues, toForm, presentEvent } from './event.entity.js';
import { afterSameChange, followers } from '../series/event-series.js';
import { requireUnanswered } from '../content/questions.js';
import { keepRendered } from '../content/rendered-texts.js';
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

interface Change {
  before: EventEntity;
  after: EventValues;
  content: { before: ContentValues; after: ContentValues };
  request: UpdateEventRequest;
}

const RENDERED = ['description', 'descriptionFormat', 'recap'];

const AFTERWARDS = ['resources', 'recap'] as const;

@Controller()
export class EventEditingService {
  constructor(
    private readonly outbox: OutboxWriter,
    private readonly pictures: PictureStore,
    private readonly publicCache: PublicCache,
    private readonly config: EventsConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** @throws DomainError DATE_RANGE_INVALID, DRAFT_LIMIT, VALIDATION_FAILED, PICTURE_NOT_FOUND, REQUEST_IN_PROGRESS, FORBIDDEN */
  @Handles(CreateEvent)
  create(request: CreateEventRequest, call: Call): Promise<EventPage> {
    return this.change(async (manager) => {
      await requireOrganiser(manager, requireIdentity(call));
      const { id = uuid() } = request;
      // a client that got no response sends the same id again
      if (await manager.existsBy(EventEntity, { id, createdById: callerId(call) }))
        return presentTo(manager, callerId(call), id);
      const banner = await this.pictures.apply(manager, request.banner);
      const { status = 'published' } = request;
      const fields = { ...withLocation(request, null), ...coverFields(request, banner, null) };
      const event = { ...eventValues(fields, banner), status, id, createdById: callerId(call) };
      checkMoments(event, request);
      checkContent(event, request);
      checkMembers(request, await lockMembers(manager, membersNamed(request)));
      checkTopics(request, await lockTopics(manager, request.topics ?? []));
      const content = contentOfForm(fields);
      checkCoHosts(request, content);
      if (status === 'draft') await requireRoomForDrafts(manager, callerId(call));
      await manager.insert(EventEntity, event);
      await insertContent(manager, id, content, callerId(call));
      await keepRendered(manager, id);
      await planAnnouncement(manager, event, { ...request, publishes: status === 'published' });
      await auditEvent(this.outbox, manager, 'event.created', callerId(call), event);
      return presentTo(manager, callerId(call), event.id);
    });
  }

  /**
   * A repeated request changes nothing and isn't a conflict.
   * @throws DomainError EVENT_NOT_FOUND, EVENT_CANCELLED, EDIT_CONFLICT, WAITLIST_NOT_EMPTY,
   * REGISTRATION_CLOSED, CAPACITY_BELOW_REGISTERED, DATE_RANGE_INVALID, VALIDATION_FAILED, QUESTION_ANSWERED,
   * FORBIDDEN
   */
  @Handles(UpdateEvent)
  update(request: UpdateEventRequest, call: Call): Promise<EventPage> {
    return this.change(async (manager) => {
      await requireManager(manager, call, request.eventId);
      const members = await lockMembers(manager, [
        ...membersNamed(request),
        ...(await membersThere(manager, request)),
      ]);
      const topics = await lockTopics(manager, [
        ...(request.topics ?? []),
        ...(await topicsOfSeries(manager, request)),
      ]);
      const { event: before, later } = await lockForEdit(manager, request.eventId, request.scope === 'later');
      for (const { id } of later) await requireManager(manager, call, id);
      if (before.status === 'cancelled' && AFTERWARDS.every((field) => request[field] === undefined))
        throw new DomainError('EVENT_CANCELLED');
      const fields = withLocation(request, before);
      const banner = await this.pictures.apply(manager, request.banner, before.bannerHash);
      const cover = coverFields(request, banner, before.bannerHash);
      const after = eventValues({ ...toForm(before), ...fields, ...cover }, banner);
      const present = contentValues(await fetchContent(manager, before.id));
      const content = {
        before: present,
        after: contentOfForm(fields, withMovedAgenda(present, before, after, this.community)),
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
      checkTopics(request, topics);
      checkCoHosts(request, content.after);
      if (changed.length > 0) await requireVersion(manager, before, request.version, callerId(call));
      await this.save(manager, callerId(call), { before, after, content, request });
      await planAnnouncement(manager, { ...after, id: before.id, status: before.status }, request);
      for (const other of later) {
        const same = afterSameChange(before, after, other, this.community);
        const own = contentValues(await fetchContent(manager, other.id));
        const there = { content: own, before: other, after: same };
        // publishAt was checked for the edited event. Among the later events, only drafts get a new one.
        await this.save(manager, callerId(call), {
          before: other,
          after: same,
          content: {
            before: own,
            after: contentAfterSameChange({ ...content, span: after }, there, this.community),
          },
          request: { ...request, publishAt: null },
        });
      }
      return presentTo(manager, callerId(call), before.id);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, EVENT_CANCELLED, SERIES_EXISTS, DRAFT_LIMIT, FORBIDDEN */
  @Handles(MakeSeries)
  makeSeries({ eventId, every, count }: MakeSeriesRequest, call: Call): Promise<Event[]> {
    return this.change(async (manager) => {
      await requireManager(manager, call, eventId);
      const unlocked = contentValues(await fetchContent(manager, eventId));
      await lockMembers(manager, membersNamed(unlocked));
      await lockTopics(manager, unlocked.topics);
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      // reads the content again, because a member or a topic may have been deleted meanwhile
      const content = contentValues(await fetchContent(manager, eventId));
      if (event.status === 'cancelled') throw new DomainError('EVENT_CANCELLED');
      if (event.seriesId !== null) throw new DomainError('SERIES_EXISTS');
      const seriesId = uuid();
      await manager.update(EventEntity, { id: event.id }, { seriesId });
      const made: Event[] = [];
      const values = eventValues(toForm(event), event.bannerHash);
      const zone = getZone(event, this.community);
      await requireRoomForDrafts(manager, event.createdById, count - 1);
      for (const follower of followers(values, { every, count, zone })) {
        const draft = {
          ...follower,
          status: 'draft',
          id: uuid(),
          seriesId,
          createdById: event.createdById,
        } as const;
        await manager.insert(EventEntity, draft);
        const same = { ...withMovedAgenda(content, event, draft, this.community), recap: null };
        await insertContent(manager, draft.id, same, callerId(call));
        await keepRendered(manager, draft.id);
        await auditEvent(this.outbox, manager, 'event.created', callerId(call), draft);
        made.push(presentEvent(await eventSeenBy(manager, { sub: callerId(call), isAdmin: true }, draft.id)));
      }
      return made;
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  @Handles(DeleteEvent)
  async delete({ eventId }: EventIdRequest, call: Call): Promise<void> {
    await this.change(async (manager) => {
      await requireManager(manager, call, eventId);
      const removed = await removeRegistrations(manager, eventId);
      const event = await lockEvent(manager, eventId, 'pessimistic_write');
      const registered = removed.flatMap(({ waiting, userId }) =>
        waiting || userId === null ? [] : [userId],
      );
      await keepForCalendars(manager, event.id, registered);
      if (event.status === 'published') await notifyCancelled(manager, event, removed);
      await auditEvent(this.outbox, manager, 'event.deleted', callerId(call), event);
      await manager.delete(EventEntity, { id: eventId });
    });
  }

  private change<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.publicCache.transaction(work, REFUSALS);
  }

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
    // the edit itself promotes people only while registration is open. These calls handle the others.
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
    if (before.endDate <= now && after.endDate <= now) return;
    const notBefore = new Date(now.getTime() + this.config.eventChangedDelay * 1000);
    const told = toldChanges(states.before, states.after, notify);
    await scheduleChangeEmail(this.outbox, manager, {
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
