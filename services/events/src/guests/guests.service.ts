import { Injectable } from '@nestjs/common';
import {
  type AddGuestRequest,
  type AuditAction,
  type AuditValues,
  type ChangeGuestRequest,
  DomainError,
  type Guest,
  LIMITS,
  type ListGuestsRequest,
  type Page,
  type PageRequest,
  type PlaceGuestRequest,
  REGISTERED,
  type RemoveGuestRequest,
} from '@meetmark/contracts';
import { inTransaction, keysetPage, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager, type QueryDeepPartialEntity } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { type CallingManager, requireManager } from '../events/event-managers.js';
import { checkInsOf, insertCheckIns, lockDoor, lockGuests, undoCheckIns } from './check-ins.repository.js';
import { addPlace, auditEvent } from '../events/event-notices.js';
import type { EventEntity } from '../events/event.entity.js';
import { databaseTime, eventSeenBy, lockEvent, managedEvent } from '../events/events.repository.js';
import { PublicCache } from '../public-cache.js';
import { lockOwnPlace } from '../registrations/registrations.repository.js';
import { GuestEntity, presentGuest } from './guest.entity.js';
import {
  BY_ARRIVAL,
  findGuest,
  guestsOf,
  guestWithAddress,
  hasNoShows,
  insertGuest,
  keepPlace,
  placeGuest,
  presentedGuest,
  removeGuest,
  searchedGuests,
} from './guests.repository.js';

const pageOf = ({ found, counted }: ReturnType<typeof guestsOf>, page: PageRequest) =>
  keysetPage(found, page, BY_ARRIVAL, counted);

/** What organisers do with the guest list of an event. */
@Injectable()
export class GuestsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly publicCache: PublicCache,
  ) {}

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  list(caller: CallingManager, { limit, cursor, ...filter }: ListGuestsRequest): Promise<Page<Guest>> {
    return inTransaction(this.dataSource, async (manager) => {
      const event = await managedEvent(manager, caller, filter.eventId);
      const page = await (filter.q
        ? searchedGuests(manager, filter, filter.q, { limit, cursor })
        : pageOf(guestsOf(manager, filter), { limit, cursor }));
      const noShows = await hasNoShows(manager, event);
      return { ...page, items: page.items.map((guest) => presentGuest(guest, noShows)) };
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, EVENT_NOT_PUBLISHED, EVENT_CANCELLED, GUEST_EXISTS, EVENT_FULL, FORBIDDEN */
  add(
    caller: CallingManager,
    { eventId, name, email = null, raiseCapacity }: AddGuestRequest,
  ): Promise<Guest> {
    return this.change(caller, eventId, async (manager) => {
      const known = email === null ? null : await guestWithAddress(manager, eventId, email);
      const event = await this.lock(manager, eventId, known?.userId ?? null);
      // again: with the event's row locked no other request adds a guest
      const present = email === null ? null : await guestWithAddress(manager, eventId, email);
      if (present !== null && present.status !== 'cancelled') throw new DomainError('GUEST_EXISTS');
      await this.makeRoom(manager, caller.sub, event, raiseCapacity);
      const id = await insertGuest(manager, eventId, { name, email });
      await this.audit(manager, 'event.guestAdded', caller, event);
      return presentedGuest(manager, event, id);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, GUEST_NOT_FOUND, EVENT_NOT_PUBLISHED, EVENT_CANCELLED, NOT_REGISTERED, FORBIDDEN */
  edit(
    caller: CallingManager,
    { eventId, guestId, note, paid, checkedIn }: ChangeGuestRequest,
  ): Promise<Guest> {
    return this.change(caller, eventId, async (manager) => {
      const event = await eventSeenBy(manager, { sub: caller.sub, isAdmin: true }, eventId);
      // before any row is locked, as phones at the door do
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
        await auditEvent(this.outbox, manager, 'event.guestUpdated', caller.sub, event, changed, came);
      return presentedGuest(manager, event, guestId);
    });
  }

  /** What the door says of a guest, corrected. The caller holds the door. Returns what changed. */
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
      const known = await checkInsOf(manager, event.id, { keys: [], registrationIds: [guestId] });
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
  place(caller: CallingManager, { eventId, guestId, raiseCapacity }: PlaceGuestRequest): Promise<Guest> {
    return this.change(caller, eventId, async (manager) => {
      const { event, guest } = await this.lockGuest(manager, eventId, guestId);
      if (guest.status !== REGISTERED) {
        await this.makeRoom(manager, caller.sub, event, raiseCapacity);
        await placeGuest(manager, guest);
        await this.audit(manager, 'event.guestPlaced', caller, event);
      }
      return presentedGuest(manager, event, guestId);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, GUEST_NOT_FOUND, FORBIDDEN */
  remove(caller: CallingManager, { eventId, guestId, reason = null }: RemoveGuestRequest): Promise<void> {
    return this.change(caller, eventId, async (manager) => {
      const { event, guest } = await this.lockGuest(manager, eventId, guestId);
      if (guest.status === 'cancelled') return;
      await removeGuest(manager, guestId, reason);
      await this.audit(manager, 'event.guestRemoved', caller, event);
    });
  }

  /** @param callerId null: an account that is gone made the door link. @throws DomainError EVENT_NOT_PUBLISHED, EVENT_CANCELLED, EVENT_FULL */
  async makeRoom(
    manager: EntityManager,
    callerId: string | null,
    event: EventEntity,
    raiseCapacity = false,
  ): Promise<void> {
    const { status, capacity, registrationCount, waitingCount } = event;
    if (status === 'draft') throw new DomainError('EVENT_NOT_PUBLISHED');
    if (status === 'cancelled') throw new DomainError('EVENT_CANCELLED');
    if (capacity === null || registrationCount < capacity) return;
    if (!raiseCapacity || capacity >= LIMITS.capacityMax)
      throw new DomainError('EVENT_FULL', { waiting: waitingCount });
    await keepPlace(manager, event.id);
    await addPlace(this.outbox, manager, callerId, event);
  }

  /** The event's row, after the place of a member, as REGISTER takes it. */
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

  /** Asks for an entry about the event: the log keeps no names of people without an account. */
  private audit(
    manager: EntityManager,
    action: AuditAction,
    { sub }: CallingManager,
    event: EventEntity,
  ): Promise<void> {
    return auditEvent(this.outbox, manager, action, sub, event);
  }

  private change<T>(
    caller: CallingManager,
    eventId: string,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.publicCache.changing(() =>
      inTransaction(this.dataSource, async (manager) => {
        await requireManager(manager, caller, eventId);
        return work(manager);
      }),
    );
  }
}
