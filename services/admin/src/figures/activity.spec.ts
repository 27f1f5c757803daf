import { loadCommunity } from '@meetmark/platform';
import { insertRow } from '@meetmark/testing/factories/users';
import { serviceForTests } from '@meetmark/platform/testing/test-service';
import { COMMUNITY, openAdminStores } from '../testing/open-admin.js';
import { ActivityRepository } from './activity.repository.js';

describe('registration activity', () => {
  const stores = serviceForTests(openAdminStores);
  beforeEach(() => stores.owner.query('TRUNCATE admin.registration_activity'));

  const record = (day: string, registrations: number) =>
    insertRow(stores.owner, 'admin.registration_activity', { day, registrations });
  const daysUntil = (now: string, timeZone = 'Europe/London') =>
    new ActivityRepository(stores.dataSource, { ...loadCommunity(COMMUNITY), timeZone }).daysUntil(
      new Date(now),
    );
  const names = async (...given: Parameters<typeof daysUntil>) =>
    (await daysUntil(...given)).map((day) => day.name).join(' ');

  it('returns the last seven days, with zero for days without registrations', async () => {
    await record('2026-11-13', 99);
    await record('2026-11-15', 3);
    await record('2026-11-21', 2);
    await record('2026-11-22', 98);
    const days = await daysUntil('2026-11-21T12:00:00Z');
    expect(days.map(({ name, registrations }) => `${name} ${registrations}`)).toEqual([
      ...['Sun 3', 'Mon 0', 'Tue 0', 'Wed 0', 'Thu 0', 'Fri 0', 'Sat 2'],
    ]);
  });

  it.each([
    ['Europe/London', '2026-11-21T23:59:59Z', 'Sun Mon Tue Wed Thu Fri Sat'],
    ['Europe/London', '2026-11-22T00:00:00Z', 'Mon Tue Wed Thu Fri Sat Sun'],
    ['Europe/London', '2026-07-18T22:59:59Z', 'Sun Mon Tue Wed Thu Fri Sat'],
    ['Europe/London', '2026-07-18T23:00:00Z', 'Mon Tue Wed Thu Fri Sat Sun'],
    ['Pacific/Auckland', '2026-11-21T11:00:00Z', 'Mon Tue Wed Thu Fri Sat Sun'],
    ['America/Los_Angeles', '2026-11-21T07:59:59Z', 'Sat Sun Mon Tue Wed Thu Fri'],
  ])('starts a new day at local midnight: %s, %s', async (timeZone, now, expected) => {
    expect(await names(now, timeZone)).toBe(expected);
  });

  it('can be neither changed by the service nor negative', async () => {
    await record('2026-11-21', 3);
    const removed = stores.dataSource.query('DELETE FROM admin.registration_activity');
    await expect(removed).rejects.toMatchObject({ code: '42501' });
    await expect(record('2026-11-22', -1)).rejects.toMatchObject({ code: '23514' });
  });

  it('returns seven different days across a clock change', async () => {
    expect(await names('2026-10-27T12:00:00Z')).toBe('Wed Thu Fri Sat Sun Mon Tue');
    expect(await names('2026-03-31T12:00:00Z')).toBe('Wed Thu Fri Sat Sun Mon Tue');
  });
});
