import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { StoredSession } from './session.js';

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
    const [row] = await this.database.sql<Row[]>`
      SELECT sess, expire FROM gateway.sessions WHERE sid = ${sid} AND expire > now()`;
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
      await manager.sql`SELECT pg_advisory_xact_lock(hashtextextended('gateway.sessions ' || ${sess.userId}, 0))`;
      await manager.sql`
        INSERT INTO gateway.sessions (sid, sess, expire, user_id)
        VALUES (${sid}, ${JSON.stringify(sess)}, ${new Date(expire)}, ${sess.userId})`;
      const [ended] = await manager.sql<[{ sid: string }[], number]>`
        DELETE FROM gateway.sessions WHERE sid IN (
          SELECT sid FROM gateway.sessions WHERE user_id = ${sess.userId}
          ORDER BY sid = ${sid} DESC, (sess->>'createdAt')::bigint DESC, sid OFFSET ${KEPT}) RETURNING sid`;
      for (const each of ended) await end(each.sid);
    });
  }

  /** False if there is no such session. It never inserts: a session that was ended meanwhile stays ended. */
  async update(sid: string, { expire, ...sess }: StoredSession): Promise<boolean> {
    const [, updated] = await this.database.sql<[unknown[], number]>`
      UPDATE gateway.sessions SET sess = ${JSON.stringify(sess)}, expire = ${new Date(expire)} WHERE sid = ${sid} RETURNING sid`;
    return updated === 1;
  }

  /** The valid sessions of a user under this epoch, newest first; more only from before there was a limit. */
  async listOf(userId: string, epoch: number): Promise<(StoredSession & { sid: string })[]> {
    const rows = await this.database.sql<(Row & { sid: string })[]>`
      SELECT sid, sess, expire FROM gateway.sessions
      WHERE user_id = ${userId} AND expire > now() AND (sess->>'epoch')::int = ${epoch}
      ORDER BY (sess->>'createdAt')::bigint DESC LIMIT ${KEPT}`;
    return rows.map(({ sid, sess, expire }) => ({ ...sess, sid, expire: expire.getTime() }));
  }

  async remove(sid: string): Promise<void> {
    await this.database.sql`DELETE FROM gateway.sessions WHERE sid = ${sid}`;
  }
}
