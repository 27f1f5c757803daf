import { Injectable } from '@nestjs/common';
import { ByteCache } from '../caching/byte-cache.js';
import type { Answer } from './answer.js';
import { EventsVersion } from './events-version.js';

interface Entry {
  version: string;
  /** Milliseconds since 1970. */
  made: number;
  answer: Promise<Answer>;
}

/** Bytes of answers that one gateway keeps: a whole list can have megabytes, and filters are without number. */
const CAPACITY = 32 * 1024 * 1024;
/** Bytes that an answer takes up besides its body. */
const OVERHEAD = 2_048;
/** Milliseconds. 'Upcoming' moves with the clock, and a version could be lost with Redis itself. */
const LIFETIME = 10_000;

/** Public answers about events, kept until anything about events changes. Never older than the last acknowledged change. */
@Injectable()
export class PublicAnswers {
  private readonly entries = new ByteCache<Entry>(CAPACITY);

  constructor(private readonly version: EventsVersion) {}

  /** `name` tells the answers apart; `make` is run when there is none of the present version. */
  async get(name: string, make: () => Promise<Answer>): Promise<Answer> {
    const version = await this.version.current();
    const known = this.entries.get(name);
    if (known?.version === version && Date.now() - known.made < LIFETIME) return known.answer;
    const entry = { version, made: Date.now(), answer: make() };
    this.entries.set(name, entry, OVERHEAD);
    const isStillThere = () => this.entries.get(name) === entry;
    try {
      const answer = await entry.answer;
      if (isStillThere()) this.entries.set(name, entry, OVERHEAD + answer.body.length);
      return answer;
    } catch (error) {
      if (isStillThere()) this.entries.delete(name);
      throw error;
    }
  }
}
