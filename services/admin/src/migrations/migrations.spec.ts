import { testDatabase, type TestDatabase } from '@meetmark/testing';
import pg from 'pg';

describe('the admin database', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.drop());

  it('lets the worker write registration activity and the admin service only read it', async () => {
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

  it('notifies listeners of each committed version of the settings', async () => {
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
    await listening!.query('SELECT');
    expect(told).toEqual(['1', '2']);
    await Promise.all([listening!.end(), owner!.end()]);
  });
});
