import { Injectable } from '@nestjs/common';
import { ByteCache } from '../caching/byte-cache.js';
import { EventsVersion } from './events-version.js';

interface Kept {
  bytes: number;
}

interface Entry {
  version: string;
  /** Milliseconds since 1970. */
  made: number;
  answer: Promise<Kept>;
}

/** Bytes of answers that one gateway keeps: a whole list can have megabytes, and filters are without number. */
const CAPACITY = 32 * 1024 * 1024;
/** Bytes that an answer takes up besides its body. */
const OVERHEAD = 2_048;
/** Milliseconds. 'Upcoming' moves with the clock, and a version could be lost with Redis itself. */
const LIFETIME = 10_000;

/** Answers about events and registrations, kept until any of these changes. Never older than the last acknowledged change. */
@Injectable()
export class PublicAnswers {
  private readonly entries = new ByteCache<Entry>(CAPACITY);

  constructor(private readonly version: EventsVersion) {}

  /** Whether there is one that is young enough, unless something has changed meanwhile. */
  has(name: string): boolean {
    return Date.now() - (this.entries.get(name)?.made ?? 0) < LIFETIME;
  }

  /** `name` tells the answers apart; `make` is run when there is none of the present version. */
  async get<T extends Kept>(name: string, make: () => Promise<T>): Promise<T> {
    const version = await this.version.current();
    const known = this.entries.get(name);
    if (known?.version === version && Date.now() - known.made < LIFETIME) return known.answer as Promise<T>;
    const making = make();
    const entry = { version, made: Date.now(), answer: making };
    this.entries.set(name, entry, OVERHEAD);
    const isStillThere = () => this.entries.get(name) === entry;
    try {
      const answer = await making;
      if (isStillThere()) this.entries.set(name, entry, OVERHEAD + answer.bytes);
      return answer;
    } catch (error) {
      if (isStillThere()) this.entries.delete(name);
      throw error;
    }
  }
}
