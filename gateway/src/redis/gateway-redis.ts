import { DEADLINES } from '@meetmark/contracts';
import { redisConnection } from '@meetmark/platform/rpc/redis-connection';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { GatewayConfig } from '../gateway.config.js';

/** The connection for rate limits and the version of the public lists. Fails at once while Redis is away. */
@Injectable()
export class GatewayRedis implements OnApplicationShutdown {
  readonly client: Redis;

  constructor({ redisUrl }: GatewayConfig) {
    const logger = new Logger('Redis');
    this.client = redisConnection(redisUrl, {
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      maxRetriesPerRequest: 0,
      commandTimeout: DEADLINES.redisCommand,
    });
    this.client.connect().catch((error: unknown) => logger.debug({ err: error, msg: 'no Redis yet' }));
  }

  onApplicationShutdown(): void {
    this.client.disconnect();
  }
}
