import { DEADLINES } from '@meetmark/contracts';
import type { ProcessName } from '@meetmark/scripts/stack/processes';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import {
  brokenActivity,
  brokenInvariants,
  brokenMails,
  promotions,
  withoutMail,
  TableSampler,
} from './invariants.js';
import { lasted, Ledger } from './ledger.js';
import { Load } from './load.js';
import type { Health, ProcessWatch } from './process-watch.js';
import type { Rig } from './rig.js';

export interface Scenario {
  rig: Rig;
  ledger: Ledger;
  /** Marks when the fault has ended. The recovery time is measured from here. */
  healed(): void;
  broken(what: string): void;
  /** Allows one duplicate email, which a killed worker may have sent without recording it. */
  allowMailCopy(): void;
  measured(what: string, value: number): void;
  thorough: boolean;
}

export interface Fault {
  id: string;
  title: string;
  /** Maximum recovery time in milliseconds. Null if nothing needs to recover. */
  recoverWithin: number | null;
  /**
   * Processes that the fault ends. Their lag isn't checked, and connections to a gateway that ends may break.
   */
  touches: ProcessName[];
  /** Processes whose event loops the fault suspends. */
  holdsUp?: ProcessName[];
  /** False for faults that create their own load. */
  load: boolean;
  /** Maximum failed requests (503, broken connection); unlimited by default. */
  mostFailures?: number;
  /** Milliseconds within which a 503 must arrive. */
  refusesWithin?: number;
  /** Whether the trial fails if the fault affected no request. */
  felt?: boolean;
  run(scenario: Scenario): Promise<void>;
}

export interface FaultMode {
  thorough: boolean;
  /** Whether to ignore response and recovery times, for tests on busy machines. */
  patient: boolean;
  watch?: ProcessWatch;
}

export interface Verdict {
  fault: Fault;
  broken: string[];
  /** Recovery time in milliseconds. Null if the requests didn't recover, or if nothing needed to recover. */
  recovery: number | null;
  slowest: number;
  ok: number;
  refused: number;
  unknown: number;
  samples: number;
  health: Health | null;
  figures: Record<string, number>;
}

const WARM_UP = 2_000;
const AFTERWARDS = 3_000;
const LONGEST_ANSWER = 6_000;
const MAILS_WITHIN = 60_000;
const CHART_WITHIN = 90_000;
const LOOK_EVERY = 250;
const NANOSECONDS = 1e6;

/**
 * Applies a fault under load and checks the invariants after the recovery. An exception counts as a failure,
 * and the rig is repaired.
 */
export async function tryFault(rig: Rig, fault: Fault, mode: FaultMode): Promise<Verdict> {
  const ledger = new Ledger();
  const found: string[] = [];
  const figures: Record<string, number> = {};
  const sampler = new TableSampler(rig);
  const ownDelay = monitorEventLoopDelay();
  ownDelay.enable();
  let healed: number | null = null;
  let copies = 0;
  let health: Health | null = null;
  const scenario: Scenario = {
    rig,
    ledger,
    thorough: mode.thorough,
    healed: () => (healed = Date.now()),
    broken: (what) => found.push(what),
    allowMailCopy: () => (copies += 1),
    measured: (what, value) => (figures[what] = value),
  };
  try {
    await mode.watch?.begin();
    await endure(fault, scenario);
    const answers = (await mode.watch?.look()) ?? [];
    await settled(rig, ledger);
    health = (await mode.watch?.health(answers, [...fault.touches, ...(fault.holdsUp ?? [])])) ?? null;
    found.push(...(await brokenInvariants(rig, ledger)), ...brokenMails(rig.sink, ledger, copies));
    found.push(...(await brokenActivity(rig)));
    if (fault.load) figures['promotions'] = await promotions(rig, ledger);
    if (figures['promotions'] === 0) found.push('hollow: nobody who waited got a place');
  } catch (error) {
    const [why = ''] = `it broke off: ${error instanceof Error ? error.message : String(error)}`.split('\n');
    found.push(why);
    try {
      await rig.restore();
    } catch (cause) {
      throw new Error(`${fault.id} could not be mended; ${why}`, { cause });
    }
  } finally {
    await sampler.stop();
    ownDelay.disable();
  }
  const recovery = healed === null ? null : ledger.recovery(healed);
  found.push(
    ...sampler.broken,
    ...brokenAnswers(ledger, fault),
    ...rig.endings().map((ending) => `I9: ${ending}`),
    ...(health?.broken ?? []),
    ...hollow(ledger, sampler, fault),
    ...(mode.patient ? [] : [...late(fault, ledger, recovery), ...stoodStill(ownDelay.max / NANOSECONDS)]),
  );
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

/** Runs the fault. If it needs a load, keeps the load running until the maximum recovery time has passed. */
async function endure(fault: Fault, scenario: Scenario): Promise<void> {
  if (!fault.load) return fault.run(scenario);
  const load = await Load.begin(scenario.rig, scenario.ledger);
  try {
    await pause(WARM_UP);
    await fault.run(scenario);
    await pause(AFTERWARDS + (fault.recoverWithin ?? 0));
  } finally {
    await load.stop();
  }
}

async function settled(rig: Rig, ledger: Ledger): Promise<void> {
  const began = Date.now();
  const waited = (ms: number) => Date.now() - began > ms;
  while (withoutMail(rig.sink, ledger).length > 0 && !waited(MAILS_WITHIN)) await pause(LOOK_EVERY);
  while ((await brokenActivity(rig)).length > 0 && !waited(CHART_WITHIN)) await pause(LOOK_EVERY);
}

/**
 * I10: all failures are legitimate 503s, and no more than allowed. Only callers of a gateway that the fault
 * ended may see a broken connection.
 */
export function brokenAnswers(
  ledger: Ledger,
  { touches, mostFailures = Infinity }: Pick<Fault, 'touches' | 'mostFailures'>,
): string[] {
  const wrong = ledger.operations.filter(
    ({ fault, status }) => fault !== undefined && !(status === 0 && touches.includes('gateway')),
  );
  const failed = ledger.operations.filter(({ outcome }) => outcome === 'unknown');
  const kinds = new Set(
    failed.map(({ kind, status, code, fault }) => [kind, status, code, fault].filter(Boolean).join(' ')),
  );
  return [
    ...wrong.map(({ kind, fault }) => `I10: ${kind}: ${fault}`),
    ...(failed.length > mostFailures
      ? [`${failed.length} requests failed, ${mostFailures} may: ${[...kinds].join(', ')}`]
      : []),
  ];
}

/** Kinds of requests that every load must contain, because checks without data prove nothing. */
const LOAD_KINDS = ['register', 'unregister', 'code', 'count', 'list'];

function hollow(ledger: Ledger, { samples }: TableSampler, { load, felt }: Fault): string[] {
  const answered = new Set(
    ledger.operations.filter(({ outcome }) => outcome === 'ok').map(({ kind }) => kind),
  );
  const missing = load ? LOAD_KINDS.filter((kind) => !answered.has(kind)) : [];
  return [
    ...(samples === 0 ? ['hollow: nobody looked at the tables'] : []),
    ...(answered.size === 0 ? ['hollow: nothing was answered'] : []),
    ...missing.map((kind) => `hollow: no ${kind} was answered`),
    ...(felt === true && ledger.count('unknown') === 0 ? ['hollow: nobody noticed the fault'] : []),
  ];
}

/**
 * Reports whether this process was suspended. Its proxies can't forward anything during a suspension.
 * @param longest milliseconds
 */
const stoodStill = (longest: number) =>
  longest > DEADLINES.redisCommand
    ? [`hollow: the rig itself stood still for ${Math.round(longest)} ms`]
    : [];

/** I10 and I11: answers and recovery take no longer than promised. */
function late(
  { recoverWithin, refusesWithin, load }: Fault,
  ledger: Ledger,
  recovery: number | null,
): string[] {
  const { slowest, slowestRefusal } = ledger;
  const promised = refusesWithin ?? LONGEST_ANSWER;
  const slow = [
    ...(slowest > LONGEST_ANSWER ? [`I10: an answer took ${slowest} ms`] : []),
    ...(slowestRefusal !== undefined && lasted(slowestRefusal) > promised
      ? [
          `I10: ${slowestRefusal.kind} was refused (${slowestRefusal.code}) after ${lasted(slowestRefusal)} ms, ${promised} are promised`,
        ]
      : []),
  ];
  if (recoverWithin === null || !load) return slow;
  if (recovery === null) return [...slow, 'I11: no recovery'];
  if (recovery <= recoverWithin) return slow;
  return [...slow, `I11: recovered after ${recovery} ms, ${recoverWithin} are promised`];
}
