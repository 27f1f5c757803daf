import { DomainError, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GatewayRedis } from '../redis/gateway-redis.js';

/** Bytes of responses that one gateway keeps: a whole list can have megabytes, and there is no end of filters. */
const CAPACITY = 32 * 1024 * 1024;
/** Bytes that a response takes besides its body. */
const OVERHEAD = 2_048;
/** Milliseconds. 'Upcoming' moves with the clock, and a version could be lost with Redis itself. */
const LIFETIME = 10_000;

interface Sized {
  bytes: number;
}

interface Entry {
  version: string;
  /** Milliseconds since 1970. */
  made: number;
  response: Promise<Sized>;
}

/**
 * Responses about events and registrations, kept until any of these changes and never older than the last acknowledged change: the
 * version in Redis is read for every request. A public list of 200 events costs 0.9 ms of the gateway and nothing of events and
 * PostgreSQL; a member's page of 20 events, which is not cached, costs 2.1 and 1.2 ms there (docs/scaling.md). It can go when events
 * answers a public list for less than the gateway needs to read the version.
 */
@Injectable()
export class ResponseCache {
  private readonly entries = new LRUCache<string, Entry>({ maxSize: CAPACITY });
  private readonly version: EventsVersion;

  constructor(redis: GatewayRedis) {
    this.version = new EventsVersion(redis);
  }

  /** Whether there is a response that is young enough, unless something has changed meanwhile. */
  has(name: string): boolean {
    return Date.now() - (this.entries.get(name)?.made ?? 0) < LIFETIME;
  }

  /** @param make makes the response when there is none of the present version. Requests that arrive meanwhile share it */
  async get<T extends Sized>(name: string, make: () => Promise<T>): Promise<T> {
    const version = await this.version.current();
    const known = this.entries.get(name);
    if (known?.version === version && Date.now() - known.made < LIFETIME) return known.response as Promise<T>;
    const making = make();
    const entry = { version, made: Date.now(), response: making };
    this.entries.set(name, entry, { size: OVERHEAD });
    const isStillThere = () => this.entries.peek(name) === entry;
    try {
      const response = await making;
      if (isStillThere()) this.entries.set(name, entry, { size: OVERHEAD + response.bytes });
      return response;
    } catch (error) {
      if (isStillThere()) this.entries.delete(name);
      throw error;
    }
  }
}

const NEVER_CHANGED = '0';

/**
 * The version of everything public about events. It is exact: it is read after the request for it. While one read is on its way, all
 * further requests share the next one, so that a thousand requests cost a few commands. It can go with the cache.
 */
class EventsVersion {
  private running?: Promise<unknown>;
  private next?: Promise<string>;

  constructor(private readonly redis: GatewayRedis) {}

  /** @throws DomainError SERVICE_UNAVAILABLE */
  current(): Promise<string> {
    return (this.next ??= this.afterRunning());
  }

  private async afterRunning(): Promise<string> {
    await this.running;
    this.next = undefined; // the read begins: a later request needs another one
    const reading = this.redis.client.get(PUBLIC_EVENTS_VERSION);
    this.running = reading.catch(() => undefined); // the next read waits for its end; its failure is thrown below
    try {
      return (await reading) ?? NEVER_CHANGED;
    } catch (error) {
      throw new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started' }, { cause: error });
    }
  }
}
