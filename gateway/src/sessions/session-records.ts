import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { StoredSession } from './session.js';

interface Row {
  sess: StoredSession;
  expire: Date;
}

/** Sessions of one user that are looked at together. */
const LISTED = 200;

/** The sessions in PostgreSQL: the record that counts. */
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

  /** Only for an id that was made in this very request. */
  async insert(sid: string, { expire, ...sess }: StoredSession): Promise<void> {
    await this.database.query(
      'INSERT INTO gateway.sessions (sid, sess, expire, user_id) VALUES ($1, $2, $3, $4)',
      [sid, JSON.stringify(sess), new Date(expire), sess.userId],
    );
  }

  /** Never inserts: a session that somebody ended meanwhile stays ended (0.5). False when there is none. */
  async update(sid: string, { expire, ...sess }: StoredSession): Promise<boolean> {
    const rows = await this.database.query<[unknown[], number]>(
      'UPDATE gateway.sessions SET sess = $2, expire = $3 WHERE sid = $1 RETURNING sid',
      [sid, JSON.stringify(sess), new Date(expire)],
    );
    return rows[1] === 1;
  }

  /** Those that stand of one user under this epoch, newest first. */
  async listOf(userId: string, epoch: number): Promise<(StoredSession & { sid: string })[]> {
    const rows = await this.database.query<(Row & { sid: string })[]>(
      `SELECT sid, sess, expire FROM gateway.sessions
       WHERE user_id = $1 AND expire > now() AND (sess->>'epoch')::int = $2
       ORDER BY (sess->>'createdAt')::bigint DESC LIMIT $3`,
      [userId, epoch, LISTED],
    );
    return rows.map(({ sid, sess, expire }) => ({ ...sess, sid, expire: expire.getTime() }));
  }

  async remove(sid: string): Promise<void> {
    await this.database.query('DELETE FROM gateway.sessions WHERE sid = $1', [sid]);
  }
}
