import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { readUserCache, type SessionUser, USER_CACHE, userCacheKey } from '@meetmark/contracts';
import type { StoreConfig } from '@meetmark/platform';
import { ASK_GENERATION, generationIn, RedisGeneration } from '@meetmark/platform/redis/generation';
import { type PrivateRedis, startRedis, until } from '@meetmark/testing';
import { insertUser } from '@meetmark/testing/factories/users';
import { Redis } from 'ioredis';
import type { EntityManager } from 'typeorm';
import { authForTests, createCall, refuses } from '../testing/open-auth.js';
import { SessionUserCache } from './session-user.cache.js';
import { SessionUsersService } from './session-users.service.js';
import { UserChanges } from './user-changes.js';
import { UserEntity } from './user.entity.js';

describe('the session user cache', () => {
  const auth = authForTests();
  let changes: UserChanges;
  let cache: SessionUserCache;
  let id: string;
  beforeEach(async () => {
    changes = auth.get(UserChanges);
    cache = auth.get(SessionUserCache);
    id = (await insertUser(auth.owner)).id;
  });
  afterEach(() => jest.restoreAllMocks());

  const key = async () =>
    userCacheKey(id, generationIn(await auth.redis.info('server', 'replication')) ?? '');
  const entry = async () => readUserCache(await auth.redis.get(await key()));
  const rename = (firstName: string) => (manager: EntityManager) =>
    manager.update(UserEntity, { id }, { firstName });

  it('stores a user on the first read, for a limited time and under one key', async () => {
    expect(await entry()).toBe('ask');
    const user = await auth.users.get({ userId: id.toUpperCase() });
    expect(user).toMatchObject({ user: { id } });
    expect(await entry()).toEqual(user);
    const lifetime = await auth.redis.pttl(await key());
    expect(lifetime).toBeGreaterThan(0);
    expect(lifetime).toBeLessThanOrEqual(USER_CACHE.lifetime);
  });

  it('contains the changed user as soon as the change returns', async () => {
    await auth.users.get({ userId: id });
    const { user } = await changes.commit(id, rename('Augusta'));
    expect(user).toMatchObject({ user: { firstName: 'Augusta' }, version: 2 });
    expect(await entry()).toEqual(user);
  });

  it('contains the new epoch after users end their sessions', async () => {
    await auth.users.get({ userId: id });
    const member = await auth.users.end({}, createCall({ id }));
    expect(member).toMatchObject({ epoch: 2 });
    expect(await entry()).toEqual(member);
    await refuses('UNAUTHORIZED', auth.users.end({}, createCall({ id })));
  });

  it('contains null once the account is deleted', async () => {
    await auth.users.get({ userId: id });
    await changes.commit(id, (manager) => manager.delete(UserEntity, { id }));
    expect(await entry()).toBeNull();
    await auth.redis.flushdb();
    expect(await auth.users.get({ userId: id })).toBeNull();
    expect(await entry()).toBeNull();
  });

  it('makes gateways ask the service during a commit, even after a read', async () => {
    await auth.users.get({ userId: id });
    let during: unknown;
    jest.spyOn(cache, 'publish').mockImplementation(async () => {
      during = [await entry(), (await auth.users.get({ userId: id }))?.user.firstName, await entry()];
    });
    await changes.commit(id, rename('Augusta'));
    expect(during).toEqual(['ask', 'Augusta', 'ask']);
  });

  it('does not overwrite a newer entry with a stale concurrent read', async () => {
    const fill = cache.fill.bind(cache);
    const asked = new Promise<() => void>((resolveAsked) => {
      jest.spyOn(cache, 'fill').mockImplementation(async (...given) => {
        await new Promise<void>((resolve) => resolveAsked(resolve));
        await fill(...given);
      });
    });
    const reading = auth.users.get({ userId: id });
    const answered = await asked;
    await changes.commit(id, rename('Augusta'));
    answered();
    expect((await reading)?.user.firstName).toBe('Ada');
    expect(await entry()).toMatchObject({ user: { firstName: 'Augusta' } });
  });

  it('stores no user that it read before it marked the entry', async () => {
    const markReading = cache.markReading.bind(cache);
    jest.spyOn(cache, 'markReading').mockImplementationOnce(async (userId) => {
      await changes.commit(id, rename('Augusta'));
      await auth.redis.flushdb();
      return markReading(userId);
    });
    await auth.users.get({ userId: id });
    expect(await entry()).toMatchObject({ user: { firstName: 'Augusta' } });
  });

  it('stores no stale read if the process that changes the user dies', async () => {
    const marker = await cache.markReading(id);
    const old = { user: { firstName: 'Ada' }, epoch: 1, version: 1 } as SessionUser;
    await cache.markChanging(id);
    await cache.fill(marker!, old);
    expect(await entry()).toBe('ask');
  });

  it('corrects an outdated entry after the write of a change has failed', async () => {
    const user = (await auth.users.get({ userId: id }))!;
    for (const version of [2, 3]) {
      const marker = await cache.markChanging(id);
      await auth.redis.set(await key(), JSON.stringify(user));
      jest.spyOn(RedisGeneration.prototype, 'learn').mockRejectedValueOnce(new Error('Redis is slow'));
      await expect(cache.publish(id, marker, { ...user, version })).rejects.toThrow('Redis is slow');
      await until('it is told', 60_000, async () => ((await entry()) as SessionUser).version === version);
    }
  });

  it('keeps the later of two changes even if the earlier one writes last', async () => {
    const publish = cache.publish.bind(cache);
    const late: (() => Promise<void>)[] = [];
    jest.spyOn(cache, 'publish').mockImplementationOnce((...given) => {
      late.push(() => publish(...given));
      return Promise.resolve();
    });
    await changes.commit(id, rename('First'));
    await changes.commit(id, rename('Second'));
    await late[0]?.();
    expect(await entry()).toMatchObject({ user: { firstName: 'Second' }, version: 3 });
  });

  it('makes gateways ask the service while a second change is in progress', async () => {
    const first = await cache.markChanging(id);
    await cache.markChanging(id);
    await cache.publish(id, first, { user: { firstName: 'First' }, epoch: 1, version: 2 } as SessionUser);
    expect(await entry()).toBe('ask');
  });

  it('keeps a user deleted when an earlier change is written late', async () => {
    const marker = await cache.markChanging(id);
    await cache.publish(id, await cache.markChanging(id), null);
    await cache.publish(id, marker, { user: { firstName: 'Ghost' }, epoch: 1, version: 9 } as SessionUser);
    expect(await entry()).toBeNull();
  });

  it('does not contain a change that was rolled back', async () => {
    await auth.users.get({ userId: id });
    await expect(
      changes.commit(id, async (manager) => {
        await rename('Never')(manager);
        throw new Error('refused');
      }),
    ).rejects.toThrow('refused');
    const known = await entry();
    const seen = known === 'ask' ? await auth.users.get({ userId: id }) : known;
    expect(seen?.user.firstName).toBe('Ada');
  });

  it('reads users from the database but changes none while Redis is unreachable', async () => {
    const replica = await auth.replica();
    replica.get(SessionUserCache).onApplicationShutdown();
    expect(await replica.get(SessionUsersService).get({ userId: id })).toMatchObject({ user: { id } });
    const change = replica.get(UserChanges).commit(id, rename('Augusta'));
    const details = { outcome: 'not-started' };
    await expect(change).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', details });
    expect(await auth.rows('SELECT first_name FROM auth.users')).toEqual([{ first_name: 'Ada' }]);
  });
});

describe('the user cache after a Redis failover', () => {
  let server: PrivateRedis;
  let redis: Redis;
  const caches: SessionUserCache[] = [];
  const open = async () => {
    const cache = new SessionUserCache({ redisUrl: server.urlFor('auth') } as StoreConfig);
    caches.push(cache);
    await cache.connected();
    return cache;
  };
  let id: string;
  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.ownerUrl, { retryStrategy: () => 20 });
    redis.on('error', () => undefined);
  });
  beforeEach(() => {
    id = randomUUID();
  });
  afterEach(() => caches.splice(0).forEach((cache) => cache.onApplicationShutdown()));
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  const at = (version: number) => ({ user: { id }, epoch: 1, version }) as SessionUser;
  const entry = async () => {
    const generation = generationIn(await redis.info(...ASK_GENERATION)) ?? '';
    return readUserCache(await redis.get(userCacheKey(id, generation)));
  };
  const failOver = async () => {
    await redis.replicaof('127.0.0.1', 1);
    await redis.replicaof('NO', 'ONE');
  };

  it('ignores entries from before the failover', async () => {
    const cache = await open();
    await cache.publish(id, await cache.markChanging(id), at(1));
    expect(await entry()).toEqual(at(1));
    await failOver();
    expect(await entry()).toBe('ask');
  });

  it('replaces an outdated read with a change that began before the failover', async () => {
    const [cache, other] = [await open(), await open()];
    const marker = await cache.markChanging(id);
    await failOver();
    await until('the other one to notice', 60_000, async () => {
      const reading = await other.markReading(id);
      await other.fill(reading!, at(1));
      return JSON.stringify(await entry()) === JSON.stringify(at(1));
    });
    await cache.publish(id, marker, at(2));
    expect(await entry()).toEqual(at(2));
  });

  it('does not store a read that began before the failover', async () => {
    const cache = await open();
    const marker = await cache.markReading(id);
    await failOver();
    await cache.fill(marker!, at(1));
    expect(await entry()).toBe('ask');
  });

  it('stores a change when Redis returns if the first write failed', async () => {
    const cache = await open();
    const marker = await cache.markChanging(id);
    await server.kill('SIGKILL');
    await expect(cache.publish(id, marker, at(2))).rejects.toThrow();
    await server.restart();
    await until('the change', 60_000, async () => (await entry()) !== 'ask');
    expect(await entry()).toEqual(at(2));
  });
});
