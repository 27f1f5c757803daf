import type { SessionStore } from '@fastify/session';
import { DomainError, GetSessionUser, type SessionUser } from '@meetmark/contracts';
import { mapDatabaseError, RpcClient } from '@meetmark/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { Session } from 'fastify';
import { expiryFrom, isOver, type LoadedSession, type StoredSession } from './session.js';
import { SessionCache } from './session-cache.js';
import { SessionRecords } from './session-records.js';

declare module 'fastify' {
  // present once somebody is signed in; `user` only on a session that was loaded, not on one made in this request
  interface Session extends Partial<LoadedSession> {}
}

type Done<T = unknown> = (error: unknown, result?: T) => void;

/** The user of a session may be deleted between the check of their password and the first write of their session. */
const CONSTRAINTS = { sessions_user_id_fkey: 'UNAUTHORIZED' } as const;

/**
 * What @fastify/session keeps its sessions in: PostgreSQL is the record, Redis the read-through copy (D14). Any failure is
 * a 503 and never 'nobody is signed in' (0.6); nothing brings back a session that has ended (0.5).
 */
@Injectable()
export class GatewaySessionStore implements SessionStore {
  private readonly logger = new Logger('Sessions');

  constructor(
    private readonly cache: SessionCache,
    private readonly records: SessionRecords,
    private readonly rpc: RpcClient,
  ) {}

  get(sid: string, done: Done<Session | null>): void {
    // the cookie's own fields are made anew from the options, so none are kept
    this.settle(this.load(sid) as Promise<Session | null>, done);
  }

  set(sid: string, session: Session, done: Done): void {
    this.settle(this.save(sid, session), done);
  }

  destroy(sid: string, done: Done): void {
    this.settle(this.end(sid), done);
  }

  /** The session if it stands; one round trip to Redis unless something is missing there. */
  async load(sid: string): Promise<LoadedSession | null> {
    const cached = await this.cache.load(sid);
    const session = cached.session === undefined ? await this.fromRecord(sid) : cached.session;
    if (session === null || isOver(session, Date.now())) return null;
    const user = cached.user === 'ask' ? await this.ask(session.userId) : cached.user;
    if (user === null || user.epoch !== session.epoch) return null;
    return { ...session, user };
  }

  private async fromRecord(sid: string): Promise<StoredSession | null> {
    const session = await this.records.find(sid);
    if (session !== null) await this.cache.fill(sid, session);
    return session;
  }

  private ask(userId: string): Promise<SessionUser | null> {
    return this.rpc.call(GetSessionUser, { userId }, { identity: null });
  }

  /** Inserts an id of this request, moves the expiry of a loaded one, and does nothing for one that holds nobody. */
  private async save(sid: string, session: Session): Promise<void> {
    const { userId, epoch, createdAt, user } = session;
    if (userId === undefined || epoch === undefined || createdAt === undefined) return;
    const stored = { userId, epoch, createdAt, expire: expiryFrom(Date.now(), createdAt) };
    if (user === undefined) await this.records.insert(sid, stored);
    else if (!(await this.records.update(sid, stored))) return;
    await this.cache.replace(sid, stored);
  }

  private async end(sid: string): Promise<void> {
    await this.records.remove(sid);
    await this.cache.end(sid);
  }

  private settle<T>(work: Promise<T>, done: Done<T>): void {
    work.then(
      (result) => done(null, result),
      (error: unknown) => done(this.refusal(error)),
    );
  }

  private refusal(error: unknown): DomainError {
    const known = mapDatabaseError(error, CONSTRAINTS);
    if (known instanceof DomainError) return known;
    this.logger.warn({ err: error, msg: 'the session store did not answer' });
    return new DomainError('SERVICE_UNAVAILABLE', undefined, { cause: error });
  }
}
