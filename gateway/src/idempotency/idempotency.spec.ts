import { randomUUID } from 'node:crypto';
import {
  CreateAccount,
  CreateEvent,
  DomainError,
  type Event,
  type SessionUser,
  type User,
} from '@meetmark/contracts';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEvent, anEventBody, newcomer } from '@meetmark/testing/factories/samples';
import type { ApiClient } from '@meetmark/testing/http-client';
import { gatewayForTests } from '../testing/open-test-gateway.js';

let administrator: ApiClient;
const made: Event[] = [];
const signedUp = new Map<string, SessionUser>();
const create = played(CreateEvent, ({ id, title }) => {
  const before = made.find((event) => event.id === id);
  if (before !== undefined) return before;
  const event = anEvent({ id, title });
  made.push(event);
  return event;
});
const usual = create.handler;
const usersMade = new Map<string, User>();
const createUser = played(CreateAccount, async ({ id, email }) => {
  const before = usersMade.get(id!);
  if (before !== undefined) return before;
  usersMade.set(id!, await stack.addUser({ id: id!, email }));
  throw new DomainError('DEADLINE_EXCEEDED', { outcome: 'unknown' });
});

const stack = gatewayForTests({
  auth: scenes(createUser),
  events: scenes(create),
  signUp: async ({ idempotencyKey = randomUUID() }, make) => {
    const before = signedUp.get(idempotencyKey);
    if (before !== undefined) return before;
    signedUp.set(idempotencyKey, await make());
    throw new DomainError('DEADLINE_EXCEEDED', { outcome: 'unknown' });
  },
});
beforeAll(async () => {
  administrator = (await stack.signedIn({ isAdmin: true })).browser;
});
beforeEach(() => {
  made.length = 0;
  create.handler = usual;
});

const post = (key: string, body: object = anEventBody, who = administrator) =>
  who.post<Event & { code: string }>('/api/events', body, { 'idempotency-key': key });

/** Changes the key's time as if the first attempt had exceeded its deadline. */
const endAttempt = (key: string) =>
  stack.owner.query(
    "UPDATE gateway.idempotency_keys SET expire = expire - interval '11 seconds' WHERE key = $1",
    [key],
  );

describe('a request with an Idempotency-Key', () => {
  it('is executed once when copies arrive at the same time or later', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => post('key-1')));
    expect(made).toHaveLength(1);
    for (const { status, body } of [...replies, await post('key-1')]) {
      expect([201, 409]).toContain(status);
      if (status === 409) expect(body.code).toBe('REQUEST_IN_PROGRESS');
      else expect(body).toEqual(made[0]);
    }
    expect((await post('key-1')).status).toBe(201);
  });

  it('is refused when the key was used with another body or sent to another URL', async () => {
    await post('key-3');
    const headers = { 'idempotency-key': 'key-3' };
    for (const reply of [
      await post('key-3', { ...anEventBody, title: 'Another' }),
      await administrator.post<{ code: string }>('/api/events?again', anEventBody, headers),
    ])
      expect([reply.status, reply.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    expect(made).toHaveLength(1);
  });

  it('does not conflict with another user’s request that has the same key', async () => {
    const { browser: other } = await stack.signedIn({ isAdmin: true });
    await post('key-4');
    expect((await post('key-4', anEventBody, other)).status).toBe(201);
    expect(made).toHaveLength(2);
  });

  it('may be repeated after an error', async () => {
    create.handler = () => {
      throw new DomainError('DATE_RANGE_INVALID');
    };
    expect((await post('key-5')).status).toBe(400);
    create.handler = usual;
    expect((await post('key-5')).status).toBe(201);
  });

  it('gets its error response even when the key cannot be deleted', async () => {
    create.handler = async () => {
      await stack.owner.query('ALTER TABLE gateway.idempotency_keys RENAME TO keys_elsewhere');
      throw new DomainError('DATE_RANGE_INVALID');
    };
    const { body } = await post('key-9');
    await stack.owner.query('ALTER TABLE gateway.keys_elsewhere RENAME TO idempotency_keys');
    expect(body.code).toBe('DATE_RANGE_INVALID');
  });

  it('is not executed again while its outcome is unknown, and then gets the lost response', async () => {
    create.handler = (request, call) => {
      void usual(request, call);
      throw new DomainError('DEADLINE_EXCEEDED', { outcome: 'unknown' });
    };
    expect((await post('key-10')).status).toBe(503);
    create.handler = usual;
    expect(await post('key-10')).toMatchObject({ status: 409, body: { code: 'REQUEST_IN_PROGRESS' } });
    await endAttempt('key-10');
    const another = await post('key-10', { ...anEventBody, title: 'Another' });
    expect(another.body.code).toBe('IDEMPOTENCY_CONFLICT');
    const replies = await Promise.all(Array.from({ length: 5 }, () => post('key-10')));
    const { status, body } = await post('key-10');
    expect([status, body.id, made.length]).toEqual([201, made[0]!.id, 1]);
    for (const reply of replies) expect([201, 409]).toContain(reply.status);
  });

  it('creates one user, even when the first response was lost', async () => {
    const fields = { email: 'alan@example.org', firstName: 'Alan', lastName: 'Turing', password: 'enigma' };
    const add = () =>
      administrator.post<User & { code: string }>('/api/admin/users', fields, {
        'idempotency-key': 'key-11',
      });
    expect((await add()).status).toBe(503);
    expect((await add()).body.code).toBe('REQUEST_IN_PROGRESS');
    await endAttempt('key-11');
    const replies = [await add(), await add()];
    expect(usersMade.size).toBe(1);
    for (const { status, body } of replies)
      expect([status, body.id]).toEqual([201, [...usersMade.keys()][0]]);
  });

  it('is executed again once its key has expired', async () => {
    await post('key-7');
    await stack.owner.query('UPDATE gateway.idempotency_keys SET expire = now()');
    expect((await post('key-7')).status).toBe(201);
    expect(made).toHaveLength(2);
  });

  it('is refused with a malformed key', async () => {
    expect((await post('with space')).status).toBe(400);
    expect((await post('x'.repeat(256))).status).toBe(400);
    expect((await post('x'.repeat(255))).status).toBe(201);
  });

  it('stores a hash of its body in the database', async () => {
    await post('key-8');
    const { rows } = await stack.owner.query(
      "SELECT request_hash AS hash FROM gateway.idempotency_keys WHERE key = 'key-8'",
    );
    expect(rows).toEqual([{ hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  });
});

it('executes every request that has no Idempotency-Key', async () => {
  await administrator.post('/api/events', anEventBody);
  await administrator.post('/api/events', anEventBody);
  expect(made).toHaveLength(2);
});

describe('a sign-up whose response was lost', () => {
  const signUp = (browser: ApiClient, body: object, headers = {}) =>
    browser.post<User & { code: string }>('/api/register', body, headers);

  it('succeeds with its Idempotency-Key and signs in', async () => {
    const [browser, body, headers] = [stack.browser(), newcomer(), { 'idempotency-key': randomUUID() }];
    const first = await signUp(browser, body, headers);
    expect([first.status, first.body.email]).toEqual([201, body.email]);
    expect((await browser.get<User>('/api/user')).body.id).toBe(first.body.id);
    const elsewhere = stack.browser();
    expect((await signUp(elsewhere, body, headers)).body.id).toBe(first.body.id);
    expect((await elsewhere.get<User>('/api/user')).body.id).toBe(first.body.id);
  });

  it('fails with EMAIL_EXISTS when repeated without an Idempotency-Key', async () => {
    const [browser, body] = [stack.browser(), newcomer()];
    expect((await signUp(browser, body)).status).toBe(503);
    expect((await signUp(browser, body)).body.code).toBe('EMAIL_EXISTS');
  });

  it('is refused with a malformed key', async () => {
    const reply = await signUp(stack.browser(), newcomer(), { 'idempotency-key': 'with space' });
    expect(reply.status).toBe(400);
  });
});
