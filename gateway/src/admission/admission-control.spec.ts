import { createServer, request as httpRequest, type ClientRequest, type RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { DomainError, ListFollowedTopics, Register, Unregister, type ErrorBody } from '@meetmark/contracts';
import { registry } from '@meetmark/platform';
import { played, scenes, type Played } from '@meetmark/platform/testing/play-services';
import { until } from '@meetmark/testing';
import { anEvent, aRegistration } from '@meetmark/testing/factories/samples';
import type { ApiClient } from '@meetmark/testing/http-client';
import { fastify } from 'fastify';
import { gatewayForTests } from '../testing/open-test-gateway.js';
import { AdmissionControl } from './admission-control.js';
import { NoTurn } from '../http/shared-budgets.js';
import { RouteConcurrency } from './route-concurrency.js';

const LEAST = 16;
const ASKED = 30;
const REGISTER = `/api/events/${anEvent().id}/register`;
let caller: ApiClient;
const list = played(ListFollowedTopics, () => []);
const unregister = played(Unregister, () => undefined);
const register = played(Register, () => ({ created: true, registration: aRegistration() }));
const stack = gatewayForTests({
  config: { trustedProxies: 1 },
  events: scenes(list, register, unregister),
});
beforeAll(async () => {
  caller = (await stack.signedIn({ isAdmin: true })).browser;
});

const noRoom = () => {
  throw new DomainError('SERVICE_OVERLOADED', { outcome: 'not-started' });
};
const many = (path: string, count: number) =>
  Promise.all(Array.from({ length: count }, () => caller.get<ErrorBody>(path)));
function held<Req extends object, Res>(scene: Played<Req, Res>, usual = scene.handler) {
  const waiting = { asked: 0, release: (): void => undefined };
  const released = new Promise<void>((resolve) => (waiting.release = resolve));
  scene.handler = async (...call) => {
    waiting.asked += 1;
    await released;
    return usual(...call);
  };
  return waiting;
}
const countReplies = (replies: { status: number }[], status: number) =>
  replies.filter((reply) => reply.status === status).length;
const turnedAway = async () =>
  (await registry.getSingleMetric('http_turned_away_total')!.get()).values[0]!.value;

it('admission control limits calls to a full service until a second passes without refusals', async () => {
  const answer = list.handler;
  list.handler = noRoom;
  expect((await caller.get('/api/user/topics')).status).toBe(503);
  const waiting = held(list, answer);
  const before = await turnedAway();
  const replies = many('/api/user/topics', ASKED);
  await until('those who were let in have asked', 60_000, async () => waiting.asked === LEAST);
  await until('the others are refused', 60_000, async () => (await turnedAway()) - before === ASKED - LEAST);
  expect((await caller.get('/api/user/topics?limit=5')).status).toBe(503);
  expect((await caller.get('/api/user')).status).toBe(200);
  waiting.release();
  expect(countReplies(await replies, 200)).toBe(LEAST);
  const refused = (await replies).find(({ status }) => status === 503)!;
  expect(refused.body).toMatchObject({ statusCode: 503, code: 'SERVICE_OVERLOADED' });
  expect(refused.body.requestId).toBe(refused.headers.get('x-request-id'));
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('content-security-policy')).toContain("default-src 'self'");
  await pause(1_100);
  expect(countReplies(await many('/api/user/topics', ASKED), 200)).toBe(ASKED);
});

it('admission control admits another network when one network fills a path', async () => {
  await pause(1_100);
  const answer = list.handler;
  list.handler = noRoom;
  expect((await caller.get('/api/user/topics')).status).toBe(503);
  const crowd = held(list, answer);
  const waiting = many('/api/user/topics', ASKED);
  await until('those who were let in have asked', 60_000, async () => crowd.asked === LEAST);
  const other = caller.get('/api/user/topics', { 'x-forwarded-for': '192.0.2.7' });
  await until('another network is let in', 60_000, async () => crowd.asked === LEAST + 1);
  crowd.release();
  expect((await other).status).toBe(200);
  expect(countReplies(await waiting, 200)).toBe(LEAST);
  await pause(1_100);
});

it('admission control treats different spellings of a path as the same path', async () => {
  await pause(1_100);
  const answer = list.handler;
  const crowd = held(list, answer);
  const waiting = many('/api/user/topics', LEAST);
  await until('they all wait', 60_000, async () => crowd.asked === LEAST);
  list.handler = noRoom;
  expect((await caller.get('/api/user/topics')).status).toBe(503);
  list.handler = answer;
  for (const spelling of [
    '/api/user/%74opics',
    '/%61pi/user/topics?q=a',
    '/api/user/topics/',
    '/api/user/%74opics/',
  ])
    expect((await caller.get<ErrorBody>(spelling)).body.code).toBe('SERVICE_OVERLOADED');
  expect(crowd.asked).toBe(LEAST);
  crowd.release();
  expect(countReplies(await waiting, 200)).toBe(LEAST);
  await pause(1_100);
});

it('admission control counts registering and unregistering together', async () => {
  const answer = register.handler;
  const crowd = held(unregister);
  const waiting = Array.from({ length: LEAST }, () => caller.delete(REGISTER));
  await until('they all wait', 60_000, async () => crowd.asked === LEAST);
  register.handler = noRoom;
  expect((await caller.post(REGISTER)).status).toBe(503);
  register.handler = answer;
  expect((await caller.post<ErrorBody>(REGISTER)).body.code).toBe('SERVICE_OVERLOADED');
  crowd.release();
  expect(countReplies(await Promise.all(waiting), 204)).toBe(LEAST);
  await pause(1_100);
  expect((await caller.post(REGISTER)).status).toBe(201);
});

it('admission control admits requests while other clients send their bodies slowly', async () => {
  const answer = register.handler;
  register.handler = noRoom;
  expect((await caller.post(REGISTER)).status).toBe(503);
  register.handler = answer;
  let come = 0;
  stack.gateway.app.getHttpServer().on('request', () => (come += 1));
  const slow: ClientRequest[] = [];
  for (let each = 0; each < 2 * LEAST; each += 1) {
    const headers = {
      cookie: caller.session,
      'content-type': 'application/json',
      'content-length': 20,
    };
    const open = httpRequest(stack.url + REGISTER, { method: 'POST', headers, agent: false });
    open.on('error', () => undefined);
    open.write('{');
    slow.push(open);
  }
  await until('they have all come', 60_000, async () => come === slow.length);
  expect((await caller.post(REGISTER)).status).toBe(201);
  for (const open of slow) open.destroy();
});

it('admission control does not count requests refused before their body arrived', async () => {
  for (let each = 0; each < 2 * LEAST; each += 1) {
    const reply = await stack.browser().post(REGISTER, { selectedDate: 'x'.repeat(50_000) });
    expect(reply.status).toBe(401);
  }
  const answer = register.handler;
  register.handler = noRoom;
  expect((await caller.post(REGISTER)).status).toBe(503);
  register.handler = answer;
  expect((await caller.post(REGISTER)).status).toBe(201);
});

it('admission control blocks a network from a path for 100 ms after NoTurn', async () => {
  let now = 0;
  const admission = new AdmissionControl(1, () => now);
  const server = fastify({
    serverFactory: (handle: RequestListener) => createServer(admission.before(handle)),
  });
  server.decorateReply('refusal', null);
  admission.watch(server, () => ({}));
  const come: string[] = [];
  server.post('/:path', (request, reply) => {
    come.push(request.url);
    reply.refusal = new NoTurn();
    return reply.code(503).send();
  });
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const ask = (path: string, ip: string) =>
    fetch(url + path, { method: 'POST', headers: { 'x-forwarded-for': ip } });
  try {
    for (let n = 0; n < 5; n += 1) expect((await ask('/one', '192.0.2.1')).status).toBe(503);
    expect(come).toEqual(['/one']);
    await ask('/one', '192.0.2.2');
    await ask('/two', '192.0.2.1');
    expect(come).toEqual(['/one', '/one', '/two']);
    now += 100;
    await ask('/one', '192.0.2.1');
    expect(come).toHaveLength(4);
  } finally {
    await server.close();
  }
});

describe('RouteConcurrency', () => {
  let now: number;
  let load: RouteConcurrency;
  beforeEach(() => {
    now = 0;
    load = new RouteConcurrency(() => now);
  });

  const begin = (count: number) => {
    let entered = 0;
    for (let each = 0; each < count; each += 1) {
      if (load.isFull()) continue;
      load.begin();
      entered += 1;
    }
    return entered;
  };
  const answer = (count: number, answered = true) => {
    for (let each = 0; each < count; each += 1) load.end({ answered });
  };
  /**
   * Simulates `ms` milliseconds with `perSecond` responses per second and `asked` times as many new requests.
   * Returns the number of refused requests.
   */
  const answering = (perSecond: number, ms: number, asked = 3) => {
    let refused = 0;
    for (const until = now + ms; now < until;) {
      now += 10;
      answer(perSecond / 100);
      const wanted = (asked * perSecond) / 100;
      refused += wanted - begin(wanted);
    }
    return refused;
  };

  it('does not limit a path while requests are answered quickly', () => {
    begin(400);
    expect(answering(1_000, 5_000, 1)).toBe(0);
    load = new RouteConcurrency(() => now);
    begin(120);
    expect(answering(100, 5_000, 1)).toBe(0);
  });

  it('admits a sudden burst of requests', () => {
    expect(begin(1_000)).toBe(1_000);
    now += 200;
    expect(begin(1_000)).toBe(1_000);
  });

  it('limits waiting requests to the number that is answered in a quarter second', () => {
    begin(150);
    answering(200, 5_000);
    const waiting = 50;
    now += 10;
    answer(waiting);
    expect(begin(1_000)).toBeLessThanOrEqual(waiting * 1.2);
    expect(begin(1_000)).toBe(0);
  });

  it('limits a path as soon as its service refuses a request', () => {
    begin(20);
    expect(load.isFull()).toBe(false);
    load.refused();
    expect(load.isFull()).toBe(true);
    answer(10);
    expect(begin(20)).toBe(6);
  });

  it('admits networks with few requests while others fill a path', () => {
    begin(16);
    load.refused();
    expect(load.isFull()).toBe(true);
    const one = (network: string) => {
      if (load.isFull(network)) return false;
      load.begin(network);
      return true;
    };
    expect(['a', 'a', 'a', 'b'].map(one)).toEqual([true, true, false, true]);
    load.end({ answered: true }, 'a');
    expect([one('a'), one('a')]).toEqual([true, false]);
    for (let n = 0; n < 30; n += 1) one(`network ${n}`);
    expect(one('the last')).toBe(false);
  });

  it('lifts the limit of a path after a second without refusals', () => {
    begin(20);
    load.refused();
    for (let each = 0; each < 3; each += 1) {
      now += 900;
      expect(load.isFull()).toBe(true);
    }
    now += 1_000;
    expect(begin(40)).toBe(40);
  });

  it('raises the limit of a path when responses become faster', () => {
    begin(20);
    load.refused();
    answer(20, false);
    expect(answering(1_000, 3_000, 1)).toBeLessThan(200);
    now += 10;
    answer(10);
    expect(load.isFull()).toBe(false);
  });
});
