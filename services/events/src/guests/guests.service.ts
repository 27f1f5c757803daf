import { Controller } from '@nestjs/common';
import {
  type AddGuestRequest,
  type AuditValues,
  type ChangeGuestRequest,
  DomainError,
  type Guest,
  type ListGuestsRequest,
  type Page,
  type PlaceGuestRequest,
  REGISTERED,
  type RemoveGuestsRequest,
  ListGuests,
  AddGuest,
  ChangeGuest,
  PlaceGuest,
  RemoveGuests,
} from '@meetmark/contracts';
import { inTransaction, keysetPage, OutboxWriter, Handles, type Call, callerId } from '@meetmark/platform';
import { DataSource, type EntityManager, type QueryDeepPartialEntity } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { requireManager } from '../events/core/event-managers.js';
import { fetchCheckIns, insertCheckIns, lockGuests, undoCheckIns } from './check-ins.repository.js';
import { lockDoor } from '../registrations/participants.repository.js';
import { auditEvent } from '../events/notices/event-notices.js';
import type { EventEntity } from '../events/core/event.entity.js';
import { databaseTime, eventSeenBy, lockEvent, managedEvent } from '../events/core/events.repository.js';
import { PublicCache } from '../public-cache.js';
import { lockOwnPlace, lockRegistrations } from '../registrations/registrations.repository.js';
import { GuestEntity, presentGuest } from './guest.entity.js';
import {
  BY_ARRIVAL,
  findGuest,
  selectGuests,
  guestWithAddress,
  hasNoShows,
  insertGuest,
  makeRoom,
  placeGuest,
  presentedGuest,
  removeGuests,
  searchedGuests,
} from './guests.repository.js';

@Controller()
export class GuestsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly publicCache: PublicCache,
  ) {}

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  @Handles(ListGuests)
  list({ limit, cursor, uncounted, ...filter }: ListGuestsRequest, call: Call): Promise<Page<Guest>> {
    return inTransaction(this.dataSource, async (manager) => {
      const event = await managedEvent(manager, call, filter.eventId);
      const { found, counted } = selectGuests(manager, filter);
      const page = await (filter.q
        ? searchedGuests(manager, filter, filter.q, { limit, cursor })
        : keysetPage(found, { limit, cursor }, BY_ARRIVAL, uncounted ? null : counted));
      const noShows = await hasNoShows(manager, event);
      return { ...page, items: page.items.map((guest) => presentGuest(guest, noShows)) };
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, EVENT_NOT_PUBLISHED, EVENT_CANCELLED, GUEST_EXISTS, EVENT_FULL, FORBIDDEN */
  @Handles(AddGuest)
  add({ eventId, name, email = null, raiseCapacity }: AddGuestRequest, call: Call): Promise<Guest> {
    return this.change(call, eventId, async (manager) => {
      const known = email === null ? null : await guestWithAddress(manager, eventId, email);
      const event = await this.lock(manager, eventId, known?.userId ?? null);
      // checks again now that the lock keeps other requests from adding the same guest
      const present = email === null ? null : await guestWithAddress(manager, eventId, email);
      if (present !== null && present.status !== 'cancelled') throw new DomainError('GUEST_EXISTS');
      await makeRoom(this.outbox, manager, callerId(call), event, raiseCapacity);
      const id = await insertGuest(manager, eventId, { name, email });
      await auditEvent(this.outbox, manager, 'event.guestAdded', callerId(call), event);
      return presentedGuest(manager, event, id);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, GUEST_NOT_FOUND, EVENT_NOT_PUBLISHED, EVENT_CANCELLED, NOT_REGISTERED, FORBIDDEN */
  @Handles(ChangeGuest)
  edit({ eventId, guestId, note, paid, checkedIn }: ChangeGuestRequest, call: Call): Promise<Guest> {
    return this.change(call, eventId, async (manager) => {
      const event = await eventSeenBy(manager, { sub: callerId(call), isAdmin: true }, eventId);
      // takes the door lock before locking registrations, in the same order as check-ins at the door
      if (checkedIn !== undefined) await lockDoor(manager, eventId);
      const guest = await findGuest(manager, eventId, guestId);
      if (guest === null) throw new DomainError('GUEST_NOT_FOUND');
      const values: QueryDeepPartialEntity<GuestEntity> = {};
      if (note !== undefined && note !== guest.note) values.note = note;
      if (paid !== undefined && paid !== (guest.paidAt !== null)) values.paidAt = paid ? () => 'now()' : null;
      if (Object.keys(values).length > 0) await manager.update(GuestEntity, { id: guestId }, values);
      const changed = Object.keys(values).map((name) => (name === 'paidAt' ? 'paid' : name));
      const came = checkedIn === undefined ? {} : await this.correct(manager, event, guestId, checkedIn);
      if (changed.length > 0 || Object.keys(came).length > 0)
        await auditEvent(this.outbox, manager, 'event.guestUpdated', callerId(call), event, changed, came);
      return presentedGuest(manager, event, guestId);
    });
  }

  /** The caller holds the door lock. */
  private async correct(
    manager: EntityManager,
    event: EventEntity,
    guestId: string,
    checkedIn: boolean,
  ): Promise<AuditValues> {
    const [guest] = await lockGuests(manager, event.id, [guestId]);
    if (guest === undefined) throw new DomainError('GUEST_NOT_FOUND');
    if (checkedIn === (guest.checkedInAt !== null)) return {};
    const before = guest.checkedInAt?.toISOString() ?? null;
    if (!checkedIn) {
      const known = await fetchCheckIns(manager, event.id, { keys: [], registrationIds: [guestId] });
      await undoCheckIns(
        manager,
        event.id,
        known.map(({ key }) => key),
      );
      return { checkedIn: { before, after: null } };
    }
    if (event.status === 'draft') throw new DomainError('EVENT_NOT_PUBLISHED');
    if (event.status === 'cancelled') throw new DomainError('EVENT_CANCELLED');
    if (guest.state !== REGISTERED) throw new DomainError('NOT_REGISTERED');
    const at = await databaseTime(manager);
    const made = { key: uuid(), registrationId: guestId, at, undone: false, letIn: true, phoneAt: null };
    await insertCheckIns(manager, { eventId: event.id, by: 'organiser' }, [made]);
    return { checkedIn: { before, after: at.toISOString() } };
  }

  /** @throws DomainError EVENT_NOT_FOUND, EVENT_CANCELLED, GUEST_NOT_FOUND, EVENT_FULL, FORBIDDEN */
  @Handles(PlaceGuest)
  place({ eventId, guestId, raiseCapacity }: PlaceGuestRequest, call: Call): Promise<Guest> {
    return this.change(call, eventId, async (manager) => {
      const { event, guest } = await this.lockGuest(manager, eventId, guestId);
      if (guest.status !== REGISTERED) {
        await makeRoom(this.outbox, manager, callerId(call), event, raiseCapacity);
        await placeGuest(manager, guest);
        await auditEvent(this.outbox, manager, 'event.guestPlaced', callerId(call), event);
      }
      return presentedGuest(manager, event, guestId);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, GUEST_NOT_FOUND, FORBIDDEN */
  @Handles(RemoveGuests)
  remove({ eventId, ids, reason = null }: RemoveGuestsRequest, call: Call): Promise<void> {
    return this.change(call, eventId, async (manager) => {
      await lockRegistrations(manager, eventId, ids);
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      const { found, removed } = await removeGuests(manager, eventId, ids, reason);
      if (found === 0) throw new DomainError('GUEST_NOT_FOUND');
      for (let n = 0; n < removed; n += 1)
        await auditEvent(this.outbox, manager, 'event.guestRemoved', callerId(call), event);
    });
  }

  /** Locks in the same order as REGISTER, to prevent deadlocks. */
  private async lock(manager: EntityManager, eventId: string, userId: string | null): Promise<EventEntity> {
    if (userId !== null) await lockOwnPlace(manager, eventId, userId);
    return lockEvent(manager, eventId, 'for_no_key_update');
  }

  private async lockGuest(manager: EntityManager, eventId: string, guestId: string) {
    const { userId = null } = (await findGuest(manager, eventId, guestId)) ?? {};
    const event = await this.lock(manager, eventId, userId);
    const guest = await findGuest(manager, eventId, guestId);
    if (guest === null) throw new DomainError('GUEST_NOT_FOUND');
    return { event, guest };
  }

  private change<T>(call: Call, eventId: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.publicCache.transaction(async (manager) => {
      await requireManager(manager, call, eventId);
      return work(manager);
    });
  }
}
