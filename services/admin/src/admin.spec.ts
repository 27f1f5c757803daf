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
  SetUserAdmin,
  SetUserPassword,
  type Identity,
  type Message,
  type UserIdRequest,
} from '@meetmark/contracts';
import { openCaller, type TestCaller } from '@meetmark/platform/testing/open-service';
import type { LeadingMessage } from '@meetmark/platform/testing/gateway-of-1.0.0';
import { playService } from '@meetmark/platform/testing/play-services';
import { serve } from '@meetmark/platform/testing/test-service';
import { CALLERS, type CallerKind, whoMaySend } from '@meetmark/testing/access';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { AdminConfig } from './admin.config.js';
import { AdminModule } from './admin.module.js';
import { openAdminStores, type AdminStores } from './testing/open-admin.js';
import { AUTH_STAND_IN, EVENTS_STAND_IN, deafness, refusals, seen } from './testing/stand-ins.js';

/** Over the transport, between the gateway and stand-ins of the services that own what it administers. */
describe('the admin service', () => {
  let stores: AdminStores;
  let caller: TestCaller;
  const running: { stop(): Promise<void> }[] = [];
  const administrator: Identity = {
    ...{ sub: randomUUID(), isAdmin: true, isOrganiser: false },
    ...{ epoch: 3, confirmedAt: Date.now() },
  };
  /** The moment has been to Redis's clock and back, which moves it by what the calls take: by 10⁴ / 2 ms at most. */
  const sameAdministrator = { ...administrator, confirmedAt: expect.closeTo(administrator.confirmedAt!, -4) };
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

  describe('a deletion that the gateway of 1.0.0 asks for', () => {
    const deletion: LeadingMessage<UserIdRequest> = {
      ...(DeleteUser as Message<UserIdRequest>),
      onward: ({ userId: id }, { sub }) => [
        { service: 'events', name: HandOverEvents.name, data: { fromUserId: id, toUserId: sub } },
        { service: 'auth', name: DeleteAccount.name, data: { userId: id } },
        { service: 'events', name: AccountDeleted.name, data: {} },
      ],
    };
    const remove = (id: string = userId) => send(deletion, { userId: id });

    it('is passed on in the caller’s name: events first, which are told afterwards', async () => {
      await remove();
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

    it('is done even if nobody could be told of it', async () => {
      deafness.push(new DomainError('SERVICE_UNAVAILABLE'));
      await remove();
      expect(asked()).toContain(AccountDeleted.name);
    });

    it.each(['DEADLINE_EXCEEDED', 'USER_NOT_FOUND'] as const)(
      'is answered %s as auth answers, and told of, since only the answer may be lost',
      async (code) => {
        refusals.push(new DomainError(code));
        await expect(remove()).rejects.toMatchObject({ code });
        expect(asked()).toContain(AccountDeleted.name);
      },
    );

    it('touches nothing when it is of the administrator’s own account, in any letter case of the id', async () => {
      for (const id of [administrator.sub, administrator.sub.toUpperCase()])
        await expect(remove(id)).rejects.toMatchObject({ code: 'OWN_ACCOUNT' });
      expect(seen).toEqual([]);
    });
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
