import { request as httpRequest } from 'node:http';
import { DEADLINES, ListGuests, type Guest, type Page } from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { until } from '@meetmark/testing';
import { anEvent } from '@meetmark/testing/factories/samples';
import { GatewayRedis } from '../redis/gateway-redis.js';
import { gatewayForTests } from '../testing/open-test-gateway.js';
import { takeTurn } from './account-turns.js';

const GUESTS = `/api/admin/events/${anEvent().id}/guests`;
const EMPTY: Page<Guest> = { items: [], total: 0, nextCursor: null };

describe('heavy calls of an account', () => {
  let asked = 0;
  let release: () => void;
  let released: Promise<void>;
  const guests = played(ListGuests, async () => {
    asked += 1;
    await released;
    return EMPTY;
  });
  const usual = { ...DEADLINES };
  // Long deadlines, so that calls run until they are released, even on a slow machine.
  beforeAll(() => Object.assign(DEADLINES, { gateway: 60_000, call: 60_000 }));
  afterAll(() => Object.assign(DEADLINES, usual));
  const stack = gatewayForTests({ events: scenes(guests) });
  beforeEach(() => {
    asked = 0;
    released = new Promise((resolve) => (release = resolve));
  });
  afterEach(() => release());

  const manager = async () => (await stack.signedIn({ isAdmin: true })).browser;
  const areAsked = (count: number) => until(`${count} calls run`, 60_000, async () => asked === count);

  it('are limited to two at a time across all gateways', async () => {
    const { browser, user } = await stack.signedIn({ isAdmin: true });
    const redis = stack.gateway.app.get(GatewayRedis);
    const endElsewhere = await takeTurn(redis, [`limit:heavy:${user.id}:0`], 60_000);
    const running = browser.get(GUESTS);
    await areAsked(1);
    const refused = await browser.get<{ code: string }>(GUESTS);
    expect([refused.status, refused.body.code, asked]).toEqual([429, 'RATE_LIMITED', 1]);
    expect(refused.headers.get('retry-after')).toBe('1');
    release();
    expect((await running).status).toBe(200);
    await endElsewhere(0);
  });

  it('run in turn without delaying light calls or other accounts', async () => {
    const browser = await manager();
    const calls = [1, 2, 3].map(() => browser.get(GUESTS));
    await areAsked(2);
    expect((await browser.get('/api/user')).status).toBe(200);
    const another = (await manager()).get(GUESTS);
    await areAsked(3);
    release();
    for (const each of [...calls, another]) expect((await each).status).toBe(200);
  });

  it('keep their turn when the client disconnects before the service is done', async () => {
    const browser = await manager();
    const leaving = [1, 2].map(() => {
      const call = httpRequest(stack.url + GUESTS, { headers: { cookie: browser.session }, agent: false });
      call.on('error', () => undefined);
      call.end();
      return call;
    });
    await areAsked(2);
    for (const each of leaving) each.destroy();
    expect((await browser.get(GUESTS)).status).toBe(429);
    expect(asked).toBe(2);
    release();
    await until('a turn is free again', 60_000, async () => (await browser.get(GUESTS)).status === 200);
  });

  it('wait in a queue of eight, and further calls are refused immediately', async () => {
    const browser = await manager();
    let refused = 0;
    const send = async () => {
      const { status } = await browser.get(GUESTS);
      if (status === 429) refused += 1;
      if (refused === 2) release();
      return status;
    };
    const running = [send(), send()];
    // A call that is about to run counts as waiting, too.
    await areAsked(2);
    const calls = [...running, ...Array.from({ length: 10 }, send)];
    expect((await Promise.all(calls)).filter((status) => status === 200)).toHaveLength(10);
  });
});
