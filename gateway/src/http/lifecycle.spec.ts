import { GetEvent, ListMyEvents, ListOwnRegistrations, ListPublicEvents } from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { startRedis, type PrivateRedis } from '@meetmark/testing';
import { anEvent } from '@meetmark/testing/factories/samples';
import type { ApiClient } from '@meetmark/testing/http-client';
import { openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';

const event = anEvent();
const none = { items: [], total: 0, nextCursor: null };
let redis: PrivateRedis;
let stack: TestGateway;
let member: ApiClient;
beforeAll(async () => {
  redis = await startRedis();
  stack = await openTestGateway({
    config: { redisUrl: redis.ownerUrl },
    events: scenes(
      played(GetEvent, () => event),
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
async function until(wanted: number): Promise<Set<number>> {
  const seen = new Set<number>();
  for (;;) {
    const now = await statuses();
    now.forEach((status) => seen.add(status));
    if (now.every((status) => status === wanted)) return seen;
  }
}

it('the gateway answers members with 503 while Redis is down and then recovers', async () => {
  expect(await statuses()).toEqual([200, 200, 200, 200, 200]);
  for (let round = 0; round < 2; round += 1) {
    await redis.kill('SIGKILL');
    expect(await statuses()).toEqual([503, 503, 503, 503, 503]);
    expect((await stack.browser().get('/api/config')).status).toBe(200);
    await redis.restart();
    expect([...(await until(200))].every((status) => status === 200 || status === 503)).toBe(true);
  }
});
