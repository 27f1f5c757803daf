import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DEADLINES, DomainError, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { ServiceConfig } from '@meetmark/platform';
import {
  answerWithin,
  connectForever,
  reconnectDelay,
  redisConnection,
} from '@meetmark/platform/redis/connection';

/** Tells whoever caches public answers when these change. */
@Injectable()
export class PublicCache implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(PublicCache.name);
  private readonly redis;
  private retry: NodeJS.Timeout | undefined;

  constructor(config: ServiceConfig) {
    this.redis = redisConnection(config.redisUrl, {
      enableOfflineQueue: false,
      enableAutoPipelining: true,
    });
  }

  /** Like the database, Redis is waited for as long as it takes. */
  onModuleInit(): Promise<void> {
    return connectForever(this.redis);
  }

  /**
   * Runs a change that public answers show. Raised before: whoever was told of the old number asks again should this process die
   * before the second raise. Raised after, also when the change failed, since a lost connection may have hidden its commit. The
   * first is not waited for, a slow Redis would cost its time twice: the second, over the same connection, comes after it.
   * @throws DomainError SERVICE_UNAVAILABLE without having run the change
   */
  async changing<T>(change: () => Promise<T>): Promise<T> {
    if (this.redis.status !== 'ready')
      throw new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started', retryAfter: 1 });
    this.redis
      .incr(PUBLIC_EVENTS_VERSION)
      .catch((error: unknown) =>
        this.logger.warn({ err: error, msg: 'the first raise of the version failed' }),
      );
    try {
      return await change();
    } finally {
      await this.raise(1);
    }
  }

  onApplicationShutdown(): void {
    clearTimeout(this.retry);
    this.redis.disconnect();
  }

  /** The change is committed by now, so its author gets a success; the raise is repeated until Redis is back. */
  private async raise(attempt: number): Promise<void> {
    try {
      await answerWithin(this.redis, this.redis.incr(PUBLIC_EVENTS_VERSION), DEADLINES.redisCommand);
    } catch (error) {
      this.logger.warn(`cached public answers may be old for a while: ${(error as Error).message}`);
      clearTimeout(this.retry);
      this.retry = setTimeout(() => void this.raise(attempt + 1), reconnectDelay(attempt));
    }
  }
}
