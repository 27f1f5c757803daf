import { randomUUID } from 'node:crypto';
import {
  AccountDeleted,
  DeleteAccount,
  DeleteUser,
  DomainError,
  GetRegistrationActivity,
  GetSystemStatus,
  HandOverEvents,
  messagesOf,
  Nothing,
  onward,
  SetUserAdmin,
  SetUserPassword,
  Summarise,
  SummariseAccounts,
  SummariseEvents,
  type Identity,
  type Message,
  type ServiceName,
} from '@meetmark/contracts';
import { openCaller, type TestCaller } from '@meetmark/platform/testing/open-service';
import { playService } from '@meetmark/platform/testing/play-services';
import { serve } from '@meetmark/platform/testing/test-service';
import { CALLERS, type CallerKind, whoMaySend } from '@meetmark/testing/access';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { AdminConfig } from './admin.config.js';
import { AdminModule } from './admin.module.js';
import { openAdminStores, type AdminStores } from './testing/open-admin.js';
import {
  aPage,
  aUser,
  AUTH_STAND_IN,
  EVENTS_STAND_IN,
  deafness,
  refusals,
  seen,
} from './testing/stand-ins.js';

/** Over the transport, between the gateway and stand-ins of the services that own what it administers. */
describe('the admin service', () => {
  let stores: AdminStores;
  let caller: TestCaller;
  const running: { stop(): Promise<void> }[] = [];
  const administrator: Identity = {
    ...{ sub: randomUUID(), isAdmin: true, isOrganiser: false },
    ...{ epoch: 3, confirmedAt: Date.now() },
  };
  /** The moment has been to Redis's clock and back. */
  const sameAdministrator = { ...administrator, confirmedAt: expect.closeTo(administrator.confirmedAt!, -2) };
  let member: string;
  const userId = randomUUID();
  beforeAll(async () => {
    stores = await openAdminStores();
    const { config } = stores;
    running.push(
      await playService('auth', config, AUTH_STAND_IN),
      await playService('events', config, EVENTS_STAND_IN),
      await serve({ name: 'admin', module: AdminModule, config: AdminConfig }, config),
    );
    caller = await openCaller(config);
    await insertAdministrator(stores.owner, { id: administrator.sub });
    member = (await insertUser(stores.owner)).id;
  });
  beforeEach(() => {
    seen.length = 0;
    refusals.length = 0;
    deafness.length = 0;
  });
  afterAll(async () => {
    caller.close();
    await Promise.all(running.map((service) => service.stop()));
    await stores.close();
  });

  const send = <Req extends object, Res>(
    message: Message<Req, Res>,
    request: Req,
    identity: Identity | null = administrator,
  ) => caller.rpc.call(message, request, { identity });
  const asked = () => seen.map(({ message }) => message);

  it.each(messagesOf('admin').map((message) => [message.name, message] as const))(
    'lets those send %s whom the table of roles lets in, and nobody else',
    async (_, message) => {
      const none = { ...administrator, sub: member, isAdmin: false };
      const organiser = { ...none, isOrganiser: true };
      const callers: Record<CallerKind, Identity | null> = {
        ...{ visitor: null, member: none, 'co-host': none, owner: administrator },
        ...{ 'other organiser': organiser, 'own organiser': organiser },
      };
      const answers: [string, string][] = [];
      for (const kind of CALLERS) {
        const code = await send(message, { isRoot: true }, callers[kind]).then(
          () => 'yes',
          (error: { code: string }) => error.code,
        );
        answers.push([kind, code === 'UNAUTHORIZED' || code === 'FORBIDDEN' ? code : 'yes']);
      }
      expect(Object.fromEntries(answers)).toEqual(whoMaySend(message.name));
    },
  );

  it.each(
    messagesOf('admin')
      .filter(({ access }) => access === 'admin')
      .map((message) => [message.name, message] as const),
  )('refuses %s to an administrator who is none any more, whatever the token says', async (_, message) => {
    const demoted = { ...administrator, sub: member };
    await expect(send(message, {}, demoted)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(seen).toEqual([]);
  });

  it.each([DeleteUser, SetUserAdmin, SetUserPassword])(
    'refuses $name to an administrator who proved long ago who they are',
    async (message) => {
      const stale = { ...administrator, confirmedAt: 0 };
      await expect(send(message as Message, {}, stale)).rejects.toMatchObject({
        code: 'FRESH_SIGN_IN_REQUIRED',
      });
      expect(seen).toEqual([]);
    },
  );

  describe('what the gateway of 1.0.0 sends', () => {
    const fields = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
    const keyed = { ...fields, id: userId };
    // in its own words, not those of the contract: name, what it grants for auth, data; then auth's answer
    const SENT: [name: string, granted: string, request: object, answer: unknown][] = [
      ['listUsers', 'list', { q: 'ada', limit: 20, sort: 'name', role: 'user' }, aPage],
      ['createUser', 'create', { ...keyed, password: 'secret', isAdmin: true }, aUser],
      ['updateUser', 'update', { ...fields, userId, isAdmin: false, version: 3 }, aUser],
      ['setPassword', 'setPassword', { userId, newPassword: 'Xy12ab34' }, aUser],
      ['setAdmin', 'setAdmin', { userId, isAdmin: true }, aUser],
      ['sendResetCode', 'sendResetCode', { userId }, undefined],
    ];
    const messageOf = (service: ServiceName, name: string): Message => ({
      ...{ service, name, access: 'admin', request: Nothing },
    });
    const sent = (name: string, granted: string, request: object) => {
      const onwards = [onward(messageOf('auth', `accounts.${granted}`), request)];
      return send({ ...messageOf('admin', `administration.${name}`), onward: () => onwards }, request);
    };

    it.each(SENT)('%s: auth’s %s is asked in the caller’s name', async (name, granted, request, answer) => {
      expect(await sent(name, granted, request)).toEqual(answer);
      expect(seen).toEqual([{ message: `accounts.${granted}`, request, caller: sameAdministrator }]);
    });

    it.each(SENT)('%s: auth’s refusal of %s is the answer', async (name, granted, request) => {
      refusals.push(new DomainError('USER_NOT_FOUND'));
      await expect(sent(name, granted, request)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    });
  });

  it('hands the events over before it deletes a user, and tells of it afterwards', async () => {
    await send(DeleteUser, { userId });
    expect(seen).toEqual([
      {
        message: HandOverEvents.name,
        request: { fromUserId: userId, toUserId: administrator.sub },
        caller: sameAdministrator,
      },
      { message: DeleteAccount.name, request: { userId }, caller: sameAdministrator },
      { message: AccountDeleted.name, request: {}, caller: sameAdministrator },
    ]);
  });

  it('hands over again what the user created meanwhile', async () => {
    refusals.push(new DomainError('USER_HAS_EVENTS'));
    await send(DeleteUser, { userId });
    expect(asked()).toEqual(
      [HandOverEvents, DeleteAccount, HandOverEvents, DeleteAccount, AccountDeleted].map(({ name }) => name),
    );
  });

  it('has deleted a user even if nobody could be told of it', async () => {
    deafness.push(new DomainError('SERVICE_UNAVAILABLE'));
    await send(DeleteUser, { userId });
    expect(asked()).toContain(AccountDeleted.name);
  });

  it('tells of it also when the answer to the deletion was lost', async () => {
    refusals.push(new DomainError('DEADLINE_EXCEEDED'));
    await expect(send(DeleteUser, { userId })).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(asked()).toContain(AccountDeleted.name);
  });

  it('gives up on a user who never stops creating events', async () => {
    refusals.push(...Array.from({ length: 3 }, () => new DomainError('USER_HAS_EVENTS')));
    await expect(send(DeleteUser, { userId })).rejects.toMatchObject({ code: 'USER_HAS_EVENTS' });
    expect(asked().filter((name) => name === DeleteAccount.name)).toHaveLength(3);
  });

  it('passes the refusals of the owners on', async () => {
    refusals.push(new DomainError('USER_NOT_FOUND'));
    await expect(send(DeleteUser, { userId })).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
  });

  it('touches nothing when administrators would delete themselves, in any letter case of the id', async () => {
    for (const id of [administrator.sub, administrator.sub.toUpperCase()])
      await expect(send(DeleteUser, { userId: id })).rejects.toMatchObject({ code: 'OWN_ACCOUNT' });
    expect(seen).toEqual([]);
  });

  it('sums up accounts and events', async () => {
    expect(await send(Summarise, {})).toEqual({
      totalEvents: 24,
      eventsThisMonth: 6,
      upcomingEvents: 9,
      nextEvents: [],
      totalUsers: 40,
      newUsers: 4,
    });
    expect(asked().sort()).toEqual([SummariseAccounts.name, SummariseEvents.name].sort());
  });

  it('has seven days of activity and counts the living replicas', async () => {
    expect(await send(GetRegistrationActivity, {})).toHaveLength(7);
    expect((await send(GetSystemStatus, {})).processes).toEqual([
      { name: 'auth', replicas: 1 },
      { name: 'events', replicas: 1 },
      { name: 'admin', replicas: 1 },
      { name: 'worker', replicas: 0 },
      { name: 'gateway', replicas: 0 },
    ]);
  });
});
