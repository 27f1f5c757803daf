import type { ProcessName } from '@meetmark/scripts/stack/processes';
import { setTimeout as pause } from 'node:timers/promises';
import { brokenActivity, brokenInvariants, brokenMails, withoutMail } from './invariants.js';
import { Ledger } from './ledger.js';
import { Load } from './load.js';
import type { Health, ProcessWatch } from './process-watch.js';
import type { Rig } from './rig.js';
import { TableSampler } from './table-invariants.js';

/** What a fault may do while the load goes on. */
export interface Course {
  rig: Rig;
  ledger: Ledger;
  /** From now on everything has to come back; the moment from which recovery counts. */
  healed(): void;
  /** More that a fault found broken by itself. */
  broken(what: string): void;
  /** A killed worker may have sent a mail and not have said so. */
  allowMailCopy(): void;
  /** A figure that the benchmarks show. */
  measured(what: string, value: number): void;
  /** The program's long form; the normal tests run the short one. */
  thorough: boolean;
}

export interface Fault {
  id: string;
  title: string;
  /** Milliseconds that the product promises; null when nothing has to come back. */
  recoverWithin: number | null;
  /** Processes that the fault itself ends. */
  touches: ProcessName[];
  /** Processes whose event loops the fault itself holds up, without ending them. */
  holdsUp?: ProcessName[];
  /** False for faults that bring a load of their own. */
  load: boolean;
  run(course: Course): Promise<void>;
}

export interface Manner {
  /** The long form of the faults. */
  thorough: boolean;
  /** True times nothing but hangs: for tests, which run on busy machines. */
  patient: boolean;
  /** Looks after memory and event loops, where those are measured. */
  watch?: ProcessWatch;
}

export interface Verdict {
  fault: Fault;
  broken: string[];
  /** Milliseconds; null when there was nothing to recover from, or no recovery. */
  recovery: number | null;
  slowest: number;
  ok: number;
  refused: number;
  unknown: number;
  samples: number;
  /** Null when nobody watched. */
  health: Health | null;
  figures: Record<string, number>;
}

/** Milliseconds. */
const WARM_UP = 2_000;
const AFTERWARDS = 3_000;
const LONGEST_ANSWER = 6_000;
const MAILS_WITHIN = 60_000;
const CHART_WITHIN = 90_000;
const LOOK_EVERY = 250;

/** Load, fault, recovery, settling, and everything that must hold afterwards. */
export async function tryFault(rig: Rig, fault: Fault, manner: Manner): Promise<Verdict> {
  const { thorough, patient, watch } = manner;
  const ledger = new Ledger();
  const found: string[] = [];
  const pids = rig.pidsWithout(fault.touches);
  const sampler = new TableSampler(rig);
  const load = fault.load ? await Load.begin(rig, ledger) : null;
  let healed: number | null = null;
  let copies = 0;
  const figures: Record<string, number> = {};
  await watch?.begin();
  if (load) await pause(WARM_UP);
  await fault.run({
    rig,
    ledger,
    thorough,
    healed: () => (healed = Date.now()),
    broken: (what) => found.push(what),
    allowMailCopy: () => (copies += 1),
    measured: (what, value) => (figures[what] = value),
  });
  if (load) await pause(AFTERWARDS + (fault.recoverWithin ?? 0));
  await load?.stop();
  const health = (await watch?.health([...fault.touches, ...(fault.holdsUp ?? [])])) ?? null;
  await settled(rig, ledger);
  await sampler.stop();

  const recovery = healed === null ? null : ledger.recovery(healed);
  found.push(
    ...sampler.broken,
    ...(await brokenInvariants(rig, ledger)),
    ...brokenMails(rig.sink, ledger, copies),
    ...brokenAnswers(ledger, fault),
    ...brokenProcesses(rig, pids),
    ...(health?.broken ?? []),
    ...(patient ? [] : late(fault, ledger, load !== null, recovery)),
  );
  const chart = await brokenActivity(rig);
  if (chart !== null) found.push(chart);
  return {
    fault,
    broken: [...new Set(found)],
    recovery,
    slowest: ledger.slowest,
    ok: ledger.count('ok'),
    refused: ledger.count('refused'),
    unknown: ledger.count('unknown'),
    samples: sampler.samples,
    health,
    figures,
  };
}

/** Waits for what is allowed to take its time: mails that are on their way, and the chart. */
async function settled(rig: Rig, ledger: Ledger): Promise<void> {
  const began = Date.now();
  const waited = (ms: number) => Date.now() - began > ms;
  while (withoutMail(rig.sink, ledger).length > 0 && !waited(MAILS_WITHIN)) await pause(LOOK_EVERY);
  while ((await brokenActivity(rig)) !== null && !waited(CHART_WITHIN)) await pause(LOOK_EVERY);
}

/** I10: nothing but honest refusals, soon. Only whoever loses the gateway may find the connection broken. */
function brokenAnswers(ledger: Ledger, { touches }: Fault): string[] {
  const wrong = ledger.operations.filter(
    ({ fault, status }) => fault !== undefined && !(status === 0 && touches.includes('gateway')),
  );
  return wrong.map(({ kind, fault }) => `I10: ${kind}: ${fault}`);
}

/** I9: nothing ended but what the fault ended. */
function brokenProcesses(rig: Rig, before: Map<string, number>): string[] {
  return rig.stack.stack.replicas.flatMap(({ process }) => {
    const pid = before.get(process.name);
    return pid === undefined || (pid === process.pid && process.running) ? [] : [`I9: ${process.name} ended`];
  });
}

/** I10 again, and I11: in time. */
function late({ recoverWithin }: Fault, ledger: Ledger, loaded: boolean, recovery: number | null): string[] {
  const slow = ledger.slowest > LONGEST_ANSWER ? [`I10: an answer took ${ledger.slowest} ms`] : [];
  if (recoverWithin === null || !loaded) return slow;
  if (recovery === null) return [...slow, 'I11: no recovery'];
  if (recovery <= recoverWithin) return slow;
  return [...slow, `I11: recovered after ${recovery} ms, ${recoverWithin} are promised`];
}
