import {
  AddressTakenMail,
  CodeMail,
  codeSeal,
  EmailChangedMail,
  PasswordChangedMail,
  revertSeal,
  type Asker,
  type SealedCode,
} from '@meetmark/contracts';
import { openSealedText } from '@meetmark/platform';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { ProfilesService } from '../profiles/profiles.service.js';
import { SessionUsersService } from '../users/session-user.cache.js';
import { SignInService } from '../accounts/sign-in.service.js';
import { addFactor, anAsker, authForTests, callOf, nobody, RESET_CODE_SECRET } from '../testing/open-auth.js';
import { CodesService } from './codes.service.js';

const [OLD, NEW] = ['ada@example.com', 'augusta@example.com'];
const PASSWORD = 'analytical engine';

describe('changing an address', () => {
  const auth = authForTests();
  let service: CodesService;
  let ada: UserRow;
  let browser: Asker;
  let passwordHash: string;
  beforeAll(async () => {
    passwordHash = await new PasswordHasher().hash(PASSWORD);
  });
  beforeEach(async () => {
    service = auth.get(CodesService);
    ada = await insertUser(auth.owner, { email: OLD, passwordHash });
    browser = anAsker();
  });

  const update = (email: string, currentPassword?: string, as = ada) =>
    auth
      .get(ProfilesService)
      .update(
        { email, firstName: 'Augusta', picture: { action: 'keep' }, asker: browser, currentPassword },
        callOf(as),
      );
  const now = async () => (await auth.get(SessionUsersService).get(ada.id))!;
  const open = (sealed: string | undefined, context: string) =>
    openSealedText(sealed ?? '', context, [RESET_CODE_SECRET]);
  async function mailedTo(email: string): Promise<SealedCode | null> {
    const { rows } = await auth.owner.query<{ id: string; sealed: string }>(
      'SELECT id, sealed FROM auth.code_flows WHERE email = $1 AND sealed IS NOT NULL ORDER BY created_at DESC LIMIT 1',
      [email],
    );
    const text = open(rows[0]?.sealed, codeSeal(rows[0]?.id ?? ''));
    return text === null ? null : (JSON.parse(text) as SealedCode);
  }
  async function wayBack(email = OLD): Promise<string> {
    const { rows } = await auth.owner.query<{ id: string; sealed: string }>(
      'SELECT id, sealed FROM auth.email_reverts WHERE email = $1 ORDER BY created_at DESC',
      [email],
    );
    return open(rows[0]!.sealed, revertSeal(rows[0]!.id))!;
  }
  const confirm = (code: string, call = callOf(ada)) =>
    service.confirm({ purpose: 'email', code, asker: browser }, call);
  const change = async (email = NEW) => {
    await update(email, PASSWORD);
    return confirm((await mailedTo(email))!.code!);
  };
  const invalid = { code: 'CODE_INVALID' };

  it('saves the rest at once and shows the new address as pending', async () => {
    const { user, epoch } = await update(NEW, PASSWORD);
    expect(user).toMatchObject({ email: OLD, pendingEmail: NEW, firstName: 'Augusta' });
    expect(epoch).toBe(1);
    expect(await auth.outbox(EmailChangedMail)).toEqual([]);
  });

  it('with the password needs the code that the new address is mailed', async () => {
    await update(NEW, PASSWORD);
    expect(await mailedTo(OLD)).toBeNull();
    const confirmed = await confirm((await mailedTo(NEW))!.code!);
    expect(confirmed).toMatchObject({ purpose: 'email', next: null, signsIn: false, passwordEnded: false });
    expect((await now()).user).toMatchObject({ email: NEW, pendingEmail: null, hasPassword: true });
    expect(await auth.outbox(EmailChangedMail)).toEqual([
      { userId: ada.id, oldEmail: OLD, revertId: expect.any(String) },
    ]);
  });

  it('without the password needs a code to the present address first', async () => {
    await update(NEW);
    expect(await mailedTo(NEW)).toBeNull();
    expect(await confirm((await mailedTo(OLD))!.code!)).toMatchObject({ next: 'new-address' });
    expect((await now()).user).toMatchObject({ email: OLD, pendingEmail: NEW });
    expect(await confirm((await mailedTo(NEW))!.code!)).toMatchObject({ next: null });
    expect((await now()).user.email).toBe(NEW);
  });

  it('saves nothing with a wrong password', async () => {
    await expect(update(NEW, 'wrong')).rejects.toMatchObject({
      code: 'CURRENT_PASSWORD_INCORRECT',
      message: 'Current password is incorrect',
    });
    expect((await now()).user).toMatchObject({ email: OLD, firstName: 'Ada', pendingEmail: null });
    expect(await auth.outbox(CodeMail)).toEqual([]);
  });

  it('answers alike when the address is taken, and tells its holder that they have an account', async () => {
    const grace = await insertUser(auth.owner, { email: NEW });
    const { user } = await update(NEW, PASSWORD);
    expect(user).toMatchObject({ email: OLD, pendingEmail: NEW });
    expect(await mailedTo(NEW)).toBeNull();
    expect(await auth.outbox(AddressTakenMail)).toEqual([{ userId: grace.id }]);
    expect(await service.state({ browser: browser.browser, purpose: 'email' })).toEqual({ status: 'open' });
  });

  it('fails as with a wrong code when the address was taken meanwhile', async () => {
    await update(NEW, PASSWORD);
    const { code } = (await mailedTo(NEW))!;
    await insertUser(auth.owner, { email: NEW });
    await expect(confirm(code!)).rejects.toMatchObject(invalid);
    expect((await now()).user.email).toBe(OLD);
  });

  it('can be left, and asked for again', async () => {
    await update(NEW);
    const { code } = (await mailedTo(OLD))!;
    expect((await service.cancelEmailChange(callOf(ada))).user.pendingEmail).toBeNull();
    await expect(confirm(code!)).rejects.toMatchObject(invalid);
    await expect(service.resendEmailCode({ asker: browser }, callOf(ada))).rejects.toMatchObject(invalid);
    await update(NEW, PASSWORD);
    await service.resendEmailCode({ asker: browser }, callOf(ada));
    await confirm((await mailedTo(NEW))!.code!);
    expect((await now()).user.email).toBe(NEW);
  });

  it('ends codes that were sent to the old address', async () => {
    const other = anAsker();
    await service.request({ email: OLD, purpose: 'sign-in', asker: other });
    const { code } = (await mailedTo(OLD))!;
    await change();
    const late = service.confirm({ purpose: 'sign-in', code: code!, asker: other }, nobody());
    await expect(late).rejects.toMatchObject(invalid);
  });

  it('by a link where nobody is signed in ends the password and the sessions', async () => {
    await update(NEW, PASSWORD);
    const confirmed = await service.confirmLink({ token: (await mailedTo(NEW))!.link }, nobody());
    expect(confirmed).toMatchObject({ signsIn: false, passwordEnded: true });
    expect(await now()).toMatchObject({ epoch: 2, user: { email: NEW, hasPassword: false } });
    expect(await auth.outbox(PasswordChangedMail)).toMatchObject([{ why: 'email-verified' }]);
  });

  it('takes another spelling of the same address without a word', async () => {
    expect((await update(OLD)).user.pendingEmail).toBeNull();
    expect(await auth.outbox(CodeMail)).toEqual([]);
  });

  describe('can be taken back from the old address for three days', () => {
    it('with an end to every session, to the password and to the calendar address, and a new password to choose', async () => {
      await change();
      const token = await wayBack();
      const { email, resetToken } = await service.revertEmail({ token });
      expect(email).toBe(OLD);
      expect(await now()).toMatchObject({ epoch: 2, user: { email: OLD, hasPassword: false } });
      const { rows } = await auth.owner.query('SELECT feeds_ended_at AS ended FROM auth.users');
      expect(rows).toContainEqual({ ended: expect.any(Date) });
      await service.confirmLink({ token: resetToken, newPassword: 'difference engine' }, nobody());
      await auth.get(SignInService).signIn({ email: OLD, password: 'difference engine' });
      await expect(service.revertEmail({ token })).rejects.toMatchObject(invalid);
    });

    it('with an end to the second factors and recovery codes added since, not to those of before', async () => {
      const addCode = (letter: string) =>
        auth.owner.query(
          'INSERT INTO auth.recovery_codes (user_id, code_hash) VALUES ($1, convert_to(repeat($2, 32), $3))',
          [ada.id, letter, 'UTF8'],
        );
      const left = async () =>
        (
          await auth.owner.query(
            `SELECT name FROM auth.second_factors
             UNION ALL SELECT left(convert_from(code_hash, 'UTF8'), 1) FROM auth.recovery_codes ORDER BY name`,
          )
        ).rows.map(({ name }) => name);
      await addFactor(auth, ada.id, 'mine');
      await addCode('a');
      await change();
      await addFactor(auth, ada.id, "the thief's");
      await addCode('b');
      await auth.owner.query(
        `INSERT INTO auth.second_factor_setups (user_id, kind, secret, expires_at)
         VALUES ($1, 'totp', 'x', now() + interval '1 hour')`,
        [ada.id],
      );
      await service.revertEmail({ token: await wayBack() });
      expect(await left()).toEqual(['a', 'mine']);
      expect((await now()).user).toMatchObject({ email: OLD, hasSecondFactor: true });
      expect((await auth.owner.query('SELECT FROM auth.second_factor_setups')).rowCount).toBe(0);
    });

    it('also over later changes, whose own way back ends with it', async () => {
      await change();
      const first = await wayBack();
      await change('thief@example.com');
      const second = await wayBack(NEW);
      await service.revertEmail({ token: first });
      expect((await now()).user.email).toBe(OLD);
      await expect(service.revertEmail({ token: second })).rejects.toMatchObject(invalid);
    });

    it('and not after', async () => {
      await change();
      const { rows } = await auth.owner.query(
        'SELECT round(extract(epoch FROM expires_at - created_at) / 3600)::int AS hours FROM auth.email_reverts',
      );
      expect(rows).toEqual([{ hours: 72 }]);
      await auth.owner.query('UPDATE auth.email_reverts SET expires_at = now()');
      await expect(service.revertEmail({ token: await wayBack() })).rejects.toMatchObject(invalid);
    });

    it('but an address that nobody had verified is told nothing', async () => {
      await auth.owner.query('UPDATE auth.users SET email_verified_at = NULL');
      await change();
      expect(await auth.outbox(EmailChangedMail)).toEqual([]);
      expect((await now()).user.emailVerifiedAt).not.toBeNull();
    });
  });
});
