import { randomUUID } from 'node:crypto';
import { RecordAudit } from '@meetmark/contracts';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { beforeCommit, outcomes } from '@meetmark/testing';
import { administrationForTests } from '../testing/administration.js';
import { addFactor, callOf } from '../testing/open-auth.js';
import { SecondFactorsService } from '../second-factors/second-factors.service.js';
import { AccountsService } from './accounts.service.js';

describe('administrators’ rights', () => {
  const { auth, grace, ada, asGrace, session, audited } = administrationForTests();
  let service: AccountsService;
  beforeEach(() => {
    service = auth.get(AccountsService);
  });

  it('change at once for the sessions of the user', async () => {
    await session(ada.id);
    await service.setAdmin({ userId: ada.id, isAdmin: true }, asGrace());
    expect(await session(ada.id)).toMatchObject({ user: { isAdmin: true }, epoch: 1 });
    await service.setAdmin({ userId: ada.id, isAdmin: false }, asGrace());
    expect(await session(ada.id)).toMatchObject({ user: { isAdmin: false }, epoch: 1 });
    expect(await audited()).toEqual([['user.promoted'], ['user.demoted']]);
  });

  it('may be set to what they are, without a record', async () => {
    expect(await service.setAdmin({ userId: ada.id, isAdmin: false }, asGrace())).toMatchObject({
      isAdmin: false,
    });
    expect(await audited()).toEqual([]);
  });

  it('never leave the system without an administrator: two demote each other 100 times', async () => {
    for (let round = 0; round < 100; round += 1) {
      await auth.owner.query('UPDATE auth.users SET is_admin = true');
      const results = await outcomes([
        service.setAdmin({ userId: ada.id, isAdmin: false }, callOf({ ...grace, isAdmin: true })),
        service.setAdmin({ userId: grace.id, isAdmin: false }, callOf({ ...ada, isAdmin: true })),
      ]);
      expect(results).toEqual({ ok: 1, FORBIDDEN: 1 });
      const { rows } = await auth.owner.query('SELECT count(*)::int AS left FROM auth.users WHERE is_admin');
      expect(rows).toEqual([{ left: 1 }]);
    }
  });

  it('never leave the system without an administrator: two delete each other', async () => {
    await auth.owner.query('UPDATE auth.users SET is_admin = true');
    const results = await outcomes([
      service.delete(ada.id, callOf({ ...grace, isAdmin: true })),
      service.delete(grace.id, callOf({ ...ada, isAdmin: true })),
    ]);
    expect(results).toEqual({ ok: 1, UNAUTHORIZED: 1 });
  });

  const asLongAgo = () => callOf(grace, Date.now() - 60 * 60_000);
  const fields = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' };
  const takeovers: [string, () => Promise<unknown>][] = [
    [
      'make an administrator of a member by the form',
      () => service.update({ userId: ada.id, isAdmin: true }, asLongAgo()),
    ],
    [
      'make an organiser of a member',
      () => service.update({ userId: ada.id, role: 'organiser' }, asLongAgo()),
    ],
    [
      'add an organiser',
      () =>
        service.create(
          { ...fields, email: 'eve@example.com', password: 'secret', role: 'organiser' },
          asLongAgo(),
        ),
    ],
    [
      'give an account another address',
      () => service.update({ userId: ada.id, email: 'eve@example.com' }, asLongAgo()),
    ],
    [
      'add an administrator',
      () =>
        service.create(
          { ...fields, email: 'eve@example.com', password: 'secret', isAdmin: true },
          asLongAgo(),
        ),
    ],
  ];
  it.each(takeovers)('need a fresh sign-in to %s', async (_, takeOver) => {
    await expect(takeOver()).rejects.toMatchObject({ code: 'FRESH_SIGN_IN_REQUIRED' });
    expect(await audited()).toEqual([]);
    const { rows } = await auth.owner.query('SELECT email, is_admin FROM auth.users ORDER BY email');
    expect(rows).toEqual([
      { email: ada.email, is_admin: false },
      { email: grace.email, is_admin: true },
    ]);
  });

  it('need none to correct a name or to add a member', async () => {
    await service.update({ userId: ada.id, ...fields, firstName: 'Augusta', isAdmin: false }, asLongAgo());
    await service.create({ ...fields, email: 'eve@example.com', password: 'secret' }, asLongAgo());
    expect(await audited()).toEqual([['user.updated', 'firstName'], ['user.created']]);
  });

  const commands: [string, (userId: string, as: ReturnType<typeof callOf>) => Promise<unknown>][] = [
    ['rights', (userId, as) => service.setAdmin({ userId, isAdmin: false }, as)],
    ['password', (userId, as) => service.setPassword({ userId, newPassword: 'new password' }, as)],
    ['reset code', (userId, as) => service.sendResetCode(userId, as)],
    ['deletion', (userId, as) => service.delete(userId, as)],
    ['second factors', (userId, as) => auth.get(SecondFactorsService).removeOf(userId, as)],
  ];
  describe.each(commands)('of %s', (_, command) => {
    it('is refused for one’s own account, in any letter case of the id', async () => {
      for (const id of [grace.id, grace.id.toUpperCase()])
        await expect(command(id, asGrace())).rejects.toMatchObject({ code: 'OWN_ACCOUNT' });
    });

    it('is refused for an account that does not exist', async () => {
      await expect(command(randomUUID(), asGrace())).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    });

    it('is refused without a second factor where administrators need one', async () => {
      auth.config.adminSecondFactor = 'required';
      try {
        await expect(command(ada.id, asGrace())).rejects.toMatchObject({
          code: 'SECOND_FACTOR_SETUP_REQUIRED',
        });
        await addFactor(auth, grace.id);
        await addFactor(auth, ada.id);
        await command(ada.id, asGrace());
      } finally {
        auth.config.adminSecondFactor = 'encouraged';
      }
    });

    it.each([
      ['right', 'is_admin = false', 'FORBIDDEN'],
      ['sessions', 'session_epoch = 2', 'UNAUTHORIZED'],
    ])(
      'is refused to an administrator whose %s ended since the token was signed',
      async (_, change, code) => {
        await insertAdministrator(auth.owner);
        const sql = `UPDATE auth.users SET ${change} WHERE id = $1`;
        const ending = beforeCommit(auth.owner, [sql, [grace.id]], () => command(ada.id, asGrace()));
        await expect(ending).rejects.toMatchObject({ code });
      },
    );

    it('is refused, whatever the token says, to who is no administrator any more, has new sessions or is gone', async () => {
      const alan = await insertUser(auth.owner);
      const token = callOf({ ...alan, isAdmin: true });
      await expect(command(ada.id, token)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await auth.owner.query('UPDATE auth.users SET session_epoch = 2 WHERE id = $1', [alan.id]);
      await expect(command(ada.id, token)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      await auth.owner.query('DELETE FROM auth.users WHERE id = $1', [alan.id]);
      await expect(command(ada.id, token)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      expect(await auth.outbox(RecordAudit)).toEqual([]);
      expect(await session(ada.id)).toMatchObject({ user: { isAdmin: false }, epoch: 1 });
    });
  });
});
