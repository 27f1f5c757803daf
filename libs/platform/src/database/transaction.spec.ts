import { codes } from '@meetmark/testing';
import type { EntityManager } from 'typeorm';
import { runInCall, StartedCall } from '../call/call.js';
import { databaseForTests } from '../testing/database-for-tests.js';
import { inTransaction, PreparedStatements, type RetryingDataSource } from './transaction.js';

const END_MYSELF = { name: 'end-myself', text: 'SELECT pg_terminate_backend(pg_backend_pid())' };
const ONE = { name: 'one', text: 'SELECT 1 AS one' };
const ABORTED = 'SELECT public.aborted($1, $2)';

let dataSource: RetryingDataSource;
let statements: PreparedStatements;
const database = databaseForTests();
beforeAll(async () => {
  await database.owner.query(`
    CREATE SEQUENCE public.runs;
    CREATE FUNCTION public.aborted(state text, times integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF nextval('public.runs') <= times THEN
        RAISE EXCEPTION 'aborted' USING ERRCODE = state;
      END IF;
    END $$`);
  dataSource = await database.connect('events');
  statements = new PreparedStatements(dataSource);
});

describe('a prepared statement', () => {
  it('throws SERVICE_UNAVAILABLE when the connection ends, then works again', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ended = Promise.all([1, 2].map(() => statements.run(END_MYSELF, [])));
      await expect(ended).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    }
    expect(await statements.run(ONE, [])).toEqual([{ one: 1 }]);
  });
});

describe('retrying after PostgreSQL aborted a transaction', () => {
  beforeEach(() => database.owner.query('ALTER SEQUENCE public.runs RESTART'));
  const runs = async () => {
    const { rows } = await database.owner.query('SELECT last_value::integer AS runs FROM public.runs');
    return rows[0].runs;
  };

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
    ['a template', (state, times) => dataSource.sql`SELECT public.aborted(${state}, ${times})`],
    ['a prepared statement', (...given) => statements.run({ name: 'aborted', text: ABORTED }, given)],
  ];
  describe.each(forms)('%s', (_, run) => {
    it.each(['40P01', '40001'])('succeeds after three aborts with error code %s', async (state) => {
      await run(state, 3);
      expect(await runs()).toBe(4);
    });

    it.each([
      ['after four aborts', '40P01', 4, 10_000, 4],
      ['without a retry after any other error', '55P03', 1, 10_000, 1],
      ['without a retry after the call’s deadline', '40P01', 1, 0, 1],
    ])('fails %s', async (_condition, state, times, timeLeft, expected) => {
      const call = new StartedCall({ requestId: 'a call', timeLeft });
      await expect(runInCall(call, () => run(state, times))).rejects.toThrow();
      expect(await runs()).toBe(expected);
    });
  });
});
