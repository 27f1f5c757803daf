import { readUserCache, userCacheKey, type SessionUser } from '@meetmark/contracts';
import { BoundedMap } from '@meetmark/platform';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { GatewayConfig } from '../gateway.config.js';
import { SessionRedis } from './session-redis.js';
import { SharedReads } from './shared-reads.js';
import type { StoredSession } from './session.js';

const key = (sid: string, generation: string) => `session:${generation}:${sid}`;
/** Stands in the place of an ended session, so that a request that had read it before cannot put it back. */
const ENDED = 'ended';
/** Milliseconds; longer than any request may last. */
const ENDED_LIFE = 60_000;
/** Milliseconds after which a copy is read from PostgreSQL again. */
const COPY_LIFE = 15 * 60_000;
const REMEMBERED = 10_000;

export interface CachedSession {
  /** Null when it was ended a moment ago, undefined when Redis does not know it. */
  session: StoredSession | null | undefined;
  /** 'ask' when only the auth service can tell. */
  user: SessionUser | null | 'ask';
  /** The generation of Redis that was asked. */
  generation: string;
}

/** The copies in Redis, over a connection of their own: sessions that the gateways write and users that the auth service writes. */
@Injectable()
export class SessionCache implements OnApplicationShutdown {
  private readonly redis: SessionRedis;
  /** Whose session it is never changes; known, it lets one command read both copies. */
  private readonly owners = new BoundedMap<string, string>(REMEMBERED);
  /** By what was read: what stands in Redis is new with every request, but seldom different. */
  private readonly sessions = new BoundedMap<string, StoredSession>(REMEMBERED);
  private readonly users = new BoundedMap<string, SessionUser | null | 'ask'>(REMEMBERED);
  private readonly reads: SharedReads;

  constructor({ redisUrl }: GatewayConfig) {
    this.redis = new SessionRedis(redisUrl, new Logger('Sessions'));
    this.reads = new SharedReads(async (keys) => {
      const generation = await this.redis.generation.current();
      return this.redis.client.mGet(keys.map((each) => each(generation)));
    });
  }

  /** @throws Error while there is no connection */
  async check(): Promise<void> {
    if (!this.redis.client.isReady || this.redis.generation.known === undefined)
      throw new Error('not connected');
  }

  async load(sid: string): Promise<CachedSession> {
    // before anything is read: a failover in the middle finds nothing, or what was written after it
    const generation = await this.redis.generation.current();
    const owner = this.owners.get(sid) ?? (await this.ownerOf(sid, generation));
    if (owner === undefined) return { session: undefined, user: 'ask', generation };
    const [session, user] = await this.reads.both(
      (now) => key(sid, now),
      (now) => userCacheKey(owner, now),
    );
    if (session === ENDED) return { session: null, user: 'ask', generation };
    if (session === null) return { session: undefined, user: 'ask', generation };
    return {
      session: this.sessions.getOrMake(session, parseSession),
      user: user === null ? 'ask' : this.users.getOrMake(user, parseUser),
      generation,
    };
  }

  /** Keeps a copy unless one is there or the session has ended. `generation`: from before the record was read, so that an end that a failover has lost stays one. */
  async fill(sid: string, session: StoredSession, generation: string): Promise<void> {
    await this.redis.client.set(key(sid, generation), JSON.stringify(session), {
      condition: 'NX',
      expiration: { type: 'PX', value: COPY_LIFE },
    });
  }

  /** Keeps the newer copy unless the session has ended. */
  async replace(sid: string, session: StoredSession): Promise<void> {
    const name = key(sid, await this.redis.generation.current());
    await this.redis.client.replaceUnless(name, ENDED, JSON.stringify(session), COPY_LIFE);
  }

  /** Where every gateway reads from now on: one that has noticed a failover before us may have filled the copy there. */
  async end(sid: string): Promise<void> {
    const name = key(sid, await this.redis.generation.learn());
    await this.redis.client.set(name, ENDED, { expiration: { type: 'PX', value: ENDED_LIFE } });
  }

  onApplicationShutdown(): void {
    this.redis.close();
  }

  /** A session's first request at this gateway asks once more than the later ones. */
  private async ownerOf(sid: string, generation: string): Promise<string | undefined> {
    const session = await this.redis.client.get(key(sid, generation));
    if (session === null || session === ENDED) return undefined;
    const { userId } = parseSession(session);
    this.owners.set(sid, userId);
    return userId;
  }
}

// what many requests are given must not be changed by one of them
const parseSession = (text: string) => Object.freeze(JSON.parse(text) as StoredSession);
function parseUser(text: string): SessionUser | null | 'ask' {
  const read = readUserCache(text);
  if (read !== null && read !== 'ask') Object.freeze(Object.freeze(read).user);
  return read;
}
