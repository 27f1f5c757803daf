import { createHash } from 'node:crypto';
import {
  type PictureChange,
  pictureUrl,
  RecordAudit,
  type StoredPicture,
  type UpdateProfileRequest,
} from '@meetmark/contracts';
import { runInCall, PictureStore } from '@meetmark/platform';
import { insertAdministrator, insertUser, type UserRow, updateRow } from '@meetmark/testing/factories/users';
import { AccountsService } from '../accounts/accounts.service.js';
import { anAsker, authForTests, createCall } from '../testing/open-auth.js';
import { ProfilesService } from './profiles.service.js';
import { SessionUsersService } from '../users/session-users.service.js';

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
  let service: ProfilesService;
  let ada: UserRow;
  beforeEach(async () => {
    service = auth.get(ProfilesService);
    ada = await insertUser(auth.owner, { email: 'ada@example.com' });
  });

  const update = (given: Partial<UpdateProfileRequest> = {}) =>
    service.update(
      {
        email: 'ada@example.com',
        firstName: 'Ada',
        lastName: 'Lovelace',
        description: null,
        linkedInUrl: null,
        picture: { action: 'keep' },
        asker: anAsker(),
        ...given,
      },
      createCall(ada),
    );
  const withPicture = (change: PictureChange) => update({ picture: change });

  it('audits the changed fields when members edit their own account', async () => {
    const call = createCall(ada);
    const changes = { firstName: 'Augusta', description: 'New' };
    await runInCall(call, () => update(changes));
    await runInCall(call, () => update(changes));
    await runInCall(call, () => service.setMailPreferences({ eventUpdates: false, reminders: true }, call));
    // an unsubscribe link works without a session
    await runInCall({ ...call, identity: null }, () =>
      service.unsubscribe({ userId: ada.id, reminders: false }),
    );
    const entry = { action: 'account.updated', actorId: ada.id, subjectId: ada.id, subjectName: null };
    expect(await auth.outbox(RecordAudit)).toMatchObject([
      { ...entry, changed: ['firstName', 'description'] },
      { ...entry, changed: ['eventUpdates'] },
      { ...entry, changed: ['reminders'] },
    ]);
  });

  it('saves names, description, LinkedIn URL, visibility and language', async () => {
    const { user, epoch } = await update({
      firstName: 'Augusta',
      lastName: 'King',
      description: 'First programmer\nof the engine',
      linkedInUrl: 'https://linkedin.com/in/ada',
      showMe: 'no',
      locale: 'de',
    });
    expect(user).toEqual({
      id: ada.id,
      email: 'ada@example.com',
      firstName: 'Augusta',
      lastName: 'King',
      description: 'First programmer\nof the engine',
      linkedInUrl: 'https://linkedin.com/in/ada',
      profileImageUrl: null,
      role: 'member',
      isAdmin: false,
      emailVerifiedAt: expect.any(String),
      pendingEmail: null,
      hasPassword: true,
      showMe: 'no',
      locale: 'de',
      hasSecondFactor: false,
      createdAt: ada.createdAt.toISOString(),
      updatedAt: expect.any(String),
      version: 2,
    });
    expect(epoch).toBe(1);
    expect((await auth.get(SessionUsersService).get({ userId: ada.id }))?.user).toEqual(user);
  });

  it('rejects an outdated edit without naming the administrator who changed the profile', async () => {
    const grace = await insertAdministrator(auth.owner, { firstName: 'Grace', lastName: 'Hopper' });
    const byGrace = { userId: ada.id, lastName: 'King', version: 1 };
    await auth.get(AccountsService).update(byGrace, createCall(grace));
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
    expect((await auth.get(SessionUsersService).get({ userId: ada.id }))?.user.locale).toBeNull();
  });

  it('keeps omitted profile fields and clears those set to null', async () => {
    const full = {
      description: 'Analyst',
      linkedInUrl: 'https://linkedin.com/in/ada',
      locale: 'de',
    } as const;
    const { user } = await update({ ...full, picture: { action: 'store', picture } });
    const keep = { picture: { action: 'keep' }, asker: anAsker() } as const;
    const renamed = await service.update({ ...keep, firstName: 'Augusta' }, createCall(ada));
    expect(renamed.user).toEqual({
      ...user,
      firstName: 'Augusta',
      updatedAt: expect.any(String),
      version: user.version + 1,
    });
    const nothing = { description: null, linkedInUrl: null, locale: null };
    const cleared = await service.update({ ...keep, ...nothing }, createCall(ada));
    expect(cleared.user).toMatchObject({ firstName: 'Augusta', ...nothing });
  });

  it('stores an image once for two members, and serves its bytes', async () => {
    const grace = await insertUser(auth.owner);
    expect((await withPicture({ action: 'store', picture })).user.profileImageUrl).toBe(url);
    const stored = { picture: { action: 'store', picture }, asker: anAsker() } as const;
    await service.update(stored, createCall(grace));
    const { rows } = await auth.owner.query('SELECT hash, mime, width FROM auth.pictures');
    expect(rows).toEqual([{ hash: picture.hash, mime: 'image/webp', width: 512 }]);
    expect(await auth.get(PictureStore).get(picture.hash)).toEqual({ base64: picture.base64 });
  });

  it('keeps or removes the current profile image on request', async () => {
    await withPicture({ action: 'store', picture });
    expect((await withPicture({ action: 'keep', url })).user.profileImageUrl).toBe(url);
    expect((await withPicture({ action: 'remove' })).user.profileImageUrl).toBeNull();
  });

  it.each<[string, PictureChange, string]>([
    [
      'the URL of another image',
      { action: 'keep', url: pictureUrl('avatars', 'a'.repeat(64)) },
      'VALIDATION_FAILED',
    ],
    [
      'image bytes that do not match the hash',
      { action: 'store', picture: { ...picture, base64: 'AAAA' } },
      'PICTURE_BROKEN',
    ],
    ['a missing image', { action: 'store' }, 'PICTURE_BROKEN'],
  ])('rejects a profile update with %s', async (_, change, code) => {
    await expect(withPicture(change)).rejects.toMatchObject({ code });
  });

  it('does not find an image that was never stored', async () => {
    const asked = auth.get(PictureStore).get('b'.repeat(64));
    await expect(asked).rejects.toMatchObject({ code: 'PICTURE_NOT_FOUND' });
  });

  it('rejects a caller with ended sessions or a deleted account', async () => {
    const unauthorized = { code: 'UNAUTHORIZED' };
    await auth.owner.query('UPDATE auth.users SET session_epoch = 2');
    await expect(update()).rejects.toMatchObject(unauthorized);
    await auth.owner.query('DELETE FROM auth.users');
    await expect(update()).rejects.toMatchObject(unauthorized);
    await expect(service.mailPreferences({}, createCall(ada))).rejects.toMatchObject(unauthorized);
  });
});

const ALL = { eventUpdates: true, reminders: true, messages: true, announcements: true, digest: true };
const NONE = { eventUpdates: false, reminders: false, messages: false, announcements: false, digest: false };

describe('email preferences', () => {
  let service: ProfilesService;
  let ada: UserRow;
  beforeEach(async () => {
    service = auth.get(ProfilesService);
    ada = await insertUser(auth.owner);
  });

  it('turns every email list on by default, and stores changes', async () => {
    expect(await service.mailPreferences({}, createCall(ada))).toEqual(ALL);
    const wanted = { ...ALL, reminders: false, messages: false, digest: false };
    expect(await service.setMailPreferences(wanted, createCall(ada))).toEqual(wanted);
    expect(await service.mailPreferences({}, createCall(ada))).toEqual(wanted);
  });

  it('keeps the settings of email lists that a request omits', async () => {
    await service.unsubscribe({ userId: ada.id, messages: false });
    const kept = await service.setMailPreferences({ eventUpdates: true, reminders: false }, createCall(ada));
    expect(kept).toEqual({ ...ALL, reminders: false, messages: false });
    expect(await service.mailPreferences({}, createCall(ada))).toEqual(kept);
  });

  it('turns off only the lists that an unsubscribe link names', async () => {
    await service.unsubscribe({ userId: ada.id, eventUpdates: false });
    expect(await service.mailPreferences({}, createCall(ada))).toEqual({ ...ALL, eventUpdates: false });
    await service.unsubscribe({ userId: ada.id, reminders: false });
    await service.unsubscribe({ userId: ada.id, reminders: false });
    expect(await service.mailPreferences({}, createCall(ada))).toEqual({
      ...ALL,
      eventUpdates: false,
      reminders: false,
    });
    for (const list of ['messages', 'announcements', 'digest'])
      await service.unsubscribe({ userId: ada.id, [list]: false });
    expect(await service.mailPreferences({}, createCall(ada))).toEqual(NONE);
  });

  it('turns on only one list when a member undoes an unsubscribe', async () => {
    await service.setMailPreferences(NONE, createCall(ada));
    await service.unsubscribe({ userId: ada.id, reminders: true });
    expect(await service.findMailPreferences({ userId: ada.id })).toEqual({ ...NONE, reminders: true });
  });

  it('returns no email preferences for a deleted account', async () => {
    await auth.owner.query('DELETE FROM auth.users WHERE id = $1', [ada.id]);
    await expect(service.unsubscribe({ userId: ada.id, reminders: false })).resolves.toBeUndefined();
    expect(await service.findMailPreferences({ userId: ada.id })).toBeNull();
  });
});
