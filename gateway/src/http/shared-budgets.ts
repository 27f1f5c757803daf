import { DomainError } from '@meetmark/contracts';
import { Bulkhead } from '@meetmark/platform';
import { subscriber } from '../networks.js';

const MEGABYTE = 1024 * 1024;
const TENTH = 0.1;

interface SharedBudget {
  all: number;
  one: number;
}

const shared = (all: number, one = Math.ceil(all * TENTH)): SharedBudget => ({ all, one });

/**
 * Resources of this process that one client could use up for all others. Rate limits are in rate-limits.ts.
 */
export const SHARED_BUDGETS = {
  /** Bytes. Small and large bodies have separate budgets, so that sign-ins don't wait for uploads. */
  smallBodies: shared(64 * MEGABYTE),
  /** Bytes. A network may upload one image of any allowed size at a time. */
  largeBodies: shared(96 * MEGABYTE, 32 * MEGABYTE),
  unsentBodies: shared(64 * MEGABYTE),
  /** Behind a proxy, only the proxy can limit the connections of each network. */
  connections: shared(10_000),
  /**
   * Concurrent sign-ins and sign-ups. Enough for many replicas of auth, where more requests would only wait.
   */
  passwords: shared(40),
  /**
   * Attempts that wait for one account after many failures. Each network may have one, so that strangers on
   * other networks can't keep the owner out.
   */
  turns: shared(10),
  /** A network's fifth request for a list waits until an earlier one has counted towards the rate limit. */
  lists: shared(400, 4),
  pictures: shared(21),
  maps: shared(10),
  /** Files of up to 5 MB. */
  imports: shared(2),
} satisfies Record<string, SharedBudget>;

type SharedBudgetName = keyof typeof SHARED_BUDGETS;

/** Returns the network that shares a budget: an IPv4 address or an IPv6 /48. */
export const sharer = (ip: string): string => subscriber(ip).at(-1)!.key;

export class Shares {
  private taken = 0;
  private readonly byNetwork = new Map<string, number>();
  private readonly budget: SharedBudget;

  constructor(name: SharedBudgetName) {
    this.budget = SHARED_BUDGETS[name];
  }

  get isUnused(): boolean {
    return this.taken === 0;
  }

  get isFull(): boolean {
    return this.taken >= this.budget.all;
  }

  hasRoom(network: string): boolean {
    return !this.isFull && (this.byNetwork.get(network) ?? 0) < this.budget.one;
  }

  take(network: string, amount: number): boolean {
    const own = (this.byNetwork.get(network) ?? 0) + amount;
    if (own > this.budget.one || this.taken + amount > this.budget.all) return false;
    this.taken += amount;
    this.byNetwork.set(network, own);
    return true;
  }

  giveBack(network: string, amount: number): void {
    this.taken -= amount;
    const own = (this.byNetwork.get(network) ?? 0) - amount;
    if (own > 0) this.byNetwork.set(network, own);
    else this.byNetwork.delete(network);
  }
}

/** Seconds. */
const RETRY_AFTER = 2;

export class NoRoom extends DomainError {
  constructor() {
    super('SERVICE_OVERLOADED', { outcome: 'not-started', retryAfter: RETRY_AFTER });
  }
}

/** Makes admission control refuse further requests of this kind from the network for a while. */
export class NoTurn extends NoRoom {}

/** Limits for one network, enough for sixty people who act at the same time. `maxWait` is in milliseconds. */
const WAITING = { waiting: 100, maxWait: 2_500 };

/** Limits the tasks that run at the same time. A network's waiting tasks don't affect other networks. */
export class SharedTurns {
  private readonly shares: Shares;
  private readonly running: number;
  private readonly ofNetwork = new Map<string, { bulkhead: Bulkhead; users: number }>();

  constructor(name: SharedBudgetName) {
    this.shares = new Shares(name);
    this.running = SHARED_BUDGETS[name].one;
  }

  /** @throws DomainError SERVICE_OVERLOADED if `task` can't start in time */
  async run<T>(ip: string, task: () => Promise<T>): Promise<T> {
    const network = sharer(ip);
    const turns = this.ofNetwork.get(network) ?? {
      bulkhead: new Bulkhead({ running: this.running, ...WAITING }),
      users: 0,
    };
    this.ofNetwork.set(network, turns);
    turns.users += 1;
    let begun = false;
    try {
      return await turns.bulkhead.run(() => {
        begun = true;
        return this.taken(network, task);
      });
    } catch (error) {
      throw begun ? error : new NoRoom();
    } finally {
      turns.users -= 1;
      if (turns.users === 0) this.ofNetwork.delete(network);
    }
  }

  /**
   * Refuses early, before work that would be wasted if `run` refused later.
   * @throws DomainError SERVICE_OVERLOADED
   */
  refuseWhenFull(ip: string): void {
    const users = this.ofNetwork.get(sharer(ip))?.users ?? 0;
    if (users >= this.running + WAITING.waiting) throw new NoTurn();
    if (this.shares.isFull) throw new NoRoom();
  }

  private async taken<T>(network: string, task: () => Promise<T>): Promise<T> {
    if (!this.shares.take(network, 1)) throw new NoRoom();
    try {
      return await task();
    } finally {
      this.shares.giveBack(network, 1);
    }
  }
}
