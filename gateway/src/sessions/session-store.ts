import { DomainError, GetSessionUser, type SessionUser } from '@meetmark/contracts';
import { mapDatabaseError, RpcClient } from '@meetmark/platform';
import { Injectable, Logger } from '@nestjs/common';
import { SessionCache } from './session-cache.js';
import { expiryFrom, isOver, type LoadedSession, type StoredSession } from './session.js';
import { SessionRecords } from './sessions.repository.js';
import { ANONYMOUS } from '../services.js';

/** Stores sessions. Failures cause a 503, never a 401, and no write can restore an ended session. */
@Injectable()
export class GatewaySessionStore {
  private readonly logger = new Logger('Sessions');

  constructor(
    private readonly cache: SessionCache,
    private readonly records: SessionRecords,
    private readonly rpc: RpcClient,
  ) {}

  load(sid: string): Promise<LoadedSession | null> {
    return this.guarded(async () => {
      const cached = await this.cache.load(sid);
      const session =
        cached.session === undefined ? await this.fromRecord(sid, cached.generation) : cached.session;
      if (session === null || isOver(session, Date.now())) return null;
      const user = cached.user === 'ask' ? await this.ask(session.userId) : cached.user;
      if (user === null || user.epoch !== session.epoch) return null;
      return { ...session, sid, user };
    });
  }

  /** `sid` must be an id that this request has created. */
  insert(sid: string, session: StoredSession): Promise<void> {
    return this.guarded(async () => {
      await this.records.insert(sid, session, (ended) => this.cache.end(ended));
      await this.cache.replace(sid, session);
    });
  }

  prolong(loaded: LoadedSession): Promise<StoredSession | null> {
    const now = Date.now();
    return this.change(loaded, { expire: expiryFrom(now, loaded.createdAt), usedAt: now });
  }

  confirm(loaded: LoadedSession): Promise<StoredSession | null> {
    return this.change(loaded, { confirmedAt: Date.now() });
  }

  listSessions(userId: string, epoch: number): Promise<(StoredSession & { sid: string })[]> {
    return this.guarded(() => this.records.listSessions(userId, epoch));
  }

  isOpenIn(network: string): Promise<boolean> {
    return this.guarded(() => this.records.isOpenIn(network));
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
      const known = mapDatabaseError(error);
      if (known instanceof DomainError) throw known;
      this.logger.warn({ err: error, msg: 'The session store did not respond' });
      throw new DomainError('SERVICE_UNAVAILABLE', undefined, { cause: error });
    }
  }
}
