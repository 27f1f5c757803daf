import { randomBytes } from 'node:crypto';
import type { SessionUser } from '@meetmark/contracts';
import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { KnownDevices } from './known-devices.js';
import { expiryFrom, needsTouch } from './session.js';
import { GatewaySessionStore } from './session-store.js';

/** Bytes of chance in a session's id. */
const ID_BYTES = 24;

/** How somebody came in. */
export type SignInMethod = 'sign-up' | 'password' | 'code' | 'link';

/** Begins, keeps up and ends the session of a browser. */
@Injectable()
export class Sessions {
  private readonly logger = new Logger('Sessions');

  constructor(
    private readonly store: GatewaySessionStore,
    private readonly devices: KnownDevices,
  ) {}

  /** Where every way in ends: what a session asks of its user beside what `method` has shown is asked here. */
  async start(request: FastifyRequest, member: SessionUser, _method: SignInMethod): Promise<void> {
    await this.begin(request, member);
    this.devices.remember(request, member.user.email);
  }

  /** The session that the browser has goes on after its user's epoch was raised by the request itself. */
  renew(request: FastifyRequest, member: SessionUser): Promise<void> {
    return this.begin(request, member);
  }

  /** A fresh session under a fresh id, whatever the browser came with (D13); an earlier one ends. */
  private async begin(request: FastifyRequest, { user, epoch }: SessionUser): Promise<void> {
    if (request.session !== null) await this.store.end(request.session.sid);
    const sid = randomBytes(ID_BYTES).toString('base64url');
    const createdAt = Date.now();
    const expire = expiryFrom(createdAt, createdAt);
    await this.store.insert(sid, { userId: user.id, epoch, createdAt, expire });
    request.newCookie = { sid, expire }; // now, so that nobody is told of a session that was not kept
  }

  /**
   * Ends the session that the cookie names, also one that could not be loaded: a second try after a failed first one must
   * reach the record.
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

  /** Moves the expiry on, at most once an hour. It can wait for the next request if it fails. */
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
