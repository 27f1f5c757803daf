import {
  CheckMail,
  CheckMailRecords,
  CreateAccount,
  DEADLINES,
  GetSessionUser,
  ListAccounts,
  listMessages,
  RecordAudit,
  FRESH_SIGN_IN,
  SendTestMail,
  SignIn,
  SignUp,
  TestMail,
  UpdateAccount,
  type Identity,
  type Message,
} from '@meetmark/contracts';
import { openCaller, type TestCaller } from '@meetmark/platform/testing/open-service';
import { answersTo, type CallerKind, whoMaySend } from '@meetmark/testing/access';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { anAsker, openAuth, refuses, type TestAuth } from './testing/open-auth.js';

const person = { email: 'ada@example.com', password: 'secret', firstName: 'Ada', lastName: 'Lovelace' };

describe('the auth service', () => {
  let auth: TestAuth;
  let caller: TestCaller;
  let member: Identity;
  let administrator: Identity;
  let organiserId: string;
  beforeAll(async () => {
    auth = await openAuth();
    await auth.serve();
    caller = await openCaller(auth.config);
    const confirmedAt = Date.now();
    organiserId = (await insertUser(auth.owner, { isOrganiser: true })).id;
    member = { sub: (await insertUser(auth.owner)).id, isAdmin: false, epoch: 1, confirmedAt };
    administrator = { sub: (await insertAdministrator(auth.owner)).id, isAdmin: true, epoch: 1, confirmedAt };
  });
  afterAll(async () => {
    caller.close();
    await auth.close();
  });

  const send = (message: Message, identity: Identity | null, request: object = {}) =>
    caller.rpc.call(message, request, { identity });
  const messages = listMessages('auth').map((message) => [message.name, message] as const);
  const fresh = messages.filter(([, message]) => message.fresh);

  it.each(messages)('accepts %s only from the roles in the access table', async (_, message) => {
    const organiser = { ...member, sub: organiserId, isOrganiser: true };
    const callers: Record<CallerKind, Identity | null> = {
      ...{ visitor: null, member, 'co-host': member, owner: administrator },
      ...{ 'other organiser': organiser, 'own organiser': organiser },
    };
    const answers = await answersTo((kind) => send(message, callers[kind], []));
    expect(answers).toEqual(whoMaySend(message.name));
  });

  it.each(messages.filter(([, { access }]) => access === 'admin'))(
    'refuses %s to a non-administrator with an admin token',
    (_, message) => refuses('FORBIDDEN', send(message, { ...member, isAdmin: true })),
  );

  it.each(fresh)('refuses %s without a fresh sign-in', async (_, message) => {
    // One second longer than allowed, because the service knows Redis's clock only to a few milliseconds.
    const longAgo = Date.now() - FRESH_SIGN_IN[message.fresh!] - DEADLINES.gateway - 1_000;
    for (const confirmedAt of [undefined, longAgo])
      await refuses('FRESH_SIGN_IN_REQUIRED', send(message, { ...administrator, confirmedAt }));
  });

  it('requires a fresh sign-in for messages that can take over an account or its data', () => {
    expect(fresh.map(([name, message]) => [name, message.fresh])).toEqual([
      ['accounts.remove', 'administration'],
      ['accounts.setPassword', 'administration'],
      ['accounts.setAdmin', 'administration'],
      ['accounts.close', 'sensitive'],
      ['dataExports.request', 'sensitive'],
      ['secondFactors.beginTotp', 'sensitive'],
      ['secondFactors.confirmTotp', 'sensitive'],
      ['secondFactors.beginPasskey', 'sensitive'],
      ['secondFactors.confirmPasskey', 'sensitive'],
      ['secondFactors.remove', 'sensitive'],
      ['secondFactors.renewRecoveryCodes', 'sensitive'],
      ['secondFactors.removeOf', 'sensitive'],
    ]);
  });

  it.each([
    { role: 'owner', isAdmin: false },
    { role: 'member', isAdmin: true },
    { role: 'organiser', isAdmin: true },
    { role: 'root' },
    { role: null },
  ])('reports the role as invalid: %j', async (given) => {
    const refused = { code: 'VALIDATION_FAILED', details: { fields: { role: expect.any(Array) } } };
    const update = { userId: member.sub, ...given };
    await expect(send(UpdateAccount, administrator, update)).rejects.toMatchObject(refused);
    const create = { ...person, email: 'eve@example.com', ...given };
    await expect(send(CreateAccount, administrator, create)).rejects.toMatchObject(refused);
  });

  it('returns the same user for sign-up, sign-in and session, without password data', async () => {
    const request = { ...person, linkedInUrl: '', asker: anAsker(), isAdmin: true };
    const signedUp = await caller.rpc.call(SignUp, request);
    const signedIn = await caller.rpc.call(SignIn, { email: ' ADA@example.com ', password: 'secret' });
    const known = await caller.rpc.call(GetSessionUser, { userId: signedUp.user.id });
    const alan = { ...person, email: 'alan@example.com', isAdmin: false };
    const created = await caller.rpc.call(CreateAccount, alan, { identity: administrator });
    const listed = await caller.rpc.call(ListAccounts, {}, { identity: administrator });
    expect(signedUp.user.isAdmin).toBe(false);
    expect(signedIn).toEqual(signedUp);
    expect(known).toEqual(signedUp);
    expect(listed.total).toBe(5);
    const answers = JSON.stringify([signedUp, signedIn, known, created, listed]);
    expect(answers).not.toMatch(/"password|argon2|secret|hash"/i);
  });

  it.each<[string, Message, object, string]>([
    ['a password of 256 characters', SignIn, { email: 'a@b.co', password: 'x'.repeat(256) }, 'password'],
    ['an unknown sort order', ListAccounts, { sort: 'password' }, 'sort'],
    ['a page of 101', ListAccounts, { limit: 101 }, 'limit'],
    ['a short password', CreateAccount, { ...person, password: '12345' }, 'password'],
  ])('refuses %s and names the field', async (_, message, request, field) => {
    const refused = send(message, administrator, request);
    await expect(refused).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { fields: { [field]: expect.any(Array) } },
    });
  });

  it('queues a test email to the calling administrator and an audit entry', async () => {
    await caller.rpc.call(SendTestMail, {}, { identity: administrator });
    expect(await auth.outbox(TestMail)).toEqual([{ userId: administrator.sub }]);
    expect((await auth.outbox(RecordAudit)).at(-1)).toMatchObject({
      action: 'mail.testSent',
      actorId: administrator.sub,
    });
  });

  it('queues a check of the mail records and refuses an invalid selector', async () => {
    for (const selector of [null, 's1.example'])
      await caller.rpc.call(CheckMail, { selector }, { identity: administrator });
    expect(await auth.outbox(CheckMailRecords)).toEqual([{ selector: null }, { selector: 's1.example' }]);
    await expect(
      caller.rpc.call(CheckMail, { selector: '_domainkey' }, { identity: administrator }),
    ).rejects.toMatchObject({ details: { fields: { selector: [expect.any(String)] } } });
  });
});
