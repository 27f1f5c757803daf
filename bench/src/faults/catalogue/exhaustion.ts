import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { PROCESSES } from '@meetmark/scripts/stack/processes';
import { Guardian } from '@meetmark/testing';
import { ask } from '../load.js';
import type { Scenario, Fault } from '../trial.js';
import { onRedis } from './redis.js';

const REFUSED_FOR = 5_000;
const BETWEEN = 500;
const BUSY_FOR = { thorough: 15_000, short: 6_000 };
/** Busy programs per processor. Two of them leave less than half of the processor time to our processes. */
const BURNERS = 2;
const LIST = '/api/events/public';
/** Path that a gateway answers without calling a service. Each call to a service writes to Redis. */
const WITHOUT_SERVICES = '/api/user';
/**
 * Path that needs no session. The gateway doesn't trust sessions read from a Redis replica, because the
 * replica may have missed that a session ended.
 */
const WITHOUT_SESSIONS = '/api/config';
/** Address without a server. Redis becomes a read-only replica of it. */
const NO_PRIMARY = ['127.0.0.1', 1] as const;
/** Memory limit in bytes. Redis always uses more, so it refuses writes. */
const NO_MEMORY = '1';

const exhaustion = (fault: Pick<Fault, 'id' | 'title' | 'run'> & Partial<Fault>): Fault => ({
  recoverWithin: 10_000,
  touches: [],
  load: true,
  felt: true,
  ...fault,
});

/** Checks that reads of `readable` succeed and that refused writes leave nothing behind. */
async function onlyReads(
  { rig, ledger, broken }: Scenario,
  readable: string,
  reader = rig.administrator,
): Promise<void> {
  const fields = {
    title: `Half done ${randomUUID()}`,
    startDate: '2030-01-01T10:00:00Z',
    endDate: '2030-01-01T12:00:00Z',
  };
  const { administrator } = rig;
  const until = Date.now() + REFUSED_FOR;
  while (Date.now() < until) {
    const read = await ask(ledger, 'read', () => reader.send('GET', readable));
    if (read !== 'ok') broken(`${readable} was not answered`);
    const write = await ask(ledger, 'create', () => administrator.send('POST', '/api/events', fields));
    if (write === 'ok') broken('an event was created');
    await pause(BETWEEN);
  }
  const { rowCount } = await rig.owner.query('SELECT 1 FROM events.events WHERE title = $1', [fields.title]);
  if (rowCount) broken(`${rowCount} events were created`);
}

const NO_ROOM = `
  CREATE FUNCTION public.no_room() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`;

/**
 * Runs the SQL for each table in its own transaction, because locking several tables could deadlock with the
 * load.
 */
const onEachTable = (statement: string) => `
  DO $$ DECLARE place regclass; BEGIN
    FOR place IN SELECT oid FROM pg_class WHERE relkind = 'r'
      AND relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('gateway', 'auth', 'events', 'admin'))
    LOOP
      EXECUTE format('${statement}', place);
      COMMIT;
    END LOOP;
  END $$`;

/** F20, first part: triggers raise PostgreSQL's error for a full disk, because filling a disk needs root. */
export const diskFull = exhaustion({
  id: 'F20a',
  title: 'PostgreSQL has no room left: every write fails with what a full disk gives',
  async run(scenario) {
    const { rig, healed } = scenario;
    const everywhere = (statement: string) => rig.owner.query(onEachTable(statement));
    await rig.owner.query(NO_ROOM);
    await everywhere(
      'CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON %s EXECUTE FUNCTION public.no_room()',
    );
    await onlyReads(scenario, LIST);
    await everywhere('DROP TRIGGER no_room ON %s');
    await rig.owner.query('DROP FUNCTION public.no_room()');
    healed();
  },
});

export const databaseReadOnly = exhaustion({
  id: 'F20b',
  title: 'PostgreSQL is read-only, as providers make it before its disk is full',
  async run(scenario) {
    const { rig, healed } = scenario;
    const reload = async (change: string) => {
      await rig.owner.query(`ALTER SYSTEM ${change}`);
      await rig.owner.query('SELECT pg_reload_conf()');
    };
    await reload('SET default_transaction_read_only = on');
    await onlyReads(scenario, LIST);
    await reload('RESET default_transaction_read_only');
    healed();
  },
});

export const redisReadOnly = exhaustion({
  id: 'F20c',
  title: 'Redis is read-only, as a replica whose primary is gone',
  async run(scenario) {
    const { rig, healed } = scenario;
    await onRedis(rig, (redis) => redis.replicaof(...NO_PRIMARY));
    await onlyReads(scenario, WITHOUT_SESSIONS, rig.visitor);
    await onRedis(rig, (redis) => redis.replicaof('NO', 'ONE'));
    healed();
  },
});

export const redisFull = exhaustion({
  id: 'F12',
  title: 'Redis refuses every write for want of memory',
  recoverWithin: 5_000,
  async run(scenario) {
    const { rig, healed } = scenario;
    await onRedis(rig, (redis) => redis.config('SET', 'maxmemory', NO_MEMORY));
    await onlyReads(scenario, WITHOUT_SERVICES);
    await onRedis(rig, (redis) => redis.config('SET', 'maxmemory', '0'));
    healed();
  },
});

export const noProcessorTime = exhaustion({
  id: 'F20e',
  title: 'other programs keep every processor of the machine busy',
  holdsUp: [...PROCESSES],
  felt: false,
  async run({ healed, thorough }) {
    const guardian = new Guardian();
    for (let burner = 0; burner < BURNERS * availableParallelism(); burner += 1) {
      const { pid } = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
      if (pid !== undefined) guardian.guard(pid);
    }
    await pause(thorough ? BUSY_FOR.thorough : BUSY_FOR.short);
    await guardian.finish();
    healed();
  },
});
