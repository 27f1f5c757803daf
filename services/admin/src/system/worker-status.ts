import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DEADLINES, SYSTEM_KEYS, type QueueStatus } from '@meetmark/contracts';
import { RedisClock, ServiceConfig } from '@meetmark/platform';
import { connectForever, redisConnection } from '@meetmark/platform/redis/connection';

/** What worker and gateway, which have no message queue, report about themselves in Redis. */
@Injectable()
export class WorkerStatus implements OnApplicationShutdown {
  private readonly redis;

  constructor(
    config: ServiceConfig,
    private readonly clock: RedisClock,
  ) {
    this.redis = redisConnection(config.redisUrl, {
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      commandTimeout: DEADLINES.redisCommand,
    });
    void connectForever(this.redis);
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  replicas(process: 'worker' | 'gateway'): Promise<number> {
    return this.redis.zcount(SYSTEM_KEYS.replicas(process), this.clock.now(), '+inf');
  }

  /** Gateways that can take no picture. */
  withoutPictures(): Promise<number> {
    return this.redis.zcount(SYSTEM_KEYS.withoutPictures, this.clock.now(), '+inf');
  }

  /** Empty without a living worker. */
  async queues(): Promise<QueueStatus[]> {
    const written = await this.redis.get(SYSTEM_KEYS.queues);
    return written === null ? [] : (JSON.parse(written) as QueueStatus[]);
  }

  lastSchedulerTick(): Promise<string | null> {
    return this.redis.get(SYSTEM_KEYS.lastSchedulerTick);
  }
}
