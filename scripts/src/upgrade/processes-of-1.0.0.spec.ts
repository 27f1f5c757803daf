import { randomUUID } from 'node:crypto';
import { AdminConfig } from '@meetmark/admin/admin.config';
import { AdminModule } from '@meetmark/admin/admin.module';
import { openAdminStores, type AdminStores } from '@meetmark/admin/testing/open-admin';
import { AUTH } from '@meetmark/auth/testing/open-auth';
import { Nothing, type Identity, type Message, type ServiceName } from '@meetmark/contracts';
import { EVENTS } from '@meetmark/events/testing/open-events';
import { MessageSigner, RedisClock, RequestSender, type RunningProcess } from '@meetmark/platform';
import { digestOf } from '@meetmark/platform/identity/passed-on-of-1.0.0';
import type { LeadingMessage, Onward } from '@meetmark/platform/testing/gateway-of-1.0.0';
import { openCaller, type TestCaller } from '@meetmark/platform/testing/open-service';
import { TEST_KEYS } from '@meetmark/platform/testing/test-keys';
import { configOf, serve } from '@meetmark/platform/testing/test-service';
import { redisUrlAs } from '@meetmark/testing';
import { insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { Redis } from 'ioredis';

// In the words of commit 0caa0fb4, whatever the contracts say now. Goes when 1.1 is the version before.

const person = { firstName: 'Ada', lastName: 'Lovelace' };

/** What an administrator of 1.0.0 does with an account: what its gateway sends to admin under `name`, and its admin to auth under `granted`. */
const OF_ACCOUNTS: { name: string; granted: string; action: string | null; requestOf(id: string): object }[] =
  [
    {
      name: 'listUsers',
      granted: 'list',
      action: null,
      requestOf: () => ({ limit: 20, sort: 'name', role: 'user' }),
    },
    {
      ...{ name: 'createUser', granted: 'create', action: 'user.created' },
      requestOf: (id) => ({ ...person, email: `${id}@example.com`, password: 'secret', isAdmin: true, id }),
    },
    {
      ...{ name: 'updateUser', granted: 'update', action: 'user.updated' },
      requestOf: (userId) => ({
        ...person,
        email: `${userId}@example.com`,
        userId,
        isAdmin: false,
        version: 1,
      }),
    },
    {
      ...{ name: 'setPassword', granted: 'setPassword', action: 'user.passwordSet' },
      requestOf: (userId) => ({ userId, newPassword: 'Xy12ab34' }),
    },
    {
      ...{ name: 'setAdmin', granted: 'setAdmin', action: 'user.promoted' },
      requestOf: (userId) => ({ userId, isAdmin: true }),
    },
    {
      ...{ name: 'sendResetCode', granted: 'sendResetCode', action: 'user.resetCodeSent' },
      requestOf: (userId) => ({ userId }),
    },
  ];

describe('beside processes of 1.0.0', () => {
  let stores: AdminStores;
  let redis: Redis;
  const running: RunningProcess[] = [];
  let gateway: TestCaller;
  let adminOf1_0_0: RequestSender;
  let administrator: Identity;
  let member: Identity;
  beforeAll(async () => {
    stores = await openAdminStores();
    redis = new Redis(stores.redis.ownerUrl);
    running.push(
      await serve(AUTH, configOf(AUTH, stores.database, stores.redis)),
      await serve(EVENTS, configOf(EVENTS, stores.database, stores.redis)),
      await serve({ name: 'admin', module: AdminModule, config: AdminConfig }, stores.config),
    );
    gateway = await openCaller(stores.config);
    const redisUrl = redisUrlAs(stores.config.redisUrl, 'admin');
    const { rpcPrefix: prefix, rpcMaxQueue: maxQueue } = stores.config;
    const signer = new MessageSigner('admin', TEST_KEYS);
    adminOf1_0_0 = new RequestSender({ redisUrl, prefix, maxQueue, clock: new RedisClock(), signer });
    await adminOf1_0_0.open();
    const of = { epoch: 1, confirmedAt: Date.now() };
    administrator = { ...of, sub: (await insertAdministrator(stores.owner)).id, isAdmin: true };
    member = { ...of, sub: (await insertUser(stores.owner)).id, isAdmin: false };
  });
  afterAll(async () => {
    gateway.close();
    adminOf1_0_0.close();
    redis.disconnect();
    await Promise.all(running.map((service) => service.stop()));
    await stores.close();
  });

  const message = (service: ServiceName, name: string, onward: Onward[]): LeadingMessage => ({
    ...{ service, name, access: 'admin', request: Nothing, onward: () => onward },
  });
  /** What its gateway sends to this version's admin. */
  const sentByGateway = (
    name: string,
    request: object,
    onward: Onward[],
    identity = administrator,
    requestId: string = randomUUID(),
  ) => gateway.rpc.call(message('admin', `administration.${name}`, onward), request, { identity, requestId });
  /** What its admin sends to this version's auth and events, on what its gateway granted with the message before. */
  const sentByAdmin = (next: Onward, identity = administrator, requestId: string = randomUUID()) => {
    const leading: Message = message('admin', 'administration.any', [next]);
    const { grants } = gateway.issuer.credentialsFor({ message: leading, request: {}, identity, requestId });
    const headers = { requestId, token: grants?.[next.name]?.[0] };
    const outgoing = { pattern: next.name, data: next.data, headers, timeLeft: 3_000 };
    return adminOf1_0_0.request(next.service, outgoing);
  };
  const subjectOf = async (name: string) =>
    name === 'createUser' ? randomUUID() : (await insertUser(stores.owner)).id;
  /** What was done under a request, by whom and to whom. */
  const recorded = async (requestId: string) => {
    const { rows } = await stores.owner.query<{ payload: object }>(
      `SELECT payload FROM auth.outbox WHERE job = 'audit.record' AND request_id = $1`,
      [requestId],
    );
    return rows.map(({ payload }) => payload);
  };

  describe.each(['gateway', 'admin'] as const)('what its %s sends', (sender) => {
    const send = (of: (typeof OF_ACCOUNTS)[number], data: object, identity: Identity, requestId: string) => {
      const next = { service: 'auth', name: `accounts.${of.granted}`, data } as const;
      return sender === 'admin'
        ? sentByAdmin(next, identity, requestId)
        : sentByGateway(of.name, data, [next], identity, requestId);
    };

    it.each(OF_ACCOUNTS)('$name is done once, on the record under its request', async (of) => {
      const [id, requestId] = [await subjectOf(of.name), randomUUID()];
      const answer = await send(of, of.requestOf(id), administrator, requestId);
      if (of.action === null) expect(answer).toMatchObject({ total: expect.any(Number), nextCursor: null });
      else if (of.name !== 'sendResetCode') expect(answer).toMatchObject({ id });
      const done = { action: of.action, actorId: administrator.sub, subjectId: id };
      expect(await recorded(requestId)).toEqual(
        of.action === null ? [] : expect.arrayContaining([expect.objectContaining(done)]),
      );
    });

    it.each(OF_ACCOUNTS)('$name is refused to who lost the right', async (of) => {
      const [id, requestId] = [await subjectOf(of.name), randomUUID()];
      const refused = send(of, of.requestOf(id), { ...member, isAdmin: true }, requestId);
      await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN' });
      expect(await recorded(requestId)).toEqual([]);
    });
  });

  it('reads its grants as it writes them: by the digest of the data that 1.0.0 computes', () => {
    const data = { userId: '7', fields: { b: [2, { d: null, c: undefined }], a: 'ä' } };
    expect(digestOf(data)).toBe('BN65SD4UOhwdCe7iGs41vnMnfTVvgQYqSUTwyNZHllo');
  });

  const figures: Onward[] = [
    { service: 'auth', name: 'accounts.summarise', data: {} },
    { service: 'events', name: 'events.summarise', data: {} },
  ];

  it('answers its gateway the figures of the dashboard, and its admin each half of them', async () => {
    await insertEvent(stores.owner, { createdById: administrator.sub });
    const whole = await sentByGateway('summarise', {}, figures);
    const [accounts, all] = (await Promise.all(figures.map((next) => sentByAdmin(next)))) as [
      { total: number; createdLast30Days: number },
      { total: number; createdLast30Days: number; upcoming: number; nextEvents: object[] },
    ];
    expect(whole).toEqual({
      totalEvents: all.total,
      eventsThisMonth: all.createdLast30Days,
      upcomingEvents: all.upcoming,
      nextEvents: all.nextEvents,
      totalUsers: accounts.total,
      newUsers: accounts.createdLast30Days,
    });
    expect(all.total).toBeGreaterThan(0);
    expect(accounts.total).toBeGreaterThan(1);
  });

  describe('a deletion', () => {
    /** Each as often as its gateway grants it, in case that the user goes on creating events. */
    const steps = (userId: string): Onward[] => [
      ...Array.from({ length: 3 }, (): Onward[] => [
        {
          service: 'events',
          name: 'events.handOver',
          data: { fromUserId: userId, toUserId: administrator.sub },
        },
        { service: 'auth', name: 'accounts.delete', data: { userId } },
      ]).flat(),
      { service: 'events', name: 'registrations.followDeletedAccount', data: {} },
    ];
    const leaving = async () => {
      const { id: userId } = await insertUser(stores.owner, { isOrganiser: true });
      const { id: eventId } = await insertEvent(stores.owner, { createdById: userId });
      const { id: other } = await insertEvent(stores.owner, { createdById: administrator.sub });
      await insertRegistration(stores.owner, { eventId: other, userId });
      return { userId, eventId, other };
    };
    const expectGone = async ({ userId, eventId, other }: Awaited<ReturnType<typeof leaving>>) => {
      const { rows } = await stores.owner.query(
        `SELECT created_by_id AS creator, registration_count AS places, (SELECT count(*)::int FROM auth.users WHERE id = $1) AS accounts
         FROM events.events WHERE id = ANY ($2)`,
        [userId, [eventId, other]],
      );
      expect(rows).toEqual(Array(2).fill({ creator: administrator.sub, places: 0, accounts: 0 }));
    };
    const version = async () => Number(await redis.get('events:version'));

    it('that its gateway asks for is done, with one entry in the audit log', async () => {
      const subject = await leaving();
      const [before, requestId] = [await version(), randomUUID()];
      await sentByGateway(
        'deleteUser',
        { userId: subject.userId },
        steps(subject.userId),
        administrator,
        requestId,
      );
      await expectGone(subject);
      expect(await version()).toBeGreaterThan(before);
      expect(await recorded(requestId)).toMatchObject([
        { action: 'user.deleted', subjectId: subject.userId },
      ]);
    });

    it('that its admin makes step by step is done, also when an event is created between two of them', async () => {
      const subject = await leaving();
      const [handOver, remove] = steps(subject.userId);
      const tell = steps(subject.userId).at(-1)!;
      const before = await version();
      await sentByAdmin(handOver!);
      await insertEvent(stores.owner, { createdById: subject.userId, title: 'Created meanwhile' });
      await sentByAdmin(remove!);
      await sentByAdmin(tell);
      await expectGone(subject);
      expect(await version()).toBeGreaterThan(before);
      const { rows } = await stores.owner.query(
        "SELECT created_by_id AS creator FROM events.events WHERE title = 'Created meanwhile'",
      );
      expect(rows).toEqual([{ creator: administrator.sub }]);
    });

    it('is refused to its admin without a grant, or with one of another message', async () => {
      const { userId } = await leaving();
      const [, remove] = steps(userId);
      const { token } = gateway.issuer.credentialsFor({
        ...{ message: message('auth', remove!.name, []), request: {} },
        ...{ identity: administrator, requestId: 'a request' },
      });
      const send = (with_: string | undefined) =>
        adminOf1_0_0.request('auth', {
          ...{ pattern: remove!.name, data: remove!.data, timeLeft: 3_000 },
          headers: { requestId: 'a request', token: with_ },
        });
      for (const each of [undefined, token])
        await expect(send(each)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    });
  });
});
