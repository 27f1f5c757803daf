import { promisify } from 'node:util';
import type { SessionUser } from '@meetmark/contracts';
import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GatewayConfig } from '../gateway.config.js';
import { cookieName } from './session-plugin.js';
import { expiryFrom, needsTouch, type LoadedSession } from './session.js';
import { GatewaySessionStore } from './session-store.js';

/** Begins, keeps up and ends the session of a browser. */
@Injectable()
export class Sessions {
  private readonly logger = new Logger('Sessions');

  constructor(
    private readonly config: GatewayConfig,
    private readonly store: GatewaySessionStore,
  ) {}

  /** A fresh session under a fresh id, whatever the browser came with (D13); an earlier one ends. */
  async begin(request: FastifyRequest, { user, epoch }: SessionUser): Promise<void> {
    // without a valid session the plugin has just made an id of its own: there is nothing to leave behind
    if (request.session.user !== undefined) await request.session.regenerate();
    const createdAt = Date.now();
    const expire = expiryFrom(createdAt, createdAt);
    Object.assign(request.session, { userId: user.id, epoch, createdAt, expire });
    await request.session.save(); // now, so that nobody is told of a session that was not kept
  }

  /**
   * Ends the session that the cookie names, also one that could not be loaded: a second try after a failed first one must
   * reach the record.
   */
  async end(request: FastifyRequest): Promise<void> {
    if (request.session.user !== undefined) return request.session.regenerate();
    const signed = request.cookies[cookieName(this.config)];
    const sid = signed === undefined ? null : request.unsignCookie(signed).value;
    if (sid !== null) await promisify(this.store.destroy.bind(this.store))(sid);
  }

  /** Moves the expiry on, at most once an hour. It can wait for the next request if it fails. */
  async keepUp(request: FastifyRequest): Promise<void> {
    const { session } = request;
    if (session.user === undefined || !needsTouch(session as LoadedSession, Date.now())) return;
    try {
      await session.save();
    } catch (error) {
      this.logger.warn({ err: error, msg: 'a session could not be prolonged' });
    }
  }
}
