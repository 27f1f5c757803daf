import {
  HeldConfirmations,
  WelcomeMail,
  type Asker,
  type SessionUser,
  AddressTakenMail,
  CodeMail,
  codeSeal,
  EmailChangedMail,
  PasswordChangedMail,
  revertSeal,
  type SealedCode,
} from '@meetmark/contracts';
import { insertAdministrator, insertUser, type UserRow, updateRow } from '@meetmark/testing/factories/users';
import { v7 as uuid } from 'uuid';
import { openSealedText } from '@meetmark/platform';
import { AccountsService } from '../accounts/accounts.service.js';
import { SignInService } from '../accounts/sign-in.service.js';
import { AuthConfig } from '../auth.config.js';
import { createAdministrator } from '../operator-commands.js';
import { SecondFactorsService } from '../second-factors/second-factors.service.js';
import { SecondStepService } from '../second-factors/second-step.service.js';
import {
  addFactor,
  anAsker,
  authForTests,
  createCall,
  mailedTo,
  memberFields,
  nobody,
  RESET_CODE_SECRET,
} from '../testing/open-auth.js';
import { Administrators, FirstAdministrator } from '../accounts/administrators.js';
import { ProfilesService } from '../profiles/profiles.service.js';
import { SessionUsersService } from '../users/session-users.service.js';
import { CodesService } from './codes.service.js';
import { PasswordHasher } from '../passwords/password-hasher.js';

const [EMAIL, ELSEWHERE] = ['ada@example.com', 'mallory@example.com'];
const PASSWORD = 'the stranger’s password';
const NEW_PASSWORD = 'the owner’s password';

const auth = authForTests();
let codes: CodesService;
let stranger: SessionUser;
let strangersBrowser: Asker;
let owners: Asker;

const fetchUser = async (id = stranger.user.id) => (await auth.get(SessionUsersService).get({ userId: id }))!;
const signIn = (password: string, email = EMAIL) => auth.get(SignInService).signIn({ email, password });
const changeTo = (email: string, currentPassword?: string) =>
  auth
    .get(ProfilesService)
    .update(
      { email, currentPassword, picture: { action: 'keep' }, asker: strangersBrowser },
      createCall(stranger),
    );
const mailed = (email = EMAIL) => mailedTo(email, auth);
const press = async (email = EMAIL, newPassword?: string) =>
  codes.confirmLink({ token: (await mailed(email)).link, newPassword }, nobody());
const asked = (purpose: 'reset' | 'sign-in') => codes.request({ email: EMAIL, purpose, asker: owners });
const askedRsvp = () => {
  const person = { email: EMAIL, firstName: 'Ada', lastName: 'Lovelace' };
  return codes.requestRsvp({ ...person, eventId: uuid(), asker: owners });
};
const signUp = async (email: string) => {
  strangersBrowser = anAsker('203.0.113.0/24');
  const fields = memberFields({ email, password: PASSWORD, asker: strangersBrowser });
  stranger = await auth.get(SignInService).signUp(fields);
};

/**
 * Gives the stranger every kind of access, and locks the owner out in every way. Earlier versions allowed
 * this without a verified email address.
 */
async function setEverything(): Promise<void> {
  const { id } = stranger.user;
  await asked('reset');
  await codes.request({ email: stranger.user.email, purpose: 'sign-in', asker: strangersBrowser });
  await addFactor(auth, id);
  await auth.owner.query('UPDATE auth.users SET email_verified_at = now() WHERE id = $1', [id]);
  await auth.owner.query(
    `INSERT INTO auth.second_factors (id, user_id, kind, name, credential_id, public_key, counter)
     VALUES (gen_random_uuid(), $1, 'passkey', 'Passkey', 'credential', 'key', 0)`,
    [id],
  );
  await updateRow(auth.owner, 'auth.users', id, { emailVerifiedAt: null });
  for (const statement of [
    `INSERT INTO auth.recovery_codes (user_id, code_hash) VALUES ($1, sha256('code'))`,
    `INSERT INTO auth.second_factor_setups (user_id, kind, secret, expires_at)
     SELECT $1, kind, 'secret', now() + interval '1 hour' FROM unnest(ARRAY['totp', 'passkey']) AS kind`,
    `INSERT INTO auth.pending_sign_ins (token_hash, user_id, session_epoch, expires_at)
     VALUES (sha256('token'), $1, 1, now() + interval '1 hour')`,
    'INSERT INTO auth.wrong_codes (user_id, since, count) VALUES ($1, now(), 101)',
  ])
    await auth.owner.query(statement, [id]);
}

/**
 * Tables that refer to an account. Each SQL condition finds rows that must be gone after the owner has
 * verified the email address.
 */
const TABLES = {
  code_flows: 'ended_at IS NULL',
  pending_sign_ins: 'true',
  recovery_codes: 'true',
  second_factor_setups: 'true',
  second_factors: 'true',
  wrong_codes: 'true',
  // These rows may remain. Unverified accounts can't revert an email change, and a repeated sign-up needs the
  // password.
  email_reverts: null,
  profile_edits: null,
  setup_links: null,
  sign_ups: null,
} as const;

/** Columns that give access to an account. */
const WAYS_IN = ['password_hash', 'session_epoch', 'feeds_ended_at', 'pending_email', 'second_factor'];
const OTHERS = `announcements created_at description digest email email_verified_at event_updates first_name id is_admin is_organiser
  last_name linked_in_url locale messages pending_email_at profile_picture_hash profile_version reminders search_text show_me sort_name
  updated_at version`;

async function expectNothingLeft(isOwnersPassword: boolean, email = EMAIL): Promise<void> {
  const { id } = stranger.user;
  const rowsLeft: Record<string, number> = {};
  for (const [table, which] of Object.entries(TABLES)) {
    if (which === null) continue;
    const { rows } = await auth.owner.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM auth.${table} WHERE user_id = $1 AND ${which}`,
      [id],
    );
    if (rows[0]!.count > 0) rowsLeft[table] = rows[0]!.count;
  }
  expect(rowsLeft).toEqual({});
  const { user, epoch } = await fetchUser();
  expect(epoch).toBeGreaterThan(stranger.epoch);
  expect(user).toMatchObject({
    email,
    emailVerifiedAt: expect.any(String),
    pendingEmail: null,
    hasSecondFactor: false,
    hasPassword: isOwnersPassword,
  });
  const { rows } = await auth.owner.query(
    'SELECT feeds_ended_at IS NOT NULL AS ended, pending_email_at FROM auth.users WHERE id = $1',
    [id],
  );
  expect(rows).toEqual([{ ended: true, pending_email_at: null }]);
  await expect(signIn(PASSWORD, email)).rejects.toMatchObject({ code: 'CREDENTIALS_INCORRECT' });
  if (isOwnersPassword) await signIn(NEW_PASSWORD, email);
  await expect(auth.get(SecondStepService).begin({ userId: id })).resolves.toBeNull();
}

beforeEach(() => {
  codes = auth.get(CodesService);
  owners = anAsker();
});

describe('an account that a stranger created with the owner’s email address', () => {
  beforeEach(async () => {
    await signUp(EMAIL);
    await setEverything();
    await changeTo(ELSEWHERE, PASSWORD);
    await auth.owner.query('UPDATE auth.code_flows SET mail_at = NULL');
  });

  const confirm = async (purpose: 'sign-in') =>
    codes.confirm({ purpose, code: (await mailed()).code!, asker: owners }, nobody());

  it.each<[string, boolean, () => Promise<unknown>]>([
    [
      'opens a verification link',
      false,
      async () => {
        await codes.requestVerification({ asker: strangersBrowser }, createCall(stranger));
        return press();
      },
    ],
    ['signs in with a code', false, () => asked('sign-in').then(() => confirm('sign-in'))],
    ['signs in with a link', false, () => asked('sign-in').then(() => press())],
    [
      'resets the password with a code',
      true,
      async () => {
        await asked('reset');
        const token = (await mailed()).code!;
        await codes.resetPassword(
          { email: EMAIL, token, newPassword: NEW_PASSWORD, asker: owners },
          nobody(),
        );
      },
    ],
    ['resets the password with a link', true, () => asked('reset').then(() => press(EMAIL, NEW_PASSWORD))],
    [
      'resets the password with a code from an administrator',
      true,
      async () => {
        const grace = await insertAdministrator(auth.owner);
        await auth.get(AccountsService).sendResetCode({ userId: stranger.user.id }, createCall(grace));
        const token = (await mailed()).code!;
        await codes.resetPassword(
          { email: EMAIL, token, newPassword: NEW_PASSWORD, asker: owners },
          nobody(),
        );
      },
    ],
    [
      'registers for an event with a code',
      false,
      async () => {
        const { flow } = await askedRsvp();
        return codes.confirmRsvp({ flow, code: (await mailed()).code!, asker: owners }, nobody());
      },
    ],
    ['registers for an event with a link', false, () => askedRsvp().then(() => press())],
    [
      'opens the link of a change that the stranger began',
      false,
      async () => {
        await changeTo('another@example.com');
        expect(await press()).toMatchObject({ next: null, passwordEnded: true, purpose: 'verify' });
      },
    ],
    [
      'is made an administrator by a command',
      true,
      () => createAdministrator(auth.config, { email: EMAIL, password: NEW_PASSWORD }),
    ],
    [
      'becomes the first administrator at start',
      true,
      () => {
        const config = Object.assign(new AuthConfig(), { adminEmail: EMAIL, adminPassword: NEW_PASSWORD });
        return new FirstAdministrator(config, auth.get(Administrators)).onApplicationBootstrap();
      },
    ],
  ])('locks the stranger out once the owner %s', async (_, isOwnersPassword, prove) => {
    await prove();
    await expectNothingLeft(isOwnersPassword);
    expect(await auth.outbox(HeldConfirmations)).toEqual([{ userId: stranger.user.id }]);
    expect(await auth.outbox(WelcomeMail)).toEqual([
      { userId: stranger.user.id, passwordEnded: !isOwnersPassword },
    ]);
  });
});

describe('an account that a stranger created with their own email address', () => {
  beforeEach(async () => {
    await signUp(ELSEWHERE);
    await setEverything();
  });

  it('locks the stranger out once the new address’s owner confirms the email change', async () => {
    await changeTo(EMAIL, PASSWORD);
    await press();
    await expectNothingLeft(false);
  });

  it('locks the stranger out once an administrator changes the account’s email address', async () => {
    const grace = await insertAdministrator(auth.owner);
    await auth.get(AccountsService).update({ userId: stranger.user.id, email: EMAIL }, createCall(grace));
    await expectNothingLeft(false);
  });
});

it('this spec lists every table and column that belongs to an account', async () => {
  const { rows: tables } = await auth.owner.query<{ name: string }>(
    `SELECT DISTINCT relname::text AS name FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
     WHERE confrelid = 'auth.users'::regclass AND connamespace = 'auth'::regnamespace ORDER BY 1`,
  );
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(TABLES).sort());
  const { rows: columns } = await auth.owner.query<{ name: string }>(
    `SELECT attname::text AS name FROM pg_attribute WHERE attrelid = 'auth.users'::regclass AND attnum > 0 AND NOT attisdropped`,
  );
  expect(columns.map(({ name }) => name).sort()).toEqual([...WAYS_IN, ...OTHERS.split(/\s+/)].sort());
});

describe('second factors', () => {
  const site = { name: 'Test', origin: 'http://localhost:8080' };
  beforeEach(() => signUp(EMAIL));

  it('setting up a second factor requires a verified email address', async () => {
    const factors = auth.get(SecondFactorsService);
    for (const step of [
      () => factors.beginTotp({}, createCall(stranger)),
      () => factors.beginPasskey({ site }, createCall(stranger)),
      () => factors.confirmTotp({ code: '123456', name: 'Phone' }, createCall(stranger)),
      () => factors.confirmPasskey({ site, response: {}, name: 'Phone' }, createCall(stranger)),
    ])
      await expect(step()).rejects.toMatchObject({ code: 'EMAIL_PROOF_REQUIRED' });
  });

  it('the database refuses second factors of an unverified account', async () => {
    const insert = `INSERT INTO auth.second_factors (id, user_id, kind, name, sealed_secret, last_step)
      VALUES (gen_random_uuid(), $1, 'totp', 'Authenticator', 'sealed', 0)`;
    await expect(auth.owner.query(insert, [stranger.user.id])).rejects.toMatchObject({
      constraint: 'second_factors_verified',
    });
    await auth.owner.query('UPDATE auth.users SET email_verified_at = now()');
    await auth.owner.query(insert, [stranger.user.id]);
  });

  it('a password reset by link keeps the second factors of a verified account', async () => {
    await auth.owner.query('UPDATE auth.users SET email_verified_at = now()');
    await addFactor(auth, stranger.user.id);
    await asked('reset');
    await press(EMAIL, NEW_PASSWORD);
    expect((await fetchUser()).user.hasSecondFactor).toBe(true);
  });
});

describe('changing the email address', () => {
  const [OLD, NEW] = ['ada@example.com', 'augusta@example.com'];
  const PASSWORD = 'analytical engine';

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
        createCall(as),
      );
  const now = async () => (await auth.get(SessionUsersService).get({ userId: ada.id }))!;
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
  const confirm = (code: string, call = createCall(ada)) =>
    service.confirm({ purpose: 'email', code, asker: browser }, call);
  const change = async (email = NEW) => {
    await update(email, PASSWORD);
    return confirm((await mailedTo(email))!.code!);
  };
  const invalid = { code: 'CODE_INVALID' };

  it('saves the other fields immediately and shows the new address as pending', async () => {
    const { user, epoch } = await update(NEW, PASSWORD);
    expect(user).toMatchObject({ email: OLD, pendingEmail: NEW, firstName: 'Augusta' });
    expect(epoch).toBe(1);
    expect(await auth.outbox(EmailChangedMail)).toEqual([]);
  });

  it('needs only a code to the new address when the password is given', async () => {
    await update(NEW, PASSWORD);
    expect(await mailedTo(OLD)).toBeNull();
    const confirmed = await confirm((await mailedTo(NEW))!.code!);
    expect(confirmed).toMatchObject({ purpose: 'email', next: null, signsIn: false, passwordEnded: false });
    expect((await now()).user).toMatchObject({ email: NEW, pendingEmail: null, hasPassword: true });
    expect(await auth.outbox(EmailChangedMail)).toEqual([
      { userId: ada.id, oldEmail: OLD, revertId: expect.any(String) },
    ]);
  });

  it('needs a code to the current address first when no password is given', async () => {
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

  it('does not reveal that the address is taken, but emails its owner', async () => {
    const grace = await insertUser(auth.owner, { email: NEW });
    const { user } = await update(NEW, PASSWORD);
    expect(user).toMatchObject({ email: OLD, pendingEmail: NEW });
    expect(await mailedTo(NEW)).toBeNull();
    expect(await auth.outbox(AddressTakenMail)).toMatchObject([{ userId: grace.id }]);
    expect(await service.state({ browser: browser.browser, purpose: 'email' })).toEqual({ status: 'open' });
  });

  it('limits repeated emails to the owner of a taken address', async () => {
    const grace = await insertUser(auth.owner, { email: NEW });
    for (let time = 0; time < 20; time += 1) await update(NEW, PASSWORD);
    const { rows } = await auth.owner.query<{ flowId: string }>(
      'SELECT id AS "flowId" FROM auth.code_flows WHERE mail_at IS NOT NULL ORDER BY mail_at',
    );
    expect(rows).toHaveLength(6);
    const asked = await auth.outbox(AddressTakenMail);
    expect(asked.filter(({ flowId }) => rows.some((row) => row.flowId === flowId))).toEqual(
      rows.map(({ flowId }) => ({ userId: grace.id, flowId })),
    );
  });

  it('fails like a wrong code if another account took the address meanwhile', async () => {
    await update(NEW, PASSWORD);
    const { code } = (await mailedTo(NEW))!;
    await insertUser(auth.owner, { email: NEW });
    await expect(confirm(code!)).rejects.toMatchObject(invalid);
    expect((await now()).user.email).toBe(OLD);
  });

  it('allows cancelling a change and requesting it again', async () => {
    await update(NEW);
    const { code } = (await mailedTo(OLD))!;
    expect((await service.cancelEmailChange({}, createCall(ada))).user.pendingEmail).toBeNull();
    await expect(confirm(code!)).rejects.toMatchObject(invalid);
    await expect(service.resendEmailCode({ asker: browser }, createCall(ada))).rejects.toMatchObject(invalid);
    await update(NEW, PASSWORD);
    await service.resendEmailCode({ asker: browser }, createCall(ada));
    await confirm((await mailedTo(NEW))!.code!);
    expect((await now()).user.email).toBe(NEW);
  });

  it('invalidates codes sent to the old address', async () => {
    const other = anAsker();
    await service.request({ email: OLD, purpose: 'sign-in', asker: other });
    const { code } = (await mailedTo(OLD))!;
    await change();
    const late = service.confirm({ purpose: 'sign-in', code: code!, asker: other }, nobody());
    await expect(late).rejects.toMatchObject(invalid);
  });

  it('ends password and sessions if a signed-out browser confirms by link', async () => {
    await update(NEW, PASSWORD);
    const confirmed = await service.confirmLink({ token: (await mailedTo(NEW))!.link }, nobody());
    expect(confirmed).toMatchObject({ signsIn: false, passwordEnded: true });
    expect(await now()).toMatchObject({ epoch: 2, user: { email: NEW, hasPassword: false } });
    expect(await auth.outbox(PasswordChangedMail)).toMatchObject([{ why: 'email-verified' }]);
  });

  it('starts no change when the address stays the same', async () => {
    expect((await update(OLD)).user.pendingEmail).toBeNull();
    expect(await auth.outbox(CodeMail)).toEqual([]);
  });

  describe('reverting the change by link', () => {
    it('restores the address and ends sessions, password and calendar URL', async () => {
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

    it('removes only second factors and recovery codes added after the change', async () => {
      const addCode = (letter: string) =>
        auth.owner.query(
          'INSERT INTO auth.recovery_codes (user_id, code_hash) VALUES ($1, convert_to(repeat($2, 32), $3))',
          [ada.id, letter, 'UTF8'],
        );
      const left = async () =>
        (
          await auth.owner.query(
            `SELECT name COLLATE "C" AS name FROM auth.second_factors
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

    it('undoes later email changes and invalidates their revert links', async () => {
      await change();
      const first = await wayBack();
      await change('thief@example.com');
      const second = await wayBack(NEW);
      await service.revertEmail({ token: first });
      expect((await now()).user.email).toBe(OLD);
      await expect(service.revertEmail({ token: second })).rejects.toMatchObject(invalid);
    });

    it('rejects the revert link after three days', async () => {
      await change();
      const { rows } = await auth.owner.query(
        'SELECT round(extract(epoch FROM expires_at - created_at) / 3600)::int AS hours FROM auth.email_reverts',
      );
      expect(rows).toEqual([{ hours: 72 }]);
      await auth.owner.query('UPDATE auth.email_reverts SET expires_at = now()');
      await expect(service.revertEmail({ token: await wayBack() })).rejects.toMatchObject(invalid);
    });

    it('sends no revert link to an unverified email address', async () => {
      await auth.owner.query('UPDATE auth.users SET email_verified_at = NULL');
      await change();
      expect(await auth.outbox(EmailChangedMail)).toEqual([]);
      expect((await now()).user.emailVerifiedAt).not.toBeNull();
    });
  });
});
