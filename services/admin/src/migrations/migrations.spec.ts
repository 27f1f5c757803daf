import { testDatabase, type TestDatabase } from '@meetmark/testing';
import { insertSettings } from '@meetmark/testing/factories/settings';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { KeptCurrency1795536622000 } from './1795536622000-kept-currency.js';

describe('the database of admin', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.drop());

  it('takes the roll-up from the worker and shows it to admin, who cannot write it', async () => {
    const pools = ['worker', 'admin'].map(
      (role) => new pg.Pool({ connectionString: database.urlFor(`meetmark_${role}`), max: 1 }),
    );
    const [worker, admin] = pools;
    await worker?.query(
      "INSERT INTO admin.registration_activity (day, registrations) VALUES ('2026-11-21', 3)",
    );
    const { rows } = (await admin?.query('SELECT registrations FROM admin.registration_activity')) ?? {
      rows: [],
    };
    expect(rows).toEqual([{ registrations: 3 }]);
    const refused = admin?.query('DELETE FROM admin.registration_activity');
    await expect(refused).rejects.toMatchObject({ code: '42501' });
    const negative = worker?.query('UPDATE admin.registration_activity SET registrations = -1');
    await expect(negative).rejects.toMatchObject({ code: '23514' });
    await Promise.all(pools.map((pool) => pool.end()));
  });

  it('tells each version of the settings that is committed, and no other', async () => {
    const [listening, owner] = [0, 1].map(() => new pg.Client({ connectionString: database.url }));
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
    await listening!.query('SELECT'); // what was told before is read by now
    expect(told).toEqual(['1', '2']);
    await Promise.all([listening!.end(), owner!.end()]);
  });

  it.each([
    ['nobody owns it yet', false, false, []],
    ['somebody owns it', true, false, [{ version: 1, settings: { currency: 'EUR' } }]],
    ['its settings were saved', true, true, [{ version: 1 }, { version: 2, settings: { currency: 'CHF' } }]],
  ])('keeps the currency of 1.0.0’s file: %s', async (_, owned, saved, kept) => {
    const dataSource = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    if (owned) await insertAdministrator(dataSource);
    if (saved) await insertSettings(dataSource, { currency: 'CHF' });
    await new KeptCurrency1795536622000().up(dataSource.createQueryRunner());
    expect(await dataSource.query('SELECT * FROM admin.community_settings ORDER BY version')).toMatchObject(
      kept,
    );
    await dataSource.destroy();
  });
});
