import { createHash, createHmac } from 'node:crypto';
import { DEADLINES, DomainError, IDEMPOTENCY_LIFETIME, isIdempotencyKey } from '@meetmark/contracts';
import { mapDatabaseError } from '@meetmark/platform';
import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { DataSource } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { GatewayConfig } from '../gateway.config.js';

const HEADER = 'idempotency-key';
/** What each of these requests answers. */
const CREATED = 201;
/** The user of a request with an Idempotency-Key may be deleted before the key is written. */
const CONSTRAINTS = { idempotency_keys_user_id_fkey: 'UNAUTHORIZED' } as const;

/** @throws DomainError VALIDATION_FAILED */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers[HEADER];
  if (key === undefined || isIdempotencyKey(key)) return key;
  throw new DomainError('VALIDATION_FAILED', {
    fields: { 'Idempotency-Key': ['must be 1 to 255 visible ASCII characters'] },
  });
}

interface Row {
  request_hash: string;
  body: unknown;
}

/** Milliseconds after which no work of an unanswered request can still be running. */
const OVER_AFTER = 2 * DEADLINES.gateway;

/**
 * Carries out a request with an Idempotency-Key once in 24 hours, and repeats its answer to each repetition. If the outcome is unknown,
 * because the service or this process was lost meanwhile, the key stays taken: a refusal is better than a second execution, unless the
 * service recognises a repetition by the id of what it makes.
 */
@Injectable()
export class Idempotency {
  private readonly logger = new Logger('Idempotency');

  constructor(
    private readonly database: DataSource,
    private readonly config: GatewayConfig,
  ) {}

  /**
   * `work` gets an id that is the same for each repetition. With `again` it may run again under that id
   * when the first attempt is over and its outcome is unknown.
   * @throws DomainError IDEMPOTENCY_CONFLICT, REQUEST_IN_PROGRESS, VALIDATION_FAILED, and the errors of `work`
   */
  async once<T>(
    request: FastifyRequest,
    userId: string,
    { again }: { again: boolean },
    work: (id: string) => Promise<T>,
  ): Promise<T> {
    const key = idempotencyKeyOf(request);
    if (key === undefined) return work(uuid());
    const hashes = this.hashes(request);
    const since =
      (await this.take(userId, key, hashes[0]!)) ??
      (again ? await this.takeOver(userId, key, hashes) : undefined);
    if (since === undefined) return this.earlierAnswer<T>(userId, key, hashes);
    try {
      const body = await work(idOf(userId, key, since));
      await this.keep(userId, key, body);
      return body;
    } catch (error) {
      if (!isUnknown(error)) await this.release(userId, key);
      throw error;
    }
  }

  /** Keyed, since a body may hold a password; one for each secret, the newest first. */
  private hashes({ method, url, body }: FastifyRequest): string[] {
    const text = `${method} ${url} ${JSON.stringify(body)}`;
    return this.config.sessionSecrets.map((secret) =>
      createHmac('sha256', secret).update(`idempotency:${text}`).digest('hex'),
    );
  }

  /** One statement decides which request is first; an expired key does not count. @returns the time of the first, undefined for others */
  private async take(userId: string, key: string, hash: string): Promise<Date | undefined> {
    const rows = await this.query<{ created_at: Date }[]>(
      `INSERT INTO gateway.idempotency_keys AS taken (user_id, key, request_hash, expire)
       VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond')
       ON CONFLICT (user_id, key) DO UPDATE
         SET request_hash = EXCLUDED.request_hash, status = NULL, body = NULL, created_at = now(), expire = EXCLUDED.expire
         WHERE taken.expire <= now()
       RETURNING created_at`,
      [userId, key, hash, IDEMPOTENCY_LIFETIME],
    );
    return rows[0]?.created_at;
  }

  /** The same for an attempt that ended without an answer: one of its repetitions replaces it. */
  private async takeOver(userId: string, key: string, hashes: string[]): Promise<Date | undefined> {
    const [rows] = await this.query<[{ created_at: Date }[], number]>(
      `UPDATE gateway.idempotency_keys SET expire = now() + $4::integer * interval '1 millisecond'
       WHERE user_id = $1 AND key = $2 AND request_hash = ANY ($3) AND body IS NULL
         AND expire < now() + ($4::integer - $5::integer) * interval '1 millisecond'
       RETURNING created_at`,
      [userId, key, hashes, IDEMPOTENCY_LIFETIME, OVER_AFTER],
    );
    return rows[0]?.created_at;
  }

  private async earlierAnswer<T>(userId: string, key: string, hashes: string[]): Promise<T> {
    const [row] = await this.query<Row[]>(
      'SELECT request_hash, body FROM gateway.idempotency_keys WHERE user_id = $1 AND key = $2',
      [userId, key],
    );
    if (row !== undefined && !hashes.includes(row.request_hash))
      throw new DomainError('IDEMPOTENCY_CONFLICT');
    if (row === undefined || row.body === null) throw new DomainError('REQUEST_IN_PROGRESS');
    return row.body as T;
  }

  private keep(userId: string, key: string, body: unknown): Promise<void> {
    return this.attempt(
      'UPDATE gateway.idempotency_keys SET status = $3, body = $4 WHERE user_id = $1 AND key = $2',
      [userId, key, CREATED, JSON.stringify(body)],
    );
  }

  private release(userId: string, key: string): Promise<void> {
    return this.attempt('DELETE FROM gateway.idempotency_keys WHERE user_id = $1 AND key = $2', [
      userId,
      key,
    ]);
  }

  /** The work is done or refused; the caller gets that answer even if this fails. */
  private async attempt(sql: string, parameters: unknown[]): Promise<void> {
    try {
      await this.query(sql, parameters);
    } catch (error) {
      this.logger.warn({ err: error, msg: 'what came of a request with an Idempotency-Key was not kept' });
    }
  }

  private async query<T>(sql: string, parameters: unknown[]): Promise<T> {
    try {
      return await this.database.query<T>(sql, parameters);
    } catch (error) {
      throw mapDatabaseError(error, CONSTRAINTS);
    }
  }
}

/** The id of what a request makes: an ordinary id, the same for each repetition. */
function idOf(userId: string, key: string, since: Date): string {
  const digest = createHash('sha256').update(`${userId} ${since.getTime()} ${key}`).digest();
  return uuid({ msecs: since.getTime(), random: digest.subarray(0, 16), seq: digest.readUInt32BE(16) });
}

const isUnknown = (error: unknown) =>
  !(error instanceof DomainError) || error.code === 'INTERNAL' || error.details?.outcome === 'unknown';
