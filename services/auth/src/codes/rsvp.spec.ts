import {
  CODE,
  CodeMail,
  WelcomeMail,
  type Asker,
  type ConfirmedFlow,
  type RequestRsvpRequest,
  type SessionUser,
} from '@meetmark/contracts';
import { codes, tally } from '@meetmark/testing';
import { insertUser } from '@meetmark/testing/factories/users';
import { Secret, TOTP } from 'otpauth';
import { SignInService } from '../accounts/sign-in.service.js';
import { SecondFactorsService } from '../second-factors/second-factors.service.js';
import { SecondStepService } from '../second-factors/second-step.service.js';
import {
  addFactor,
  anAsker,
  authForTests,
  callOf,
  mailedTo,
  memberFields,
  nobody,
  wrong,
} from '../testing/open-auth.js';
import { SessionUsersService } from '../users/session-user.cache.js';
import { CodesService } from './codes.service.js';

const EMAIL = 'ada@example.com';
const EVENT = '0197f000-0000-7000-8000-00000000000a';
const OTHER_EVENT = '0197f000-0000-7000-8000-00000000000b';
const invalid = { code: 'CODE_INVALID', message: 'Invalid or expired code', details: undefined };

const auth = authForTests();
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

  it('ends what somebody else may have set who signed up with the address before', async () => {
    const ada = await withPassword();
    await addFactor(auth, ada.user.id);
    const confirmed = await confirm(await ask());
    expect(confirmed).toMatchObject({
      passwordEnded: true,
      member: { epoch: 2, user: { id: ada.user.id, hasPassword: false, hasSecondFactor: false } },
    });
    expect(confirmed.member!.user.emailVerifiedAt).not.toBeNull();
    const { rows } = await auth.owner.query('SELECT feeds_ended_at FROM auth.users');
    expect(rows[0].feeds_ended_at).not.toBeNull();
    await expect(
      auth.get(SignInService).signIn({ email: EMAIL, password: 'a password' }),
    ).rejects.toMatchObject({ code: 'CREDENTIALS_INCORRECT' });
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
    if (code !== asked.code) await expect(confirm({ ...asked, code: code! })).rejects.toMatchObject(invalid);
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
    const confirmed = await useLink();
    expect(confirmed).toMatchObject({
      ...{ purpose: 'rsvp', signsIn: true, wanted: { eventId: EVENT, waitlist: true } },
      member: { user: { email: EMAIL, hasPassword: false } },
    });
    expect([await state(), await state(asked.flow)]).toEqual(Array(2).fill({ status: 'confirmed' }));
    await expect(confirm(asked)).rejects.toMatchObject(invalid);
    await expect(service.confirmLink({ token: 'A'.repeat(22) }, nobody())).rejects.toMatchObject(invalid);
  });

  it('works once', async () => {
    await ask();
    const token = await linkOf();
    await service.confirmLink({ token }, nobody());
    await expect(service.confirmLink({ token }, nobody())).rejects.toMatchObject(invalid);
  });

  it('works when the tries are used up', async () => {
    const asked = await ask();
    const token = await linkOf();
    for (let n = 0; n < CODE.tries; n += 1)
      await expect(confirm({ ...asked, code: wrong(asked.code) })).rejects.toMatchObject(invalid);
    expect(await service.confirmLink({ token }, nobody())).toMatchObject({ signsIn: true });
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
    await expect(press(elsewhere)).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: { fields } });
    await expect(press(elsewhere, { firstName: 'Ada' })).rejects.toMatchObject({
      details: { fields: { lastName: fields.lastName } },
    });
    expect(await users()).toEqual([]);
    const chosen = { showMe: 'no', waitlist: true, answers: { [question]: 'mine' } } as const;
    const { wanted, member } = await press(elsewhere, { firstName: 'Ada', lastName: 'Lovelace', ...chosen });
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
    const complete = async (wanted?: ConfirmedFlow['wanted']): Promise<SessionUser & { wanted?: object }> => {
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
