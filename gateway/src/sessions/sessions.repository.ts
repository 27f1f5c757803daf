import { Injectable } from '@nestjs/common';
import { inTransaction } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import type { StoredSession } from './session.js';

interface Row {
  sess: StoredSession;
  expire: Date;
}

const CONSTRAINTS = { sessions_user_id_fkey: 'UNAUTHORIZED' } as const;
const KEPT = 200;

@Injectable()
export class SessionRecords {
  constructor(private readonly database: DataSource) {}

  async find(sid: string): Promise<StoredSession | null> {
    const [row] = await this.database.sql<Row[]>`
      SELECT sess, expire FROM gateway.sessions WHERE sid = ${sid} AND expire > now()`;
    return row === undefined ? null : { ...row.sess, expire: row.expire.getTime() };
  }

  /**
   * `sid` must be an id that this request has created.
   * @param end called before the commit for each session that is deleted, because the user has too many
   */
  async insert(
    sid: string,
    { expire, ...sess }: StoredSession,
    end: (sid: string) => Promise<void>,
  ): Promise<void> {
    const work = async (manager: EntityManager) => {
      // Allows one insert per user at a time, so that together they can't exceed the limit.
      await manager.sql`SELECT pg_advisory_xact_lock(hashtextextended('gateway.sessions ' || ${sess.userId}, 0))`;
      await manager.sql`
        INSERT INTO gateway.sessions (sid, sess, expire, user_id)
        VALUES (${sid}, ${JSON.stringify(sess)}, ${new Date(expire)}, ${sess.userId})`;
      const [ended] = await manager.sql<[{ sid: string }[], number]>`
        DELETE FROM gateway.sessions WHERE sid IN (
          SELECT sid FROM gateway.sessions WHERE user_id = ${sess.userId}
          ORDER BY sid = ${sid} DESC, (sess->>'createdAt')::bigint DESC, sid OFFSET ${KEPT}) RETURNING sid`;
      for (const each of ended) await end(each.sid);
    };
    await inTransaction(this.database, work, CONSTRAINTS);
  }

  /** Never inserts, so that an ended session stays ended. */
  async update(sid: string, { expire, ...sess }: StoredSession): Promise<boolean> {
    const [, updated] = await this.database.sql<[unknown[], number]>`
      UPDATE gateway.sessions SET sess = ${JSON.stringify(sess)}, expire = ${new Date(expire)} WHERE sid = ${sid} RETURNING sid`;
    return updated === 1;
  }

  async listSessions(userId: string, epoch: number): Promise<(StoredSession & { sid: string })[]> {
    const rows = await this.database.sql<(Row & { sid: string })[]>`
      SELECT sid, sess, expire FROM gateway.sessions
      WHERE user_id = ${userId} AND expire > now() AND (sess->>'epoch')::int = ${epoch}
      ORDER BY (sess->>'createdAt')::bigint DESC LIMIT ${KEPT}`;
    return rows.map(({ sid, sess, expire }) => ({ ...sess, sid, expire: expire.getTime() }));
  }

  async isOpenIn(network: string): Promise<boolean> {
    const rows = await this.database.sql<unknown[]>`
      SELECT FROM gateway.sessions WHERE sess->>'network' = ${network} AND expire > now() LIMIT 1`;
    return rows.length > 0;
  }

  async remove(sid: string): Promise<void> {
    await this.database.sql`DELETE FROM gateway.sessions WHERE sid = ${sid}`;
  }
}
