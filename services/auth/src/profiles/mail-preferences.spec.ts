import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { authForTests, callOf } from '../testing/open-auth.js';
import { ProfilesService } from './profiles.service.js';

const ALL = { eventUpdates: true, reminders: true, messages: true, announcements: true, digest: true };
const NONE = { eventUpdates: false, reminders: false, messages: false, announcements: false, digest: false };

describe('mail preferences', () => {
  const auth = authForTests();
  let service: ProfilesService;
  let ada: UserRow;
  beforeEach(async () => {
    service = auth.get(ProfilesService);
    ada = await insertUser(auth.owner);
  });

  it('are all on at first and kept as they are set', async () => {
    expect(await service.mailPreferences(callOf(ada))).toEqual(ALL);
    const wanted = { ...ALL, reminders: false, messages: false, digest: false };
    expect(await service.setMailPreferences(wanted, callOf(ada))).toEqual(wanted);
    expect(await service.mailPreferences(callOf(ada))).toEqual(wanted);
  });

  it('keep the lists that a client does not know', async () => {
    await service.unsubscribe({ userId: ada.id, messages: false });
    const kept = await service.setMailPreferences({ eventUpdates: true, reminders: false }, callOf(ada));
    expect(kept).toEqual({ ...ALL, reminders: false, messages: false });
    expect(await service.mailPreferences(callOf(ada))).toEqual(kept);
  });

  it('lose what an unsubscribe link names and nothing more', async () => {
    await service.unsubscribe({ userId: ada.id, eventUpdates: false });
    expect(await service.mailPreferences(callOf(ada))).toEqual({ ...ALL, eventUpdates: false });
    await service.unsubscribe({ userId: ada.id, reminders: false });
    await service.unsubscribe({ userId: ada.id, reminders: false });
    expect(await service.mailPreferences(callOf(ada))).toEqual({
      ...ALL,
      eventUpdates: false,
      reminders: false,
    });
    for (const list of ['messages', 'announcements', 'digest'])
      await service.unsubscribe({ userId: ada.id, [list]: false });
    expect(await service.mailPreferences(callOf(ada))).toEqual(NONE);
  });

  it('come back, and nothing more, when an unsubscribe link is taken back', async () => {
    await service.setMailPreferences(NONE, callOf(ada));
    await service.unsubscribe({ userId: ada.id, reminders: true });
    expect(await service.findMailPreferences({ userId: ada.id })).toEqual({ ...NONE, reminders: true });
  });

  it('are nobody’s once the account is gone', async () => {
    await auth.owner.query('DELETE FROM auth.users WHERE id = $1', [ada.id]);
    await expect(service.unsubscribe({ userId: ada.id, reminders: false })).resolves.toBeUndefined();
    expect(await service.findMailPreferences({ userId: ada.id })).toBeNull();
  });
});
