import { jest } from '@jest/globals';
import {
  CODE,
  CodeMail,
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
import { insertAdministrator, insertUser, updateRow } from '@meetmark/testing/factories/users';
import { memberForTests } from '../testing/administration.js';
import {
  anAsker,
  authForTests,
  createCall,
  mailedTo,
  memberFields,
  nobody,
  refuses,
  requestRsvp,
  RESET_CODE_SECRET,
  wrong,
} from '../testing/open-auth.js';
import { hashCode, isCode, newCode } from '../flows/code-secrets.js';

const EMAIL = 'ada@example.com';
const EVENT = '0197f000-0000-7000-8000-00000000000a';

const auth = authForTests();
let browser: Asker;
beforeEach(() => {
  browser = anAsker();
});
afterEach(() => jest.restoreAllMocks());

const mailed = (email = EMAIL) => mailedTo(email, auth);
const useLink = async (given: object = {}) =>
  auth.codes.confirmLink({ token: (await mailed()).link, ...given }, nobody());
const stateOf = (asker: Asker, purpose: FlowPurpose, flow?: string) =>
  auth.codes.state({ browser: asker.browser, purpose, flow });
const readTries = () => auth.rows('SELECT tries FROM auth.code_flows');

describe('emailed codes', () => {
  async function ask(asker: Asker, purpose: 'reset' | 'sign-in' = 'reset', email = EMAIL): Promise<string> {
    await auth.codes.request({ email, purpose, asker });
    return (await mailed(email)).code ?? '';
  }
  async function askFrom(networks: number): Promise<void> {
    for (let n = 0; n < networks; n += 1) await ask(anAsker(`10.1.${n}.0/24`));
  }
  const reset = (token: string, asker: Asker, given: { email?: string; newPassword?: string } = {}) =>
    auth.codes.resetPassword({ email: EMAIL, token, newPassword: 'new password', asker, ...given }, nobody());
  const refusesReset = (...given: Parameters<typeof reset>) => refuses('RESET_CODE_INVALID', reset(...given));
  const confirm = (
    purpose: Exclude<FlowPurpose, 'reset' | 'rsvp'>,
    code: string,
    asker: Asker,
    call = nobody(),
  ) => auth.codes.confirm({ purpose, code, asker }, call);
  const signIn = (password: string) => auth.signIns.signIn({ email: EMAIL, password });
  const fetchUser = async (id: string) => (await auth.users.get({ userId: id }))!;

  describe('for a password reset', () => {
    const ada = memberForTests(auth, { email: EMAIL, password: 'old password' });

    it('reset the password once, end all sessions and notify the user', async () => {
      const code = await ask(browser);
      await expect(reset(code, browser)).resolves.toMatchObject({ epoch: 2 });
      await expect(signIn('new password')).resolves.toMatchObject({ epoch: 2 });
      await refuses('CREDENTIALS_INCORRECT', signIn('old password'));
      expect(await fetchUser(ada.id)).toMatchObject({ epoch: 2 });
      expect(await auth.outbox(PasswordChangedMail)).toEqual([{ userId: ada.id, at: expect.any(String) }]);
      await refusesReset(code, browser);
    });

    it('work only in the requesting browser, whatever others guess or request', async () => {
      const code = await ask(browser);
      for (let n = 0; n <= CODE.tries; n += 1) await refusesReset(wrong(code), anAsker(`198.51.${n}.0/24`));
      await refusesReset(code, anAsker());
      await refusesReset(code, browser, { email: 'grace@example.com' });
      await ask(anAsker());
      await reset(code, browser);
    });

    it('work only once when used five times simultaneously', async () => {
      const code = await ask(browser);
      const passwords = ['password 1', 'password 2', 'password 3', 'password 4', 'password 5'];
      const results = await codes(passwords.map((newPassword) => reset(code, browser, { newPassword })));
      expect(tally(results)).toEqual({ ok: 1, RESET_CODE_INVALID: 4 });
      expect(await signIn(passwords[results.indexOf('ok')]!)).toMatchObject({ epoch: 2 });
    });

    it('allow five of 50 simultaneous guesses', async () => {
      const code = await ask(browser);
      expect(await outcomes(Array.from({ length: 50 }, () => reset(wrong(code), browser)))).toEqual({
        RESET_CODE_INVALID: 50,
      });
      expect(await readTries()).toEqual([{ tries: CODE.tries }]);
      await refusesReset(code, browser);
    });

    it('stay valid after four wrong tries but not after a newer code', async () => {
      const first = await ask(browser);
      for (let n = 0; n < 4; n += 1) await refusesReset(wrong(first), browser);
      let second = await ask(browser);
      while (second === first) second = await ask(browser);
      await refusesReset(first, browser);
      await reset(second, browser);
    });

    it('become invalid when they expire or the account’s email address changes', async () => {
      const first = await ask(browser);
      await auth.owner.query('UPDATE auth.code_flows SET expires_at = now()');
      await refusesReset(first, browser);
      const second = await ask(browser);
      await auth.owner.query("UPDATE auth.users SET email = 'ada@new.example.com'");
      await refusesReset(second, browser);
    });

    it('keep their tries if the new password is too short', async () => {
      const code = await ask(browser);
      for (let n = 0; n <= CODE.tries; n += 1)
        await refuses('PASSWORD_TOO_SHORT', reset(code, browser, { newPassword: '12345' }));
      await reset(code, browser, { newPassword: '123456' });
    });

    it('run the same statements for an unknown email address, but are never accepted', async () => {
      const [email, other] = ['nobody@example.com', anAsker()];
      await ask(browser);
      const code = await ask(other, 'reset', email);
      const hashing = jest.spyOn(auth.hasher, 'hash');
      const tried = await auth.statements(() => refusesReset('000000', browser));
      expect(await auth.statements(() => refusesReset(wrong(code), other, { email }))).toEqual(tried);
      await refusesReset(code, other, { email });
      expect(hashing).not.toHaveBeenCalled();
    });

    it('store no account id if the account is deleted during the request', async () => {
      await beforeCommit(auth.owner, ['DELETE FROM auth.users'], () =>
        auth.codes.request({ email: EMAIL, purpose: 'reset', asker: browser }),
      );
      expect(await auth.rows('SELECT user_id FROM auth.code_flows')).toEqual([{ user_id: null }]);
    });

    it('are stored only hashed or sealed, and appear in no job', async () => {
      const code = await ask(browser);
      const { link } = await mailed();
      const rows = await auth.rows('SELECT * FROM auth.code_flows');
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

    it('come with a link that works in any browser, even after all tries', async () => {
      const code = await ask(browser);
      const { link } = await mailed();
      for (let n = 0; n < CODE.tries; n += 1) await refusesReset(wrong(code), browser);
      const choose = (newPassword?: string) => auth.codes.confirmLink({ token: link, newPassword }, nobody());
      await refuses('PASSWORD_TOO_SHORT', choose());
      expect(await choose('by the link')).toMatchObject({ purpose: 'reset', signsIn: false });
      await signIn('by the link');
      await refuses('CODE_INVALID', choose('once more'));
    });

    describe('sent by an administrator', () => {
      const send = async () => {
        const grace = await insertAdministrator(auth.owner);
        await auth.accounts.sendResetCode({ userId: ada.id }, createCall(grace));
        return (await mailed()).code!;
      };

      it('allow five tries for each network, in any browser', async () => {
        const code = await send();
        for (let n = 0; n < 7; n += 1) await refusesReset(wrong(code), anAsker('198.51.100.0/24'));
        expect(await readTries()).toEqual([{ tries: 5 }]);
        await refusesReset(code, anAsker('198.51.100.0/24'));
        await reset(code, anAsker('203.0.113.0/24'));
      });

      it('allow twenty tries in total, then only their link works', async () => {
        const code = await send();
        const guesses = Array.from({ length: 22 }, (_, n) => reset(wrong(code), anAsker(`10.0.${n}.0/24`)));
        await outcomes(guesses);
        expect(await readTries()).toEqual([{ tries: 20 }]);
        await refusesReset(code, anAsker('203.0.113.0/24'));
        await useLink({ newPassword: 'by the link' });
      });
    });

    describe('requested repeatedly', () => {
      const times = async (): Promise<{ seconds: number; code: boolean }[]> =>
        auth.rows(
          `SELECT round(extract(epoch FROM mail_at - created_at))::int AS seconds, code_hash IS NOT NULL AS code
           FROM auth.code_flows ORDER BY created_at, id`,
        );
      const waits = async (asker: Asker, purpose?: 'sign-in') => {
        await ask(asker, purpose);
        return (await times()).at(-1)!.seconds;
      };

      it('are emailed immediately five times, then two minutes apart, and last ten minutes', async () => {
        await askFrom(8);
        const seconds = (await times()).map((row) => row.seconds);
        expect(seconds.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
        for (const [at, wait] of [120, 240, 360].entries()) {
          expect(seconds[5 + at]).toBeGreaterThan(wait - 10);
          expect(seconds[5 + at]).toBeLessThanOrEqual(wait);
        }
        const later =
          "SELECT FROM auth.outbox WHERE job = 'mail.code' AND available_at > now() + interval '100 s'";
        expect(await auth.rows(later)).toHaveLength(3);
        const lifetimes = await auth.rows(
          'SELECT DISTINCT round(extract(epoch FROM expires_at - mail_at))::int AS seconds FROM auth.code_flows',
        );
        expect(lifetimes).toEqual([{ seconds: 600 }]);
      });

      it('share an email limit with other accounts of the same mailbox', async () => {
        for (let n = 1; n <= 9; n += 1) {
          await insertUser(auth.owner, { email: `victim+${n}@example.com` });
          await ask(anAsker('198.51.100.0/24'), 'sign-in', `victim+${n}@example.com`);
        }
        const rows = await auth.rows(
          'SELECT email, mail_at <= now() AS now FROM auth.code_flows WHERE mail_at IS NOT NULL ORDER BY mail_at',
        );
        expect(rows.map(({ email, now }) => [email, now])).toEqual(
          [1, 2, 3, 4, 5, 9].map((n) => [`victim+${n}@example.com`, n < 9]),
        );
        expect(await waits(browser)).toBe(0);
      });

      it('wait for at most one earlier email per network', async () => {
        for (let n = 0; n < 5; n += 1) await ask(anAsker());
        for (let n = 0; n < 3; n += 1) await ask(anAsker('198.51.100.0/24'));
        expect(await waits(browser)).toBeLessThanOrEqual(240);
      });

      describe('from twelve networks', () => {
        beforeEach(() => askFrom(12));
        const NETWORK = '203.0.113.0/24';
        const known = (n = 0, network?: string): Asker => ({
          ...anAsker(network),
          device: `browser-of-ada-${n}`.padEnd(16, '-'),
        });
        const inSession = (network: string, epoch = 1) =>
          auth.owner.query(
            `INSERT INTO gateway.sessions (sid, user_id, expire, sess)
             VALUES (gen_random_uuid(), $1, now() + interval '1 hour', $2)`,
            [ada.id, JSON.stringify({ epoch, network })],
          );

        it('are delayed in networks without an open session, and for an unverified account', async () => {
          expect(await waits(anAsker(NETWORK))).toBeGreaterThan(600);
          await inSession(NETWORK, 0);
          expect(await waits(anAsker(NETWORK))).toBeGreaterThan(600);
          await updateRow(auth.owner, 'auth.users', ada.id, { emailVerifiedAt: null });
          await inSession(NETWORK);
          expect(await waits(anAsker(NETWORK))).toBeGreaterThan(600);
          expect(await waits(known())).toBeGreaterThan(600);
        });

        it('are not delayed in known browsers and networks, or if an administrator sends them', async () => {
          expect(await waits(known())).toBe(0);
          expect(await waits(known(), 'sign-in')).toBe(0);
          await inSession(NETWORK);
          expect(await waits(anAsker(NETWORK))).toBe(0);
          const grace = await insertAdministrator(auth.owner);
          await auth.accounts.sendResetCode({ userId: ada.id }, createCall(grace));
          expect((await times()).at(-1)!.seconds).toBe(0);
        });

        it('are limited separately for a known browser and its network', async () => {
          await inSession(NETWORK);
          for (let n = 0; n < 5; n += 1) expect(await waits(known(1, NETWORK))).toBe(0);
          const last = await waits(known(1, NETWORK));
          expect(last).toBeGreaterThan(100);
          expect(last).toBeLessThanOrEqual(120);
          const waiting = () =>
            auth.rows(
              "SELECT FROM auth.code_flows WHERE mail_at > now() AND mail_at < now() + interval '130 s'",
            );
          const before = await waiting();
          for (let n = 0; n < 3; n += 1) await ask(anAsker(NETWORK));
          expect(await waiting()).toHaveLength(before.length);
        });
      });

      it('are omitted after 19 open codes in a day, so that only the link works', async () => {
        await askFrom(21);
        expect((await times()).map(({ code }) => code)).toEqual([
          ...Array<boolean>(19).fill(true),
          ...Array<boolean>(2).fill(false),
        ]);
        expect((await mailed()).code).toBeNull();
        await useLink({ newPassword: 'by the link' });
      });

      it('do not count as open once they are confirmed', async () => {
        for (let n = 0; n <= CODE.openPerDay; n += 1) {
          const code = await ask(browser, 'sign-in');
          expect(code).toMatch(/^\d{6}$/);
          await confirm('sign-in', code, browser);
        }
      });
    });
  });

  describe('for a sign-in', () => {
    const ada = memberForTests(auth, { email: EMAIL, passwordHash: null });

    it('sign in to an account without a password, but only once', async () => {
      const code = await ask(browser, 'sign-in');
      expect(await stateOf(browser, 'sign-in')).toEqual({ status: 'open' });
      const confirmed = await confirm('sign-in', code, browser);
      expect(confirmed).toMatchObject({ purpose: 'sign-in', signsIn: true, passwordEnded: false });
      expect(confirmed.member?.user).toMatchObject({ id: ada.id, hasPassword: false });
      await refuses('CODE_INVALID', confirm('sign-in', code, browser));
    });

    it('show the requesting browser that the link was used in another browser', async () => {
      await ask(browser, 'sign-in');
      expect(await useLink()).toMatchObject({ signsIn: true });
      expect(await stateOf(browser, 'sign-in')).toEqual({ status: 'confirmed' });
      expect(await stateOf(anAsker(), 'sign-in')).toEqual({ status: 'none' });
    });

    it('appear to be sent to an unknown email address, but are never accepted', async () => {
      const code = await ask(browser, 'sign-in', 'nobody@example.com');
      expect(await stateOf(browser, 'sign-in')).toEqual({ status: 'open' });
      await refuses('CODE_INVALID', confirm('sign-in', code, browser));
    });

    it('sign-in codes work for neither verification nor a password reset, which ends them', async () => {
      const code = await ask(browser, 'sign-in');
      await refuses('CODE_INVALID', confirm('verify', code, browser));
      await refusesReset(code, browser);
      const other = anAsker();
      await reset(await ask(other), other);
      await refuses('CODE_INVALID', confirm('sign-in', code, browser));
    });

    it('leave the account without a password until a reset sets one', async () => {
      await refuses('CREDENTIALS_INCORRECT', signIn('anything'));
      const change = { currentPassword: 'anything', newPassword: 'new password' };
      const changed = auth.passwords.change(change, createCall(ada));
      await refuses('CURRENT_PASSWORD_INCORRECT', changed);
      await reset(await ask(browser), browser);
      expect((await signIn('new password')).user.hasPassword).toBe(true);
    });
  });

  describe('for verifying an email address', () => {
    let ada: SessionUser;
    beforeEach(async () => {
      ada = await auth.signIns.signUp(memberFields({ password: 'a password', asker: browser }));
    });

    it('keep the session and password if the browser is signed in', async () => {
      const confirmed = await confirm('verify', (await mailed()).code!, browser, createCall(ada));
      expect(confirmed).toMatchObject({ signsIn: false, passwordEnded: false, member: { epoch: 1 } });
      expect(confirmed.member?.user.emailVerifiedAt).not.toBeNull();
      await signIn('a password');
      expect(await auth.outbox(WelcomeMail)).toEqual([{ userId: ada.user.id, passwordEnded: false }]);
      expect(await auth.outbox(HeldConfirmations)).toEqual([{ userId: ada.user.id }]);
    });

    it('can be requested until the address is verified, and then keep the password', async () => {
      const { link } = await mailed();
      const other = anAsker();
      const again = () => auth.codes.requestVerification({ asker: other }, createCall(ada));
      await again();
      await confirm('verify', (await mailed()).code!, other, createCall(ada));
      await refuses('EMAIL_VERIFIED', again());
      expect(await auth.codes.confirmLink({ token: link }, nobody())).toMatchObject({ passwordEnded: false });
      await signIn('a password');
    });
  });
});

it.each<[string, (email: string) => Promise<{ flow: string } | void>]>([
  ['a password reset', (email) => auth.codes.request({ email, purpose: 'reset', asker: anAsker() })],
  ['a message to a host', (email) => auth.codes.requestContact({ email, eventId: EVENT, asker: anAsker() })],
  ['a registration', async (email) => ({ flow: (await requestRsvp(auth, { email })).flow })],
])('a request of a code for %s runs the same with or without an account', async (_, request) => {
  await insertUser(auth.owner, { email: EMAIL });
  const answers: string[][] = [];
  const work = (email: string) =>
    auth.statements(async () => answers.push(Object.keys((await request(email)) ?? {})));
  const known = await work(EMAIL);
  expect(await work('nobody@example.com')).toEqual(known);
  expect(answers[1]).toEqual(answers[0]);
  expect(await auth.outbox(CodeMail)).toHaveLength(2);
});

describe('the code for a message to a host', () => {
  const ask = async (email = EMAIL, asker = browser) => {
    const { flow } = await auth.codes.requestContact({ email, eventId: EVENT, asker });
    return { flow, code: (await mailed(email)).code ?? '', asker };
  };
  const proved = () => auth.rows('SELECT * FROM auth.proved_contact');

  it('verifies the email address for the event without creating an account', async () => {
    const asked = await ask();
    expect(await proved()).toEqual([]);
    const { proof } = await auth.codes.confirmContact(asked);
    expect(await proved()).toEqual([{ id: proof, event_id: EVENT, email: EMAIL }]);
    expect(await auth.rows('SELECT FROM auth.users')).toEqual([]);
  });

  it('can be reused in its browser until it expires or five tries fail', async () => {
    const asked = await ask();
    const once = await auth.codes.confirmContact(asked);
    expect(await auth.codes.confirmContact(asked)).toEqual(once);
    const other = await ask('otto@example.com');
    const guess = { ...other, code: wrong(other.code) };
    for (const each of [
      { ...other, asker: anAsker() },
      ...Array<typeof guess>(CODE.tries).fill(guess),
      other,
    ])
      await refuses('CODE_INVALID', auth.codes.confirmContact(each));
    await auth.owner.query(`UPDATE auth.code_flows SET expires_at = now() - interval '1 second'`);
    await refuses('CODE_INVALID', auth.codes.confirmContact(asked));
  });

  it('is replaced by a newer code in the same browser', async () => {
    const first = await ask();
    const second = await ask();
    await refuses('CODE_INVALID', auth.codes.confirmContact(first));
    await auth.codes.confirmContact(second);
  });

  it('signs no one in, neither through its link nor as another kind of code', async () => {
    await insertUser(auth.owner, { email: EMAIL });
    const { code, flow, asker } = await ask();
    await refuses('CODE_INVALID', useLink());
    await refuses('CODE_INVALID', auth.codes.confirmRsvp({ flow, code, asker }, nobody()));
    await refuses('CODE_INVALID', auth.codes.confirm({ purpose: 'sign-in', code, asker }, nobody()));
    const reset = { email: EMAIL, token: code, newPassword: 'a new one', asker };
    await refuses('RESET_CODE_INVALID', auth.codes.resetPassword(reset, nobody()));
  });

  it('is not emailed when the address has too many open codes', async () => {
    for (let asked = 0; asked <= CODE.openPerDay; asked += 1) await ask(EMAIL, anAsker());
    expect(await auth.outbox(CodeMail)).toHaveLength(CODE.openPerDay);
  });
});

describe('a registration by code', () => {
  const OTHER_EVENT = '0197f000-0000-7000-8000-00000000000b';

  const ask = (given: Partial<RequestRsvpRequest> = {}) =>
    requestRsvp(auth, { eventId: EVENT, asker: browser, ...given });
  type Asked = Awaited<ReturnType<typeof ask>>;
  const confirm = (asked: Asked, call = nobody()) => auth.codes.confirmRsvp(asked, call);
  const refusesCode = (...given: Parameters<typeof confirm>) => refuses('CODE_INVALID', confirm(...given));
  const users = () => auth.rows('SELECT id, email FROM auth.users');

  it('replaces only the browser’s earlier code for the same event', async () => {
    const [first, elsewhere] = [await ask(), await ask({ eventId: OTHER_EVENT })];
    const again = await ask();
    await refusesCode(first);
    expect((await confirm(elsewhere)).wanted).toMatchObject({ eventId: OTHER_EVENT });
    expect((await confirm(again)).wanted).toMatchObject({ eventId: EVENT });
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
      expect((await auth.users.get({ userId: user.id }))?.user).toEqual(user);
      expect(await auth.outbox(WelcomeMail)).toEqual([{ userId: user.id }]);
    });

    it('stores the language of the page for a new account but not for an existing one', async () => {
      await ask({ asker: { ...anAsker(), locale: 'de' } });
      expect((await useLink()).member!.user.locale).toBe('de');
      const english = { ...anAsker(), locale: 'en-GB' as const };
      expect((await confirm(await ask({ asker: english }))).member!.user.locale).toBe('de');
    });

    it('signs in to the existing account and ignores the typed name', async () => {
      const ada = await insertUser(auth.owner, { email: EMAIL });
      const { member, wanted, passwordEnded } = await confirm(await ask());
      expect(member).toMatchObject({
        epoch: 1,
        user: { id: ada.id, firstName: 'Ada', lastName: 'Lovelace' },
      });
      expect(passwordEnded).toBe(false);
      expect(wanted).toEqual({ eventId: EVENT, waitlist: false, showMe: undefined });
      expect(await users()).toHaveLength(1);
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
        await refusesCode({ ...asked, ...given });
      await auth.owner.query('UPDATE auth.code_flows SET expires_at = now(), link_expires_at = now()');
      await refusesCode(asked);
      await refuses('CODE_INVALID', useLink());
      expect(await users()).toEqual([]);
    });

    it('allows five tries that other browsers cannot use up', async () => {
      const asked = await ask();
      const guess = { ...asked, code: wrong(asked.code) };
      for (let n = 0; n <= CODE.tries; n += 1)
        await refusesCode({ ...guess, asker: anAsker(`10.0.${n}.0/24`) });
      for (let n = 0; n < CODE.tries - 1; n += 1) await refusesCode(guess);
      await confirm(asked);
      const again = await ask({ email: 'grace@example.com' });
      for (let n = 0; n < CODE.tries; n += 1) await refusesCode({ ...again, code: wrong(again.code) });
      await refusesCode(again);
    });

    it('accepts only registration codes, which work for nothing else', async () => {
      const asked = await ask();
      await insertUser(auth.owner, { email: EMAIL });
      const other = { purpose: 'sign-in', code: asked.code, asker: browser } as const;
      await refuses('CODE_INVALID', auth.codes.confirm(other, nobody()));
      const reset = { email: EMAIL, token: asked.code, newPassword: 'new password', asker: browser };
      await refuses('RESET_CODE_INVALID', auth.codes.resetPassword(reset, nobody()));
      await auth.codes.request({ email: EMAIL, purpose: 'sign-in', asker: browser });
      const { code } = await mailed();
      if (code !== asked.code) await refusesCode({ ...asked, code: code! });
    });

    it('creates one account for five simultaneous uses of one code', async () => {
      const asked = await ask();
      const answers = await Promise.all(Array.from({ length: CODE.tries }, () => confirm(asked)));
      expect(await users()).toHaveLength(1);
      expect(new Set(answers.map(({ member }) => member?.user.id)).size).toBe(1);
      expect(await auth.outbox(WelcomeMail)).toHaveLength(1);
    });

    it('rejects the code once the account is deleted', async () => {
      await insertUser(auth.owner, { email: EMAIL });
      const asked = await ask();
      await auth.owner.query('DELETE FROM auth.users');
      await refusesCode(asked);
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

    it('returns the same answer only to the confirming browser while it is signed out', async () => {
      expect(await confirm(asked)).toEqual(first);
      await refusesCode(asked, createCall(first.member!));
      await refusesCode({ ...asked, asker: anAsker() });
      await refusesCode({ ...asked, code: wrong(asked.code) });
      expect(await auth.outbox(WelcomeMail)).toHaveLength(1);
    });

    it('rejects the code after the account’s sessions ended or the code expired', async () => {
      const end = 'UPDATE auth.users SET session_epoch = session_epoch + $1';
      await auth.owner.query(end, [1]);
      await refusesCode(asked);
      await auth.owner.query(end, [-1]);
      await auth.owner.query('UPDATE auth.code_flows SET expires_at = now()');
      await refusesCode(asked);
    });

    it('allows five more tries after the first confirmation', async () => {
      const guess = { ...asked, code: wrong(asked.code) };
      const guesses = Array.from({ length: 2 * CODE.tries }, () => confirm(guess));
      expect(await outcomes(guesses)).toEqual({ CODE_INVALID: 2 * CODE.tries });
      await refusesCode(asked);
      expect(await readTries()).toEqual([{ tries: 2 * CODE.tries }]);
    });
  });

  describe('the link in the email', () => {
    it('works once in any browser and updates the requesting browser’s state', async () => {
      const asked = await ask({ waitlist: true });
      expect(await stateOf(browser, 'rsvp')).toEqual({ status: 'open' });
      const { link: token } = await mailed();
      expect(await useLink()).toMatchObject({
        ...{ purpose: 'rsvp', signsIn: true, wanted: { eventId: EVENT, waitlist: true } },
        member: { user: { email: EMAIL, hasPassword: false } },
      });
      for (const flow of [undefined, asked.flow])
        expect(await stateOf(browser, 'rsvp', flow)).toEqual({ status: 'confirmed' });
      await refusesCode(asked);
      for (const used of [token, 'A'.repeat(22)])
        await refuses('CODE_INVALID', auth.codes.confirmLink({ token: used }, nobody()));
    });

    it('keeps a separate state for each flow of a browser', async () => {
      const here = await ask();
      const there = await ask({ eventId: OTHER_EVENT });
      await confirm(here);
      expect(await stateOf(browser, 'rsvp', here.flow)).toEqual({ status: 'confirmed' });
      expect(await stateOf(browser, 'rsvp', there.flow)).toEqual({ status: 'open' });
      expect(await stateOf(anAsker(), 'rsvp', here.flow)).toEqual({ status: 'none' });
    });
  });

  describe('the link of a request with typed choices', () => {
    const question = '0197f000-0000-7000-8000-000000000001';
    const answers = { [question]: 'typed by a stranger' };
    const typed = { showMe: 'linkedin', waitlist: true, answers } as const;

    it('applies the choices in the browser where they were typed', async () => {
      await ask(typed);
      const { wanted, member } = await useLink({ asker: browser });
      expect(wanted).toEqual({ eventId: EVENT, ...typed });
      expect(member!.user).toMatchObject({ firstName: 'Augusta', lastName: 'King' });
    });

    it('ignores the choices for an existing account in another browser', async () => {
      const ada = await insertUser(auth.owner, { email: EMAIL });
      await ask(typed);
      const { wanted, member } = await useLink({ asker: anAsker() });
      expect(wanted).toEqual({ eventId: EVENT, waitlist: false });
      expect(member!.user).toMatchObject({ id: ada.id, firstName: 'Ada' });
    });

    it('asks for a name in another browser before it creates an account', async () => {
      await ask({ ...typed, firstName: 'Win £500', lastName: 'at evil.example' });
      const asker = anAsker();
      const fields = { firstName: ['First name is required'], lastName: ['Last name is required'] };
      await expect(useLink({ asker })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { fields },
      });
      await expect(useLink({ asker, firstName: 'Ada' })).rejects.toMatchObject({
        details: { fields: { lastName: fields.lastName } },
      });
      expect(await users()).toEqual([]);
      const name = { firstName: 'Ada', lastName: 'Lovelace' };
      const chosen = { showMe: 'no', waitlist: true, answers: { [question]: 'mine' } } as const;
      const { wanted, member } = await useLink({ asker, ...name, ...chosen });
      expect(member!.user).toMatchObject(name);
      expect(wanted).toEqual({ eventId: EVENT, ...chosen });
    });

    it('prefers choices made on the page to those typed before', async () => {
      await ask(typed);
      const { wanted } = await useLink({ asker: browser, showMe: 'no' });
      expect(wanted).toMatchObject({ ...typed, showMe: 'no' });
    });

    it('applies the choices if an older gateway does not identify the browser', async () => {
      await ask(typed);
      expect((await useLink()).wanted).toMatchObject(typed);
    });
  });
});
