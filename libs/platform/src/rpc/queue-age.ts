import type { ServiceName } from '@meetmark/contracts';
import type { Redis } from 'ioredis';
import { rpcOldestWaiting } from '../operations/metrics.js';
import { bodyOf } from './message-keys.js';
import type { RedisClock } from './redis-clock.js';
import type { WireRequest } from './wire.js';

/** For how many milliseconds the message at the head of a queue has been waiting; 0 when none is. */
export async function measureAge(
  redis: Redis,
  queue: string,
  service: ServiceName,
  clock: RedisClock,
): Promise<number> {
  const head = await redis.lindex(queue, 0);
  const sent = head === null ? undefined : (JSON.parse(bodyOf(head)) as Partial<WireRequest>).sent;
  const age = sent === undefined ? 0 : Math.max(0, clock.now() - sent);
  rpcOldestWaiting.set({ service }, age / 1_000);
  return age;
}
