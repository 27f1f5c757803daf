import {
  CompleteSecondStep,
  ConfirmCode,
  DomainError,
  ResetPassword,
  type SecurityEvent,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { until } from '@meetmark/testing';
import pg from 'pg';
import { ACCESS_TABLE } from '../testing/access-table.js';
import { gatewayForTests, openTestGateway, PASSWORD } from '../testing/open-test-gateway.js';
import { SECURITY_CALLS } from './security-events.js';

describe('the security log', () => {
  const stack = gatewayForTests({ config: { rateLimitProfile: 'standard' } });

  const kinds = async (): Promise<string[]> =>
    (await stack.owner.query('SELECT kind FROM gateway.security_events ORDER BY at, id')).rows.map(
      ({ kind }) => kind,
    );
  const eventually = (expected: string[]) =>
    until(expected.join(', '), 5_000, async () => (await kinds()).join() === expected.join());

  it('finds every route of SECURITY_CALLS in the access table', () => {
    const calls = ACCESS_TABLE.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(SECURITY_CALLS).filter((call) => !calls.includes(call))).toEqual([]);
  });

  it('records sign-ins, failed sign-ins and one lock-out without personal data', async () => {
    const user = await stack.addUser({ email: 'someone@people.example' });
    const attempt = (password: string) =>
      stack.browser().post('/api/login', { email: 'Someone@people.example', password });
    for (let time = 0; time < 2; time += 1) expect((await attempt('wrong')).status).toBe(401);
    expect((await stack.browser().post('/api/login', { email: 'nobody' })).status).toBe(400);
    const browser = stack.browser();
    expect((await browser.post('/api/login', { email: user.email, password: PASSWORD })).status).toBe(200);
    await eventually(['sign-in-failed', 'sign-in-failed', 'sign-in']);
    let status = 0;
    while (status !== 429) ({ status } = await attempt('wrong'));
    await attempt('wrong');
    await until('the lock-out', 60_000, async () => (await kinds()).includes('locked-out'));
    expect((await kinds()).filter((kind) => kind === 'locked-out')).toHaveLength(1);

    const { rows } = await stack.owner.query('SELECT * FROM gateway.security_events');
    expect(new Set(rows.map(({ account }) => account)).size).toBe(1);
    expect(new Set(rows.map(({ network }) => network)).size).toBe(1);
    expect(JSON.stringify(rows)).not.toMatch(/someone|people|127\.0|wrong/i);
  });

  it('shows security events only to administrators, with paging and filters', async () => {
    expect((await stack.browser().get('/api/admin/security-events')).status).toBe(401);
    const { browser: member } = await stack.signedIn();
    expect((await member.get('/api/admin/security-events')).status).toBe(403);
    const { browser: administrator } = await stack.signedIn({ isAdmin: true });
    await until('their own sign-ins', 60_000, async () => (await kinds()).length >= 5);
    const read = (query = '') => administrator.get<SecurityEvent[]>(`/api/admin/security-events${query}`);
    const all = await read();
    expect(all.body[0]).toEqual({
      id: expect.any(String),
      kind: 'sign-in',
      account: expect.stringMatching(/^[\w-]{22}$/),
      network: expect.stringMatching(/^[\w-]{22}$/),
      requestId: expect.any(String),
      at: expect.any(String),
      count: 1,
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

describe('security events of failed attempts', () => {
  const auth = scenes(
    played(ResetPassword, () => Promise.reject(new DomainError('RESET_CODE_INVALID'))),
    played(ConfirmCode, () => Promise.reject(new DomainError('CODE_INVALID'))),
    played(CompleteSecondStep, ({ token }) => {
      throw new DomainError(token === 'begun' ? 'SECOND_FACTOR_INCORRECT' : 'SECOND_FACTOR_EXPIRED');
    }),
  );
  const stack = gatewayForTests({ auth });
  beforeEach(() => stack.owner.query('TRUNCATE gateway.security_events'));

  const login = (email: string) => stack.browser().post('/api/login', { email, password: 'wrong' });
  const reset = (email: string) =>
    stack.browser().post('/api/reset-password', { email, token: '123456', newPassword: 'another one' });
  const rows = async (): Promise<{ kind: string; known: boolean; count: number }[]> =>
    (
      await stack.owner.query(
        'SELECT kind, account IS NOT NULL AS known, count FROM gateway.security_events ORDER BY kind, known',
      )
    ).rows;
  const counted = (events: number) =>
    until(`${events} events`, 60_000, async () => {
      const sum = (await rows()).reduce((total, { count }) => total + count, 0);
      return sum === events;
    });

  it('counts failed attempts with unknown email addresses per network, kind and hour', async () => {
    await stack.owner.query(
      `INSERT INTO gateway.security_events (id, kind, network, request_id, hour, count)
       VALUES (gen_random_uuid(), 'sign-in-failed', repeat('n', 22), 'r', date_trunc('hour', now(), 'UTC'), 7)`,
    );
    for (let batch = 0; batch < 20; batch += 1)
      await Promise.all(
        Array.from({ length: 5 }, async (_, n) => {
          expect((await login(`nobody${batch}-${n}@people.example`)).status).toBe(401);
          expect((await reset(`nobody${batch}-${n}@people.example`)).status).toBe(400);
        }),
      );
    await counted(207);
    const found = await rows();
    const whole = new Map(found.map(({ kind, count }) => [`${kind} ${count}`, count]));
    expect(found.every(({ known }) => !known)).toBe(true);
    expect(found.length).toBeLessThanOrEqual(5);
    expect(whole.get('sign-in-failed 7')).toBe(7);
  });

  it('lets the gateway change only the count of a security event', async () => {
    const gateway = new pg.Pool({ connectionString: stack.database.urlFor('meetmark_gateway'), max: 1 });
    await login('nobody@people.example');
    await counted(1);
    const change = (set: string) => gateway.query(`UPDATE gateway.security_events SET ${set}`);
    await change('count = count + 1');
    for (const denied of ["kind = 'sign-in'", 'at = now()', 'hour = NULL'])
      await expect(change(denied)).rejects.toMatchObject({ code: '42501' });
    await expect(change('count = 0')).rejects.toMatchObject({ constraint: 'security_events_count_check' });
    await gateway.end();
  });

  it('records failed attempts on an account separately, whatever the email’s letter case', async () => {
    await stack.addUser({ email: 'known@people.example' });
    for (let time = 0; time < 2; time += 1) {
      await login('Known@People.example');
      await reset('known@people.example');
    }
    await counted(4);
    const row = (kind: string) => ({ kind, known: true, count: 1 });
    expect(await rows()).toEqual(['code-failed', 'code-failed', 'sign-in-failed', 'sign-in-failed'].map(row));
  });

  it('records failed second factors separately, but counts invented tokens together', async () => {
    const second = (token: string) =>
      stack
        .browser({ cookie: `meetmark_pending=${token}` })
        .post('/api/login/second-factor', { code: '123456' });
    for (let time = 0; time < 2; time += 1) {
      await second('begun');
      await second('invented');
      await stack.browser().post('/api/confirm', { purpose: 'sign-in', code: '123456' });
    }
    await counted(6);
    const counts = (await rows()).map(({ kind, count }) => `${kind} ${count}`).sort();
    expect(counts).toEqual([
      'code-failed 2',
      'second-factor-failed 1',
      'second-factor-failed 1',
      'second-factor-failed 2',
    ]);
  });

  it('does not reveal in the response whether the account exists', async () => {
    await stack.addUser({ email: 'present@people.example' });
    for (const ask of [login, reset]) {
      const [present, absent] = [await ask('present@people.example'), await ask('absentt@people.example')];
      const bytes = ({ status, text, headers }: typeof present) =>
        JSON.stringify([status, text, [...headers].filter(([name]) => name !== 'date')]).replaceAll(
          headers.get('x-request-id') ?? '',
          'id',
        );
      expect(bytes(present)).toBe(bytes(absent));
    }
  });
});

describe('lock-outs', () => {
  const stack = gatewayForTests({ config: { rateLimitProfile: 'standard' } });

  it('records an account’s lock-out once and counts lock-outs of unknown emails together', async () => {
    await stack.addUser({ email: 'known@people.example' });
    const login = (email: string) => stack.browser().post('/api/login', { email, password: 'wrong' });
    let refused = 0;
    for (let n = 0; refused < 30; n += 1)
      if ((await login(`nobody${n}@people.example`)).status === 429) refused += 1;
    for (let time = 0; time < 3; time += 1) expect((await login('known@people.example')).status).toBe(429);
    const rows = async () =>
      (
        await stack.owner.query(
          `SELECT account IS NOT NULL AS known, sum(count)::integer AS count, count(*) < 3 AS few
           FROM gateway.security_events WHERE kind = 'locked-out' GROUP BY known ORDER BY known`,
        )
      ).rows;
    const expected = [
      { known: false, count: 30, few: true },
      { known: true, count: 1, few: true },
    ];
    await until('both', 60_000, async () => JSON.stringify(await rows()) === JSON.stringify(expected));
  });
});

it('the security log records a changed password', async () => {
  const stack = await openTestGateway();
  const { browser } = await stack.signedIn();
  const change = (currentPassword: string) =>
    browser.put('/api/user/change-password', { currentPassword, newPassword: 'another one' });
  expect((await change(PASSWORD)).status).toBe(200);
  const rows = async () =>
    (await stack.owner.query('SELECT kind FROM gateway.security_events ORDER BY at, id')).rows;
  await until('the events', 60_000, async () => (await rows()).length === 2);
  expect(await rows()).toEqual([{ kind: 'sign-in' }, { kind: 'password-changed' }]);
  await stack.close();
});
