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
import { SessionUsersService } from '../users/session-user.cache.js';
import { SignInService } from '../accounts/sign-in.service.js';
import {
  anAsker,
  authForTests,
  callOf,
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

describe('mailed codes', () => {
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
  const userOf = async (id: string) => (await auth.get(SessionUsersService).get(id))!;
  const verifyNow = () => auth.owner.query('UPDATE auth.users SET email_verified_at = now()');

  describe('codes that reset a password', () => {
    let ada: SessionUser;
    let browser: Asker;
    beforeEach(async () => {
      ada = await auth.get(SignInService).signUp(memberFields({ password: 'old password' }));
      await verifyNow();
      await auth.owner.query('TRUNCATE auth.code_flows, auth.outbox');
      browser = anAsker();
    });

    it('change it once, end every session and say so by mail', async () => {
      const code = await ask(browser);
      await expect(reset(code, browser)).resolves.toMatchObject({ epoch: 2 });
      await expect(signIn('new password')).resolves.toMatchObject({ epoch: 2 });
      await expect(signIn('old password')).rejects.toMatchObject({ code: 'CREDENTIALS_INCORRECT' });
      expect(await userOf(ada.user.id)).toMatchObject({ epoch: 2 });
      expect(await auth.outbox(PasswordChangedMail)).toEqual([
        { userId: ada.user.id, at: expect.any(String) },
      ]);
      await expect(reset(code, browser)).rejects.toMatchObject(resetInvalid);
    });

    it('are not used up by wrong codes from elsewhere', async () => {
      const code = await ask(browser);
      for (let n = 0; n < 30; n += 1)
        await expect(reset(wrong(code), anAsker(`198.51.${n}.0/24`))).rejects.toMatchObject(resetInvalid);
      await reset(code, browser);
    });

    it('are not ended by a code that somebody else asks for', async () => {
      const code = await ask(browser);
      await ask(anAsker());
      await reset(code, browser);
    });

    it('fit in no browser but the one that asked', async () => {
      const code = await ask(browser);
      await expect(reset(code, anAsker())).rejects.toMatchObject(resetInvalid);
      await reset(code, browser);
    });

    it('give one success to 20 simultaneous uses of one code', async () => {
      const code = await ask(browser);
      await auth.owner.query('UPDATE auth.code_flows SET tries = -15');
      const results = await codes(
        Array.from({ length: 20 }, (_, n) => reset(code, browser, { newPassword: `password ${n}` })),
      );
      expect(tally(results)).toEqual({ ok: 1, RESET_CODE_INVALID: 19 });
      expect(await signIn(`password ${results.indexOf('ok')}`)).toMatchObject({ epoch: 2 });
    });

    it('evaluate five of 50 simultaneous guesses', async () => {
      const code = await ask(browser);
      expect(await outcomes(Array.from({ length: 50 }, () => reset(wrong(code), browser)))).toEqual({
        RESET_CODE_INVALID: 50,
      });
      const { rows } = await auth.owner.query('SELECT tries FROM auth.code_flows');
      expect(rows).toEqual([{ tries: CODE.tries }]);
      await expect(reset(code, browser)).rejects.toMatchObject(resetInvalid);
    });

    it('live through four wrong tries; a newer one in the same browser ends them', async () => {
      const first = await ask(browser);
      for (let n = 0; n < 4; n += 1)
        await expect(reset(wrong(first), browser)).rejects.toMatchObject(resetInvalid);
      let second = await ask(browser);
      while (second === first) second = await ask(browser);
      await expect(reset(first, browser)).rejects.toMatchObject(resetInvalid);
      await reset(second, browser);
    });

    it('end after ten minutes of the database’s time', async () => {
      const code = await ask(browser);
      const { rows } = await auth.owner.query(
        'SELECT round(extract(epoch FROM expires_at - created_at))::int AS seconds FROM auth.code_flows',
      );
      expect(rows).toEqual([{ seconds: 600 }]);
      await auth.owner.query('UPDATE auth.code_flows SET expires_at = now()');
      await expect(reset(code, browser)).rejects.toMatchObject(resetInvalid);
    });

    it('belong to one address', async () => {
      const code = await ask(browser);
      await expect(reset(code, browser, { email: 'grace@example.com' })).rejects.toMatchObject(resetInvalid);
      await reset(code, browser);
    });

    it('judge the length of the new password before a try is counted', async () => {
      const code = await ask(browser);
      for (let n = 0; n < 6; n += 1)
        await expect(reset(code, browser, { newPassword: '12345' })).rejects.toMatchObject({
          code: 'PASSWORD_TOO_SHORT',
        });
      await reset(code, browser, { newPassword: '123456' });
    });

    it('take the same work for an unknown address, asked for and tried, and open nothing', async () => {
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

    it('are nobody’s when the account is deleted at the moment they are asked for', async () => {
      await beforeCommit(auth.owner, ['DELETE FROM auth.users'], () =>
        service.request({ email: EMAIL, purpose: 'reset', asker: browser }),
      );
      const { rows } = await auth.owner.query('SELECT user_id FROM auth.code_flows');
      expect(rows).toEqual([{ user_id: null }]);
    });

    it('are stored as a keyed hash and a sealed copy, and travel in no job', async () => {
      const code = await ask(browser);
      const { link } = await mailed();
      const { rows } = await auth.owner.query('SELECT * FROM auth.code_flows');
      expect(JSON.stringify(rows)).not.toMatch(new RegExp(`"${code}"|${link}|${browser.browser}`));
      expect(JSON.stringify(await auth.outbox(CodeMail))).not.toMatch(new RegExp(`"${code}"|${link}`));
      expect(rows[0].code_hash).toEqual(hashCode(rows[0].id, code, [RESET_CODE_SECRET]));
    });

    it('still fit after the secret was rotated, and for no other row', () => {
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

    it('do not open an account whose address has changed meanwhile', async () => {
      const code = await ask(browser);
      await auth.owner.query("UPDATE auth.users SET email = 'ada@new.example.com'");
      await expect(reset(code, browser)).rejects.toMatchObject(resetInvalid);
    });

    it('have a link that works in any browser, also when the tries are used up', async () => {
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
        await auth.get(AccountsService).sendResetCode(ada.user.id, callOf(grace));
        return (await mailed()).code!;
      };

      it('fit in any browser', async () => {
        await reset(await send(), anAsker('203.0.113.0/24'));
      });

      it('have five tries for each network', async () => {
        const code = await send();
        for (let n = 0; n < 9; n += 1)
          await expect(reset(wrong(code), anAsker('198.51.100.0/24'))).rejects.toBeDefined();
        const { rows } = await auth.owner.query('SELECT tries FROM auth.code_flows');
        expect(rows).toEqual([{ tries: 5 }]);
        await expect(reset(code, anAsker('198.51.100.0/24'))).rejects.toMatchObject(resetInvalid);
        await reset(code, anAsker('203.0.113.0/24'));
      });

      it('have twenty tries in all, and a link that works after them', async () => {
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

    describe('asked for again and again', () => {
      const times = async () => {
        const { rows } = await auth.owner.query<{ seconds: number; code: boolean }>(
          `SELECT round(extract(epoch FROM mail_at - created_at))::int AS seconds, code_hash IS NOT NULL AS code
         FROM auth.code_flows ORDER BY created_at, id`,
        );
        return rows;
      };

      it('are mailed at once five times, then two minutes apart, and never refused', async () => {
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

      it('wait behind one mail of each network, however many it asks for', async () => {
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

        it('keep everybody else waiting, and who has signed in to an account whose address is not proved', async () => {
          expect(await waits(anAsker('203.0.113.0/24'))).toBeGreaterThan(4_000);
          await updateRow(auth.owner, 'auth.users', ada.user.id, { emailVerifiedAt: null });
          await inSession('203.0.113.0/24');
          expect(await waits(anAsker('203.0.113.0/24'))).toBeGreaterThan(4_000);
          expect(await waits(known())).toBeGreaterThan(4_000);
        });

        it('do not delay a browser that has signed in before', async () => {
          expect(await waits(known())).toBe(0);
          expect(await waits(known(), 'sign-in')).toBe(0);
        });

        it('do not delay the network of an open session', async () => {
          await inSession('203.0.113.0/24');
          expect(await waits(anAsker('203.0.113.0/24'))).toBe(0);
        });

        it('wait as everybody’s from the network of a session that is over', async () => {
          await inSession('203.0.113.0/24', ada.epoch - 1);
          expect(await waits(anAsker('203.0.113.0/24'))).toBeGreaterThan(4_000);
        });

        it('do not delay what an administrator sends', async () => {
          const grace = await insertAdministrator(auth.owner);
          await auth.get(AccountsService).sendResetCode(ada.user.id, callOf(grace));
          expect((await times()).at(-1)!.seconds).toBe(0);
        });

        it('are spaced for such a browser, too, and taken from it by nobody in its network', async () => {
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

      it('live ten minutes from the moment their mail goes out', async () => {
        for (let n = 0; n < 6; n += 1) await ask(anAsker(`10.1.${n}.0/24`));
        const { rows } = await auth.owner.query(
          'SELECT DISTINCT round(extract(epoch FROM expires_at - mail_at))::int AS seconds FROM auth.code_flows',
        );
        expect(rows).toEqual([{ seconds: 600 }]);
      });

      it('are links alone from the twentieth open one of a day on, so that guesses stay below a hundred', async () => {
        for (let n = 0; n < 25; n += 1) await ask(anAsker(`10.1.${n}.0/24`));
        expect((await times()).map(({ code }) => code)).toEqual([
          ...Array<boolean>(19).fill(true),
          ...Array<boolean>(6).fill(false),
        ]);
        const { code, link } = await mailed();
        expect(code).toBeNull();
        await service.confirmLink({ token: link, newPassword: 'by the link' }, nobody());
      });

      it('count no more once they were confirmed', async () => {
        for (let n = 0; n < 21; n += 1) {
          const code = await ask(browser, 'sign-in');
          expect(code).toMatch(/^\d{6}$/);
          await confirm('sign-in', code, browser);
        }
      });
    });
  });

  describe('codes that sign in', () => {
    let ada: UserRow;
    beforeEach(async () => {
      ada = await insertUser(auth.owner, { email: EMAIL, passwordHash: null });
    });

    it('sign in to an account without a password, once', async () => {
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

    it('tell the browser that asked when the link was used in another', async () => {
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

    it('open for an unknown address what looks the same and leads nowhere', async () => {
      const browser = anAsker();
      const code = await ask(browser, 'sign-in', 'nobody@example.com');
      expect(await service.state({ browser: browser.browser, purpose: 'sign-in' })).toEqual({
        status: 'open',
      });
      await expect(confirm('sign-in', code, browser)).rejects.toMatchObject(invalid);
    });

    it('are no code for anything else', async () => {
      const browser = anAsker();
      const code = await ask(browser, 'sign-in');
      await expect(confirm('verify', code, browser)).rejects.toMatchObject(invalid);
      await expect(reset(code, browser)).rejects.toMatchObject(resetInvalid);
    });

    it('leave the password answers of such an account as those of a wrong one', async () => {
      await expect(signIn('anything')).rejects.toMatchObject({ code: 'CREDENTIALS_INCORRECT' });
      const change = { currentPassword: 'anything', newPassword: 'new password' };
      await expect(auth.get(PasswordsService).change(change, callOf(ada))).rejects.toMatchObject({
        code: 'CURRENT_PASSWORD_INCORRECT',
      });
      const browser = anAsker();
      await reset(await ask(browser), browser);
      expect((await signIn('new password')).user.hasPassword).toBe(true);
    });

    it('end with the account’s next password', async () => {
      const browser = anAsker();
      const code = await ask(browser, 'sign-in');
      const other = anAsker();
      await reset(await ask(other), other);
      await expect(confirm('sign-in', code, browser)).rejects.toMatchObject(invalid);
    });
  });

  describe('verifying an address', () => {
    let ada: SessionUser;
    let browser: Asker;
    beforeEach(async () => {
      browser = anAsker();
      ada = await auth.get(SignInService).signUp(memberFields({ password: 'a password', asker: browser }));
    });

    it('is asked for by the mail of the sign-up, and by nothing else', async () => {
      expect(ada.user).toMatchObject({ emailVerifiedAt: null, hasPassword: true });
      expect(await auth.outbox(WelcomeMail)).toEqual([]);
      expect(await auth.outbox(CodeMail)).toHaveLength(1);
    });

    it('keeps the session and the password of the browser that is signed in', async () => {
      const confirmed = await confirm('verify', (await mailed()).code!, browser, callOf(ada));
      expect(confirmed).toMatchObject({ signsIn: false, passwordEnded: false, member: { epoch: 1 } });
      expect(confirmed.member?.user.emailVerifiedAt).not.toBeNull();
      await signIn('a password');
      expect(await auth.outbox(WelcomeMail)).toEqual([{ userId: ada.user.id, passwordEnded: false }]);
      expect(await auth.outbox(HeldConfirmations)).toEqual([{ userId: ada.user.id }]);
    });

    it('can be asked for again until it is done', async () => {
      const other = anAsker();
      await service.requestVerification({ asker: other }, callOf(ada));
      await confirm('verify', (await mailed()).code!, other, callOf(ada));
      await expect(service.requestVerification({ asker: other }, callOf(ada))).rejects.toMatchObject({
        code: 'EMAIL_VERIFIED',
      });
    });

    it('happens once: a second link changes nothing for its owner', async () => {
      const { link } = await mailed();
      const other = anAsker();
      await service.requestVerification({ asker: other }, callOf(ada));
      await confirm('verify', (await mailed()).code!, other, callOf(ada));
      expect(await service.confirmLink({ token: link }, nobody())).toMatchObject({ passwordEnded: false });
      await signIn('a password');
    });

    it('is not needed where an administrator made the account or gave the address', async () => {
      const grace = await insertAdministrator(auth.owner);
      const { id } = await auth
        .get(AccountsService)
        .create(
          { email: 'alan@example.com', firstName: 'Alan', lastName: 'Turing', password: 'enigma' },
          callOf(grace),
        );
      expect((await userOf(id)).user.emailVerifiedAt).not.toBeNull();
      await auth
        .get(AccountsService)
        .update({ userId: ada.user.id, email: 'ada@new.example.com' }, callOf(grace));
      expect((await userOf(ada.user.id)).user.emailVerifiedAt).not.toBeNull();
      expect(await auth.outbox(EmailChangedMail)).toEqual([]); // the old address had not been verified
    });
  });
});

const EMAIL = 'vera@example.com';
const EVENT = '0197f000-0000-7000-8000-00000000000a';

describe('a code with which a visitor writes to a host', () => {
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

  it('proves the address for that event, and makes no account', async () => {
    const asked = await ask();
    expect(await proved()).toEqual([]);
    const { proof } = await service.confirmContact(asked);
    expect(await proved()).toEqual([{ id: proof, event_id: EVENT, email: EMAIL }]);
    expect((await auth.owner.query('SELECT FROM auth.users')).rowCount).toBe(0);
  });

  it('is the same work and the same answer, whether or not the address has an account', async () => {
    await insertUser(auth.owner, { email: EMAIL });
    const work = (email: string) =>
      auth.statements(() =>
        service.requestContact({ email, eventId: EVENT, asker: anAsker() }).then(() => undefined),
      );
    const known = await work(EMAIL);
    expect(await work('nobody@example.com')).toEqual(known);
    expect(await auth.outbox(CodeMail)).toHaveLength(2);
  });

  it('can be sent again while it lives, in its browser alone, and five wrong tries end it', async () => {
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

  it('gives way to a newer one of the browser', async () => {
    const first = await ask();
    const second = await ask();
    expect(await codes([service.confirmContact(first)])).toEqual(['CODE_INVALID']);
    expect(await codes([service.confirmContact(second)])).toEqual(['ok']);
  });

  it('signs nobody in: neither by its own link nor as another code', async () => {
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

  it('is not mailed to an address that has had too many: there is no link that could take its place', async () => {
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
  const linkOf = async () => (await mailedTo(EMAIL, auth)).link;
  const useLink = async () => service.confirmLink({ token: await linkOf() }, nobody());
  const users = async () =>
    (await auth.owner.query<{ id: string; email: string }>('SELECT id, email FROM auth.users')).rows;
  const state = (flow?: string) => service.state({ browser: browser.browser, purpose: 'rsvp', flow });
  const withPassword = () =>
    auth.get(SignInService).signUp(memberFields({ email: EMAIL, password: 'a password' }));

  describe('asking for a registration', () => {
    it('is the same work and the same answer, whether or not the address has an account', async () => {
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

    it('makes no account, and keeps code and link as hashes and a sealed copy that travel in no job', async () => {
      const { code } = await ask();
      const link = await linkOf();
      expect(await users()).toEqual([]);
      const { rows } = await auth.owner.query('SELECT * FROM auth.code_flows');
      expect(JSON.stringify(rows)).not.toMatch(new RegExp(`"${code}"|${link}|${browser.browser}`));
      expect(JSON.stringify(await auth.outbox(CodeMail))).not.toMatch(new RegExp(`"${code}"|${link}`));
    });

    it('ends an earlier code of the browser for the same event, and of no other', async () => {
      const [first, elsewhere] = [await ask(), await ask({ eventId: OTHER_EVENT })];
      const again = await ask();
      await expect(confirm(first)).rejects.toMatchObject(invalid);
      expect((await confirm(elsewhere)).wanted).toMatchObject({ eventId: OTHER_EVENT });
      expect((await confirm(again)).wanted).toMatchObject({ eventId: EVENT });
    });
  });

  describe('confirming it', () => {
    it('makes an account without a password, whose address is verified, and says what is wanted', async () => {
      const confirmed = await confirm(
        await ask({ showMe: 'no', waitlist: true, answers: { [EVENT]: 'Nuts' } }),
      );
      expect(confirmed).toMatchObject({
        ...{ purpose: 'rsvp', signsIn: true, next: null, passwordEnded: false },
        wanted: { eventId: EVENT, showMe: 'no', waitlist: true, answers: { [EVENT]: 'Nuts' } },
        member: {
          epoch: 1,
          user: {
            ...{ email: EMAIL, firstName: 'Augusta', lastName: 'King', showMe: 'name' },
            ...{ hasPassword: false, isAdmin: false, emailVerifiedAt: expect.any(String) },
          },
        },
      });
      const { user } = confirmed.member!;
      expect((await auth.get(SessionUsersService).get(user.id))?.user).toEqual(user);
      expect(await auth.outbox(WelcomeMail)).toEqual([{ userId: user.id }]);
    });

    it('keeps the language of the pages on which it was asked for, also by the link; not that of an account', async () => {
      const asker = { ...anAsker(), locale: 'de' as const };
      await ask({ asker });
      expect((await useLink()).member!.user.locale).toBe('de');
      const english = { ...anAsker(), locale: 'en-GB' as const };
      expect((await confirm(await ask({ asker: english }))).member!.user.locale).toBe('de');
    });

    it('leaves what is not said to the profile and to the event', async () => {
      expect((await confirm(await ask())).wanted).toEqual({
        eventId: EVENT,
        waitlist: false,
        showMe: undefined,
      });
    });

    it('signs in to the account that has the address, whatever name was typed', async () => {
      const ada = await insertUser(auth.owner, { email: EMAIL });
      const confirmed = await confirm(await ask());
      expect(confirmed).toMatchObject({
        member: { epoch: 1, user: { id: ada.id, firstName: 'Ada', lastName: 'Lovelace' } },
        passwordEnded: false,
      });
      expect(await users()).toHaveLength(1);
    });

    it('does so as well when they signed up after it was asked for', async () => {
      const asked = await ask();
      const intruder = await withPassword();
      expect(await confirm(asked)).toMatchObject({
        passwordEnded: true,
        member: { epoch: 2, user: { id: intruder.user.id, hasPassword: false } },
      });
    });

    it('is refused alike with a wrong, used or old code, another flow and in another browser', async () => {
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

    it('has five tries, which nobody else can use up', async () => {
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

    it('takes a code for nothing else, and none that was for something else', async () => {
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

    it('makes one account and one answer of twenty uses of one code at the same moment', async () => {
      const asked = await ask();
      await auth.owner.query('UPDATE auth.code_flows SET tries = -20');
      const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(asked)));
      expect(await users()).toHaveLength(1);
      expect(new Set(answers.map(({ member }) => member?.user.id)).size).toBe(1);
      expect(await auth.outbox(WelcomeMail)).toHaveLength(1);
    });

    it('of an account that is gone by then is refused', async () => {
      await insertUser(auth.owner, { email: EMAIL });
      const asked = await ask();
      await auth.owner.query('DELETE FROM auth.users');
      await expect(confirm(asked)).rejects.toMatchObject(invalid);
    });

    it('is for whoever has the address by then', async () => {
      await insertUser(auth.owner, { email: EMAIL });
      const asked = await ask();
      await auth.owner.query("UPDATE auth.users SET email = 'ada@new.example.com'");
      expect((await confirm(asked)).member?.user).toMatchObject({ email: EMAIL, firstName: 'Augusta' });
      expect(await users()).toHaveLength(2);
    });
  });

  describe('an answer that was lost', () => {
    let asked: Asked;
    let first: ConfirmedFlow;
    beforeEach(async () => {
      asked = await ask();
      first = await confirm(asked);
    });

    it('is given again to the browser that confirmed, once only to one that is not signed in', async () => {
      expect(await confirm(asked)).toEqual(first);
      await expect(confirm(asked, callOf(first.member!))).rejects.toMatchObject(invalid);
      expect(await auth.outbox(WelcomeMail)).toHaveLength(1);
    });

    it.each([
      ['another browser', () => ({ asker: anAsker() })],
      ['another code', () => ({ code: wrong(asked.code) })],
    ])('is not given to %s', async (_, given) => {
      await expect(confirm({ ...asked, ...given() })).rejects.toMatchObject(invalid);
    });

    it('is over with the code, and with the sessions of that time', async () => {
      const end = 'UPDATE auth.users SET session_epoch = session_epoch + $1';
      await auth.owner.query(end, [1]);
      await expect(confirm(asked)).rejects.toMatchObject(invalid);
      await auth.owner.query(end, [-1]);
      await auth.owner.query('UPDATE auth.code_flows SET expires_at = now()');
      await expect(confirm(asked)).rejects.toMatchObject(invalid);
    });

    it('has five tries more', async () => {
      const results = await codes(
        Array.from({ length: 20 }, () => confirm({ ...asked, code: wrong(asked.code) })),
      );
      expect(tally(results)).toEqual({ CODE_INVALID: 20 });
      await expect(confirm(asked)).rejects.toMatchObject(invalid);
      const { rows } = await auth.owner.query('SELECT tries FROM auth.code_flows');
      expect(rows).toEqual([{ tries: 2 * CODE.tries }]);
    });
  });

  describe('the link of its mail', () => {
    it('does the same in any browser, once, and the one that asked is told', async () => {
      const asked = await ask({ waitlist: true });
      expect(await state()).toEqual({ status: 'open' });
      const token = await linkOf();
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

    it('says of each flow of a browser how it stands', async () => {
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

  describe('what was typed with somebody’s address', () => {
    const question = '0197f000-0000-7000-8000-000000000001';
    const typed = {
      showMe: 'linkedin',
      waitlist: true,
      answers: { [question]: 'typed by a stranger' },
    } as const;
    const press = async (asker: Asker, chosen: object = {}) =>
      service.confirmLink({ token: await linkOf(), asker, ...chosen }, nobody());

    it('counts in the browser that typed it', async () => {
      await ask(typed);
      const { wanted, member } = await press(browser);
      expect(wanted).toEqual({ eventId: EVENT, ...typed });
      expect(member!.user).toMatchObject({ firstName: 'Augusta', lastName: 'King' });
    });

    it('counts nowhere else: an account registers as it chose itself', async () => {
      const ada = await insertUser(auth.owner, { email: EMAIL });
      await ask(typed);
      const { wanted, member } = await press(anAsker());
      expect(wanted).toEqual({ eventId: EVENT, waitlist: false });
      expect(member!.user).toMatchObject({ id: ada.id, firstName: 'Ada' });
    });

    it('is not the name of a new account elsewhere: its owner is asked, and the link still works', async () => {
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

    it('is changed by what is chosen on the page, also where it was typed', async () => {
      await ask(typed);
      expect((await press(browser, { showMe: 'no' })).wanted).toMatchObject({ ...typed, showMe: 'no' });
    });

    it('counts as before for a gateway of the version before', async () => {
      await ask(typed);
      expect((await useLink()).wanted).toMatchObject(typed);
    });
  });

  describe('a second factor on the way', () => {
    it('keeps what is wanted until the second step is taken', async () => {
      const ada = await insertUser(auth.owner, { email: EMAIL });
      const factors = auth.get(SecondFactorsService);
      const { secret } = await factors.beginTotp(callOf(ada));
      const { recoveryCodes } = await factors.confirmTotp(
        { name: 'Phone', code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() },
        callOf(ada),
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
