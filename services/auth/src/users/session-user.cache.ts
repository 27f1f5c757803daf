import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DEADLINES, DomainError, type SessionUser, USER_CACHE, userCacheKey } from '@meetmark/contracts';
import { StoreConfig } from '@meetmark/platform';
import { onTicks } from '@meetmark/platform/redis/clock';
import { ASK_GENERATION, RedisGeneration } from '@meetmark/platform/redis/generation';
import { connectForever, redisConnection } from '@meetmark/platform/redis/connection';
import { Repository } from 'typeorm';
import { presentSessionUser, UserEntity } from './user.entity.js';

/** Milliseconds for which Redis counts as the same, and between two attempts to write what is late. */
const LOOK = DEADLINES.redisCommand / 2;
/** Users whose change has not been written to Redis yet. */
const LATE = 10_000;
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

/** Stands in an entry while a change or a question is under way. */
export interface Marker {
  text: string;
  key: string;
}

/** The one writer of the users in Redis; what an entry may say is defined by contracts/caches.ts. */
@Injectable()
export class SessionUserCache implements OnApplicationShutdown {
  private readonly redis;
  private readonly ready;
  private readonly generation: RedisGeneration;
  /** While something is late. */
  private stopLooking: (() => void) | undefined;
  /** Changes that stand in the database and could not be written to Redis yet. */
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

  /** Resolves once Redis is connected, for a caller that cannot come back later. */
  connected(): Promise<void> {
    return this.ready;
  }

  onApplicationShutdown(): void {
    this.stopLooking?.();
    this.redis.disconnect();
  }

  /**
   * Makes every gateway ask before it trusts the entry. To be called in the transaction that changes the user, once its row is
   * locked and right before the commit. Returns the marker.
   * @throws DomainError SERVICE_UNAVAILABLE when Redis is away: the change must then not be committed
   */
  async markChanging(userId: string): Promise<Marker> {
    try {
      const marker = { text: USER_CACHE.changing + randomUUID(), key: await this.keyOf(userId) };
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

  /**
   * After the commit: the user as they are now, or null when the account is gone. Written where all gateways read from now on: after a failover the
   * marker is not there, and another replica may have filled the entry with what it read before the commit.
   */
  async publish(userId: string, marker: Marker, user: SessionUser | null): Promise<void> {
    try {
      await this.write(userId, marker.text, user);
    } catch (error) {
      this.tellLater(userId, user);
      throw error;
    }
  }

  /** Announces that the entry is about to be filled; null when it says something already. */
  async markReading(userId: string): Promise<Marker | null> {
    const marker = { text: USER_CACHE.reading + randomUUID(), key: await this.keyOf(userId) };
    const set = await this.redis.set(marker.key, marker.text, 'PX', USER_CACHE.markerLifetime, 'NX');
    return set === null ? null : marker;
  }

  /** Fills the entry with what was read since `markReading`, unless a change or a failover came in between. */
  async fill({ key, text }: Marker, user: SessionUser | null): Promise<void> {
    const value = user === null ? USER_CACHE.gone : JSON.stringify(user);
    await this.redis.eval(FILL, 1, key, text, value, USER_CACHE.lifetime);
  }

  private async keyOf(userId: string): Promise<string> {
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
      () => undefined, // tried again at the next look
    );
  }

  /** Redis is there again, and may have been asked about these users meanwhile. */
  private tellLate(): void {
    const late = [...this.late];
    this.late.clear();
    this.stopLooking?.();
    this.stopLooking = undefined;
    for (const [userId, user] of late) this.write(userId, '', user).catch(() => this.tellLater(userId, user)); // at the next look
  }

  /** Beyond LATE the oldest is forgotten: its entry runs out by itself. */
  private tellLater(userId: string, user: SessionUser | null): void {
    this.late.delete(userId); // to the end of the map
    this.late.set(userId, user);
    for (const oldest of this.late.keys()) if (this.late.size > LATE) this.late.delete(oldest);
    this.stopLooking ??= onTicks(LOOK, () => this.look());
  }
}

@Injectable()
export class SessionUsersService {
  private readonly logger = new Logger(SessionUsersService.name);

  constructor(
    @InjectRepository(UserEntity) private readonly users: Repository<UserEntity>,
    private readonly cache: SessionUserCache,
  ) {}

  /** The user as the database has them, which the gateways' cache learns on the way. */
  async get(userId: string): Promise<SessionUser | null> {
    const marker = await this.unlessCacheFails(() => this.cache.markReading(userId));
    const row = await this.users.findOneBy({ id: userId });
    const user = row && presentSessionUser(row);
    if (marker) await this.unlessCacheFails(() => this.cache.fill(marker, user));
    return user;
  }

  private async unlessCacheFails<T>(step: () => Promise<T>): Promise<T | null> {
    try {
      return await step();
    } catch (err) {
      this.logger.warn({ err, msg: 'a user is answered past the cache' });
      return null;
    }
  }
}
