import {
  HeldConfirmations,
  WelcomeMail,
  type Asker,
  type SessionUser,
  AddressTakenMail,
  CodeMail,
  EmailChangedMail,
  PasswordChangedMail,
  revertSeal,
  type UpdateProfileRequest,
} from '@meetmark/contracts';
import { insertAdministrator, insertUser, type UserRow, updateRow } from '@meetmark/testing/factories/users';
import { openSealedText } from '@meetmark/platform';
import { createAdministrator } from '../operator-commands.js';
import { memberForTests } from '../testing/administration.js';
import {
  addFactor,
  anAsker,
  authForTests,
  createCall,
  mailedTo,
  memberFields,
  nobody,
  refuses,
  requestRsvp,
  RESET_CODE_SECRET,
} from '../testing/open-auth.js';

const [EMAIL, ELSEWHERE] = ['ada@example.com', 'mallory@example.com'];
const PASSWORD = 'the stranger’s password';
const NEW_PASSWORD = 'the owner’s password';

const auth = authForTests();
let stranger: SessionUser;
let strangersBrowser: Asker;
let owners: Asker;

const fetchUser = async (id = stranger.user.id) => (await auth.users.get({ userId: id }))!;
const signIn = (password: string, email = EMAIL) => auth.signIns.signIn({ email, password });
const update = (who: SessionUser | UserRow, given: Partial<UpdateProfileRequest>, asker: Asker) =>
  auth.profiles.update({ picture: { action: 'keep' }, asker, ...given }, createCall(who));
const changeTo = (email: string, currentPassword?: string) =>
  update(stranger, { email, currentPassword }, strangersBrowser);
const mailed = (email = EMAIL) => mailedTo(email, auth);
const readCode = async () => (await mailed()).code!;
const press = async (email = EMAIL, newPassword?: string) =>
  auth.codes.confirmLink({ token: (await mailed(email)).link, newPassword }, nobody());
const asked = (purpose: 'reset' | 'sign-in') => auth.codes.request({ email: EMAIL, purpose, asker: owners });
const askedRsvp = () => requestRsvp(auth, { email: EMAIL, asker: owners });
const resetByCode = async () => {
  const chosen = { token: await readCode(), newPassword: NEW_PASSWORD };
  await auth.codes.resetPassword({ email: EMAIL, asker: owners, ...chosen }, nobody());
};
const signUp = async (email: string) => {
  strangersBrowser = anAsker('203.0.113.0/24');
  const fields = memberFields({ email, password: PASSWORD, asker: strangersBrowser });
  stranger = await auth.signIns.signUp(fields);
};

/**
 * Gives the stranger every kind of access, and locks the owner out in every way. Earlier versions allowed
 * this without a verified email address.
 */
async function setEverything(): Promise<void> {
  const { id } = stranger.user;
  await asked('reset');
  await auth.codes.request({ email: stranger.user.email, purpose: 'sign-in', asker: strangersBrowser });
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
  // These rows may remain. Only a session of the account can download its data. Unverified accounts can't revert
  // an email change, and a repeated sign-up needs the password.
  consents: null,
  data_exports: null,
  email_reverts: null,
  profile_edits: null,
  setup_links: null,
  sign_ups: null,
} as const;

/** Columns that give access to an account. */
const WAYS_IN = ['password_hash', 'session_epoch', 'feeds_ended_at', 'pending_email', 'second_factor'];
const OTHERS = `accepted_pages announcements closed_at created_at description digest email email_verified_at event_updates first_name id is_admin is_organiser
  last_name linked_in_url locale messages pending_email_at profile_picture_hash profile_version reminders search_text show_me sort_name
  updated_at version`;

async function expectNothingLeft(isOwnersPassword: boolean, email = EMAIL): Promise<void> {
  const { id } = stranger.user;
  const left: string[] = [];
  for (const [table, which] of Object.entries(TABLES)) {
    const rows =
      which && (await auth.rows(`SELECT FROM auth.${table} WHERE user_id = $1 AND ${which}`, [id]));
    if (rows?.length) left.push(table);
  }
  expect(left).toEqual([]);
  const { user, epoch } = await fetchUser();
  expect(epoch).toBeGreaterThan(stranger.epoch);
  expect(user).toMatchObject({
    email,
    emailVerifiedAt: expect.any(String),
    pendingEmail: null,
    hasSecondFactor: false,
    hasPassword: isOwnersPassword,
  });
  expect(
    await auth.rows('SELECT feeds_ended_at, pending_email_at FROM auth.users WHERE id = $1', [id]),
  ).toEqual([{ feeds_ended_at: expect.any(Date), pending_email_at: null }]);
  await refuses('CREDENTIALS_INCORRECT', signIn(PASSWORD, email));
  if (isOwnersPassword) await signIn(NEW_PASSWORD, email);
  await expect(auth.secondStep.begin({ userId: id })).resolves.toBeNull();
}

beforeEach(() => {
  owners = anAsker();
});

describe('an account that a stranger created with the owner’s email address', () => {
  beforeEach(async () => {
    await signUp(EMAIL);
    await setEverything();
    await changeTo(ELSEWHERE, PASSWORD);
    await auth.owner.query('UPDATE auth.code_flows SET mail_at = NULL');
  });

  const locksOut = (isOwnersPassword: boolean, proofs: Record<string, () => Promise<unknown>>) =>
    it.each(Object.entries(proofs))('locks the stranger out once the owner %s', async (_, prove) => {
      await prove();
      await expectNothingLeft(isOwnersPassword);
      const userId = stranger.user.id;
      expect(await auth.outbox(HeldConfirmations)).toEqual([{ userId }]);
      expect(await auth.outbox(WelcomeMail)).toEqual([{ userId, passwordEnded: !isOwnersPassword }]);
    });

  locksOut(false, {
    'opens a verification link': async () => {
      await auth.codes.requestVerification({ asker: strangersBrowser }, createCall(stranger));
      await press();
    },
    'signs in with a code': async () => {
      await asked('sign-in');
      await auth.codes.confirm({ purpose: 'sign-in', code: await readCode(), asker: owners }, nobody());
    },
    'signs in with a link': () => asked('sign-in').then(() => press()),
    'registers for an event with a code': async () => auth.codes.confirmRsvp(await askedRsvp(), nobody()),
    'registers for an event with a link': () => askedRsvp().then(() => press()),
    'opens the link of a change that the stranger began': async () => {
      await changeTo('another@example.com');
      expect(await press()).toMatchObject({ next: null, passwordEnded: true, purpose: 'verify' });
    },
  });

  locksOut(true, {
    'resets the password with a code': () => asked('reset').then(resetByCode),
    'resets the password with a link': () => asked('reset').then(() => press(EMAIL, NEW_PASSWORD)),
    'resets the password with a code from an administrator': async () => {
      const grace = await insertAdministrator(auth.owner);
      await auth.accounts.sendResetCode({ userId: stranger.user.id }, createCall(grace));
      await resetByCode();
    },
    'is made an administrator by a command': async () => {
      const owner = { email: EMAIL, password: NEW_PASSWORD };
      expect(await createAdministrator(auth.config, owner)).toBe('promoted');
      expect((await fetchUser()).user.isAdmin).toBe(true);
    },
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
    await auth.accounts.update({ userId: stranger.user.id, email: EMAIL }, createCall(grace));
    await expectNothingLeft(false);
    expect(await auth.outbox(EmailChangedMail)).toEqual([]);
  });
});

it('this spec lists every table and column that belongs to an account', async () => {
  const tables = await auth.rows(
    `SELECT DISTINCT relname::text AS name FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
     WHERE confrelid = 'auth.users'::regclass AND connamespace = 'auth'::regnamespace ORDER BY 1`,
  );
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(TABLES).sort());
  const columns = await auth.rows(
    `SELECT attname::text AS name FROM pg_attribute WHERE attrelid = 'auth.users'::regclass AND attnum > 0 AND NOT attisdropped`,
  );
  expect(columns.map(({ name }) => name).sort()).toEqual([...WAYS_IN, ...OTHERS.split(/\s+/)].sort());
});

describe('second factors', () => {
  const site = { name: 'Test', origin: 'http://localhost:8080' };
  beforeEach(() => signUp(EMAIL));

  it('setting up a second factor requires a verified email address', async () => {
    const factors = auth.factors;
    const call = createCall(stranger);
    for (const step of [
      () => factors.beginTotp({}, call),
      () => factors.beginPasskey({ site }, call),
      () => factors.confirmTotp({ code: '123456', name: 'Phone' }, call),
      () => factors.confirmPasskey({ site, response: {}, name: 'Phone' }, call),
    ])
      await refuses('EMAIL_PROOF_REQUIRED', step());
    const insert = `INSERT INTO auth.second_factors (id, user_id, kind, name, sealed_secret, last_step)
      VALUES (gen_random_uuid(), $1, 'totp', 'Authenticator', 'sealed', 0)`;
    await expect(auth.owner.query(insert, [stranger.user.id])).rejects.toMatchObject({
      constraint: 'second_factors_verified',
    });
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
  const ada = memberForTests(auth, { email: OLD, password: PASSWORD });
  let browser: Asker;
  beforeEach(() => {
    browser = anAsker();
  });

  const begin = (email: string, currentPassword?: string) =>
    update(ada, { email, firstName: 'Augusta', currentPassword }, browser);
  const now = () => fetchUser(ada.id);
  const codeTo = async (email: string) => (await mailedTo(email, auth)).code;
  async function wayBack(email = OLD): Promise<string> {
    const [row] = await auth.rows(
      'SELECT id, sealed FROM auth.email_reverts WHERE email = $1 ORDER BY created_at DESC',
      [email],
    );
    return openSealedText(row.sealed, revertSeal(row.id), [RESET_CODE_SECRET])!;
  }
  const confirm = (code: string | null | undefined) =>
    auth.codes.confirm({ purpose: 'email', code: code!, asker: browser }, createCall(ada));
  const change = async (email = NEW) => {
    await begin(email, PASSWORD);
    return confirm(await codeTo(email));
  };

  it('saves the other fields immediately, but the address only after a code to it', async () => {
    const { user, epoch } = await begin(NEW, PASSWORD);
    expect(user).toMatchObject({ email: OLD, pendingEmail: NEW, firstName: 'Augusta' });
    expect(epoch).toBe(1);
    expect(await auth.outbox(EmailChangedMail)).toEqual([]);
    expect(await codeTo(OLD)).toBeUndefined();
    const confirmed = await confirm(await codeTo(NEW));
    expect(confirmed).toMatchObject({ purpose: 'email', next: null, signsIn: false, passwordEnded: false });
    expect((await now()).user).toMatchObject({ email: NEW, pendingEmail: null, hasPassword: true });
    expect(await auth.outbox(EmailChangedMail)).toEqual([
      { userId: ada.id, oldEmail: OLD, revertId: expect.any(String) },
    ]);
  });

  it('needs a code to the current address first when no password is given', async () => {
    await begin(NEW);
    expect(await codeTo(NEW)).toBeUndefined();
    expect(await confirm(await codeTo(OLD))).toMatchObject({ next: 'new-address' });
    expect((await now()).user).toMatchObject({ email: OLD, pendingEmail: NEW });
    expect(await confirm(await codeTo(NEW))).toMatchObject({ next: null });
    expect((await now()).user.email).toBe(NEW);
  });

  it('saves nothing with a wrong password', async () => {
    await refuses('CURRENT_PASSWORD_INCORRECT', begin(NEW, 'wrong'));
    expect((await now()).user).toMatchObject({ email: OLD, firstName: 'Ada', pendingEmail: null });
    expect(await auth.outbox(CodeMail)).toEqual([]);
  });

  it('does not reveal that the address is taken, but emails its owner', async () => {
    const grace = await insertUser(auth.owner, { email: NEW });
    const { user } = await begin(NEW, PASSWORD);
    expect(user).toMatchObject({ email: OLD, pendingEmail: NEW });
    expect(await codeTo(NEW)).toBeUndefined();
    expect(await auth.outbox(AddressTakenMail)).toMatchObject([{ userId: grace.id }]);
    expect(await auth.codes.state({ browser: browser.browser, purpose: 'email' })).toEqual({
      status: 'open',
    });
  });

  it('limits repeated emails to the owner of a taken address', async () => {
    const grace = await insertUser(auth.owner, { email: NEW });
    for (let time = 0; time < 9; time += 1) await begin(NEW, PASSWORD);
    const rows = await auth.rows(
      'SELECT id AS "flowId" FROM auth.code_flows WHERE mail_at IS NOT NULL ORDER BY mail_at',
    );
    expect(rows).toHaveLength(6);
    const sent = await auth.outbox(AddressTakenMail);
    expect(sent.filter(({ flowId }) => rows.some((row) => row.flowId === flowId))).toEqual(
      rows.map(({ flowId }) => ({ userId: grace.id, flowId })),
    );
  });

  it('fails like a wrong code if another account took the address meanwhile', async () => {
    await begin(NEW, PASSWORD);
    await insertUser(auth.owner, { email: NEW });
    await refuses('CODE_INVALID', confirm(await codeTo(NEW)));
    expect((await now()).user.email).toBe(OLD);
  });

  it('allows cancelling a change and requesting it again', async () => {
    await begin(NEW);
    const code = await codeTo(OLD);
    expect((await auth.codes.cancelEmailChange({}, createCall(ada))).user.pendingEmail).toBeNull();
    await refuses('CODE_INVALID', confirm(code));
    await refuses('CODE_INVALID', auth.codes.resendEmailCode({ asker: browser }, createCall(ada)));
    await begin(NEW, PASSWORD);
    await auth.codes.resendEmailCode({ asker: browser }, createCall(ada));
    await confirm(await codeTo(NEW));
    expect((await now()).user.email).toBe(NEW);
  });

  it('invalidates codes sent to the old address', async () => {
    await asked('sign-in');
    const code = await readCode();
    await change();
    await refuses('CODE_INVALID', auth.codes.confirm({ purpose: 'sign-in', code, asker: owners }, nobody()));
  });

  it('ends password and sessions if a signed-out browser confirms by link', async () => {
    await begin(NEW, PASSWORD);
    expect(await press(NEW)).toMatchObject({ signsIn: false, passwordEnded: true });
    expect(await now()).toMatchObject({ epoch: 2, user: { email: NEW, hasPassword: false } });
    expect(await auth.outbox(PasswordChangedMail)).toMatchObject([{ why: 'email-verified' }]);
  });

  it('starts no change when the address stays the same', async () => {
    expect((await begin(OLD)).user.pendingEmail).toBeNull();
    expect(await auth.outbox(CodeMail)).toEqual([]);
  });

  describe('reverting the change by link', () => {
    it('restores the address and ends sessions, password and calendar URL', async () => {
      await change();
      const token = await wayBack();
      const { email, resetToken } = await auth.codes.revertEmail({ token });
      expect(email).toBe(OLD);
      expect(await now()).toMatchObject({ epoch: 2, user: { email: OLD, hasPassword: false } });
      const rows = await auth.rows('SELECT feeds_ended_at AS ended FROM auth.users');
      expect(rows).toContainEqual({ ended: expect.any(Date) });
      await auth.codes.confirmLink({ token: resetToken, newPassword: NEW_PASSWORD }, nobody());
      await signIn(NEW_PASSWORD, OLD);
      await refuses('CODE_INVALID', auth.codes.revertEmail({ token }));
    });

    it('removes only second factors and recovery codes added after the change', async () => {
      const addCode = (letter: string) =>
        auth.owner.query(
          "INSERT INTO auth.recovery_codes (user_id, code_hash) VALUES ($1, convert_to(repeat($2, 32), 'UTF8'))",
          [ada.id, letter],
        );
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
      await auth.codes.revertEmail({ token: await wayBack() });
      expect(await auth.rows('SELECT name FROM auth.second_factors')).toEqual([{ name: 'mine' }]);
      const left = await auth.rows(
        "SELECT left(convert_from(code_hash, 'UTF8'), 1) AS code FROM auth.recovery_codes",
      );
      expect(left).toEqual([{ code: 'a' }]);
      expect((await now()).user).toMatchObject({ email: OLD, hasSecondFactor: true });
      expect(await auth.rows('SELECT FROM auth.second_factor_setups')).toEqual([]);
    });

    it('undoes later email changes and invalidates their revert links', async () => {
      await change();
      const first = await wayBack();
      await change('thief@example.com');
      const second = await wayBack(NEW);
      await auth.codes.revertEmail({ token: first });
      expect((await now()).user.email).toBe(OLD);
      await refuses('CODE_INVALID', auth.codes.revertEmail({ token: second }));
    });

    it('rejects the revert link after three days', async () => {
      await change();
      const rows = await auth.rows(
        'SELECT round(extract(epoch FROM expires_at - created_at) / 3600)::int AS hours FROM auth.email_reverts',
      );
      expect(rows).toEqual([{ hours: 72 }]);
      await auth.owner.query('UPDATE auth.email_reverts SET expires_at = now()');
      await refuses('CODE_INVALID', auth.codes.revertEmail({ token: await wayBack() }));
    });

    it('sends no revert link to an unverified email address', async () => {
      await auth.owner.query('UPDATE auth.users SET email_verified_at = NULL');
      await change();
      expect(await auth.outbox(EmailChangedMail)).toEqual([]);
      expect((await now()).user.emailVerifiedAt).not.toBeNull();
    });
  });
});
