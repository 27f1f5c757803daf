import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { sharer, Shares } from '../http/shared-budgets.js';
import { GatewayRedis } from '../redis/gateway-redis.js';
import { limited, limitsLogger } from './rate-limiter.js';

/** Milliseconds between the end of one attempt and the beginning of the next, over all gateways. */
const APART = 1_000;
/** Milliseconds that an attempt waits for its turn; the rest of the request's time is for the attempt itself. */
const PATIENCE = 2_500;
/** Milliseconds until the turn of a crashed gateway ends; longer than any attempt. */
const LONGEST = 10_000;
const LOOK = 100;

// KEYS: the account's turn. ARGV: its owner, milliseconds until the next turn. A turn of another owner is not released.
const RELEASE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], 'over', 'PX', ARGV[2]) end`;

/** One attempt on an account at a time, a second apart, however many gateways there are. */
@Injectable()
export class AccountTurns {
  /** Who waits here, by account. */
  private readonly waiting = new Map<string, Shares>();

  constructor(private readonly redis: GatewayRedis) {}

  /**
   * Without Redis no attempt is made: turns exist to prevent a guess in each gateway at once, and a sign-in needs Redis anyway.
   * @throws DomainError RATE_LIMITED when the turn does not come in time, SERVICE_UNAVAILABLE
   */
  async run<T>(account: string, ip: string, attempt: () => Promise<T>): Promise<T> {
    const waiting = this.waiting.get(account) ?? new Shares('turns');
    const network = sharer(ip);
    if (!waiting.take(network, 1)) throw limited(APART);
    this.waiting.set(account, waiting);
    const key = `limit:turn:${account}`;
    const token = randomUUID();
    try {
      await this.take(key, token);
    } finally {
      waiting.giveBack(network, 1);
      if (waiting.isUnused) this.waiting.delete(account);
    }
    try {
      return await attempt();
    } finally {
      await this.release(key, token);
    }
  }

  private async take(key: string, token: string): Promise<void> {
    const end = Date.now() + PATIENCE;
    for (;;) {
      const taken = await this.redis.client.set(key, token, 'PX', LONGEST, 'NX').catch((cause: unknown) => {
        throw new DomainError('SERVICE_UNAVAILABLE', undefined, { cause });
      });
      if (taken !== null) return;
      if (Date.now() + LOOK > end) throw limited(APART);
      await pause(LOOK);
    }
  }

  /** Without Redis the turn expires, and the request is answered with the outcome of the attempt. */
  private async release(key: string, token: string): Promise<void> {
    try {
      await this.redis.client.eval(RELEASE, 1, key, token, APART);
    } catch (error) {
      limitsLogger.warn({
        err: error,
        msg: `an account's turn could not be released: it ends within ${LONGEST} ms`,
      });
    }
  }
}
