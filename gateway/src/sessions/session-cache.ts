import { DEADLINES, readUserCache, userCacheKey, type SessionUser } from '@meetmark/contracts';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { reconnectDelay } from '@meetmark/platform/rpc/redis-connection';
import { createClient, defineScript, type CommandParser } from 'redis';
import type { StoredSession } from './session.js';

const key = (sid: string) => `session:${sid}`;
/** Stands in the place of an ended session, so that a request that had read it before cannot put it back. */
const ENDED = 'ended';
/** Milliseconds; longer than any request may last. */
const ENDED_LIFE = 60_000;
/** Milliseconds after which a copy is read from PostgreSQL again. */
const COPY_LIFE = 15 * 60_000;

// the user's key follows from the session, so both come back in one round trip
const LOAD = `
  local session = redis.call('GET', KEYS[1])
  if not session or session == '${ENDED}' then return {session, false} end
  return {session, redis.call('GET', ARGV[1] .. cjson.decode(session).userId)}`;
const REPLACE = `
  if redis.call('GET', KEYS[1]) == '${ENDED}' then return 0 end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1`;

const connect = (url: string) =>
  createClient({
    url,
    disableOfflineQueue: true,
    // a Redis that says nothing any more is found out by the pings, and every waiting command then fails
    pingInterval: DEADLINES.redisCommand / 2,
    socket: {
      reconnectStrategy: (attempt) => reconnectDelay(attempt + 1),
      connectTimeout: DEADLINES.redisCommand,
      socketTimeout: DEADLINES.redisCommand,
    },
    scripts: {
      loadSession: defineScript({
        SCRIPT: LOAD,
        NUMBER_OF_KEYS: 1,
        IS_READ_ONLY: true,
        parseCommand: (parser: CommandParser, sid: string) => {
          parser.pushKey(key(sid));
          parser.push(userCacheKey(''));
        },
        transformReply: (reply: unknown) => reply as [string | null, string | null],
      }),
      replaceSession: defineScript({
        SCRIPT: REPLACE,
        NUMBER_OF_KEYS: 1,
        IS_READ_ONLY: false,
        parseCommand: (parser: CommandParser, sid: string, content: string, life: string) => {
          parser.pushKey(key(sid));
          parser.push(content, life);
        },
        transformReply: (reply: unknown) => reply as number,
      }),
    },
  });

export interface CachedSession {
  /** Null when it was ended a moment ago, undefined when Redis does not know it. */
  session: StoredSession | null | undefined;
  /** 'ask' when only the auth service can tell. */
  user: SessionUser | null | 'ask';
}

/** The copies in Redis, over its own connection: sessions that the gateways write and users that the auth service writes. */
@Injectable()
export class SessionCache implements OnApplicationShutdown {
  private readonly client;
  private readonly logger = new Logger('Sessions');

  constructor(url: string) {
    this.client = connect(url);
    this.client.on('error', (error: unknown) => this.logger.debug({ err: error, msg: 'Redis is away' }));
  }

  /** Begins to connect, and never stops trying. */
  open(): void {
    this.client.connect().catch((error: unknown) => this.logger.warn({ err: error, msg: 'no Redis yet' }));
  }

  /** @throws Error while there is no connection */
  async check(): Promise<void> {
    if (!this.client.isReady) throw new Error('not connected');
  }

  async load(sid: string): Promise<CachedSession> {
    const [session, user] = await this.client.loadSession(sid);
    if (session === ENDED) return { session: null, user: 'ask' };
    if (typeof session !== 'string') return { session: undefined, user: 'ask' };
    return { session: JSON.parse(session) as StoredSession, user: readUserCache(user) };
  }

  /** Keeps a copy unless one is there or the session has ended. */
  async fill(sid: string, session: StoredSession): Promise<void> {
    await this.client.set(key(sid), JSON.stringify(session), {
      condition: 'NX',
      expiration: { type: 'PX', value: COPY_LIFE },
    });
  }

  /** Keeps the newer copy unless the session has ended. */
  async replace(sid: string, session: StoredSession): Promise<void> {
    await this.client.replaceSession(sid, JSON.stringify(session), String(COPY_LIFE));
  }

  async end(sid: string): Promise<void> {
    await this.client.set(key(sid), ENDED, { expiration: { type: 'PX', value: ENDED_LIFE } });
  }

  onApplicationShutdown(): void {
    this.client.destroy();
  }
}
