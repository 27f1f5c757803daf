import { DomainError } from '@meetmark/contracts';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const WAITING = 60;
/** Pause after each image, as a multiple of the time it took. Leaves most decoder time to uploads. */
const RESTS = 3;
const FAILED_FOR = 600_000;
const FAILED_KEPT = 2_000;

@Injectable()
export class CoverSizes implements OnApplicationShutdown {
  private readonly logger = new Logger('CoverSizes');
  private readonly waiting = new Map<string, () => Promise<void>>();
  private readonly failed = new LRUCache<string, true>({ max: FAILED_KEPT, ttl: FAILED_FOR });
  private running = false;
  private rest?: NodeJS.Timeout;

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
      // Remembers only lasting failures. After an overload, a later request queues the image again.
      if (!(error instanceof DomainError) || error.code.startsWith('PICTURE_')) this.failed.set(name, true);
      this.logger.warn(`Could not resize image ${name}, serving the full size: ${String(error)}`);
    }
    this.waiting.delete(name);
    this.rest = setTimeout(() => void this.makeNext(), RESTS * (performance.now() - began)).unref();
  }

  onApplicationShutdown(): void {
    this.waiting.clear();
    clearTimeout(this.rest);
  }
}
