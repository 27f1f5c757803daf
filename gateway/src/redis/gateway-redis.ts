import { DEADLINES } from '@meetmark/contracts';
import { answerWithin, attempt, redisConnection } from '@meetmark/platform/redis/connection';
import { IDLE_TICK, onTicks } from '@meetmark/platform/redis/clock';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { GatewayConfig } from '../gateway.config.js';

/** Milliseconds between two checks whether Redis still answers, while somebody asks this process. */
const CHECK_EVERY = DEADLINES.redisCommand / 2;

/**
 * The connection for rate limits, the version of the cached responses and the heartbeat; sessions have their own. Commands fail at
 * once while Redis is away, and within two seconds if it stops answering.
 */
@Injectable()
export class GatewayRedis implements OnApplicationShutdown {
  readonly client: Redis;
  private readonly logger = new Logger('Redis');
  private readonly stopChecking: () => void;

  constructor({ redisUrl }: GatewayConfig) {
    this.client = redisConnection(redisUrl, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      // no commandTimeout: after a pause of this process it would refuse answers that have arrived and are not read yet
    });
    void attempt(this.client.connect(), this.logger);
    this.stopChecking = onTicks(CHECK_EVERY, () => this.check(), IDLE_TICK);
  }

  onApplicationShutdown(): void {
    this.stopChecking();
    this.client.disconnect();
  }

  /** Ends a connection whose peer vanished without closing it; a new one follows. */
  private check(): void {
    if (this.client.status === 'ready')
      void attempt(answerWithin(this.client, this.client.ping(), DEADLINES.redisCommand), this.logger);
  }
}
