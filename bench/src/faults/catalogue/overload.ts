import { inTurns } from '@meetmark/testing';
import { pngOf, withPicture } from '@meetmark/testing/factories/pictures';
import autocannon from 'autocannon';
import http from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../../support/results.js';
import { ask } from '../load.js';
import { Ledger, type Operation } from '../ledger.js';
import type { Rig } from '../rig.js';
import type { Scenario, Fault } from '../trial.js';

/** Milliseconds. */
const PEAK_FOR = 4_000;
const OVERLOAD_FOR = 30_000;
const REFUSAL = 100;
/** Times that other calls may take longer than without the flood, p95 beside p95 of one run; and milliseconds for which they are looked at before. */
const OTHERS_SLOWER = 4;
const WITHOUT = 5_000;
/** More places than requests open at a time, so that these do not wait for each other. */
const EVENTS = 30;
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
/** Hostile pictures, and how many are on their way at a time; bodies that are begun and never ended, and of how many bytes. */
const PICTURES = { short: 60, thorough: 200, atOnce: 8 };
const STALLED = { bodies: 60, bytes: 6_900_000 };

/** F19, first part: three times more than can be done, as when many events open for registration at once. */
export const overload: Fault = {
  id: 'F19a',
  title: 'three times the registrations that can be answered',
  recoverWithin: 5_000,
  touches: [],
  load: true,
  async run({ rig, healed, broken, measured }) {
    const rush = await Rush.begin(rig);
    const before = await peakOf(rush);
    const wanted = TIMES * before;
    const over = await offer(rush, wanted, OVERLOAD_FOR, healed);
    // the machine may have become faster or slower meanwhile
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

/** Members who register and unregister, one place after another. */
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

/** As many at a time, each asking again as soon as it is answered; answers a second. */
export async function press(rush: Rush, width: number, ms: number): Promise<number> {
  const ledger = new Ledger();
  const until = Date.now() + ms;
  const loops = Array.from({ length: width }, async () => {
    while (Date.now() < until) await rush.ask(ledger);
  });
  await Promise.all(loops);
  return answered(ledger.operations).length / (ms / 1_000);
}

/** Answers a second, once all processes run compiled code: when it grows no more. */
async function peakOf(rush: Rush): Promise<number> {
  for (let most = 0; ;) {
    const now = await press(rush, AT_PEAK, PEAK_FOR);
    if (now <= most * GROWS) return Math.max(now, most);
    most = now;
  }
}

/** So many requests a second, each at its time, however many still wait for their answer: as strangers ask. */
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
    refusedP95: p95Of(refused),
    /** Milliseconds by which our own loop is late: part of every time above. */
    clientLag: lag.percentile(95) / NANOSECONDS,
  };
}

/** To unregister before registering is answered too, and counts like any other answer. */
const answered = (operations: Operation[]) => operations.filter(({ outcome }) => outcome !== 'unknown');

const p95Of = (operations: Operation[]) =>
  quantile(
    operations.map(({ started, ended }) => ended - started),
    0.95,
  );

/** F19, second part: sign-ins cost a hash each; all other requests stay as fast. */
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
      workers: 1, // a thread of its own: the members' own clock must not be what is measured
    });
    healed();
    const hashed = flood.statusCodeStats?.['401']?.count ?? 0;
    measured('sign-ins', flood.requests.average);
    measured('hashed', hashed);
    if (hashed === 0) broken('hollow: no password was looked at');
    othersGoOn(ledger, began, { broken, measured });
  },
};

/** F19c: large pictures in small files, and bodies that never end; all other requests stay as fast. */
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
    const inside = withPicture(pngOf(SIDE, SIDE, SIDE * (SIDE + 1)));
    const outside = withPicture(pngOf(50_000, 40_000));
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

/** Pixels: sixteen megapixels are just within the limits. */
const SIDE = 4_000;

/** Begins a large body and leaves it; the status of the answer, 0 when the connection was ended without one. */
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
  const before = p95Of(ledger.operations.filter(({ started }) => started < began));
  const p95 = p95Of(ledger.operations.filter(({ started }) => started >= began));
  measured('before', before);
  measured('during', p95);
  if (p95 > OTHERS_SLOWER * before)
    broken(
      `other calls took ${Math.round(p95)} ms (p95) during the flood, ${Math.round(before)} ms before it`,
    );
}
