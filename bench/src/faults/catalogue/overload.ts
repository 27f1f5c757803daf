import autocannon from 'autocannon';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../../support/measure.js';
import { ask } from '../load.js';
import { Ledger, type Operation } from '../ledger.js';
import type { Rig } from '../rig.js';
import type { Fault } from '../trial.js';

/** Milliseconds. */
const PEAK_FOR = 4_000;
const OVERLOAD_FOR = { thorough: 30_000, short: 10_000 };
const REFUSAL = 100;
const OTHERS_P95 = 1_000;
/** Requests open at a time when as much is answered as can be. */
export const AT_PEAK = 64;
/** So many times what can be answered is asked then; less than `ENOUGH` of that is no overload. */
const TIMES = 3;
const ENOUGH = 0.9;
const GROWS = 1.05;
/** In a millisecond. */
const NANOSECONDS = 1e6;
/** Milliseconds between two sets of requests that are sent at once. */
const TICK = 10;
const GOODPUT = 0.8;
const LOGINS_PER_SECOND = 500;
/** Seconds. */
const FLOOD_FOR = 10;
/** One sign-in a second each. */
const FLOOD_CONNECTIONS = 500;

/** F19, first part: three times more than can be done. */
export const overload: Fault = {
  id: 'F19a',
  title: 'three times the load that can be answered',
  recoverWithin: 5_000,
  touches: [],
  load: true,
  async run({ rig, healed, broken, measured, thorough }) {
    const [event = ''] = await rig.events(1);
    const peak = await peakOf(rig, event);
    const wanted = TIMES * peak;
    const lasting = thorough ? OVERLOAD_FOR.thorough : OVERLOAD_FOR.short;
    const over = await offer(rig, event, wanted, lasting, healed);
    const share = over.answered / peak;
    measured('peak', peak);
    measured('offered', over.offered);
    measured('goodput', share);
    measured('refused', over.refused);
    measured('client', over.clientLag);
    measured('refusals', over.refusedP95);
    if (over.offered < ENOUGH * wanted || over.refused === 0)
      broken(`hollow: ${Math.round(over.offered)}/s were offered, ${over.refused} refused: no overload`);
    if (over.clientLag > REFUSAL)
      broken(`hollow: the client itself was ${Math.round(over.clientLag)} ms late (p95)`);
    if (share < GOODPUT)
      broken(`goodput fell to ${Math.round(share * 100)} % of the peak's ${Math.round(peak)}/s`);
    if (over.refusedP95 > REFUSAL) broken(`refusals took ${Math.round(over.refusedP95)} ms (p95)`);
  },
};

function askAs(rig: Rig, ledger: Ledger, event: string, number: number) {
  const member = rig.members[number % rig.members.length] ?? rig.administrator;
  return ask(ledger, 'attendees', () => member.send('GET', `/api/events/${event}/attendees`));
}

/** As many at a time, each asking again as soon as it is answered; answers a second. */
export async function press(rig: Rig, event: string, width: number, ms: number): Promise<number> {
  const ledger = new Ledger();
  const until = Date.now() + ms;
  const loops = Array.from({ length: width }, async (_, number) => {
    while (Date.now() < until) await askAs(rig, ledger, event, number);
  });
  await Promise.all(loops);
  return ledger.count('ok') / (ms / 1_000);
}

/** Answers a second, once all processes run compiled code: when it grows no more. */
async function peakOf(rig: Rig, event: string): Promise<number> {
  for (let most = 0; ;) {
    const now = await press(rig, event, AT_PEAK, PEAK_FOR);
    if (now <= most * GROWS) return Math.max(now, most);
    most = now;
  }
}

/** So many requests a second, each at its time, however many still wait for their answer: as strangers ask. */
async function offer(rig: Rig, event: string, perSecond: number, ms: number, over: () => void) {
  const ledger = new Ledger();
  const asked: Promise<unknown>[] = [];
  const lag = monitorEventLoopDelay();
  lag.enable();
  const began = Date.now();
  for (let passed = 0; passed < ms; passed = Date.now() - began) {
    while (asked.length < (passed * perSecond) / 1_000) asked.push(askAs(rig, ledger, event, asked.length));
    await pause(TICK);
  }
  const until = Date.now();
  over();
  await Promise.all(asked);
  lag.disable();
  const refused = ledger.operations.filter(({ outcome }) => outcome === 'unknown');
  const inTime = ledger.operations.filter(({ outcome, ended }) => outcome === 'ok' && ended <= until);
  return {
    offered: asked.length / (ms / 1_000),
    answered: inTime.length / (ms / 1_000),
    refused: refused.length,
    refusedP95: p95Of(refused),
    /** Milliseconds by which our own loop is late: part of every time above. */
    clientLag: lag.percentile(95) / NANOSECONDS,
  };
}

const p95Of = (operations: Operation[]) =>
  quantile(
    operations.map(({ started, ended }) => ended - started),
    0.95,
  );

/** F19, second part: sign-ins cost a hash each; nobody else may notice. */
export const loginFlood: Fault = {
  id: 'F19b',
  title: `up to ${LOGINS_PER_SECOND} sign-ins a second; everybody else goes on`,
  recoverWithin: 5_000,
  touches: [],
  load: true,
  async run({ rig, ledger, healed, broken, measured }) {
    const began = Date.now();
    const [email] = await rig.strangers(1);
    const flood = await autocannon({
      url: `${rig.stack.url}/api/login`,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email, password: 'not the password' }),
      connections: FLOOD_CONNECTIONS,
      overallRate: LOGINS_PER_SECOND,
      duration: FLOOD_FOR,
      workers: 1, // a thread of its own: the members' own clock must not be what is measured
    });
    healed();
    const hashed = flood.statusCodeStats?.['401']?.count ?? 0;
    measured('sign-ins', flood.requests.average);
    measured('hashed', hashed);
    if (hashed === 0) broken('hollow: no password was looked at');
    const before = p95Of(ledger.operations.filter(({ started }) => started < began));
    const p95 = p95Of(ledger.operations.filter(({ started }) => started >= began));
    measured('before', before);
    measured('during', p95);
    if (p95 > OTHERS_P95)
      broken(
        `other calls took ${Math.round(p95)} ms (p95) during the flood, ${Math.round(before)} ms before it`,
      );
  },
};
