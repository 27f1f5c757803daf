import { randomUUID } from 'node:crypto';
import {
  GetRegistrationActivity,
  GetSystemStatus,
  listMessages,
  type Identity,
  type Message,
} from '@meetmark/contracts';
import { openCaller, type TestCaller } from '@meetmark/platform/testing/open-service';
import { playService } from '@meetmark/platform/testing/play-services';
import { serve } from '@meetmark/platform/testing/test-service';
import { CALLERS, type CallerKind, whoMaySend } from '@meetmark/testing/access';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { AdminConfig } from './admin.config.js';
import { AdminModule } from './admin.module.js';
import { openAdminStores, type AdminStores } from './testing/open-admin.js';

describe('the admin service', () => {
  let stores: AdminStores;
  let caller: TestCaller;
  const running: { stop(): Promise<void> }[] = [];
  const administrator: Identity = {
    ...{ sub: randomUUID(), isAdmin: true, isOrganiser: false },
    ...{ epoch: 3, confirmedAt: Date.now() },
  };
  let member: string;
  beforeAll(async () => {
    stores = await openAdminStores();
    const { config } = stores;
    running.push(
      await playService('auth', config, []),
      await playService('events', config, []),
      await serve({ name: 'admin', module: AdminModule, config: AdminConfig }, config),
    );
    caller = await openCaller(config);
    await insertAdministrator(stores.owner, { id: administrator.sub });
    member = (await insertUser(stores.owner)).id;
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

  it.each(listMessages('admin').map((message) => [message.name, message] as const))(
    'accepts %s only from the roles in the access table',
    async (_, message) => {
      const none = { ...administrator, sub: member, isAdmin: false };
      const organiser = { ...none, isOrganiser: true };
      const callers: Record<CallerKind, Identity | null> = {
        ...{ visitor: null, member: none, 'co-host': none, owner: administrator },
        ...{ 'other organiser': organiser, 'own organiser': organiser },
      };
      const answers: [string, string][] = [];
      for (const kind of CALLERS) {
        const code = await send(message, [], callers[kind]).then(
          () => 'yes',
          (error: { code: string }) => error.code,
        );
        answers.push([kind, code === 'UNAUTHORIZED' || code === 'FORBIDDEN' ? code : 'yes']);
      }
      expect(Object.fromEntries(answers)).toEqual(whoMaySend(message.name));
    },
  );

  it.each(
    listMessages('admin')
      .filter(({ access }) => access === 'admin')
      .map((message) => [message.name, message] as const),
  )('refuses %s to a non-administrator with an admin token', async (_, message) => {
    const demoted = { ...administrator, sub: member };
    await expect(send(message, {}, demoted)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('returns seven days of registration activity and counts live replicas', async () => {
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
