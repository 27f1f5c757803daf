import { randomUUID } from 'node:crypto';
import { DEADLINES, SYSTEM_KEYS } from '@meetmark/contracts';
import { RedisClock } from '@meetmark/platform';
import { answerWithin, redisConnection } from '@meetmark/platform/redis/connection';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Redis } from 'ioredis';
import { GatewayConfig } from '../gateway.config.js';

/** Milliseconds between two checks whether Redis still answers. */
const CHECK_EVERY = DEADLINES.redisCommand / 2;
/** Milliseconds. */
const BEAT = { every: 5_000, life: 15_000 };

/**
 * The connection for rate limits, the version of the cached responses and the heartbeat; sessions have their own. Commands fail at
 * once while Redis is away, and within two seconds if it stops answering.
 */
@Injectable()
export class GatewayRedis implements OnApplicationShutdown {
  readonly client: Redis;
  private readonly logger = new Logger('Redis');
  private readonly checking: NodeJS.Timeout;

  constructor({ redisUrl }: GatewayConfig) {
    this.client = redisConnection(redisUrl, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      // no commandTimeout: after a pause of this process it would refuse answers that have arrived and are not read yet
    });
    this.attempt(this.client.connect());
    this.checking = setInterval(() => this.check(), CHECK_EVERY);
  }

  onApplicationShutdown(): void {
    clearInterval(this.checking);
    this.client.disconnect();
  }

  /** Ends a connection whose peer vanished without closing it; a new one follows. */
  private check(): void {
    if (this.client.status === 'ready')
      this.attempt(answerWithin(this.client, this.client.ping(), DEADLINES.redisCommand));
  }

  private attempt(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.logger.debug({ err: error, msg: 'Redis did not answer' }));
  }
}

/** Lets the administrators' System page count the gateways. */
@Injectable()
export class Heartbeat implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly replica = randomUUID();
  private readonly key = SYSTEM_KEYS.replicas('gateway');
  private readonly logger = new Logger('Heartbeat');
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly redis: GatewayRedis,
    private readonly clock: RedisClock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.attempt(this.beat()), BEAT.every);
    this.redis.client.on('ready', () => this.attempt(this.beat()));
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.attempt(this.redis.client.zrem(this.key, this.replica));
  }

  private async beat(): Promise<void> {
    const now = this.clock.now();
    await this.redis.client.zremrangebyscore(this.key, '-inf', now);
    await this.redis.client.zadd(this.key, now + BEAT.life, this.replica);
  }

  /** The page may lack the figure while Redis is away. */
  private attempt(work: Promise<unknown>): Promise<void> {
    return work.then(
      () => undefined,
      (error: unknown) => this.logger.debug({ err: error, msg: 'no heartbeat' }),
    );
  }
}
