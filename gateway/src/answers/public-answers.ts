import { BoundedMap } from '@meetmark/platform';
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
  private readonly entries = new BoundedMap<string, Entry>(ENTRIES);

  constructor(private readonly version: EventsVersion) {}

  /** `name` tells the answers apart; `make` is run when there is none of the present version. */
  async get(name: string, make: () => Promise<Answer>): Promise<Answer> {
    const version = await this.version.current();
    const known = this.entries.get(name);
    if (known?.version === version && Date.now() - known.made < LIFETIME) return known.answer;
    const answer = make();
    this.entries.set(name, { version, made: Date.now(), answer });
    try {
      return await answer;
    } catch (error) {
      if (this.entries.get(name)?.answer === answer) this.entries.delete(name);
      throw error;
    }
  }
}
