import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import { DomainError } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import { fastify } from 'fastify';
import { NoTurn } from '../http/shared-budgets.js';
import { AdmissionControl } from './admission-control.js';
import { RouteConcurrency } from './route-concurrency.js';

/** Requests of one kind that may wait for an overloaded service. */
const LEAST = 16;

// `http/errors.spec.ts` tests admission control in a gateway.
describe('admission control', () => {
  let now = 0;
  let arrived = 0;
  let asked: string[] = [];
  let work: () => unknown;
  let url: string;
  const admission = new AdmissionControl(1, () => now);
  const server = fastify({
    serverFactory: (handle: RequestListener) => createServer(admission.before(handle)),
  });
  beforeAll(async () => {
    server.decorateReply('refusal', null);
    admission.watch(server, () => ({}));
    server.addHook('onRequest', async ({ headers }, reply) => {
      arrived += 1;
      if (headers.authorization) await reply.code(401).send();
    });
    server.setErrorHandler((error: DomainError, _, reply) => {
      reply.refusal = error;
      return reply.code(503).send();
    });
    server.all('/*', async (request) => {
      asked.push(request.url);
      await work();
      return 'done';
    });
    url = await server.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    arrived = 0;
    asked = [];
    work = () => undefined;
  });

  const ask = async (path: string, method = 'GET', ip = '192.0.2.1') =>
    (await fetch(url + path, { method, headers: { 'x-forwarded-for': ip } })).status;

  /** Sends a request that the service refuses because it is full. */
  async function overload(path: string, method = 'GET'): Promise<void> {
    work = () => {
      throw new DomainError('SERVICE_OVERLOADED', { outcome: 'not-started' });
    };
    expect(await ask(path, method)).toBe(503);
    work = () => undefined;
  }

  /** Overloads a path, and sends as many requests as may wait. */
  async function fill(path: string, method = 'GET') {
    await overload(path, method);
    asked = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    work = () => released;
    const crowd = Array.from({ length: LEAST }, () => ask(path, method));
    await until('all requests', 60_000, async () => asked.length === LEAST);
    return async () => {
      release();
      expect(await Promise.all(crowd)).toEqual(Array(LEAST).fill(200));
    };
  }

  it('admits another network when one network fills a path', async () => {
    const release = await fill('/crowded');
    expect(await ask('/crowded')).toBe(503);
    const other = ask('/crowded', 'GET', '192.0.2.7');
    await until('the other network', 60_000, async () => asked.length === LEAST + 1);
    await release();
    expect(await other).toBe(200);
  });

  it('treats different spellings of a path as the same path', async () => {
    const release = await fill('/user/topics');
    for (const spelling of ['/user/%74opics', '/%75ser/topics?q=a', '/user/topics/', '/user/%74opics/'])
      expect([spelling, await ask(spelling)]).toEqual([spelling, 503]);
    expect(asked).toHaveLength(LEAST);
    await release();
  });

  it('counts registering and unregistering together', async () => {
    const path = `/events/${crypto.randomUUID()}/register`;
    const release = await fill(path, 'DELETE');
    expect(await ask(path, 'POST')).toBe(503);
    await release();
    expect(await ask(path, 'POST')).toBe(200);
  });

  it('admits requests while other clients send their bodies slowly', async () => {
    await overload('/slow', 'POST');
    const headers = { 'content-type': 'application/json', 'content-length': 20 };
    const slow = Array.from({ length: 2 * LEAST }, () => {
      const open = httpRequest(`${url}/slow`, { method: 'POST', headers, agent: false });
      open.on('error', () => undefined).write('{');
      return open;
    });
    await until('all requests', 60_000, async () => arrived === slow.length + 1);
    expect(await ask('/slow', 'POST')).toBe(200);
    for (const open of slow) open.destroy();
  });

  it('does not count requests refused before their body arrived', async () => {
    const headers = { authorization: 'none', 'content-type': 'application/json' };
    const body = JSON.stringify('x'.repeat(50_000));
    for (let each = 0; each < 2 * LEAST; each += 1)
      expect((await fetch(`${url}/early`, { method: 'POST', headers, body })).status).toBe(401);
    await overload('/early', 'POST');
    expect(await ask('/early', 'POST')).toBe(200);
  });

  it('blocks a network from a path for 100 ms after NoTurn', async () => {
    work = () => {
      throw new NoTurn();
    };
    for (let n = 0; n < 5; n += 1) expect(await ask('/one', 'POST')).toBe(503);
    expect(asked).toEqual(['/one']);
    await ask('/one', 'POST', '192.0.2.2');
    await ask('/two', 'POST');
    expect(asked).toEqual(['/one', '/one', '/two']);
    now += 100;
    await ask('/one', 'POST');
    expect(asked).toHaveLength(4);
  });
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
