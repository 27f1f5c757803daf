import { Injectable } from '@nestjs/common';
import type { Answer } from './answer.js';
import { EventsVersion } from './events-version.js';

interface Entry {
  version: string;
  /** Milliseconds since 1970. */
  made: number;
  answer: Promise<Answer>;
}

const ENTRIES = 500;
/** Milliseconds. 'Upcoming' moves with the clock, and a version could be lost with Redis itself. */
const LIFETIME = 10_000;

/** Public answers about events, kept until anything about events changes. Never older than the last acknowledged change. */
@Injectable()
export class PublicAnswers {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly version: EventsVersion) {}

  /** `name` tells the answers apart; `make` is run when there is none of the present version. */
  async get(name: string, make: () => Promise<Answer>): Promise<Answer> {
    const version = await this.version.current();
    const known = this.entries.get(name);
    if (known?.version === version && Date.now() - known.made < LIFETIME) return known.answer;
    const answer = make();
    this.remember(name, { version, made: Date.now(), answer });
    try {
      return await answer;
    } catch (error) {
      if (this.entries.get(name)?.answer === answer) this.entries.delete(name);
      throw error;
    }
  }

  private remember(name: string, entry: Entry): void {
    this.entries.delete(name); // to the end: the map's order is the order of age
    this.entries.set(name, entry);
    const oldest = this.entries.keys().next();
    if (this.entries.size > ENTRIES && !oldest.done) this.entries.delete(oldest.value);
  }
}
