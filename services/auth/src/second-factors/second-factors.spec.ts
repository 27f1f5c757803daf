import { RecordAudit, SECOND_FACTOR, SecondFactorMail, type PasskeySite } from '@meetmark/contracts';
import { insertAdministrator, insertUser, type UserRow, updateRow } from '@meetmark/testing/factories/users';
import { TOTP, Secret } from 'otpauth';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { removeSecondFactors } from '../operator-commands.js';
import { SessionUsersService } from '../users/session-users.service.js';
import { authForTests, createCall } from '../testing/open-auth.js';
import { SecondFactorsService } from './second-factors.service.js';
import { SecondStepService } from './second-step.service.js';

const SITE: PasskeySite = { name: 'Test', origin: 'http://localhost:8080' };
const PERIOD = 30_000;

const generateCode = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * PERIOD });

const refused = (code: string) => expect.objectContaining({ code });

describe('second-factor handling', () => {
  const auth = authForTests();
  let ada: UserRow;
  let factors: SecondFactorsService;
  let step: SecondStepService;
  beforeEach(async () => {
    ada = await insertUser(auth.owner, { email: 'ada@example.com' });
    factors = auth.get(SecondFactorsService);
    step = auth.get(SecondStepService);
  });

  const session = (id = ada.id) => auth.get(SessionUsersService).get({ userId: id });
  const asAda = async () => createCall((await session())!);
  const addTotp = async () => {
    const { secret } = await factors.beginTotp({}, await asAda());
    const added = await factors.confirmTotp({ name: 'Phone', code: generateCode(secret, -1) }, await asAda());
    return { secret, ...added };
  };
  const complete = (token: string, given: object) => step.complete({ token, site: SITE, ...given });
  const begin = async () => (await step.begin({ userId: ada.id }))!;

  it('requires no second factor for a sign-in by default', async () => {
    expect(await factors.list({}, await asAda())).toEqual({
      factors: [],
      recoveryCodesLeft: 0,
      required: false,
    });
    expect(await session()).toMatchObject({ user: { hasSecondFactor: false } });
    expect(await step.begin({ userId: ada.id })).toBeNull();
  });

  it('requires second factors of administrators but not members, depending on the settings', async () => {
    const { id } = await insertUser(auth.owner, { isAdmin: true });
    const fetchRequired = async (userId: string, isRequired: boolean) =>
      (await factors.list({}, createCall((await session(userId))!, Date.now(), isRequired))).required;
    expect([await fetchRequired(id, true), await fetchRequired(id, false)]).toEqual([true, false]);
    expect(await fetchRequired(ada.id, true)).toBe(false);
  });

  it('ends other sessions and returns recovery codes when a factor is added', async () => {
    const before = (await session())!;
    const { factor, recoveryCodes, session: renewed } = await addTotp();
    expect(factor).toMatchObject({ kind: 'totp', name: 'Phone', lastUsedAt: null });
    expect(recoveryCodes).toHaveLength(SECOND_FACTOR.recoveryCodes);
    expect(new Set(recoveryCodes).size).toBe(SECOND_FACTOR.recoveryCodes);
    expect(renewed).toMatchObject({ epoch: before.epoch + 1, user: { hasSecondFactor: true } });
    expect((await factors.list({}, await asAda())).recoveryCodesLeft).toBe(SECOND_FACTOR.recoveryCodes);
    expect(await auth.outbox(SecondFactorMail)).toMatchObject([
      { userId: ada.id, change: 'added', factor: 'Phone' },
    ]);
  });

  it('adds no factor for a wrong code, an expired setup or a repeated confirmation', async () => {
    const { secret } = await factors.beginTotp({}, await asAda());
    const confirm = async (code: string) => factors.confirmTotp({ name: 'Phone', code }, await asAda());
    await expect(confirm(generateCode(secret, 10))).rejects.toEqual(refused('SECOND_FACTOR_INVALID'));
    await auth.owner.query("UPDATE auth.second_factor_setups SET expires_at = now() - interval '1 s'");
    await expect(confirm(generateCode(secret))).rejects.toEqual(refused('SECOND_FACTOR_INVALID'));
    await auth.owner.query("UPDATE auth.second_factor_setups SET expires_at = now() + interval '1 min'");
    const results = await Promise.allSettled([confirm(generateCode(secret)), confirm(generateCode(secret))]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('stores no secret, recovery code or token in readable form', async () => {
    const { secret, recoveryCodes } = await addTotp();
    const { token } = await begin();
    const { rows } = await auth.owner.query(
      `SELECT (SELECT json_agg(f)::text FROM auth.second_factors f) || (SELECT json_agg(r)::text FROM auth.recovery_codes r)
        || (SELECT json_agg(p)::text FROM auth.pending_sign_ins p) || (SELECT json_agg(o)::text FROM auth.outbox o) AS text`,
    );
    for (const hidden of [secret, token, ...recoveryCodes!]) expect(rows[0].text).not.toContain(hidden);
  });

  it('limits an account to ten second factors', async () => {
    await addTotp();
    await auth.owner.query(
      `INSERT INTO auth.second_factors (id, user_id, kind, name, sealed_secret, last_step)
       SELECT gen_random_uuid(), $1, 'totp', 'x', 'x', 0 FROM generate_series(1, $2)`,
      [ada.id, SECOND_FACTOR.max - 1],
    );
    await expect(addTotp()).rejects.toEqual(refused('SECOND_FACTOR_LIMIT'));
  });

  describe('in a sign-in', () => {
    it('accepts each code once, and no older code afterwards', async () => {
      const { secret } = await addTotp();
      const { token, methods } = await begin();
      expect(methods).toEqual(['totp', 'recovery']);
      expect(await complete(token, { code: generateCode(secret) })).toMatchObject({ user: { id: ada.id } });
      await expect(complete(token, { code: generateCode(secret, 1) })).rejects.toEqual(
        refused('SECOND_FACTOR_EXPIRED'),
      );
      const again = await begin();
      await expect(complete(again.token, { code: generateCode(secret) })).rejects.toEqual(
        refused('SECOND_FACTOR_INCORRECT'),
      );
      await expect(complete(again.token, { code: generateCode(secret, -1) })).rejects.toEqual(
        refused('SECOND_FACTOR_INCORRECT'),
      );
    });

    it('compares only five of twelve codes sent simultaneously', async () => {
      const { secret } = await addTotp();
      const { token } = await begin();
      const wrong = generateCode(secret, 100);
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, () => complete(token, { code: wrong })),
      );
      const codes = results.map((result) => (result as PromiseRejectedResult).reason.code);
      expect(codes.filter((code) => code === 'SECOND_FACTOR_INCORRECT')).toHaveLength(SECOND_FACTOR.attempts);
      await expect(complete(token, { code: generateCode(secret) })).rejects.toEqual(
        refused('SECOND_FACTOR_EXPIRED'),
      );
    });

    it('accepts only recovery codes after a hundred wrong codes in a day', async () => {
      const { secret, recoveryCodes } = await addTotp();
      await auth.owner.query('INSERT INTO auth.wrong_codes (user_id, since, count) VALUES ($1, now(), $2)', [
        ada.id,
        SECOND_FACTOR.wrongCodesPerDay,
      ]);
      const { token } = await begin();
      await expect(complete(token, { code: generateCode(secret) })).rejects.toEqual(
        refused('SECOND_FACTOR_INCORRECT'),
      );
      await expect(complete(token, { recoveryCode: recoveryCodes![0] })).resolves.toMatchObject({
        user: { id: ada.id },
      });
      await auth.owner.query("UPDATE auth.wrong_codes SET since = now() - interval '25 hours'");
      await expect(complete((await begin()).token, { code: generateCode(secret) })).resolves.toBeDefined();
    });

    it('accepts each recovery code once, in any spelling, and sends an email', async () => {
      const { recoveryCodes } = await addTotp();
      const [code] = recoveryCodes!;
      const inFullWidth = (sign: string) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0);
      const typed = code!
        .toLowerCase()
        .replaceAll(/[a-z2-7]/g, inFullWidth)
        .replaceAll('-', ' ');
      await expect(complete((await begin()).token, { recoveryCode: typed })).resolves.toBeDefined();
      await expect(complete((await begin()).token, { recoveryCode: code })).rejects.toEqual(
        refused('SECOND_FACTOR_INCORRECT'),
      );
      expect((await factors.list({}, await asAda())).recoveryCodesLeft).toBe(SECOND_FACTOR.recoveryCodes - 1);
      expect((await auth.outbox(SecondFactorMail)).map(({ change }) => change)).toEqual([
        'added',
        'recovery-code-used',
      ]);
    });

    it('rejects another account’s recovery code, unknown tokens, and two codes in one request', async () => {
      const { recoveryCodes } = await addTotp();
      const eve = await insertUser(auth.owner, { email: 'eve@example.com' });
      const asEve = async () => createCall((await session(eve.id))!);
      const { secret } = await factors.beginTotp({}, await asEve());
      await factors.confirmTotp({ name: 'Phone', code: generateCode(secret) }, await asEve());
      const hers = (await step.begin({ userId: eve.id }))!;
      await expect(complete(hers.token, { recoveryCode: recoveryCodes![0] })).rejects.toEqual(
        refused('SECOND_FACTOR_INCORRECT'),
      );
      await expect(complete('nonsense', { code: '000000' })).rejects.toEqual(
        refused('SECOND_FACTOR_EXPIRED'),
      );
      await expect(complete(hers.token, { code: '000000', recoveryCode: 'x' })).rejects.toEqual(
        refused('VALIDATION_FAILED'),
      );
      await expect(complete(hers.token, {})).rejects.toEqual(refused('VALIDATION_FAILED'));
    });

    it('rejects a pending sign-in after the account’s sessions have ended', async () => {
      const { secret } = await addTotp();
      const { token } = await begin();
      await auth.owner.query('UPDATE auth.users SET session_epoch = session_epoch + 1');
      await expect(complete(token, { code: generateCode(secret) })).rejects.toEqual(
        refused('SECOND_FACTOR_EXPIRED'),
      );
    });

    it('rejects a passkey for an account without passkeys', async () => {
      await addTotp();
      const { token } = await begin();
      await expect(complete(token, { passkey: { id: 'x' } })).rejects.toEqual(
        refused('SECOND_FACTOR_INCORRECT'),
      );
    });
  });

  describe('before a sensitive action', () => {
    const reauthenticate = async (given: object) => step.reauthenticate(given, await asAda());

    it('accepts a reauthentication code once', async () => {
      const { secret } = await addTotp();
      await reauthenticate({ code: generateCode(secret) });
      await expect(reauthenticate({ code: generateCode(secret) })).rejects.toEqual(
        refused('SECOND_FACTOR_INVALID'),
      );
      await expect(reauthenticate({ code: generateCode(secret, 50) })).rejects.toEqual(
        refused('SECOND_FACTOR_INVALID'),
      );
    });

    it('accepts the password instead of a code, but requires one of the two', async () => {
      const passwordHash = await auth.get(PasswordHasher).hash('correct horse');
      await updateRow(auth.owner, 'auth.users', ada.id, { passwordHash });
      await reauthenticate({ password: 'correct horse' });
      await expect(reauthenticate({ password: 'wrong' })).rejects.toEqual(
        refused('CURRENT_PASSWORD_INCORRECT'),
      );
      await expect(reauthenticate({})).rejects.toEqual(refused('VALIDATION_FAILED'));
    });
  });

  it('lets only the owner remove a factor, which also removes recovery codes', async () => {
    const { factor } = await addTotp();
    const eve = await insertUser(auth.owner, { email: 'eve@example.com' });
    const asEve = createCall((await session(eve.id))!);
    await expect(factors.remove({ factorId: factor.id }, asEve)).rejects.toEqual(
      refused('SECOND_FACTOR_NOT_FOUND'),
    );
    expect(await factors.remove({ factorId: factor.id }, await asAda())).toMatchObject({
      user: { hasSecondFactor: false },
    });
    expect(await factors.list({}, await asAda())).toEqual({
      factors: [],
      recoveryCodesLeft: 0,
      required: false,
    });
    await expect(factors.renewRecoveryCodes({}, await asAda())).rejects.toEqual(
      refused('SECOND_FACTOR_NOT_FOUND'),
    );
  });

  it('replaces the old recovery codes with new ones', async () => {
    const { recoveryCodes } = await addTotp();
    const renewed = await factors.renewRecoveryCodes({}, await asAda());
    expect(renewed.recoveryCodes).toHaveLength(SECOND_FACTOR.recoveryCodes);
    await expect(complete((await begin()).token, { recoveryCode: recoveryCodes![0] })).rejects.toEqual(
      refused('SECOND_FACTOR_INCORRECT'),
    );
    await expect(
      complete((await begin()).token, { recoveryCode: renewed.recoveryCodes[0] }),
    ).resolves.toBeDefined();
  });

  it('lets an operator remove all factors, with audit entry and email', async () => {
    await addTotp();
    const before = (await session())!;
    await removeSecondFactors(auth.config, ' ADA@example.com');
    expect(await session()).toMatchObject({ epoch: before.epoch + 1, user: { hasSecondFactor: false } });
    expect((await auth.outbox(RecordAudit)).at(-1)).toMatchObject({
      ...{ action: 'user.secondFactorsRemoved', actorId: ada.id, subjectId: ada.id },
    });
    expect((await auth.outbox(SecondFactorMail)).at(-1)).toMatchObject({ change: 'all-removed' });
    await expect(removeSecondFactors(auth.config, ada.email)).rejects.toEqual(
      refused('SECOND_FACTOR_NOT_FOUND'),
    );
    await expect(removeSecondFactors(auth.config, 'none@example.com')).rejects.toEqual(
      refused('USER_NOT_FOUND'),
    );
  });

  it('lets an administrator remove factors, which ends sessions and sends an email', async () => {
    await addTotp();
    const grace = await insertAdministrator(auth.owner, { email: 'grace@example.com' });
    const before = (await session())!;
    await expect(factors.removeOf({ userId: ada.id }, await asAda())).rejects.toEqual(refused('OWN_ACCOUNT'));
    await factors.removeOf({ userId: ada.id }, createCall(grace));
    expect(await session()).toMatchObject({ epoch: before.epoch + 1, user: { hasSecondFactor: false } });
    expect(await auth.outbox(RecordAudit)).toMatchObject([
      { action: 'user.secondFactorsRemoved', actorId: grace.id, subjectId: ada.id },
    ]);
    expect((await auth.outbox(SecondFactorMail)).at(-1)).toMatchObject({ change: 'all-removed' });
    await expect(factors.removeOf({ userId: ada.id }, createCall(grace))).rejects.toEqual(
      refused('SECOND_FACTOR_NOT_FOUND'),
    );
  });
});
