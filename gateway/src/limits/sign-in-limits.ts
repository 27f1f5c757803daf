import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '@meetmark/contracts';
import { Slots } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { network, subscriber } from './network.js';
import { RateLimiter } from './rate-limiter.js';

/** Milliseconds that a sign-in waits once an account has met a hundred wrong passwords: nobody can lock its owner out. */
const SLOWED = 1_000;
/** Passwords that one gateway has auth look at, at a time: enough to keep many replicas busy. More would only wait there. */
const AT_ONCE = 40;

/** Limits on guessing passwords (B.4, T5). */
@Injectable()
export class SignInLimits {
  private readonly slots = new Slots({ running: AT_ONCE, waiting: 0 });

  constructor(private readonly limiter: RateLimiter) {}

  /** @throws DomainError SERVICE_OVERLOADED, RATE_LIMITED */
  async signUp<T>(ip: string, attempt: () => Promise<T>): Promise<T> {
    this.slots.refuseWhenFull();
    await this.limiter.consume('sign-up', subscriber(ip));
    return this.slots.run(attempt);
  }

  changePassword(userId: string): Promise<void> {
    return this.limiter.consume('password-changes', userId);
  }

  /**
   * Counts the attempt as a failure first and takes that back when it was none, so that parallel attempts cannot slip through.
   * @throws DomainError SERVICE_OVERLOADED, RATE_LIMITED
   */
  async signIn<T>(email: string, ip: string, attempt: () => Promise<T>): Promise<T> {
    this.slots.refuseWhenFull(); // what auth will not look at is no attempt, and costs Redis nothing
    const account = email.toLowerCase();
    const accountHere = `${account} ${network(ip)}`;
    await this.limiter.consume('sign-in-attempts', subscriber(ip));
    await this.limiter.consume('sign-in-failures', accountHere);
    if ((await this.limiter.count('sign-in-failures-anywhere', account)) !== null) await pause(SLOWED);
    try {
      const result = await this.slots.run(attempt);
      await this.forgive(account, accountHere);
      return result;
    } catch (error) {
      const wrong = error instanceof DomainError && error.code === 'CREDENTIALS_INCORRECT';
      if (!wrong) await this.forgive(account, accountHere);
      throw error;
    }
  }

  private async forgive(account: string, accountHere: string): Promise<void> {
    await Promise.all([
      this.limiter.giveBack('sign-in-failures', accountHere),
      this.limiter.giveBack('sign-in-failures-anywhere', account),
    ]);
  }
}
