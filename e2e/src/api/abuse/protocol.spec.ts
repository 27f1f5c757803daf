import type { ErrorBody } from '@meetmark/contracts';
import { eventFields, newcomer } from '../../support/api-client.js';
import { aMember, type Person, theAdministrator, visitor } from '../support/people.js';
import { population } from '../support/rows.js';
import { sendBytes, statusesIn } from '../support/socket.js';

let member: Person;
beforeAll(async () => {
  member = await aMember();
}, 60_000);

const JSON_TYPE = { 'content-type': 'application/json' };
const loginWith = (password: string | Buffer) => {
  const [head, tail] = [`{"email":"nora@example.org","password":"`, `"}`];
  return visitor().sendBytes<ErrorBody>(
    'POST',
    '/api/login',
    Buffer.concat([Buffer.from(head), Buffer.from(password), Buffer.from(tail)]),
    JSON_TYPE,
  );
};

describe('text that cannot be stored (T15)', () => {
  it.each<[string, string | Buffer, string]>([
    ['NUL', '\\u0000', 'MALFORMED_TEXT'],
    ['half a surrogate pair', '\\ud800', 'VALIDATION_FAILED'],
    ['the other half', '\\udc00x', 'VALIDATION_FAILED'],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe]), 'MALFORMED_TEXT'],
    ['an overlong slash', Buffer.from([0xc0, 0xaf]), 'MALFORMED_TEXT'],
    ['a surrogate in UTF-8', Buffer.from([0xed, 0xa0, 0x80]), 'MALFORMED_TEXT'],
  ])('is refused: %s', async (_, text, code) => {
    expect(await loginWith(text)).toMatchObject({ status: 400, body: { code } });
  });

  it.each(['%00', '%ff', '%c0%af', '%ed%a0%80', '%', '%zz'])('in an address is no 500: %s', async (text) => {
    for (const path of [`/api/events/${text}`, `/api/${text}`, `/media/avatars/${text}`, `/${text}`])
      expect([400, 404]).toContain((await fetch(visitor().url + path)).status);
    const search = await fetch(`${visitor().url}/api/events/public?q=${text}`);
    expect([200, 400]).toContain(search.status);
  });
});

describe('values of the wrong kind (T15)', () => {
  const VALUES = [null, true, 7, -1, 1e308, 'x', '', [], {}, [[]], { $gt: '' }, ['x', 'y'], { length: 3 }];

  it.each(VALUES.map((value) => [JSON.stringify(value), value]))(
    'are refused in every field: %s',
    async (_, value) => {
      const before = await population();
      const person = newcomer();
      for (const field of ['email', 'firstName', 'lastName', 'password'] as const) {
        if (typeof value === 'string' && value !== '' && field !== 'email') continue; // that is what they are
        const { status, body } = await visitor().post<ErrorBody>('/api/register', {
          ...person,
          [field]: value,
        });
        expect([field, status, Object.keys(body.details?.fields ?? {})]).toEqual([field, 400, [field]]);
      }
      expect(await population()).toEqual(before);
    },
  );

  it('are refused as a whole body', async () => {
    const administrator = await theAdministrator();
    for (const value of ['text', 7, true, null, [], [eventFields()]])
      expect([value, (await administrator.post('/api/events', value)).status]).toEqual([value, 400]);
  });
});

describe('a long password (T18)', () => {
  it('is refused before it is hashed', async () => {
    const { status, body } = await visitor().post<ErrorBody>('/api/login', {
      email: member.person.email,
      password: 'x'.repeat(60_000),
    });
    expect([status, Object.keys(body.details?.fields ?? {})]).toEqual([400, ['password']]);
  });
});

describe('two requests in the place of one (T19)', () => {
  const HIDDEN = 'GET /api/admin/users HTTP/1.1\r\nHost: x\r\n\r\n';

  it.each([
    ['two lengths', `Content-Length: 2\r\nContent-Length: ${HIDDEN.length}`],
    ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked'],
    ['chunks under a crooked name', 'Transfer-Encoding : chunked'],
    ['chunks that are not chunks', 'Transfer-Encoding: chunked, identity'],
    ['an unknown encoding', 'Transfer-Encoding: xchunked'],
    ['a negative length', 'Content-Length: -1'],
    ['a length with a sign', 'Content-Length: +2'],
    ['a folded line', 'X-A: 1\r\n Content-Length: 9'],
  ])('are not seen: %s', async (_, headers) => {
    const answer = await sendBytes(
      `POST /api/login HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n0\r\n\r\n${HIDDEN}`,
    );
    expect(statusesIn(answer)).toEqual([400]);
    expect(answer).toMatch(/connection: close/i);
  });

  it.each([
    'GET /api/config HTTP/1.1\r\n\r\n',
    'GET /api/config HTTP/9.9\r\n\r\n',
    'nonsense\r\n\r\n',
    '\0\r\n\r\n',
  ])('are not guessed: %j', async (request) => {
    expect(statusesIn(await sendBytes(request))).toEqual([400]);
  });
});

describe('a host that is not ours (T19)', () => {
  it('is repeated nowhere', async () => {
    for (const path of [
      '/',
      '/api/config',
      '/api/login?returnTo=%2F',
      '/sitemap.xml',
      '/robots.txt',
      '/api/nothing',
    ]) {
      const headers =
        'Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nForwarded: host=evil.example';
      const answer = await sendBytes(`GET ${path} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
      expect([path, statusesIn(answer).length, answer.includes('evil.example')]).toEqual([path, 1, false]);
    }
  });
});

describe('what is personal (T19)', () => {
  it('is kept by no cache', async () => {
    for (const path of ['/api/user', '/api/my-events', '/api/events', '/api/user/mail-preferences']) {
      const { status, headers } = await member.client.get(path);
      expect([path, status, headers.get('cache-control')]).toEqual([
        path,
        200,
        expect.stringContaining('no-store'),
      ]);
    }
  });
});
