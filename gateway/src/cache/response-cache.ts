import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { CommunityFollower } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GatewayRedis } from '../redis/gateway-redis.js';

/**
 * Maximum bytes of cached responses per gateway. A full list can have megabytes, and there are countless
 * filters.
 */
const CAPACITY = 32 * 1024 * 1024;
const OVERHEAD = 2_048;
/**
 * Lifetime of a response in milliseconds. Limited, because 'upcoming' depends on the time and Redis could
 * lose a version.
 */
const LIFETIME = 10_000;
/** Lifetime in milliseconds while a service may not know the latest settings. */
const UNSETTLED_LIFETIME = 1_000;

interface Cacheable {
  bytes: number;
  /** End of validity in milliseconds since 1970. Unlimited by default. */
  until?: number;
}

interface Life {
  until: number;
}

interface Entry {
  version: string;
  life: Life;
  response: Promise<Cacheable>;
}

/**
 * Each request reads the version in Redis, so no response is older than the last acknowledged change.
 * Obsolete if building a list costs less than reading the version (docs/scaling.md).
 */
@Injectable()
export class ResponseCache {
  private readonly entries = new LRUCache<string, Entry>({ maxSize: CAPACITY });
  private readonly version: EventsVersion;
  /** Life of the response being built. A cached response that is used in it can shorten its life. */
  private readonly making = new AsyncLocalStorage<Life>();

  constructor(
    redis: GatewayRedis,
    private readonly follower: CommunityFollower,
  ) {
    this.version = new EventsVersion(redis);
  }

  has(name: string): boolean {
    return Date.now() < (this.entries.get(name)?.life.until ?? 0);
  }

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
      if (!isStillThere()) return;
      this.entries.delete(name); // Setting the same entry again wouldn't update its size.
      this.entries.set(name, entry, { size: OVERHEAD + bytes });
    };
    entry.response.then(keep, () => isStillThere() && this.entries.delete(name));
    return entry;
  }
}

const NEVER_CHANGED = '0';

/**
 * Reads the version once for all requests that arrived before the read. Requests that arrive during a read
 * share the next read.
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
    this.next = undefined;
    const reading = this.redis.client.get(PUBLIC_EVENTS_VERSION);
    // The next read only waits for this one. Errors are thrown below.
    this.running = reading.catch(() => undefined);
    try {
      return (await reading) ?? NEVER_CHANGED;
    } catch (error) {
      throw new DomainError('SERVICE_UNAVAILABLE', { outcome: 'not-started' }, { cause: error });
    }
  }
}
