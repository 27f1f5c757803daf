import { loadCommunity } from '@meetmark/platform';
import { COMMUNITY, openAdminStores, type AdminStores } from '../testing/open-admin.js';
import { ActivityRepository } from './activity.repository.js';

describe('registration activity', () => {
  let stores: AdminStores;
  beforeAll(async () => {
    stores = await openAdminStores();
  });
  beforeEach(() => stores.owner.query('TRUNCATE admin.registration_activity'));
  afterAll(() => stores.close());

  const record = (day: string, registrations: number) =>
    stores.owner.query('INSERT INTO admin.registration_activity (day, registrations) VALUES ($1, $2)', [
      day,
      registrations,
    ]);
  function serviceIn(timeZone: string): ActivityRepository {
    return new ActivityRepository(stores.dataSource, { ...loadCommunity(COMMUNITY), timeZone });
  }
  const london = () => serviceIn('Europe/London');
  const names = async (service: ActivityRepository, now: string) =>
    (await service.daysUntil(new Date(now))).map((day) => day.name).join(' ');

  it('returns the last seven days, with zero for days without registrations', async () => {
    await record('2026-11-13', 99);
    await record('2026-11-15', 3);
    await record('2026-11-21', 2);
    await record('2026-11-22', 98);
    expect(await london().daysUntil(new Date('2026-11-21T12:00:00Z'))).toEqual([
      { name: 'Sun', registrations: 3 },
      { name: 'Mon', registrations: 0 },
      { name: 'Tue', registrations: 0 },
      { name: 'Wed', registrations: 0 },
      { name: 'Thu', registrations: 0 },
      { name: 'Fri', registrations: 0 },
      { name: 'Sat', registrations: 2 },
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
    expect(await names(serviceIn(timeZone), now)).toBe(expected);
  });

  it('returns seven different days across a clock change', async () => {
    expect(await names(london(), '2026-10-27T12:00:00Z')).toBe('Wed Thu Fri Sat Sun Mon Tue');
    expect(await names(london(), '2026-03-31T12:00:00Z')).toBe('Wed Thu Fri Sat Sun Mon Tue');
  });
});
