import { Register, Unregister, UpdateEvent } from '@meetmark/contracts';
import type { TestStack } from '@meetmark/scripts/stack/test-stack';
import { insertEvent } from '@meetmark/testing/factories/events';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import type pg from 'pg';
import { insertMembers, insertPlaces } from './support/demo-rows.js';
import {
  alternate,
  type Effort,
  type Measured,
  measure,
  median,
  milliseconds,
  rate,
  formatRatio,
  type Row,
  spread,
} from './support/results.js';
import { connectCaller, withStack } from './support/stack.js';

const REPLICAS = 2;
const IN_FLIGHT = 64;
const CROWD = 1_000;
const LONG = 10_000;
const SHORT = 10;
const PLACES_AT_ONCE = 1_000;

export async function waitingList({ rounds }: Effort): Promise<Row[]> {
  return withStack({ replicas: { events: REPLICAS }, durable: true }, async (stack, owner) => {
    // Stops other processes, because they would use processor time.
    for (const { name, process } of stack.stack.replicas) if (name !== 'events') await process.stop();
    return await new Bench(stack, owner, await insertMembers(owner, LONG + 1)).rows(rounds);
  });
}

class Bench {
  private readonly createIdentity = (sub: string) => ({ identity: { sub, isAdmin: false, epoch: 1 } });

  constructor(
    private readonly stack: TestStack,
    private readonly owner: pg.Pool,
    private readonly members: string[],
  ) {}

  async rows(rounds: number): Promise<Row[]> {
    const { rpc, close } = await connectCaller(this.stack);
    const crowd = this.members.slice(0, CROWD);
    const register = async (capacity: number, waitlist?: boolean): Promise<Measured> => {
      const { id: eventId } = await insertEvent(this.owner, { capacity, waitlistEnabled: true });
      if (waitlist) await insertPlaces(this.owner, eventId, this.members.slice(-capacity));
      const measured = await measure(crowd, IN_FLIGHT, (sub) =>
        rpc.call(Register, { eventId, waitlist }, this.createIdentity(sub)),
      );
      await this.expect(
        eventId,
        waitlist ? { places: capacity, waiting: CROWD } : { places: CROWD, waiting: 0 },
      );
      return measured;
    };
    /** Returns the median milliseconds of ten cancellations, each of which promotes someone. */
    const givingUp = async (waiting: number): Promise<number> => {
      const eventId = await this.fullEvent(waiting);
      const times: number[] = [];
      for (let n = 0; n < SHORT; n += 1) {
        const { rows } = await this.owner.query<{ user_id: string }>(
          "SELECT user_id FROM events.event_registrations WHERE event_id = $1 AND status = 'registered'",
          [eventId],
        );
        const asked = performance.now();
        await rpc.call(Unregister, { eventId }, this.createIdentity(rows[0]!.user_id));
        times.push(performance.now() - asked);
      }
      await this.expect(eventId, { places: 1, waiting: waiting - SHORT });
      return median(times);
    };
    const { id: sub } = await insertAdministrator(this.owner);
    /** Returns the milliseconds of an edit that promotes `PLACES_AT_ONCE` people. */
    const morePlaces = async (): Promise<number> => {
      const eventId = await this.fullEvent(LONG);
      const asked = performance.now();
      const banner = { action: 'keep' as const };
      const edit = { eventId, capacity: 1 + PLACES_AT_ONCE, banner };
      await rpc.call(UpdateEvent, edit, { identity: { sub, isAdmin: true, epoch: 1 } });
      const took = performance.now() - asked;
      await this.expect(eventId, { places: 1 + PLACES_AT_ONCE, waiting: LONG - PLACES_AT_ONCE });
      return took;
    };

    await register(CROWD);
    await register(1, true);
    const joined = await alternate(
      rounds,
      () => register(1, true),
      () => register(CROWD),
    );
    await givingUp(SHORT);
    const promoted = await alternate(
      rounds,
      () => givingUp(LONG),
      () => givingUp(SHORT),
    );
    const edited: number[] = [];
    for (let round = 0; round < rounds; round += 1) edited.push(await morePlaces());
    close();
    return [joinedRow(joined), promotedRow(promoted), editedRow(edited)];
  }

  private async fullEvent(waiting: number): Promise<string> {
    const { id } = await insertEvent(this.owner, { capacity: 1, waitlistEnabled: true });
    await insertPlaces(this.owner, id, this.members.slice(-1));
    await this.owner.query(
      `INSERT INTO events.event_registrations (id, event_id, user_id, status)
       SELECT gen_random_uuid(), $1, id, 'waitlisted' FROM unnest($2::uuid[]) AS id`,
      [id, this.members.slice(0, waiting)],
    );
    await this.owner.query('ANALYZE events.event_registrations');
    return id;
  }

  private async expect(eventId: string, expected: { places: number; waiting: number }): Promise<void> {
    const { rows } = await this.owner.query(
      'SELECT registration_count AS places, waiting_count AS waiting FROM events.events WHERE id = $1',
      [eventId],
    );
    if (JSON.stringify(rows[0]) !== JSON.stringify(expected))
      throw new Error(`${JSON.stringify(rows[0])} instead of ${JSON.stringify(expected)}`);
  }
}

const perSecond = (rounds: Measured[]) => median(rounds.map((round) => round.perSecond));

function joinedRow(pairs: { ours: Measured; theirs: Measured }[]): Row {
  const ours = perSecond(pairs.map((pair) => pair.ours));
  return {
    path: `joining the waiting list of one event, ${REPLICAS} replicas`,
    ours: rate(ours),
    beside: `registering: ${rate(perSecond(pairs.map(({ theirs }) => theirs)))}`,
    ratio: formatRatio(spread(pairs.map((pair) => pair.ours.perSecond / pair.theirs.perSecond))),
    goal: '≥ 300/s',
    met: ours >= 300,
  };
}

function promotedRow(pairs: { ours: number; theirs: number }[]): Row {
  const [ours, theirs] = [median(pairs.map((pair) => pair.ours)), median(pairs.map((pair) => pair.theirs))];
  const share = spread(pairs.map((pair) => pair.ours / pair.theirs));
  return {
    path: `a place given up and given to the first of ${LONG.toLocaleString('en')}`,
    ours: `p50 ${milliseconds(ours)}`,
    beside: `of ${SHORT}: p50 ${milliseconds(theirs)}`,
    ratio: formatRatio(share),
    goal: '≤ 2',
    met: share.median <= 2,
  };
}

const editedRow = (times: number[]): Row => ({
  path: `${PLACES_AT_ONCE.toLocaleString('en')} more places for ${LONG.toLocaleString('en')} who wait, one edit`,
  ours: milliseconds(median(times)),
  beside: '–',
  ratio: '–',
  goal: '< 1 s',
  met: median(times) < 1_000,
});
