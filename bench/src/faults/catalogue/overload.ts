import { inTurns } from '@meetmark/testing';
import { createPng, withPicture } from '@meetmark/testing/factories/pictures';
import autocannon from 'autocannon';
import http from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../../support/results.js';
import { ask } from '../load.js';
import { Ledger, type Operation } from '../ledger.js';
import type { Rig } from '../rig.js';
import type { Scenario, Fault } from '../trial.js';

const PEAK_FOR = 4_000;
const OVERLOAD_FOR = 30_000;
const REFUSAL = 100;
/** Maximum factor by which a flood may increase the 95th percentile of other response times. */
const OTHERS_SLOWER = 4;
const WITHOUT = 5_000;
/** Number of events, high enough that concurrent requests rarely wait for the same event. */
const EVENTS = 30;
export const AT_PEAK = 64;
/** Offered load as a multiple of the peak, and the minimum fraction of it that the client must send. */
const TIMES = 3;
const ENOUGH = 0.9;
const GROWS = 1.05;
const NANOSECONDS = 1e6;
/** Milliseconds between batches of requests. */
const TICK = 10;
const GOODPUT = 0.8;
const LOGINS_PER_SECOND = 500;
const FLOOD_FOR = 10;
/** Number of connections: one for each sign-in within a second. */
const FLOOD_CONNECTIONS = 500;
/** Number of hostile images in a short run, in a thorough run, and sent at the same time. */
const PICTURES = { short: 60, thorough: 200, atOnce: 8 };
const STALLED = { bodies: 60, bytes: 6_900_000 };

/**
 * F19, first part: three times as many registrations as the rig can answer, as when many events open at once.
 */
export const overload: Fault = {
  id: 'F19a',
  title: 'three times the registrations that can be answered',
  recoverWithin: 5_000,
  touches: [],
  load: true,
  async run({ rig, healed, broken, measured }) {
    const rush = await Rush.begin(rig);
    const before = await measurePeak(rush);
    const wanted = TIMES * before;
    const over = await offer(rush, wanted, OVERLOAD_FOR, healed);
    const peak = (before + (await press(rush, AT_PEAK, PEAK_FOR))) / 2;
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

export class Rush {
  private asked = 0;

  private constructor(
    private readonly rig: Rig,
    private readonly events: string[],
  ) {}

  static async begin(rig: Rig): Promise<Rush> {
    return new Rush(rig, await rig.events(EVENTS));
  }

  ask(ledger: Ledger) {
    const { members, administrator } = this.rig;
    const number = (this.asked += 1);
    const member = members[number % members.length] ?? administrator;
    const event = this.events[Math.floor(number / members.length) % this.events.length] ?? '';
    const method = Math.floor(number / members.length / this.events.length) % 2 === 0 ? 'POST' : 'DELETE';
    return ask(ledger, 'rush', () => member.send(method, `/api/events/${event}/register`));
  }
}

/** Keeps `width` requests in flight (a closed loop). Returns answers per second. */
export async function press(rush: Rush, width: number, ms: number): Promise<number> {
  const ledger = new Ledger();
  const until = Date.now() + ms;
  const loops = Array.from({ length: width }, async () => {
    while (Date.now() < until) await rush.ask(ledger);
  });
  await Promise.all(loops);
  return answered(ledger.operations).length / (ms / 1_000);
}

/**
 * Measures until the rate stops growing, because code is slower before it is compiled. Returns answers per
 * second.
 */
async function measurePeak(rush: Rush): Promise<number> {
  for (let most = 0; ;) {
    const now = await press(rush, AT_PEAK, PEAK_FOR);
    if (now <= most * GROWS) return Math.max(now, most);
    most = now;
  }
}

/** Sends at a fixed rate, regardless of how many requests are pending (an open loop). */
async function offer(rush: Rush, perSecond: number, ms: number, over: () => void) {
  const ledger = new Ledger();
  const asked: Promise<unknown>[] = [];
  const lag = monitorEventLoopDelay();
  lag.enable();
  const began = Date.now();
  for (let passed = 0; passed < ms; passed = Date.now() - began) {
    while (asked.length < (passed * perSecond) / 1_000) asked.push(rush.ask(ledger));
    await pause(TICK);
  }
  const until = Date.now();
  over();
  await Promise.all(asked);
  lag.disable();
  const refused = ledger.operations.filter(({ outcome }) => outcome === 'unknown');
  const inTime = answered(ledger.operations).filter(({ ended }) => ended <= until);
  return {
    offered: asked.length / (ms / 1_000),
    answered: inTime.length / (ms / 1_000),
    refused: refused.length,
    refusedP95: computeP95(refused),
    clientLag: lag.percentile(95) / NANOSECONDS,
  };
}

/** Refusals count as answers. For example, a cancellation that overtakes its registration is refused. */
const answered = (operations: Operation[]) => operations.filter(({ outcome }) => outcome !== 'unknown');

const computeP95 = (operations: Operation[]) =>
  quantile(
    operations.map(({ started, ended }) => ended - started),
    0.95,
  );

/** F19, second part: a flood of sign-ins, each of which hashes a password. Other requests stay fast. */
export const loginFlood: Fault = {
  id: 'F19b',
  title: `up to ${LOGINS_PER_SECOND} sign-ins a second; everybody else goes on`,
  recoverWithin: 5_000,
  touches: [],
  load: true,
  async run({ rig, ledger, healed, broken, measured }) {
    await pause(WITHOUT);
    const [email] = await rig.strangers(1);
    const began = Date.now();
    const flood = await autocannon({
      url: `${rig.stack.url}/api/login`,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email, password: 'not the password' }),
      connections: FLOOD_CONNECTIONS,
      overallRate: LOGINS_PER_SECOND,
      duration: FLOOD_FOR,
      workers: 1, // A separate thread keeps the timing of the members' requests accurate.
    });
    healed();
    const hashed = flood.statusCodeStats?.['401']?.count ?? 0;
    measured('sign-ins', flood.requests.average);
    measured('hashed', hashed);
    if (hashed === 0) broken('hollow: no password was looked at');
    othersGoOn(ledger, began, { broken, measured });
  },
};

/** F19, third part: large images in small files, and unfinished request bodies. Other requests stay fast. */
export const pictureFlood: Fault = {
  id: 'F19c',
  title: `hostile pictures, and ${STALLED.bodies} large bodies that do not come on; everybody else goes on`,
  recoverWithin: 5_000,
  touches: [],
  load: true,
  async run({ rig, ledger, thorough, healed, broken, measured }) {
    await pause(WITHOUT);
    const began = Date.now();
    const stalled = Array.from({ length: STALLED.bodies }, () => stall(rig));
    const statuses: number[] = [];
    const inside = withPicture(createPng(SIDE, SIDE, SIDE * (SIDE + 1)));
    const outside = withPicture(createPng(50_000, 40_000));
    await inTurns(
      Array.from({ length: thorough ? PICTURES.thorough : PICTURES.short }, (_, n) => n),
      PICTURES.atOnce,
      async (n) => {
        const member = rig.members[n % rig.members.length] ?? rig.administrator;
        const profileImageUrl = n % 2 === 0 ? inside : outside;
        const profile = { firstName: 'Mia', lastName: 'Member', email: member.email, profileImageUrl };
        statuses.push((await member.send('PUT', '/api/user/profile', profile)).status);
      },
    );
    const refused = await Promise.all(stalled.map(({ status }) => status));
    for (const { request } of stalled) request.destroy();
    healed();
    measured('taken', statuses.filter((status) => status === 200).length);
    measured('too large', statuses.filter((status) => status === 413).length);
    measured('bodies refused unread', refused.filter((status) => status === 503).length);
    if (!statuses.includes(200) || !statuses.includes(413)) broken('hollow: no picture was looked at');
    if (!refused.includes(503)) broken('hollow: all large bodies were let in');
    othersGoOn(ledger, began, { broken, measured });
  },
};

/** Pixels per side. Sixteen megapixels are just within the limits. */
const SIDE = 4_000;

/**
 * Starts a large request body and never finishes it. Resolves with the status, or with 0 if the connection
 * closes.
 */
function stall(rig: Rig) {
  const [member = rig.administrator] = rig.members;
  const request = http.request(`${rig.stack.url}/api/user/profile`, {
    method: 'PUT',
    headers: { ...member.headers, 'content-type': 'application/json', 'content-length': STALLED.bytes },
  });
  const status = new Promise<number>((resolve) => {
    request.on('response', (response) => resolve(response.resume().statusCode ?? 0));
    request.on('error', () => resolve(0));
  });
  request.write('{"firstName":"');
  return { request, status };
}

function othersGoOn(
  ledger: Ledger,
  began: number,
  { broken, measured }: Pick<Scenario, 'broken' | 'measured'>,
) {
  const before = computeP95(ledger.operations.filter(({ started }) => started < began));
  const p95 = computeP95(ledger.operations.filter(({ started }) => started >= began));
  measured('before', before);
  measured('during', p95);
  if (p95 > OTHERS_SLOWER * before)
    broken(
      `other calls took ${Math.round(p95)} ms (p95) during the flood, ${Math.round(before)} ms before it`,
    );
}
