import { randomUUID } from 'node:crypto';
import { RecordAudit, SETUP_LINK_LIFETIME, type SetUpRequest } from '@meetmark/contracts';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { DataSource } from 'typeorm';
import { SignInService } from './sign-in.service.js';
import { createSetupToken } from '../operator-commands.js';
import { CodesService } from '../codes/codes.service.js';
import {
  addFactor,
  anAsker,
  authForTests,
  mailedTo,
  memberFields,
  nobody,
  openAuth,
  type TestAuth,
} from '../testing/open-auth.js';
import { newSetupToken, SetupService } from './setup.service.js';

describe('the link that sets an installation up', () => {
  const auth = authForTests();

  const owner = { email: 'ola@rust.example', firstName: 'Ola', lastName: 'Silva', password: 'correct horse' };
  const token = () => newSetupToken(auth.get(DataSource));
  const setUp = (request: Pick<SetUpRequest, 'token'> & Partial<SetUpRequest>) =>
    auth.get(SetupService).setUp({ owner, ...request });
  const state = () => auth.get(SetupService).state();

  describe('before there is an owner', () => {
    let unowned: TestAuth;
    beforeAll(async () => (unowned = await openAuth(undefined, false)));
    afterAll(() => unowned.close());
    const refused = { code: 'NOT_SET_UP' };
    const accounts = async () => (await unowned.owner.query('SELECT FROM auth.users')).rowCount;

    it('nobody signs up, also not with a key, nor gets an account by a code or link of an event', async () => {
      const signIns = unowned.get(SignInService);
      await expect(signIns.signUp(memberFields())).rejects.toMatchObject(refused);
      const keyed = { ...memberFields({ email: owner.email }), idempotencyKey: 'a key of this test' };
      await expect(signIns.signUp(keyed)).rejects.toMatchObject(refused);
      const codes = unowned.get(CodesService);
      const asker = anAsker();
      const person = { email: owner.email, firstName: 'Ola', lastName: 'Silva' };
      const { flow } = await codes.requestRsvp({ ...person, eventId: randomUUID(), asker });
      const { code, link } = await mailedTo(owner.email, unowned);
      await expect(codes.confirmRsvp({ flow, code: code!, asker }, nobody())).rejects.toMatchObject(refused);
      await expect(codes.confirmLink({ token: link }, nobody())).rejects.toMatchObject(refused);
      expect(await accounts()).toBe(0);
    });

    it('an account of an earlier version with the address becomes the owner’s, with nothing that was set before', async () => {
      const { id } = await insertUser(unowned.owner, { email: owner.email, emailVerifiedAt: null });
      await addFactor(unowned, id);
      const link = await newSetupToken(unowned.get(DataSource));
      const made = await unowned.get(SetupService).setUp({ token: link, owner });
      expect(made.user).toMatchObject({ id, role: 'owner', firstName: 'Ola', hasSecondFactor: false });
      expect(made.user.emailVerifiedAt).not.toBeNull();
      expect(await unowned.outbox(RecordAudit)).toContainEqual(
        expect.objectContaining({ action: 'user.promoted', actorId: id, subjectId: id }),
      );
      expect(await unowned.get(SignInService).signIn(owner)).toMatchObject({
        user: { id },
        epoch: made.epoch,
      });
      await unowned.get(SignInService).signUp(memberFields());
      expect(await accounts()).toBe(2);
    });
  });

  it('makes the first owner, who signs in; after that nobody makes one', async () => {
    expect(await state()).toEqual({ open: true });
    const link = await createSetupToken(auth.config);
    const made = await setUp({ token: link });
    expect(made.user).toMatchObject({
      role: 'owner',
      email: owner.email,
      emailVerifiedAt: expect.any(String),
    });
    expect(await state()).toEqual({ open: false });
    const { id } = made.user;
    expect(await auth.outbox(RecordAudit)).toMatchObject([
      { action: 'user.created', actorId: id, subjectId: id },
    ]);
    expect(await auth.get(SignInService).signIn(owner)).toMatchObject({ user: { id: made.user.id } });
    await expect(setUp({ token: 'A'.repeat(22) })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(token()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('answers again to who made the owner, and to nobody else', async () => {
    const link = await token();
    const made = await setUp({ token: link });
    expect((await setUp({ token: link })).user.id).toBe(made.user.id);
    for (const other of [{ password: 'another horse' }, { email: 'other@rust.example' }])
      await expect(setUp({ token: link, owner: { ...owner, ...other } })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    // once the password has been changed it is no way in any more
    await auth.owner.query('UPDATE auth.users SET session_epoch = 2 WHERE id = $1', [made.user.id]);
    await expect(setUp({ token: link })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is refused alike when it is wrong, replaced or a day old', async () => {
    const replaced = await token();
    const expired = await token();
    await auth.owner.query(`UPDATE auth.setup_links SET expires_at = now() - interval '1 second'`);
    for (const each of ['A'.repeat(22), replaced, expired])
      await expect(setUp({ token: each })).rejects.toMatchObject({ code: 'SETUP_LINK_INVALID' });
    expect(await state()).toEqual({ open: true });
  });

  it('lasts a day, and is kept as a hash alone', async () => {
    const link = await token();
    const { rows } = await auth.owner.query(
      'SELECT encode(hash, $1) AS hash, expires_at - now() AS rest, row_to_json(l)::text AS row FROM auth.setup_links l',
      ['hex'],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(link);
    expect(SETUP_LINK_LIFETIME).toBe(24 * 3_600_000);
    expect(rows[0].rest).toMatchObject({ hours: 23, minutes: 59 });
  });

  it('makes one owner for ten at the same moment', async () => {
    const link = await token();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, number) =>
        setUp({ token: link, owner: { ...owner, email: `ola${number}@rust.example` } }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await auth.owner.query('SELECT FROM auth.users WHERE is_admin')).rowCount).toBe(1);
  });

  it('is worth nothing where an owner was made in another way', async () => {
    const link = await token();
    await insertAdministrator(auth.owner);
    await expect(setUp({ token: link })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
