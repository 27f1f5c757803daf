import { subscriber } from '../rate-limits/networks.js';

const MEGABYTE = 1024 * 1024;
/** Of a budget, for one network. */
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
  smallBodies: shared(48 * MEGABYTE),
  /** A network may have one picture on its way, of any size that is allowed. */
  largeBodies: shared(96 * MEGABYTE, 32 * MEGABYTE),
} satisfies Record<string, SharedBudget>;

/** The network that has a share: an IPv4 address, or the /48 of an IPv6 one. */
export const sharer = (ip: string): string => subscriber(ip).at(-1)!.key;

/** Who has how much of a budget. */
export class Shares {
  private taken = 0;
  private readonly byNetwork = new Map<string, number>();
  private readonly budget: SharedBudget;

  constructor(name: keyof typeof SHARED_BUDGETS) {
    this.budget = SHARED_BUDGETS[name];
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
