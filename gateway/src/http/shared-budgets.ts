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

/** Everything in this process that one client could exhaust for others. Rates are in rate-limits.ts. */
export const SHARED_BUDGETS = {
  /** Bytes. Separate, so that sign-ins don't wait for uploads. */
  smallBodies: shared(64 * MEGABYTE),
  /** Bytes. A network may upload one image of any allowed size at a time. */
  largeBodies: shared(96 * MEGABYTE, 32 * MEGABYTE),
  unsentBodies: shared(64 * MEGABYTE),
  /** Behind a proxy, the proxy has to limit those of a network. */
  connections: shared(10_000),
  /** Concurrent checks in auth, enough for many replicas. Further ones would only wait there. */
  passwords: shared(40),
  /** After many failures on one account. A stranger's network can't fill them and lock out the owner. */
  turns: shared(10),
  /** Later lists wait until the first ones count for the network's rate limit. */
  lists: shared(400, 4),
  pictures: shared(21),
  maps: shared(10),
} satisfies Record<string, SharedBudget>;

type SharedBudgetName = keyof typeof SHARED_BUDGETS;

/** An IPv4 address, or an IPv6 /48. */
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

/** Admission control then refuses more tasks of the network for a while. */
export class NoTurn extends NoRoom {}

/** Per network, `maxWait` in milliseconds. Sixty people may press a button at the same time. */
const WAITING = { waiting: 100, maxWait: 2_500 };

/** Further tasks wait without affecting other networks. */
export class SharedTurns {
  private readonly shares: Shares;
  private readonly running: number;
  private readonly ofNetwork = new Map<string, { bulkhead: Bulkhead; users: number }>();

  constructor(name: SharedBudgetName) {
    this.shares = new Shares(name);
    this.running = SHARED_BUDGETS[name].one;
  }

  /** @throws DomainError SERVICE_OVERLOADED if there is no room in time */
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
   * To be called before work that a refusal would waste.
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
