import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { SERVICES } from '@meetmark/contracts';
import { ReplyError } from 'ioredis';
import { connectForever, REDIS, redisConnection } from './connection.js';

/** Name of the connection in Redis's ACL log. */
const CONNECTION_NAME = 'required-refusals';

interface RedisUser {
  process: string;
  redisUrl: string;
  prefix: string;
}

/**
 * Runs commands that Redis must reject, and returns an error message for each command that it accepts. There
 * are none with the users of config/redis/users.acl. Waits for Redis without limit.
 */
export async function findMissingRefusals({ process, redisUrl, prefix }: RedisUser): Promise<string[]> {
  const redis = redisConnection(redisUrl, { maxRetriesPerRequest: null, connectionName: CONNECTION_NAME });
  const queues = SERVICES.filter((service) => service !== process).map((service) => `${prefix}:${service}`);
  const commands = queues.flatMap((queue) => [
    ['LINDEX', queue, '0'],
    // The gateway may remove requests, because it withdraws requests that no service has started.
    ...(process === 'gateway' ? [] : [['LREM', queue, '1', randomUUID()]]),
  ]);
  try {
    await connectForever(redis);
    const missing: string[] = [];
    for (const [command = '', queue = '', ...values] of commands)
      if (!(await isRefused(() => redis.call(command, queue, ...values))))
        missing.push(
          `REDIS_URL must name a Redis user that may not run ${command} on ${queue}: use the users of config/redis/users.acl`,
        );
    return missing;
  } finally {
    redis.disconnect();
  }
}

async function isRefused(run: () => Promise<unknown>): Promise<boolean> {
  for (;;)
    try {
      await run();
      return false;
    } catch (error) {
      if (error instanceof ReplyError && String(error).includes('NOPERM ')) return true;
      await wait(REDIS.reconnectMax);
    }
}
