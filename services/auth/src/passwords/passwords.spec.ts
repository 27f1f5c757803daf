import { PasswordChangedMail, type SessionUser } from '@meetmark/contracts';
import { outcomes } from '@meetmark/testing';
import { hash } from '@node-rs/argon2';
import { authForTests, createCall, memberFields } from '../testing/open-auth.js';
import { SessionUsersService } from '../users/session-users.service.js';
import { PasswordsService } from './passwords.service.js';
import { SignInService } from '../accounts/sign-in.service.js';
import { PasswordHasher } from './password-hasher.js';

const EMAIL = 'ada@example.com';

describe('changing your own password', () => {
  const auth = authForTests();
  let service: PasswordsService;
  let ada: SessionUser;
  beforeEach(async () => {
    service = auth.get(PasswordsService);
    ada = await auth.get(SignInService).signUp(memberFields({ email: EMAIL, password: 'old password' }));
  });

  const change = (currentPassword: string, newPassword: string, as = ada) =>
    service.change({ currentPassword, newPassword }, createCall(as));
  const signIn = (password: string) => auth.get(SignInService).signIn({ email: EMAIL, password });

  it('ends other sessions and returns the caller’s new epoch', async () => {
    const changed = await change('old password', 'new password');
    expect(changed.epoch).toBe(2);
    expect(await auth.get(SessionUsersService).get({ userId: ada.user.id })).toEqual(changed);
    await expect(signIn('new password')).resolves.toMatchObject({ epoch: 2 });
    await expect(signIn('old password')).rejects.toMatchObject({ code: 'CREDENTIALS_INCORRECT' });
    expect(await auth.outbox(PasswordChangedMail)).toEqual([{ userId: ada.user.id, at: expect.any(String) }]);
  });

  it('ends the secret calendar URL when the password changes', async () => {
    const feeds = () => auth.owner.query('SELECT feeds_ended_at AS ended FROM auth.users');
    expect((await feeds()).rows).toEqual([{ ended: null }]);
    await change('old password', 'new password');
    expect((await feeds()).rows).toEqual([{ ended: expect.any(Date) }]);
  });

  it.each([
    [
      'a wrong current password',
      'wrong',
      'new password',
      'CURRENT_PASSWORD_INCORRECT',
      'Current password is incorrect',
    ],
    [
      'the same password again',
      'old password',
      'old password',
      'PASSWORD_UNCHANGED',
      'New password must be different from the current password',
    ],
    [
      'the same password again, typed with other characters',
      'old password',
      'old\u00a0password',
      'PASSWORD_UNCHANGED',
      'New password must be different from the current password',
    ],
    [
      'three letters with combining accents',
      'old password',
      'e\u0301'.repeat(3),
      'PASSWORD_TOO_SHORT',
      'New password must be at least 6 characters long',
    ],
    [
      'five characters',
      'old password',
      '12345',
      'PASSWORD_TOO_SHORT',
      'New password must be at least 6 characters long',
    ],
  ])('refuses a password change: %s', async (_, current, next, code, message) => {
    await expect(change(current, next)).rejects.toMatchObject({ code, message });
    await expect(signIn('old password')).resolves.toMatchObject({ epoch: 1 });
    expect(await auth.outbox(PasswordChangedMail)).toEqual([]);
  });

  it('accepts new passwords of 6 and 255 characters', async () => {
    const changed = await change('old password', '123456');
    await change('123456', 'x'.repeat(255), changed);
    await expect(signIn('x'.repeat(255))).resolves.toMatchObject({ epoch: 3 });
  });

  it('accepts only one of three simultaneous password changes', async () => {
    const results = await outcomes(
      ['first one', 'second one', 'third one'].map((next) => change('old password', next)),
    );
    expect(results.ok).toBe(1);
    expect(await auth.outbox(PasswordChangedMail)).toHaveLength(1);
  });

  it('refuses a caller whose sessions ended after the token was signed', async () => {
    await change('old password', 'new password');
    await expect(change('new password', 'third password')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('refuses a caller whose account was deleted', async () => {
    await auth.owner.query('DELETE FROM auth.users');
    await expect(change('old password', 'new password')).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('the password hasher', () => {
  const hasher = new PasswordHasher();

  it('hashes with Argon2id, 19 MiB, two passes and one lane', async () => {
    expect(await hasher.hash('secret')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('hashes the same password differently each time', async () => {
    expect(await hasher.hash('secret')).not.toBe(await hasher.hash('secret'));
  });

  it('compares all 255 characters of a long password', async () => {
    const long = 'ä'.repeat(255);
    const stored = await hasher.hash(long);
    await expect(hasher.verify(stored, long)).resolves.toBe(true);
    await expect(hasher.verify(stored, `${'ä'.repeat(254)}a`)).resolves.toBe(false);
  });

  it.each([
    ['in NFC', 'Café £5'],
    ['with combining accents', 'Cafe\u0301 £5'],
    ['with a no-break space', 'Café\u00a0£5'],
    ['with an ideographic space', 'Café\u3000£5'],
  ])('accepts the password typed %s', async (_, typed) => {
    for (const set of ['Café £5', 'Cafe\u0301\u2003£5'])
      await expect(hasher.verify(await hasher.hash(set), typed)).resolves.toBe(true);
  });

  it('distinguishes letter case, accents and character width in passwords', async () => {
    const stored = await hasher.hash('Café');
    for (const typed of ['café', 'Cafe', 'Ｃafé'])
      await expect(hasher.verify(stored, typed)).resolves.toBe(false);
  });

  it('rejects the placeholder password for an account that does not exist', async () => {
    await expect(hasher.verify(undefined, 'nobody has this password')).resolves.toBe(false);
  });

  it('recognises hashes with outdated parameters', async () => {
    const weak = await hash('secret', { memoryCost: 8_192, timeCost: 2, parallelism: 1 });
    expect(hasher.isOutdated(weak)).toBe(true);
    expect(hasher.isOutdated(await hasher.hash('secret'))).toBe(false);
  });
});
