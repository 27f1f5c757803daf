import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { DomainError, UpdateProfile } from '@meetmark/contracts';
import { dearerBy } from '@meetmark/testing/hostile-texts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { until } from '@meetmark/testing';
import type { ApiClient } from '@meetmark/testing/http-client';
import { fastify } from 'fastify';
import { jest } from '@jest/globals';
import { BECOMES, BodyBudget } from './body-budget.js';
import { MAX_DEPTH, MAX_VALUES, parseJson } from './body.js';
import { gatewayForTests, openTestGateway, PASSWORD } from '../testing/open-test-gateway.js';
import { NoRoom, SHARED_BUDGETS, SharedTurns, Shares } from './shared-budgets.js';

const codeOf = (bytes: Buffer | string, pictures = false) => {
  try {
    parseJson(Buffer.from(bytes), MAX_VALUES, pictures);
    return 'accepted';
  } catch (error) {
    return error instanceof DomainError ? error.code : String(error);
  }
};
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('a JSON body', () => {
  it('may be empty', () => {
    expect(parseJson(Buffer.alloc(0))).toBeUndefined();
  });

  it('keeps every character that it may hold', () => {
    expect(parseJson(Buffer.from('{"name":"Zoë 🎉\\n\\u0001"}'))).toEqual({ name: 'Zoë 🎉\n\u0001' });
  });

  it.each([
    ['half a character', Buffer.from([0x22, 0xc3, 0x22]), 'MALFORMED_TEXT'],
    ['a character in too many bytes', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'MALFORMED_TEXT'],
    ['a surrogate on its own, in bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'MALFORMED_TEXT'],
    ['an escaped NUL', '{"a":"b\\u0000"}', 'MALFORMED_TEXT'],
    ['a NUL in a key', '{"a\\u0000":1}', 'MALFORMED_TEXT'],
    ['a NUL deep inside', '{"a":[{"b":"\\u0000"}]}', 'MALFORMED_TEXT'],
    ['a bare NUL', '{"a":"\0"}', 'MALFORMED_JSON'],
    ['no JSON', '{a:1}', 'MALFORMED_JSON'],
    ['two values', '{}{}', 'MALFORMED_JSON'],
    ['a number that never ends', '1e', 'MALFORMED_JSON'],
    ['a key that reaches for the prototype', '{"__proto__":{"isAdmin":true}}', 'VALIDATION_FAILED'],
    ['such a key deep inside', '{"a":[{"constructor":{}}]}', 'VALIDATION_FAILED'],
    ['the prototype by its other name', '{"prototype":1}', 'VALIDATION_FAILED'],
    ['what every object has', '{"hasOwnProperty":1}', 'VALIDATION_FAILED'],
  ])('is refused with %s', (_, bytes, code) => {
    expect(codeOf(bytes)).toBe(code);
  });

  it('may be nested so far and no further', () => {
    expect(codeOf(nested(MAX_DEPTH))).toBe('accepted');
    expect(codeOf(nested(MAX_DEPTH + 1))).toBe('BODY_TOO_DEEP');
    expect(codeOf(nested(30_000))).toBe('BODY_TOO_DEEP');
  });

  it('may hold so many values and no more, wherever they stand', () => {
    const list = (length: number) => JSON.stringify(Array(length).fill(0));
    const object = (size: number) =>
      JSON.stringify({ a: Object.fromEntries(Array.from({ length: size - 1 }, (_, n) => [`n${n}`, n])) });
    for (const body of [list, object]) {
      expect(codeOf(body(MAX_VALUES))).toBe('accepted');
      expect(codeOf(body(MAX_VALUES + 1))).toBe('BODY_TOO_LARGE');
    }
  });

  it('may hold empty lists and objects as other values', () => {
    expect(codeOf(`[${Array(MAX_VALUES).fill('{ }').join(' , ')}]`)).toBe('accepted');
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const memory = () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
/** Bytes: as large as a body with a picture may be. */
const LARGE = 7_000_000;
const filled = (before: string, unit: string, after: string) =>
  Buffer.from(before + unit.repeat(Math.floor(LARGE / Buffer.byteLength(unit))) + after);
const PICTURE = filled('{"bannerImageUrl":"data:image/png;base64,', 'iVBORw0K', '"}');

describe('a body as large as a picture', () => {
  it.each([
    ['one', PICTURE],
    [
      'one with escaped slashes',
      filled('{"title":"a","bannerImageUrl":"data:image\\/png;base64,', `${'A'.repeat(60)}\\/`, '"}'),
    ],
    ['several', filled('{"sponsors":[', `{"logoUrl":"data:${'A'.repeat(500_000)}"},`, '{}]}')],
  ])('is taken when it is %s', (_, body) => {
    expect(codeOf(body, true)).toBe('accepted');
    expect(codeOf(body)).toBe('BODY_TOO_LARGE');
  });

  it('becomes no more memory than is counted for it', () => {
    const kept: unknown[] = [];
    const most = (body: Buffer) => {
      const before = memory();
      try {
        kept.push(parseJson(body, MAX_VALUES, true));
      } catch {
        return 0; // nothing is kept, and nothing was made: it was counted before
      }
      return (memory() - before) / body.length;
    };
    const values = `{${Array.from({ length: MAX_VALUES }, (_, n) => `"${n}${'é'.repeat(20)}":{}`).join()}}`;
    // beside the bytes as they were received
    expect(most(PICTURE)).toBeLessThan(BECOMES.large - 2);
    expect(most(Buffer.from(values))).toBeLessThan(BECOMES.small - 2);
    expect(kept.length).toBe(2);
  });

  it.each([
    ['numbers', filled('[', '0,', '0]'), 'BODY_TOO_LARGE'],
    ['objects', filled('[', '{},', '0]'), 'BODY_TOO_LARGE'],
    ['objects, one after the other', filled('{"a":{},"b":{},', '"":0,', '"":0}'), 'BODY_TOO_LARGE'],
    ['lists in lists', filled('', '[', ''), 'BODY_TOO_DEEP'],
    ['another text', filled('{"title":"', 'a', '"}'), 'BODY_TOO_LARGE'],
    ['text of escapes', filled('{"title":"', '\\u00e9', '"}'), 'BODY_TOO_LARGE'],
    ['text without an end', filled('{"title":"', '\\"', ''), 'BODY_TOO_LARGE'],
    ['a data URL of escapes', filled('{"title":"data:', '\\/', '"}'), 'BODY_TOO_LARGE'],
    ['a data URL of other letters', filled('{"title":"data:', 'é', '"}'), 'BODY_TOO_LARGE'],
    ['data URLs without an end', filled('["', 'data:","', ''), 'BODY_TOO_LARGE'],
    ['a number', filled('{"capacity":', '9', '}'), 'BODY_TOO_LARGE'],
    ['spaces', filled('{', ' ', '}'), 'BODY_TOO_LARGE'],
  ])('is refused when it is %s, in less time than a picture takes', async (_, body, code) => {
    expect(codeOf(body, true)).toBe(code);
    const parse = (bytes: Buffer) => () => codeOf(bytes, true);
    expect(await dearerBy(20, parse(PICTURE), parse(body))).toBeLessThan(20);
  });
});

describe('bodies on their way', () => {
  /** Bytes: the largest body that is announced as one that holds a picture. */
  const LARGE = 6_900_000;
  const SMALL = 64_000;
  /** What else of this machine has bodies on its way, and one attacker. */
  const [HOME, ATTACKER] = ['192.0.2.7', '198.51.100.7'];
  const open: Socket[] = [];
  const test = gatewayForTests({
    config: { trustedProxies: 1 },
    auth: scenes(played(UpdateProfile, (_, call) => test.users.get(call.identity!.sub)!)),
  });
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
  });

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

const SOURCES = new URL('../', import.meta.url).pathname;
const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file, text: readFileSync(SOURCES + file, 'utf8') }));

describe('what all clients of a gateway share', () => {
  it('has a tenth for one network, and one picture of the largest', () => {
    const tenths = Object.entries(SHARED_BUDGETS).map(([name, { all, one }]) => [
      name,
      one <= Math.ceil(all / 10),
    ]);
    expect(Object.fromEntries(tenths)).toEqual({
      smallBodies: true,
      largeBodies: false,
      connections: true,
      passwords: true,
      turns: true,
      pictures: true,
      maps: true,
    });
  });

  it('is held by these shares and by nothing else', () => {
    const held = (name: string) =>
      sources.filter(({ text }) => new RegExp(`new (Shares|SharedTurns)\\('${name}'\\)`).test(text));
    for (const name of Object.keys(SHARED_BUDGETS)) expect([name, held(name).length]).toEqual([name, 1]);
    // a bulkhead of its own would be one that a network can fill
    const bulkheads = sources.filter(({ text }) => text.includes('new Bulkhead('));
    expect(bulkheads.map(({ file }) => file).toSorted()).toEqual([
      'http/shared-budgets.ts',
      'media/decoder.ts',
    ]);
    expect(sources.filter(({ text }) => text.includes('maxConnections')).length).toBe(1);
  });

  it('is in the table of docs/security.md as it is here', () => {
    const table = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
    const rows = [...table.matchAll(/^\| `(\w+)` +\| ([\d.,]+)(?: MB)? +\| ([\d.,]+)(?: MB)? +\|/gm)].map(
      ([, name, all, one]) => [
        name,
        { all: Number(all!.replaceAll(',', '')), one: Number(one!.replaceAll(',', '')) },
      ],
    );
    const figures = Object.entries(SHARED_BUDGETS).map(([name, { all, one }]) => {
      const unit = name.endsWith('Bodies') ? 1024 * 1024 : 1;
      return [name, { all: all / unit, one: Math.round((one / unit) * 10) / 10 }];
    });
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(figures));
  });
});

describe('a share', () => {
  it('ends at its own figure, at that of all, and begins anew with what is given back', () => {
    const shares = new Shares('passwords');
    const { all, one } = SHARED_BUDGETS.passwords;
    expect([shares.take('a', one), shares.take('a', 1), shares.take('b', 1)]).toEqual([true, false, true]);
    shares.giveBack('b', 1);
    for (let n = 1; n < all / one; n += 1) expect(shares.take(`other ${n}`, one)).toBe(true);
    expect([shares.isFull, shares.take('late', 1)]).toEqual([true, false]);
    shares.giveBack('a', one);
    expect([shares.isFull, shares.take('late', 1)]).toEqual([false, true]);
  });

  describe('has turns, of which', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    /** Milliseconds. */
    const TASK = 100;

    async function sixty(task: number) {
      const turns = new SharedTurns('passwords');
      let running = 0;
      let most = 0;
      const work = async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, task));
        running -= 1;
        return 'done';
      };
      const crowd = Array.from({ length: 60 }, () =>
        turns.run('198.51.100.7', work).catch((error: unknown) => (error as Error).constructor.name),
      );
      await jest.advanceTimersByTimeAsync(60 * task);
      const answers = await Promise.all(crowd);
      return { most, done: answers.filter((answer) => answer === 'done').length, answers };
    }

    it('sixty at the same moment wait for each other', async () => {
      expect(await sixty(TASK)).toMatchObject({ most: SHARED_BUDGETS.passwords.one, done: 60 });
    });

    it('none waits for more than two and a half seconds', async () => {
      const { most, done, answers } = await sixty(5 * TASK);
      // four begin every half second, the last of them after two seconds
      expect([most, done]).toEqual([4, 20]);
      expect(new Set(answers)).toEqual(new Set(['done', NoRoom.name]));
    });
  });

  it('is of the whole /48 in IPv6', async () => {
    const turns = new SharedTurns('passwords');
    let running = 0;
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const tasks = Array.from({ length: 10 }, (_, n) =>
      turns.run(`2001:db8:1:${n}::1`, async () => {
        running += 1;
        await ended;
      }),
    );
    await turns.run('2001:db8:2::1', () => Promise.resolve());
    expect(running).toBe(SHARED_BUDGETS.passwords.one);
    end();
    await Promise.all(tasks);
    expect(running).toBe(10);
    expect(new NoRoom()).toMatchObject({ code: 'SERVICE_OVERLOADED', details: { outcome: 'not-started' } });
  });
});

it('connections of one network leave room for all others', async () => {
  const stack = await openTestGateway();
  const { one } = SHARED_BUDGETS.connections;
  const open: Socket[] = [];
  const port = Number(new URL(stack.url).port);
  const connected = async (localAddress: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    open.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  try {
    await Promise.all(Array.from({ length: one }, () => connected('127.0.0.2')));
    const beyond = await connected('127.0.0.2');
    if (!beyond.destroyed) await once(beyond, 'close');
    expect((await stack.browser().get('/api/config')).status).toBe(200);
  } finally {
    for (const socket of open) socket.destroy();
    await stack.close();
  }
});
