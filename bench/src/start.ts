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
import { ratioOf, spread, type Effort, type Row } from './support/results.js';
import { callsOf, type Calls } from './support/calls.js';
import { memoryOf, processorTime, withChildren } from './support/usage.js';

/** Beside creating an empty database cluster and starting as many empty Nest processes. */
const FIRST_GOAL = 4;
/** Seconds, or beside starting the same servers and as many empty Nest processes. */
const SECOND_GOAL = { seconds: 5.4, ratio: 1.1 };
/** All processes with PostgreSQL, Redis, supervisor and mailbox: `SOON` after the start, and idle. */
const SOON_GOAL = { processes: 20, megabytes: 650 };
const MEGABYTES_GOAL = 480;
/** Percent of one processor. */
const IDLE_GOAL = 1;
/** With nobody there, a second. */
const CALLS_GOAL = { commands: 35, transactions: 4 };
const NEST_PROCESSES = 5;
/** Milliseconds after which somebody who has just started it looks for the first time. */
const SOON = 5_000;
/** Milliseconds after which what the start itself needed has been given back, and for which processor time is then counted. */
const IDLE_FOR = 60_000;
const COUNTED_FOR = 30_000;
const MOST_ROUNDS = 3;
const READY = 'Sign in as the administrator';

interface Started {
  seconds: number;
  /** Seconds of processor time. */
  processor: number;
  /** Where the system has /proc. */
  soon?: Held;
  /** While idle. */
  megabytes: number | null;
  /** Percent of one processor that it takes with nobody there. */
  idle: number;
  /** Null when none were counted, or where the system has no /proc. */
  calls: Calls | null;
}

interface Held {
  processes: number;
  megabytes: number;
}

/**
 * `npm start` without npm and the build: from nothing but installed packages to a seeded community that answers, the same again with its
 * data, and what it holds while idle. Beside the first: initdb and empty Nest processes on the same machine in the same minute.
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
      ratio: ratioOf(ratio),
      goal: `≤ ${FIRST_GOAL}`,
      met: ratio.median <= FIRST_GOAL,
    },
    {
      path: 'a second start, with its data',
      ours: told(seconds),
      beside: `the same servers and ${NEST_PROCESSES} empty Nest processes: ${spread(secondFloors).median.toFixed(1)} s`,
      ratio: ratioOf(secondRatio),
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

/** `4.9 s, processor time 7.4 s` */
const told = (starts: Started[]) =>
  `${spread(starts.map((each) => each.seconds)).median.toFixed(1)} s, ` +
  `processor time ${spread(starts.map((each) => each.processor)).median.toFixed(1)} s`;

/** Starts with the data in the folder, waits so many milliseconds and stops. */
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
  const megabytes = memoryOf([child.pid!]);
  const calls = idle === 0 || megabytes === null ? null : await callsOf(directory, COUNTED_FOR);
  child.kill('SIGTERM');
  await ended;
  return { seconds, processor, soon, megabytes, idle: idleShare, calls };
}

/** With its children. */
function heldBy(pid: number): Held | undefined {
  const megabytes = memoryOf([pid]);
  return megabytes === null ? undefined : { processes: withChildren([pid]).length, megabytes };
}

/** Seconds that an empty cluster and then empty Nest processes take. */
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

/** Seconds that the servers with the data of a start and then empty Nest processes take. */
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

/** Resolves when all of them listen; they end by themselves. */
async function openEmptyProcesses(): Promise<void> {
  const program = fileURLToPath(new URL('./support/empty-nest.js', import.meta.url));
  const processes = Array.from({ length: NEST_PROCESSES }, () => fork(program));
  await Promise.all(processes.map((each) => once(each, 'message')));
  for (const each of processes) each.disconnect();
}
