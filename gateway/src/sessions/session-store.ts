import { DomainError, GetSessionUser, type SessionUser } from '@meetmark/contracts';
import { mapDatabaseError, RpcClient } from '@meetmark/platform';
import { Injectable, Logger } from '@nestjs/common';
import { SessionCache } from './session-cache.js';
import { expiryFrom, isOver, type LoadedSession, type StoredSession } from './session.js';
import { SessionRecords } from './sessions.repository.js';
import { ANONYMOUS } from '../services.js';

/** The user of a session may be deleted between the check of their password and the first write of their session. */
const CONSTRAINTS = { sessions_user_id_fkey: 'UNAUTHORIZED' } as const;

/**
 * PostgreSQL is the record of sessions, Redis the read-through copy. Any failure is a 503 and never a 401, and no write restores a
 * session that has ended.
 */
@Injectable()
export class GatewaySessionStore {
  private readonly logger = new Logger('Sessions');

  constructor(
    private readonly cache: SessionCache,
    private readonly records: SessionRecords,
    private readonly rpc: RpcClient,
  ) {}

  /** The session if it is valid; one round trip to Redis unless a copy is missing there. */
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
      throw this.refusalOf(error);
    }
  }

  /** Only for an id that this request made. */
  insert(sid: string, session: StoredSession): Promise<void> {
    return this.guarded(async () => {
      await this.records.insert(sid, session, (ended) => this.cache.end(ended));
      await this.cache.replace(sid, session);
    });
  }

  /** Prolongs a session; null if it was ended meanwhile. */
  prolong(loaded: LoadedSession): Promise<StoredSession | null> {
    const now = Date.now();
    return this.change(loaded, { expire: expiryFrom(now, loaded.createdAt), usedAt: now });
  }

  /** Records that the session's user has just proved who they are; null if it was ended meanwhile. */
  confirm(loaded: LoadedSession): Promise<StoredSession | null> {
    return this.change(loaded, { confirmedAt: Date.now() });
  }

  listOf(userId: string, epoch: number): Promise<(StoredSession & { sid: string })[]> {
    return this.guarded(() => this.records.listOf(userId, epoch));
  }

  end(sid: string): Promise<void> {
    return this.guarded(async () => {
      await this.records.remove(sid);
      await this.cache.end(sid);
    });
  }

  private change(
    { sid, user: _user, ...stored }: LoadedSession,
    changes: Partial<StoredSession>,
  ): Promise<StoredSession | null> {
    const session = { ...stored, ...changes };
    return this.guarded(async () => {
      if (!(await this.records.update(sid, session))) return null;
      await this.cache.replace(sid, session);
      return session;
    });
  }

  private async fromRecord(sid: string, generation: string): Promise<StoredSession | null> {
    const session = await this.records.find(sid);
    if (session !== null) await this.cache.fill(sid, session, generation);
    return session;
  }

  private ask(userId: string): Promise<SessionUser | null> {
    return this.rpc.call(GetSessionUser, { userId }, ANONYMOUS);
  }

  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.refusalOf(error);
    }
  }

  private refusalOf(error: unknown): DomainError {
    const known = mapDatabaseError(error, CONSTRAINTS);
    if (known instanceof DomainError) return known;
    this.logger.warn({ err: error, msg: 'the session store did not answer' });
    return new DomainError('SERVICE_UNAVAILABLE', undefined, { cause: error });
  }
}
