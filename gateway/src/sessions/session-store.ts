import { DomainError, GetSessionUser, type SessionUser } from '@meetmark/contracts';
import { mapDatabaseError, RpcClient } from '@meetmark/platform';
import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SessionCache } from './session-cache.js';
import { expiryFrom, isOver, type LoadedSession, type StoredSession } from './session.js';
import { ANONYMOUS } from '../services.js';

interface Row {
  sess: StoredSession;
  expire: Date;
}

/** The most sessions of one user: with one more the oldest ends. */
const KEPT = 200;

/** The sessions in PostgreSQL, which is the record. */
@Injectable()
export class SessionRecords {
  constructor(private readonly database: DataSource) {}

  async find(sid: string): Promise<StoredSession | null> {
    const [row] = await this.database.query<Row[]>(
      'SELECT sess, expire FROM gateway.sessions WHERE sid = $1 AND expire > now()',
      [sid],
    );
    return row === undefined ? null : { ...row.sess, expire: row.expire.getTime() };
  }

  /**
   * Only for an id that this request made.
   * @param end the copies of the sessions that have to go for it, before their end is committed
   */
  async insert(
    sid: string,
    { expire, ...sess }: StoredSession,
    end: (sid: string) => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async (manager) => {
      // one at a time for each user: what is counted below still holds when it is committed
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('gateway.sessions ' || $1, 0))`, [
        sess.userId,
      ]);
      await manager.query(
        'INSERT INTO gateway.sessions (sid, sess, expire, user_id) VALUES ($1, $2, $3, $4)',
        [sid, JSON.stringify(sess), new Date(expire), sess.userId],
      );
      const [ended] = await manager.query<[{ sid: string }[], number]>(
        `DELETE FROM gateway.sessions WHERE sid IN (
           SELECT sid FROM gateway.sessions WHERE user_id = $1
           ORDER BY sid = $2 DESC, (sess->>'createdAt')::bigint DESC, sid OFFSET $3) RETURNING sid`,
        [sess.userId, sid, KEPT],
      );
      for (const each of ended) await end(each.sid);
    });
  }

  /** False if there is no such session. It never inserts: a session that was ended meanwhile stays ended. */
  async update(sid: string, { expire, ...sess }: StoredSession): Promise<boolean> {
    const rows = await this.database.query<[unknown[], number]>(
      'UPDATE gateway.sessions SET sess = $2, expire = $3 WHERE sid = $1 RETURNING sid',
      [sid, JSON.stringify(sess), new Date(expire)],
    );
    return rows[1] === 1;
  }

  /** The valid sessions of a user under this epoch, newest first; more only from before there was a limit. */
  async listOf(userId: string, epoch: number): Promise<(StoredSession & { sid: string })[]> {
    const rows = await this.database.query<(Row & { sid: string })[]>(
      `SELECT sid, sess, expire FROM gateway.sessions
       WHERE user_id = $1 AND expire > now() AND (sess->>'epoch')::int = $2
       ORDER BY (sess->>'createdAt')::bigint DESC LIMIT $3`,
      [userId, epoch, KEPT],
    );
    return rows.map(({ sid, sess, expire }) => ({ ...sess, sid, expire: expire.getTime() }));
  }

  async remove(sid: string): Promise<void> {
    await this.database.query('DELETE FROM gateway.sessions WHERE sid = $1', [sid]);
  }
}

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
