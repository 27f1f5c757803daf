import { setTimeout as pause } from 'node:timers/promises';
import { someoneWaits, whileLocked } from '../event-lock.js';
import { ask } from '../load.js';
import type { Member } from '../caller.js';
import type { Rig } from '../rig.js';
import type { Fault } from '../trial.js';

const AWAY = 3_000;
const SILENT = { thorough: 15_000, short: 6_000 };
const SLOW = 300;
const SLOW_FOR = 6_000;
const LOCKED = 10_000;
const BETWEEN = 3_000;
const START_ATTEMPTS = 5;

const databaseFault = (
  fault: Pick<Fault, 'id' | 'title' | 'recoverWithin' | 'run'> & Partial<Fault>,
): Fault => ({
  touches: [],
  load: true,
  felt: true,
  ...fault,
});

/** Retries, because the processes of a killed server may keep its shared memory for a moment. */
export async function restartPostgres(rig: Rig): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await rig.server('postgres').restart();
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error;
      await pause(AWAY / START_ATTEMPTS);
    }
  }
}

export const postgresKilled = databaseFault({
  id: 'F13',
  title: 'kill -9 of PostgreSQL, back after 3 s',
  recoverWithin: 3_000,
  refusesWithin: 2_000,
  async run({ rig, healed }) {
    await rig.server('postgres').kill('SIGKILL');
    await pause(AWAY);
    await restartPostgres(rig);
    healed();
  },
});

export const connectionsEnded = databaseFault({
  id: 'F14',
  title: 'every connection terminated; then a fast restart of PostgreSQL',
  recoverWithin: 1_000,
  async run({ rig, ledger, healed, broken }) {
    const { rowCount } = await rig.owner.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename <> current_user',
    );
    await pause(BETWEEN);
    const [ended, failed] = [rowCount ?? 0, ledger.count('unknown')];
    if (ended === 0) broken('nobody was connected');
    if (failed > ended) broken(`${failed} requests failed for the end of ${ended} connections`);
    await restartPostgres(rig);
    healed();
  },
});

export const postgresSilent = databaseFault({
  id: 'F15a',
  title: 'PostgreSQL accepts and says nothing',
  recoverWithin: 2_000,
  async run({ rig, healed, thorough }) {
    await rig.database.set({ kind: 'timeout' });
    await pause(thorough ? SILENT.thorough : SILENT.short);
    await rig.database.set({ kind: 'pass' });
    healed();
  },
});

export const postgresSlow = databaseFault({
  id: 'F15b',
  title: 'PostgreSQL answers 300 ms late',
  recoverWithin: 2_000,
  felt: false,
  async run({ rig, healed }) {
    await rig.database.set({ kind: 'latency', ms: SLOW });
    await pause(SLOW_FOR);
    await rig.database.set({ kind: 'pass' });
    healed();
  },
});

export const eventLocked = databaseFault({
  id: 'F15c',
  title: 'one event is locked for 10 s while members want it',
  recoverWithin: 2_000,
  async run({ rig, ledger, healed, broken }) {
    const [locked = '', other = ''] = await rig.events(2);
    const register = (member: Member, event: string) =>
      ask(ledger, 'register', () => member.send('POST', `/api/events/${event}/register`));
    await whileLocked(rig.owner, locked, async () => {
      const over = pause(LOCKED);
      const refused = rig.members.map((member) => register(member, locked));
      await someoneWaits(rig.owner);
      if ((await register(rig.administrator, other)) !== 'ok') broken('another event is locked too');
      if ((await Promise.all(refused)).some((outcome) => outcome !== 'unknown'))
        broken('a locked event was registered for');
      await over;
    });
    healed();
  },
});
