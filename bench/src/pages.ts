import {
  CountRegistrations,
  type GuestFilter,
  ListAccounts,
  ListEvents,
  ListGuests,
  ListRegistrations,
} from '@meetmark/contracts';
import type { TestStack } from '@meetmark/scripts/stack/test-stack';
import { insertEvent } from '@meetmark/testing/factories/events';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import type pg from 'pg';
import { insertEvents, insertMembers, insertPlaces } from './support/demo-rows.js';
import {
  alternate,
  measure,
  median,
  milliseconds,
  formatRatio,
  spread,
  type Effort,
  type Row,
} from './support/results.js';
import { connectCaller, withStack } from './support/stack.js';

const EVENTS = [100, 10_000, 100_000];
const USERS = [10, 10_000, 100_000];
/** Numbers of registrations. Even the smaller number fills a page. */
const PLACES = [100, 10_000];
const PAGE = 20;
const REQUESTS = 150;
const WARM_UP = 1_500;
const WARM_UP_WIDTH = 8;
const GOAL = 1.3;

type Ask = () => Promise<unknown>;

/**
 * Measures pages of growing lists. Each size has a warm-up. Otherwise, the first size would include
 * compilation.
 */
export async function pages(effort: Effort): Promise<Row[]> {
  return withStack({}, (stack, owner) => measureOn(stack, owner, effort));
}

async function measureOn(stack: TestStack, owner: pg.Pool, { rounds, quick }: Effort): Promise<Row[]> {
  const caller = await connectCaller(stack);
  const { id: sub } = await insertAdministrator(owner);
  const identity = { sub, isAdmin: true, epoch: 1 };
  const event = await insertEvent(owner, { createdById: sub });
  // The probe's cost doesn't depend on the size, so dividing by it cancels out the machine's speed.
  const probe = () => caller.rpc.call(CountRegistrations, { eventId: event.id }, { identity });
  const sizes = (all: number[]) => (quick ? all.slice(0, 2) : all);
  const rows = [
    ...(await compare('a page of 20 upcoming events', sizes(EVENTS), rounds, probe, {
      grow: (more) => insertEvents(owner, more, sub),
      ask: () => caller.rpc.call(ListEvents, { limit: PAGE, time: 'upcoming' }, { identity }),
      settle: () => owner.query('VACUUM ANALYZE events.events'),
    })),
    ...(await compare('a page of 20 users', sizes(USERS), rounds, probe, {
      grow: (more) => insertMembers(owner, more),
      ask: () => caller.rpc.call(ListAccounts, { limit: PAGE }, { identity }),
      settle: () => owner.query('VACUUM ANALYZE auth.users'),
    })),
    ...(await compare('a page of 20 registrations of one event', PLACES, rounds, probe, {
      grow: async (more) => insertPlaces(owner, event.id, await insertMembers(owner, more)),
      ask: () => caller.rpc.call(ListRegistrations, { eventId: event.id, limit: PAGE }, { identity }),
      settle: () => owner.query('VACUUM ANALYZE events.event_registrations'),
    })),
  ];
  caller.close();
  return rows;
}

const SIZES = { long: 10_000, short: 100 };

export async function guestList({ rounds }: Effort): Promise<Row[]> {
  return withStack({}, async (stack, owner) => {
    const caller = await connectCaller(stack);
    const { id: sub } = await insertAdministrator(owner, { firstName: 'Zenobia' });
    const identity = { sub, isAdmin: true, epoch: 1 };
    const ask = (eventId: string, filter: GuestFilter) =>
      caller.rpc.call(ListGuests, { eventId, limit: PAGE, ...filter }, { identity });
    const members = await insertMembers(owner, SIZES.long - 1);
    const [long, short] = [await insertEvent(owner), await insertEvent(owner)];
    await insertPlaces(owner, long.id, [
      ...members.slice(0, SIZES.long / 2),
      sub,
      ...members.slice(SIZES.long / 2),
    ]);
    await insertPlaces(owner, short.id, [
      ...members.slice(0, SIZES.short / 2),
      sub,
      ...members.slice(1 - SIZES.short / 2),
    ]);
    // Half of the guests have no account, and every fiftieth guest has a common name.
    await owner.query("UPDATE auth.users SET first_name = 'Annabel' WHERE id = ANY ($1)", [
      members.filter((_, n) => n % 50 === 0),
    ]);
    for (const [{ id }, size] of [
      [long, SIZES.long],
      [short, SIZES.short],
    ] as const)
      await owner.query(
        `INSERT INTO events.event_registrations (id, event_id, guest_name, guest_email, show_me)
         SELECT gen_random_uuid(), $1, CASE WHEN n % 50 = 0 THEN 'Theodora' ELSE 'Bench' END || ' Guest', 'guest-' || n || '@example.com', 'no'
         FROM generate_series(1, $2::integer) AS n`,
        [id, size],
      );
    await owner.query(
      "UPDATE events.event_registrations SET registered_at = registered_at - random() * interval '30 days'",
    );
    for (const table of ['auth.users', 'events.event_registrations'])
      await owner.query(`VACUUM ANALYZE ${table}`);
    const rows: Row[] = [];
    for (const { what, filter } of GUEST_PAGES) {
      const asked = async (eventId: string) => {
        const given = await filter((before) => ask(eventId, before));
        return () => ask(eventId, given);
      };
      const [ofLong, ofShort] = [await asked(long.id), await asked(short.id)];
      for (const warm of [ofLong, ofShort])
        await measure(Array.from({ length: WARM_UP / 3 }), WARM_UP_WIDTH, warm);
      const pairs = await alternate(
        rounds,
        () => p50(ofLong),
        () => p50(ofShort),
      );
      const ratio = spread(pairs.map(({ ours, theirs }) => ours / theirs));
      rows.push({
        path: `${what} of a guest list of ${SIZES.long.toLocaleString('en')}`,
        ours: `p50 ${milliseconds(median(pairs.map(({ ours }) => ours)))}`,
        beside: `of ${SIZES.short}: ${milliseconds(median(pairs.map(({ theirs }) => theirs)))}`,
        ratio: formatRatio(ratio),
        goal: `≤ ${GOAL}`,
        met: ratio.median <= GOAL,
      });
    }
    caller.close();
    return rows;
  });
}

type Page = (filter: GuestFilter) => Promise<{ total: number; nextCursor: string | null }>;
const GUEST_PAGES: { what: string; filter(page: Page): Promise<GuestFilter> }[] = [
  { what: 'the first page', filter: async () => ({}) },
  { what: 'a page in the middle', filter: async (page) => ({ cursor: await halfway(page) }) },
  { what: 'those who are not in', filter: async () => ({ state: 'registered', checkedIn: 'false' }) },
  { what: 'one of whom a name is searched', filter: async () => ({ q: 'zenobia' }) },
  { what: 'the members with a common name', filter: async () => ({ q: 'ann' }) },
  { what: 'the people without an account with a common name', filter: async () => ({ q: 'theodora' }) },
  { what: 'those with a name that most have', filter: async () => ({ q: 'bench' }) },
  { what: 'nobody, by a name that none has,', filter: async () => ({ q: 'zzz' }) },
];

async function halfway(page: Page): Promise<string | undefined> {
  const { total } = await page({ limit: 1 });
  const limit = SIZES.short / 2;
  let cursor: string | undefined;
  for (let passed = 0; passed < total / 2; passed += limit)
    cursor = (await page({ limit, cursor })).nextCursor ?? undefined;
  return cursor;
}

interface Growth {
  grow(more: number): Promise<unknown>;
  ask: Ask;
  settle(): Promise<unknown>;
}

async function compare(
  what: string,
  sizes: number[],
  rounds: number,
  probe: Ask,
  { grow, ask, settle }: Growth,
): Promise<Row[]> {
  const rows: Row[] = [];
  let present = 0;
  let smallest: { p50: number; cost: number } | undefined;
  for (const size of sizes) {
    await grow(size - present);
    present = size;
    await settle();
    for (const warm of [ask, probe]) await measure(Array.from({ length: WARM_UP }), WARM_UP_WIDTH, warm);
    const runs: { p50: number; cost: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const taken = await p50(ask);
      runs.push({ p50: taken, cost: taken / (await p50(probe)) });
    }
    const typical = median(runs.map((run) => run.p50));
    const cost = median(runs.map((run) => run.cost));
    if (smallest === undefined) {
      smallest = { p50: typical, cost };
      continue;
    }
    const base = smallest.cost;
    const ratio = spread(runs.map((run) => run.cost / base));
    rows.push({
      path: `${what}, among ${size.toLocaleString('en')}`,
      ours: `p50 ${milliseconds(typical)}`,
      beside: `among ${sizes[0]}: ${milliseconds(smallest.p50)}`,
      ratio: formatRatio(ratio),
      goal: `≤ ${GOAL}`,
      met: ratio.median <= GOAL,
    });
  }
  return rows;
}

async function p50(ask: Ask): Promise<number> {
  return (await measure(Array.from({ length: REQUESTS }), 1, ask)).p50;
}
