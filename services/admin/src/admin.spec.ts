import { GetRegistrationActivity, GetSystemStatus, type Identity, listMessages } from '@meetmark/contracts';
import { refuses, serviceForTests } from '@meetmark/platform/testing/test-service';
import { answersTo, type CallerKind, whoMaySend } from '@meetmark/testing/access';
import { insertUser } from '@meetmark/testing/factories/users';
import { openAdmin } from './testing/open-admin.js';

describe('the admin service', () => {
  const admin = serviceForTests(async () => {
    const opened = await openAdmin();
    return { ...opened, member: (await insertUser(opened.owner)).id };
  });

  const messages = listMessages('admin').map((message) => [message.name, message] as const);

  it.each(messages)('accepts %s only from the roles in the access table', async (_, message) => {
    const owner = admin.administrator;
    const none = { ...owner, sub: admin.member, isAdmin: false };
    const organiser = { ...none, isOrganiser: true };
    const callers: Record<CallerKind, Identity | null> = {
      ...{ visitor: null, member: none, 'co-host': none, owner },
      ...{ 'other organiser': organiser, 'own organiser': organiser },
    };
    const answers = await answersTo((kind) => admin.send(message, [], callers[kind]));
    expect(answers).toEqual(whoMaySend(message.name));
  });

  it.each(messages.filter(([, { access }]) => access === 'admin'))(
    'refuses %s to a non-administrator with an admin token',
    (_, message) =>
      refuses('FORBIDDEN', admin.send(message, {}, { ...admin.administrator, sub: admin.member })),
  );

  it('returns seven days of registration activity and counts live replicas', async () => {
    expect(await admin.send(GetRegistrationActivity, {})).toHaveLength(7);
    const counts = ['auth', 'events', 'admin', 'worker', 'gateway'].map((name) => ({ name, replicas: 0 }));
    counts[2]!.replicas = 1;
    expect((await admin.send(GetSystemStatus, {})).processes).toEqual(counts);
  });
});
