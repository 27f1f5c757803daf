import { createHash } from 'node:crypto';
import {
  type ErrorCode,
  type PictureChange,
  pictureUrl,
  RecordAudit,
  type StoredPicture,
  type UpdateProfileRequest,
} from '@meetmark/contracts';
import { runInCall, PictureStore } from '@meetmark/platform';
import { insertAdministrator, insertUser, updateRow } from '@meetmark/testing/factories/users';
import { memberForTests } from '../testing/administration.js';
import { anAsker, authForTests, createCall, refuses } from '../testing/open-auth.js';

const auth = authForTests();

const bytes = Buffer.from('RIFF....WEBP as the gateway encodes it');
const picture: StoredPicture = {
  hash: createHash('sha256').update(bytes).digest('hex'),
  base64: bytes.toString('base64'),
  width: 512,
  height: 512,
};
const url = pictureUrl('avatars', picture.hash);

describe('the profiles service', () => {
  const ada = memberForTests(auth, { email: 'ada@example.com' });

  const profile = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
  const update = (given: Partial<UpdateProfileRequest> = {}) =>
    auth.profiles.update(
      {
        ...{ ...profile, description: null, linkedInUrl: null },
        ...{ picture: { action: 'keep' }, asker: anAsker(), ...given },
      },
      createCall(ada),
    );
  const withPicture = (change: PictureChange) => update({ picture: change });

  it('audits the changed fields when members edit their own account', async () => {
    const call = createCall(ada);
    const changes = { firstName: 'Augusta', description: 'New' };
    await runInCall(call, () => update(changes));
    await runInCall(call, () => update(changes));
    await runInCall(call, () =>
      auth.profiles.setMailPreferences({ eventUpdates: false, reminders: true }, call),
    );
    // an unsubscribe link works without a session
    await runInCall({ ...call, identity: null }, () =>
      auth.profiles.unsubscribe({ userId: ada.id, reminders: false }),
    );
    const entry = { action: 'account.updated', actorId: ada.id, subjectId: ada.id, subjectName: null };
    expect(await auth.outbox(RecordAudit)).toMatchObject([
      { ...entry, changed: ['firstName', 'description'] },
      { ...entry, changed: ['eventUpdates'] },
      { ...entry, changed: ['reminders'] },
    ]);
  });

  it('saves names, description, LinkedIn URL, visibility and language', async () => {
    const names = { firstName: 'Augusta', lastName: 'King', description: 'First programmer\nof the engine' };
    const linkedInUrl = 'https://linkedin.com/in/ada';
    const changes = { ...names, linkedInUrl, showMe: 'no', locale: 'de' } as const;
    const { user, epoch } = await update(changes);
    expect(user).toEqual({
      ...{ id: ada.id, email: 'ada@example.com', ...changes, profileImageUrl: null },
      ...{ role: 'member', isAdmin: false, hasPassword: true, hasSecondFactor: false },
      ...{ emailVerifiedAt: expect.any(String), pendingEmail: null, version: 2 },
      ...{ createdAt: ada.createdAt.toISOString(), updatedAt: expect.any(String) },
    });
    expect(epoch).toBe(1);
    expect((await auth.users.get({ userId: ada.id }))?.user).toEqual(user);
  });

  it('rejects an outdated edit without naming the administrator who changed the profile', async () => {
    const grace = await insertAdministrator(auth.owner, { firstName: 'Grace', lastName: 'Hopper' });
    const byGrace = { userId: ada.id, lastName: 'King', version: 1 };
    await auth.accounts.update(byGrace, createCall(grace));
    await update({ lastName: 'King', description: 'Analyst', showMe: 'name' });
    const refused = update({ lastName: 'Byron', version: 1 });
    await expect(refused).rejects.toMatchObject({
      code: 'EDIT_CONFLICT',
      details: {
        present: { version: 3 },
        edits: [
          { by: 'Ada King', own: true, changed: ['description', 'showMe'] },
          { by: null, own: false, changed: ['lastName'] },
        ],
      },
    });
    expect((await update({ lastName: 'Byron', version: 3 })).user).toMatchObject({ version: 4 });
  });

  it('returns no language if the stored language is no longer available', async () => {
    await updateRow(auth.owner, 'auth.users', ada.id, { locale: 'pt' });
    expect((await update({ lastName: 'King' })).user.locale).toBeNull();
    expect((await auth.users.get({ userId: ada.id }))?.user.locale).toBeNull();
  });

  it('keeps omitted profile fields and clears those set to null', async () => {
    const full = {
      description: 'Analyst',
      linkedInUrl: 'https://linkedin.com/in/ada',
      locale: 'de',
    } as const;
    const { user } = await update({ ...full, picture: { action: 'store', picture } });
    const keep = { picture: { action: 'keep' }, asker: anAsker() } as const;
    const renamed = await auth.profiles.update({ ...keep, firstName: 'Augusta' }, createCall(ada));
    const edit = { firstName: 'Augusta', updatedAt: expect.any(String), version: user.version + 1 };
    expect(renamed.user).toEqual({ ...user, ...edit });
    const nothing = { description: null, linkedInUrl: null, locale: null };
    const cleared = await auth.profiles.update({ ...keep, ...nothing }, createCall(ada));
    expect(cleared.user).toMatchObject({ firstName: 'Augusta', ...nothing });
  });

  it('stores an image once for two members, and serves only the bytes of stored images', async () => {
    const grace = await insertUser(auth.owner);
    expect((await withPicture({ action: 'store', picture })).user.profileImageUrl).toBe(url);
    const stored = { picture: { action: 'store', picture }, asker: anAsker() } as const;
    await auth.profiles.update(stored, createCall(grace));
    expect(await auth.rows('SELECT hash, mime, width FROM auth.pictures')).toEqual([
      { hash: picture.hash, mime: 'image/webp', width: 512 },
    ]);
    expect(await auth.get(PictureStore).get(picture.hash)).toEqual({ base64: picture.base64 });
    await refuses('PICTURE_NOT_FOUND', auth.get(PictureStore).get('b'.repeat(64)));
  });

  it('keeps or removes the current profile image on request', async () => {
    await withPicture({ action: 'store', picture });
    expect((await withPicture({ action: 'keep', url })).user.profileImageUrl).toBe(url);
    expect((await withPicture({ action: 'remove' })).user.profileImageUrl).toBeNull();
  });

  it.each<[string, PictureChange, ErrorCode]>([
    [
      'the URL of another image',
      { action: 'keep', url: pictureUrl('avatars', 'a'.repeat(64)) },
      'VALIDATION_FAILED',
    ],
    [
      'bytes that differ from the hash',
      { action: 'store', picture: { ...picture, base64: 'AAAA' } },
      'PICTURE_BROKEN',
    ],
    ['a missing image', { action: 'store' }, 'PICTURE_BROKEN'],
  ])('rejects a profile update with %s', (_, change, code) => refuses(code, withPicture(change)));

  it('rejects a caller with ended sessions or a deleted account', async () => {
    await auth.owner.query('UPDATE auth.users SET session_epoch = 2');
    await refuses('UNAUTHORIZED', update());
    await auth.owner.query('DELETE FROM auth.users');
    await refuses('UNAUTHORIZED', update());
    await refuses('UNAUTHORIZED', auth.profiles.mailPreferences({}, createCall(ada)));
  });
});

const ALL = { eventUpdates: true, reminders: true, messages: true, announcements: true, digest: true };
const NONE = { eventUpdates: false, reminders: false, messages: false, announcements: false, digest: false };

describe('email preferences', () => {
  const ada = memberForTests(auth);

  it('turns every email list on by default, and changes only the lists that a request names', async () => {
    expect(await auth.profiles.mailPreferences({}, createCall(ada))).toEqual(ALL);
    const changed = { ...ALL, reminders: false, messages: false, digest: false };
    expect(await auth.profiles.setMailPreferences(changed, createCall(ada))).toEqual(changed);
    const kept = { ...changed, messages: true };
    const request = { eventUpdates: true, reminders: false, messages: true };
    expect(await auth.profiles.setMailPreferences(request, createCall(ada))).toEqual(kept);
    expect(await auth.profiles.mailPreferences({}, createCall(ada))).toEqual(kept);
  });

  it('turns off only the list that an unsubscribe link names, even if it is used twice', async () => {
    const expected = { ...ALL };
    for (const list of Object.keys(ALL) as (keyof typeof ALL)[]) {
      for (let time = 0; time < 2; time += 1)
        await auth.profiles.unsubscribe({ userId: ada.id, [list]: false });
      expected[list] = false;
      expect(await auth.profiles.mailPreferences({}, createCall(ada))).toEqual(expected);
    }
  });

  it('turns on only one list when a member undoes an unsubscribe', async () => {
    await auth.profiles.setMailPreferences(NONE, createCall(ada));
    await auth.profiles.unsubscribe({ userId: ada.id, reminders: true });
    expect(await auth.profiles.findMailPreferences({ userId: ada.id })).toEqual({ ...NONE, reminders: true });
  });

  it('returns no email preferences for a deleted account', async () => {
    await auth.owner.query('DELETE FROM auth.users WHERE id = $1', [ada.id]);
    await expect(auth.profiles.unsubscribe({ userId: ada.id, reminders: false })).resolves.toBeUndefined();
    expect(await auth.profiles.findMailPreferences({ userId: ada.id })).toBeNull();
  });
});
