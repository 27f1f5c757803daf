import { readUserCache, userCacheKey, type SessionUser } from '@meetmark/contracts';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { GatewayConfig } from '../gateway.config.js';
import { SessionRedis } from './session-redis.js';
import type { StoredSession } from './session.js';

/** The name of a key in a generation of Redis. */
type KeyIn = (generation: string) => string;

interface Batch {
  keys: KeyIn[];
  found: Promise<(string | null)[]>;
}

/**
 * Sends the reads of all requests of one turn of the event loop as one command. An eighth of the processor time of GET /api/user was the
 * timer and the abort signal that the client makes for each command (docs/scaling.md). It can go when the client makes neither.
 */
class SharedReads {
  private collecting?: Batch;

  constructor(private readonly readAll: (keys: KeyIn[]) => Promise<(string | null)[]>) {}

  /** What is found under both keys stands in `found`, from `at` on. */
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
/** Replaces an ended session, so that a request that had read it before cannot restore it. */
const ENDED = 'ended';
/** Milliseconds; longer than any request may last. */
const ENDED_LIFE = 60_000;
/** Milliseconds until a copy is read from PostgreSQL again. */
const COPY_LIFE = 15 * 60_000;
const REMEMBERED = 10_000;

interface CachedSession {
  /** Null if it was ended a moment ago, undefined if Redis does not have it. */
  session: StoredSession | null | undefined;
  /** 'ask' if only the auth service knows. */
  user: SessionUser | null | 'ask';
  /** The generation of Redis that answered. */
  generation: string;
}

/** The copies in Redis, over their own connection: sessions, written by the gateways, and users, written by the auth service. */
@Injectable()
export class SessionCache implements OnApplicationShutdown {
  private readonly redis: SessionRedis;
  /** The user of a session never changes; when it is known, one command reads both copies. */
  private readonly owners = new LRUCache<string, string>({ max: REMEMBERED });
  /** Parsed copies by their text, which seldom changes between requests. */
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
    // before anything is read: a failover in the middle finds nothing, or what was written after it
    const { known } = this.redis.generation; // almost always; a promise costs each request a turn
    const generation = known ?? (await this.redis.repeatable(() => this.redis.generation.current()));
    const owner = this.owners.get(sid) ?? (await this.ownerOf(sid, generation));
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
   * Writes a copy unless there is one or the session has ended.
   * @param generation from before the record was read, so that a session whose end a failover has lost stays ended
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

  /** Replaces the copy unless the session has ended. */
  async replace(sid: string, session: StoredSession): Promise<void> {
    const name = key(sid, await this.redis.generation.current());
    await this.redis.client.replaceUnless(name, ENDED, JSON.stringify(session), COPY_LIFE);
  }

  /** Ends the session in the present generation of Redis, in which another gateway may have written a copy after a failover. */
  async end(sid: string): Promise<void> {
    const name = key(sid, await this.redis.generation.learn());
    await this.redis.client.set(name, ENDED, { expiration: { type: 'PX', value: ENDED_LIFE } });
  }

  onApplicationShutdown(): void {
    this.redis.close();
  }

  /** The first request of a session at this gateway needs one command more. */
  private async ownerOf(sid: string, generation: string): Promise<string | undefined> {
    const session = await this.redis.repeatable(() => this.redis.client.get(key(sid, generation)));
    if (session === null || session === ENDED) return undefined;
    const { userId } = parseSession(session);
    this.owners.set(sid, userId);
    return userId;
  }
}

// frozen, because several requests share it
function parseSession(text: string): StoredSession {
  return Object.freeze(JSON.parse(text) as StoredSession);
}
function parseUser(text: string): { read: SessionUser | null | 'ask' } {
  const read = readUserCache(text);
  if (read !== null && read !== 'ask') Object.freeze(Object.freeze(read).user);
  return { read };
}
