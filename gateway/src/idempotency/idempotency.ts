import { createHash, createHmac } from 'node:crypto';
import { DomainError, isIdempotencyKey } from '@meetmark/contracts';
import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { v7 as uuid } from 'uuid';
import { GatewayConfig } from '../gateway.config.js';
import { IdempotencyKeys } from './idempotency.repository.js';

const HEADER = 'idempotency-key';

/** @throws DomainError VALIDATION_FAILED */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers[HEADER];
  if (key === undefined || isIdempotencyKey(key)) return key;
  throw new DomainError('VALIDATION_FAILED', {
    fields: { 'Idempotency-Key': ['must be 1 to 255 visible ASCII characters'] },
  });
}

/**
 * Carries out a request with an Idempotency-Key once in 24 hours, and repeats its answer to each repetition. If the outcome is unknown,
 * because the service or this process was lost meanwhile, the key stays taken: a refusal is better than a second execution, unless the
 * service recognises a repetition by the id of what it makes.
 */
@Injectable()
export class Idempotency {
  private readonly logger = new Logger('Idempotency');

  constructor(
    private readonly keys: IdempotencyKeys,
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
      (await this.keys.take(userId, key, hashes[0]!)) ??
      (again ? await this.keys.takeOver(userId, key, hashes) : undefined);
    if (since === undefined) return this.earlierAnswer<T>(userId, key, hashes);
    try {
      const body = await work(idOf(userId, key, since));
      await this.attempt(() => this.keys.keepAnswer(userId, key, body));
      return body;
    } catch (error) {
      if (!isUnknown(error)) await this.attempt(() => this.keys.release(userId, key));
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

  private async earlierAnswer<T>(userId: string, key: string, hashes: string[]): Promise<T> {
    const taken = await this.keys.find(userId, key);
    if (taken !== undefined && !hashes.includes(taken.requestHash))
      throw new DomainError('IDEMPOTENCY_CONFLICT');
    if (taken === undefined || taken.body === null) throw new DomainError('REQUEST_IN_PROGRESS');
    return taken.body as T;
  }

  /** The work is done or refused; the caller gets that answer even if this fails. */
  private async attempt(keeping: () => Promise<void>): Promise<void> {
    try {
      await keeping();
    } catch (error) {
      this.logger.warn({ err: error, msg: 'what came of a request with an Idempotency-Key was not kept' });
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
