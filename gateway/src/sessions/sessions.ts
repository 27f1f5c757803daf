import { createHash, randomBytes } from 'node:crypto';
import { DomainError, type FreshSignInFor, type OwnSession, type SessionUser } from '@meetmark/contracts';
import { cutText } from '@meetmark/contracts/cut-text';
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

const ID_BYTES = 24;
const DEVICE_LENGTH = 60;

@Injectable()
export class Sessions {
  private readonly logger = new Logger('Sessions');

  constructor(
    private readonly store: GatewaySessionStore,
    private readonly devices: KnownDevices,
    private readonly pending: PendingSignIns,
  ) {}

  /**
   * Completes a sign-in for an account without a second factor.
   * @throws DomainError SECOND_FACTOR_REQUIRED. Call `startAfterSecondStep` after the second step.
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

  /** Skips accounts with an unverified email address, because a stranger may have created them. */
  remember(request: FastifyRequest, { user }: SessionUser): void {
    if (user.emailVerifiedAt !== null) this.devices.remember(request, user.email);
  }

  /** Starts a new session after the request raised the user's epoch, which ended all sessions. */
  renew(request: FastifyRequest, member: SessionUser): Promise<void> {
    const { session } = request;
    return this.begin(request, member, session === null ? Date.now() : confirmedAt(session));
  }

  /** @throws DomainError UNAUTHORIZED if the session has ended */
  async confirm(request: FastifyRequest): Promise<void> {
    if ((await this.store.confirm(loaded(request))) === null) throw new DomainError('UNAUTHORIZED');
  }

  confirmedAt({ session }: FastifyRequest): number | undefined {
    return session === null ? undefined : confirmedAt(session);
  }

  isFresh({ session }: FastifyRequest, kind: FreshSignInFor): boolean {
    return session !== null && isFresh(session, kind, Date.now());
  }

  async listOwn(request: FastifyRequest): Promise<OwnSession[]> {
    const { sid, user } = loaded(request);
    const sessions = await this.store.listSessions(user.user.id, user.epoch);
    return sessions.map((session) => presentSession(session, sid));
  }

  async lastUsed(userId: string, epoch: number): Promise<string | null> {
    const used = (await this.store.listSessions(userId, epoch)).map(
      ({ usedAt, createdAt }) => usedAt ?? createdAt,
    );
    return used.length === 0 ? null : new Date(Math.max(...used)).toISOString();
  }

  /**
   * @param id public id of the session
   * @throws DomainError SESSION_NOT_FOUND
   */
  async endOwn(request: FastifyRequest, id: string): Promise<void> {
    const { user } = loaded(request);
    const sessions = await this.store.listSessions(user.user.id, user.epoch);
    const session = sessions.find(({ sid }) => publicId(sid) === id);
    if (session === undefined) throw new DomainError('SESSION_NOT_FOUND');
    await this.store.end(session.sid);
  }

  /** Creates a new session id, so that an id from before the sign-in is useless. */
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
      device: describeDevice(request),
      network: wideNetwork(request.ip),
    });
    request.newCookie = { sid, expire }; // Set after the insert, so that the cookie's session exists.
  }

  /** Ends the session even if it couldn't be loaded, so that a repeated sign-out also deletes the record. */
  async end(request: FastifyRequest): Promise<void> {
    if (request.claimedSid === null) return;
    await this.store.end(request.claimedSid);
    request.newCookie = null;
  }

  needsUpkeep({ session }: FastifyRequest): boolean {
    return session !== null && needsTouch(session, Date.now());
  }

  async keepUp(request: FastifyRequest): Promise<void> {
    const { session } = request;
    if (session === null) return;
    try {
      const prolonged = await this.store.prolong(session);
      if (prolonged !== null) request.newCookie = { sid: session.sid, expire: prolonged.expire };
    } catch (error) {
      this.logger.warn({ err: error, msg: 'Could not extend a session' });
    }
  }
}

function loaded({ session }: FastifyRequest): LoadedSession {
  if (session === null) throw new DomainError('UNAUTHORIZED');
  return session;
}

/** Hashes the session id, because the id itself is the browser's secret. */
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

/** Only for display, because clients can send anything. */
function describeDevice({ headers }: FastifyRequest): string | undefined {
  const { browser, os } = Bowser.parse(headers['user-agent'] ?? ' ');
  if (!browser.name) return undefined;
  return cutText(os.name ? `${browser.name} on ${os.name}` : browser.name, DEVICE_LENGTH);
}
