import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { inTurns } from '@meetmark/testing';
import type pg from 'pg';
import { someoneWaits, whileLocked } from '../event-lock.js';
import { toRegistrationKey, type Outcome } from '../ledger.js';
import { ask, askForCode } from '../load.js';
import type { Scenario, Fault } from '../trial.js';

const CREATES = 100;
const AT_A_TIME = 16;
const EVENTS = { thorough: 63, short: 20 };
const CODES = { thorough: 100, short: 30 };
const CREATED = 201;
const DAY = 86_400_000;

export const noFault: Fault = {
  id: 'F0',
  title: 'no fault, 3 replicas of auth and events: creates, first registrations, codes',
  recoverWithin: null,
  touches: [],
  load: false,
  async run(scenario) {
    await createEvents(scenario);
    await firstRegistrations(scenario, scenario.thorough ? EVENTS.thorough : EVENTS.short);
    const { rig, ledger } = scenario;
    const addresses = await rig.strangers(scenario.thorough ? CODES.thorough : CODES.short);
    await inTurns(addresses, AT_A_TIME, (email) => askForCode(ledger, rig.administrator, email));
    const unmailed = addresses.filter((email) => ledger.codes.get(email) !== 'ok').length;
    if (unmailed > 0) scenario.broken(`${unmailed} requests for a code were refused`);
  },
};

async function createEvents({ rig, ledger, broken }: Scenario): Promise<void> {
  const startDate = new Date(Date.now() + DAY).toISOString();
  const endDate = new Date(Date.now() + 2 * DAY).toISOString();
  const found = await brokenCreates(rig.owner, (title) =>
    ask(ledger, 'create', () => rig.administrator.send('POST', '/api/events', { title, startDate, endDate })),
  );
  found.forEach(broken);
}

export async function brokenCreates(
  owner: pg.Pool,
  create: (title: string) => Promise<unknown>,
): Promise<string[]> {
  const title = `Exactly once ${randomUUID()}`;
  await inTurns(Array.from({ length: CREATES }), AT_A_TIME, () => create(title));
  const { rowCount } = await owner.query('SELECT 1 FROM events.events WHERE title = $1', [title]);
  return rowCount === CREATES ? [] : [`F0: ${CREATES} creates made ${rowCount} events`];
}

async function firstRegistrations({ rig, ledger, broken }: Scenario, count: number): Promise<void> {
  const events = await rig.events(count);
  const pairs = rig.members.flatMap((member) => events.map((event) => ({ member, event })));
  await inTurns(pairs, AT_A_TIME, async ({ member, event }) => {
    const outcome = await ask(ledger, 'register', () => member.send('POST', `/api/events/${event}/register`));
    ledger.places.set(toRegistrationKey(member.id, event), outcome === 'ok' ? 'taken' : 'unknown');
  });
  const notNew = ledger.operations.filter(({ kind, status }) => kind === 'register' && status !== CREATED);
  if (notNew.length > 0)
    broken(`${notNew.length} of ${pairs.length} first registrations were answered ${notNew[0]?.status}`);
  const { rowCount } = await rig.owner.query(
    "SELECT 1 FROM events.event_registrations WHERE event_id = ANY($1) AND status = 'registered'",
    [events],
  );
  if (rowCount !== pairs.length) broken(`${pairs.length} first registrations made ${rowCount} places`);
}

const REPEAT_WITHIN = 10_000;
const BETWEEN = 100;

/** F17: a registration is committed, but its response is cut off, so the member retries. */
export const replyCut: Fault = {
  id: 'F17',
  title: 'committed, but the answer is cut off; the member repeats',
  recoverWithin: null,
  touches: [],
  load: false,
  async run({ rig, ledger, broken }) {
    const [event = ''] = await rig.events(1);
    const [member] = rig.members;
    if (member === undefined) throw new Error('the rig has no members');
    const register = () => member.send('POST', `/api/events/${event}/register`);
    let first: Promise<Outcome> | undefined;
    await whileLocked(rig.owner, event, async () => {
      first = ask(ledger, 'register', register);
      await someoneWaits(rig.owner);
      await rig.redis.set({ kind: 'down' });
    });
    if ((await first) !== 'unknown') broken('the first answer was not cut off');
    await rig.redis.set({ kind: 'pass' });
    const until = Date.now() + REPEAT_WITHIN;
    while ((await ask(ledger, 'register', register)) === 'unknown' && Date.now() < until)
      await pause(BETWEEN);
    const status = ledger.operations.at(-1)?.status;
    if (status !== 200) broken(`the repeated registration is answered ${status}, not 'already registered'`);
    ledger.places.set(toRegistrationKey(member.id, event), 'taken');
    const { rowCount } = await rig.owner.query(
      'SELECT 1 FROM events.event_registrations WHERE event_id = $1',
      [event],
    );
    if (rowCount !== 1) broken(`the repeated registration made ${rowCount} rows`);
  },
};
