import { codes, testDatabase, type TestDatabase } from '@meetmark/testing';
import pg from 'pg';
import type { EntityManager } from 'typeorm';
import { runInCall, StartedCall } from '../call/call.js';
import { databaseOptions } from './database-options.js';
import { inTransaction, PreparedStatements, RetryingDataSource } from './transaction.js';

const END_MYSELF = { name: 'end-myself', text: 'SELECT pg_terminate_backend(pg_backend_pid())' };
const ONE = { name: 'one', text: 'SELECT 1 AS one' };
const ABORTED = 'SELECT public.aborted($1, $2)';

let database: TestDatabase;
let owner: pg.Pool;
let dataSource: RetryingDataSource;
let statements: PreparedStatements;
beforeAll(async () => {
  database = await testDatabase();
  owner = new pg.Pool({ connectionString: database.url, max: 1 });
  await owner.query(`
    CREATE SEQUENCE public.runs;
    CREATE FUNCTION public.aborted(state text, times integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF nextval('public.runs') <= times THEN
        RAISE EXCEPTION 'aborted' USING ERRCODE = state;
      END IF;
    END $$`);
  const config = database.configFor('meetmark_events', 2);
  dataSource = new RetryingDataSource(databaseOptions(config, { schema: 'events', entities: [] }));
  await dataSource.initialize();
  statements = new PreparedStatements(dataSource);
});
afterAll(async () => {
  await dataSource.destroy();
  await owner.end();
  await database.drop();
});

describe('a prepared statement', () => {
  it('throws SERVICE_UNAVAILABLE when the connection ends, then works again', async () => {
    for (let round = 0; round < 20; round += 1) {
      const ended = Promise.all([1, 2].map(() => statements.run(END_MYSELF, [])));
      await expect(ended).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    }
    expect(await statements.run(ONE, [])).toEqual([{ one: 1 }]);
  });
});

describe('retrying after PostgreSQL aborted a transaction', () => {
  beforeEach(() => owner.query('ALTER SEQUENCE public.runs RESTART'));
  const runs = async () =>
    (await owner.query<{ runs: number }>('SELECT last_value::integer AS runs FROM public.runs')).rows[0]!
      .runs;

  it('completes both of two deadlocked transactions', async () => {
    let begun = 0;
    let meet: () => void;
    const met = new Promise<void>((resolve) => (meet = resolve));
    const lock = (manager: EntityManager, id: number) =>
      manager.query('SELECT pg_advisory_xact_lock($1)', [id]);
    const inOrder = (first: number, second: number) =>
      inTransaction(dataSource, async (manager) => {
        await lock(manager, first);
        begun += 1;
        if (begun === 2) meet();
        await met;
        await lock(manager, second);
      });
    expect(await codes([inOrder(1, 2), inOrder(2, 1)])).toEqual(['ok', 'ok']);
    expect(begun).toBe(3);
  });

  const forms: [string, (state: string, times: number) => Promise<unknown>][] = [
    ['a transaction', (...given) => inTransaction(dataSource, (manager) => manager.query(ABORTED, given))],
    ['a statement', (...given) => dataSource.query(ABORTED, given)],
    [
      'a statement of the manager',
      (state, times) => dataSource.sql`SELECT public.aborted(${state}, ${times})`,
    ],
    ['a prepared statement', (...given) => statements.run({ name: 'aborted', text: ABORTED }, given)],
  ];
  describe.each(forms)('%s', (_, run) => {
    it.each(['40P01', '40001'])('succeeds after three aborts with error code %s', async (state) => {
      await run(state, 3);
      expect(await runs()).toBe(4);
    });

    it('fails after four aborts', async () => {
      await expect(run('40P01', 4)).rejects.toThrow();
      expect(await runs()).toBe(4);
    });

    it('fails without a retry after any other error', async () => {
      await expect(run('55P03', 1)).rejects.toThrow();
      expect(await runs()).toBe(1);
    });

    it('fails without a retry after the call’s deadline', async () => {
      const call = new StartedCall({ requestId: 'late', timeLeft: 0 });
      await expect(runInCall(call, () => run('40P01', 1))).rejects.toThrow();
      expect(await runs()).toBe(1);
    });
  });
});
