import { Controller } from '@nestjs/common';
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
  GetDoor,
  type EventIdRequest,
  CreateDoorLink,
  RevokeDoorLink,
  GetDoorSnapshot,
  type DoorRequest,
  CheckIn,
  WalkIn,
  GetOwnCode,
  FindVenue,
  type FindVenueRequest,
  CheckInSelf,
} from '@meetmark/contracts';
import { inTransaction, OutboxWriter, Handles, type Call, callerId } from '@meetmark/platform';
import { DataSource, type EntityManager, In, Not } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { lockMembers } from '../events/content/event-content.repository.js';
import { lockDoor } from '../registrations/participants.repository.js';
import { auditEvent } from '../events/notices/event-notices.js';
import { EventEntity } from '../events/core/event.entity.js';
import { databaseTime, eventSeenBy, lockEvent, managedEvent } from '../events/core/events.repository.js';
import { guestWithAddress, insertGuest, makeRoom } from '../guests/guests.repository.js';
import { PublicCache } from '../public-cache.js';
import { RegistrationEntity } from '../registrations/registration.entity.js';
import { hashToken, newToken } from '../secret-address.js';
import {
  fetchCounts,
  eventsOfOthers,
  insertLink,
  keepRefusals,
  type LinkRow,
  fetchLink,
  fetchLinks,
  countEmails,
  fetchRefusals,
  requireRoomForLink,
  revokeLink,
} from './door.repository.js';
import {
  fetchCheckIns,
  type CheckInRow,
  insertCheckIns,
  lockGuests,
  namedGuests,
  undoCheckIns,
} from '../guests/check-ins.repository.js';
import { GuestCodes } from './guest-codes.js';

@Controller()
export class DoorService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly codes: GuestCodes,
    private readonly publicCache: PublicCache,
  ) {}

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  @Handles(GetDoor)
  get({ eventId }: EventIdRequest, call: Call): Promise<Door> {
    return this.managed(call, eventId, async (manager) => ({
      links: (await fetchLinks(manager, eventId)).map(presentLink),
      refusals: (await fetchRefusals(manager, eventId)).map(({ at, receivedAt, ...refusal }) => ({
        ...refusal,
        at: at.toISOString(),
        receivedAt: receivedAt.toISOString(),
      })),
      venueCode: this.codes.getVenueCode(eventId),
      counts: await fetchCounts(manager, eventId),
    }));
  }

  /** @throws DomainError EVENT_NOT_FOUND, EVENT_NOT_PUBLISHED, DOOR_LINK_ENDED, DOOR_LINK_LIMIT, FORBIDDEN */
  @Handles(CreateDoorLink)
  createLink({ eventId }: EventIdRequest, call: Call): Promise<NewDoorLink> {
    return this.managed(call, eventId, async (manager, event) => {
      if (event.status === 'draft') throw new DomainError('EVENT_NOT_PUBLISHED');
      const token = newToken();
      const link = {
        id: uuid(),
        eventId: event.id,
        createdById: callerId(call),
        tokenHash: hashToken(token),
      };
      await requireRoomForLink(manager, event.id);
      await insertLink(manager, link);
      await auditEvent(this.outbox, manager, 'event.doorLinkMade', callerId(call), event);
      const made = (await fetchLink(manager, link.tokenHash))!;
      if (getEndReason(made) !== null) throw new DomainError('DOOR_LINK_ENDED');
      return { ...presentLink(made), token };
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, DOOR_LINK_NOT_FOUND, FORBIDDEN */
  @Handles(RevokeDoorLink)
  revokeLink({ eventId, linkId }: DoorLinkRequest, call: Call): Promise<void> {
    return this.managed(call, eventId, async (manager, event) => {
      if (!(await revokeLink(manager, eventId, linkId))) throw new DomainError('DOOR_LINK_NOT_FOUND');
      await auditEvent(this.outbox, manager, 'event.doorLinkRevoked', callerId(call), event);
    });
  }

  /** @throws DomainError DOOR_LINK_ENDED */
  @Handles(GetDoorSnapshot)
  async snapshot({ token }: DoorRequest): Promise<DoorSnapshot> {
    const { manager } = this.dataSource;
    const link = await fetchLink(manager, hashToken(token));
    if (link === null || getEndReason(link) !== null) throw new DomainError('DOOR_LINK_ENDED');
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
        codeDigest: this.codes.getCodeDigest(id),
      })),
    };
  }

  /** @throws DomainError DOOR_LINK_ENDED */
  @Handles(CheckIn)
  async checkIn({ token, sentAt, items }: CheckInRequest): Promise<DoorResult[]> {
    const results = await inTransaction(this.dataSource, async (manager) => {
      const link = await fetchLink(manager, hashToken(token));
      if (link === null) return null;
      const seen = items.map((item) => ({
        ...lowerCased(item),
        at: toDatabaseTime(item.at, sentAt, link),
        phoneAt: new Date(item.at),
        registrationIds: this.named(item),
      }));
      const ended = getEndReason(link);
      const takenBack = new Set(seen.map(({ undo }) => undo));
      const came = seen.filter(({ key, undo }) => undo === undefined && !takenBack.has(key));
      if (ended !== null) return keepRefusals(manager, link, ended, came);
      return this.letIn(manager, link, seen);
    });
    if (!results) throw new DomainError('DOOR_LINK_ENDED');
    return results;
  }

  /** @throws DomainError DOOR_LINK_ENDED, EVENT_FULL, EVENT_CANCELLED, DOOR_MAIL_LIMIT */
  @Handles(WalkIn)
  async walkIn({ token, sentAt, at, key, ...typed }: WalkInRequest): Promise<DoorResult> {
    const result = await this.publicCache.transaction(async (manager) => {
      const link = await fetchLink(manager, hashToken(token));
      if (link === null) return null;
      const walked = { key: key.toLowerCase(), at: toDatabaseTime(at, sentAt, link), phoneAt: new Date(at) };
      const ended = getEndReason(link);
      const { name, email = null } = typed;
      if (ended !== null)
        return keepRefusals(manager, link, ended, [{ ...walked, name, email, registrationIds: [] }]);
      // if the walk-in raises the capacity, the link's creator is the editor, unless that account was deleted
      const { createdById: maker } = link;
      const present = maker === null ? undefined : await lockMembers(manager, [maker]);
      const createdById = present?.has(maker!) ? maker : null;
      return this.letWalkIn(manager, { ...link, createdById }, { ...walked, ...typed, email });
    });
    if (!result) throw new DomainError('DOOR_LINK_ENDED');
    return result;
  }

  /** @throws DomainError EVENT_NOT_FOUND, NOT_REGISTERED */
  @Handles(GetOwnCode)
  async ownCode({ eventId }: EventIdRequest, call: Call): Promise<GuestCode> {
    const userId = callerId(call);
    const { manager } = this.dataSource;
    await eventSeenBy(manager, { sub: userId, isAdmin: false }, eventId);
    return { code: this.codes.getGuestCode((await this.ownPlace(manager, userId, eventId)).id) };
  }

  @Handles(FindVenue)
  async findVenue({ code }: FindVenueRequest): Promise<ScannedCode> {
    const found = await this.dataSource.manager.findOne(EventEntity, {
      select: { id: true },
      where: { id: In(this.codes.getEventIds(code)), status: Not('draft') },
    });
    return { eventId: found?.id ?? null };
  }

  /** @throws DomainError EVENT_NOT_FOUND, CODE_INVALID, NOT_REGISTERED, CHECK_IN_CLOSED, EVENT_CANCELLED */
  @Handles(CheckInSelf)
  checkInSelf({ eventId, venueCode }: SelfCheckInRequest, call: Call): Promise<SelfCheckIn> {
    const userId = callerId(call);
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
    const [earlier] = await fetchCheckIns(manager, eventId, { keys: [key], registrationIds: [] });
    const known = walked.email === null ? null : await guestWithAddress(manager, eventId, walked.email);
    const there = known === null || known.status === 'cancelled' ? undefined : known.id;
    let registrationId = earlier?.registrationId ?? there;
    let mails = false;
    if (registrationId === undefined) {
      const email = await this.mailable(manager, link, walked);
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      await makeRoom(this.outbox, manager, createdById, event, override);
      registrationId = await insertGuest(manager, eventId, { name, email });
      mails = email !== null;
    }
    const item = { ...walked, registrationIds: [registrationId] };
    const [result] = await this.letIn(manager, link, [item], mails);
    return result!;
  }

  /**
   * Returns the email address, or null if the link has reached its email limit and the phone overrides it.
   * Call it with the door lock held, so that the count includes concurrent requests.
   */
  private async mailable(
    manager: EntityManager,
    { id }: LinkRow,
    { email, override = false }: WalkedIn,
  ): Promise<string | null> {
    if (email === null || (await countEmails(manager, id)) < DOOR_MAILS) return email;
    if (!override) throw new DomainError('DOOR_MAIL_LIMIT');
    return null;
  }

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
    const known = await fetchCheckIns(manager, eventId, { keys, registrationIds: [...guests.keys()] });
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
      const isIn = log.getFirstCheckIn(guest.id) !== null;
      if (guest.state !== REGISTERED && !item.override && !isIn)
        return { ...who, result: 'not-registered', state: guest.state };
      return { ...who, ...log.enter(guest.id, item) };
    });
    await insertCheckIns(manager, { eventId, linkId: link.id, mails }, log.made);
    await undoCheckIns(manager, eventId, log.undone);
    return results;
  }

  private named({ guestId, code }: DoorItem): string[] {
    if (guestId !== undefined) return [guestId.toLowerCase()];
    return code === undefined ? [] : this.codes.getRegistrationIds(code);
  }

  private managed<T>(
    call: Call,
    eventId: string,
    work: (manager: EntityManager, event: EventEntity) => Promise<T>,
  ): Promise<T> {
    return inTransaction(this.dataSource, async (manager) =>
      work(manager, await managedEvent(manager, call, eventId)),
    );
  }
}

interface Moments {
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

class CheckInLog {
  readonly made: CheckInRow[] = [];
  readonly undone: string[] = [];
  private readonly byKey: Map<string, CheckInRow>;
  private readonly byGuest = new Map<string, CheckInRow[]>();

  constructor(known: CheckInRow[]) {
    this.byKey = new Map(known.map((row) => [row.key, row]));
    for (const row of known) this.keep(row);
  }

  getFirstCheckIn(guestId: string): Date | null {
    const standing = (this.byGuest.get(guestId) ?? []).filter(({ undone }) => !undone);
    return standing.length === 0 ? null : new Date(Math.min(...standing.map(({ at }) => at.getTime())));
  }

  answerTo(key: string): { registrationId: string; answer: Answer } | null {
    const row = this.byKey.get(key);
    if (row === undefined) return null;
    const at = this.getFirstCheckIn(row.registrationId)?.toISOString() ?? null;
    return { registrationId: row.registrationId, answer: { result: row.letIn ? 'ok' : 'already', at } };
  }

  enter(guestId: string, { key, at, phoneAt }: Moments & { key: string }): Answer {
    const first = this.getFirstCheckIn(guestId);
    if (first !== null && first <= at) return { result: 'already', at: first.toISOString() };
    const row = { key, registrationId: guestId, at, phoneAt, undone: false, letIn: first === null };
    this.byKey.set(key, row);
    this.keep(row);
    this.made.push(row);
    return { result: row.letIn ? 'ok' : 'already', at: at.toISOString() };
  }

  /** Compares the times that the phone's clock gave, because messages may arrive late. */
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
        at: this.getFirstCheckIn(guestId)?.toISOString() ?? null,
      };
    if (!row.undone) {
      row.undone = true;
      if (!this.made.includes(row)) this.undone.push(key);
    }
    return { result: 'ok', guestId, at: this.getFirstCheckIn(guestId)?.toISOString() ?? null };
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

/** Converts a phone's time to the database's clock, limited to between the link's creation and now. */
function toDatabaseTime(at: string, sentAt: string, { now, createdAt }: LinkRow): Date {
  const corrected = Date.parse(at) + now.getTime() - Date.parse(sentAt);
  return new Date(Math.min(now.getTime(), Math.max(createdAt.getTime(), corrected)));
}

function getEndReason({ revokedAt, makerManages, expiresAt, now }: LinkRow): 'revoked' | 'expired' | null {
  if (revokedAt !== null || !makerManages) return 'revoked';
  return expiresAt <= now ? 'expired' : null;
}

const presentLink = (link: LinkRow): DoorLink => ({
  id: link.id,
  madeBy: link.madeBy,
  works: getEndReason(link) === null,
  createdAt: link.createdAt.toISOString(),
  revokedAt: link.revokedAt?.toISOString() ?? null,
  expiresAt: link.expiresAt.toISOString(),
});
