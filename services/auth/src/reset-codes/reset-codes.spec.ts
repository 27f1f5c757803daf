import { jest } from '@jest/globals';
import {
  PasswordChangedMail,
  RESET_CODE,
  ResetCodeMail,
  resetCodeSeal,
  type ResetPasswordRequest,
} from '@meetmark/contracts';
import { openSealedText } from '@meetmark/platform';
import { codes, outcomes, tally, until } from '@meetmark/testing';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { SessionUsersService } from '../session-users/session-users.service.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { authForTests, memberFields, RESET_CODE_SECRET } from '../testing/open-auth.js';
import { hashResetCode, isResetCode, newResetCode } from './reset-code.js';
import { ResetCodesService } from './reset-codes.service.js';

const EMAIL = 'Ada@Example.com';
/** Milliseconds: far beyond what a busy machine takes to send a statement. */
const PATIENCE = 10_000;

describe('reset codes', () => {
  const auth = authForTests();
  let service: ResetCodesService;
  let userId: string;
  beforeEach(async () => {
    service = auth.get(ResetCodesService);
    userId = (await auth.get(SignInService).signUp(memberFields({ email: EMAIL, password: 'old password' })))
      .user.id;
  });
  afterEach(() => jest.restoreAllMocks());

  /** The code of the newest mail, opened as the worker does. */
  async function mailedCode(): Promise<string> {
    const { resetTokenId } = (await auth.outbox(ResetCodeMail)).at(-1) ?? { resetTokenId: '' };
    const { rows } = await auth.owner.query<{ sealed_code: string }>(
      'SELECT sealed_code FROM auth.password_reset_tokens WHERE id = $1',
      [resetTokenId],
    );
    return openSealedText(rows[0]?.sealed_code ?? '', resetCodeSeal(resetTokenId), [RESET_CODE_SECRET]) ?? '';
  }
  async function newCode(email = EMAIL): Promise<string> {
    await service.request({ email });
    return mailedCode();
  }
  const reset = (token: string, given: Partial<ResetPasswordRequest> = {}) =>
    service.resetPassword({ email: EMAIL, token, newPassword: 'new password', ...given });
  const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  const signIn = (password: string) => auth.get(SignInService).signIn({ email: EMAIL, password });
  const invalid = {
    code: 'RESET_CODE_INVALID',
    message: 'Invalid or expired reset code',
    details: undefined,
  };

  it('change the password once, end every session and say so by mail', async () => {
    const code = await newCode();
    await reset(code, { email: 'ADA@example.COM' });
    await expect(signIn('new password')).resolves.toMatchObject({ epoch: 2 });
    await expect(signIn('old password')).rejects.toMatchObject({ code: 'CREDENTIALS_INCORRECT' });
    expect(await auth.get(SessionUsersService).get(userId)).toMatchObject({ epoch: 2 });
    expect(await auth.outbox(PasswordChangedMail)).toEqual([{ userId, at: expect.any(String) }]);
    await expect(reset(code)).rejects.toMatchObject(invalid);
  });

  it('give one success to 20 simultaneous uses of one code', async () => {
    const code = await newCode();
    const results = await codes(
      Array.from({ length: 20 }, (_, i) => reset(code, { newPassword: `password ${i}` })),
    );
    expect(tally(results)).toEqual({ ok: 1, RESET_CODE_INVALID: 19 });
    expect(await signIn(`password ${results.indexOf('ok')}`)).toMatchObject({ epoch: 2 });
  });

  it('evaluate five of 50 simultaneous guesses', async () => {
    const code = await newCode();
    const results = await outcomes(Array.from({ length: 50 }, () => reset(wrong(code))));
    expect(results).toEqual({ RESET_CODE_INVALID: 50 });
    const { rows } = await auth.owner.query('SELECT attempts FROM auth.password_reset_tokens');
    expect(rows).toEqual([{ attempts: RESET_CODE.attempts }]);
    await expect(reset(code)).rejects.toMatchObject(invalid);
  });

  it('live through four wrong tries and die of the fifth', async () => {
    const first = await newCode();
    for (let i = 0; i < 4; i += 1) await expect(reset(wrong(first))).rejects.toMatchObject(invalid);
    await reset(first);
    const code = await newCode();
    for (let i = 0; i < 5; i += 1) await expect(reset(wrong(code))).rejects.toMatchObject(invalid);
    await expect(reset(code)).rejects.toMatchObject(invalid);
  });

  it('are killed by a newer one', async () => {
    const older = await newCode();
    let newer = await newCode();
    while (newer === older) newer = await newCode();
    await expect(reset(older)).rejects.toMatchObject(invalid);
    await reset(newer);
  });

  it('end after ten minutes of the database’s time', async () => {
    const code = await newCode();
    const leave = (ms: number) =>
      auth.owner.query(`UPDATE auth.password_reset_tokens SET expires_at = now() + $1 * interval '1 ms'`, [
        ms,
      ]);
    const { rows } = await auth.owner.query(
      'SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM auth.password_reset_tokens',
    );
    expect(rows).toEqual([{ seconds: 600 }]);
    await leave(0);
    await expect(reset(code)).rejects.toMatchObject(invalid);
    await leave(60_000);
    await reset(code);
  });

  it('belong to one address', async () => {
    const code = await newCode();
    await expect(reset(code, { email: 'grace@example.com' })).rejects.toMatchObject(invalid);
    await reset(code);
  });

  it('judge the length of the new password before a try is counted', async () => {
    const code = await newCode();
    for (let i = 0; i < 6; i += 1)
      await expect(reset(code, { newPassword: '12345' })).rejects.toMatchObject({
        code: 'PASSWORD_TOO_SHORT',
      });
    await reset(code, { newPassword: '123456' });
  });

  it('take the same work for an unknown address, asked for and tried, and open nothing', async () => {
    const known = await auth.statements(() => service.request({ email: EMAIL }));
    const unknown = await auth.statements(() => service.request({ email: 'nobody@example.com' }));
    expect(unknown).toEqual(known);
    const nobodysCode = await mailedCode();

    const hashing = jest.spyOn(auth.get(PasswordHasher), 'hash');
    const tried = await auth.statements(() => expect(reset('000000')).rejects.toMatchObject(invalid));
    const email = 'nobody@example.com';
    const triedUnknown = await auth.statements(() =>
      expect(reset(wrong(nobodysCode), { email })).rejects.toMatchObject(invalid),
    );
    expect(triedUnknown).toEqual(tried);
    await expect(reset(nobodysCode, { email })).rejects.toMatchObject(invalid);
    expect(hashing).not.toHaveBeenCalled();
  });

  it('are nobody’s when the account is deleted at the moment they are asked for', async () => {
    const deletion = await auth.owner.connect();
    await deletion.query('BEGIN');
    await deletion.query('DELETE FROM auth.users');
    const asked = service.request({ email: EMAIL });
    await until('the request to wait for the deletion', PATIENCE, async () => {
      const { rowCount } = await auth.owner.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rowCount !== 0;
    });
    await deletion.query('COMMIT');
    deletion.release();
    await asked;
    const { rows } = await auth.owner.query('SELECT user_id FROM auth.password_reset_tokens');
    expect(rows).toEqual([{ user_id: null }]);
  });

  it('are stored as a keyed hash and a sealed copy, and travel in no job', async () => {
    const code = await newCode();
    const { rows } = await auth.owner.query('SELECT * FROM auth.password_reset_tokens');
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(JSON.stringify(await auth.outbox(ResetCodeMail))).not.toContain(`"${code}"`);
    expect(rows[0].token_hash).toEqual(hashResetCode(rows[0].id, code, [RESET_CODE_SECRET]));
  });

  it('still fit after the secret was rotated, and for no other row', () => {
    const hash = hashResetCode('id', '123456', ['old']);
    expect(isResetCode(hash, 'id', '123456', ['new', 'old'])).toBe(true);
    expect(isResetCode(hash, 'id', '123456', ['new'])).toBe(false);
    expect(isResetCode(hash, 'another id', '123456', ['old'])).toBe(false);
  });

  it('are six digits, leading zeros included', () => {
    const codes = Array.from({ length: 2_000 }, newResetCode);
    expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([]);
    expect(codes.some((code) => code.startsWith('0'))).toBe(true);
  });

  it('do not open an account whose address has changed meanwhile', async () => {
    const code = await newCode();
    await auth.owner.query("UPDATE auth.users SET email = 'ada@new.example.com'");
    await expect(reset(code)).rejects.toMatchObject(invalid);
    await expect(reset(code, { email: 'ada@new.example.com' })).rejects.toMatchObject(invalid);
  });
});
