import { DEADLINES, IDEMPOTENCY_LIFETIME } from '@meetmark/contracts';
import { mapDatabaseError } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const CREATED = 201;
/** Errors by constraint. The user may be deleted during the request. */
const CONSTRAINTS = { idempotency_keys_user_id_fkey: 'UNAUTHORIZED' } as const;
/** Milliseconds after which a request has certainly ended, even without a response. */
const OVER_AFTER = 2 * DEADLINES.gateway;

interface TakenKey {
  requestHash: string;
  body: unknown;
}

@Injectable()
export class IdempotencyKeys {
  constructor(private readonly database: DataSource) {}

  /** Claims the key for one request. Returns undefined if another request has already claimed it. */
  async take(userId: string, key: string, hash: string): Promise<Date | undefined> {
    const [row] = await refusing(this.database.sql<{ createdAt: Date }[]>`
      INSERT INTO gateway.idempotency_keys AS taken (user_id, key, request_hash, expire)
      VALUES (${userId}, ${key}, ${hash}, now() + ${IDEMPOTENCY_LIFETIME} * interval '1 millisecond')
      ON CONFLICT (user_id, key) DO UPDATE
        SET request_hash = EXCLUDED.request_hash, status = NULL, body = NULL, created_at = now(), expire = EXCLUDED.expire
        WHERE taken.expire <= now()
      RETURNING created_at AS "createdAt"`);
    return row?.createdAt;
  }

  /** Lets one retry claim the key of a previous request that ended without a response. */
  async takeOver(userId: string, key: string, hashes: string[]): Promise<Date | undefined> {
    const [[row]] = await refusing(this.database.sql<[{ createdAt: Date }[], number]>`
      UPDATE gateway.idempotency_keys SET expire = now() + ${IDEMPOTENCY_LIFETIME}::integer * interval '1 millisecond'
      WHERE user_id = ${userId} AND key = ${key} AND request_hash = ANY (${hashes}) AND body IS NULL
        AND expire < now() + ${IDEMPOTENCY_LIFETIME - OVER_AFTER}::integer * interval '1 millisecond'
      RETURNING created_at AS "createdAt"`);
    return row?.createdAt;
  }

  async find(userId: string, key: string): Promise<TakenKey | undefined> {
    const [row] = await refusing(this.database.sql<TakenKey[]>`
      SELECT request_hash AS "requestHash", body FROM gateway.idempotency_keys WHERE user_id = ${userId} AND key = ${key}`);
    return row;
  }

  async keepAnswer(userId: string, key: string, body: unknown): Promise<void> {
    await refusing(this.database.sql`
      UPDATE gateway.idempotency_keys SET status = ${CREATED}, body = ${JSON.stringify(body)}
      WHERE user_id = ${userId} AND key = ${key}`);
  }

  async release(userId: string, key: string): Promise<void> {
    await refusing(this.database.sql`
      DELETE FROM gateway.idempotency_keys WHERE user_id = ${userId} AND key = ${key}`);
  }
}

const refusing = <T>(result: Promise<T>): Promise<T> =>
  result.catch((error: unknown) => {
    throw mapDatabaseError(error, CONSTRAINTS);
  });
