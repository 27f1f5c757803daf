import { Injectable, Logger, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DEADLINES, DomainError, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { ServiceConfig } from '@meetmark/platform';
import {
  answerWithin,
  connectForever,
  reconnectDelay,
  redisConnection,
} from '@meetmark/platform/redis/connection';

/** Invalidates cached public answers, by the version under which gateways cache them. */
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

  /** Waits for Redis without limit, as for the database. */
  onModuleInit(): Promise<void> {
    return connectForever(this.redis);
  }

  /**
   * Runs a change that public answers show, and increases the version before and after it. Before, so that caches become invalid even if
   * this process dies during the change. After, even when the change failed, since a lost connection may hide its commit. The first is
   * not awaited, because a slow Redis would cost its time twice; the second follows on the same connection.
   * @throws DomainError SERVICE_UNAVAILABLE without having run the change
   */
  async changing<T>(change: () => Promise<T>): Promise<T> {
    if (this.redis.status !== 'ready')
      throw new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started', retryAfter: 1 });
    this.redis
      .incr(PUBLIC_EVENTS_VERSION)
      .catch((error: unknown) =>
        this.logger.warn({ err: error, msg: 'the version was not increased before the change' }),
      );
    try {
      return await change();
    } finally {
      await this.bumpVersion(1);
    }
  }

  onApplicationShutdown(): void {
    clearTimeout(this.retry);
    this.redis.disconnect();
  }

  /** The change is committed, so its author gets a success; this is retried until Redis answers. */
  private async bumpVersion(attempt: number): Promise<void> {
    try {
      await answerWithin(this.redis, this.redis.incr(PUBLIC_EVENTS_VERSION), DEADLINES.redisCommand);
    } catch (error) {
      this.logger.warn(`cached public answers may be old for a while: ${(error as Error).message}`);
      clearTimeout(this.retry);
      this.retry = setTimeout(() => void this.bumpVersion(attempt + 1), reconnectDelay(attempt));
    }
  }
}

@Module({ providers: [PublicCache], exports: [PublicCache] })
export class PublicCacheModule {}
