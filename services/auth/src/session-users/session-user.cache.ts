import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DEADLINES, DomainError, USER_CACHE, userCacheKey, type SessionUser } from '@meetmark/contracts';
import { StoreConfig } from '@meetmark/platform';
import { connectForever, redisConnection } from '@meetmark/platform/rpc/redis-connection';
import { randomUUID } from 'node:crypto';

/** Seconds after which a refused caller may try again. */
const RETRY_AFTER = 1;

// KEYS: entry. ARGV: own marker, new value, its version, lifetime.
// Leaves a marker alone that is not ours (a later change is in charge), and whatever is as new as ours.
const PUBLISH = `
local now = redis.call('GET', KEYS[1])
if now and now ~= ARGV[1] then
  if now == '${USER_CACHE.gone}' or string.sub(now, 1, ${USER_CACHE.changing.length}) == '${USER_CACHE.changing}' then return 0 end
  if string.sub(now, 1, 1) == '{' and cjson.decode(now).version >= tonumber(ARGV[3]) then return 0 end
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[4])
return 1`;

// KEYS: entry. ARGV: own marker, new value, lifetime.
const FILL = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;

/** The one writer of `user:{id}` in Redis; what an entry may say is defined by contracts/session-cache.ts. */
@Injectable()
export class SessionUserCache implements OnApplicationShutdown {
  private readonly redis;
  private readonly ready;

  constructor(config: StoreConfig) {
    this.redis = redisConnection(config.redisUrl, {
      enableOfflineQueue: false,
      enableAutoPipelining: true,
      commandTimeout: DEADLINES.redisCommand,
    });
    this.ready = connectForever(this.redis);
  }

  /** For those who cannot come back later. */
  connected(): Promise<void> {
    return this.ready;
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }

  /**
   * Makes every gateway ask before it trusts the entry. To be called in the transaction that changes the user, once its row is
   * locked and right before the commit. Returns the marker.
   * @throws DomainError SERVICE_UNAVAILABLE when Redis is away: the change must then not be committed
   */
  async markChanging(userId: string): Promise<string> {
    const marker = USER_CACHE.changing + randomUUID();
    try {
      await this.redis.set(userCacheKey(userId), marker, 'PX', USER_CACHE.markerLifetime);
      return marker;
    } catch (cause) {
      throw new DomainError(
        'SERVICE_UNAVAILABLE',
        { outcome: 'not-started', retryAfter: RETRY_AFTER },
        { cause },
      );
    }
  }

  /** After the commit: the user as they are now, or null when the account is gone. */
  async publish(userId: string, marker: string, user: SessionUser | null): Promise<void> {
    const key = userCacheKey(userId);
    if (user === null) {
      await this.redis.set(key, USER_CACHE.gone, 'PX', USER_CACHE.lifetime);
      return;
    }
    await this.redis.eval(PUBLISH, 1, key, marker, JSON.stringify(user), user.version, USER_CACHE.lifetime);
  }

  /** Announces that the entry is about to be filled; null when it says something already. */
  async markReading(userId: string): Promise<string | null> {
    const marker = USER_CACHE.reading + randomUUID();
    const set = await this.redis.set(userCacheKey(userId), marker, 'PX', USER_CACHE.markerLifetime, 'NX');
    return set === null ? null : marker;
  }

  /** Fills the entry with what was read since `markReading`, unless a change came in between. */
  async fill(userId: string, marker: string, user: SessionUser | null): Promise<void> {
    const value = user === null ? USER_CACHE.gone : JSON.stringify(user);
    await this.redis.eval(FILL, 1, userCacheKey(userId), marker, value, USER_CACHE.lifetime);
  }
}
