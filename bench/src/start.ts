import { startBackingServers } from '@meetmark/scripts/stack/backing-servers';
import { loadSecrets } from '@meetmark/scripts/stack/secrets';
import { anyFreePort } from '@meetmark/testing';
import { executable, findPostgresBinaries } from '@meetmark/testing/embedded/postgres-binaries';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { formatRatio, spread, type Effort, type Row } from './support/results.js';
import { countCalls, type Calls } from './support/calls.js';
import { measureMemory, processorTime, withChildren } from './support/usage.js';

/**
 * Maximum ratio of a first start to creating an empty PostgreSQL cluster and starting as many empty Nest
 * processes.
 */
const FIRST_GOAL = 4;
/**
 * Maximum seconds of a second start, and its maximum ratio to starting the same servers and empty Nest
 * processes.
 */
const SECOND_GOAL = { seconds: 5.4, ratio: 1.1 };
/**
 * Maximum number of processes and megabytes, `SOON` milliseconds after a start without users. Includes
 * PostgreSQL, Redis, supervisor and mailbox.
 */
const SOON_GOAL = { processes: 20, megabytes: 650 };
const MEGABYTES_GOAL = 480;
/** Maximum processor time without users, in percent of one processor. */
const IDLE_GOAL = 1;
/** Maximum calls per second without users. */
const CALLS_GOAL = { commands: 35, transactions: 4 };
const NEST_PROCESSES = 5;
/** Milliseconds after the start, when someone might first check the memory. */
const SOON = 5_000;
/** Milliseconds after the start by which memory used only for starting has been freed. */
const IDLE_FOR = 60_000;
const COUNTED_FOR = 30_000;
const MOST_ROUNDS = 3;
const READY = 'Sign in as the administrator';

interface Started {
  seconds: number;
  processor: number;
  soon?: Held;
  megabytes: number | null;
  /** Processor time without users, in percent of one processor. */
  idle: number;
  calls: Calls | null;
}

interface Held {
  processes: number;
  megabytes: number;
}

/**
 * Measures `npm start` without npm and the build, first from an empty folder, then again with the data. It
 * also measures the idle memory. The comparison is with initdb and empty Nest processes on the same machine.
 */
export async function start({ rounds }: Effort): Promise<Row[]> {
  const firsts: Started[] = [];
  const seconds: Started[] = [];
  const floors: number[] = [];
  const secondFloors: number[] = [];
  for (let round = 0; round < Math.min(rounds, MOST_ROUNDS); round += 1) {
    const directory = mkdtempSync(join(tmpdir(), 'meetmark-bench-'));
    chmodSync(directory, 0o755);
    try {
      floors.push(await floorIn(join(directory, 'floor')));
      const idle = round === 0 ? IDLE_FOR : 0;
      firsts.push(await startIn(directory, idle));
      seconds.push(await startIn(directory, idle));
      secondFloors.push(await secondFloorIn(directory));
    } finally {
      rmSync(directory, { recursive: true });
    }
  }
  const ratio = spread(firsts.map((first, round) => first.seconds / (floors[round] ?? NaN)));
  const second = spread(seconds.map((each) => each.seconds));
  const secondRatio = spread(seconds.map((each, round) => each.seconds / (secondFloors[round] ?? NaN)));
  const [first, again] = [firsts[0]!, seconds[0]!];
  return [
    {
      path: 'start to ready: servers, migrations, demo community, all processes',
      ours: told(firsts),
      beside: `initdb and ${NEST_PROCESSES} empty Nest processes: ${spread(floors).median.toFixed(1)} s`,
      ratio: formatRatio(ratio),
      goal: `≤ ${FIRST_GOAL}`,
      met: ratio.median <= FIRST_GOAL,
    },
    {
      path: 'a second start, with its data',
      ours: told(seconds),
      beside: `the same servers and ${NEST_PROCESSES} empty Nest processes: ${spread(secondFloors).median.toFixed(1)} s`,
      ratio: formatRatio(secondRatio),
      goal: `≤ ${SECOND_GOAL.ratio}, or ≤ ${SECOND_GOAL.seconds} s`,
      met: secondRatio.median <= SECOND_GOAL.ratio || second.median <= SECOND_GOAL.seconds,
    },
    held(
      `processes ${SOON / 1_000} s after a start`,
      SOON_GOAL.processes,
      '',
      first.soon?.processes,
      again.soon?.processes,
    ),
    held(
      `memory of all of them ${SOON / 1_000} s after a start`,
      SOON_GOAL.megabytes,
      ' MB',
      first.soon?.megabytes,
      again.soon?.megabytes,
    ),
    held(
      'idle memory of all processes with PostgreSQL, Redis, supervisor and mailbox (proportional set size)',
      MEGABYTES_GOAL,
      ' MB',
      first.megabytes,
      again.megabytes,
    ),
    {
      path: 'processor time of all of them with nobody there',
      ours: `${first.idle.toFixed(1)} % of one processor`,
      beside: `after a second start: ${again.idle.toFixed(1)} %`,
      ratio: '–',
      goal: `≤ ${IDLE_GOAL} %`,
      met: Number.isNaN(first.idle) ? null : first.idle <= IDLE_GOAL,
    },
    called('commands to Redis with nobody there, without those of scripts', 'commands', firsts, seconds),
    called('transactions of PostgreSQL with nobody there', 'transactions', firsts, seconds),
  ];
}

function held(path: string, goal: number, unit: string, first?: number | null, second?: number | null): Row {
  const told = (count?: number | null) =>
    count == null ? 'this system does not tell' : `${Math.round(count)}${unit}`;
  return {
    path,
    ours: told(first),
    beside: `after a second start: ${told(second)}`,
    ratio: '–',
    goal: `≤ ${goal}${unit}`,
    met: first == null ? null : first <= goal,
  };
}

function called(path: string, kind: keyof Calls, [first]: Started[], [second]: Started[]): Row {
  const goal = CALLS_GOAL[kind];
  const told = (started?: Started) => started?.calls?.[kind].toFixed(1) ?? 'this system does not tell';
  return {
    path,
    ours: `${told(first)} a second`,
    beside: `after a second start: ${told(second)}`,
    ratio: '–',
    goal: `≤ ${goal}`,
    met: first?.calls ? first.calls[kind] <= goal : null,
  };
}

/** Formats starts, for example as `4.9 s, processor time 7.4 s`. */
const told = (starts: Started[]) =>
  `${spread(starts.map((each) => each.seconds)).median.toFixed(1)} s, ` +
  `processor time ${spread(starts.map((each) => each.processor)).median.toFixed(1)} s`;

/** Starts Meetmark with the folder's data, waits at least `idle` milliseconds and stops it. */
async function startIn(directory: string, idle = 0): Promise<Started> {
  const entry = new URL('../../scripts/dist/start/process/main.js', import.meta.url).href;
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const options = JSON.stringify({ root, directory, parentPid: process.pid, args: [] });
  const program = `import(${JSON.stringify(entry)}).then(({ start }) => start(${options}))`;
  const { npm_lifecycle_event: _script, ...env } = process.env;
  const began = performance.now();
  const child = spawn(process.execPath, ['-e', program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => (output += chunk).includes(READY) && resolve());
    child.once('exit', (code) => reject(new Error(`the start ended with code ${code}: ${output}`)));
  });
  await ready;
  const seconds = (performance.now() - began) / 1_000;
  const spent = () => processorTime(child.pid!) ?? NaN;
  const processor = spent() / 1_000;
  await pause(idle && SOON);
  const soon = heldBy(child.pid!);
  await pause(idle && idle - SOON);
  const before = spent();
  await pause(idle && COUNTED_FOR);
  const idleShare = ((spent() - before) / COUNTED_FOR) * 100;
  const megabytes = measureMemory([child.pid!]);
  const calls = idle === 0 || megabytes === null ? null : await countCalls(directory, COUNTED_FOR);
  child.kill('SIGTERM');
  await ended;
  return { seconds, processor, soon, megabytes, idle: idleShare, calls };
}

function heldBy(pid: number): Held | undefined {
  const megabytes = measureMemory([pid]);
  return megabytes === null ? undefined : { processes: withChildren([pid]).length, megabytes };
}

/** Returns the seconds to create an empty cluster and start empty Nest processes. */
async function floorIn(folder: string): Promise<number> {
  const { home, account } = findPostgresBinaries(() => undefined);
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  const began = performance.now();
  const initdb = spawn(executable(home, 'initdb'), ['-D', folder, '-A', 'trust', '--locale=C'], {
    ...(account && { uid: account.uid, gid: account.gid }),
    cwd: '/',
    stdio: 'ignore',
  });
  const [code] = (await once(initdb, 'exit')) as [number];
  if (code !== 0) throw new Error(`initdb ended with code ${code}`);
  await openEmptyProcesses();
  return (performance.now() - began) / 1_000;
}

/** Returns the seconds to start the servers with existing data, and empty Nest processes. */
async function secondFloorIn(directory: string): Promise<number> {
  const { redisPasswords } = loadSecrets(join(directory, 'secrets.json'));
  const quiet = { note: () => undefined, onSpawn: () => undefined };
  const began = performance.now();
  const servers = await startBackingServers({
    directory,
    durable: true,
    redisPasswords,
    pickPort: anyFreePort,
    ...quiet,
  });
  await openEmptyProcesses();
  const seconds = (performance.now() - began) / 1_000;
  await servers.stop();
  return seconds;
}

async function openEmptyProcesses(): Promise<void> {
  const program = fileURLToPath(new URL('./support/empty-nest.js', import.meta.url));
  const processes = Array.from({ length: NEST_PROCESSES }, () => fork(program));
  await Promise.all(processes.map((each) => once(each, 'message')));
  for (const each of processes) each.disconnect();
}
