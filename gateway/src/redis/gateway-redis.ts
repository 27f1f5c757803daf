import { randomUUID } from 'node:crypto';
import { DEADLINES, SYSTEM_KEYS } from '@meetmark/contracts';
import { RedisClock } from '@meetmark/platform';
import { answerWithin, attempt, redisConnection } from '@meetmark/platform/redis/connection';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Redis } from 'ioredis';
import { GatewayConfig } from '../gateway.config.js';
import { PictureDecoder } from '../media/decoder.js';

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
    void attempt(this.client.connect(), this.logger);
    this.checking = setInterval(() => this.check(), CHECK_EVERY);
  }

  onApplicationShutdown(): void {
    clearInterval(this.checking);
    this.client.disconnect();
  }

  /** Ends a connection whose peer vanished without closing it; a new one follows. */
  private check(): void {
    if (this.client.status === 'ready')
      void attempt(answerWithin(this.client, this.client.ping(), DEADLINES.redisCommand), this.logger);
  }
}

/** Lets the administrators' System page count the gateways, and those without pictures; while Redis is away it may lack the figures. */
@Injectable()
export class Heartbeat implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly replica = randomUUID();
  private readonly key = SYSTEM_KEYS.replicas('gateway');
  private readonly logger = new Logger('Heartbeat');
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly redis: GatewayRedis,
    private readonly clock: RedisClock,
    private readonly decoder: PictureDecoder,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void attempt(this.beat(), this.logger), BEAT.every);
    this.redis.client.on('ready', () => void attempt(this.beat(), this.logger));
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await attempt(this.redis.client.zrem(this.key, this.replica), this.logger);
  }

  private async beat(): Promise<void> {
    const now = this.clock.now();
    await this.redis.client.zremrangebyscore(this.key, '-inf', now);
    await this.redis.client.zadd(this.key, now + BEAT.life, this.replica);
    if (this.decoder.isFailing)
      await this.redis.client.zadd(SYSTEM_KEYS.withoutPictures, now + BEAT.life, this.replica);
  }
}
