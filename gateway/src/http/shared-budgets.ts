import { DomainError } from '@meetmark/contracts';
import { Bulkhead } from '@meetmark/platform';
import { subscriber } from '../networks.js';

const MEGABYTE = 1024 * 1024;
/** The part of a budget that one network may have. */
const TENTH = 0.1;

/** What all who ask one gateway share, and the most of it that one network may have. */
interface SharedBudget {
  all: number;
  one: number;
}

const shared = (all: number, one = Math.ceil(all * TENTH)): SharedBudget => ({ all, one });

/**
 * Everything in this process that one client could use up for all others. Rates are counted elsewhere (rate-limits.ts). Each is held by
 * `Shares`, so that a network has its tenth and no more.
 */
export const SHARED_BUDGETS = {
  /** Bytes of memory that bodies have become, those of a picture apart: a sign-in does not wait for uploads. */
  smallBodies: shared(64 * MEGABYTE),
  /** A network may have one picture on its way, of any size that is allowed. */
  largeBodies: shared(96 * MEGABYTE, 32 * MEGABYTE),
  /** Open connections. Behind a proxy they are the proxy's to bound. */
  connections: shared(10_000),
  /** Passwords that are sent to auth at a time: enough to keep many replicas busy. More would only wait there. */
  passwords: shared(40),
  /** Attempts on one account that wait for their turn, once many were wrong: a stranger's attempts leave its owner a place. */
  turns: shared(10),
  /** Pictures that are drawn or wait for it. */
  pictures: shared(21),
  /** Pictures of maps that are fetched from their provider, which may take its time. */
  maps: shared(10),
} satisfies Record<string, SharedBudget>;

type SharedBudgetName = keyof typeof SHARED_BUDGETS;

/** The network that has a share: an IPv4 address, or the /48 of an IPv6 one. */
export const sharer = (ip: string): string => subscriber(ip).at(-1)!.key;

/** Who has how much of a budget. */
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

  /** @returns whether there was so much, for all and for this network; it is then taken */
  take(network: string, amount: number): boolean {
    const own = (this.byNetwork.get(network) ?? 0) + amount;
    if (own > this.budget.one || this.taken + amount > this.budget.all) return false;
    this.taken += amount;
    this.byNetwork.set(network, own);
    return true;
  }

  /** @param amount what was taken before, in one or in several parts */
  giveBack(network: string, amount: number): void {
    this.taken -= amount;
    const own = (this.byNetwork.get(network) ?? 0) - amount;
    if (own > 0) this.byNetwork.set(network, own);
    else this.byNetwork.delete(network);
  }
}

/** Seconds after which who found no room may try again. */
const RETRY_AFTER = 2;

/** What is shared has no room, for all or for the network. */
export class NoRoom extends DomainError {
  constructor() {
    super('SERVICE_OVERLOADED', { outcome: 'not-started', retryAfter: RETRY_AFTER });
  }
}

/** So many of the network wait already that another one need not come further than the door for a moment. */
export class NoTurn extends NoRoom {}

/** Tasks of a network that wait for its own, and milliseconds for which they do: sixty people may press a button at the same moment. */
const WAITING = { waiting: 100, maxWait: 2_500 };

/** Runs as many tasks of a network at a time as its share has. More of them wait for each other, and leave other networks their own. */
export class SharedTurns {
  private readonly shares: Shares;
  private readonly running: number;
  private readonly ofNetwork = new Map<string, { bulkhead: Bulkhead; users: number }>();

  constructor(name: SharedBudgetName) {
    this.shares = new Shares(name);
    this.running = SHARED_BUDGETS[name].one;
  }

  /** @throws DomainError SERVICE_OVERLOADED when there is no room for all, or none came in time */
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

  /** Refuses at once, for a caller whose work before the turn would be wasted. @throws DomainError SERVICE_OVERLOADED */
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
