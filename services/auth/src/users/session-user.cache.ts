import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DEADLINES, DomainError, type SessionUser, USER_CACHE, userCacheKey } from '@meetmark/contracts';
import { StoreConfig } from '@meetmark/platform';
import { ASK_GENERATION, RedisGeneration } from '@meetmark/platform/redis/generation';
import { connectForever, redisConnection } from '@meetmark/platform/redis/connection';

/** Milliseconds for which a known Redis generation is used, and between retries of failed writes. */
const LOOK = DEADLINES.redisCommand / 2;
/** Maximum number of users whose changes wait to be written to Redis. */
const LATE = 10_000;
/** Seconds. */
const RETRY_AFTER = 1;

// KEYS: the entry. ARGV: the change's marker, the new value, its version, and the lifetime in milliseconds.
// Doesn't overwrite the marker of a later change, or an entry that is at least as new.
const PUBLISH = `
local now = redis.call('GET', KEYS[1])
if now and now ~= ARGV[1] then
  if now == '${USER_CACHE.gone}' or string.sub(now, 1, ${USER_CACHE.changing.length}) == '${USER_CACHE.changing}' then return 0 end
  if string.sub(now, 1, 1) == '{' and cjson.decode(now).version >= tonumber(ARGV[3]) then return 0 end
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[4])
return 1`;

// KEYS: the entry. ARGV: the marker, the new value, and the lifetime in milliseconds.
const FILL = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;

export interface Marker {
  text: string;
  key: string;
}

/** The only code that writes users to Redis. contracts/caches.ts defines the entries. */
@Injectable()
export class SessionUserCache implements OnApplicationShutdown {
  private readonly redis;
  private readonly ready;
  private readonly generation: RedisGeneration;
  private looks: NodeJS.Timeout | undefined;
  private readonly late = new Map<string, SessionUser | null>();

  constructor(config: StoreConfig) {
    this.redis = redisConnection(config.redisUrl, {
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      commandTimeout: DEADLINES.redisCommand,
    });
    this.generation = new RedisGeneration(() => this.redis.info(...ASK_GENERATION));
    this.redis.on('close', () => this.generation.forget()).on('ready', () => this.look());
    this.ready = connectForever(this.redis);
  }

  /** Resolves once Redis is connected. For callers that can't retry. */
  connected(): Promise<void> {
    return this.ready;
  }

  onApplicationShutdown(): void {
    clearInterval(this.looks);
    this.redis.disconnect();
  }

  /**
   * Makes gateways ignore the entry. Call it right before the commit, with the user's row locked.
   * @throws DomainError SERVICE_UNAVAILABLE without Redis. Then the change must not be committed.
   */
  async markChanging(userId: string): Promise<Marker> {
    try {
      const marker = { text: USER_CACHE.changing + randomUUID(), key: await this.getKey(userId) };
      await this.redis.set(marker.key, marker.text, 'PX', USER_CACHE.markerLifetime);
      return marker;
    } catch (cause) {
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        { outcome: 'not-started', retryAfter: RETRY_AFTER },
        { cause },
      );
    }
  }

  /** Works even if a failover lost the marker and another replica then cached the previous state. */
  async publish(userId: string, marker: Marker, user: SessionUser | null): Promise<void> {
    try {
      await this.write(userId, marker.text, user);
    } catch (error) {
      this.tellLater(userId, user);
      throw error;
    }
  }

  async markReading(userId: string): Promise<Marker | null> {
    const marker = { text: USER_CACHE.reading + randomUUID(), key: await this.getKey(userId) };
    const set = await this.redis.set(marker.key, marker.text, 'PX', USER_CACHE.markerLifetime, 'NX');
    return set === null ? null : marker;
  }

  /** Does nothing if the user changed or Redis failed over after `markReading`. */
  async fill({ key, text }: Marker, user: SessionUser | null): Promise<void> {
    const value = user === null ? USER_CACHE.gone : JSON.stringify(user);
    await this.redis.eval(FILL, 1, key, text, value, USER_CACHE.lifetime);
  }

  private async getKey(userId: string): Promise<string> {
    return userCacheKey(userId, await this.generation.within(LOOK));
  }

  private async write(userId: string, marker: string, user: SessionUser | null): Promise<void> {
    const key = userCacheKey(userId, await this.generation.learn());
    if (user === null) await this.redis.set(key, USER_CACHE.gone, 'PX', USER_CACHE.lifetime);
    else
      await this.redis.eval(PUBLISH, 1, key, marker, JSON.stringify(user), user.version, USER_CACHE.lifetime);
  }

  private look(): void {
    this.generation.learn().then(
      () => this.tellLate(),
      () => undefined,
    );
  }

  private tellLate(): void {
    const late = [...this.late];
    this.late.clear();
    clearInterval(this.looks);
    this.looks = undefined;
    for (const [userId, user] of late) this.write(userId, '', user).catch(() => this.tellLater(userId, user));
  }

  /** Keeps at most LATE users, and drops the oldest ones. Their cache entries expire by themselves. */
  private tellLater(userId: string, user: SessionUser | null): void {
    this.late.delete(userId); // moves the user to the end of the map
    this.late.set(userId, user);
    for (const oldest of this.late.keys()) if (this.late.size > LATE) this.late.delete(oldest);
    this.looks ??= setInterval(() => this.look(), LOOK).unref();
  }
}
