import { DEADLINES } from '@meetmark/contracts';
import { reconnectDelay } from '@meetmark/platform/rpc/redis-connection';
import type { LoggerService } from '@nestjs/common';
import { createClient, defineScript, type CommandParser } from 'redis';

const REPLACE_UNLESS = `
  if redis.call('GET', KEYS[1]) == ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  return 1`;

const replaceUnless = defineScript({
  SCRIPT: REPLACE_UNLESS,
  NUMBER_OF_KEYS: 1,
  IS_READ_ONLY: false,
  parseCommand(parser: CommandParser, key: string, forbidden: string, value: string, lifetime: number) {
    parser.pushKey(key);
    parser.push(forbidden, value, String(lifetime));
  },
  transformReply: (reply: unknown) => reply as number,
});

const client = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    // a Redis that says nothing any more is found out by the pings, and every waiting command then fails
    pingInterval: DEADLINES.redisCommand / 2,
    socket: {
      reconnectStrategy: (attempt) => reconnectDelay(attempt + 1),
      connectTimeout: DEADLINES.redisCommand,
      socketTimeout: DEADLINES.redisCommand,
    },
    scripts: { replaceUnless },
  });

export type SessionRedis = ReturnType<typeof client>;

/** Begins to connect, and never stops trying. Commands fail at once while Redis is away. */
export function openSessionRedis(url: string, logger: LoggerService): SessionRedis {
  const redis = client(url);
  redis.on('error', (error: unknown) => logger.debug?.({ err: error, msg: 'Redis is away' }));
  redis.connect().catch((error: unknown) => logger.warn({ err: error, msg: 'no Redis yet' }));
  return redis;
}
