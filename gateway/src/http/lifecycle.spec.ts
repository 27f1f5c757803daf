import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { jest } from '@jest/globals';
import { GetEvent, ListMyEvents, ListOwnRegistrations, ListPublicEvents } from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { startRedis, tally, type PrivateRedis } from '@meetmark/testing';
import { anEvent } from '@meetmark/testing/factories/samples';
import type { ApiClient } from '@meetmark/testing/http-client';
import { AccountTurns } from '../rate-limits/account-turns.js';
import { limitsLogger } from '../rate-limits/rate-limiter.js';
import { GatewayRedis } from '../redis/gateway-redis.js';
import { openTestGateway, PASSWORD, type TestGateway } from '../testing/open-test-gateway.js';

const event = anEvent();
const none = { items: [], total: 0, nextCursor: null };
const get = played(GetEvent, () => event);
let redis: PrivateRedis;
let stack: TestGateway;
let member: ApiClient;
beforeAll(async () => {
  redis = await startRedis();
  const plenty = ['signed-in', 'anonymous'].map((name) => `${name}=100000/300`);
  stack = await openTestGateway({
    config: {
      redisUrl: redis.ownerUrl,
      farewell: 500,
      rateLimitProfile: 'standard',
      rateLimits: ['sign-in-attempts=6/300', 'sign-in-failures=2/900', ...plenty].join(),
    },
    events: scenes(
      get,
      played(ListPublicEvents, () => none),
      played(ListMyEvents, () => none),
      played(ListOwnRegistrations, () => ({})),
    ),
  });
  member = (await stack.signedIn()).browser;
});
afterAll(async () => {
  await stack.close();
  await redis.stop();
});

const CALLS = ['/api/user', '/api/my-events', '/api/events/public', `/api/events/${event.id}`, '/api/config'];
const statuses = () => Promise.all(CALLS.map(async (path) => (await member.get(path)).status));

async function recover(): Promise<void> {
  await redis.restart();
  for (;;) {
    const now = await statuses();
    expect(now.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    if (now.every((status) => status === 200)) return;
  }
}

describe('a gateway without Redis', () => {
  it('answers members with 503, limits sign-ins and recovers with Redis', async () => {
    expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
    await redis.kill('SIGKILL');
    expect(await statuses()).toEqual([503, 503, 503, 503, 503]);
    const visitor = stack.browser();
    expect((await visitor.get('/api/config')).status).toBe(200);
    expect((await visitor.get('/api/events/public')).status).toBe(503);
    const signIn = async (...names: string[]) => {
      const fields = names.map((name) => ({ email: `${name}@example.com`, password: PASSWORD }));
      const answers = await Promise.all(fields.map((each) => visitor.post('/api/login', each)));
      return tally(answers.map(({ status }) => status));
    };
    // None of these count as failures, because it is unknown whether the password was wrong.
    for (let each = 0; each < 2; each += 1) expect(await signIn('ada', 'ada')).toEqual({ 503: 2 });
    expect(await signIn('bob', 'cleo', 'dan')).toEqual({ 503: 2, 429: 1 });
    await recover();
  });

  it('completes a running sign-in after many failures but starts no other', async () => {
    const turns = stack.gateway.app.get(AccountTurns);
    const { client } = stack.gateway.app.get(GatewayRedis);
    const warn = jest.spyOn(limitsLogger, 'warn').mockReturnValue();
    const first = await turns.run('ada', '192.0.2.7', async () => {
      const closed = once(client, 'close');
      await redis.kill('SIGKILL');
      await closed;
      return 'completed';
    });
    const second = turns.run('ada', '192.0.2.7', async () => 'started');
    await expect(second).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect([first, warn.mock.calls.length]).toEqual(['completed', 1]);
    warn.mockRestore();
    await recover();
  });
});

it('a stopping gateway finishes open requests and closes its connections', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const arrived = new Promise<void>((resolve) => {
    get.handler = async () => {
      resolve();
      await released;
      return event;
    };
  });
  const agent = new Agent({ keepAlive: true });
  const read = (path: string) =>
    new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
      const request = httpRequest(stack.url + path, { agent }, (response) => {
        const { statusCode, headers } = response.resume();
        response.on('end', () => resolve({ status: statusCode!, connection: headers.connection }));
      });
      request.on('error', reject).end();
    });
  expect(await read('/api/config')).toEqual({ status: 200, connection: 'keep-alive' });
  const slow = read(`/api/events/${anEvent().id}`);
  await arrived;
  const stopped = stack.gateway.stop();
  expect(await read('/api/config')).toEqual({ status: 200, connection: 'close' });
  release();
  expect(await slow).toEqual({ status: 200, connection: 'close' });
  await stopped;
  await expect(read('/api/config')).rejects.toThrow(/ECONNREFUSED/);
  agent.destroy();
});
