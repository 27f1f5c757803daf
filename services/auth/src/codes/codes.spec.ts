import { jest } from '@jest/globals';
import {
  CODE,
  CodeMail,
  EmailChangedMail,
  HeldConfirmations,
  PasswordChangedMail,
  WelcomeMail,
  type Asker,
  type FlowPurpose,
  type SessionUser,
  type ConfirmedFlow,
  type RequestRsvpRequest,
} from '@meetmark/contracts';
import { beforeCommit, codes, outcomes, tally } from '@meetmark/testing';
import { insertAdministrator, insertUser, type UserRow, updateRow } from '@meetmark/testing/factories/users';
import { Secret, TOTP } from 'otpauth';
import { AccountsService } from '../accounts/accounts.service.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { SessionUsersService } from '../users/session-users.service.js';
import { SignInService } from '../accounts/sign-in.service.js';
import {
  anAsker,
  authForTests,
  createCall,
  mailedTo,
  memberFields,
  nobody,
  RESET_CODE_SECRET,
  wrong,
} from '../testing/open-auth.js';
import { hashCode, isCode, newCode } from '../flows/code-secrets.js';
import { CodesService } from './codes.service.js';
import { SecondFactorsService } from '../second-factors/second-factors.service.js';
import { SecondStepService } from '../second-factors/second-step.service.js';

const auth = authForTests();

describe('emailed codes', () => {
  const EMAIL = 'ada@example.com';
  let service: CodesService;
  beforeEach(() => (service = auth.get(CodesService)));
  afterEach(() => jest.restoreAllMocks());

  const invalid = { code: 'CODE_INVALID', message: 'Invalid or expired code', details: undefined };
  const resetInvalid = {
    code: 'RESET_CODE_INVALID',
    message: 'Invalid or expired reset code',
    details: undefined,
  };

  const mailed = (email = EMAIL) => mailedTo(email, auth);
  async function ask(asker: Asker, purpose: 'reset' | 'sign-in' = 'reset', email = EMAIL): Promise<string> {
    await service.request({ email, purpose, asker });
    return (await mailed(email)).code ?? '';
  }
  const reset = (token: string, asker: Asker, given: { email?: string; newPassword?: string } = {}) =>
    service.resetPassword({ email: EMAIL, token, newPassword: 'new password', asker, ...given }, nobody());
  const confirm = (
    purpose: Exclude<FlowPurpose, 'reset' | 'rsvp'>,
    code: string,
    asker: Asker,
    call = nobody(),
  ) => service.confirm({ purpose, code, asker }, call);
  const signIn = (password: string) => auth.get(SignInService).signIn({ email: EMAIL, password });
  const fetchUser = async (id: string) => (await auth.get(SessionUsersService).get({ userId: id }))!;
  const verifyNow = () => auth.owner.query('UPDATE auth.users SET email_verified_at = now()');

  describe('for a password reset', () => {
    let ada: SessionUser;
    let browser: Asker;
    beforeEach(async () => {
      ada = await auth.get(SignInService).signUp(memberFields({ password: 'old password' }));
      await verifyNow();
      await auth.owner.query('TRUNCATE auth.code_flows, auth.outbox');
      browser = anAsker();
    });

    it('reset the password once, end all sessions and notify the user', async () => {
      const code = await ask(browser);
      await expect(reset(code, browser)).resolves.toMatchObject({ epoch: 2 });
      await expect(signIn('new password')).resolves.toMatchObject({ epoch: 2 });
      await expect(signIn('old password')).rejects.toMatchObject({ code: 'CREDENTIALS_INCORRECT' });
      expect(await fetchUser(ada.user.id)).toMatchObject({ epoch: 2 });
      expect(await auth.outbox(PasswordChangedMail)).toEqual([
        { userId: ada.user.id, at: expect.any(String) },
      ]);
      await expect(reset(code, browser)).rejects.toMatchObject(resetInvalid);
    });

    it('stay valid after wrong guesses from other browsers', async () => {
      const code = await ask(browser);
      for (let n = 0; n < 30; n += 1)
        await expect(reset(wrong(code), anAsker(`198.51.${n}.0/24`))).rejects.toMatchObject(resetInvalid);
      await reset(code, browser);
    });

    it('stay valid when another browser requests a code', async () => {
      const code = await ask(browser);
      await ask(anAsker());
      await reset(code, browser);
    });

    it('work only in the browser that requested them', async () => {
      const code = await ask(browser);
      await expect(reset(code, anAsker())).rejects.toMatchObject(resetInvalid);
      await reset(code, browser);
    });

    it('work only once when used 20 times simultaneously', async () => {
      const code = await ask(browser);
      await auth.owner.query('UPDATE auth.code_flows SET tries = -15');
      const results = await codes(
        Array.from({ length: 20 }, (_, n) => reset(code, browser, { newPassword: `password ${n}` })),
      );
      expect(tally(results)).toEqual({ ok: 1, RESET_CODE_INVALID: 19 });
      expect(await signIn(`password ${results.indexOf('ok')}`)).toMatchObject({ epoch: 2 });
    });

    it('allow five of 50 simultaneous guesses', async () => {
      const code = await ask(browser);
      expect(await outcomes(Array.from({ length: 50 }, () => reset(wrong(code), browser)))).toEqual({
        RESET_CODE_INVALID: 50,
      });
      const { rows } = await auth.owner.query('SELECT tries FROM auth.code_flows');
      expect(rows).toEqual([{ tries: CODE.tries }]);
      await expect(reset(code, browser)).rejects.toMatchObject(resetInvalid);
    });

    it('stay valid after four wrong tries but not after a newer code', async () => {
      const first = await ask(browser);
      for (let n = 0; n < 4; n += 1)
        await expect(reset(wrong(first), browser)).rejects.toMatchObject(resetInvalid);
      let second = await ask(browser);
      while (second === first) second = await ask(browser);
      await expect(reset(first, browser)).rejects.toMatchObject(resetInvalid);
      await reset(second, browser);
    });

    it('expire after ten minutes of database time', async () => {
      const code = await ask(browser);
      const { rows } = await auth.owner.query(
        'SELECT round(extract(epoch FROM expires_at - created_at))::int AS seconds FROM auth.code_flows',
      );
      expect(rows).toEqual([{ seconds: 600 }]);
      await auth.owner.query('UPDATE auth.code_flows SET expires_at = now()');
      await expect(reset(code, browser)).rejects.toMatchObject(resetInvalid);
    });

    it('work only for the email address of the request', async () => {
      const code = await ask(browser);
      await expect(reset(code, browser, { email: 'grace@example.com' })).rejects.toMatchObject(resetInvalid);
      await reset(code, browser);
    });

    it('keep their tries if the new password is too short', async () => {
      const code = await ask(browser);
      for (let n = 0; n < 6; n += 1)
        await expect(reset(code, browser, { newPassword: '12345' })).rejects.toMatchObject({
          code: 'PASSWORD_TOO_SHORT',
        });
      await reset(code, browser, { newPassword: '123456' });
    });

    it('run the same statements for an unknown email address, but are never accepted', async () => {
      const email = 'nobody@example.com';
      const known = await auth.statements(() =>
        service.request({ email: EMAIL, purpose: 'reset', asker: browser }),
      );
      const other = anAsker();
      const unknown = await auth.statements(() => service.request({ email, purpose: 'reset', asker: other }));
      expect(unknown).toEqual(known);
      const { code } = await mailed(email);
      const hashing = jest.spyOn(auth.get(PasswordHasher), 'hash');
      const tried = await auth.statements(() =>
        expect(reset('000000', browser)).rejects.toMatchObject(resetInvalid),
      );
      const triedUnknown = await auth.statements(() =>
        expect(reset(wrong(code!), other, { email })).rejects.toMatchObject(resetInvalid),
      );
      expect(triedUnknown).toEqual(tried);
      await expect(reset(code!, other, { email })).rejects.toMatchObject(resetInvalid);
      expect(hashing).not.toHaveBeenCalled();
    });

    it('store no account id if the account is deleted during the request', async () => {
      await beforeCommit(auth.owner, ['DELETE FROM auth.users'], () =>
        service.request({ email: EMAIL, purpose: 'reset', asker: browser }),
      );
      const { rows } = await auth.owner.query('SELECT user_id FROM auth.code_flows');
      expect(rows).toEqual([{ user_id: null }]);
    });

    it('are stored only hashed or sealed, and appear in no job', async () => {
      const code = await ask(browser);
      const { link } = await mailed();
      const { rows } = await auth.owner.query('SELECT * FROM auth.code_flows');
      expect(JSON.stringify(rows)).not.toMatch(new RegExp(`"${code}"|${link}|${browser.browser}`));
      expect(JSON.stringify(await auth.outbox(CodeMail))).not.toMatch(new RegExp(`"${code}"|${link}`));
      expect(rows[0].code_hash).toEqual(hashCode(rows[0].id, code, [RESET_CODE_SECRET]));
    });

    it('stay valid while the secret that hashed them is still listed', () => {
      const hash = hashCode('id', '123456', ['old']);
      expect(isCode(hash, 'id', '123456', ['new', 'old'])).toBe(true);
      expect(isCode(hash, 'id', '123456', ['new'])).toBe(false);
      expect(isCode(hash, 'another id', '123456', ['old'])).toBe(false);
    });

    it('are six digits, leading zeros included', () => {
      const made = Array.from({ length: 2_000 }, newCode);
      expect(made.filter((code) => !/^\d{6}$/.test(code))).toEqual([]);
      expect(made.some((code) => code.startsWith('0'))).toBe(true);
    });

    it('become invalid when the account’s email address changes', async () => {
      const code = await ask(browser);
      await auth.owner.query("UPDATE auth.users SET email = 'ada@new.example.com'");
      await expect(reset(code, browser)).rejects.toMatchObject(resetInvalid);
    });

    it('come with a link that works in any browser, even after all tries', async () => {
      const code = await ask(browser);
      const { link } = await mailed();
      for (let n = 0; n < 5; n += 1)
        await expect(reset(wrong(code), browser)).rejects.toMatchObject(resetInvalid);
      const choose = (newPassword?: string) => service.confirmLink({ token: link, newPassword }, nobody());
      await expect(choose()).rejects.toMatchObject({ code: 'PASSWORD_TOO_SHORT' });
      expect(await choose('by the link')).toMatchObject({ purpose: 'reset', signsIn: false });
      await signIn('by the link');
      await expect(choose('once more')).rejects.toMatchObject(invalid);
    });

    describe('sent by an administrator', () => {
      const send = async () => {
        const grace = await insertAdministrator(auth.owner);
        await auth.get(AccountsService).sendResetCode({ userId: ada.user.id }, createCall(grace));
        return (await mailed()).code!;
      };

      it('an administrator’s code works in any browser', async () => {
        await reset(await send(), anAsker('203.0.113.0/24'));
      });

      it('an administrator’s code allows five tries for each network', async () => {
        const code = await send();
        for (let n = 0; n < 9; n += 1)
          await expect(reset(wrong(code), anAsker('198.51.100.0/24'))).rejects.toBeDefined();
        const { rows } = await auth.owner.query('SELECT tries FROM auth.code_flows');
        expect(rows).toEqual([{ tries: 5 }]);
        await expect(reset(code, anAsker('198.51.100.0/24'))).rejects.toMatchObject(resetInvalid);
        await reset(code, anAsker('203.0.113.0/24'));
      });

      it('an administrator’s code allows twenty tries in total, then only its link works', async () => {
        const code = await send();
        const { link } = await mailed();
        const guesses = Array.from({ length: 40 }, (_, n) => reset(wrong(code), anAsker(`10.0.${n}.0/24`)));
        await outcomes(guesses);
        const { rows } = await auth.owner.query('SELECT tries FROM auth.code_flows');
        expect(rows).toEqual([{ tries: 20 }]);
        await expect(reset(code, anAsker('203.0.113.0/24'))).rejects.toMatchObject(resetInvalid);
        await service.confirmLink({ token: link, newPassword: 'by the link' }, nobody());
      });
    });

    describe('requested repeatedly', () => {
      const times = async () => {
        const { rows } = await auth.owner.query<{ seconds: number; code: boolean }>(
          `SELECT round(extract(epoch FROM mail_at - created_at))::int AS seconds, code_hash IS NOT NULL AS code
         FROM auth.code_flows ORDER BY created_at, id`,
        );
        return rows;
      };

      it('are emailed immediately five times, then two minutes apart', async () => {
        for (let n = 0; n < 8; n += 1) await ask(anAsker(`10.1.${n}.0/24`));
        const seconds = (await times()).map((row) => row.seconds);
        expect(seconds.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
        for (const [at, wait] of [120, 240, 360].entries()) {
          expect(seconds[5 + at]).toBeGreaterThan(wait - 10);
          expect(seconds[5 + at]).toBeLessThanOrEqual(wait);
        }
        const { rows } = await auth.owner.query(
          "SELECT count(*)::int AS later FROM auth.outbox WHERE job = 'mail.code' AND available_at > now() + interval '100 s'",
        );
        expect(rows).toEqual([{ later: 3 }]);
      });

      it('share an email limit with other accounts of the same mailbox', async () => {
        for (let n = 1; n <= 60; n += 1) {
          await insertUser(auth.owner, { email: `victim+${n}@example.com` });
          await ask(anAsker('198.51.100.0/24'), 'sign-in', `victim+${n}@example.com`);
        }
        const { rows } = await auth.owner.query<{ email: string; now: boolean }>(
          'SELECT email, mail_at <= now() AS now FROM auth.code_flows WHERE mail_at IS NOT NULL ORDER BY mail_at',
        );
        expect(rows.map(({ email }) => email)).toEqual(
          [1, 2, 3, 4, 5, 60].map((n) => `victim+${n}@example.com`),
        );
        expect(rows.map(({ now }) => now)).toEqual([true, true, true, true, true, false]);
        const { rows: users } = await auth.owner.query(
          'SELECT count(DISTINCT user_id)::int AS users FROM auth.code_flows',
        );
        expect(users).toEqual([{ users: 60 }]);
        await ask(browser);
        expect((await times()).at(-1)!.seconds).toBe(0);
      });

      it('wait for at most one earlier email per network', async () => {
        for (let n = 0; n < 5; n += 1) await ask(anAsker());
        for (let n = 0; n < 30; n += 1) await ask(anAsker('198.51.100.0/24'));
        await ask(browser);
        expect((await times()).at(-1)!.seconds).toBeLessThanOrEqual(240);
      });

      describe('from 45 networks', () => {
        beforeEach(async () => {
          for (let n = 0; n < 45; n += 1) await ask(anAsker(`10.1.${n}.0/24`));
        });
        const waits = async (asker: Asker, purpose?: 'sign-in') => {
          await ask(asker, purpose);
          return (await times()).at(-1)!.seconds;
        };
        const known = (n = 0, network?: string): Asker => ({
          ...anAsker(network),
          device: `browser-of-ada-${n}`.padEnd(16, '-'),
        });
        const inSession = (network: string, epoch = ada.epoch) =>
          auth.owner.query(
            `INSERT INTO gateway.sessions (sid, user_id, expire, sess)
           VALUES (gen_random_uuid(), $1, now() + interval '1 hour', $2)`,
            [ada.user.id, JSON.stringify({ epoch, network })],
          );

        it('are delayed in other networks, and in known browsers of an unverified account', async () => {
          expect(await waits(anAsker('203.0.113.0/24'))).toBeGreaterThan(4_000);
          await updateRow(auth.owner, 'auth.users', ada.user.id, { emailVerifiedAt: null });
          await inSession('203.0.113.0/24');
          expect(await waits(anAsker('203.0.113.0/24'))).toBeGreaterThan(4_000);
          expect(await waits(known())).toBeGreaterThan(4_000);
        });

        it('are not delayed in a browser that has signed in before', async () => {
          expect(await waits(known())).toBe(0);
          expect(await waits(known(), 'sign-in')).toBe(0);
        });

        it('are not delayed in the network of an open session', async () => {
          await inSession('203.0.113.0/24');
          expect(await waits(anAsker('203.0.113.0/24'))).toBe(0);
        });

        it('are delayed in the network of an ended session', async () => {
          await inSession('203.0.113.0/24', ada.epoch - 1);
          expect(await waits(anAsker('203.0.113.0/24'))).toBeGreaterThan(4_000);
        });

        it('are not delayed if an administrator sends them', async () => {
          const grace = await insertAdministrator(auth.owner);
          await auth.get(AccountsService).sendResetCode({ userId: ada.user.id }, createCall(grace));
          expect((await times()).at(-1)!.seconds).toBe(0);
        });

        it('are limited separately for a known browser and its network', async () => {
          const network = '203.0.113.0/24';
          await inSession(network);
          for (let n = 0; n < 5; n += 1) expect(await waits(known(1, network))).toBe(0);
          const last = await waits(known(1, network));
          expect(last).toBeGreaterThan(100);
          expect(last).toBeLessThanOrEqual(120);
          const waiting = () =>
            auth.owner.query(
              "SELECT FROM auth.code_flows WHERE mail_at > now() AND mail_at < now() + interval '130 s'",
            );
          const { rowCount } = await waiting();
          for (let n = 0; n < 3; n += 1) await ask(anAsker(network));
          expect((await waiting()).rowCount).toBe(rowCount);
        });
      });

      it('expire ten minutes after their email is sent', async () => {
        for (let n = 0; n < 6; n += 1) await ask(anAsker(`10.1.${n}.0/24`));
        const { rows } = await auth.owner.query(
          'SELECT DISTINCT round(extract(epoch FROM expires_at - mail_at))::int AS seconds FROM auth.code_flows',
        );
        expect(rows).toEqual([{ seconds: 600 }]);
      });

      it('are omitted after 19 open codes in a day, so that only the link works', async () => {
        for (let n = 0; n < 25; n += 1) await ask(anAsker(`10.1.${n}.0/24`));
        expect((await times()).map(({ code }) => code)).toEqual([
          ...Array<boolean>(19).fill(true),
          ...Array<boolean>(6).fill(false),
        ]);
        const { code, link } = await mailed();
        expect(code).toBeNull();
        await service.confirmLink({ token: link, newPassword: 'by the link' }, nobody());
      });

      it('do not count as open once they are confirmed', async () => {
        for (let n = 0; n < 21; n += 1) {
          const code = await ask(browser, 'sign-in');
          expect(code).toMatch(/^\d{6}$/);
          await confirm('sign-in', code, browser);
        }
      });
    });
  });

  describe('for a sign-in', () => {
    let ada: UserRow;
    beforeEach(async () => {
      ada = await insertUser(auth.owner, { email: EMAIL, passwordHash: null });
    });

    it('sign in to an account without a password, but only once', async () => {
      const browser = anAsker();
      const code = await ask(browser, 'sign-in');
      expect(await service.state({ browser: browser.browser, purpose: 'sign-in' })).toEqual({
        status: 'open',
      });
      const confirmed = await confirm('sign-in', code, browser);
      expect(confirmed).toMatchObject({ purpose: 'sign-in', signsIn: true, passwordEnded: false });
      expect(confirmed.member?.user).toMatchObject({ id: ada.id, hasPassword: false });
      await expect(confirm('sign-in', code, browser)).rejects.toMatchObject(invalid);
    });

    it('show the requesting browser that the link was used in another browser', async () => {
      const browser = anAsker();
      await ask(browser, 'sign-in');
      expect(await service.confirmLink({ token: (await mailed()).link }, nobody())).toMatchObject({
        signsIn: true,
      });
      expect(await service.state({ browser: browser.browser, purpose: 'sign-in' })).toEqual({
        status: 'confirmed',
      });
      expect(await service.state({ browser: anAsker().browser, purpose: 'sign-in' })).toEqual({
        status: 'none',
      });
    });

    it('appear to be sent to an unknown email address, but are never accepted', async () => {
      const browser = anAsker();
      const code = await ask(browser, 'sign-in', 'nobody@example.com');
      expect(await service.state({ browser: browser.browser, purpose: 'sign-in' })).toEqual({
        status: 'open',
      });
      await expect(confirm('sign-in', code, browser)).rejects.toMatchObject(invalid);
    });

    it('sign-in codes work for neither verification nor a password reset', async () => {
      const browser = anAsker();
      const code = await ask(browser, 'sign-in');
      await expect(confirm('verify', code, browser)).rejects.toMatchObject(invalid);
      await expect(reset(code, browser)).rejects.toMatchObject(resetInvalid);
    });

    it('leave the account without a password until a reset sets one', async () => {
      await expect(signIn('anything')).rejects.toMatchObject({ code: 'CREDENTIALS_INCORRECT' });
      const change = { currentPassword: 'anything', newPassword: 'new password' };
      await expect(auth.get(PasswordsService).change(change, createCall(ada))).rejects.toMatchObject({
        code: 'CURRENT_PASSWORD_INCORRECT',
      });
      const browser = anAsker();
      await reset(await ask(browser), browser);
      expect((await signIn('new password')).user.hasPassword).toBe(true);
    });

    it('become invalid when the password is reset', async () => {
      const browser = anAsker();
      const code = await ask(browser, 'sign-in');
      const other = anAsker();
      await reset(await ask(other), other);
      await expect(confirm('sign-in', code, browser)).rejects.toMatchObject(invalid);
    });
  });

  describe('for verifying an email address', () => {
    let ada: SessionUser;
    let browser: Asker;
    beforeEach(async () => {
      browser = anAsker();
      ada = await auth.get(SignInService).signUp(memberFields({ password: 'a password', asker: browser }));
    });

    it('are sent at sign-up instead of a welcome email', async () => {
      expect(ada.user).toMatchObject({ emailVerifiedAt: null, hasPassword: true });
      expect(await auth.outbox(WelcomeMail)).toEqual([]);
      expect(await auth.outbox(CodeMail)).toHaveLength(1);
    });

    it('keep the session and password if the browser is signed in', async () => {
      const confirmed = await confirm('verify', (await mailed()).code!, browser, createCall(ada));
      expect(confirmed).toMatchObject({ signsIn: false, passwordEnded: false, member: { epoch: 1 } });
      expect(confirmed.member?.user.emailVerifiedAt).not.toBeNull();
      await signIn('a password');
      expect(await auth.outbox(WelcomeMail)).toEqual([{ userId: ada.user.id, passwordEnded: false }]);
      expect(await auth.outbox(HeldConfirmations)).toEqual([{ userId: ada.user.id }]);
    });

    it('can be requested again until the address is verified', async () => {
      const other = anAsker();
      await service.requestVerification({ asker: other }, createCall(ada));
      await confirm('verify', (await mailed()).code!, other, createCall(ada));
      await expect(service.requestVerification({ asker: other }, createCall(ada))).rejects.toMatchObject({
        code: 'EMAIL_VERIFIED',
      });
    });

    it('keep the password when an earlier link is opened after verification', async () => {
      const { link } = await mailed();
      const other = anAsker();
      await service.requestVerification({ asker: other }, createCall(ada));
      await confirm('verify', (await mailed()).code!, other, createCall(ada));
      expect(await service.confirmLink({ token: link }, nobody())).toMatchObject({ passwordEnded: false });
      await signIn('a password');
    });

    it('are not needed when an administrator set the email address', async () => {
      const grace = await insertAdministrator(auth.owner);
      const { id } = await auth
        .get(AccountsService)
        .create(
          { email: 'alan@example.com', firstName: 'Alan', lastName: 'Turing', password: 'enigma' },
          createCall(grace),
        );
      expect((await fetchUser(id)).user.emailVerifiedAt).not.toBeNull();
      await auth
        .get(AccountsService)
        .update({ userId: ada.user.id, email: 'ada@new.example.com' }, createCall(grace));
      expect((await fetchUser(ada.user.id)).user.emailVerifiedAt).not.toBeNull();
      expect(await auth.outbox(EmailChangedMail)).toEqual([]);
    });
  });
});

const EMAIL = 'vera@example.com';
const EVENT = '0197f000-0000-7000-8000-00000000000a';

describe('the code for a message to a host', () => {
  let service: CodesService;
  let browser: Asker;
  beforeEach(() => {
    service = auth.get(CodesService);
    browser = anAsker();
  });

  const ask = async (email = EMAIL, asker = browser) => {
    const { flow } = await service.requestContact({ email, eventId: EVENT, asker });
    return { flow, code: (await mailedTo(email, auth)).code ?? '', asker };
  };
  const proved = async () => (await auth.owner.query('SELECT * FROM auth.proved_contact')).rows;

  it('verifies the email address for the event without creating an account', async () => {
    const asked = await ask();
    expect(await proved()).toEqual([]);
    const { proof } = await service.confirmContact(asked);
    expect(await proved()).toEqual([{ id: proof, event_id: EVENT, email: EMAIL }]);
    expect((await auth.owner.query('SELECT FROM auth.users')).rowCount).toBe(0);
  });

  it('runs the same statements whether or not the email address has an account', async () => {
    await insertUser(auth.owner, { email: EMAIL });
    const work = (email: string) =>
      auth.statements(() =>
        service.requestContact({ email, eventId: EVENT, asker: anAsker() }).then(() => undefined),
      );
    const known = await work(EMAIL);
    expect(await work('nobody@example.com')).toEqual(known);
    expect(await auth.outbox(CodeMail)).toHaveLength(2);
  });

  it('can be reused in its browser until it expires or five tries fail', async () => {
    const asked = await ask();
    const once = await service.confirmContact(asked);
    expect(await service.confirmContact(asked)).toEqual(once);
    const other = await ask('otto@example.com');
    const wrong = { ...other, code: other.code === '000000' ? '000001' : '000000' };
    const tries = [{ ...other, asker: anAsker() }, ...Array<typeof wrong>(CODE.tries).fill(wrong), other];
    for (const each of tries) expect(await codes([service.confirmContact(each)])).toEqual(['CODE_INVALID']);
    await auth.owner.query(`UPDATE auth.code_flows SET expires_at = now() - interval '1 second'`);
    expect(await codes([service.confirmContact(asked)])).toEqual(['CODE_INVALID']);
  });

  it('is replaced by a newer code in the same browser', async () => {
    const first = await ask();
    const second = await ask();
    expect(await codes([service.confirmContact(first)])).toEqual(['CODE_INVALID']);
    expect(await codes([service.confirmContact(second)])).toEqual(['ok']);
  });

  it('signs no one in, neither through its link nor as another kind of code', async () => {
    await insertUser(auth.owner, { email: EMAIL });
    const { code, flow } = await ask();
    const { link } = await mailedTo(EMAIL, auth);
    const tried = [
      service.confirmLink({ token: link }, nobody()),
      service.confirmRsvp({ flow, code, asker: browser }, nobody()),
      service.confirm({ purpose: 'sign-in', code, asker: browser }, nobody()),
      service.resetPassword(
        { email: EMAIL, token: code, newPassword: 'a new one', asker: browser },
        nobody(),
      ),
    ];
    expect(await codes(tried)).toEqual([
      'CODE_INVALID',
      'CODE_INVALID',
      'CODE_INVALID',
      'RESET_CODE_INVALID',
    ]);
  });

  it('is not emailed when the address has too many open codes', async () => {
    for (let asked = 0; asked < CODE.openPerDay; asked += 1)
      await service.requestContact({ email: EMAIL, eventId: EVENT, asker: anAsker() });
    const before = (await auth.outbox(CodeMail)).length;
    await service.requestContact({ email: EMAIL, eventId: EVENT, asker: browser });
    expect((await auth.outbox(CodeMail)).length).toBe(before);
  });
});

describe('a registration by code', () => {
  const EMAIL = 'ada@example.com';
  const OTHER_EVENT = '0197f000-0000-7000-8000-00000000000b';

  const invalid = { code: 'CODE_INVALID', message: 'Invalid or expired code', details: undefined };
  let service: CodesService;
  let browser: Asker;
  beforeEach(() => {
    service = auth.get(CodesService);
    browser = anAsker();
  });

  interface Asked {
    flow: string;
    code: string;
    asker: Asker;
  }
  async function ask(given: Partial<RequestRsvpRequest> = {}): Promise<Asked> {
    const person = { email: EMAIL, firstName: 'Augusta', lastName: 'King' };
    const request = { ...person, eventId: EVENT, asker: browser, ...given };
    const { flow } = await service.requestRsvp(request);
    return { flow, code: (await mailedTo(request.email, auth)).code ?? '', asker: request.asker };
  }
  const confirm = (asked: Asked, call = nobody()) => service.confirmRsvp(asked, call);
  const readLink = async () => (await mailedTo(EMAIL, auth)).link;
  const useLink = async () => service.confirmLink({ token: await readLink() }, nobody());
  const users = async () =>
    (await auth.owner.query<{ id: string; email: string }>('SELECT id, email FROM auth.users')).rows;
  const state = (flow?: string) => service.state({ browser: browser.browser, purpose: 'rsvp', flow });
  const withPassword = () =>
    auth.get(SignInService).signUp(memberFields({ email: EMAIL, password: 'a password' }));

  describe('the request', () => {
    it('runs the same statements and returns the same with or without an account', async () => {
      await insertUser(auth.owner, { email: EMAIL });
      const answers: object[] = [];
      const work = (email: string) =>
        auth.statements(async () => {
          const person = { email, firstName: 'Augusta', lastName: 'King' };
          answers.push(await service.requestRsvp({ ...person, eventId: EVENT, asker: anAsker() }));
        });
      const known = await work(EMAIL);
      expect(await work('nobody@example.com')).toEqual(known);
      expect(answers).toEqual(Array(2).fill({ flow: expect.stringMatching(/^[\w-]{22}$/) }));
      expect(await auth.outbox(CodeMail)).toHaveLength(2);
    });

    it('creates no account and stores code and link only hashed or sealed', async () => {
      const { code } = await ask();
      const link = await readLink();
      expect(await users()).toEqual([]);
      const { rows } = await auth.owner.query('SELECT * FROM auth.code_flows');
      expect(JSON.stringify(rows)).not.toMatch(new RegExp(`"${code}"|${link}|${browser.browser}`));
      expect(JSON.stringify(await auth.outbox(CodeMail))).not.toMatch(new RegExp(`"${code}"|${link}`));
    });

    it('replaces only the browser’s earlier code for the same event', async () => {
      const [first, elsewhere] = [await ask(), await ask({ eventId: OTHER_EVENT })];
      const again = await ask();
      await expect(confirm(first)).rejects.toMatchObject(invalid);
      expect((await confirm(elsewhere)).wanted).toMatchObject({ eventId: OTHER_EVENT });
      expect((await confirm(again)).wanted).toMatchObject({ eventId: EVENT });
    });
  });

  describe('the confirmation', () => {
    it('creates a verified account without a password and returns the pending registration', async () => {
      const confirmed = await confirm(
        await ask({ showMe: 'no', waitlist: true, answers: { [EVENT]: 'Nuts' } }),
      );
      expect(confirmed).toMatchObject({
        ...{ purpose: 'rsvp', signsIn: true, next: null, passwordEnded: false },
        wanted: { eventId: EVENT, showMe: 'no', waitlist: true, answers: { [EVENT]: 'Nuts' } },
        member: {
          epoch: 1,
          user: {
            ...{ email: EMAIL, firstName: 'Augusta', lastName: 'King', showMe: 'linkedin' },
            ...{ hasPassword: false, isAdmin: false, emailVerifiedAt: expect.any(String) },
          },
        },
      });
      const { user } = confirmed.member!;
      expect((await auth.get(SessionUsersService).get({ userId: user.id }))?.user).toEqual(user);
      expect(await auth.outbox(WelcomeMail)).toEqual([{ userId: user.id }]);
    });

    it('stores the language of the page for a new account but not for an existing one', async () => {
      const asker = { ...anAsker(), locale: 'de' as const };
      await ask({ asker });
      expect((await useLink()).member!.user.locale).toBe('de');
      const english = { ...anAsker(), locale: 'en-GB' as const };
      expect((await confirm(await ask({ asker: english }))).member!.user.locale).toBe('de');
    });

    it('returns no answers and no profile choice if the request had none', async () => {
      expect((await confirm(await ask())).wanted).toEqual({
        eventId: EVENT,
        waitlist: false,
        showMe: undefined,
      });
    });

    it('signs in to the existing account and ignores the typed name', async () => {
      const ada = await insertUser(auth.owner, { email: EMAIL });
      const confirmed = await confirm(await ask());
      expect(confirmed).toMatchObject({
        member: { epoch: 1, user: { id: ada.id, firstName: 'Ada', lastName: 'Lovelace' } },
        passwordEnded: false,
      });
      expect(await users()).toHaveLength(1);
    });

    it('verifies an account created after the request and ends its password', async () => {
      const asked = await ask();
      const intruder = await withPassword();
      expect(await confirm(asked)).toMatchObject({
        passwordEnded: true,
        member: { epoch: 2, user: { id: intruder.user.id, hasPassword: false } },
      });
    });

    it('rejects a wrong or expired code, another flow or another browser', async () => {
      const asked = await ask();
      const other = await ask({ eventId: OTHER_EVENT, asker: anAsker() });
      for (const given of [
        { code: wrong(asked.code) },
        { flow: other.flow },
        { flow: 'A'.repeat(22) },
        { asker: anAsker() },
        { asker: other.asker },
      ])
        await expect(confirm({ ...asked, ...given })).rejects.toMatchObject(invalid);
      await auth.owner.query('UPDATE auth.code_flows SET expires_at = now(), link_expires_at = now()');
      await expect(confirm(asked)).rejects.toMatchObject(invalid);
      await expect(useLink()).rejects.toMatchObject(invalid);
      expect(await users()).toEqual([]);
    });

    it('allows five tries that other browsers cannot use up', async () => {
      const asked = await ask();
      for (let n = 0; n < 30; n += 1)
        await expect(
          confirm({ ...asked, code: wrong(asked.code), asker: anAsker(`10.0.${n}.0/24`) }),
        ).rejects.toMatchObject(invalid);
      for (let n = 0; n < CODE.tries - 1; n += 1)
        await expect(confirm({ ...asked, code: wrong(asked.code) })).rejects.toMatchObject(invalid);
      await confirm(asked);
      const again = await ask({ email: 'grace@example.com' });
      for (let n = 0; n < CODE.tries; n += 1)
        await expect(confirm({ ...again, code: wrong(again.code) })).rejects.toMatchObject(invalid);
      await expect(confirm(again)).rejects.toMatchObject(invalid);
    });

    it('accepts only registration codes, which work for nothing else', async () => {
      const asked = await ask();
      await insertUser(auth.owner, { email: EMAIL });
      const other = { purpose: 'sign-in', code: asked.code, asker: browser } as const;
      await expect(service.confirm(other, nobody())).rejects.toMatchObject(invalid);
      const reset = { email: EMAIL, token: asked.code, newPassword: 'new password', asker: browser };
      await expect(service.resetPassword(reset, nobody())).rejects.toMatchObject({
        code: 'RESET_CODE_INVALID',
      });
      await service.request({ email: EMAIL, purpose: 'sign-in', asker: browser });
      const { code } = await mailedTo(EMAIL, auth);
      if (code !== asked.code)
        await expect(confirm({ ...asked, code: code! })).rejects.toMatchObject(invalid);
    });

    it('creates one account for twenty simultaneous uses of one code', async () => {
      const asked = await ask();
      await auth.owner.query('UPDATE auth.code_flows SET tries = -20');
      const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(asked)));
      expect(await users()).toHaveLength(1);
      expect(new Set(answers.map(({ member }) => member?.user.id)).size).toBe(1);
      expect(await auth.outbox(WelcomeMail)).toHaveLength(1);
    });

    it('rejects the code once the account is deleted', async () => {
      await insertUser(auth.owner, { email: EMAIL });
      const asked = await ask();
      await auth.owner.query('DELETE FROM auth.users');
      await expect(confirm(asked)).rejects.toMatchObject(invalid);
    });

    it('creates a new account if the existing one changed its email address', async () => {
      await insertUser(auth.owner, { email: EMAIL });
      const asked = await ask();
      await auth.owner.query("UPDATE auth.users SET email = 'ada@new.example.com'");
      expect((await confirm(asked)).member?.user).toMatchObject({ email: EMAIL, firstName: 'Augusta' });
      expect(await users()).toHaveLength(2);
    });
  });

  describe('a repeated confirmation', () => {
    let asked: Asked;
    let first: ConfirmedFlow;
    beforeEach(async () => {
      asked = await ask();
      first = await confirm(asked);
    });

    it('returns the same answer to the confirming browser while it is signed out', async () => {
      expect(await confirm(asked)).toEqual(first);
      await expect(confirm(asked, createCall(first.member!))).rejects.toMatchObject(invalid);
      expect(await auth.outbox(WelcomeMail)).toHaveLength(1);
    });

    it.each([
      ['another browser', () => ({ asker: anAsker() })],
      ['another code', () => ({ code: wrong(asked.code) })],
    ])('rejects %s', async (_, given) => {
      await expect(confirm({ ...asked, ...given() })).rejects.toMatchObject(invalid);
    });

    it('rejects the code after the account’s sessions ended or the code expired', async () => {
      const end = 'UPDATE auth.users SET session_epoch = session_epoch + $1';
      await auth.owner.query(end, [1]);
      await expect(confirm(asked)).rejects.toMatchObject(invalid);
      await auth.owner.query(end, [-1]);
      await auth.owner.query('UPDATE auth.code_flows SET expires_at = now()');
      await expect(confirm(asked)).rejects.toMatchObject(invalid);
    });

    it('allows five more tries after the first confirmation', async () => {
      const results = await codes(
        Array.from({ length: 20 }, () => confirm({ ...asked, code: wrong(asked.code) })),
      );
      expect(tally(results)).toEqual({ CODE_INVALID: 20 });
      await expect(confirm(asked)).rejects.toMatchObject(invalid);
      const { rows } = await auth.owner.query('SELECT tries FROM auth.code_flows');
      expect(rows).toEqual([{ tries: 2 * CODE.tries }]);
    });
  });

  describe('the link in the email', () => {
    it('works once in any browser and updates the requesting browser’s state', async () => {
      const asked = await ask({ waitlist: true });
      expect(await state()).toEqual({ status: 'open' });
      const token = await readLink();
      const confirmed = await service.confirmLink({ token }, nobody());
      expect(confirmed).toMatchObject({
        ...{ purpose: 'rsvp', signsIn: true, wanted: { eventId: EVENT, waitlist: true } },
        member: { user: { email: EMAIL, hasPassword: false } },
      });
      expect([await state(), await state(asked.flow)]).toEqual(Array(2).fill({ status: 'confirmed' }));
      await expect(confirm(asked)).rejects.toMatchObject(invalid);
      for (const used of [token, 'A'.repeat(22)])
        await expect(service.confirmLink({ token: used }, nobody())).rejects.toMatchObject(invalid);
    });

    it('keeps a separate state for each flow of a browser', async () => {
      const here = await ask();
      const there = await ask({ eventId: OTHER_EVENT });
      await confirm(here);
      expect(await state(here.flow)).toEqual({ status: 'confirmed' });
      expect(await state(there.flow)).toEqual({ status: 'open' });
      expect(await service.state({ browser: anAsker().browser, purpose: 'rsvp', flow: here.flow })).toEqual({
        status: 'none',
      });
    });
  });

  describe('the link of a request with typed choices', () => {
    const question = '0197f000-0000-7000-8000-000000000001';
    const typed = {
      showMe: 'linkedin',
      waitlist: true,
      answers: { [question]: 'typed by a stranger' },
    } as const;
    const press = async (asker: Asker, chosen: object = {}) =>
      service.confirmLink({ token: await readLink(), asker, ...chosen }, nobody());

    it('applies the choices in the browser where they were typed', async () => {
      await ask(typed);
      const { wanted, member } = await press(browser);
      expect(wanted).toEqual({ eventId: EVENT, ...typed });
      expect(member!.user).toMatchObject({ firstName: 'Augusta', lastName: 'King' });
    });

    it('ignores the choices for an existing account in another browser', async () => {
      const ada = await insertUser(auth.owner, { email: EMAIL });
      await ask(typed);
      const { wanted, member } = await press(anAsker());
      expect(wanted).toEqual({ eventId: EVENT, waitlist: false });
      expect(member!.user).toMatchObject({ id: ada.id, firstName: 'Ada' });
    });

    it('asks for a name in another browser before it creates an account', async () => {
      await ask({ ...typed, firstName: 'Win £500', lastName: 'at evil.example' });
      const elsewhere = anAsker();
      const fields = { firstName: ['First name is required'], lastName: ['Last name is required'] };
      await expect(press(elsewhere)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { fields },
      });
      await expect(press(elsewhere, { firstName: 'Ada' })).rejects.toMatchObject({
        details: { fields: { lastName: fields.lastName } },
      });
      expect(await users()).toEqual([]);
      const chosen = { showMe: 'no', waitlist: true, answers: { [question]: 'mine' } } as const;
      const { wanted, member } = await press(elsewhere, {
        firstName: 'Ada',
        lastName: 'Lovelace',
        ...chosen,
      });
      expect(member!.user).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' });
      expect(wanted).toEqual({ eventId: EVENT, ...chosen });
    });

    it('prefers choices made on the page to those typed before', async () => {
      await ask(typed);
      expect((await press(browser, { showMe: 'no' })).wanted).toMatchObject({ ...typed, showMe: 'no' });
    });

    it('applies the choices if an older gateway does not identify the browser', async () => {
      await ask(typed);
      expect((await useLink()).wanted).toMatchObject(typed);
    });
  });

  describe('a second factor', () => {
    it('keeps the pending registration until the second step is complete', async () => {
      const ada = await insertUser(auth.owner, { email: EMAIL });
      const factors = auth.get(SecondFactorsService);
      const { secret } = await factors.beginTotp({}, createCall(ada));
      const { recoveryCodes } = await factors.confirmTotp(
        { name: 'Phone', code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() },
        createCall(ada),
      );
      const confirmed = await confirm(await ask({ showMe: 'linkedin' }));
      expect(confirmed.member?.user.hasSecondFactor).toBe(true);
      const step = auth.get(SecondStepService);
      const site = { name: 'Meetmark', origin: 'https://meetmark.example' };
      const complete = async (
        wanted?: ConfirmedFlow['wanted'],
      ): Promise<SessionUser & { wanted?: object }> => {
        const { token } = (await step.begin({ userId: ada.id, wanted }))!;
        return step.complete({ token, recoveryCode: recoveryCodes!.pop(), site });
      };
      expect((await complete(confirmed.wanted)).wanted).toEqual({
        eventId: EVENT,
        waitlist: false,
        showMe: 'linkedin',
      });
      expect((await complete()).wanted).toBeUndefined();
    });
  });
});
