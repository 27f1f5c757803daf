import { jest } from '@jest/globals';
import { CodeMail, WelcomeMail, RecordAudit, type SetUpRequest } from '@meetmark/contracts';
import { insertAdministrator, insertUser, updateRow } from '@meetmark/testing/factories/users';
import { codes, outcomes } from '@meetmark/testing';
import { hash } from '@node-rs/argon2';
import { DataSource } from 'typeorm';
import {
  anAsker,
  authForTests,
  memberFields,
  nobody,
  openAuth,
  refuses,
  requestRsvp,
  type TestAuth,
} from '../testing/open-auth.js';
import { createSetupToken } from '../operator-commands.js';
import { newSetupToken, SetupService } from './setup.service.js';

const auth = authForTests();

describe('signing up and in', () => {
  afterEach(() => jest.restoreAllMocks());

  it('creates a member without admin rights and queues a verification email', async () => {
    const asker = { ...anAsker(), locale: 'de' as const };
    const request = memberFields({ linkedInUrl: 'HTTPS:linkedin.com/in/ada', asker });
    const { user, epoch, version } = await auth.signIns.signUp(request);
    expect(user).toMatchObject({
      ...{ email: 'ada@example.com', firstName: 'Ada', isAdmin: false, profileImageUrl: null },
      ...{
        linkedInUrl: 'https://linkedin.com/in/ada',
        showMe: 'linkedin',
        locale: 'de',
        emailVerifiedAt: null,
      },
    });
    expect({ epoch, version }).toEqual({ epoch: 1, version: 1 });
    expect(await auth.outbox(CodeMail)).toHaveLength(1);
    expect(await auth.outbox(WelcomeMail)).toEqual([]);
  });

  it('refuses a LinkedIn URL that is too long after encoding', async () => {
    const linkedInUrl = `https://linkedin.com/in/${'ä'.repeat(500)}`;
    await refuses('VALIDATION_FAILED', auth.signIns.signUp(memberFields({ linkedInUrl })));
  });

  const countUsers = async () => (await auth.rows('SELECT FROM auth.users')).length;

  it('accepts only one of four concurrent sign-ups with the same email address', async () => {
    const emails = ['ada@EXAMPLE.com', 'ADA@example.com', 'ada@EXAMPLE.com', 'ADA@example.com'];
    const results = await outcomes(emails.map((email) => auth.signIns.signUp(memberFields({ email }))));
    expect(results).toEqual({ ok: 1, EMAIL_EXISTS: 3 });
    expect(await countUsers()).toBe(1);
    expect(await auth.outbox(CodeMail)).toHaveLength(1);
  });

  describe('with an Idempotency-Key', () => {
    const keyed = (given = {}) => ({ ...memberFields(given), idempotencyKey: 'key' });

    it('creates one account for concurrent and repeated sign-ups', async () => {
      const users = await Promise.all([1, 2, 3, 4].map(() => auth.signIns.signUp(keyed())));
      for (const user of users) expect(user).toEqual(users[0]);
      expect(await auth.signIns.signUp(keyed())).toEqual(users[0]);
      expect(await auth.outbox(CodeMail)).toHaveLength(1);
    });

    it('refuses the same key with another name, email address or password', async () => {
      await auth.signIns.signUp(keyed());
      for (const other of [
        { firstName: 'Augusta' },
        { email: 'augusta@example.com' },
        { password: 'another horse' },
      ])
        await refuses('IDEMPOTENCY_CONFLICT', auth.signIns.signUp(keyed(other)));
    });

    it('accepts only one of two sign-ups with one key and different data', async () => {
      const both = [keyed(), keyed({ email: 'grace@example.com' })];
      expect(await outcomes(both.map((each) => auth.signIns.signUp(each)))).toEqual({
        ok: 1,
        IDEMPOTENCY_CONFLICT: 1,
      });
      expect(await countUsers()).toBe(1);
    });

    it('refuses an email address whose account was created without this key', async () => {
      await auth.signIns.signUp(memberFields());
      await refuses('EMAIL_EXISTS', auth.signIns.signUp(keyed()));
    });

    it('refuses a repeated sign-up after rights, second factor or password changed', async () => {
      await insertAdministrator(auth.owner);
      const { user } = await auth.signIns.signUp(keyed());
      const set = (change: string) =>
        auth.owner.query(`UPDATE auth.users SET ${change} WHERE id = $1`, [user.id]);
      await set('is_admin = true');
      await refuses('IDEMPOTENCY_CONFLICT', auth.signIns.signUp(keyed()));
      await set('is_admin = false, second_factor = true');
      await refuses('IDEMPOTENCY_CONFLICT', auth.signIns.signUp(keyed()));
      await set('second_factor = false');
      expect((await auth.signIns.signUp(keyed())).user.id).toBe(user.id);
      await set(`password_hash = '${await auth.hasher.hash('new horse')}'`);
      await refuses('IDEMPOTENCY_CONFLICT', auth.signIns.signUp(keyed()));
    });

    it('remembers the key for a day', async () => {
      await auth.signIns.signUp(keyed());
      await auth.owner.query("UPDATE auth.sign_ups SET created_at = now() - interval '1 day'");
      await refuses('EMAIL_EXISTS', auth.signIns.signUp(keyed()));
      const { user } = await auth.signIns.signUp(keyed({ email: 'grace@example.com' }));
      expect(await auth.signIns.signUp(keyed({ email: 'grace@example.com' }))).toMatchObject({ user });
    });

    it('stores neither key nor password and forgets deleted accounts', async () => {
      const { user } = await auth.signIns.signUp(keyed());
      const stored = () => auth.rows('SELECT * FROM auth.sign_ups');
      expect(JSON.stringify(await stored())).not.toMatch(/correct horse|"key"/);
      await auth.owner.query('DELETE FROM auth.users WHERE id = $1', [user.id]);
      expect(await stored()).toEqual([]);
    });
  });

  it('signs in with the email address in any letter case and with a weak password', async () => {
    const { user } = await auth.signIns.signUp(memberFields({ password: 'x' }));
    const session = await auth.signIns.signIn({ email: 'aDA@exAMPle.COM', password: 'x' });
    expect(session).toMatchObject({ epoch: 1, user: { id: user.id } });
  });

  it('does the same work to refuse a wrong password or an unknown email address', async () => {
    await auth.signIns.signUp(memberFields());
    const verify = jest.spyOn(auth.hasher, 'verify');
    const hashing = jest.spyOn(auth.hasher, 'hash');
    const message = 'Incorrect email or password';
    const refused = (given: { email: string } | { password: string }) =>
      auth.statements(() =>
        expect(auth.signIns.signIn(memberFields(given))).rejects.toMatchObject({
          ...{ code: 'CREDENTIALS_INCORRECT', message, details: undefined },
        }),
      );
    const wrong = await refused({ password: 'wrong' });
    expect(verify).toHaveBeenCalledTimes(1);
    const unknown = await refused({ email: 'nobody@example.com' });
    expect(verify).toHaveBeenCalledTimes(2);
    expect(hashing).not.toHaveBeenCalled();
    expect(unknown).toEqual(wrong);
  });

  it('hashes the password before it refuses a taken email address', async () => {
    await auth.signIns.signUp(memberFields());
    const hashing = jest.spyOn(auth.hasher, 'hash');
    await refuses('EMAIL_EXISTS', auth.signIns.signUp(memberFields()));
    expect(hashing).toHaveBeenCalledTimes(1);
  });

  it('upgrades an outdated password hash without ending sessions', async () => {
    const weak = await hash('correct horse', { memoryCost: 8_192, timeCost: 2, parallelism: 1 });
    const { id } = await insertUser(auth.owner, { email: 'old@example.com', passwordHash: weak });
    const signIn = () => auth.signIns.signIn({ email: 'old@example.com', password: 'correct horse' });
    expect((await signIn()).epoch).toBe(1);
    expect(
      await auth.rows('SELECT password_hash, session_epoch FROM auth.users WHERE id = $1', [id]),
    ).toEqual([{ password_hash: expect.stringContaining('m=19456,t=2,p=1'), session_epoch: 1 }]);
    const hashing = jest.spyOn(auth.hasher, 'hash');
    expect((await signIn()).user.id).toBe(id);
    expect(hashing).not.toHaveBeenCalled();
  });
});

describe('setting up a community', () => {
  const owner = { email: 'ola@rust.example', firstName: 'Ola', lastName: 'Silva', password: 'correct horse' };
  const token = () => newSetupToken(auth.get(DataSource));
  const setUp = (request: Pick<SetUpRequest, 'token'> & Partial<SetUpRequest>) =>
    auth.get(SetupService).setUp({ owner, ...request });
  const state = () => auth.get(SetupService).state();

  describe('before there is an owner', () => {
    let unowned: TestAuth;
    beforeAll(async () => (unowned = await openAuth(undefined, false)));
    afterAll(() => unowned.close());

    it('nobody can sign up or create an account by code or link before setup', async () => {
      await refuses('NOT_SET_UP', unowned.signIns.signUp(memberFields()));
      const keyed = { ...memberFields({ email: owner.email }), idempotencyKey: 'a key of this test' };
      await refuses('NOT_SET_UP', unowned.signIns.signUp(keyed));
      const asked = await requestRsvp(unowned, { email: owner.email });
      await refuses('NOT_SET_UP', unowned.codes.confirmRsvp(asked, nobody()));
      await refuses('NOT_SET_UP', unowned.codes.confirmLink({ token: asked.link }, nobody()));
      expect(await unowned.rows('SELECT FROM auth.users')).toEqual([]);
    });

    it('refuses an owner with the email address of an existing account', async () => {
      const { id } = await insertUser(unowned.owner, { email: owner.email });
      const token = await newSetupToken(unowned.get(DataSource));
      await refuses('EMAIL_EXISTS', unowned.get(SetupService).setUp({ token, owner }));
      expect(await unowned.outbox(RecordAudit)).toEqual([]);
      expect(await unowned.rows('SELECT id, is_admin FROM auth.users')).toEqual([{ id, is_admin: false }]);
    });
  });

  it('creates the first owner but no second one', async () => {
    expect(await state()).toEqual({ open: true });
    const link = await createSetupToken(auth.config);
    const made = await setUp({ token: link });
    const verified = { email: owner.email, emailVerifiedAt: expect.any(String) };
    expect(made.user).toMatchObject({ role: 'owner', ...verified });
    expect(await state()).toEqual({ open: false });
    const { id } = made.user;
    const entry = { action: 'user.created', actorId: id, subjectId: id };
    expect(await auth.outbox(RecordAudit)).toMatchObject([entry]);
    expect(await auth.signIns.signIn(owner)).toMatchObject({ user: { id } });
    await refuses('NOT_FOUND', setUp({ token: 'A'.repeat(22) }));
    await refuses('NOT_FOUND', token());
  });

  it('accepts the same setup request again until the owner’s sessions end', async () => {
    const link = await token();
    const made = await setUp({ token: link });
    expect((await setUp({ token: link })).user.id).toBe(made.user.id);
    for (const other of [{ password: 'another horse' }, { email: 'other@rust.example' }])
      await refuses('NOT_FOUND', setUp({ token: link, owner: { ...owner, ...other } }));
    await updateRow(auth.owner, 'auth.users', made.user.id, { sessionEpoch: 2 });
    await refuses('NOT_FOUND', setUp({ token: link }));
  });

  it('refuses a wrong, replaced or expired setup link', async () => {
    const replaced = await token();
    const expired = await token();
    await auth.owner.query(`UPDATE auth.setup_links SET expires_at = now() - interval '1 second'`);
    for (const each of ['A'.repeat(22), replaced, expired])
      await refuses('SETUP_LINK_INVALID', setUp({ token: each }));
    expect(await state()).toEqual({ open: true });
  });

  it('keeps the setup link for a day and stores only its hash', async () => {
    const link = await token();
    const rows = await auth.rows(
      "SELECT encode(hash, 'hex') AS hash, expires_at - now() AS rest, row_to_json(l)::text AS row FROM auth.setup_links l",
    );
    expect(rows).toEqual([
      expect.objectContaining({ rest: expect.objectContaining({ hours: 23, minutes: 59 }) }),
    ]);
    expect(JSON.stringify(rows)).not.toContain(link);
  });

  it('creates one owner from three concurrent requests', async () => {
    const link = await token();
    const emails = [1, 2, 3].map((number) => `ola${number}@rust.example`);
    const results = await codes(emails.map((email) => setUp({ token: link, owner: { ...owner, email } })));
    expect(results.filter((code) => code === 'ok')).toHaveLength(1);
    expect(await auth.rows('SELECT FROM auth.users WHERE is_admin')).toHaveLength(1);
  });

  it('refuses the setup link after an owner was created in another way', async () => {
    const link = await token();
    await insertAdministrator(auth.owner);
    await refuses('NOT_FOUND', setUp({ token: link }));
  });
});
