import { HeldConfirmations, WelcomeMail, type Asker, type SessionUser } from '@meetmark/contracts';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import { v7 as uuid } from 'uuid';
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
  callOf,
  mailedTo,
  memberFields,
  nobody,
} from '../testing/open-auth.js';
import { Administrators, FirstAdministrator } from '../accounts/administrators.js';
import { ProfilesService } from '../profiles/profiles.service.js';
import { SessionUsersService } from '../users/session-user.cache.js';
import { CodesService } from './codes.service.js';

const [EMAIL, ELSEWHERE] = ['ada@example.com', 'mallory@example.com'];
const PASSWORD = 'the stranger’s password';
const NEW_PASSWORD = 'the owner’s password';

const auth = authForTests();
let codes: CodesService;
let stranger: SessionUser;
let strangersBrowser: Asker;
let owners: Asker;

const userOf = async (id = stranger.user.id) => (await auth.get(SessionUsersService).get(id))!;
const signIn = (password: string, email = EMAIL) => auth.get(SignInService).signIn({ email, password });
const changeTo = (email: string, currentPassword?: string) =>
  auth
    .get(ProfilesService)
    .update(
      { email, currentPassword, picture: { action: 'keep' }, asker: strangersBrowser },
      callOf(stranger),
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

/** Everything that opens an account or keeps its owner out, as versions before this one let it be set for an address without proof. */
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
  await auth.owner.query('UPDATE auth.users SET email_verified_at = NULL WHERE id = $1', [id]);
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

/** Tables that refer to an account, and what is left in them once its address was proved by somebody else than who made it. */
const TABLES = {
  code_flows: 'ended_at IS NULL',
  pending_sign_ins: 'true',
  recovery_codes: 'true',
  second_factor_setups: 'true',
  second_factors: 'true',
  unverified_accounts: 'true',
  wrong_codes: 'true',
  // open nothing: an account without proof has no way back, and a repeated sign-up needs the password
  email_reverts: null,
  profile_edits: null,
  setup_links: null,
  sign_ups: null,
} as const;

/** The columns that open an account; the others say what it is called, may do, shows and is mailed. */
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
  const { user, epoch } = await userOf();
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

describe('an address that somebody else has signed up with, once its owner', () => {
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
      'asks for another mail to verify it',
      false,
      async () => {
        await codes.requestVerification({ asker: strangersBrowser }, callOf(stranger));
        return press();
      },
    ],
    ['is mailed a code that signs in', false, () => asked('sign-in').then(() => confirm('sign-in'))],
    ['is mailed a link that signs in', false, () => asked('sign-in').then(() => press())],
    [
      'is mailed a code that resets the password',
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
    [
      'is mailed a link that resets the password',
      true,
      () => asked('reset').then(() => press(EMAIL, NEW_PASSWORD)),
    ],
    [
      'is sent a code by an administrator',
      true,
      async () => {
        const grace = await insertAdministrator(auth.owner);
        await auth.get(AccountsService).sendResetCode(stranger.user.id, callOf(grace));
        const token = (await mailed()).code!;
        await codes.resetPassword(
          { email: EMAIL, token, newPassword: NEW_PASSWORD, asker: owners },
          nobody(),
        );
      },
    ],
    [
      'registers for an event by a code',
      false,
      async () => {
        const { flow } = await askedRsvp();
        return codes.confirmRsvp({ flow, code: (await mailed()).code!, asker: owners }, nobody());
      },
    ],
    ['registers for an event by a link', false, () => askedRsvp().then(() => press())],
    [
      'presses the link of a change that the stranger began',
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
      'is the first administrator at start',
      true,
      () => {
        const config = Object.assign(new AuthConfig(), { adminEmail: EMAIL, adminPassword: NEW_PASSWORD });
        return new FirstAdministrator(config, auth.get(Administrators)).onApplicationBootstrap();
      },
    ],
  ])('%s, opens to nobody else', async (_, isOwnersPassword, prove) => {
    await prove();
    await expectNothingLeft(isOwnersPassword);
    expect(await auth.outbox(HeldConfirmations)).toEqual([{ userId: stranger.user.id }]);
    expect(await auth.outbox(WelcomeMail)).toEqual([
      { userId: stranger.user.id, passwordEnded: !isOwnersPassword },
    ]);
  });
});

describe('an account that somebody made under an address of their own', () => {
  beforeEach(async () => {
    await signUp(ELSEWHERE);
    await setEverything();
  });

  it('opens to nobody else once the owner of an address confirms that it is to have it', async () => {
    await changeTo(EMAIL, PASSWORD);
    await press();
    await expectNothingLeft(false);
  });

  it('opens to nobody else once an administrator gives it another address', async () => {
    const grace = await insertAdministrator(auth.owner);
    await auth.get(AccountsService).update({ userId: stranger.user.id, email: EMAIL }, callOf(grace));
    await expectNothingLeft(false);
  });
});

it('is known of every table and column of accounts whether it opens one', async () => {
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

  it('are not begun, nor confirmed, before the address is verified', async () => {
    const factors = auth.get(SecondFactorsService);
    for (const step of [
      () => factors.beginTotp(callOf(stranger)),
      () => factors.beginPasskey(site, callOf(stranger)),
      () => factors.confirmTotp({ code: '123456', name: 'Phone' }, callOf(stranger)),
      () => factors.confirmPasskey({ site, response: {}, name: 'Phone' }, callOf(stranger)),
    ])
      await expect(step()).rejects.toMatchObject({ code: 'EMAIL_PROOF_REQUIRED' });
  });

  it('are refused by the database itself', async () => {
    const insert = `INSERT INTO auth.second_factors (id, user_id, kind, name, sealed_secret, last_step)
      VALUES (gen_random_uuid(), $1, 'totp', 'Authenticator', 'sealed', 0)`;
    await expect(auth.owner.query(insert, [stranger.user.id])).rejects.toMatchObject({
      constraint: 'second_factors_verified',
    });
    await auth.owner.query('UPDATE auth.users SET email_verified_at = now()');
    await auth.owner.query(insert, [stranger.user.id]);
  });

  it('of a verified address stay when its password is reset by a mailed code', async () => {
    await auth.owner.query('UPDATE auth.users SET email_verified_at = now()');
    await addFactor(auth, stranger.user.id);
    await asked('reset');
    await press(EMAIL, NEW_PASSWORD);
    expect((await userOf()).user.hasSecondFactor).toBe(true);
  });
});
