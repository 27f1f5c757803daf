import { Injectable, Logger } from '@nestjs/common';
import { DomainError, type ErrorCode, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { AnswerConnection, inTransaction } from '@meetmark/platform';
import { reconnectDelay, sendTogether } from '@meetmark/platform/redis/connection';
import { DatabaseError } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';

interface Statement<T> {
  /**
   * Predicts whether `run` changes something. Without a prediction, caches stay stale if this process dies
   * right after the commit.
   */
  isLikely: () => Promise<boolean>;
  run: () => Promise<T>;
  isChange: (result: T) => boolean;
}

/**
 * Invalidates cached public answers by raising the version in the gateways' cache keys. Raises it before the
 * commit, in case this process dies afterwards, and again after the commit. Doesn't wait for Redis, so that a
 * slow Redis doesn't delay the answer.
 */
@Injectable()
export class PublicCache {
  private readonly logger = new Logger(PublicCache.name);

  constructor(
    private readonly answers: AnswerConnection,
    private readonly dataSource: DataSource,
  ) {}

  /**
   * Database triggers detect whether `work` changes public answers.
   * @throws DomainError SERVICE_UNAVAILABLE before starting
   */
  async transaction<T>(
    work: (manager: EntityManager) => Promise<T>,
    constraints?: Record<string, ErrorCode>,
  ): Promise<T> {
    this.requireRedis();
    let isPublic = false;
    const noting = async (manager: EntityManager) => {
      const result = await work(manager);
      isPublic = await changesPublicAnswers(manager);
      if (isPublic) this.increase();
      return result;
    };
    try {
      return await inTransaction(this.dataSource, noting, constraints);
    } finally {
      // after an error too: if the connection was lost, the transaction may still have been committed
      if (isPublic) this.increase();
    }
  }

  /** @throws DomainError SERVICE_UNAVAILABLE before starting */
  async statement<T>({ isLikely, run, isChange }: Statement<T>): Promise<T> {
    this.requireRedis();
    if (await isLikely()) this.increase();
    try {
      const result = await run();
      if (isChange(result)) this.increase();
      return result;
    } catch (error) {
      if (mayHaveCommitted(error)) this.increase();
      throw error;
    }
  }

  /**
   * Raises the version after a change that another process committed.
   * @throws DomainError SERVICE_UNAVAILABLE
   */
  follow(): void {
    this.requireRedis();
    this.increase();
  }

  private requireRedis(): void {
    if (this.answers.redis.status !== 'ready')
      throw new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started', retryAfter: 1 });
  }

  private increase(attempt = 1): void {
    const { redis } = this.answers;
    sendTogether(redis);
    redis.incr(PUBLIC_EVENTS_VERSION).catch((error: unknown) => {
      if (redis.status === 'end') return;
      this.logger.warn({ err: error, msg: 'Could not invalidate the cached public responses; retrying' });
      setTimeout(() => this.increase(attempt + 1), reconnectDelay(attempt)).unref();
    });
  }
}

async function changesPublicAnswers(manager: EntityManager): Promise<boolean> {
  const [row] = await manager.query<[{ changes: boolean }]>(
    `SELECT current_setting('meetmark.public_change', true) = 'yes' AS changes`,
  );
  return row.changes;
}

/** If PostgreSQL reports an error, it has rolled back. If the connection was lost, it may have committed. */
function mayHaveCommitted(error: unknown): boolean {
  const { cause = error } = error as { cause?: unknown };
  return !(cause instanceof DatabaseError) || cause.severity === 'FATAL';
}
