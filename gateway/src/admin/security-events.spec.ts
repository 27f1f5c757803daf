import type { SecurityEvent } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import { ACCESS_TABLE } from '../testing/access-table.js';
import { openTestGateway, PASSWORD, type TestGateway } from '../testing/open-test-gateway.js';
import { SECURITY_CALLS } from './security-events.js';

describe('the security log', () => {
  let stack: TestGateway;
  beforeAll(async () => {
    stack = await openTestGateway({ config: { rateLimitProfile: 'standard' } });
  });
  afterAll(() => stack.close());

  const kinds = async (): Promise<string[]> =>
    (await stack.owner.query('SELECT kind FROM gateway.security_events ORDER BY at, id')).rows.map(
      ({ kind }) => kind,
    );
  const eventually = (expected: string[]) =>
    until(expected.join(', '), 5_000, async () => (await kinds()).join() === expected.join());

  it('knows calls that exist', () => {
    const calls = ACCESS_TABLE.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(SECURITY_CALLS).filter((call) => !calls.includes(call))).toEqual([]);
  });

  it('tells who got in, who did not, and who was locked out, once; and whose address changed', async () => {
    const user = await stack.addUser({ email: 'someone@people.example' });
    const attempt = (password: string) =>
      stack.browser().post('/api/login', { email: 'Someone@people.example', password });
    for (let time = 0; time < 2; time += 1) expect((await attempt('wrong')).status).toBe(401);
    expect((await stack.browser().post('/api/login', { email: 'nobody' })).status).toBe(400); // no attempt
    const browser = stack.browser();
    expect((await browser.post('/api/login', { email: user.email, password: PASSWORD })).status).toBe(200);
    await eventually(['sign-in-failed', 'sign-in-failed', 'sign-in']);
    let status = 0;
    while (status !== 429) ({ status } = await attempt('wrong'));
    await attempt('wrong');
    await until('the lock-out', 5_000, async () => (await kinds()).includes('locked-out'));
    expect((await kinds()).filter((kind) => kind === 'locked-out')).toHaveLength(1);

    const { rows } = await stack.owner.query('SELECT * FROM gateway.security_events');
    expect(new Set(rows.map(({ account }) => account)).size).toBe(1);
    expect(new Set(rows.map(({ network }) => network)).size).toBe(1);
    expect(JSON.stringify(rows)).not.toMatch(/someone|people|127\.0|wrong/i);
  });

  it('is read by administrators alone, page by page, of one account or of one kind', async () => {
    expect((await stack.browser().get('/api/admin/security-events')).status).toBe(401);
    const { browser: member } = await stack.signedIn();
    expect((await member.get('/api/admin/security-events')).status).toBe(403);
    const { browser: administrator } = await stack.signedIn({ isAdmin: true });
    await until('their own sign-ins', 5_000, async () => (await kinds()).length >= 5);
    const read = (query = '') => administrator.get<SecurityEvent[]>(`/api/admin/security-events${query}`);
    const all = await read();
    expect(all.body[0]).toEqual({
      id: expect.any(String),
      kind: 'sign-in',
      account: expect.stringMatching(/^[\w-]{22}$/),
      network: expect.stringMatching(/^[\w-]{22}$/),
      requestId: expect.any(String),
      at: expect.any(String),
    });
    const first = await read('?limit=2&kind=sign-in-failed&email=someone@people.example');
    expect(first.body.map(({ kind }) => kind)).toEqual(['sign-in-failed', 'sign-in-failed']);
    expect((await read('?email=other@people.example')).body).toEqual([]);
    const [, next = ''] =
      /<([^>]+)>; rel="next"/.exec((await read('?limit=2')).headers.get('link') ?? '') ?? [];
    const second = (await administrator.get<SecurityEvent[]>(next)).body;
    expect(second[0]).toEqual(all.body[2]);
    expect((await read('?kind=nothing')).status).toBe(400);
  });
});

it('a changed password is an event', async () => {
  const stack = await openTestGateway();
  const { browser } = await stack.signedIn();
  const change = (currentPassword: string) =>
    browser.put('/api/user/change-password', { currentPassword, newPassword: 'another one' });
  expect((await change(PASSWORD)).status).toBe(200);
  const rows = async () =>
    (await stack.owner.query('SELECT kind FROM gateway.security_events ORDER BY at, id')).rows;
  await until('the events', 5_000, async () => (await rows()).length === 2);
  expect(await rows()).toEqual([{ kind: 'sign-in' }, { kind: 'password-changed' }]);
  await stack.close();
});
