import { DomainError, normaliseEmail } from '@meetmark/contracts';
import { Bulkhead } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Pseudonyms } from '../http/pseudonyms.js';
import { KnownDevices } from '../sessions/known-devices.js';
import { AccountTurns } from './account-turns.js';
import { network, subscriber } from './network.js';
import { RateLimiter } from './rate-limiter.js';

/** Passwords that one gateway has auth look at, at a time: enough to keep many replicas busy. More would only wait there. */
const AT_ONCE = 40;

/** Limits on guessing passwords. */
@Injectable()
export class SignInLimits {
  private readonly slots = new Bulkhead({ running: AT_ONCE, waiting: 0 });

  constructor(
    private readonly limiter: RateLimiter,
    private readonly turns: AccountTurns,
    private readonly devices: KnownDevices,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  /** @throws DomainError SERVICE_OVERLOADED, RATE_LIMITED */
  async signUp<T>(ip: string, attempt: () => Promise<T>): Promise<T> {
    this.slots.refuseWhenFull();
    await this.limiter.consumeAll('sign-up', subscriber(ip));
    return this.slots.run(attempt);
  }

  /** For each try of the own password by somebody who is signed in. */
  ownPassword(userId: string): Promise<void> {
    return this.limiter.consume('password-changes', userId);
  }

  /**
   * Counts the attempt as a failure first and takes that back when it was none, so that parallel attempts cannot slip through. A
   * browser that signed in to the account before is counted by itself: nobody can use up its tries.
   * @throws DomainError SERVICE_OVERLOADED, RATE_LIMITED
   */
  async signIn<T>(request: FastifyRequest, email: string, attempt: () => Promise<T>): Promise<T> {
    this.slots.refuseWhenFull(); // what auth will not look at is no attempt, and costs Redis nothing
    const account = this.pseudonyms.of('limited account', normaliseEmail(email));
    const device = this.devices.idOf(request, email);
    const counted = device === null ? network(request.ip) : [{ key: `device ${device}`, share: 1 }];
    if (device === null) await this.limiter.consumeAll('sign-in-attempts', subscriber(request.ip));
    await this.limiter.consumeAll('sign-in-failures', counted, `${account} `);
    const crowded =
      device === null && (await this.limiter.count('sign-in-failures-anywhere', account)) !== null;
    const evaluate = () => this.slots.run(attempt);
    const forgive = () =>
      Promise.all([
        ...counted.map(({ key, share }) =>
          this.limiter.giveBack('sign-in-failures', `${account} ${key}`, share),
        ),
        ...(device === null ? [this.limiter.giveBack('sign-in-failures-anywhere', account)] : []),
      ]);
    try {
      const result = await (crowded ? this.turns.run(account, evaluate) : evaluate());
      await forgive();
      return result;
    } catch (error) {
      const wrong = error instanceof DomainError && error.code === 'CREDENTIALS_INCORRECT';
      if (!wrong) await forgive();
      throw error;
    }
  }
}
