import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { UpdateProfile } from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import type { ApiClient } from '@meetmark/testing/http-client';
import { openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';

/** Bytes: the largest body that is announced as one that holds a picture. */
const LARGE = 6_900_000;
const SMALL = 60_000;

describe('bodies on their way', () => {
  let test: TestGateway;
  const open: Socket[] = [];
  beforeAll(async () => {
    test = await openTestGateway({
      auth: scenes(played(UpdateProfile, (_, call) => test.users.get(call.identity!.sub)!)),
    });
  });
  afterAll(async () => {
    for (const socket of open) socket.destroy();
    await test.close();
  });

  /** Announces a body, sends its beginning, and no more. What is answered and when, milliseconds, once the gateway closes or has answered. */
  const stall = (browser: ApiClient, { length = LARGE, chunked = false } = {}) => {
    const socket = connect(Number(new URL(test.url).port), '127.0.0.1');
    open.push(socket);
    const began = Date.now();
    const body = chunked ? 'Transfer-Encoding: chunked\r\n\r\n400\r\n' : `Content-Length: ${length}\r\n\r\n`;
    const head = `Host: localhost\r\nSec-Fetch-Site: same-origin\r\nCookie: ${browser.session}\r\nContent-Type: application/json\r\n`;
    socket.write(`PUT /api/user/profile HTTP/1.1\r\n${head}${body}${'{"firstName":"'.padEnd(1_000, 'a')}`);
    const answered = new Promise<{ status: number; retryAfter: boolean; ms: number }>((resolve) => {
      socket.once('data', (bytes) => {
        const answer = bytes.toString();
        const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
        resolve({ status, retryAfter: /^retry-after: \d/im.test(answer), ms: Date.now() - began });
      });
    });
    return { socket, answered };
  };
  /** Which of several connections is without room is decided by their sessions, which may be read in any order. */
  const firstAnswer = (stalled: ReturnType<typeof stall>[]) =>
    Promise.race(stalled.map(({ answered }) => answered));
  const profile = (extra: object = {}) => ({
    ...{ email: 'nora@example.org', firstName: 'Nora', lastName: 'Newcomer' },
    ...extra,
  });
  const uploaded = (browser: ApiClient) =>
    browser.put('/api/user/profile', profile({ profileImageUrl: `data:,${'a'.repeat(LARGE - 1_000)}` }));

  it('are refused before they are read when there is no room, and cut off when they do not come on', async () => {
    const { browser: attacker } = await test.signedIn();
    const { browser: other } = await test.signedIn();
    const stalled = Array.from({ length: 60 }, (_, n) => stall(attacker, { chunked: n % 2 === 1 }));
    const answers = await Promise.all(stalled.map(({ answered }) => answered));
    const at = (status: number) => answers.filter((answer) => answer.status === status);
    expect([at(503).length, at(408).length]).toEqual([58, 2]);
    expect(at(503).every(({ retryAfter }) => retryAfter)).toBe(true);
    // those two were the first to be looked at, and had their time
    expect(Math.min(...at(408).map(({ ms }) => ms))).toBeGreaterThan(4_000);
    expect((await uploaded(other)).status).toBe(415);
    expect((await uploaded(attacker)).status).toBe(415);
  });

  it('leave room for others while one account holds all that it may', async () => {
    const { browser: attacker } = await test.signedIn();
    const { browser: other } = await test.signedIn();
    const held = [stall(attacker), stall(attacker), stall(attacker)];
    await expect(firstAnswer(held)).resolves.toMatchObject({ status: 503 });
    expect((await uploaded(other)).status).toBe(415);
    expect((await attacker.put('/api/user/profile', profile())).status).toBe(200);
    for (const { socket } of held) socket.destroy();
  });

  it('take no more than the budget of all accounts together, and small ones have their own', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => test.signedIn()));
    const held = [...people.slice(0, 2), people[0]!, people[2]!].map(({ browser }) => stall(browser));
    const { browser: other } = people[3]!;
    await expect(firstAnswer(held)).resolves.toMatchObject({ status: 503 });
    expect((await other.put('/api/user/profile', profile())).status).toBe(200);
    for (const { socket } of held) socket.destroy();
    await Promise.all(held.map(({ socket }) => text(socket).catch(() => '')));
    expect((await uploaded(other)).status).toBe(415);
  });

  it('are let in as long as they come on', async () => {
    const { browser } = await test.signedIn();
    const { socket, answered } = stall(browser, { length: SMALL });
    const drip = setInterval(() => socket.write('a'.repeat(5_000)), 500);
    const { status, ms } = await answered.finally(() => clearInterval(drip));
    expect([status, ms > 5_000]).toEqual([400, true]);
  });
});
