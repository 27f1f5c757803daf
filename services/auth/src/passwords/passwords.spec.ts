import { PasswordChangedMail, type SessionUser } from '@meetmark/contracts';
import { outcomes } from '@meetmark/testing';
import type { UserRow } from '@meetmark/testing/factories/users';
import { memberForTests } from '../testing/administration.js';
import { authForTests, createCall, refuses } from '../testing/open-auth.js';
import { PasswordHasher } from './password-hasher.js';

const EMAIL = 'ada@example.com';

describe('changing your own password', () => {
  const auth = authForTests();
  const ada = memberForTests(auth, { email: EMAIL, password: 'old password' });

  const change = (currentPassword: string, newPassword: string, as: UserRow | SessionUser = ada) =>
    auth.passwords.change({ currentPassword, newPassword }, createCall(as));
  const signIn = (password: string) => auth.signIns.signIn({ email: EMAIL, password });

  it('ends other sessions and returns the caller’s new epoch', async () => {
    const changed = await change('old password', 'new password');
    expect(changed.epoch).toBe(2);
    expect(await auth.users.get({ userId: ada.id })).toEqual(changed);
    await expect(signIn('new password')).resolves.toMatchObject({ epoch: 2 });
    await refuses('CREDENTIALS_INCORRECT', signIn('old password'));
    expect(await auth.outbox(PasswordChangedMail)).toEqual([{ userId: ada.id, at: expect.any(String) }]);
    expect(await auth.rows('SELECT feeds_ended_at AS ended FROM auth.users')).toEqual([
      { ended: expect.any(Date) },
    ]);
  });

  it.each([
    ['a wrong current password', 'wrong', 'new password', 'CURRENT_PASSWORD_INCORRECT'],
    ['the same password', 'old password', 'old password', 'PASSWORD_UNCHANGED'],
    ['the same password, typed differently', 'old password', 'old\u00a0password', 'PASSWORD_UNCHANGED'],
    ['three letters with combining accents', 'old password', 'e\u0301'.repeat(3), 'PASSWORD_TOO_SHORT'],
    ['five characters', 'old password', '12345', 'PASSWORD_TOO_SHORT'],
  ] as const)('refuses a password change: %s', async (_, current, next, code) => {
    await refuses(code, change(current, next));
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

  it('refuses a caller whose sessions ended or whose account was deleted', async () => {
    await change('old password', 'new password');
    await refuses('UNAUTHORIZED', change('new password', 'third password'));
    await auth.owner.query('DELETE FROM auth.users');
    await refuses('UNAUTHORIZED', change('new password', 'third password'));
  });
});

describe('the password hasher', () => {
  const hasher = new PasswordHasher();

  it('hashes with Argon2id, 19 MiB, two passes and one lane, and a new salt each time', async () => {
    const first = await hasher.hash('secret');
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.hash('secret')).not.toBe(first);
  });

  it('ignores how accents and spaces are encoded', async () => {
    const stored = await hasher.hash('Cafe\u0301\u2003£5');
    await expect(hasher.verify(stored, 'Café\u00a0£5')).resolves.toBe(true);
    await expect(hasher.verify(stored, 'Cafe £5')).resolves.toBe(false);
  });

  it('rejects the placeholder password for an account that does not exist', async () => {
    await expect(hasher.verify(undefined, 'nobody has this password')).resolves.toBe(false);
  });
});
