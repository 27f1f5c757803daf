import { DomainError, GetSessionUser, type SessionUser } from '@meetmark/contracts';
import { mapDatabaseError, RpcClient } from '@meetmark/platform';
import { Injectable, Logger } from '@nestjs/common';
import { expiryFrom, isOver, type LoadedSession, type StoredSession } from './session.js';
import { SessionCache } from './session-cache.js';
import { SessionRecords } from './session-records.js';

/** The user of a session may be deleted between the check of their password and the first write of their session. */
const CONSTRAINTS = { sessions_user_id_fkey: 'UNAUTHORIZED' } as const;

/**
 * What sessions are kept in: PostgreSQL is the record, Redis the read-through copy (D14). Any failure is a 503 and never
 * 'nobody is signed in' (0.6); nothing brings back a session that has ended (0.5).
 */
@Injectable()
export class GatewaySessionStore {
  private readonly logger = new Logger('Sessions');

  constructor(
    private readonly cache: SessionCache,
    private readonly records: SessionRecords,
    private readonly rpc: RpcClient,
  ) {}

  /** The session if it stands; one round trip to Redis unless something is missing there. */
  async load(sid: string): Promise<LoadedSession | null> {
    try {
      const cached = await this.cache.load(sid);
      const session =
        cached.session === undefined ? await this.fromRecord(sid, cached.generation) : cached.session;
      if (session === null || isOver(session, Date.now())) return null;
      const user = cached.user === 'ask' ? await this.ask(session.userId) : cached.user;
      if (user === null || user.epoch !== session.epoch) return null;
      return { ...session, sid, user };
    } catch (error) {
      throw this.refusal(error);
    }
  }

  /** For an id that was made in this very request. */
  async insert(sid: string, session: StoredSession): Promise<void> {
    try {
      await this.records.insert(sid, session);
      await this.cache.replace(sid, session);
    } catch (error) {
      throw this.refusal(error);
    }
  }

  /** Moves the expiry of a session on; null when it was ended meanwhile. */
  prolong(loaded: LoadedSession): Promise<StoredSession | null> {
    const now = Date.now();
    return this.change(loaded, { expire: expiryFrom(now, loaded.createdAt), usedAt: now });
  }

  /** Remembers that the session's user has just proved who they are; null when it was ended meanwhile. */
  confirm(loaded: LoadedSession): Promise<StoredSession | null> {
    return this.change(loaded, { confirmedAt: Date.now() });
  }

  async listOf(userId: string, epoch: number): Promise<(StoredSession & { sid: string })[]> {
    try {
      return await this.records.listOf(userId, epoch);
    } catch (error) {
      throw this.refusal(error);
    }
  }

  private async change(
    { sid, user: _user, ...stored }: LoadedSession,
    changes: Partial<StoredSession>,
  ): Promise<StoredSession | null> {
    const session = { ...stored, ...changes };
    try {
      if (!(await this.records.update(sid, session))) return null;
      await this.cache.replace(sid, session);
      return session;
    } catch (error) {
      throw this.refusal(error);
    }
  }

  async end(sid: string): Promise<void> {
    try {
      await this.records.remove(sid);
      await this.cache.end(sid);
    } catch (error) {
      throw this.refusal(error);
    }
  }

  private async fromRecord(sid: string, generation: string): Promise<StoredSession | null> {
    const session = await this.records.find(sid);
    if (session !== null) await this.cache.fill(sid, session, generation);
    return session;
  }

  private ask(userId: string): Promise<SessionUser | null> {
    return this.rpc.call(GetSessionUser, { userId }, { identity: null });
  }

  private refusal(error: unknown): DomainError {
    const known = mapDatabaseError(error, CONSTRAINTS);
    if (known instanceof DomainError) return known;
    this.logger.warn({ err: error, msg: 'the session store did not answer' });
    return new DomainError('SERVICE_UNAVAILABLE', undefined, { cause: error });
  }
}
