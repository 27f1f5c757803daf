import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { sharer, Shares } from '../http/shared-budgets.js';
import { GatewayRedis } from '../redis/gateway-redis.js';
import { limited, limitsLogger } from './rate-limiter.js';

/** Milliseconds between the turns of an account, over all gateways. */
const APART = 1_000;
const PATIENCE = 2_500;
/** Milliseconds until a turn expires if its gateway crashes. Longer than any attempt. */
const LONGEST = 10_000;
const LOOK = 100;

// ARGV: the turn's owner, and milliseconds until the next turn. Doesn't end a turn that has another owner.
const END = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], 'over', 'PX', ARGV[2]) end`;

/** Ends the turn and lets the next one start after `rest` milliseconds. Without Redis, the turn expires. */
export type EndTurn = (rest: number) => Promise<void>;

/**
 * @param longest milliseconds until the turn ends by itself
 * @throws DomainError RATE_LIMITED if no turn becomes free in time, SERVICE_UNAVAILABLE without Redis
 */
export async function takeTurn({ client }: GatewayRedis, keys: string[], longest: number): Promise<EndTurn> {
  const token = randomUUID();
  const giveUpAt = Date.now() + PATIENCE;
  for (;;) {
    for (const key of keys) {
      const taken = await client.set(key, token, 'PX', longest, 'NX').catch((cause: unknown) => {
        throw new DomainError('SERVICE_UNAVAILABLE', undefined, { cause });
      });
      if (taken !== null) return (rest) => endTurn(client, key, token, rest);
    }
    if (Date.now() + LOOK > giveUpAt) throw limited(APART);
    await pause(LOOK);
  }
}

async function endTurn(client: Redis, key: string, token: string, rest: number): Promise<void> {
  try {
    await client.eval(END, 1, key, token, Math.max(1, rest));
  } catch (error) {
    limitsLogger.warn({
      err: error,
      msg: 'Could not release the lock of an account; it expires within seconds',
    });
  }
}

@Injectable()
export class AccountTurns {
  private readonly waiting = new Map<string, Shares>();

  constructor(private readonly redis: GatewayRedis) {}

  /**
   * Runs the sign-in attempts on one account one at a time. Refuses attempts without Redis, because otherwise
   * each gateway would allow a guess.
   * @throws DomainError RATE_LIMITED if no turn becomes free in time, SERVICE_UNAVAILABLE
   */
  async run<T>(account: string, ip: string, attempt: () => Promise<T>): Promise<T> {
    const waiting = this.waiting.get(account) ?? new Shares('turns');
    const network = sharer(ip);
    if (!waiting.take(network, 1)) throw limited(APART);
    this.waiting.set(account, waiting);
    let end: EndTurn;
    try {
      end = await takeTurn(this.redis, [`limit:turn:${account}`], LONGEST);
    } finally {
      waiting.giveBack(network, 1);
      if (waiting.isUnused) this.waiting.delete(account);
    }
    try {
      return await attempt();
    } finally {
      await end(APART);
    }
  }
}
