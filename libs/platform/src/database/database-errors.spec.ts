import { setTimeout as pause } from 'node:timers/promises';
import { DEADLINES, DomainError } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import type { DataSource, EntityManager } from 'typeorm';
import { databaseForTests } from '../testing/database-for-tests.js';
import { mapDatabaseError } from './database-errors.js';
import { inTransaction } from './transaction.js';

describe('database errors', () => {
  const deadlines = { ...DEADLINES };
  let dataSource: DataSource;
  const database = databaseForTests();
  beforeAll(async () => {
    Object.assign(DEADLINES, { statement: 1_000 });
    const config = { databaseUrl: database.url, databasePoolSize: 2, databasePoolWait: 2_000 };
    dataSource = await database.connect('public', config);
    await database.owner.query(`create table public.sample (
      id uuid constraint sample_pkey primary key, name varchar(5), seats smallint constraint sample_seats check (seats < 10))`);
  });
  afterAll(() => Object.assign(DEADLINES, deadlines));

  const ID = '018f4d6e-0000-7000-8000-000000000001';
  const insert = (id: string, name: string, seats: unknown) =>
    inTransaction(
      dataSource,
      (manager) => manager.query('insert into public.sample values ($1, $2, $3)', [id, name, seats]),
      { sample_pkey: 'EMAIL_EXISTS', sample_seats: 'EVENT_FULL' },
    );

  it.each([
    ['a violated unique constraint', 'EMAIL_EXISTS', () => insert(ID, 'a', 1).then(() => insert(ID, 'a', 1))],
    ['a violated check', 'EVENT_FULL', () => insert(ID.replace(/1$/, '2'), 'a', 10)],
    ['an invalid UUID', 'MALFORMED_ID', () => insert('nonsense', 'a', 1)],
    ['a NUL character', 'MALFORMED_TEXT', () => insert(ID, 'a\0', 1)],
    ['a number out of range', 'OUT_OF_RANGE', () => insert(ID, 'a', 99_999)],
    ['text that is too long', 'OUT_OF_RANGE', () => insert(ID, 'far too long', 1)],
  ])('maps a database error caused by %s to %s', async (_what, code, work) => {
    await expect(work()).rejects.toMatchObject({ name: 'DomainError', code });
  });

  // Failures of DNS and the network are temporary, like failures of the database.
  it('maps connection errors to SERVICE_UNAVAILABLE', () => {
    for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH']) {
      const error = Object.assign(new Error(`connect ${code}`), { code });
      expect(mapDatabaseError(error)).toMatchObject({ name: 'DomainError', code: 'SERVICE_UNAVAILABLE' });
    }
  });

  it('rolls back a transaction if its callback throws', async () => {
    const work = inTransaction(dataSource, async (manager) => {
      await manager.query("insert into public.sample values (gen_random_uuid(), 'gone', 1)");
      throw new DomainError('EVENT_FULL');
    });
    await expect(work).rejects.toMatchObject({ code: 'EVENT_FULL' });
    expect(await dataSource.query("select 1 from public.sample where name = 'gone'")).toEqual([]);
  });

  it('returns SERVICE_UNAVAILABLE for a cut connection, and then recovers', async () => {
    const cut = dataSource.query('select pg_sleep(9)').catch(mapDatabaseError);
    // Cut only the connection that runs the query. If an idle connection were cut, the pool could reuse it.
    const sleeping = `from pg_stat_activity where application_name = 'meetmark-public' and query like 'select pg_sleep%'`;
    while ((await database.owner.query(`select pg_terminate_backend(pid) ${sleeping}`)).rowCount === 0);
    expect(await cut).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    // The pool may reuse the cut connection until its socket has closed.
    await until('the pool', 60_000, async () => (await dataSource.query<unknown[]>('select 1')).length === 1);
  });

  it.each<[string, (manager: EntityManager) => Promise<unknown> | void]>([
    ['commit', () => undefined],
    ['statement', (manager) => manager.query('select 1')],
    ['look-up', (manager) => manager.createQueryBuilder().select('1').from('sample', 'sample').getRawOne()],
  ])('throws SERVICE_UNAVAILABLE when the connection is cut before a %s', async (_what, next) => {
    const work = inTransaction(dataSource, async (manager) => {
      const [{ pid }] = await manager.query<[{ pid: number }]>('select pg_backend_pid() as pid');
      await database.owner.query('select pg_terminate_backend($1)', [pid]);
      while (!manager.queryRunner!.isReleased) await pause(10);
      await next(manager);
    });
    await expect(work).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('returns SERVICE_UNAVAILABLE when the pool has no free connection', async () => {
    const runners = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
    await Promise.all(runners.map((runner) => runner.connect()));
    const failure = await dataSource.query('select 1').catch(mapDatabaseError);
    await Promise.all(runners.map((runner) => runner.release()));
    expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('returns SERVICE_OVERLOADED when a statement takes too long', async () => {
    const failure = await dataSource.query('select pg_sleep(9)').catch(mapDatabaseError);
    expect(failure).toMatchObject({ code: 'SERVICE_OVERLOADED' });
  });

  it('does not change the error of an invalid statement', async () => {
    const failure = await dataSource.query('select nothing from nowhere').catch((error: unknown) => error);
    expect(mapDatabaseError(failure)).toBe(failure);
  });
});
