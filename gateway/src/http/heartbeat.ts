import { randomUUID } from 'node:crypto';
import { SYSTEM_KEYS } from '@meetmark/contracts';
import { RedisClock } from '@meetmark/platform';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { GatewayRedis } from '../redis/gateway-redis.js';

/** Milliseconds. */
const EVERY = 5_000;
const LIFE = 15_000;

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
    this.timer = setInterval(() => this.attempt(this.beat()), EVERY);
    this.redis.client.on('ready', () => this.attempt(this.beat()));
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.attempt(this.redis.client.zrem(this.key, this.replica));
  }

  private async beat(): Promise<void> {
    const now = this.clock.now();
    await this.redis.client.zremrangebyscore(this.key, '-inf', now);
    await this.redis.client.zadd(this.key, now + LIFE, this.replica);
  }

  /** A figure for people: it may be missing while Redis is. */
  private attempt(work: Promise<unknown>): Promise<void> {
    return work.then(
      () => undefined,
      (error: unknown) => this.logger.debug({ err: error, msg: 'no heartbeat' }),
    );
  }
}
