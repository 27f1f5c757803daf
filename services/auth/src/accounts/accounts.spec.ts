import { randomUUID } from 'node:crypto';
import {
  CodeMail,
  EmailChangedMail,
  FollowDeletedAccount,
  PasswordChangedMail,
  PromotedMail,
  RecordAudit,
  type RegistrationStatus,
  WelcomeMail,
  type UpdateUserRequest,
} from '@meetmark/contracts';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { ProfilesService } from '../profiles/profiles.service.js';
import { SignInService } from './sign-in.service.js';
import { administrationForTests } from '../testing/administration.js';
import { anAsker, callOf } from '../testing/open-auth.js';
import { AccountsService } from './accounts.service.js';

describe('administration of accounts', () => {
  const { auth, grace, ada, asGrace, session, audited } = administrationForTests();
  let service: AccountsService;
  beforeEach(() => {
    service = auth.get(AccountsService);
  });

  const update = (given: Partial<UpdateUserRequest>, as = grace) =>
    service.update(
      { userId: ada.id, email: ada.email, firstName: 'Ada', lastName: 'Lovelace', isAdmin: false, ...given },
      callOf(as),
    );

  describe('creating', () => {
    const alan = { email: 'alan@example.com', firstName: 'Alan', lastName: 'Turing', password: 'enigma' };

    it('makes a member who can sign in, welcomes them and records who did it', async () => {
      const user = await service.create(alan, asGrace());
      expect(user).toMatchObject({ email: 'alan@example.com', isAdmin: false });
      expect(JSON.stringify(user)).not.toMatch(/"password|argon|enigma/i);
      await expect(auth.get(SignInService).signIn(alan)).resolves.toMatchObject({ user: { id: user.id } });
      expect(await auth.outbox(WelcomeMail)).toEqual([{ userId: user.id }]);
      expect(await auth.outbox(RecordAudit)).toEqual([
        {
          action: 'user.created',
          actorId: grace.id,
          subjectId: user.id,
          subjectName: null,
          changed: [],
          values: {},
          at: expect.any(String),
        },
      ]);
    });

    it('answers with the account that it made when a request comes again under its id', async () => {
      const keyed = { ...alan, id: randomUUID() };
      const [first, ...others] = await Promise.all([1, 2, 3].map(() => service.create(keyed, asGrace())));
      expect(first!.id).toBe(keyed.id);
      for (const other of others) expect(other).toEqual(first);
      expect(await auth.outbox(RecordAudit)).toHaveLength(1);
      const another = service.create({ ...alan, id: randomUUID() }, asGrace());
      await expect(another).rejects.toMatchObject({ code: 'EMAIL_EXISTS' });
    });

    it('makes an administrator when asked to', async () => {
      expect(await service.create({ ...alan, isAdmin: true }, asGrace())).toMatchObject({ isAdmin: true });
    });

    it.each(['owner', 'organiser', 'member'] as const)('makes an %s when asked to', async (role) => {
      const made = await service.create({ ...alan, role }, asGrace());
      expect(made).toMatchObject({ role, isAdmin: role === 'owner' });
    });

    it('makes a member where nothing is said, in whatever way', async () => {
      const isAdmin = null as unknown as undefined; // optional fields of a body may be null
      expect(await service.create({ ...alan, isAdmin }, asGrace())).toMatchObject({ isAdmin: false });
    });

    it('refuses a taken address in any letter case, and leaves nothing behind', async () => {
      await expect(service.create({ ...alan, email: 'ADA@example.com' }, asGrace())).rejects.toMatchObject({
        code: 'EMAIL_EXISTS',
        message: 'A user with this email address already exists',
      });
      expect(await auth.outbox(RecordAudit)).toEqual([]);
    });
  });

  describe('editing', () => {
    it('changes names and address, tells the old address, and records what changed', async () => {
      const user = await update({ email: 'augusta@example.com', firstName: 'Augusta' });
      expect(user).toMatchObject({
        email: 'augusta@example.com',
        firstName: 'Augusta',
        lastName: 'Lovelace',
      });
      expect((await session(ada.id))?.user).toEqual(user);
      expect(await auth.outbox(EmailChangedMail)).toEqual([{ userId: ada.id, oldEmail: 'ada@example.com' }]);
      expect(await audited()).toEqual([['user.updated', 'email', 'firstName']]);
      const [entry] = await auth.outbox(RecordAudit);
      // tells the addresses apart and finds nobody; of names nothing is kept
      expect(entry?.values).toEqual({ email: { before: 'a…@e….com', after: 'a…@e….com' } });
    });

    it('refuses the address of another account', async () => {
      await expect(update({ email: 'GRACE@example.com' })).rejects.toMatchObject({
        code: 'EMAIL_TAKEN',
        message: 'This email address is already taken',
      });
    });

    it('keeps what is left out, the right included', async () => {
      const before = await update({ isAdmin: true });
      const user = await service.update({ userId: ada.id, lastName: 'King' }, asGrace());
      expect(user).toEqual({
        ...before,
        lastName: 'King',
        updatedAt: expect.any(String),
        version: before.version + 1,
      });
    });

    it('is refused from an older version, with who changed what: administrators and the user share one', async () => {
      const own = { firstName: 'Augusta', picture: { action: 'keep' }, asker: anAsker() } as const;
      await auth.get(ProfilesService).update({ ...own, version: 1 }, callOf(ada));
      await update({ firstName: 'Augusta', lastName: 'King', version: 2 });
      await expect(update({ firstName: 'Ada', lastName: 'Byron', version: 1 })).rejects.toMatchObject({
        code: 'EDIT_CONFLICT',
        details: {
          present: { version: 3 },
          edits: [
            { own: true, changed: ['lastName'] },
            { by: 'Augusta King', own: false, changed: ['firstName'] },
          ],
        },
      });
      expect(await update({ firstName: 'Ada', lastName: 'Byron', version: 3 })).toMatchObject({ version: 4 });
    });

    it('is repeated without harm, and wins where no version is said', async () => {
      const first = await update({ lastName: 'King', version: 1 });
      expect(await update({ lastName: 'King', version: 1 })).toMatchObject({ version: first.version });
      expect(await update({ lastName: 'Byron' })).toMatchObject({ lastName: 'Byron', version: 3 });
    });

    it('counts a change of the right, and no password, session or mail setting', async () => {
      await service.setPassword({ userId: ada.id, newPassword: 'new horse' }, asGrace());
      await auth.owner.query('UPDATE auth.users SET reminders = false, profile_version = 9');
      expect(await update({ lastName: 'King', version: 1 })).toMatchObject({ version: 2 });
      await service.setAdmin({ userId: ada.id, isAdmin: true }, asGrace());
      await expect(update({ lastName: 'Byron', version: 2 })).rejects.toMatchObject({
        details: { present: { version: 3 }, edits: [{ own: true, changed: ['isAdmin'] }] },
      });
    });

    it('gives a role, and an owner who is none any more is what they were before', async () => {
      const edit = (given: object) => service.update({ userId: ada.id, ...given }, asGrace());
      expect(await edit({ role: 'organiser' })).toMatchObject({ role: 'organiser', isAdmin: false });
      await service.setAdmin({ userId: ada.id, isAdmin: true }, asGrace());
      expect(await edit({ lastName: 'King' })).toMatchObject({ role: 'owner', isAdmin: true });
      expect(await service.setAdmin({ userId: ada.id, isAdmin: false }, asGrace())).toMatchObject({
        role: 'organiser',
      });
      expect(await edit({ role: 'owner', isAdmin: true })).toMatchObject({ role: 'owner' });
      expect(await edit({ isAdmin: false })).toMatchObject({ role: 'organiser' });
      expect(await edit({ role: 'member' })).toMatchObject({ role: 'member', isAdmin: false });
      expect(await audited()).toEqual([
        ['user.updated', 'role'],
        ['user.promoted'],
        ['user.updated', 'lastName'],
        ['user.demoted'],
        ['user.promoted'],
        ['user.demoted'],
        ['user.updated', 'role'],
      ]);
      const roles = (await auth.outbox(RecordAudit)).map(({ values }) => values?.['role']);
      expect(roles.map((role) => role && `${role.before} → ${role.after}`)).toEqual([
        'member → organiser',
        'organiser → owner',
        undefined,
        'owner → organiser',
        'organiser → owner',
        'owner → organiser',
        'organiser → member',
      ]);
    });

    it('refuses a change of the role from an older version', async () => {
      const before = await update({ lastName: 'King' });
      await service.update({ userId: ada.id, role: 'organiser' }, asGrace());
      const stale = service.update(
        { userId: ada.id, role: 'member', version: before.version, lastName: 'Byron' },
        asGrace(),
      );
      await expect(stale).rejects.toMatchObject({
        code: 'EDIT_CONFLICT',
        details: { edits: [{ own: true, changed: ['role'] }] },
      });
    });

    it('promotes and demotes on the way', async () => {
      expect(await update({ isAdmin: true })).toMatchObject({ isAdmin: true });
      expect(await update({ isAdmin: false })).toMatchObject({ isAdmin: false });
      expect(await audited()).toEqual([['user.promoted'], ['user.demoted']]);
    });

    it('records nothing when nothing changed', async () => {
      await update({});
      expect(await audited()).toEqual([]);
    });

    it('lets an administrator change their own name but not their own right', async () => {
      const own = { userId: grace.id, email: grace.email, lastName: 'Hopper' };
      expect(await update({ ...own, firstName: 'Amazing', isAdmin: true })).toMatchObject({
        firstName: 'Amazing',
      });
      await expect(update({ ...own, firstName: 'Grace', isAdmin: false })).rejects.toMatchObject({
        code: 'OWN_ACCOUNT',
      });
    });
  });

  describe('setting a password', () => {
    it('ends the sessions of the user, lets them in with the new one and says so by mail', async () => {
      const user = await service.setPassword({ userId: ada.id, newPassword: 'Xy12ab34' }, asGrace());
      expect(JSON.stringify(user)).not.toMatch(/"password|argon|Xy12ab34/i);
      expect(await session(ada.id)).toMatchObject({ epoch: 2 });
      const signIn = auth.get(SignInService).signIn({ email: ada.email, password: 'Xy12ab34' });
      await expect(signIn).resolves.toMatchObject({ epoch: 2 });
      expect(await auth.outbox(PasswordChangedMail)).toEqual([{ userId: ada.id, at: expect.any(String) }]);
      expect(await audited()).toEqual([['user.passwordSet']]);
      expect(JSON.stringify(await auth.outbox(RecordAudit))).not.toContain('Xy12ab34');
    });
  });

  describe('sending a reset code', () => {
    it('writes a code for the address of the user, and records it', async () => {
      await service.sendResetCode(ada.id, asGrace());
      const { rows } = await auth.owner.query('SELECT id, user_id, email FROM auth.code_flows');
      expect(rows).toEqual([{ id: expect.any(String), user_id: ada.id, email: ada.email }]);
      expect(await auth.outbox(CodeMail)).toEqual([{ flowId: rows[0].id }]);
      expect(await audited()).toEqual([['user.resetCodeSent']]);
    });
  });

  describe('deleting', () => {
    it('removes the account, its sessions and its codes, and records whom', async () => {
      await auth.owner.query(
        `INSERT INTO gateway.sessions (sid, sess, expire, user_id) VALUES ('s', '{}', now() + interval '1 day', $1)`,
        [ada.id],
      );
      await service.sendResetCode(ada.id, asGrace());
      await session(ada.id);
      await service.delete(ada.id, asGrace());
      expect(await session(ada.id)).toBeNull();
      const { rows } = await auth.owner.query(
        'SELECT (SELECT count(*) FROM gateway.sessions)::int AS sessions, (SELECT count(*) FROM auth.code_flows)::int AS codes',
      );
      expect(rows).toEqual([{ sessions: 0, codes: 0 }]);
      expect((await auth.outbox(RecordAudit)).at(-1)).toMatchObject({
        action: 'user.deleted',
        subjectId: ada.id,
        subjectName: null,
      });
      await expect(service.delete(ada.id, asGrace())).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    });

    it('has the worker tell once more of a deletion, and of no other', async () => {
      await expect(service.delete(randomUUID(), asGrace())).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
      expect(await auth.outbox(FollowDeletedAccount)).toEqual([]);
      await service.delete(ada.id, asGrace());
      expect(await auth.outbox(FollowDeletedAccount)).toEqual([{}]);
    });

    it('gives the place that becomes free to the first who waits, with a mail, and ends the waiting of the account', async () => {
      const people = { alan: await insertUser(auth.owner), mary: await insertUser(auth.owner) };
      const add = (
        event: { id: string },
        person: { id: string },
        status: RegistrationStatus,
        hours: number,
      ) =>
        insertRegistration(auth.owner, {
          eventId: event.id,
          userId: person.id,
          status,
          registeredAt: daysFromNow(-1 + hours / 24),
        });
      const placed = await insertEvent(auth.owner, { capacity: 1 });
      await add(placed, ada, 'registered', 0);
      await add(placed, people.mary, 'waitlisted', 2);
      const first = await add(placed, people.alan, 'waitlisted', 1);
      const waited = await insertEvent(auth.owner, { capacity: 1 });
      await add(waited, people.mary, 'registered', 0);
      await add(waited, ada, 'waitlisted', 1);

      await service.delete(ada.id, asGrace());
      const { rows } = await auth.owner.query(
        `SELECT event_id, user_id, status FROM events.event_registrations ORDER BY status, event_id`,
      );
      expect(rows).toEqual([
        { event_id: placed.id, user_id: people.alan.id, status: 'registered' },
        { event_id: waited.id, user_id: people.mary.id, status: 'registered' },
        { event_id: placed.id, user_id: people.mary.id, status: 'waitlisted' },
      ]);
      const counts = await auth.owner.query(
        'SELECT registration_count AS places, waiting_count AS waiting FROM events.events ORDER BY id',
      );
      expect(counts.rows).toEqual([
        { places: 1, waiting: 1 },
        { places: 1, waiting: 0 },
      ]);
      const mails = await auth.owner.query('SELECT payload FROM events.outbox WHERE job = $1', [
        PromotedMail.name,
      ]);
      expect(mails.rows).toEqual([
        { payload: { registrationId: first.id, registeredAt: expect.any(String) } },
      ]);
    });
  });
});
