import { createHash, createHmac } from 'node:crypto';
import { DomainError, isIdempotencyKey } from '@meetmark/contracts';
import { Injectable, Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { v7 as uuid } from 'uuid';
import { GatewayConfig } from '../gateway.config.js';
import { IdempotencyKeys } from './idempotency.repository.js';

const HEADER = 'idempotency-key';

/** @throws DomainError VALIDATION_FAILED */
export function getIdempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers[HEADER];
  if (key === undefined || isIdempotencyKey(key)) return key;
  throw new DomainError('VALIDATION_FAILED', {
    fields: { 'Idempotency-Key': ['must be 1 to 255 visible ASCII characters'] },
  });
}

/**
 * Runs a request once per Idempotency-Key. If the outcome is unknown, for example after a crash, retries are
 * refused, because running the work twice would be worse. Only work that recognises retries by its id may run
 * again.
 */
@Injectable()
export class Idempotency {
  private readonly logger = new Logger('Idempotency');

  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly config: GatewayConfig,
  ) {}

  /**
   * @param work receives an id that is the same for each retry of the request
   * @param again whether a retry may run `work` again if the first outcome is unknown
   * @throws DomainError IDEMPOTENCY_CONFLICT, REQUEST_IN_PROGRESS, VALIDATION_FAILED, and errors of `work`
   */
  async once<T>(
    request: FastifyRequest,
    userId: string,
    { again }: { again: boolean },
    work: (id: string) => Promise<T>,
  ): Promise<T> {
    const key = getIdempotencyKey(request);
    if (key === undefined) return work(uuid());
    const hashes = this.hashes(request);
    const since =
      (await this.keys.take(userId, key, hashes[0]!)) ??
      (again ? await this.keys.takeOver(userId, key, hashes) : undefined);
    if (since === undefined) return this.earlierAnswer<T>(userId, key, hashes);
    try {
      const body = await work(computeId(userId, key, since));
      await this.attempt(() => this.keys.keepAnswer(userId, key, body));
      return body;
    } catch (error) {
      if (!isUnknown(error)) await this.attempt(() => this.keys.release(userId, key));
      throw error;
    }
  }

  /**
   * Returns a hash of the request for each session secret, newest secret first. The hashes are keyed, because
   * a body may contain a password.
   */
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

  /** Logs errors instead of throwing them, so that the caller gets the response even if storing it fails. */
  private async attempt(keeping: () => Promise<void>): Promise<void> {
    try {
      await keeping();
    } catch (error) {
      this.logger.warn({
        err: error,
        msg: 'Could not store the outcome of a request with an Idempotency-Key',
      });
    }
  }
}

/** Returns an id that is the same for each retry of a request. */
function computeId(userId: string, key: string, since: Date): string {
  const digest = createHash('sha256').update(`${userId} ${since.getTime()} ${key}`).digest();
  return uuid({ msecs: since.getTime(), random: digest.subarray(0, 16), seq: digest.readUInt32BE(16) });
}

const isUnknown = (error: unknown) =>
  !(error instanceof DomainError) || error.code === 'INTERNAL' || error.details?.outcome === 'unknown';
