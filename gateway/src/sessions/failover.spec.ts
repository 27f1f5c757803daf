import { userCacheKey } from '@meetmark/contracts';
import { ASK_GENERATION, generationIn } from '@meetmark/platform/redis/generation';
import { SilentProxy } from '@meetmark/platform/testing/silent-proxy';
import { startRedis, until, type PrivateRedis } from '@meetmark/testing';
import { type ApiClient } from '@meetmark/testing/http-client';
import { Redis } from 'ioredis';
import type { GatewayConfig } from '../gateway.config.js';
import { openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';
import { SessionCache } from './session-cache.js';
import type { StoredSession } from './session.js';

const NO_PRIMARY = ['127.0.0.1', 1] as const;

describe('what was acknowledged before a failover of Redis', () => {
  let servers: PrivateRedis[];
  let redis: Redis[];
  let proxy: SilentProxy;
  let stack: TestGateway;
  const caches: SessionCache[] = [];
  beforeEach(async () => {
    servers = await Promise.all([startRedis(), startRedis()]);
    redis = servers.map(({ ownerUrl }) => new Redis(ownerUrl));
    proxy = await SilentProxy.before(servers[0]!.ownerUrl);
    stack = await openTestGateway({ config: { redisUrl: proxy.url } });
  });
  afterEach(async () => {
    caches.splice(0).forEach((cache) => cache.onApplicationShutdown());
    await stack.close();
    redis.forEach((client) => client.disconnect());
    await proxy.close();
    await Promise.all(servers.map((server) => server.stop()));
  });

  const isAdmin = async (browser: ApiClient) => {
    const { status, body } = await browser.get('/api/user');
    return status === 200 ? (body as { isAdmin: boolean }).isAdmin : status;
  };
  /** What the auth service does with a changed user: it is played here and has no cache. */
  const tell = async (client: Redis, userId: string) => {
    const generation = generationIn(await client.info(...ASK_GENERATION)) ?? '';
    await client.set(userCacheKey(userId, generation), JSON.stringify(stack.users.get(userId)));
  };
  const demote = (userId: string) => {
    const { user, epoch, version } = stack.users.get(userId)!;
    stack.users.set(userId, { user: { ...user, isAdmin: false }, epoch, version: version + 1 });
  };
  const answered = (browser: ApiClient) =>
    until('an answer', 10_000, async () => (await browser.get('/api/user')).status !== 503);

  it('holds when a replica was promoted that has not heard of it', async () => {
    const [primary, replica] = redis as [Redis, Redis];
    const { hostname, port } = new URL(servers[0]!.ownerUrl);
    await replica.replicaof(hostname, Number(port));
    await until('the replica', 10_000, async () =>
      (await replica.info('replication')).includes('master_link_status:up'),
    );
    const leaver = await stack.signedIn();
    const demoted = await stack.signedIn({ isAdmin: true });
    for (const { user } of [leaver, demoted]) await tell(primary, user.id);
    expect([await isAdmin(leaver.browser), await isAdmin(demoted.browser)]).toEqual([false, true]);
    expect(await primary.wait(1, 5_000)).toBe(1);

    await replica.replicaof('NO', 'ONE');
    const left = leaver.browser.at();
    expect((await leaver.browser.post('/api/logout')).status).toBe(204);
    demote(demoted.user.id);
    await tell(primary, demoted.user.id);
    expect([await isAdmin(left), await isAdmin(demoted.browser)]).toEqual([401, false]);

    proxy.leadTo(servers[1]!.ownerUrl);
    await answered(demoted.browser);
    expect([await isAdmin(left), await isAdmin(demoted.browser)]).toEqual([401, false]);
  });

  it('holds when the same server was a replica for a while and lost it, although no connection was', async () => {
    const [primary] = redis as [Redis];
    const { browser, user } = await stack.signedIn({ isAdmin: true });
    await tell(primary, user.id);
    expect(await isAdmin(browser)).toBe(true);
    await primary.replicaof(...NO_PRIMARY);
    await until('it to be noticed', 5_000, async () => (await browser.get('/api/user')).status === 503);
    demote(user.id); // which another primary has received
    await primary.replicaof('NO', 'ONE');
    await answered(browser);
    expect(await isAdmin(browser)).toBe(false);
  });

  it('ends a session where the others read, also at a gateway that has not noticed the failover yet', async () => {
    const opened = async () => {
      const cache = new SessionCache({ redisUrl: servers[0]!.urlFor('gateway') } as GatewayConfig);
      caches.push(cache);
      await until('the connection', 5_000, () => cache.load('none').then(() => true));
      return cache;
    };
    const late = await opened();
    const [primary] = redis as [Redis];
    await primary.replicaof(...NO_PRIMARY);
    await primary.replicaof('NO', 'ONE');
    const early = await opened();
    const { generation } = await early.load('sid');
    await early.fill('sid', { userId: 'ada' } as StoredSession, generation);
    expect((await early.load('sid')).session).toMatchObject({ userId: 'ada' });
    await late.end('sid');
    expect((await early.load('sid')).session).toBeNull();
  });
});
