import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { DEADLINES, type DomainError, type ErrorBody, ERRORS } from '@meetmark/contracts';
import { CommunityFollower } from '@meetmark/platform';
import type { ApiClient } from '@meetmark/testing/http-client';
import { fastify } from 'fastify';
import { GatewayConfig } from '../gateway.config.js';
import { bareServer } from '../testing/bare-server.js';
import { gatewayForTests, PASSWORD } from '../testing/open-test-gateway.js';
import { isCrossSite, originCheck } from './csrf.js';
import { securityHeaders } from './security-headers.js';
import { SHARED_BUDGETS } from './shared-budgets.js';

let browser: ApiClient;
const stack = gatewayForTests();
beforeAll(() => {
  browser = stack.browser();
});

const login = (body: unknown, headers: Record<string, string> = {}) =>
  browser.post<ErrorBody>('/api/login', body, headers);
const valid = { email: 'nobody@example.com', password: PASSWORD };

describe('a request body', () => {
  it.each([
    ['application/x-www-form-urlencoded', 415],
    ['text/json', 415],
    ['', 415],
    ['application/json; charset=utf-8', 401],
  ])('answers a body with the content type "%s" with %i', async (type, status) => {
    expect((await login(valid, { 'content-type': type })).status).toBe(status);
  });

  it('refuses a compressed body', async () => {
    const reply = await login(gzipSync(JSON.stringify(valid)), { 'content-encoding': 'gzip' });
    expect(reply).toMatchObject({ status: 415, body: { code: 'NOT_JSON' } });
  });

  /** Sends a body in chunks, without Content-Length. */
  const stream = (body: unknown) =>
    fetch(`${stack.url}/api/login`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      ...{ body, duplex: 'half' },
    } as RequestInit);

  it('limits a body to 64 kB, with or without Content-Length', async () => {
    const tooLarge = JSON.stringify({ ...valid, password: 'x'.repeat(64 * 1024) });
    expect(await login(tooLarge)).toMatchObject({ status: 413, body: { code: 'BODY_TOO_LARGE' } });
    expect((await stream(new Blob([tooLarge]).stream())).status).toBe(413);
  });

  it('does not count the time of a slow body towards the gateway’s deadline', async () => {
    // Shortened, because by default the deadline equals the time in which a small body must arrive.
    const usual = DEADLINES.gateway;
    Object.assign(DEADLINES, { gateway: 1_000 });
    const [first, rest] = [JSON.stringify(valid).slice(0, 9), JSON.stringify(valid).slice(9)];
    async function* slowly() {
      yield Buffer.from(first);
      await pause(DEADLINES.gateway + 100);
      yield Buffer.from(rest);
    }
    try {
      const answer = await stream(Readable.toWeb(Readable.from(slowly())));
      expect(await answer.json()).toMatchObject({ code: 'CREDENTIALS_INCORRECT' });
    } finally {
      Object.assign(DEADLINES, { gateway: usual });
    }
  });

  it.each(['[]', 'null', '7', ''])('refuses the body %j, which is no object', async (body) => {
    expect(await login(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('is refused with a message about each invalid field', async () => {
    const { body } = await browser.post<ErrorBody>('/api/register', { email: 'nobody', password: '' });
    expect(body.message).toBe(
      'Some fields are not valid: First name is required; Last name is required; Password is required; Invalid email address',
    );
  });
});

describe('the origin of a request', () => {
  it('refuses a foreign origin before checking anything else', async () => {
    const reply = await login('not json', { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' });
    expect(reply).toMatchObject({ status: 403, body: { code: 'CROSS_SITE' } });
  });

  it('allows GET requests from another site', async () => {
    expect((await browser.get('/api/config', { 'sec-fetch-site': 'cross-site' })).status).toBe(200);
  });
});

describe('the host name of a request', () => {
  const local = ['localhost:1', '127.0.0.1', '[::1]:8080'];

  async function getStatus(settings: Partial<GatewayConfig>, headers: Record<string, string>) {
    const site = { nodeEnv: 'production', publicUrl: 'https://meet.example' };
    const config = Object.assign(new GatewayConfig(), site, settings);
    const server = bareServer(config).getInstance();
    const check = originCheck(config);
    server.addHook('onRequest', async (request) => check(request));
    server.setErrorHandler(({ code }: DomainError, _, reply) => reply.code(ERRORS[code].status).send());
    server.get('/', () => 'accepted');
    return (await server.inject({ url: '/', headers })).statusCode;
  }

  const ours = ['meet.example', 'MEET.example', 'meet.example:8443'];
  it.each<[string, Partial<GatewayConfig>, string[], string[]]>([
    ['PUBLIC_URL in production', {}, ours, ['evil.example', 'meet.example.evil.example', ...local, '']],
    ['this machine if PUBLIC_URL is local', { publicUrl: 'http://localhost:8080' }, local, ['evil.example']],
    ['this machine in development', { nodeEnv: 'development' }, local, ['evil.example']],
  ])('accepts only the host name of %s', async (_, settings, accepted, refused) => {
    for (const host of accepted) expect([host, await getStatus(settings, { host })]).toEqual([host, 200]);
    for (const host of refused)
      expect([host, await getStatus(settings, { host })]).toEqual([host, ERRORS.HOST_UNKNOWN.status]);
  });

  it('reads the host name from X-Forwarded-Host only behind a trusted proxy', async () => {
    const ask = (trustedProxies: number, name: string) =>
      getStatus({ trustedProxies }, { host: '10.0.0.7', 'x-forwarded-host': name });
    expect([await ask(1, 'meet.example'), await ask(1, 'evil.example')]).toEqual([200, 421]);
    expect(await ask(0, 'meet.example')).toBe(421);
  });
});

describe('every response', () => {
  it('sends headers against foreign scripts, framing, type sniffing and device access', async () => {
    for (const path of ['/api/config', '/api/nothing', '/', '/robots.txt', '/events/nope', '/favicon.svg']) {
      const { headers } = await browser.get(path);
      const policy = headers.get('content-security-policy')!;
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("img-src 'self' data: blob:;");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('permissions-policy')).toMatch(
        /^camera=\(\), accelerometer=\(\), .*geolocation=\(\), .*microphone=\(\), .*usb=\(\)/,
      );
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it('sends Strict-Transport-Security only on an https site', async () => {
    const config = { publicUrl: 'https://events.example' } as GatewayConfig;
    const headers = await securityHeaders(fastify(), config, stack.gateway.app.get(CommunityFollower));
    expect(headers()['strict-transport-security']).toBe('max-age=31536000');
    expect((await browser.get('/')).headers.get('strict-transport-security')).toBeNull();
  });

  it('gives every response its own request id and repeats it in errors', async () => {
    const reply = await browser.get<ErrorBody>('/api/user', { 'x-request-id': 'mine' });
    expect(reply.headers.get('x-request-id')).toBe(reply.body.requestId);
    expect(reply.body.requestId).not.toBe('mine');
  });

  it('is refused when its network has no budget for unread responses left', async () => {
    const { one } = SHARED_BUDGETS.unsentBodies;
    SHARED_BUDGETS.unsentBodies.one = 0;
    const { status } = await browser.get('/api/config');
    SHARED_BUDGETS.unsentBodies.one = one;
    expect(status).toBe(503);
  });

  it('sends errors with no-store', async () => {
    for (const path of ['/api/user', '/api/nothing', '/media/avatars/nothing'])
      expect((await browser.get(path)).headers.get('cache-control')).toBe('no-store');
  });

  it.each([
    ['POST', '/api/nothing', 'text', 'text/plain'],
    ['PATCH', '/api/events/1/2', '{broken', 'application/json'],
    ['DELETE', '/nothing', 'x'.repeat(100_000), 'application/json'],
  ])('returns 404 for the unknown route %s %s, whatever the body', async (method, path, body, type) => {
    const reply = await browser.send(method, path, body, { 'content-type': type });
    expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it.each([
    ['PATCH', '/api/user', 'DELETE, GET, HEAD'],
    ['HEAD', '/api/register', 'POST'],
    ['OPTIONS', '/api/login', 'POST, GET, HEAD'],
    ['PROPFIND', '/api/user', 'DELETE, GET, HEAD'],
    ['PUT', '/api/login/', 'POST, GET, HEAD'],
    ['GET', '/api/events/0197f000-0000-7000-8000-000000000000/register', 'POST, PUT, DELETE'],
    ['PATCH', '/api/events/0197f000-0000-7000-8000-000000000000?a=b', 'GET, HEAD, PUT, DELETE'],
    ['POST', '/dashboard', 'GET, HEAD'],
  ])('returns 405 with the allowed methods for %s %s', async (method, path, allow) => {
    const body = method === 'GET' || method === 'HEAD' ? undefined : '{broken';
    const reply = await browser.send(method, path, body);
    const allowed = reply.headers.get('allow')?.split(', ').toSorted();
    expect([reply.status, allowed]).toEqual([405, allow.split(', ').toSorted()]);
    if (method !== 'HEAD') expect(reply.body).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
  });

  it('returns the same response for a path with a trailing slash', async () => {
    for (const path of ['/api/user', '/robots.txt', '/api/events/12'])
      expect((await browser.get(`${path}/`)).status).toBe((await browser.get(path)).status);
    expect((await browser.get('/api/config/?a=b')).status).toBe(200);
    expect((await browser.post('/api/login/', valid)).status).toBe(401);
  });

  it.each(['%00', '%ff', '%c0%af', '%ed%a0%80', '%', '%zz'])(
    'returns no server error for a URL with %s',
    async (text) => {
      for (const path of [`/api/events/${text}`, `/api/${text}`, `/media/avatars/${text}`, `/${text}`])
        expect([400, 404]).toContain((await browser.get(path)).status);
      expect((await browser.get(`/api/events/public?q=${text}`)).status).not.toBe(500);
    },
  );

  it('returns 404 for a path segment of more than 300 characters', async () => {
    for (const path of ['/api/events/', '/media/avatars/']) {
      const [at, beyond] = [300, 301].map((length) => browser.put(path + 'x'.repeat(length)));
      expect((await at!).status).not.toBe(404);
      expect(await beyond).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });

  it('returns a JSON 404 for an unknown path of the API', async () => {
    for (const path of ['/api', '/api/', '/media/nothing', '/api/%zz', '/api/..%2f..'])
      expect(await browser.get(path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
});

it('compresses responses according to Accept-Encoding', async () => {
  const encodingFor = async (accepted: string) =>
    (await browser.get('/api/openapi.json', { 'accept-encoding': accepted })).headers.get('content-encoding');
  expect(await encodingFor('gzip, deflate, br')).toBe('br');
  expect(await encodingFor('br;q=0, gzip;q=0.5')).toBe('gzip');
  expect(await encodingFor('identity')).toBeNull();
});

describe('raw HTTP requests', () => {
  const HIDDEN = 'GET /api/admin/users HTTP/1.1\r\nHost: x\r\n\r\n';
  const send = async (request: string) => {
    const socket = connect(Number(new URL(stack.url).port), '127.0.0.1');
    socket.write(Buffer.from(request, 'latin1'));
    return text(socket);
  };

  const hosted = (target: string, hosts: string[]) => {
    const headers = [...hosts.map((host) => `Host: ${host}`), 'Connection: close'].join('\r\n');
    return send(`GET ${target} HTTP/1.1\r\n${headers}\r\n\r\n`);
  };

  it.each<[string, string, string[]]>([
    ['two hosts', '/api/config', ['localhost', 'evil.example']],
    ['the same host twice', '/api/config', ['localhost', 'localhost']],
    ['no host', '/api/config', []],
    ['a target on another site', 'http://evil.example/api/config', ['localhost']],
    ['a target on another site over TLS', 'https://evil.example/api/config', ['localhost']],
    ['a target on another port', 'http://localhost:1/api/config', ['localhost']],
    ['invalid UTF-8 in the path', '/%ff', ['localhost']],
    ['invalid UTF-8 in an API path', '/api/%ff', ['localhost']],
    ['oversized headers', '/api/config', [`localhost\r\nX-A: ${'a'.repeat(20_000)}`]],
    ['an unknown expectation', '/api/nothing', ['localhost\r\nExpect: anything']],
  ])('refuses a raw request with %s and sends the usual headers', async (_, target, hosts) => {
    const answer = await hosted(target, hosts);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    if (!/%ff|nothing/.test(target)) expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/^content-security-policy: default-src 'self'/im);
    expect(answer).toMatch(/^x-content-type-options: nosniff/im);
    expect(answer).toMatch(/^permissions-policy: camera=\(\), /im);
    expect(answer).toMatch(/^x-request-id: /im);
    expect(answer).toMatch(/^cache-control: no-store/im);
  });

  it('accepts a request whose target is a full URL of this site', async () => {
    expect(await hosted('http://localhost/api/config', ['localhost'])).toMatch(/^HTTP\/1\.1 200 /);
    expect(await hosted('http://LOCALHOST:8080/api/config', ['localhost:8080'])).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    ['two lengths', `Content-Length: 2\r\nContent-Length: ${HIDDEN.length}`],
    ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked'],
    ['a misspelled Transfer-Encoding header', 'Transfer-Encoding : chunked'],
    ['two transfer encodings', 'Transfer-Encoding: chunked, identity'],
    ['an unknown encoding', 'Transfer-Encoding: xchunked'],
    ['a length with a sign', 'Content-Length: +2'],
    ['a folded header', 'X-A: 1\r\n Content-Length: 9'],
  ])('sends one JSON error for a request that hides another with %s', async (_, headers) => {
    const answer = await send(`POST /api/login HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n0\r\n\r\n${HIDDEN}`);
    expect(answer.match(/^HTTP\/1\.1 \d{3} /gm)).toEqual(['HTTP/1.1 400 ']);
    expect(answer).toContain('"code":"MALFORMED_TEXT"');
    expect(answer).toMatch(/connection: close/i);
  });

  it.each(['GET /api/config HTTP/9.9\r\n\r\n', 'nonsense\r\n\r\n', '\0\r\n\r\n'])(
    'refuses a malformed raw request: %j',
    async (request) => {
      expect((await send(request)).match(/^HTTP\/1\.1 \d{3} /gm)).toEqual(['HTTP/1.1 400 ']);
    },
  );

  it('never returns a foreign host name in a response', async () => {
    const headers =
      'Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https\r\nForwarded: host=evil.example';
    for (const path of ['/', '/api/config', '/api/login?returnTo=%2F', '/sitemap.xml', '/api/nothing']) {
      const answer = await send(`GET ${path} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 /);
      expect(answer).not.toContain('evil.example');
    }
  });
});

const CONTRADICTORY = { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' };
const origins = { publicHost: 'events.example', requestHost: '10.0.0.7:8080' };

describe('a state-changing request', () => {
  it.each([
    ['has no origin headers (a program)', {}],
    ['comes from our own page', { 'sec-fetch-site': 'same-origin', origin: 'https://events.example' }],
    ['comes from the address bar', { 'sec-fetch-site': 'none' }],
    ['comes from our page in an old browser', { origin: 'https://events.example' }],
    ['has our page as its referer', { referer: 'https://events.example/events' }],
    ['comes from a page on the same host', { origin: 'http://10.0.0.7:8080' }],
  ])('allows a state-changing request that %s', (_, headers) => {
    expect(isCrossSite(headers, origins)).toBe(false);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling site', { 'sec-fetch-site': 'same-site' }],
    ['an unknown relation between sites', { 'sec-fetch-site': 'whatever' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['an origin that only begins like ours', { origin: 'https://events.example.evil.example' }],
    ['an origin with our host name as its user', { origin: 'https://events.example@evil.example' }],
    ['another port of our host', { origin: 'https://events.example:8443' }],
    ['another page in an old browser', { referer: 'https://evil.example/?https://events.example' }],
    ['a referer that is not a URL', { referer: 'events.example' }],
    ['two sites according to contradictory headers', CONTRADICTORY],
  ])('refuses a state-changing request from %s', (_, headers) => {
    expect(isCrossSite(headers, origins)).toBe(true);
  });
});
