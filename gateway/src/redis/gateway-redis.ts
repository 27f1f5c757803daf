import { DEADLINES } from '@meetmark/contracts';
import { answerWithin, redisConnection } from '@meetmark/platform/redis/connection';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { GatewayConfig } from '../gateway.config.js';

/** Milliseconds between two looks whether Redis still answers. */
const LOOK = DEADLINES.redisCommand / 2;

/**
 * The connection for rate limits, the version of the public lists and the heartbeat; sessions have one of their own. Commands fail at once
 * while Redis is away, and within two seconds when it falls silent.
 */
@Injectable()
export class GatewayRedis implements OnApplicationShutdown {
  readonly client: Redis;
  private readonly logger = new Logger('Redis');
  private readonly looking: NodeJS.Timeout;

  constructor({ redisUrl }: GatewayConfig) {
    this.client = redisConnection(redisUrl, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      // no commandTimeout: after a pause of this process it would refuse answers that have come and are not read yet
    });
    this.attempt(this.client.connect());
    this.looking = setInterval(() => this.look(), LOOK);
  }

  onApplicationShutdown(): void {
    clearInterval(this.looking);
    this.client.disconnect();
  }

  /** A peer that vanished without closing is found out here: its connection is ended, and a new one made. */
  private look(): void {
    if (this.client.status === 'ready')
      this.attempt(answerWithin(this.client, this.client.ping(), DEADLINES.redisCommand));
  }

  private attempt(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.logger.debug({ err: error, msg: 'Redis did not answer' }));
  }
}
