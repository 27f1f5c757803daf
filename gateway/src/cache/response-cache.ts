import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { CommunityFollower } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GatewayRedis } from '../redis/gateway-redis.js';

/** Bytes of responses that one gateway keeps: a whole list can have megabytes, and there is no end of filters. */
const CAPACITY = 32 * 1024 * 1024;
/** Bytes that a response takes besides its body. */
const OVERHEAD = 2_048;
/** Milliseconds. 'Upcoming' moves with the clock, and a version could be lost with Redis itself. */
const LIFETIME = 10_000;
/** Milliseconds, until every service has seen the last change of the settings: one that has not answers as before it. */
const UNSETTLED_LIFETIME = 1_000;

interface Cacheable {
  bytes: number;
  /** Milliseconds since 1970 from which it is no longer right although nothing was changed. Left out: never. */
  until?: number;
}

/** Until when something is fresh, in milliseconds since 1970. */
interface Life {
  until: number;
}

interface Entry {
  version: string;
  life: Life;
  response: Promise<Cacheable>;
}

/**
 * Responses about events and registrations, kept until any of these or the settings of the community change and never older than the last acknowledged change: the
 * version in Redis is read for every request. A page of 20 events costs 0.4 ms of the gateway and nothing of events and PostgreSQL; made for
 * each request it costs 1.2, 2.1 and 1.2 ms (docs/scaling.md). It can go when events answers a list for less than the gateway needs to
 * read the version.
 */
@Injectable()
export class ResponseCache {
  private readonly entries = new LRUCache<string, Entry>({ maxSize: CAPACITY });
  private readonly version: EventsVersion;
  /** The life of the response that is being made, which ends with that of the first response that it is made from. */
  private readonly making = new AsyncLocalStorage<Life>();

  constructor(
    redis: GatewayRedis,
    private readonly follower: CommunityFollower,
  ) {
    this.version = new EventsVersion(redis);
  }

  /** Whether there is a response that is young enough, unless something has changed meanwhile. */
  has(name: string): boolean {
    return Date.now() < (this.entries.get(name)?.life.until ?? 0);
  }

  /** @param make makes the response when there is none of the present version. Requests that arrive meanwhile share it */
  async get<T extends Cacheable>(name: string, make: () => Promise<T>): Promise<T> {
    const version = `${await this.version.current()} ${this.follower.version}`;
    let entry = this.entries.get(name);
    if (entry?.version !== version || Date.now() >= entry.life.until) entry = this.make(name, version, make);
    const response = await (entry.response as Promise<T>);
    const outer = this.making.getStore();
    if (outer !== undefined) outer.until = Math.min(outer.until, entry.life.until);
    return response;
  }

  private make(name: string, version: string, make: () => Promise<Cacheable>): Entry {
    const now = Date.now();
    const life = { until: now + (now < this.follower.settledAt ? UNSETTLED_LIFETIME : LIFETIME) };
    const entry: Entry = { version, life, response: this.making.run(life, make) };
    this.entries.set(name, entry, { size: OVERHEAD });
    const isStillThere = () => this.entries.peek(name) === entry;
    const keep = ({ bytes, until = Infinity }: Cacheable) => {
      life.until = Math.min(life.until, until);
      if (isStillThere()) this.entries.set(name, entry, { size: OVERHEAD + bytes });
    };
    entry.response.then(keep, () => isStillThere() && this.entries.delete(name));
    return entry;
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
