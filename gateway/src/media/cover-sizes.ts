import { DomainError } from '@meetmark/contracts';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** Pictures that wait for their turn; more of them are asked for again when somebody wants to see them. */
const WAITING = 60;
/** The decoder is needed for a quarter of the time then, and is there for who uploads. */
const RESTS = 3;
/** Milliseconds after which one that could not be made is tried again, and how many of them are remembered. */
const FAILED_FOR = 600_000;
const FAILED_KEPT = 2_000;

/**
 * Makes pictures narrower in the background, one after the other: who asks for one is answered with what is there. However many are
 * asked for, at most one is in the decoder's queue.
 */
@Injectable()
export class CoverSizes implements OnApplicationShutdown {
  private readonly logger = new Logger('CoverSizes');
  private readonly waiting = new Map<string, () => Promise<void>>();
  private readonly failed = new LRUCache<string, true>({ max: FAILED_KEPT, ttl: FAILED_FOR });
  private running = false;
  private rest?: NodeJS.Timeout;

  /** @param make is called when its turn comes, and keeps what it makes */
  want(name: string, make: () => Promise<void>): void {
    if (this.waiting.has(name) || this.waiting.size >= WAITING || this.failed.has(name)) return;
    this.waiting.set(name, make);
    if (!this.running) void this.makeNext();
  }

  private async makeNext(): Promise<void> {
    const [next] = this.waiting;
    this.running = next !== undefined;
    if (next === undefined) return;
    const [name, make] = next;
    const began = performance.now();
    try {
      await make();
    } catch (error) {
      // a machine that is busy is no fault of the picture: somebody will ask again
      if (!(error instanceof DomainError) || error.code.startsWith('PICTURE_')) this.failed.set(name, true);
      this.logger.warn(`a picture stays as wide as it is (${name}): ${String(error)}`);
    }
    this.waiting.delete(name);
    this.rest = setTimeout(() => void this.makeNext(), RESTS * (performance.now() - began)).unref();
  }

  onApplicationShutdown(): void {
    this.waiting.clear();
    clearTimeout(this.rest);
  }
}
