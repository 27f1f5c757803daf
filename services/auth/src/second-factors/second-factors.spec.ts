import { RecordAudit, SECOND_FACTOR, SecondFactorMail, type PasskeySite } from '@meetmark/contracts';
import { insertAdministrator, insertUser, updateRow } from '@meetmark/testing/factories/users';
import { codes, tally } from '@meetmark/testing';
import { TOTP, Secret } from 'otpauth';
import { removeSecondFactors } from '../operator-commands.js';
import { memberForTests } from '../testing/administration.js';
import { authForTests, createCall, refuses } from '../testing/open-auth.js';

const SITE: PasskeySite = { name: 'Test', origin: 'http://localhost:8080' };
const PERIOD = 30_000;

const generateCode = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * PERIOD });

describe('second-factor handling', () => {
  const auth = authForTests();
  const ada = memberForTests(auth, { email: 'ada@example.com' });

  const session = (id = ada.id) => auth.users.get({ userId: id });
  const asAda = async () => createCall((await session())!);
  const addTotp = async () => {
    const { secret } = await auth.factors.beginTotp({}, await asAda());
    const added = await auth.factors.confirmTotp(
      { name: 'Phone', code: generateCode(secret, -1) },
      await asAda(),
    );
    return { secret, ...added };
  };
  const complete = (token: string, given: object) =>
    auth.secondStep.complete({ token, site: SITE, ...given });
  const begin = async () => (await auth.secondStep.begin({ userId: ada.id }))!;
  const signIn = async (given: object) => complete((await begin()).token, given);
  const NONE = { factors: [], recoveryCodesLeft: 0, required: false };

  it('requires no second factor for a sign-in by default', async () => {
    expect(await auth.factors.list({}, await asAda())).toEqual(NONE);
    expect(await session()).toMatchObject({ user: { hasSecondFactor: false } });
    expect(await auth.secondStep.begin({ userId: ada.id })).toBeNull();
  });

  it('requires second factors of administrators but not members, depending on the settings', async () => {
    const { id } = await insertUser(auth.owner, { isAdmin: true });
    const fetchRequired = async (userId: string, isRequired: boolean) =>
      (await auth.factors.list({}, createCall((await session(userId))!, Date.now(), isRequired))).required;
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
    expect((await auth.factors.list({}, await asAda())).recoveryCodesLeft).toBe(SECOND_FACTOR.recoveryCodes);
    expect(await auth.outbox(SecondFactorMail)).toMatchObject([
      { userId: ada.id, change: 'added', factor: 'Phone' },
    ]);
  });

  it('adds no factor for a wrong code, an expired setup or a repeated confirmation', async () => {
    const { secret } = await auth.factors.beginTotp({}, await asAda());
    const confirm = async (code: string) => auth.factors.confirmTotp({ name: 'Phone', code }, await asAda());
    await refuses('SECOND_FACTOR_INVALID', confirm(generateCode(secret, 10)));
    await auth.owner.query("UPDATE auth.second_factor_setups SET expires_at = now() - interval '1 s'");
    await refuses('SECOND_FACTOR_INVALID', confirm(generateCode(secret)));
    await auth.owner.query("UPDATE auth.second_factor_setups SET expires_at = now() + interval '1 min'");
    const results = await Promise.allSettled([confirm(generateCode(secret)), confirm(generateCode(secret))]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('stores no secret, recovery code or token in readable form', async () => {
    const { secret, recoveryCodes } = await addTotp();
    const { token } = await begin();
    const [row] = await auth.rows(
      `SELECT (SELECT json_agg(f)::text FROM auth.second_factors f) || (SELECT json_agg(r)::text FROM auth.recovery_codes r)
        || (SELECT json_agg(p)::text FROM auth.pending_sign_ins p) || (SELECT json_agg(o)::text FROM auth.outbox o) AS text`,
    );
    for (const hidden of [secret, token, ...recoveryCodes!]) expect(row.text).not.toContain(hidden);
  });

  it('limits an account to ten second factors', async () => {
    await addTotp();
    await auth.owner.query(
      `INSERT INTO auth.second_factors (id, user_id, kind, name, sealed_secret, last_step)
       SELECT gen_random_uuid(), $1, 'totp', 'x', 'x', 0 FROM generate_series(1, $2)`,
      [ada.id, SECOND_FACTOR.max - 1],
    );
    await refuses('SECOND_FACTOR_LIMIT', addTotp());
  });

  describe('in a sign-in', () => {
    it('accepts each code once, and no older code afterwards', async () => {
      const { secret } = await addTotp();
      const { token, methods } = await begin();
      expect(methods).toEqual(['totp', 'recovery']);
      expect(await complete(token, { code: generateCode(secret) })).toMatchObject({ user: { id: ada.id } });
      await refuses('SECOND_FACTOR_EXPIRED', complete(token, { code: generateCode(secret, 1) }));
      for (const steps of [0, -1])
        await refuses('SECOND_FACTOR_INCORRECT', signIn({ code: generateCode(secret, steps) }));
    });

    it('compares only five of twelve codes sent simultaneously', async () => {
      const { secret } = await addTotp();
      const { token } = await begin();
      const wrong = generateCode(secret, 100);
      const tried = await codes(Array.from({ length: 12 }, () => complete(token, { code: wrong })));
      expect(tally(tried)['SECOND_FACTOR_INCORRECT']).toBe(SECOND_FACTOR.attempts);
      await refuses('SECOND_FACTOR_EXPIRED', complete(token, { code: generateCode(secret) }));
    });

    it('accepts only recovery codes after a hundred wrong codes in a day', async () => {
      const { secret, recoveryCodes } = await addTotp();
      await auth.owner.query('INSERT INTO auth.wrong_codes (user_id, since, count) VALUES ($1, now(), $2)', [
        ada.id,
        SECOND_FACTOR.wrongCodesPerDay,
      ]);
      const { token } = await begin();
      await refuses('SECOND_FACTOR_INCORRECT', complete(token, { code: generateCode(secret) }));
      await complete(token, { recoveryCode: recoveryCodes![0] });
      await auth.owner.query("UPDATE auth.wrong_codes SET since = now() - interval '25 hours'");
      await signIn({ code: generateCode(secret) });
    });

    it('accepts each recovery code once, in any spelling, and sends an email', async () => {
      const { recoveryCodes } = await addTotp();
      const [code] = recoveryCodes!;
      const inFullWidth = (sign: string) => String.fromCodePoint(sign.codePointAt(0)! + 0xfee0);
      const typed = code!
        .toLowerCase()
        .replaceAll(/[a-z2-7]/g, inFullWidth)
        .replaceAll('-', ' ');
      await signIn({ recoveryCode: typed });
      await refuses('SECOND_FACTOR_INCORRECT', signIn({ recoveryCode: code }));
      expect((await auth.factors.list({}, await asAda())).recoveryCodesLeft).toBe(
        SECOND_FACTOR.recoveryCodes - 1,
      );
      const changes = (await auth.outbox(SecondFactorMail)).map(({ change }) => change);
      expect(changes).toEqual(['added', 'recovery-code-used']);
    });

    it('rejects another account’s recovery code, unknown passkeys or tokens, and two codes at once', async () => {
      const { recoveryCodes } = await addTotp();
      const eve = await insertUser(auth.owner, { email: 'eve@example.com' });
      const asEve = async () => createCall((await session(eve.id))!);
      const { secret } = await auth.factors.beginTotp({}, await asEve());
      await auth.factors.confirmTotp({ name: 'Phone', code: generateCode(secret) }, await asEve());
      const hers = (await auth.secondStep.begin({ userId: eve.id }))!;
      await refuses('SECOND_FACTOR_INCORRECT', complete(hers.token, { recoveryCode: recoveryCodes![0] }));
      await refuses('SECOND_FACTOR_INCORRECT', complete(hers.token, { passkey: { id: 'x' } }));
      await refuses('SECOND_FACTOR_EXPIRED', complete('nonsense', { code: '000000' }));
      await refuses('VALIDATION_FAILED', complete(hers.token, { code: '000000', recoveryCode: 'x' }));
      await refuses('VALIDATION_FAILED', complete(hers.token, {}));
    });

    it('returns the pending registration with the completed sign-in', async () => {
      const { recoveryCodes } = await addTotp();
      const wanted = { eventId: ada.id, waitlist: false, showMe: 'linkedin' } as const;
      for (const pending of [wanted, undefined]) {
        const { token } = (await auth.secondStep.begin({ userId: ada.id, wanted: pending }))!;
        expect((await complete(token, { recoveryCode: recoveryCodes!.pop() })).wanted).toEqual(pending);
      }
    });

    it('rejects a pending sign-in after the account’s sessions have ended', async () => {
      const { secret } = await addTotp();
      const { token } = await begin();
      await auth.owner.query('UPDATE auth.users SET session_epoch = session_epoch + 1');
      await refuses('SECOND_FACTOR_EXPIRED', complete(token, { code: generateCode(secret) }));
    });
  });

  describe('before a sensitive action', () => {
    const reauthenticate = async (given: object) => auth.secondStep.reauthenticate(given, await asAda());

    it('accepts a reauthentication code once', async () => {
      const { secret } = await addTotp();
      await reauthenticate({ code: generateCode(secret) });
      await refuses('SECOND_FACTOR_INVALID', reauthenticate({ code: generateCode(secret) }));
      await refuses('SECOND_FACTOR_INVALID', reauthenticate({ code: generateCode(secret, 50) }));
    });

    it('accepts the password instead of a code, but requires one of the two', async () => {
      const passwordHash = await auth.hasher.hash('correct horse');
      await updateRow(auth.owner, 'auth.users', ada.id, { passwordHash });
      await reauthenticate({ password: 'correct horse' });
      await refuses('CURRENT_PASSWORD_INCORRECT', reauthenticate({ password: 'wrong' }));
      await refuses('VALIDATION_FAILED', reauthenticate({}));
    });
  });

  it('lets only the owner remove a factor, which also removes recovery codes', async () => {
    const { factor } = await addTotp();
    const eve = await insertUser(auth.owner, { email: 'eve@example.com' });
    const asEve = createCall((await session(eve.id))!);
    await refuses('SECOND_FACTOR_NOT_FOUND', auth.factors.remove({ factorId: factor.id }, asEve));
    expect(await auth.factors.remove({ factorId: factor.id }, await asAda())).toMatchObject({
      user: { hasSecondFactor: false },
    });
    expect(await auth.factors.list({}, await asAda())).toEqual(NONE);
    await refuses('SECOND_FACTOR_NOT_FOUND', auth.factors.renewRecoveryCodes({}, await asAda()));
  });

  it('replaces the old recovery codes with new ones', async () => {
    const { recoveryCodes } = await addTotp();
    const renewed = await auth.factors.renewRecoveryCodes({}, await asAda());
    expect(renewed.recoveryCodes).toHaveLength(SECOND_FACTOR.recoveryCodes);
    await refuses('SECOND_FACTOR_INCORRECT', signIn({ recoveryCode: recoveryCodes![0] }));
    await signIn({ recoveryCode: renewed.recoveryCodes[0] });
  });

  it.each<[string, () => Promise<string>]>([
    [
      'an operator',
      async () => {
        await refuses('USER_NOT_FOUND', removeSecondFactors(auth.config, 'none@example.com'));
        await removeSecondFactors(auth.config, ' ADA@example.com');
        return ada.id;
      },
    ],
    [
      'an administrator',
      async () => {
        const grace = await insertAdministrator(auth.owner);
        await auth.factors.removeOf({ userId: ada.id }, createCall(grace));
        return grace.id;
      },
    ],
  ])('lets %s remove all factors, which ends sessions and sends an email', async (_, remove) => {
    await addTotp();
    const before = (await session())!;
    const actorId = await remove();
    expect(await session()).toMatchObject({ epoch: before.epoch + 1, user: { hasSecondFactor: false } });
    const entry = { action: 'user.secondFactorsRemoved', actorId, subjectId: ada.id };
    expect(await auth.outbox(RecordAudit)).toMatchObject([entry]);
    expect((await auth.outbox(SecondFactorMail)).at(-1)).toMatchObject({ change: 'all-removed' });
    await refuses('SECOND_FACTOR_NOT_FOUND', remove());
  });
});
