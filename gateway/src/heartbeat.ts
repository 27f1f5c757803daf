import { randomUUID } from 'node:crypto';
import { SYSTEM_KEYS } from '@meetmark/contracts';
import { RedisClock } from '@meetmark/platform';
import { attempt } from '@meetmark/platform/redis/connection';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PictureDecoder } from './media/decoder.js';
import { GatewayRedis } from './redis/gateway-redis.js';

const BEAT = { every: 5_000, life: 15_000 };

@Injectable()
export class Heartbeat implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly replica = randomUUID();
  private readonly key = SYSTEM_KEYS.replicas('gateway');
  private readonly logger = new Logger('Heartbeat');
  private beats: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: GatewayRedis,
    private readonly clock: RedisClock,
    private readonly decoder: PictureDecoder,
  ) {}

  onApplicationBootstrap(): void {
    this.beats = setInterval(() => void attempt(this.beat(), this.logger), BEAT.every).unref();
    this.redis.client.on('ready', () => void attempt(this.beat(), this.logger));
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.beats);
    await attempt(this.redis.client.zrem(this.key, this.replica), this.logger);
  }

  private async beat(): Promise<void> {
    const now = this.clock.now();
    const { client } = this.redis;
    const sent: Promise<unknown>[] = [
      client.zremrangebyscore(this.key, '-inf', now),
      client.zadd(this.key, now + BEAT.life, this.replica),
    ];
    if (this.decoder.isFailing)
      sent.push(client.zadd(SYSTEM_KEYS.withoutPictures, now + BEAT.life, this.replica));
    await Promise.all(sent);
  }
}
