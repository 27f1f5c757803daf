import { CreateEvent, Register } from '@meetmark/contracts';
import { REGISTER, type RegisterValues } from '@meetmark/events/registrations/registrations.repository';
import { urlForRole } from '@meetmark/scripts/stack/environment';
import type { TestStack } from '@meetmark/scripts/stack/test-stack';
import { insertEvent } from '@meetmark/testing/factories/events';
import pg from 'pg';
import { randomUUID } from 'node:crypto';
import {
  measure,
  type Measured,
  median,
  milliseconds,
  rate,
  alternate,
  formatRatio,
  spread,
  type Effort,
  type Row,
} from './support/results.js';
import { insertMembers } from './support/demo-rows.js';
import { connectCaller, withStack } from './support/stack.js';

const REPLICAS = 2;
const MEMBERS = 1_000;
/** With more, calls may wait longer than a second for a connection on a slow machine, and be rejected. */
const IN_FLIGHT = 32;
/** Connections for the comparison with bare pg: no more than all replicas have together. */
const BARE_CONNECTIONS = 20;
const SHARE_GOAL = 0.5;
const RATE_GOAL = 300;
const CREATION_GOAL = 250;

const EVENT = {
  title: 'Search marketing meetup',
  description: 'What we learned this quarter.',
  startDate: '2031-05-01T17:00:00.000Z',
  endDate: '2031-05-01T19:00:00.000Z',
  location: 'The Print Works, Leeds',
  price: null,
  capacity: 40,
  banner: { action: 'remove' as const },
};

/** Returns an id and a distinct title, because events with the same title would wait for the same slug. */
const another = () => {
  const id = randomUUID();
  return { id, title: `${EVENT.title} ${id}` };
};

/**
 * Measures registrations for one popular event through two replicas, compared with the same SQL on bare pg.
 * Each round exactly fills a new event on durable servers. Then measures the creation of events in the same
 * way.
 */
export async function registrations({ rounds }: Effort): Promise<Row[]> {
  return withStack({ replicas: { events: REPLICAS }, durable: true }, (stack, owner) =>
    measureOn(stack, owner, rounds),
  );
}

async function measureOn(stack: TestStack, owner: pg.Pool, rounds: number): Promise<Row[]> {
  // Stops the other processes, which would use processor time. Their later work isn't measured.
  for (const { name, process } of stack.stack.replicas) if (name !== 'events') await process.stop();
  const service = urlForRole(stack.databaseUrl, 'meetmark_events', stack.secrets.databasePasswords.events);
  const bare = new pg.Pool({ connectionString: service, max: BARE_CONNECTIONS });
  const caller = await connectCaller(stack);
  const members = await insertMembers(owner, MEMBERS);

  try {
    const throughTransport = (eventId: string) => (sub: string) =>
      caller.rpc.call(Register, { eventId }, { identity: { sub, isAdmin: false, epoch: 1 } });
    const onBarePg = (eventId: string) => (userId: string) => {
      const rest = [null, null, null, false, null, null, false] as const;
      const values: RegisterValues = [eventId, randomUUID(), userId, ...rest];
      return bare.query({ ...REGISTER, values });
    };

    await fill(owner, members, throughTransport);
    await fill(owner, members, onBarePg);
    const pairs = await alternate(
      rounds,
      () => fill(owner, members, throughTransport),
      () => fill(owner, members, onBarePg),
    );
    await owner.query('UPDATE auth.users SET is_organiser = true');
    const creating = (sub: string) => {
      const identity = { sub, isAdmin: false, isOrganiser: true, epoch: 1 };
      return caller.rpc.call(CreateEvent, { ...EVENT, ...another() }, { identity });
    };
    await measure(members, IN_FLIGHT, creating);
    const created: Measured[] = [];
    for (let round = 0; round < rounds; round += 1) created.push(await measure(members, IN_FLIGHT, creating));
    return [buildRow(pairs), buildCreationRow(created)];
  } finally {
    caller.close();
    await bare.end();
  }
}

async function fill(
  owner: pg.Pool,
  members: string[],
  registering: (eventId: string) => (userId: string) => Promise<unknown>,
): Promise<Measured> {
  const { id } = await insertEvent(owner, { capacity: members.length });
  const measured = await measure(members, IN_FLIGHT, registering(id));
  const { rows } = await owner.query<{ registration_count: number }>(
    'SELECT registration_count FROM events.events WHERE id = $1',
    [id],
  );
  if (rows[0]?.registration_count !== members.length) throw new Error('some registrations are missing');
  return measured;
}

function buildCreationRow(rounds: Measured[]): Row {
  const perSecond = median(rounds.map((round) => round.perSecond));
  return {
    path: `creating events, ${REPLICAS} replicas, ${IN_FLIGHT} in flight`,
    ours: `${rate(perSecond)}; p99 ${milliseconds(median(rounds.map(({ p99 }) => p99)))}`,
    beside: '–',
    ratio: '–',
    goal: `≥ ${CREATION_GOAL}/s`,
    met: perSecond >= CREATION_GOAL,
  };
}

function buildRow(pairs: { ours: Measured; theirs: Measured }[]): Row {
  const ours = (what: keyof Measured) => median(pairs.map((pair) => pair.ours[what]));
  const perSecond = ours('perSecond');
  const share = spread(pairs.map((pair) => pair.ours.perSecond / pair.theirs.perSecond));
  const latency = `p50 ${milliseconds(ours('p50'))}, p99 ${milliseconds(ours('p99'))}`;
  return {
    path: `registrations on one hot event, ${REPLICAS} replicas, ${IN_FLIGHT} in flight`,
    ours: `${rate(perSecond)}; ${latency}`,
    beside: `the same transaction on bare pg: ${rate(median(pairs.map(({ theirs }) => theirs.perSecond)))}`,
    ratio: formatRatio(share),
    goal: `≥ ${SHARE_GOAL}, ≥ ${RATE_GOAL}/s`,
    met: share.median >= SHARE_GOAL && perSecond >= RATE_GOAL,
  };
}
