import { createHash, randomBytes } from 'node:crypto';
import { DomainError, type OwnSession, type SessionUser } from '@meetmark/contracts';
import { Injectable, Logger } from '@nestjs/common';
import Bowser from 'bowser';
import type { FastifyRequest } from 'fastify';
import { wideNetwork } from '../networks.js';
import { KnownDevices, PendingSignIns } from './browser-cookies.js';
import { GatewaySessionStore } from './session-store.js';
import {
  confirmedAt,
  expiryFrom,
  isFresh,
  needsTouch,
  type LoadedSession,
  type StoredSession,
} from './session.js';

/** Random bytes of a session's id. */
const ID_BYTES = 24;
const DEVICE_LENGTH = 60;

/** Begins, prolongs and ends the session of a browser. */
@Injectable()
export class Sessions {
  private readonly logger = new Logger('Sessions');

  constructor(
    private readonly store: GatewaySessionStore,
    private readonly devices: KnownDevices,
    private readonly pending: PendingSignIns,
  ) {}

  /**
   * The last step of every sign-in.
   * @throws DomainError SECOND_FACTOR_REQUIRED when the account has a second factor: startAfterSecondStep() is then the last step
   */
  async start(request: FastifyRequest, member: SessionUser): Promise<void> {
    await this.pending.requireSecondStep(request, member);
    await this.startAfterSecondStep(request, member);
  }

  async startAfterSecondStep(request: FastifyRequest, member: SessionUser): Promise<void> {
    request.subjectEmail = member.user.email;
    await this.begin(request, member, Date.now());
    this.remember(request, member);
  }

  /** The browser as one of the account's, once its address is proved: until then a stranger may have made the account with it. */
  remember(request: FastifyRequest, { user }: SessionUser): void {
    if (user.emailVerifiedAt !== null) this.devices.remember(request, user.email);
  }

  /** Continues the browser's session after its own request has raised the user's epoch. */
  renew(request: FastifyRequest, member: SessionUser): Promise<void> {
    const { session } = request;
    return this.begin(request, member, session === null ? Date.now() : confirmedAt(session));
  }

  /** Records that the user has just proved who they are. @throws DomainError UNAUTHORIZED when the session was ended meanwhile */
  async confirm(request: FastifyRequest): Promise<void> {
    if ((await this.store.confirm(loaded(request))) === null) throw new DomainError('UNAUTHORIZED');
  }

  /** When the user last proved who they are. */
  confirmedAt({ session }: FastifyRequest): number | undefined {
    return session === null ? undefined : confirmedAt(session);
  }

  /** Whether the user has proved who they are within the last ten minutes. */
  isFresh({ session }: FastifyRequest): boolean {
    return session !== null && isFresh(session, Date.now());
  }

  async listOwn(request: FastifyRequest): Promise<OwnSession[]> {
    const { sid, user } = loaded(request);
    const sessions = await this.store.listOf(user.user.id, user.epoch);
    return sessions.map((session) => presentSession(session, sid));
  }

  /** When somebody last used one of their sessions, to the hour; null when none is open. */
  async lastUsed(userId: string, epoch: number): Promise<string | null> {
    const used = (await this.store.listOf(userId, epoch)).map(({ usedAt, createdAt }) => usedAt ?? createdAt);
    return used.length === 0 ? null : new Date(Math.max(...used)).toISOString();
  }

  /** @throws DomainError SESSION_NOT_FOUND */
  async endOwn(request: FastifyRequest, id: string): Promise<void> {
    const { user } = loaded(request);
    const sessions = await this.store.listOf(user.user.id, user.epoch);
    const session = sessions.find(({ sid }) => publicId(sid) === id);
    if (session === undefined) throw new DomainError('SESSION_NOT_FOUND');
    await this.store.end(session.sid);
  }

  /** A new session under a new id, so that no id from before the sign-in is valid; an earlier session ends. */
  private async begin(
    request: FastifyRequest,
    { user, epoch }: SessionUser,
    confirmedAt: number,
  ): Promise<void> {
    if (request.session !== null) await this.store.end(request.session.sid);
    const sid = randomBytes(ID_BYTES).toString('base64url');
    const createdAt = Date.now();
    const expire = expiryFrom(createdAt, createdAt);
    await this.store.insert(sid, {
      ...{ userId: user.id, epoch, createdAt, expire, confirmedAt, usedAt: createdAt },
      device: deviceOf(request),
      network: wideNetwork(request.ip),
    });
    request.newCookie = { sid, expire }; // after the insert, so that no cookie names a session that was not stored
  }

  /**
   * Ends the session that the cookie names, also one that could not be loaded: a second attempt after a failed one must reach the
   * record.
   */
  async end(request: FastifyRequest): Promise<void> {
    if (request.claimedSid === null) return;
    await this.store.end(request.claimedSid);
    request.newCookie = null;
  }

  /** Whether keepUp() has something to do. */
  needsUpkeep({ session }: FastifyRequest): boolean {
    return session !== null && needsTouch(session, Date.now());
  }

  /** Prolongs the session at most once an hour. If that fails, the next request does it. */
  async keepUp(request: FastifyRequest): Promise<void> {
    const { session } = request;
    if (session === null) return;
    try {
      const prolonged = await this.store.prolong(session);
      if (prolonged !== null) request.newCookie = { sid: session.sid, expire: prolonged.expire };
    } catch (error) {
      this.logger.warn({ err: error, msg: 'a session could not be prolonged' });
    }
  }
}

function loaded({ session }: FastifyRequest): LoadedSession {
  if (session === null) throw new DomainError('UNAUTHORIZED');
  return session;
}

/** The public name of a session, because its id is the secret of its browser. */
function publicId(sid: string): string {
  const hex = createHash('sha256').update(`session id:${sid}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

const presentSession = (session: StoredSession & { sid: string }, own: string): OwnSession => ({
  id: publicId(session.sid),
  current: session.sid === own,
  device: session.device ?? null,
  network: session.network ?? null,
  createdAt: new Date(session.createdAt).toISOString(),
  lastUsedAt: new Date(session.usedAt ?? session.createdAt).toISOString(),
});

/** Browser and system by the User-Agent header, which any client can invent: a name to show, not a fact. */
function deviceOf({ headers }: FastifyRequest): string | undefined {
  const { browser, os } = Bowser.parse(headers['user-agent'] ?? ' ');
  if (!browser.name) return undefined;
  return (os.name ? `${browser.name} on ${os.name}` : browser.name).slice(0, DEVICE_LENGTH);
}
