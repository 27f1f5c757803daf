import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { UpdateProfile } from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { until } from '@meetmark/testing';
import type { ApiClient } from '@meetmark/testing/http-client';
import { fastify } from 'fastify';
import { BodyBudget } from './body-budget.js';
import { openTestGateway, PASSWORD, type TestGateway } from '../testing/open-test-gateway.js';

/** Bytes: the largest body that is announced as one that holds a picture. */
const LARGE = 6_900_000;
const SMALL = 64_000;
/** What else of this machine has bodies on its way, and one attacker. */
const [HOME, ATTACKER] = ['192.0.2.7', '198.51.100.7'];

describe('bodies on their way', () => {
  let test: TestGateway;
  const open: Socket[] = [];
  beforeAll(async () => {
    test = await openTestGateway({
      config: { trustedProxies: 1 },
      auth: scenes(played(UpdateProfile, (_, call) => test.users.get(call.identity!.sub)!)),
    });
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
  });
  afterAll(() => test.close());

  interface Stalled {
    length?: number;
    chunked?: boolean;
    /** Bytes that are sent at once. */
    sent?: number;
    call?: string;
    from?: string;
  }
  /** Announces a body, sends its beginning, and no more. What is answered and when, milliseconds, once the gateway closes or has answered. */
  const stall = (browser: ApiClient, given: Stalled = {}) => {
    const {
      length = LARGE,
      chunked = false,
      sent = 1_000,
      call = 'PUT /api/user/profile',
      from = HOME,
    } = given;
    const socket = connect(Number(new URL(test.url).port), '127.0.0.1');
    open.push(socket);
    const began = Date.now();
    const body = chunked ? 'Transfer-Encoding: chunked\r\n\r\n400\r\n' : `Content-Length: ${length}\r\n\r\n`;
    const head = `Host: localhost\r\nX-Forwarded-For: ${from}\r\nSec-Fetch-Site: same-origin\r\nCookie: ${browser.session}\r\nContent-Type: application/json\r\n`;
    socket.write(`${call} HTTP/1.1\r\n${head}${body}${'{"firstName":"'.padEnd(sent, 'a')}`);
    const answered = new Promise<{ status: number; retryAfter: boolean; ms: number }>((resolve) => {
      socket.once('data', (bytes) => {
        const answer = bytes.toString();
        const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
        resolve({ status, retryAfter: /^retry-after: \d/im.test(answer), ms: Date.now() - began });
      });
      socket.on('error', () => undefined); // what is cut off may be sent to
    });
    return { socket, answered };
  };
  const answers = (stalled: ReturnType<typeof stall>[]) =>
    Promise.all(stalled.map(({ answered }) => answered));
  const profile = (extra: object = {}) => ({
    ...{ email: 'nora@example.org', firstName: 'Nora', lastName: 'Newcomer' },
    ...extra,
  });
  const at = (from: string) => ({ 'x-forwarded-for': from });
  const uploaded = (browser: ApiClient, from = HOME) =>
    browser.put(
      '/api/user/profile',
      profile({ profileImageUrl: `data:,${'a'.repeat(LARGE - 1_000)}` }),
      at(from),
    );
  const signedIn = async (from: string) => {
    const { email } = await test.addUser();
    return (await test.browser().post('/api/login', { email, password: PASSWORD }, at(from))).status;
  };

  it('are held to two large ones of an account, and cut off when they do not come on', async () => {
    const { browser: attacker } = await test.signedIn();
    const { browser: other } = await test.signedIn();
    const stalled = await answers(Array.from({ length: 20 }, () => stall(attacker)));
    const [refused, cutOff] = [503, 408].map((status) => stalled.filter((each) => each.status === status));
    expect([refused!.length, cutOff!.length]).toEqual([18, 2]);
    expect(refused!.every(({ retryAfter }) => retryAfter)).toBe(true);
    expect(Math.min(...cutOff!.map(({ ms }) => ms))).toBeGreaterThan(4_000);
    expect((await uploaded(other)).status).toBe(415);
    expect((await uploaded(attacker)).status).toBe(415);
  });

  it('are no longer counted for an account once they were answered or broken off', async () => {
    const { browser } = await test.signedIn();
    for (let each = 0; each < 3; each += 1) expect((await uploaded(browser)).status).toBe(415);
    for (const { socket } of Array.from({ length: 2 }, () => stall(browser))) {
      if (socket.connecting) await once(socket, 'connect');
      await pause(100); // until its headers were read
      socket.destroy();
    }
    await until('both are gone', 5_000, async () => (await uploaded(browser)).status === 415);
  });

  it('are not counted for an account whose browser is gone before its session is known', async () => {
    const server = fastify({ bodyLimit: LARGE });
    let isLookedUp: Promise<unknown> | undefined;
    server.addHook('onRequest', async (_, reply) => {
      if (reply.request.headers['x-leaves']) await (isLookedUp = once(reply.raw, 'close'));
    });
    new BodyBudget().watch(server);
    server.put('/', () => 'taken');
    try {
      const url = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
      for (let each = 0; each < 2; each += 1) {
        const socket = connect(Number(url.port), url.hostname);
        socket.write(
          `PUT / HTTP/1.1\r\nHost: localhost\r\nX-Leaves: yes\r\nContent-Length: ${LARGE}\r\n\r\n`,
        );
        await until('the look-up', 5_000, () => Promise.resolve(isLookedUp !== undefined));
        socket.destroy();
        await isLookedUp;
        isLookedUp = undefined;
      }
      const payload = 'a'.repeat(LARGE);
      const headers = { 'content-type': 'text/plain' };
      expect((await server.inject({ method: 'PUT', url: '/', payload, headers })).body).toBe('taken');
    } finally {
      await server.close();
    }
  });

  it('take what has come and not what is announced, and small ones are there within five seconds', async () => {
    const browser = test.browser();
    const many = Array.from({ length: 262 }, (_, n) =>
      stall(browser, { call: 'POST /api/login', length: SMALL, chunked: n % 2 === 1, from: ATTACKER }),
    );
    const drip = setInterval(() => many.forEach(({ socket }) => socket.writable && socket.write('a')), 1_000);
    await pause(1_000);
    expect([await signedIn(HOME), await signedIn(ATTACKER)]).toEqual([200, 200]);
    const ended = await answers(many).finally(() => clearInterval(drip));
    // a byte that is no chunk ends the others
    expect(ended.every(({ status }) => status === 408 || status === 400)).toBe(true);
    expect(ended.filter(({ status }) => status === 408).length).toBeGreaterThanOrEqual(131);
    expect(Math.max(...ended.map(({ ms }) => ms))).toBeLessThan(10_000);
  });

  it('leave room for everybody else while one network holds all that it may', async () => {
    const browser = test.browser();
    const login = { call: 'POST /api/login', length: SMALL, sent: SMALL - 1, from: ATTACKER };
    const held = Array.from({ length: 40 }, () => stall(browser, login));
    const first = await Promise.race(held.map(({ answered }) => answered));
    expect(first).toMatchObject({ status: 503, retryAfter: true });
    await pause(500);
    expect(await signedIn(HOME)).toBe(200);
    for (const { socket } of held) socket.destroy();
  });

  it('are one picture of a network at a time, of whichever size', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => test.signedIn()));
    const [one, two, three] = people.map(({ browser }) => browser);
    const held = stall(one!, { sent: LARGE - 10, from: ATTACKER });
    const second = stall(two!, { sent: LARGE - 10, from: ATTACKER });
    expect(await Promise.race([held.answered, second.answered])).toMatchObject({ status: 503 });
    expect((await uploaded(three!)).status).toBe(415);
    expect((await three!.put('/api/user/profile', profile(), at(ATTACKER))).status).toBe(200);
  });

  it('are sixty people of one network', async () => {
    const people = await Promise.all(Array.from({ length: 60 }, () => test.signedIn()));
    const wrong = profile({ email: 'none' }); // refused once it is read, before a service is asked
    const replies = await Promise.all(
      people.map(({ browser }) => browser.put('/api/user/profile', wrong, at(ATTACKER))),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(60).fill(400));
  });
});
