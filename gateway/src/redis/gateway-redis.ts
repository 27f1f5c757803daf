import { DEADLINES } from '@meetmark/contracts';
import { answerWithin, attempt, redisConnection } from '@meetmark/platform/redis/connection';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { GatewayConfig } from '../gateway.config.js';

const CHECK_EVERY = DEADLINES.redisCommand / 2;

/** Commands fail immediately without a connection, and within two seconds if Redis doesn't answer. */
@Injectable()
export class GatewayRedis implements OnApplicationShutdown {
  readonly client: Redis;
  private readonly logger = new Logger('Redis');
  private readonly checks: NodeJS.Timeout;

  constructor({ redisUrl }: GatewayConfig) {
    this.client = redisConnection(redisUrl, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      // No commandTimeout, because it would reject replies that arrived while this process was paused.
    });
    void attempt(this.client.connect(), this.logger);
    this.checks = setInterval(() => this.check(), CHECK_EVERY).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.checks);
    this.client.disconnect();
  }

  private check(): void {
    if (this.client.status === 'ready')
      void attempt(answerWithin(this.client, this.client.ping(), DEADLINES.redisCommand), this.logger);
  }
}
