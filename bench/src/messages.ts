import { CreateEventMessage } from '@meetmark/contracts';
import type { TestStack } from '@meetmark/scripts/stack/test-stack';
import { until } from '@meetmark/testing';
import { insertEvent } from '@meetmark/testing/factories/events';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { Bookings } from './support/bookings.js';
import { insertMembers, insertPlaces } from './support/demo-rows.js';
import { type Effort, median, milliseconds, rate, formatRatio, type Row, spread } from './support/results.js';
import { connectCaller, withStack } from './support/stack.js';

const WORKERS = 2;
const PEOPLE = 500;
const BOOKINGS = 10;
const PATIENCE = 120_000;
const SECONDS_GOAL = 60;
/** Maximum milliseconds until a confirmation. If it waited behind the 500 messages, it would take seconds. */
const DELAY_GOAL = 500;

interface Round {
  seconds: number;
  /**
   * Milliseconds from a registration to its confirmation at the mail server, while the messages are sent and
   * without them.
   */
  during: number;
  alone: number;
}

/**
 * Measures a message to 500 people, and whether it delays confirmations, on durable servers with two workers.
 */
export async function messages({ rounds }: Effort): Promise<Row[]> {
  return withStack({ replicas: { worker: WORKERS }, durable: true }, async (stack, owner) => {
    const bench = new Bench(stack, owner, await insertMembers(owner, PEOPLE + BOOKINGS));
    return await bench.rows(rounds);
  });
}

class Bench {
  constructor(
    private readonly stack: TestStack,
    private readonly owner: pg.Pool,
    private readonly members: string[],
  ) {}

  async rows(rounds: number): Promise<Row[]> {
    await this.round();
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
        ratio: formatRatio(delay),
        goal: `< ${DELAY_GOAL} ms`,
        met: during < DELAY_GOAL,
      },
    ];
  }

  private async round(): Promise<Round> {
    const { rpc, close } = await connectCaller(this.stack);
    const { id: eventId } = await insertEvent(this.owner);
    await insertPlaces(this.owner, eventId, this.members.slice(0, PEOPLE));
    const bookings = new Bookings(rpc, this.owner, this.members.slice(PEOPLE));
    const alone = await bookings.confirmed();
    const { id: sub } = await insertAdministrator(this.owner);
    const message = { subject: 'A new room', body: 'We meet **upstairs**.', segment: 'registered' } as const;
    const began = performance.now();
    const { id } = await rpc.call(
      CreateEventMessage,
      { ...message, eventId, id: randomUUID() },
      { identity: { sub, isAdmin: true, isOrganiser: false, epoch: 1 } },
    );
    await this.reached(id, 1);
    const during = await bookings.confirmed();
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
}
