import { Injectable } from '@nestjs/common';
import {
  type CheckInRequest,
  type Door,
  type DoorItem,
  type DoorLink,
  type DoorLinkRequest,
  type DoorResult,
  type DoorSnapshot,
  DOOR_MAILS,
  DOOR_UNDO_WITHIN,
  DomainError,
  type GuestCode,
  type NewDoorLink,
  REGISTERED,
  type ScannedCode,
  SELF_CHECK_IN_BEFORE,
  type SelfCheckIn,
  type SelfCheckInRequest,
  type WalkInRequest,
} from '@meetmark/contracts';
import { inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager, In, Not } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { type CallingManager } from '../events/event-managers.js';
import { auditEvent } from '../events/event-notices.js';
import { EventEntity } from '../events/event.entity.js';
import { databaseTime, eventSeenBy, lockEvent, managedEvent } from '../events/events.repository.js';
import { guestWithAddress, insertGuest } from '../guests/guests.repository.js';
import { GuestsService } from '../guests/guests.service.js';
import { PublicCache } from '../public-cache.js';
import { RegistrationEntity } from '../events/registration.entity.js';
import { hashOf, newToken } from '../secret-address.js';
import {
  countsOf,
  eventsOfOthers,
  insertLink,
  keepRefusals,
  type LinkRow,
  linkOf,
  linksOf,
  mailsOf,
  refusalsOf,
  revokeLink,
} from './door.repository.js';
import {
  checkInsOf,
  type CheckInRow,
  insertCheckIns,
  lockDoor,
  lockGuests,
  namedGuests,
  undoCheckIns,
} from '../guests/check-ins.repository.js';
import { GuestCodes } from './guest-codes.js';

/** Lets people in. */
@Injectable()
export class DoorService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly codes: GuestCodes,
    private readonly guests: GuestsService,
    private readonly publicCache: PublicCache,
  ) {}

  /** Shows the door to those who manage the event. @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  get(caller: CallingManager, eventId: string): Promise<Door> {
    return this.managed(caller, eventId, async (manager) => ({
      links: (await linksOf(manager, eventId)).map(presentLink),
      refusals: (await refusalsOf(manager, eventId)).map(({ at, receivedAt, ...refusal }) => ({
        ...refusal,
        at: at.toISOString(),
        receivedAt: receivedAt.toISOString(),
      })),
      venueCode: this.codes.venueCodeOf(eventId),
      counts: await countsOf(manager, eventId),
    }));
  }

  /** @throws DomainError EVENT_NOT_FOUND, EVENT_NOT_PUBLISHED, DOOR_LINK_ENDED, DOOR_LINK_LIMIT, FORBIDDEN */
  createLink(caller: CallingManager, eventId: string): Promise<NewDoorLink> {
    return this.managed(caller, eventId, async (manager, event) => {
      if (event.status === 'draft') throw new DomainError('EVENT_NOT_PUBLISHED');
      const token = newToken();
      const link = { id: uuid(), eventId, createdById: caller.sub, tokenHash: hashOf(token) };
      await insertLink(manager, link);
      await auditEvent(this.outbox, manager, 'event.doorLinkMade', caller.sub, event);
      const made = (await linkOf(manager, link.tokenHash))!;
      if (reasonOf(made) !== null) throw new DomainError('DOOR_LINK_ENDED');
      return { ...presentLink(made), token };
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, DOOR_LINK_NOT_FOUND, FORBIDDEN */
  revokeLink(caller: CallingManager, { eventId, linkId }: DoorLinkRequest): Promise<void> {
    return this.managed(caller, eventId, async (manager, event) => {
      if (!(await revokeLink(manager, eventId, linkId))) throw new DomainError('DOOR_LINK_NOT_FOUND');
      await auditEvent(this.outbox, manager, 'event.doorLinkRevoked', caller.sub, event);
    });
  }

  /** What a phone needs to go on without a network. @throws DomainError DOOR_LINK_ENDED */
  async snapshot(token: string): Promise<DoorSnapshot> {
    const { manager } = this.dataSource;
    const link = await linkOf(manager, hashOf(token));
    if (link === null || reasonOf(link) !== null) throw new DomainError('DOOR_LINK_ENDED');
    const guests = await namedGuests(manager, link.eventId);
    return {
      event: {
        id: link.eventId,
        title: link.title,
        startDate: link.startDate.toISOString(),
        endDate: link.endDate.toISOString(),
        cancelled: link.status === 'cancelled',
      },
      expiresAt: link.expiresAt.toISOString(),
      counts: {
        registered: guests.filter(({ state }) => state === REGISTERED).length,
        checkedIn: guests.filter(({ checkedInAt }) => checkedInAt !== null).length,
      },
      guests: guests.map(({ id, name, state, checkedInAt }) => ({
        ...{ id, name, state, checkedInAt: checkedInAt?.toISOString() ?? null },
        codeDigest: this.codes.digestOf(id),
      })),
    };
  }

  /** What phones have seen, in their order. @throws DomainError DOOR_LINK_ENDED, once the items are kept for the organisers */
  async checkIn({ token, sentAt, items }: CheckInRequest): Promise<DoorResult[]> {
    const results = await inTransaction(this.dataSource, async (manager) => {
      const link = await linkOf(manager, hashOf(token));
      if (link === null) return null;
      const seen = items.map((item) => ({
        ...lowerCased(item),
        at: momentOf(item.at, sentAt, link),
        phoneAt: new Date(item.at),
        registrationIds: this.named(item),
      }));
      const ended = reasonOf(link);
      const takenBack = new Set(seen.map(({ undo }) => undo));
      const came = seen.filter(({ key, undo }) => undo === undefined && !takenBack.has(key));
      if (ended !== null) return keepRefusals(manager, link, ended, came);
      return this.letIn(manager, link, seen);
    });
    if (!results) throw new DomainError('DOOR_LINK_ENDED');
    return results;
  }

  /**
   * Somebody who came without a place, or is on the list under this address.
   * @throws DomainError DOOR_LINK_ENDED, once they are kept for the organisers; EVENT_FULL, EVENT_CANCELLED, DOOR_MAIL_LIMIT
   */
  async walkIn({ token, sentAt, at, key, ...typed }: WalkInRequest): Promise<DoorResult> {
    const result = await this.publicCache.changing(() =>
      inTransaction(
        this.dataSource,
        async (manager) => {
          const link = await linkOf(manager, hashOf(token));
          if (link === null) return null;
          const walked = { key: key.toLowerCase(), at: momentOf(at, sentAt, link), phoneAt: new Date(at) };
          const ended = reasonOf(link);
          const { name, email = null } = typed;
          if (ended !== null)
            return keepRefusals(manager, link, ended, [{ ...walked, name, email, registrationIds: [] }]);
          return this.letWalkIn(manager, link, { ...walked, ...typed, email });
        },
        { door_mails_limit: 'DOOR_MAIL_LIMIT' },
      ),
    );
    if (!result) throw new DomainError('DOOR_LINK_ENDED');
    return result;
  }

  /** @throws DomainError EVENT_NOT_FOUND, NOT_REGISTERED */
  async ownCode(userId: string, eventId: string): Promise<GuestCode> {
    const { manager } = this.dataSource;
    await eventSeenBy(manager, { sub: userId, isAdmin: false }, eventId);
    return { code: this.codes.codeOf((await this.ownPlace(manager, userId, eventId)).id) };
  }

  /** The event whose venue shows this code; a draft has no venue yet. */
  async findVenue(code: string): Promise<ScannedCode> {
    const found = await this.dataSource.manager.findOne(EventEntity, {
      select: { id: true },
      where: { id: In(this.codes.eventsOf(code)), status: Not('draft') },
    });
    return { eventId: found?.id ?? null };
  }

  /** Checks a guest in who scans the venue's code with their own phone. @throws DomainError EVENT_NOT_FOUND, CODE_INVALID, NOT_REGISTERED, CHECK_IN_CLOSED, EVENT_CANCELLED */
  checkInSelf(userId: string, { eventId, venueCode }: SelfCheckInRequest): Promise<SelfCheckIn> {
    return inTransaction(this.dataSource, async (manager) => {
      const event = await eventSeenBy(manager, { sub: userId, isAdmin: false }, eventId);
      if (!this.codes.isVenueCode(venueCode, event.id)) throw new DomainError('CODE_INVALID');
      if (event.status === 'cancelled') throw new DomainError('EVENT_CANCELLED');
      const now = await databaseTime(manager);
      if (now.getTime() < event.startDate.getTime() - SELF_CHECK_IN_BEFORE || now >= event.endDate)
        throw new DomainError('CHECK_IN_CLOSED');
      await lockDoor(manager, eventId);
      const { id } = await this.ownPlace(manager, userId, eventId);
      const [guest] = await lockGuests(manager, eventId, [id]);
      if (guest?.state !== REGISTERED) throw new DomainError('NOT_REGISTERED');
      if (guest.checkedInAt !== null) return { checkedInAt: guest.checkedInAt.toISOString() };
      const made = { key: uuid(), registrationId: id, at: now, undone: false, letIn: true, phoneAt: null };
      await insertCheckIns(manager, { eventId, by: 'self' }, [made]);
      return { checkedInAt: now.toISOString() };
    });
  }

  private async ownPlace(
    manager: EntityManager,
    userId: string,
    eventId: string,
  ): Promise<RegistrationEntity> {
    const own = await manager.findOneBy(RegistrationEntity, { eventId, userId, status: REGISTERED });
    if (own === null) throw new DomainError('NOT_REGISTERED');
    return own;
  }

  private async letWalkIn(manager: EntityManager, link: LinkRow, walked: WalkedIn): Promise<DoorResult> {
    const { eventId, createdById } = link;
    const { key, name, override } = walked;
    await lockDoor(manager, eventId);
    const [earlier] = await checkInsOf(manager, eventId, { keys: [key], registrationIds: [] });
    const known = walked.email === null ? null : await guestWithAddress(manager, eventId, walked.email);
    const there = known === null || known.status === 'cancelled' ? undefined : known.id;
    let registrationId = earlier?.registrationId ?? there;
    let mails = false;
    if (registrationId === undefined) {
      const email = await this.mailable(manager, link, walked);
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      await this.guests.makeRoom(manager, createdById, event, override);
      registrationId = await insertGuest(manager, eventId, { name, email });
      mails = email !== null;
    }
    const item = { ...walked, registrationIds: [registrationId] };
    const [result] = await this.letIn(manager, link, [item], mails);
    return result!;
  }

  /** The address, unless the link has named as many as it may; then no guest is let in, or one without an address. */
  private async mailable(
    manager: EntityManager,
    { id }: LinkRow,
    { email, override = false }: WalkedIn,
  ): Promise<string | null> {
    if (email === null || (await mailsOf(manager, id)) < DOOR_MAILS) return email;
    if (!override) throw new DomainError('DOOR_MAIL_LIMIT');
    return null;
  }

  /** All changes of who is in at one event: they take turns. */
  private async letIn(
    manager: EntityManager,
    link: LinkRow,
    items: SeenItem[],
    mails = false,
  ): Promise<DoorResult[]> {
    const { eventId } = link;
    await lockDoor(manager, eventId);
    const ids = [...new Set(items.flatMap(({ registrationIds }) => registrationIds))];
    const guests = new Map((await lockGuests(manager, eventId, ids)).map((guest) => [guest.id, guest]));
    const others = await eventsOfOthers(
      manager,
      eventId,
      ids.filter((id) => !guests.has(id)),
    );
    const keys = items.flatMap(({ key, undo }) => (undo === undefined ? [key] : [key, undo]));
    const known = await checkInsOf(manager, eventId, { keys, registrationIds: [...guests.keys()] });
    const log = new CheckInLog(known);
    const results = items.map((item): DoorResult => {
      const { key, undo } = item;
      if (undo !== undefined) return { key, ...log.undo(undo, item) };
      const guest = item.registrationIds.map((id) => guests.get(id)).find((found) => found !== undefined);
      if (guest === undefined) {
        const title = item.registrationIds.map((id) => others.get(id)).find((found) => found !== undefined);
        return title === undefined ? { key, result: 'unknown' } : { key, result: 'wrong-event', title };
      }
      const who = { key, guestId: guest.id, name: guest.name };
      const before = log.answerTo(key);
      if (before !== null)
        return before.registrationId === guest.id ? { ...who, ...before.answer } : { key, result: 'unknown' };
      if (link.status === 'cancelled') return { ...who, result: 'refused', reason: 'event-cancelled' };
      const isIn = log.firstOf(guest.id) !== null;
      if (guest.state !== REGISTERED && !item.override && !isIn)
        return { ...who, result: 'not-registered', state: guest.state };
      return { ...who, ...log.enter(guest.id, item) };
    });
    await insertCheckIns(manager, { eventId, linkId: link.id, mails }, log.made);
    await undoCheckIns(manager, eventId, log.undone);
    return results;
  }

  /** What a phone says that it has seen: by id, or by code. */
  private named({ guestId, code }: DoorItem): string[] {
    if (guestId !== undefined) return [guestId.toLowerCase()];
    return code === undefined ? [] : this.codes.registrationsOf(code);
  }

  private managed<T>(
    caller: CallingManager,
    eventId: string,
    work: (manager: EntityManager, event: EventEntity) => Promise<T>,
  ): Promise<T> {
    return inTransaction(
      this.dataSource,
      async (manager) => work(manager, await managedEvent(manager, caller, eventId)),
      { door_links_limit: 'DOOR_LINK_LIMIT' },
    );
  }
}

interface Moments {
  /** When the guest came, by the database's clock. */
  at: Date;
  phoneAt: Date;
}

interface SeenItem extends Moments {
  key: string;
  registrationIds: string[];
  override?: boolean;
  undo?: string;
}

interface WalkedIn extends Moments {
  key: string;
  name: string;
  email: string | null;
  override?: boolean;
}

type Answer = Pick<DoorResult, 'result' | 'at'>;

/** The check-ins of an event as they are, and as they become: of each guest the earliest counts that was not taken back. */
class CheckInLog {
  readonly made: CheckInRow[] = [];
  readonly undone: string[] = [];
  private readonly byKey: Map<string, CheckInRow>;
  private readonly byGuest = new Map<string, CheckInRow[]>();

  constructor(known: CheckInRow[]) {
    this.byKey = new Map(known.map((row) => [row.key, row]));
    for (const row of known) this.keep(row);
  }

  firstOf(guestId: string): Date | null {
    const standing = (this.byGuest.get(guestId) ?? []).filter(({ undone }) => !undone);
    return standing.length === 0 ? null : new Date(Math.min(...standing.map(({ at }) => at.getTime())));
  }

  /** What a known key was answered; null for a key that comes for the first time. */
  answerTo(key: string): { registrationId: string; answer: Answer } | null {
    const row = this.byKey.get(key);
    if (row === undefined) return null;
    const at = this.firstOf(row.registrationId)?.toISOString() ?? null;
    return { registrationId: row.registrationId, answer: { result: row.letIn ? 'ok' : 'already', at } };
  }

  /** Who is in already is not let in again, but an earlier moment counts. */
  enter(guestId: string, { key, at, phoneAt }: Moments & { key: string }): Answer {
    const first = this.firstOf(guestId);
    if (first !== null && first <= at) return { result: 'already', at: first.toISOString() };
    const row = { key, registrationId: guestId, at, phoneAt, undone: false, letIn: first === null };
    this.byKey.set(key, row);
    this.keep(row);
    this.made.push(row);
    return { result: row.letIn ? 'ok' : 'already', at: at.toISOString() };
  }

  /** The two moments are compared by the one clock of the phone, however late they come. */
  undo(key: string, { at, phoneAt }: Moments): Omit<DoorResult, 'key'> {
    const row = this.byKey.get(key);
    if (row === undefined) return { result: 'unknown' };
    const guestId = row.registrationId;
    const regretted =
      row.phoneAt === null ? at.getTime() - row.at.getTime() : phoneAt.getTime() - row.phoneAt.getTime();
    if (Math.abs(regretted) > DOOR_UNDO_WITHIN)
      return {
        result: 'refused',
        reason: 'undo-too-late',
        guestId,
        at: this.firstOf(guestId)?.toISOString() ?? null,
      };
    if (!row.undone) {
      row.undone = true;
      if (!this.made.includes(row)) this.undone.push(key);
    }
    return { result: 'ok', guestId, at: this.firstOf(guestId)?.toISOString() ?? null };
  }

  private keep(row: CheckInRow): void {
    const rows = this.byGuest.get(row.registrationId) ?? [];
    rows.push(row);
    this.byGuest.set(row.registrationId, rows);
  }
}

const lowerCased = ({ key, undo, override }: DoorItem) => ({
  key: key.toLowerCase(),
  undo: undo?.toLowerCase(),
  override,
});

/** When a guest came by the database's clock, whatever the phone's clock says: never in the future, and never before the link was made. */
function momentOf(at: string, sentAt: string, { now, createdAt }: LinkRow): Date {
  const corrected = Date.parse(at) + now.getTime() - Date.parse(sentAt);
  return new Date(Math.min(now.getTime(), Math.max(createdAt.getTime(), corrected)));
}

/** Why a link has ended; null while it works. */
function reasonOf({ revokedAt, expiresAt, now }: LinkRow): 'revoked' | 'expired' | null {
  if (revokedAt !== null) return 'revoked';
  return expiresAt <= now ? 'expired' : null;
}

const presentLink = ({ id, createdAt, revokedAt, expiresAt }: LinkRow): DoorLink => ({
  id,
  createdAt: createdAt.toISOString(),
  revokedAt: revokedAt?.toISOString() ?? null,
  expiresAt: expiresAt.toISOString(),
});
