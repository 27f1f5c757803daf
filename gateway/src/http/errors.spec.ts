import { setTimeout as pause } from 'node:timers/promises';
import {
  DEADLINES,
  DomainError,
  ERRORS,
  GetEvent,
  ListEvents,
  ListFollowedTopics,
  Register,
  UpdateEvent,
  type ErrorBody,
  type ErrorCode,
  type ErrorDetails,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { until } from '@meetmark/testing';
import { anEvent, anEventBody } from '@meetmark/testing/factories/samples';
import type { ApiClient } from '@meetmark/testing/http-client';
import { gatewayForTests } from '../testing/open-test-gateway.js';

const ID = anEvent().id;
let member: ApiClient;
let administrator: ApiClient;
let failure: unknown;
let attempts = 0;
const fail = () => {
  attempts += 1;
  throw failure;
};
const get = played(GetEvent, () => anEvent({ id: ID }));
const list = played(ListEvents, fail);
const topics = played(ListFollowedTopics, () => []);
const stack = gatewayForTests({
  events: scenes(played(Register, fail), played(UpdateEvent, fail), get, list, topics),
});
beforeAll(async () => {
  member = (await stack.signedIn()).browser;
  member.onAnswer = undefined;
  administrator = (await stack.signedIn({ isAdmin: true })).browser;
});

const register = () => member.post<ErrorBody>(`/api/events/${ID}/register`);

describe('a domain error', () => {
  it.each<[ErrorCode, string]>([
    ['EVENT_FULL', 'full capacity'],
    ['EVENT_NOT_FOUND', 'not found'],
    ['EMAIL_EXISTS', 'already exists'],
    ['EMAIL_TAKEN', 'already taken'],
    ['CURRENT_PASSWORD_INCORRECT', 'Current password is incorrect'],
    ['PASSWORD_UNCHANGED', 'New password must be different'],
    ['PASSWORD_TOO_SHORT', 'New password must be at least'],
    ['UNAUTHORIZED', 'Unauthorized'],
  ])('returns %s with its status and the text that clients match on', async (code, text) => {
    failure = new DomainError(code);
    const { status, body } = await register();
    expect(status).toBe(ERRORS[code].status);
    expect(body).toMatchObject({ statusCode: status, code, message: expect.stringContaining(text) });
    expect(body.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('sends Retry-After, by default one second', async () => {
    failure = new DomainError('SERVICE_OVERLOADED', { retryAfter: 7, outcome: 'not-started' });
    expect((await register()).headers.get('retry-after')).toBe('7');
    failure = new DomainError('RATE_LIMITED');
    expect((await register()).headers.get('retry-after')).toBe('1');
  });

  it('names each invalid field before the service is called', async () => {
    attempts = 0;
    failure = new DomainError('DATE_RANGE_INVALID');
    const send = async (given: object) =>
      (await administrator.put<ErrorBody>(`/api/events/${ID}`, { ...anEventBody, ...given })).body;
    const wrong = { title: 'x'.repeat(256), banner: { action: 'remove' } };
    expect(Object.keys((await send(wrong)).details!.fields!)).toEqual(['banner', 'title']);
    expect(attempts).toBe(0);
    expect([(await send({})).code, attempts]).toEqual(['DATE_RANGE_INVALID', 1]);
  });

  it('returns the number of registrations when the capacity is set below it', async () => {
    failure = new DomainError('CAPACITY_BELOW_REGISTERED', { registered: 12 });
    const reply = await administrator.put<ErrorBody>(`/api/events/${ID}`, { ...anEventBody, capacity: 3 });
    expect(reply.body.details).toEqual({ registered: 12 });
    expect(reply.body.message).toContain('(12)');
  });
});

it('returns 500 for an unexpected error and reveals nothing', async () => {
  failure = new Error('relation "auth.users" does not exist at db-7.internal:5432');
  expect((await register()).body).toEqual({
    statusCode: 500,
    code: 'INTERNAL',
    message: 'Something went wrong on our side',
    requestId: expect.any(String),
  });
});

describe('a server error', () => {
  const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it('sends browsers an HTML error page with the request id but no error code', async () => {
    const { status, headers, text } = await stack.browser().get('/sitemap.xml', page);
    const shown = [status >= 500, headers.get('content-type'), headers.get('cache-control')];
    expect(shown).toEqual([true, 'text/html; charset=utf-8', 'no-store']);
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(text).toContain('<h1>This page is not available at the moment</h1>');
    expect(text).toContain('<p lang="de">Diese Seite ist gerade nicht erreichbar.');
    expect(text).toContain(headers.get('x-request-id'));
    expect(text).not.toContain('SERVICE_UNAVAILABLE');
  });

  it('sends JSON errors to programs, and to everyone under /api', async () => {
    for (const [path, headers] of [
      ['/sitemap.xml', { accept: '*/*' }],
      ['/api/admin/summary', page],
    ] as const) {
      const reply = await administrator.get<ErrorBody>(path, headers);
      expect(reply.status).toBeGreaterThanOrEqual(500);
      expect([path, reply.headers.get('content-type')]).toEqual([path, 'application/json; charset=utf-8']);
      expect(reply.body.requestId).toBe(reply.headers.get('x-request-id'));
    }
  });
});

describe('a read from a service', () => {
  let calls: number;
  beforeEach(() => (calls = 0));

  const failing =
    (details?: ErrorDetails, after = 0) =>
    async () => {
      calls += 1;
      await pause(after);
      throw new DomainError('SERVICE_UNAVAILABLE', details);
    };
  const failingOnce = (details?: ErrorDetails) => () =>
    calls === 0 ? failing(details)() : { items: [], total: 0, nextCursor: null };

  it.each([
    ['lost a replica', { outcome: 'unknown' }],
    ['had no connection to its database', undefined],
  ] as const)('retries a read once when the service %s, but not a write', async (_, details) => {
    list.handler = failingOnce(details);
    expect((await administrator.get('/api/events')).status).toBe(200);
    calls = 0;
    list.handler = failing(details);
    expect((await administrator.get('/api/events')).status).toBe(503);
    expect(calls).toBe(2);
    failure = new DomainError('SERVICE_UNAVAILABLE', details);
    const before = attempts;
    expect((await register()).status).toBe(503);
    expect(attempts - before).toBe(1);
  });

  it('does not retry reads with outcome not-started or code SERVICE_OVERLOADED', async () => {
    list.handler = failing({ outcome: 'not-started' });
    expect((await administrator.get('/api/events')).status).toBe(503);
    list.handler = () => {
      calls += 1;
      throw new DomainError('SERVICE_OVERLOADED');
    };
    expect((await administrator.get('/api/events')).status).toBe(503);
    expect(calls).toBe(2);
  });

  it('fails a read when its retry also gets no database connection', async () => {
    list.handler = failing(undefined, DEADLINES.poolWait);
    const reply = await administrator.get<ErrorBody>('/api/events');
    expect([reply.body.code, calls]).toEqual(['SERVICE_UNAVAILABLE', 2]);
  });

  it('does not retry a read after a long wait for the database', async () => {
    list.handler = failing(undefined, 1.5 * DEADLINES.poolWait);
    expect((await administrator.get('/api/events')).status).toBe(503);
    expect(calls).toBe(1);
  });

  it('is one of at most 16 at a time while the service is overloaded', async () => {
    topics.handler = () => {
      throw new DomainError('SERVICE_OVERLOADED', { outcome: 'not-started' });
    };
    expect((await administrator.get('/api/user/topics')).status).toBe(503);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    topics.handler = async () => {
      calls += 1;
      await released;
      return [];
    };
    let refused = 0;
    const running = Array.from({ length: 20 }, async () => {
      const reply = await administrator.get<ErrorBody>('/api/user/topics');
      if (reply.status === 503) refused += 1;
      return reply;
    });
    await until('16 calls and 4 refusals', 60_000, async () => calls === 16 && refused === 4);
    expect((await administrator.get('/api/user')).status).toBe(200);
    release();
    const first = (await Promise.all(running)).find(({ status }) => status === 503)!;
    expect(first.body).toMatchObject({ statusCode: 503, code: 'SERVICE_OVERLOADED' });
    expect(first.body.requestId).toBe(first.headers.get('x-request-id'));
    expect(first.headers.get('retry-after')).toBe('1');
    expect(first.headers.get('content-security-policy')).toContain("default-src 'self'");
  });
});

const missing = () => {
  throw new DomainError('EVENT_NOT_FOUND');
};

it('reports a missing event before an invalid body', async () => {
  const put = () => administrator.put<ErrorBody>(`/api/events/${ID}`, { capacity: 0 });
  const post = () => member.post<ErrorBody>(`/api/events/${ID}/register`, { selectedDate: 'tomorrow' });
  expect([(await put()).status, (await post()).status]).toEqual([400, 400]);
  get.handler = missing;
  expect([(await put()).status, (await post()).status]).toEqual([404, 404]);
});
