import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import {
  CodeMail,
  WelcomeMail,
  RecordAudit,
  SETUP_LINK_LIFETIME,
  type SetUpRequest,
} from '@meetmark/contracts';
import { insertAdministrator, insertUser, updateRow } from '@meetmark/testing/factories/users';
import { outcomes } from '@meetmark/testing';
import { hash } from '@node-rs/argon2';
import { DataSource } from 'typeorm';
import {
  anAsker,
  authForTests,
  memberFields,
  mailedTo,
  nobody,
  openAuth,
  type TestAuth,
} from '../testing/open-auth.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { SignInService } from './sign-in.service.js';
import { createSetupToken } from '../operator-commands.js';
import { CodesService } from '../codes/codes.service.js';
import { newSetupToken, SetupService } from './setup.service.js';

const auth = authForTests();

describe('signing up and in', () => {
  let service: SignInService;
  beforeEach(() => {
    service = auth.get(SignInService);
  });
  afterEach(() => jest.restoreAllMocks());

  it('creates a member without admin rights and queues a verification email', async () => {
    const { user, epoch, version } = await service.signUp(memberFields());
    expect(user).toMatchObject({
      email: 'ada@example.com',
      firstName: 'Ada',
      isAdmin: false,
      profileImageUrl: null,
      showMe: 'linkedin',
    });
    expect({ epoch, version }).toEqual({ epoch: 1, version: 1 });
    expect(await auth.outbox(CodeMail)).toHaveLength(1);
    expect(await auth.outbox(WelcomeMail)).toEqual([]);
  });

  it('returns no password data', async () => {
    const shown = JSON.stringify([
      await service.signUp(memberFields()),
      await service.signIn(memberFields()),
    ]);
    expect(shown).not.toMatch(/"password|argon|correct horse/i);
  });

  it('stores the language of the page if it is known', async () => {
    const asker = { ...anAsker(), locale: 'de' as const };
    const { user } = await service.signUp(memberFields({ asker }));
    const other = await service.signUp(memberFields({ email: 'grace@example.com' }));
    expect([user.locale, other.user.locale]).toEqual(['de', null]);
  });

  it('does not check the strength of the password', async () => {
    await service.signUp(memberFields({ password: 'x' }));
    await expect(service.signIn(memberFields({ password: 'x' }))).resolves.toMatchObject({ epoch: 1 });
  });

  it('stores the LinkedIn URL in its normalised form', async () => {
    const { user } = await service.signUp(memberFields({ linkedInUrl: 'HTTPS:linkedin.com/in/ada' }));
    expect(user.linkedInUrl).toBe('https://linkedin.com/in/ada');
  });

  it('refuses a LinkedIn URL that is too long after encoding', async () => {
    const linkedInUrl = `https://linkedin.com/in/${'ä'.repeat(500)}`;
    await expect(service.signUp(memberFields({ linkedInUrl }))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  it('accepts only one of 20 concurrent sign-ups with the same email address', async () => {
    const emails = Array.from({ length: 20 }, (_, i) => (i % 2 ? 'ADA@example.com' : 'ada@EXAMPLE.com'));
    const results = await outcomes(emails.map((email) => service.signUp(memberFields({ email }))));
    expect(results).toEqual({ ok: 1, EMAIL_EXISTS: 19 });
    const { rows } = await auth.owner.query('SELECT count(*)::int AS users FROM auth.users');
    expect(rows).toEqual([{ users: 1 }]);
    expect(await auth.outbox(CodeMail)).toHaveLength(1);
  });

  describe('with an Idempotency-Key', () => {
    const keyed = (given = {}, idempotencyKey = 'key') => ({ ...memberFields(given), idempotencyKey });
    const conflict = { code: 'IDEMPOTENCY_CONFLICT' };

    it('returns the same account for a repeated sign-up', async () => {
      const first = await service.signUp(keyed());
      expect(await service.signUp(keyed())).toEqual(first);
      expect(await auth.outbox(CodeMail)).toHaveLength(1);
    });

    it('creates one account for twenty concurrent sign-ups', async () => {
      const users = await Promise.all(Array.from({ length: 20 }, () => service.signUp(keyed())));
      expect(new Set(users.map(({ user }) => user.id)).size).toBe(1);
      expect(await auth.outbox(CodeMail)).toHaveLength(1);
    });

    it.each([
      ['name', { firstName: 'Augusta' }],
      ['email address', { email: 'augusta@example.com' }],
      ['password', { password: 'another horse' }],
    ])('refuses the same key with another %s', async (_, other) => {
      await service.signUp(keyed());
      await expect(service.signUp(keyed(other))).rejects.toMatchObject(conflict);
    });

    it('accepts only one of two sign-ups with one key and different data', async () => {
      const both = [keyed(), keyed({ email: 'grace@example.com' })];
      expect(await outcomes(both.map((each) => service.signUp(each)))).toEqual({
        ok: 1,
        IDEMPOTENCY_CONFLICT: 1,
      });
      const { rows } = await auth.owner.query('SELECT count(*)::int AS users FROM auth.users');
      expect(rows).toEqual([{ users: 1 }]);
    });

    it('refuses an email address whose account was created without this key', async () => {
      await service.signUp(memberFields());
      await expect(service.signUp(keyed())).rejects.toMatchObject({ code: 'EMAIL_EXISTS' });
      await expect(service.signUp(keyed({}, 'other key'))).rejects.toMatchObject({ code: 'EMAIL_EXISTS' });
    });

    it('refuses a repeated sign-up after rights, second factor or password changed', async () => {
      await insertAdministrator(auth.owner);
      const { user } = await service.signUp(keyed());
      const set = (change: string) =>
        auth.owner.query(`UPDATE auth.users SET ${change} WHERE id = $1`, [user.id]);
      await set('is_admin = true');
      await expect(service.signUp(keyed())).rejects.toMatchObject(conflict);
      await set('is_admin = false, second_factor = true');
      await expect(service.signUp(keyed())).rejects.toMatchObject(conflict);
      await set('second_factor = false');
      expect((await service.signUp(keyed())).user.id).toBe(user.id);
      await set(`password_hash = '${await auth.get(PasswordHasher).hash('new horse')}'`);
      await expect(service.signUp(keyed())).rejects.toMatchObject(conflict);
    });

    it('remembers the key for a day', async () => {
      await service.signUp(keyed());
      await auth.owner.query("UPDATE auth.sign_ups SET created_at = now() - interval '1 day'");
      await expect(service.signUp(keyed())).rejects.toMatchObject({ code: 'EMAIL_EXISTS' });
      const { user } = await service.signUp(keyed({ email: 'grace@example.com' }));
      expect(await service.signUp(keyed({ email: 'grace@example.com' }))).toMatchObject({ user });
    });

    it('stores neither key nor password and forgets deleted accounts', async () => {
      const { user } = await service.signUp(keyed());
      const { rows } = await auth.owner.query('SELECT * FROM auth.sign_ups');
      expect(JSON.stringify(rows)).not.toMatch(/correct horse|"key"/);
      await auth.owner.query('DELETE FROM auth.users WHERE id = $1', [user.id]);
      expect((await auth.owner.query('SELECT * FROM auth.sign_ups')).rows).toEqual([]);
    });
  });

  it('does not confuse look-alike email domains', async () => {
    await service.signUp(memberFields({ email: 'x@gmail.com' }));
    await expect(service.signIn(memberFields({ email: 'x@gmaİl.com' }))).rejects.toMatchObject({
      code: 'CREDENTIALS_INCORRECT',
    });
  });

  it('signs in with the email address in any letter case', async () => {
    const { user } = await service.signUp(memberFields());
    await expect(
      service.signIn({ email: 'aDA@exAMPle.COM', password: 'correct horse' }),
    ).resolves.toMatchObject({
      user: { id: user.id },
    });
  });

  it('does the same work to refuse a wrong password or an unknown email address', async () => {
    await service.signUp(memberFields());
    const verify = jest.spyOn(auth.get(PasswordHasher), 'verify');
    const hashing = jest.spyOn(auth.get(PasswordHasher), 'hash');
    const refusal = {
      code: 'CREDENTIALS_INCORRECT',
      message: 'Incorrect email or password',
      details: undefined,
    };

    const wrong = await auth.statements(() =>
      expect(service.signIn(memberFields({ password: 'wrong' }))).rejects.toMatchObject(refusal),
    );
    expect(verify).toHaveBeenCalledTimes(1);
    const unknown = await auth.statements(() =>
      expect(service.signIn(memberFields({ email: 'nobody@example.com' }))).rejects.toMatchObject(refusal),
    );
    expect(verify).toHaveBeenCalledTimes(2);
    expect(hashing).not.toHaveBeenCalled();
    expect(unknown).toEqual(wrong);
  });

  it('hashes the password before it refuses a taken email address', async () => {
    await service.signUp(memberFields());
    const hashing = jest.spyOn(auth.get(PasswordHasher), 'hash');
    await expect(service.signUp(memberFields())).rejects.toMatchObject({ code: 'EMAIL_EXISTS' });
    expect(hashing).toHaveBeenCalledTimes(1);
  });

  it('upgrades an outdated password hash without ending sessions', async () => {
    const weak = await hash('correct horse', { memoryCost: 8_192, timeCost: 2, parallelism: 1 });
    const { id } = await insertUser(auth.owner, { email: 'old@example.com', passwordHash: weak });
    const session = await service.signIn({ email: 'old@example.com', password: 'correct horse' });
    expect(session.epoch).toBe(1);
    const { rows } = await auth.owner.query(
      'SELECT password_hash, session_epoch FROM auth.users WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ password_hash: expect.stringContaining('m=19456,t=2,p=1'), session_epoch: 1 }]);
    await expect(
      service.signIn({ email: 'old@example.com', password: 'correct horse' }),
    ).resolves.toMatchObject({ user: { id } });
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
    const refused = { code: 'NOT_SET_UP' };
    const accounts = async () => (await unowned.owner.query('SELECT FROM auth.users')).rowCount;

    it('nobody can sign up or create an account by code or link before setup', async () => {
      const signIns = unowned.get(SignInService);
      await expect(signIns.signUp(memberFields())).rejects.toMatchObject(refused);
      const keyed = { ...memberFields({ email: owner.email }), idempotencyKey: 'a key of this test' };
      await expect(signIns.signUp(keyed)).rejects.toMatchObject(refused);
      const codes = unowned.get(CodesService);
      const asker = anAsker();
      const person = { email: owner.email, firstName: 'Ola', lastName: 'Silva' };
      const { flow } = await codes.requestRsvp({ ...person, eventId: randomUUID(), asker });
      const { code, link } = await mailedTo(owner.email, unowned);
      await expect(codes.confirmRsvp({ flow, code: code!, asker }, nobody())).rejects.toMatchObject(refused);
      await expect(codes.confirmLink({ token: link }, nobody())).rejects.toMatchObject(refused);
      expect(await accounts()).toBe(0);
    });

    it('refuses an owner with the email address of an existing account', async () => {
      const { id } = await insertUser(unowned.owner, { email: owner.email });
      const token = await newSetupToken(unowned.get(DataSource));
      await expect(unowned.get(SetupService).setUp({ token, owner })).rejects.toMatchObject({
        code: 'EMAIL_EXISTS',
      });
      expect(await unowned.outbox(RecordAudit)).toEqual([]);
      const { rows } = await unowned.owner.query('SELECT id, is_admin FROM auth.users');
      expect(rows).toEqual([{ id, is_admin: false }]);
    });
  });

  it('creates the first owner but no second one', async () => {
    expect(await state()).toEqual({ open: true });
    const link = await createSetupToken(auth.config);
    const made = await setUp({ token: link });
    expect(made.user).toMatchObject({
      role: 'owner',
      email: owner.email,
      emailVerifiedAt: expect.any(String),
    });
    expect(await state()).toEqual({ open: false });
    const { id } = made.user;
    expect(await auth.outbox(RecordAudit)).toMatchObject([
      { action: 'user.created', actorId: id, subjectId: id },
    ]);
    expect(await auth.get(SignInService).signIn(owner)).toMatchObject({ user: { id: made.user.id } });
    await expect(setUp({ token: 'A'.repeat(22) })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(token()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('accepts the same setup request again until the owner’s sessions end', async () => {
    const link = await token();
    const made = await setUp({ token: link });
    expect((await setUp({ token: link })).user.id).toBe(made.user.id);
    for (const other of [{ password: 'another horse' }, { email: 'other@rust.example' }])
      await expect(setUp({ token: link, owner: { ...owner, ...other } })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    await updateRow(auth.owner, 'auth.users', made.user.id, { sessionEpoch: 2 });
    await expect(setUp({ token: link })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('refuses a wrong, replaced or expired setup link', async () => {
    const replaced = await token();
    const expired = await token();
    await auth.owner.query(`UPDATE auth.setup_links SET expires_at = now() - interval '1 second'`);
    for (const each of ['A'.repeat(22), replaced, expired])
      await expect(setUp({ token: each })).rejects.toMatchObject({ code: 'SETUP_LINK_INVALID' });
    expect(await state()).toEqual({ open: true });
  });

  it('keeps the setup link for a day and stores only its hash', async () => {
    const link = await token();
    const { rows } = await auth.owner.query(
      'SELECT encode(hash, $1) AS hash, expires_at - now() AS rest, row_to_json(l)::text AS row FROM auth.setup_links l',
      ['hex'],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(link);
    expect(SETUP_LINK_LIFETIME).toBe(24 * 3_600_000);
    expect(rows[0].rest).toMatchObject({ hours: 23, minutes: 59 });
  });

  it('creates one owner from ten concurrent requests', async () => {
    const link = await token();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, number) =>
        setUp({ token: link, owner: { ...owner, email: `ola${number}@rust.example` } }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await auth.owner.query('SELECT FROM auth.users WHERE is_admin')).rowCount).toBe(1);
  });

  it('refuses the setup link after an owner was created in another way', async () => {
    const link = await token();
    await insertAdministrator(auth.owner);
    await expect(setUp({ token: link })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
