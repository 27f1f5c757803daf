import { Register } from '@meetmark/contracts';
import { REGISTER } from '@meetmark/events/registrations/register.statement';
import { openCaller, testConfig } from '@meetmark/platform/testing/open-service';
import { urlForRole } from '@meetmark/scripts/stack/environment';
import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import { insertEvent } from '@meetmark/testing/factories/events';
import pg from 'pg';
import { randomUUID } from 'node:crypto';
import { measure, median, type Measured } from './support/measure.js';
import { figure, heading, milliseconds, rate, ratio } from './support/report.js';

const REPLICAS = 2;
const MEMBERS = 1_000;
const ROUNDS = 5;
const IN_FLIGHT = 64;
/** Connections of the bare comparison: as many as the replicas have together, at most. */
const BARE_CONNECTIONS = 20;

/**
 * Registrations of one hot event: through the transport to two replicas, and the same transaction on bare pg, turn about, on
 * durable servers. Every round fills an event of its own, exactly.
 */
export async function registrations(): Promise<void> {
  const stack = await startTestStack({ replicas: { events: REPLICAS }, durable: true });
  try {
    await measureOn(stack);
  } finally {
    await stack.stop();
  }
}

async function measureOn(stack: TestStack): Promise<void> {
  // The others would share the processor; what they do with the jobs afterwards is not what is measured.
  for (const { name, process } of stack.stack.replicas) if (name !== 'events') await process.stop();
  const { redisUrl, secrets } = stack;
  const owner = new pg.Pool({ connectionString: stack.databaseUrl, max: 1 });
  const service = urlForRole(stack.databaseUrl, 'meetmark_events', secrets.databasePasswords.events);
  const bare = new pg.Pool({ connectionString: service, max: BARE_CONNECTIONS });
  const caller = await openCaller(testConfig({ redisUrl, identitySecrets: [secrets.identity] }));
  const members = await insertMembers(owner);

  const throughTransport = (eventId: string) => (sub: string) =>
    caller.rpc.call(Register, { eventId }, { identity: { sub, isAdmin: false, epoch: 1 } });
  const onBarePg = (eventId: string) => (userId: string) =>
    bare.query({
      ...REGISTER,
      values: [eventId, randomUUID(), userId, null, randomUUID(), randomUUID(), null],
    });

  const runs: { transport: Measured[]; bare: Measured[] } = { transport: [], bare: [] };
  await fill(owner, members, throughTransport); // connections, plans, JIT
  await fill(owner, members, onBarePg);
  for (let round = 0; round < ROUNDS; round += 1) {
    runs.transport.push(await fill(owner, members, throughTransport));
    runs.bare.push(await fill(owner, members, onBarePg));
  }
  caller.close();
  await bare.end();
  await owner.end();
  print(runs);
}

/** One round: every member registers for a new event that has just room for them. */
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

async function insertMembers(owner: pg.Pool): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    `INSERT INTO auth.users (id, email, password_hash, first_name, last_name)
     SELECT gen_random_uuid(), 'bench-' || n || '@example.com', '$argon2id$unusable', 'Bench', 'Member'
     FROM generate_series(1, $1::integer) AS n RETURNING id`,
    [MEMBERS],
  );
  return rows.map((row) => row.id);
}

function print({ transport, bare }: { transport: Measured[]; bare: Measured[] }): void {
  const of = (runs: Measured[], what: keyof Measured) => median(runs.map((run) => run[what]));
  heading(
    `Registrations on one hot event (${REPLICAS} replicas, ${MEMBERS} members, ${IN_FLIGHT} in flight, median of ${ROUNDS})`,
  );
  figure('through the transport', rate(of(transport, 'perSecond')));
  figure('  p50 / p99', `${milliseconds(of(transport, 'p50'))} / ${milliseconds(of(transport, 'p99'))}`);
  figure('the same transaction on bare pg', rate(of(bare, 'perSecond')));
  figure(
    'ratio',
    ratio(median(transport.map((run, i) => run.perSecond / (bare[i]?.perSecond ?? Number.NaN)))),
  );
}
