import { DomainError, normaliseEmail } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SharedTurns } from '../http/shared-budgets.js';
import { KnownDevices } from '../sessions/browser-cookies.js';
import { AccountTurns } from './account-turns.js';
import { network, Pseudonyms, subscriber } from '../networks.js';
import { RateLimiter } from './rate-limiter.js';

/** Limits on requesting codes and on guessing them, by network; the auth service counts the attempts of each code. */
@Injectable()
export class CodeLimits {
  constructor(private readonly limiter: RateLimiter) {}

  async request(ip: string): Promise<void> {
    // in parallel, so that a slow Redis does not use up the request's time twice
    await Promise.all([
      this.limiter.consumeAll('code-requests', subscriber(ip)),
      this.limiter.consumeAll('code-requests-daily', subscriber(ip)),
    ]);
  }

  attempt(ip: string): Promise<void> {
    return this.limiter.consumeAll('code-attempts', subscriber(ip));
  }

  /** New addresses that one account requests. */
  addressChange(userId: string): Promise<void> {
    return this.limiter.consume('address-changes', userId);
  }
}

/** Limits on guessing passwords. */
@Injectable()
export class SignInLimits {
  private readonly slots = new SharedTurns('passwords');

  constructor(
    private readonly limiter: RateLimiter,
    private readonly turns: AccountTurns,
    private readonly devices: KnownDevices,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  /** @throws DomainError SERVICE_OVERLOADED, RATE_LIMITED */
  async signUp<T>(ip: string, attempt: () => Promise<T>): Promise<T> {
    this.slots.refuseWhenFull(ip);
    await this.limiter.consumeAll('sign-up', subscriber(ip));
    return this.slots.run(ip, attempt);
  }

  /** Counts an attempt of a signed-in user with their own password. */
  ownPassword(userId: string): Promise<void> {
    return this.limiter.consume('password-changes', userId);
  }

  /**
   * Counts the attempt as a failure first and takes that back if it was none, so that parallel attempts are all counted. A browser that
   * has signed in to the account before is counted separately, so no other client can use up its attempts.
   * @throws DomainError SERVICE_OVERLOADED, RATE_LIMITED
   */
  async signIn<T>(request: FastifyRequest, email: string, attempt: () => Promise<T>): Promise<T> {
    this.slots.refuseWhenFull(request.ip); // a refused attempt does not count and needs no Redis
    const account = this.pseudonyms.of('limited account', normaliseEmail(email));
    const device = this.devices.idOf(request, email);
    const counted = device === null ? network(request.ip) : [{ key: `device ${device}`, share: 1 }];
    if (device === null) await this.limiter.consumeAll('sign-in-attempts', subscriber(request.ip));
    await this.limiter.consumeAll('sign-in-failures', counted, `${account} `);
    const crowded =
      device === null && (await this.limiter.count('sign-in-failures-anywhere', account)) !== null;
    const evaluate = () => this.slots.run(request.ip, attempt);
    const forgive = () =>
      Promise.all([
        ...counted.map(({ key, share }) =>
          this.limiter.giveBack('sign-in-failures', `${account} ${key}`, share),
        ),
        ...(device === null ? [this.limiter.giveBack('sign-in-failures-anywhere', account)] : []),
      ]);
    try {
      const result = await (crowded ? this.turns.run(account, request.ip, evaluate) : evaluate());
      await forgive();
      return result;
    } catch (error) {
      const wrong = error instanceof DomainError && error.code === 'CREDENTIALS_INCORRECT';
      if (!wrong) await forgive();
      throw error;
    }
  }
}
