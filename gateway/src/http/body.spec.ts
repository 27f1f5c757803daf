import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { DomainError, ERRORS, UpdateProfile } from '@meetmark/contracts';
import { dearerBy } from '@meetmark/testing/hostile-texts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { until } from '@meetmark/testing';
import type { ApiClient } from '@meetmark/testing/http-client';
import { jest } from '@jest/globals';
import { BECOMES, BodyBudget } from './body-budget.js';
import { MAX_DEPTH, MAX_VALUES, parseJson } from './body.js';
import { bareServer } from '../testing/bare-server.js';
import { gatewayForTests, PASSWORD } from '../testing/open-test-gateway.js';
import { NoRoom, SHARED_BUDGETS, SharedTurns, Shares, sharer } from './shared-budgets.js';

const getResultCode = (bytes: Buffer | string, pictures = false) => {
  try {
    parseJson(Buffer.from(bytes), MAX_VALUES, pictures);
    return 'accepted';
  } catch (error) {
    return error instanceof DomainError ? error.code : String(error);
  }
};
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('a JSON body', () => {
  it('keeps accents, emoji and escaped control characters in JSON, and may be empty', () => {
    expect(parseJson(Buffer.from('{"name":"Zoë 🎉\\n\\u0001"}'))).toEqual({ name: 'Zoë 🎉\n\u0001' });
    expect(parseJson(Buffer.alloc(0))).toBeUndefined();
  });

  it.each([
    ['an incomplete UTF-8 character', Buffer.from([0x22, 0xc3, 0x22]), 'MALFORMED_TEXT'],
    ['an overlong UTF-8 encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'MALFORMED_TEXT'],
    ['an encoded lone surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'MALFORMED_TEXT'],
    ['only a NUL', '"\\u0000"', 'MALFORMED_TEXT'],
    ['an unescaped NUL', '{"a":"\0"}', 'MALFORMED_JSON'],
    ['invalid JSON', '{a:1}', 'MALFORMED_JSON'],
    ['two values', '{}{}', 'MALFORMED_JSON'],
    ['an incomplete number', '1e', 'MALFORMED_JSON'],
    ['the key __proto__', '{"__proto__":{"isAdmin":true}}', 'VALIDATION_FAILED'],
    ['a nested key constructor', '{"a":[{"constructor":{}}]}', 'VALIDATION_FAILED'],
    ['the key prototype', '{"prototype":1}', 'VALIDATION_FAILED'],
    ['the key hasOwnProperty', '{"hasOwnProperty":1}', 'VALIDATION_FAILED'],
  ])('refuses a JSON body with %s', (_, bytes, code) => {
    expect(getResultCode(bytes)).toBe(code);
  });

  const NUL = 'contains a NUL character, which cannot be saved';
  it.each([
    ['a NUL deep inside', '{"agenda":[{},{"title":"\\u0000"}]}', 'agenda[1].title', NUL, 'isText'],
    ['a NUL in its name', '{"a\\u0000":1}', 'a\0', 'is not a known field', 'unknown'],
    ['the name __proto__', '{"venue":{"__proto__":1}}', 'venue.__proto__', 'is not a known field', 'unknown'],
  ])('refuses a field with %s and names it', (_, body, field, problem, rule) => {
    const details = { fields: { [field]: [`${field} ${problem}`] }, rules: { [field]: { rule } } };
    const refusal = expect.objectContaining({ code: 'VALIDATION_FAILED', details });
    expect(() => parseJson(Buffer.from(body))).toThrow(refusal);
  });

  it('limits the depth of a JSON body', () => {
    expect(getResultCode(nested(MAX_DEPTH))).toBe('accepted');
    expect(getResultCode(nested(MAX_DEPTH + 1))).toBe('BODY_TOO_DEEP');
    expect(getResultCode(nested(30_000))).toBe('BODY_TOO_DEEP');
  });

  it('limits the number of values in a JSON body at any depth', () => {
    const list = (length: number) => JSON.stringify(Array(length).fill(0));
    const object = (size: number) =>
      JSON.stringify({ a: Object.fromEntries(Array.from({ length: size - 1 }, (_, n) => [`n${n}`, n])) });
    for (const body of [list, object]) {
      expect(getResultCode(body(MAX_VALUES))).toBe('accepted');
      expect(getResultCode(body(MAX_VALUES + 1))).toBe('BODY_TOO_LARGE');
    }
    expect(getResultCode(`[${Array(MAX_VALUES).fill('{ }').join(' , ')}]`)).toBe('accepted');
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const memory = () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
/** Bytes of the largest body with an image. */
const LARGE = 7_000_000;
const filled = (before: string, unit: string, after: string) =>
  Buffer.from(before + unit.repeat(Math.floor(LARGE / Buffer.byteLength(unit))) + after);
const PICTURE = filled('{"bannerImageUrl":"data:image/png;base64,', 'iVBORw0K', '"}');

describe('a large body', () => {
  it.each([
    ['one image', PICTURE],
    [
      'an image with escaped slashes',
      filled('{"title":"a","bannerImageUrl":"data:image\\/png;base64,', `${'A'.repeat(60)}\\/`, '"}'),
    ],
    ['several images', filled('{"sponsors":[', `{"logoUrl":"data:${'A'.repeat(500_000)}"},`, '{}]}')],
  ])('accepts a large body only where images are allowed: %s', (_, body) => {
    expect(getResultCode(body, true)).toBe('accepted');
    expect(getResultCode(body)).toBe('BODY_TOO_LARGE');
  });

  it('parses a body within the memory that is reserved for it', () => {
    const kept: unknown[] = [];
    const most = (body: Buffer) => {
      const before = memory();
      try {
        kept.push(parseJson(body, MAX_VALUES, true));
      } catch {
        return 0;
      }
      return (memory() - before) / body.length;
    };
    const values = `{${Array.from({ length: MAX_VALUES }, (_, n) => `"${n}${'é'.repeat(20)}":{}`).join()}}`;
    expect(most(PICTURE)).toBeLessThan(BECOMES.large - 2);
    expect(most(Buffer.from(values))).toBeLessThan(BECOMES.small - 2);
    expect(kept.length).toBe(2);
  });

  it.each([
    ['numbers', filled('[', '0,', '0]'), 'BODY_TOO_LARGE'],
    ['objects', filled('[', '{},', '0]'), 'BODY_TOO_LARGE'],
    ['an object with many keys', filled('{"a":{},"b":{},', '"":0,', '"":0}'), 'BODY_TOO_LARGE'],
    ['nested lists', filled('', '[', ''), 'BODY_TOO_DEEP'],
    ['other text', filled('{"title":"', 'a', '"}'), 'BODY_TOO_LARGE'],
    ['escaped text', filled('{"title":"', '\\u00e9', '"}'), 'BODY_TOO_LARGE'],
    ['unterminated text', filled('{"title":"', '\\"', ''), 'BODY_TOO_LARGE'],
    ['an escaped data URL', filled('{"title":"data:', '\\/', '"}'), 'BODY_TOO_LARGE'],
    ['a data URL with non-ASCII letters', filled('{"title":"data:', 'é', '"}'), 'BODY_TOO_LARGE'],
    ['unterminated data URLs', filled('["', 'data:","', ''), 'BODY_TOO_LARGE'],
    ['a long number', filled('{"capacity":', '9', '}'), 'BODY_TOO_LARGE'],
    ['a run of spaces', filled('{', ' ', '}'), 'BODY_TOO_LARGE'],
  ])('refuses a large body about as fast as it accepts an image: %s', async (_, body, code) => {
    expect(getResultCode(body, true)).toBe(code);
    const parse = (bytes: Buffer) => () => getResultCode(bytes, true);
    expect(await dearerBy(20, parse(PICTURE), parse(body))).toBeLessThan(20);
  });
});

describe('incoming bodies', () => {
  /** Bytes that the tests announce for a body with an image. */
  const LARGE = 6_900_000;
  const SMALL = 64_000;
  const TEXT = 'a'.repeat(LARGE - 1_000);
  const [HOME, ATTACKER] = ['192.0.2.7', '198.51.100.7'];
  const open: Socket[] = [];
  const test = gatewayForTests({
    auth: scenes(played(UpdateProfile, (_, call) => test.users.get(call.identity!.sub)!)),
  });
  const answers: { status: number; retryAfter: boolean }[] = [];
  let requests = 0;
  const countRequest = () => (requests += 1);
  beforeAll(() => test.gateway.app.getHttpServer().on('request', countRequest));
  afterAll(() => test.gateway.app.getHttpServer().off('request', countRequest));
  beforeEach(() => (requests = 0));
  afterEach(() => {
    jest.restoreAllMocks();
    for (const socket of open.splice(0)) socket.destroy();
    answers.length = 0;
  });

  /** Sets the gateway's clock ahead by more than a stalled body may take. */
  const skipTime = () => {
    const { now } = Date;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + 6_000);
  };
  /** Announces a body but sends only its beginning. Its response will be in `answers`. */
  const stall = (
    { session }: ApiClient,
    { length = LARGE, chunked = false, sent = 1_000, call = 'PUT /api/user/profile', from = HOME } = {},
  ): Socket => {
    const socket = connect(Number(new URL(test.url).port), '127.0.0.1');
    open.push(socket);
    const body = chunked ? 'Transfer-Encoding: chunked\r\n\r\n400\r\n' : `Content-Length: ${length}\r\n\r\n`;
    const head = `Host: localhost\r\nX-Forwarded-For: ${from}\r\nSec-Fetch-Site: same-origin\r\nCookie: ${session}\r\nContent-Type: application/json\r\n`;
    socket.write(`${call} HTTP/1.1\r\n${head}${body}${'{"firstName":"'.padEnd(sent, 'a')}`);
    socket.once('data', (bytes) => {
      const [answer, status] = /^HTTP\/1\.1 (\d+)[^]*/.exec(bytes.toString())!;
      answers.push({ status: Number(status), retryAfter: /^retry-after: \d/im.test(answer) });
    });
    return socket.on('error', () => undefined);
  };
  const areAnswered = (count: number) =>
    until(`${count} responses`, 60_000, async () => answers.length >= count);
  const refusal = { status: 503, retryAfter: true };
  const timeout = { status: ERRORS.REQUEST_TIMEOUT.status, retryAfter: false };
  const profile = { email: 'nora@example.org', firstName: 'Nora', lastName: 'Newcomer' };
  const at = (from: string) => ({ 'x-forwarded-for': from });
  const uploaded = (browser: ApiClient, from = HOME) =>
    browser.put('/api/user/profile', { ...profile, profileImageUrl: `data:,${TEXT}` }, at(from));
  const signedIn = async (from: string) => {
    const { email } = await test.addUser();
    return (await test.browser().post('/api/login', { email, password: PASSWORD }, at(from))).status;
  };

  it('limits an account to two large bodies and times out stalled ones', async () => {
    const { browser: attacker } = await test.signedIn();
    const { browser: other } = await test.signedIn();
    for (let each = 0; each < 5; each += 1) stall(attacker);
    await areAnswered(3);
    expect((await uploaded(other)).status).toBe(415);
    skipTime();
    await areAnswered(5);
    expect(answers).toEqual([refusal, refusal, refusal, timeout, timeout]);
    expect((await uploaded(attacker)).status).toBe(415);
  });

  it('stops counting large bodies for an account once they are answered or aborted', async () => {
    const { browser } = await test.signedIn();
    for (let each = 0; each < 3; each += 1) expect((await uploaded(browser)).status).toBe(415);
    for (const socket of [stall(browser), stall(browser)]) {
      if (socket.connecting) await once(socket, 'connect');
      await pause(100);
      socket.destroy();
    }
    await until('both are gone', 60_000, async () => (await uploaded(browser)).status === 415);
  });

  it('does not count a body if the browser disconnects before its session is loaded', async () => {
    const server = bareServer().getInstance();
    let isLookedUp: Promise<unknown> | undefined;
    server.addHook('onRequest', async (_, reply) => {
      if (reply.request.headers['x-leaves']) await (isLookedUp = once(reply.raw, 'close'));
    });
    new BodyBudget().watch(server);
    server.put('/', { bodyLimit: LARGE }, () => 'taken');
    try {
      const url = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));
      for (let each = 0; each < 2; each += 1) {
        const socket = connect(Number(url.port), url.hostname);
        const headers = `Host: localhost\r\nX-Leaves: yes\r\nContent-Length: ${LARGE}`;
        socket.write(`PUT / HTTP/1.1\r\n${headers}\r\n\r\n`);
        await until('the look-up', 60_000, () => Promise.resolve(isLookedUp !== undefined));
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

  it('counts only received bytes and times out small bodies that stall', async () => {
    const login = { call: 'POST /api/login', length: SMALL, from: ATTACKER };
    const stalled = Array.from({ length: 20 }, (_, n) =>
      stall(test.browser(), { ...login, chunked: n % 2 === 1 }),
    );
    await until('all requests', 60_000, async () => requests === 20);
    expect([await signedIn(HOME), await signedIn(ATTACKER)]).toEqual([200, 200]);
    for (const socket of stalled) socket.write('a');
    skipTime();
    await areAnswered(20);
    expect(answers).toEqual(Array(20).fill(timeout));
  });

  it('accepts bodies from other networks while one network uses its whole share', async () => {
    const login = { call: 'POST /api/login', length: SMALL, sent: SMALL - 1, from: ATTACKER };
    for (let each = 0; each < 12; each += 1) stall(test.browser(), login);
    await areAnswered(3);
    expect(answers[0]).toEqual(refusal);
    expect(await signedIn(HOME)).toBe(200);
  });

  it('limits a network to one image at a time', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => test.signedIn()));
    const [one, two, three] = people.map(({ browser }) => browser);
    for (const browser of [one!, two!]) stall(browser, { sent: LARGE - 10, from: ATTACKER });
    await areAnswered(1);
    expect(answers).toEqual([refusal]);
    expect((await uploaded(three!)).status).toBe(415);
    expect((await three!.put('/api/user/profile', profile, at(ATTACKER))).status).toBe(200);
  });

  it('reads sixty bodies from one network at the same time', async () => {
    const { browser } = await test.signedIn();
    const wrong = { ...profile, email: 'none' };
    const send = () => browser.put('/api/user/profile', wrong, at(ATTACKER));
    const replies = await Promise.all(Array.from({ length: 60 }, send));
    expect(replies.map(({ status }) => status)).toEqual(Array(60).fill(400));
  });
});

const SOURCES = new URL('../', import.meta.url).pathname;
const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file, text: readFileSync(SOURCES + file, 'utf8') }));

describe('the shared budgets of a gateway', () => {
  it('enforces each shared budget in exactly one place', () => {
    const held = (name: string) =>
      sources.filter(({ text }) => new RegExp(`new (Shares|SharedTurns)\\('${name}'\\)`).test(text));
    for (const name of Object.keys(SHARED_BUDGETS)) expect([name, held(name).length]).toEqual([name, 1]);
    // A plain Bulkhead has no shares, so one network could take all turns.
    const bulkheads = sources.filter(({ text }) => text.includes('new Bulkhead('));
    const files = bulkheads.map(({ file }) => file).toSorted();
    expect(files).toEqual(['http/shared-budgets.ts', 'media/decoder.ts']);
    expect(sources.filter(({ text }) => text.includes('maxConnections')).length).toBe(1);
  });

  it('matches the list of shared budgets in docs/security.md', () => {
    const text = readFileSync(new URL('../../../docs/security.md', import.meta.url), 'utf8');
    const items = [...text.matchAll(/^- `(\w+)`: .*\. ([\d.,]+)(?: MB)?, per network ([\d.,]+)(?: MB)?$/gm)];
    const rows = items.map(([, name, all, one]) => [
      name,
      { all: Number(all!.replaceAll(',', '')), one: Number(one!.replaceAll(',', '')) },
    ]);
    const figures = Object.entries(SHARED_BUDGETS).map(([name, { all, one }]) => {
      const unit = name.endsWith('Bodies') ? 1024 * 1024 : 1;
      return [name, { all: all / unit, one: Math.round((one / unit) * 10) / 10 }];
    });
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(figures));
  });
});

describe('a share of a budget', () => {
  it('limits a budget per network and in total until shares are given back', () => {
    const shares = new Shares('passwords');
    const { all, one } = SHARED_BUDGETS.passwords;
    expect([shares.take('a', one), shares.take('a', 1), shares.take('b', 1)]).toEqual([true, false, true]);
    shares.giveBack('b', 1);
    for (let n = 1; n < all / one; n += 1) expect(shares.take(`other ${n}`, one)).toBe(true);
    expect([shares.isFull, shares.take('late', 1)]).toEqual([true, false]);
    shares.giveBack('a', one);
    expect([shares.isFull, shares.take('late', 1)]).toEqual([false, true]);
  });

  it('runs the tasks of a network four at a time, and refuses those that would wait too long', async () => {
    jest.useFakeTimers();
    try {
      const turns = new SharedTurns('passwords');
      let running = 0;
      let most = 0;
      const work = async () => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setTimeout(resolve, 499));
        running -= 1;
        return 'done';
      };
      const crowd = Array.from({ length: 60 }, () =>
        turns.run('198.51.100.7', work).catch((error: unknown) => error),
      );
      for (let step = 0; step < 60; step += 1) {
        jest.advanceTimersByTime(499);
        for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
      }
      // Four tasks start every half second. The last four start just before two seconds.
      const done = Array<unknown>(20).fill('done');
      expect(await Promise.all(crowd)).toEqual([...done, ...Array<unknown>(40).fill(new NoRoom())]);
      expect(most).toBe(4);
      const refusal = { code: 'SERVICE_OVERLOADED', details: { outcome: 'not-started' } };
      expect(new NoRoom()).toMatchObject(refusal);
    } finally {
      jest.useRealTimers();
    }
  });

  it('is shared by an IPv6 /48 or used by one IPv4 address', () => {
    expect(['2001:db8:1:2::1', '203.0.113.7'].map(sharer)).toEqual(['2001:db8:1::/48', '203.0.113.7']);
  });
});

it('connections from one network leave room for other networks', async () => {
  const { one } = SHARED_BUDGETS.connections;
  SHARED_BUDGETS.connections.one = 3;
  const gateway = bareServer().getInstance();
  const url = new URL(await gateway.listen({ port: 0, host: '127.0.0.1' }));
  const open: Socket[] = [];
  const connected = async (localAddress: string) => {
    const socket = connect({ port: Number(url.port), host: '127.0.0.1', localAddress });
    open.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  try {
    for (let each = 0; each < 3; each += 1) await connected('127.0.0.2');
    const beyond = await connected('127.0.0.2');
    if (!beyond.destroyed) await once(beyond, 'close');
    expect((await fetch(url)).status).toBe(404);
  } finally {
    for (const socket of open) socket.destroy();
    await gateway.close();
    SHARED_BUDGETS.connections.one = one;
  }
});
