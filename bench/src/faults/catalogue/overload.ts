import autocannon from 'autocannon';
import { quantile } from '../../support/measure.js';
import { ask } from '../load.js';
import { Ledger, type Operation } from '../ledger.js';
import type { Rig } from '../rig.js';
import type { Fault } from '../trial.js';

/** Milliseconds. */
const PEAK_FOR = 8_000;
const OVERLOAD_FOR = { thorough: 30_000, short: 10_000 };
const REFUSAL = 100;
const OTHERS_P95 = 1_000;
/** Members who ask without a pause: the most that is answered in good order, and three times as many. */
export const AT_PEAK = 64;
const TIMES = 3;
const GOODPUT = 0.8;
const LOGINS_PER_SECOND = 500;
/** Seconds. */
const FLOOD_FOR = 10;
const FLOOD_CONNECTIONS = 100;

/** F19, first part: three times more than can be done. */
export const overload: Fault = {
  id: 'F19a',
  title: 'three times the load that can be answered',
  recoverWithin: 5_000,
  touches: [],
  load: true,
  async run({ rig, healed, broken, measured, thorough }) {
    const [event = ''] = await rig.events(1);
    const peak = await press(rig, event, AT_PEAK, PEAK_FOR);
    const over = await press(
      rig,
      event,
      AT_PEAK * TIMES,
      thorough ? OVERLOAD_FOR.thorough : OVERLOAD_FOR.short,
    );
    healed();
    const share = over.perSecond / peak.perSecond;
    measured('peak', peak.perSecond);
    measured('goodput', share);
    measured('refusals', over.refusedP95);
    if (share < GOODPUT)
      broken(`goodput fell to ${Math.round(share * 100)} % of the peak's ${Math.round(peak.perSecond)}/s`);
    if (over.refusedP95 > REFUSAL) broken(`refusals took ${Math.round(over.refusedP95)} ms (p95)`);
  },
};

/** As many members at a time, each asking again as soon as it is answered. */
export async function press(rig: Rig, event: string, width: number, ms: number) {
  const ledger = new Ledger();
  const until = Date.now() + ms;
  const loops = Array.from({ length: width }, async (_, index) => {
    const member = rig.members[index % rig.members.length] ?? rig.administrator;
    while (Date.now() < until)
      await ask(ledger, 'attendees', () => member.send('GET', `/api/events/${event}/attendees`));
  });
  await Promise.all(loops);
  const took = ({ started, ended }: Operation) => ended - started;
  const refused = ledger.operations.filter(({ outcome }) => outcome === 'unknown').map(took);
  return {
    perSecond: ledger.count('ok') / (ms / 1_000),
    refusedP95: refused.length === 0 ? 0 : quantile(refused, 0.95),
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
  title: '500 sign-ins a second; everybody else goes on',
  recoverWithin: 5_000,
  touches: [],
  load: true,
  async run({ rig, ledger, healed, broken, measured }) {
    const began = Date.now();
    const [email] = await rig.strangers(1);
    await autocannon({
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
