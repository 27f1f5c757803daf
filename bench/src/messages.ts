import { CreateEventMessage, Register } from '@meetmark/contracts';
import { openCaller, testConfig } from '@meetmark/platform/testing/open-service';
import { keysOf } from '@meetmark/scripts/stack/secrets';
import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import { until } from '@meetmark/testing';
import { insertEvent } from '@meetmark/testing/factories/events';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { insertMembers, insertPlaces } from './support/demo-rows.js';
import { type Effort, median, milliseconds, rate, ratioOf, type Row, spread } from './support/results.js';

const WORKERS = 2;
const PEOPLE = 500;
/** Registrations one after another, whose confirmations are timed. */
const BOOKINGS = 10;
const PATIENCE = 120_000;
const SECONDS_GOAL = 60;
/** Milliseconds: behind the 500 in one queue it would be seconds. */
const DELAY_GOAL = 500;

interface Round {
  seconds: number;
  /** Milliseconds from a registration until the mail server had its confirmation: while the messages go out, and without them. */
  during: number;
  alone: number;
}

/** An organiser's message to 500 people, and whether the confirmations of others wait for it; durable servers, two workers. */
export async function messages({ rounds }: Effort): Promise<Row[]> {
  const stack = await startTestStack({ replicas: { worker: WORKERS }, durable: true });
  const owner = new pg.Pool({ connectionString: stack.databaseUrl, max: 2 });
  try {
    const bench = new Bench(stack, owner, await insertMembers(owner, PEOPLE + BOOKINGS));
    return await bench.rows(rounds);
  } finally {
    await owner.end();
    await stack.stop();
  }
}

class Bench {
  constructor(
    private readonly stack: TestStack,
    private readonly owner: pg.Pool,
    private readonly members: string[],
  ) {}

  async rows(rounds: number): Promise<Row[]> {
    await this.round(); // connections, plans, JIT
    const measured: Round[] = [];
    for (let each = 0; each < rounds; each += 1) measured.push(await this.round());
    const seconds = median(measured.map((round) => round.seconds));
    const [during, alone] = [
      median(measured.map((round) => round.during)),
      median(measured.map((round) => round.alone)),
    ];
    const delay = spread(measured.map((round) => round.during / round.alone));
    return [
      {
        path: `an organiser's message to ${PEOPLE} people, ${WORKERS} workers`,
        ours: `${seconds.toFixed(1)} s, ${rate(PEOPLE / seconds)}`,
        beside: '–',
        ratio: '–',
        goal: `≤ ${SECONDS_GOAL} s`,
        met: seconds <= SECONDS_GOAL,
      },
      {
        path: 'from a registration to its confirmation, while these go out',
        ours: `p50 ${milliseconds(during)}`,
        beside: `without them: p50 ${milliseconds(alone)}`,
        ratio: ratioOf(delay),
        goal: `< ${DELAY_GOAL} ms`,
        met: during < DELAY_GOAL,
      },
    ];
  }

  private async round(): Promise<Round> {
    const { redisUrl, secrets } = this.stack;
    const { rpc, close } = await openCaller(testConfig({ redisUrl, ...keysOf(secrets) }));
    const { id: eventId } = await insertEvent(this.owner);
    await insertPlaces(this.owner, eventId, this.members.slice(0, PEOPLE));
    const bookings = async () => {
      const { id: other } = await insertEvent(this.owner);
      const times: number[] = [];
      for (const sub of this.members.slice(PEOPLE)) {
        await rpc.call(Register, { eventId: other }, { identity: this.identity(sub) });
        times.push(await this.confirmed(other, sub));
      }
      return median(times);
    };
    const alone = await bookings();
    const { id: sub } = await insertAdministrator(this.owner);
    const message = { subject: 'A new room', body: 'We meet **upstairs**.', segment: 'registered' } as const;
    const began = performance.now();
    const { id } = await rpc.call(
      CreateEventMessage,
      { ...message, eventId, id: randomUUID() },
      { identity: this.identity(sub, true) },
    );
    await this.reached(id, 1);
    const during = await bookings();
    const left = PEOPLE - (await this.sent(id));
    if (left === 0)
      throw new Error('the messages were out before the bookings were: too few to tell a delay');
    await this.reached(id, PEOPLE);
    const seconds = (performance.now() - began) / 1_000;
    close();
    return { seconds, during, alone };
  }

  private reached = (id: string, count: number) =>
    until(`${count} mails`, PATIENCE, async () => (await this.sent(id)) >= count);

  private async sent(id: string): Promise<number> {
    const { rows } = await this.owner.query<{ sent: number }>(
      'SELECT sent FROM events.messages WHERE id = $1',
      [id],
    );
    return rows[0]?.sent ?? 0;
  }

  private identity = (sub: string, isAdmin = false) => ({ sub, isAdmin, isOrganiser: false, epoch: 1 });

  /** Milliseconds from asking for a place until the mail server had the confirmation, by the database's clock. */
  private async confirmed(eventId: string, userId: string): Promise<number> {
    let took: number | undefined;
    await until('the confirmation', PATIENCE, async () => {
      const { rows } = await this.owner.query<{ took: number }>(
        `SELECT (extract(epoch FROM o.done_at - o.created_at) * 1000)::float8 AS took
         FROM events.outbox o JOIN events.event_registrations r ON r.id = (o.payload ->> 'registrationId')::uuid
         WHERE o.job = 'mail.registrationConfirmed' AND r.event_id = $1 AND r.user_id = $2 AND o.done_at IS NOT NULL`,
        [eventId, userId],
      );
      took = rows[0]?.took;
      return took !== undefined;
    });
    return took!;
  }
}
