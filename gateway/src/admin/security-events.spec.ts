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
import { gatewayForTests, PASSWORD } from '../testing/open-test-gateway.js';
import { SECURITY_CALLS } from './security-events.js';

interface Counted {
  kind: string;
  known: boolean;
  count: number;
}

describe('the security log', () => {
  const stack = gatewayForTests({
    rateLimits: '',
    auth: scenes(
      played(ResetPassword, () => Promise.reject(new DomainError('RESET_CODE_INVALID'))),
      played(ConfirmCode, () => Promise.reject(new DomainError('CODE_INVALID'))),
      played(CompleteSecondStep, ({ token }) => {
        throw new DomainError(token === 'begun' ? 'SECOND_FACTOR_INCORRECT' : 'SECOND_FACTOR_EXPIRED');
      }),
    ),
  });
  let host = 0;
  beforeEach(async () => {
    host += 1;
    await stack.owner.query('TRUNCATE gateway.security_events');
  });

  const visitor = () => stack.browser({ 'x-forwarded-for': `10.0.${host}.1` });
  const login = (email: string, password = 'wrong') => visitor().post('/api/login', { email, password });
  const reset = (email: string) =>
    visitor().post('/api/reset-password', { email, token: '123456', newPassword: 'another one' });
  const rows = async () => {
    const select =
      'SELECT kind, account IS NOT NULL AS known, count FROM gateway.security_events ORDER BY kind, known, count';
    return (await stack.owner.query<Counted>(select)).rows;
  };
  const counted = (events: number) =>
    until(`${events} events`, 60_000, async () => {
      const sum = (await rows()).reduce((total, { count }) => total + count, 0);
      return sum === events;
    });

  it('finds every route of SECURITY_CALLS in the access table', () => {
    const calls = ACCESS_TABLE.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(SECURITY_CALLS).filter((call) => !calls.includes(call))).toEqual([]);
  });

  it('records sign-ins, failed sign-ins and one lock-out per account without personal data', async () => {
    await stack.addUser({ email: 'someone@people.example' });
    for (let time = 0; time < 2; time += 1) expect((await login('Someone@people.example')).status).toBe(401);
    expect((await login('nobody')).status).toBe(400);
    expect((await login('someone@people.example', PASSWORD)).status).toBe(200);
    let [failed, lockedOut] = [0, 0];
    while (lockedOut < 5) {
      const { status } = await login(`nobody${failed + lockedOut}@people.example`);
      if (status === 429) lockedOut += 1;
      else failed += 1;
    }
    for (let time = 0; time < 3; time += 1) expect((await login('someone@people.example')).status).toBe(429);
    await counted(2 + 1 + failed + 5 + 1);
    const { rows: stored } = await stack.owner.query('SELECT * FROM gateway.security_events');
    const ofAccount = stored.filter(({ account }) => account !== null);
    const kinds = ['locked-out', 'sign-in', 'sign-in-failed', 'sign-in-failed'];
    expect(ofAccount.map(({ kind }) => kind).toSorted()).toEqual(kinds);
    // One row per kind and hour counts all invented email addresses.
    expect(stored.length - ofAccount.length).toBeLessThanOrEqual(4);
    for (const field of ['account', 'network'] as const)
      expect(new Set(ofAccount.map((row) => row[field])).size).toBe(1);
    expect(JSON.stringify(stored)).not.toMatch(/someone|people|10\.0\.|wrong/i);
  });

  it('shows security events to administrators with paging and filters', async () => {
    await stack.addUser({ email: 'ada@people.example' });
    for (let time = 0; time < 3; time += 1) await login('ada@people.example');
    await counted(3);
    const { browser } = await stack.signedIn({ isAdmin: true });
    await counted(4);
    const read = (query = '') => browser.get<SecurityEvent[]>(`/api/admin/security-events${query}`);
    const all = (await read()).body;
    const [text, pseudonym] = [expect.any(String), expect.stringMatching(/^[\w-]{22}$/)];
    const shown = { id: text, requestId: text, at: text, account: pseudonym, network: pseudonym };
    expect(all[0]).toEqual({ ...shown, kind: 'sign-in', count: 1 });
    const failed = await read('?limit=2&kind=sign-in-failed&email=Ada@people.example');
    expect(failed.body).toEqual(all.slice(1, 3));
    expect((await read('?email=other@people.example')).body).toEqual([]);
    const [, next = ''] =
      /<([^>]+)>; rel="next"/.exec((await read('?limit=2')).headers.get('link') ?? '') ?? [];
    expect((await browser.get(next)).body).toEqual(all.slice(2));
    expect((await read('?kind=nothing')).status).toBe(400);
  });

  it('counts failed attempts with unknown email addresses per network, kind and hour', async () => {
    await stack.owner.query(
      `INSERT INTO gateway.security_events (id, kind, network, request_id, hour, count)
       VALUES (gen_random_uuid(), 'sign-in-failed', repeat('n', 22), 'r', date_trunc('hour', now(), 'UTC'), 7)`,
    );
    const emails = Array.from({ length: 5 }, (_, n) => `nobody-${n}@people.example`);
    await Promise.all(emails.flatMap((email) => [login(email), reset(email)]));
    await counted(17);
    const found = await rows();
    expect(found.filter(({ known }) => known)).toEqual([]);
    expect(found.length).toBeLessThanOrEqual(5);
    expect(found).toContainEqual({ kind: 'sign-in-failed', known: false, count: 7 });
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
      visitor().post('/api/login/second-factor', { code: '123456' }, { cookie: `meetmark_pending=${token}` });
    for (let time = 0; time < 2; time += 1) {
      await second('begun');
      await second('invented');
      await visitor().post('/api/confirm', { purpose: 'sign-in', code: '123456' });
    }
    await counted(6);
    const counts = (await rows()).map(({ kind, count }) => `${kind} ${count}`);
    const factors = [1, 1, 2].map((count) => `second-factor-failed ${count}`);
    expect(counts.sort()).toEqual(['code-failed 2', ...factors]);
  });

  it('records a changed password', async () => {
    const { browser } = await stack.signedIn();
    const passwords = { currentPassword: PASSWORD, newPassword: 'another one' };
    expect((await browser.put('/api/user/change-password', passwords)).status).toBe(200);
    await counted(2);
    expect((await rows()).map(({ kind }) => kind)).toEqual(['password-changed', 'sign-in']);
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
