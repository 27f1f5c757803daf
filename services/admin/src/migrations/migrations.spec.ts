import { serviceForTests } from '@meetmark/platform/testing/test-service';
import { insertRow } from '@meetmark/testing/factories/users';
import pg from 'pg';
import { openAdminStores } from '../testing/open-admin.js';

describe('the admin database', () => {
  const stores = serviceForTests(openAdminStores);

  it('lets the admin service read registration activity but not change it', async () => {
    const row = { day: '2026-11-21', registrations: 3 };
    await insertRow(stores.owner, 'admin.registration_activity', row);
    const read = await stores.dataSource.query('SELECT registrations FROM admin.registration_activity');
    expect(read).toEqual([{ registrations: 3 }]);
    const removed = stores.dataSource.query('DELETE FROM admin.registration_activity');
    await expect(removed).rejects.toMatchObject({ code: '42501' });
    const negative = stores.owner.query('UPDATE admin.registration_activity SET registrations = -1');
    await expect(negative).rejects.toMatchObject({ code: '23514' });
  });

  it('notifies listeners of each committed version of the settings', async () => {
    const [listening, owner] = [0, 1].map(() => new pg.Client({ connectionString: stores.database.url }));
    await Promise.all([listening!.connect(), owner!.connect()]);
    const told: (string | undefined)[] = [];
    listening!.on('notification', ({ payload }) => told.push(payload));
    await listening!.query('LISTEN settings');
    const add = (version: number) =>
      owner!.query(
        `INSERT INTO admin.community_settings (version, settings, changed_by)
         VALUES ($1, '{}', CASE WHEN $1 > 1 THEN gen_random_uuid() END)`,
        [version],
      );
    await add(1);
    await owner!.query('BEGIN');
    await add(2);
    await owner!.query('ROLLBACK');
    await add(2);
    await listening!.query('SELECT');
    expect(told).toEqual(['1', '2']);
    await Promise.all([listening!.end(), owner!.end()]);
  });
});
