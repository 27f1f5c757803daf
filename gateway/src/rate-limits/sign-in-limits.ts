import { type AskedPurpose, DomainError, normaliseEmail } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SharedTurns } from '../http/shared-budgets.js';
import { FlowCookies, KnownDevices } from '../sessions/browser-cookies.js';
import { GatewaySessionStore } from '../sessions/session-store.js';
import { AccountTurns } from './account-turns.js';
import { network, Pseudonyms, subscriber, wideNetwork } from '../networks.js';
import { OWN_SHARE, RateLimiter } from './rate-limiter.js';
import type { RateLimitName } from './rate-limits.js';

/** Reserve of a /24 or /48 network in which a browser has a session, as a multiple of the usual limit. */
const MEMBERS_SHARE = 5;

const CODE_REQUESTS: RateLimitName[] = ['code-requests', 'code-requests-daily'];
const CODE_ATTEMPTS: RateLimitName[] = ['code-attempts'];

/**
 * Limits requests for codes and attempts to enter codes. The auth service counts the guesses at each code.
 * Known browsers and accounts are recognised by cookies only, so that responses don't reveal which email
 * addresses have an account. A network's reserve reveals only that one of its browsers has a session.
 */
@Injectable()
export class CodeLimits {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly devices: KnownDevices,
    private readonly flows: FlowCookies,
    private readonly sessions: GatewaySessionStore,
  ) {}

  /**
   * Counts a request for a code that is emailed only to accounts. The request may use the network's reserve.
   * @throws DomainError RATE_LIMITED
   */
  async request(request: FastifyRequest, email: string): Promise<void> {
    await this.orReserve(CODE_REQUESTS, request.ip, () => this.requestForAnyone(request, email));
  }

  /**
   * Counts a request for a code that is emailed to any address. Such a request can't use the reserve.
   * Otherwise, anyone could sign up to get a reserve and email more strangers.
   * @throws DomainError RATE_LIMITED
   */
  requestForAnyone(request: FastifyRequest, email: string): Promise<void> {
    const { caller } = request;
    const isOwn = caller !== null && normaliseEmail(caller.email) === normaliseEmail(email);
    const device = this.devices.getDeviceId(request, email);
    const own = isOwn ? `account ${caller.id}` : device === null ? null : `device ${device}`;
    return this.consume(CODE_REQUESTS, own, request.ip);
  }

  /**
   * @param purpose undefined for a link, which works in any browser
   * @throws DomainError RATE_LIMITED
   */
  attempt(request: FastifyRequest, purpose?: AskedPurpose): Promise<void> {
    const flow = purpose === undefined ? null : this.flows.getKey(request, purpose);
    const { caller } = request;
    const own = flow === null ? (caller === null ? null : `account ${caller.id}`) : `flow ${flow}`;
    return this.orReserve(CODE_ATTEMPTS, request.ip, () => this.consume(CODE_ATTEMPTS, own, request.ip));
  }

  private async orReserve(limits: RateLimitName[], ip: string, count: () => Promise<void>): Promise<void> {
    try {
      await count();
    } catch (refusal) {
      const isLimited = refusal instanceof DomainError && refusal.code === 'RATE_LIMITED';
      const wide = wideNetwork(ip);
      if (!isLimited || !(await this.sessions.isOpenIn(wide))) throw refusal;
      const reserve = [{ key: `members ${wide}`, share: MEMBERS_SHARE }];
      await Promise.all(limits.map((limit) => this.limiter.consumeAll(limit, reserve)));
    }
  }

  /** Counts the own share of a known browser or account, or else for the networks. */
  private async consume(limits: RateLimitName[], own: string | null, ip: string): Promise<void> {
    // Counts in parallel, so that a slow Redis delays the request only once.
    if (own !== null) {
      const waits = await Promise.all(limits.map((limit) => this.limiter.count(limit, own, OWN_SHARE)));
      if (waits.every((wait) => wait === null)) return;
    }
    await Promise.all(limits.map((limit) => this.limiter.consumeAll(limit, subscriber(ip))));
  }

  addressChange(userId: string): Promise<void> {
    return this.limiter.consume('address-changes', userId);
  }
}

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

  ownPassword(userId: string): Promise<void> {
    return this.limiter.consume('password-changes', userId);
  }

  /**
   * Counts the attempt as failed before it runs, so that parallel attempts all count. Known browsers have a
   * separate count, which nobody else can use up.
   * @throws DomainError SERVICE_OVERLOADED, RATE_LIMITED
   */
  async signIn<T>(request: FastifyRequest, email: string, attempt: () => Promise<T>): Promise<T> {
    this.slots.refuseWhenFull(request.ip); // Must be first, so that a refused attempt doesn't need Redis.
    const account = this.pseudonyms.of('limited account', normaliseEmail(email));
    const device = this.devices.getDeviceId(request, email);
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
