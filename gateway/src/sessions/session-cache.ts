import { readUserCache, userCacheKey, type SessionUser } from '@meetmark/contracts';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GatewayConfig } from '../gateway.config.js';
import { SessionRedis } from './session-redis.js';
import type { StoredSession } from './session.js';

type KeyIn = (generation: string) => string;

interface Batch {
  keys: KeyIn[];
  found: Promise<(string | null)[]>;
}

/**
 * Combines the reads of one event-loop turn into one command, because the client creates a timer and an abort
 * signal per command (docs/scaling.md). Obsolete once the client no longer creates them.
 */
class SharedReads {
  private collecting?: Batch;

  constructor(private readonly readAll: (keys: KeyIn[]) => Promise<(string | null)[]>) {}

  /** Adds two keys to the next read. Their values will be at `at` and `at + 1` in `found`. */
  both(one: KeyIn, other: KeyIn): { found: Batch['found']; at: number } {
    const { keys, found } = (this.collecting ??= this.begin());
    return { found, at: keys.push(one, other) - 2 };
  }

  private begin(): Batch {
    const keys: KeyIn[] = [];
    const found = new Promise<(string | null)[]>((resolve, reject) => {
      setImmediate(() => {
        this.collecting = undefined;
        this.readAll(keys).then(resolve, reject);
      });
    });
    return { keys, found };
  }
}

const key = (sid: string, generation: string) => `session:${generation}:${sid}`;
/** Stored instead of a session that has ended, so that a slower request can't store the session again. */
const ENDED = 'ended';
/** Milliseconds, longer than any request. */
const ENDED_LIFE = 60_000;
const COPY_LIFE = 15 * 60_000;
const REMEMBERED = 10_000;

interface CachedSession {
  /** Null if the session has just ended, undefined if Redis doesn't have it. */
  session: StoredSession | null | undefined;
  user: SessionUser | null | 'ask';
  generation: string;
}

/** Copies of sessions and users in Redis. Gateways write the sessions, and auth writes the users. */
@Injectable()
export class SessionCache implements OnApplicationShutdown {
  private readonly redis: SessionRedis;
  /** User ids by session id. A session always keeps its user, so the id lets one command read both copies. */
  private readonly owners = new LRUCache<string, string>({ max: REMEMBERED });
  /** Parsed sessions by their JSON. A session's JSON rarely changes between requests. */
  private readonly sessions = new LRUCache({ max: REMEMBERED, memoMethod: parseSession });
  private readonly users = new LRUCache({ max: REMEMBERED, memoMethod: parseUser });
  private readonly reads: SharedReads;

  constructor({ redisUrl }: GatewayConfig) {
    this.redis = new SessionRedis(redisUrl, new Logger('Sessions'));
    this.reads = new SharedReads((keys) =>
      this.redis.repeatable(async () => {
        const { known } = this.redis.generation;
        const generation = known ?? (await this.redis.generation.current());
        return this.redis.client.mGet(keys.map((each) => each(generation)));
      }),
    );
  }

  /** @throws Error while there is no connection */
  async check(): Promise<void> {
    if (!this.redis.client.isReady || this.redis.generation.known === undefined)
      throw new Error('not connected');
  }

  async load(sid: string): Promise<CachedSession> {
    // Reads the generation first. If a failover follows, the copies are missing or newer.
    const { known } = this.redis.generation; // Avoids an await, because it is nearly always known.
    const generation = known ?? (await this.redis.repeatable(() => this.redis.generation.current()));
    const owner = this.owners.get(sid) ?? (await this.findOwner(sid, generation));
    if (owner === undefined) return { session: undefined, user: 'ask', generation };
    const { found, at } = this.reads.both(
      (now) => key(sid, now),
      (now) => userCacheKey(owner, now),
    );
    const { [at]: session = null, [at + 1]: user = null } = await found;
    if (session === ENDED) return { session: null, user: 'ask', generation };
    if (session === null) return { session: undefined, user: 'ask', generation };
    return {
      session: this.sessions.memo(session),
      user: user === null ? 'ask' : this.users.memo(user).read,
      generation,
    };
  }

  /**
   * Stores a copy of a session, unless Redis has a copy or knows that the session has ended. If a failover
   * makes Redis forget this, the key of the copy belongs to the previous generation, and nobody reads it.
   * @param generation Redis generation that was read before the session's record
   */
  async fill(sid: string, session: StoredSession, generation: string): Promise<void> {
    const copy = JSON.stringify(session);
    await this.redis.repeatable(() =>
      this.redis.client.set(key(sid, generation), copy, {
        condition: 'NX',
        expiration: { type: 'PX', value: COPY_LIFE },
      }),
    );
  }

  async replace(sid: string, session: StoredSession): Promise<void> {
    const name = key(sid, await this.redis.generation.current());
    await this.redis.client.replaceUnless(name, ENDED, JSON.stringify(session), COPY_LIFE);
  }

  /** Asks Redis for its generation, because after a failover this gateway may still know the previous one. */
  async end(sid: string): Promise<void> {
    const name = key(sid, await this.redis.generation.learn());
    await this.redis.client.set(name, ENDED, { expiration: { type: 'PX', value: ENDED_LIFE } });
  }

  onApplicationShutdown(): void {
    this.redis.close();
  }

  private async findOwner(sid: string, generation: string): Promise<string | undefined> {
    const session = await this.redis.repeatable(() => this.redis.client.get(key(sid, generation)));
    if (session === null || session === ENDED) return undefined;
    const { userId } = parseSession(session);
    this.owners.set(sid, userId);
    return userId;
  }
}

// Frozen, because several requests share the object.
function parseSession(text: string): StoredSession {
  return Object.freeze(JSON.parse(text) as StoredSession);
}
function parseUser(text: string): { read: SessionUser | null | 'ask' } {
  const read = readUserCache(text);
  if (read !== null && read !== 'ask') Object.freeze(Object.freeze(read).user);
  return { read };
}
