import { jest } from '@jest/globals';
import { CodeMail, WelcomeMail } from '@meetmark/contracts';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { outcomes } from '@meetmark/testing';
import { hash } from '@node-rs/argon2';
import { anAsker, authForTests, memberFields } from '../testing/open-auth.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { SignInService } from './sign-in.service.js';

describe('signing up and in', () => {
  const auth = authForTests();
  let service: SignInService;
  beforeEach(() => {
    service = auth.get(SignInService);
  });
  afterEach(() => jest.restoreAllMocks());

  it('makes a member, never an administrator, and asks for the mail that verifies the address', async () => {
    const { user, epoch, version } = await service.signUp(memberFields());
    expect(user).toMatchObject({
      email: 'ada@example.com',
      firstName: 'Ada',
      isAdmin: false,
      profileImageUrl: null,
    });
    expect({ epoch, version }).toEqual({ epoch: 1, version: 1 });
    expect(await auth.outbox(CodeMail)).toHaveLength(1);
    expect(await auth.outbox(WelcomeMail)).toEqual([]);
  });

  it('shows nothing of the password', async () => {
    const shown = JSON.stringify([
      await service.signUp(memberFields()),
      await service.signIn(memberFields()),
    ]);
    expect(shown).not.toMatch(/"password|argon|correct horse/i);
  });

  it('keeps the language of the pages on which it was done, and else follows the community', async () => {
    const asker = { ...anAsker(), locale: 'de' as const };
    const { user } = await service.signUp(memberFields({ asker }));
    const other = await service.signUp(memberFields({ email: 'grace@example.com' }));
    expect([user.locale, other.user.locale]).toEqual(['de', null]);
  });

  it('sets no rule of strength on the password', async () => {
    await service.signUp(memberFields({ password: 'x' }));
    await expect(service.signIn(memberFields({ password: 'x' }))).resolves.toMatchObject({ epoch: 1 });
  });

  it('stores the LinkedIn address as browsers read it', async () => {
    const { user } = await service.signUp(memberFields({ linkedInUrl: 'HTTPS:linkedin.com/in/ada' }));
    expect(user.linkedInUrl).toBe('https://linkedin.com/in/ada');
  });

  it('refuses a LinkedIn address that grows too long when it is encoded', async () => {
    const linkedInUrl = `https://linkedin.com/in/${'ä'.repeat(500)}`;
    await expect(service.signUp(memberFields({ linkedInUrl }))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  it('lets one of 20 simultaneous sign-ups have an address, in whatever letter case', async () => {
    const emails = Array.from({ length: 20 }, (_, i) => (i % 2 ? 'ADA@example.com' : 'ada@EXAMPLE.com'));
    const results = await outcomes(emails.map((email) => service.signUp(memberFields({ email }))));
    expect(results).toEqual({ ok: 1, EMAIL_EXISTS: 19 });
    const { rows } = await auth.owner.query('SELECT count(*)::int AS users FROM auth.users');
    expect(rows).toEqual([{ users: 1 }]);
    expect(await auth.outbox(CodeMail)).toHaveLength(1);
  });

  describe('under an Idempotency-Key', () => {
    const keyed = (given = {}, idempotencyKey = 'key') => ({ ...memberFields(given), idempotencyKey });
    const conflict = { code: 'IDEMPOTENCY_CONFLICT' };

    it('is done once and ends in the same account however often it is repeated', async () => {
      const first = await service.signUp(keyed());
      expect(await service.signUp(keyed())).toEqual(first);
      expect(await auth.outbox(CodeMail)).toHaveLength(1);
    });

    it('is done once when it comes twenty times at the same moment', async () => {
      const users = await Promise.all(Array.from({ length: 20 }, () => service.signUp(keyed())));
      expect(new Set(users.map(({ user }) => user.id)).size).toBe(1);
      expect(await auth.outbox(CodeMail)).toHaveLength(1);
    });

    it.each([
      ['name', { firstName: 'Augusta' }],
      ['address', { email: 'augusta@example.com' }],
      ['password', { password: 'another horse' }],
    ])('refuses another %s under the same key', async (_, other) => {
      await service.signUp(keyed());
      await expect(service.signUp(keyed(other))).rejects.toMatchObject(conflict);
    });

    it('gives one of two different people at the same moment the key', async () => {
      const both = [keyed(), keyed({ email: 'grace@example.com' })];
      expect(await outcomes(both.map((each) => service.signUp(each)))).toEqual({
        ok: 1,
        IDEMPOTENCY_CONFLICT: 1,
      });
      const { rows } = await auth.owner.query('SELECT count(*)::int AS users FROM auth.users');
      expect(rows).toEqual([{ users: 1 }]);
    });

    it('says that an address is taken that something else made', async () => {
      await service.signUp(memberFields());
      await expect(service.signUp(keyed())).rejects.toMatchObject({ code: 'EMAIL_EXISTS' });
      await expect(service.signUp(keyed({}, 'other key'))).rejects.toMatchObject({ code: 'EMAIL_EXISTS' });
    });

    it('opens no account with a password that it has no longer, and none that has more to lose', async () => {
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

    it('knows its key for a day', async () => {
      await service.signUp(keyed());
      await auth.owner.query("UPDATE auth.sign_ups SET created_at = now() - interval '1 day'");
      await expect(service.signUp(keyed())).rejects.toMatchObject({ code: 'EMAIL_EXISTS' });
      const { user } = await service.signUp(keyed({ email: 'grace@example.com' }));
      expect(await service.signUp(keyed({ email: 'grace@example.com' }))).toMatchObject({ user });
    });

    it('keeps neither key nor password, and nothing of an account that is gone', async () => {
      const { user } = await service.signUp(keyed());
      const { rows } = await auth.owner.query('SELECT * FROM auth.sign_ups');
      expect(JSON.stringify(rows)).not.toMatch(/correct horse|"key"/);
      await auth.owner.query('DELETE FROM auth.users WHERE id = $1', [user.id]);
      expect((await auth.owner.query('SELECT * FROM auth.sign_ups')).rows).toEqual([]);
    });
  });

  it('does not take another domain for one that looks like it', async () => {
    await service.signUp(memberFields({ email: 'x@gmail.com' }));
    await expect(service.signIn(memberFields({ email: 'x@gmaİl.com' }))).rejects.toMatchObject({
      code: 'CREDENTIALS_INCORRECT',
    });
  });

  it('signs in whatever the letter case of the address', async () => {
    const { user } = await service.signUp(memberFields());
    await expect(
      service.signIn({ email: 'aDA@exAMPle.COM', password: 'correct horse' }),
    ).resolves.toMatchObject({
      user: { id: user.id },
    });
  });

  it('refuses a wrong password and an unknown address with the same words after the same work', async () => {
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

  it('hashes before it says that an address is taken', async () => {
    await service.signUp(memberFields());
    const hashing = jest.spyOn(auth.get(PasswordHasher), 'hash');
    await expect(service.signUp(memberFields())).rejects.toMatchObject({ code: 'EMAIL_EXISTS' });
    expect(hashing).toHaveBeenCalledTimes(1);
  });

  it('renews a hash that was made with less, and keeps the sessions', async () => {
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
