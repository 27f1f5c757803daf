import { DigestMail } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import { insertEvent } from '@meetmark/testing/factories/events';
import { PlanDigestJob } from '@meetmark/worker/events/digest';
import { DataSource } from 'typeorm';
import { Bookings } from './support/bookings.js';
import { insertMembers } from './support/demo-rows.js';
import { milliseconds, rate, type Row } from './support/results.js';
import { connectCaller, withStack } from './support/stack.js';

const WORKERS = 2;
const READERS = 5_000;
const BOOKINGS = 10;
const PATIENCE = 180_000;
const SECONDS_GOAL = 60;
const DELAY_GOAL = 500;

/**
 * Measures how long queueing the weekly digest for 5,000 members takes, and whether it delays confirmations.
 * Uses durable servers and two workers. Runs once, because sending takes minutes.
 */
export async function digest(): Promise<Row[]> {
  return withStack({ replicas: { worker: WORKERS }, durable: true }, async (stack, owner) => {
    const planner = new DataSource({ type: 'postgres', url: stack.databaseUrl });
    const { rpc, close } = await connectCaller(stack);
    await planner.initialize();
    const members = await insertMembers(owner, READERS + BOOKINGS);
    const booking = members.splice(READERS);
    await owner.query('UPDATE auth.users SET digest = false WHERE id = ANY ($1)', [booking]);
    const bookings = new Bookings(rpc, owner, booking);
    await bookings.confirmed();
    const alone = await bookings.confirmed();

    await insertEvent(owner);
    const began = performance.now();
    // Plans the digest of next week, because the worker plans one only on Mondays.
    const { rows } = await owner.query<{ week: string }>(
      `SELECT (date_trunc('week', now()) + interval '1 week')::date::text AS week`,
    );
    await new PlanDigestJob(planner, { timeZone: 'Europe/London' }).plan(rows[0]!.week);
    const planned = (performance.now() - began) / 1_000;
    const count = async (condition: string) => {
      const { rows } = await owner.query<{ n: number }>(
        `SELECT count(*)::integer AS n FROM events.outbox WHERE job = $1 AND ${condition}`,
        [DigestMail.name],
      );
      return rows[0]?.n ?? 0;
    };
    await until('the queue', PATIENCE, async () => (await count('relayed_at IS NULL')) === 0);
    const queued = (performance.now() - began) / 1_000;
    const written = await count('true');
    if (written < READERS) throw new Error(`${written} mails for ${READERS} readers`);
    const during = await bookings.confirmed();
    if ((await count('done_at IS NULL')) === 0) throw new Error('all was sent before the bookings were');
    close();
    await planner.destroy();
    return [
      {
        path: `the digest of ${READERS.toLocaleString('en')} members, until the last is queued, ${WORKERS} workers`,
        ours: `${queued.toFixed(1)} s, ${rate(written / queued)}`,
        beside: `written in ${planned.toFixed(1)} s`,
        ratio: '–',
        goal: `≤ ${SECONDS_GOAL} s`,
        met: queued <= SECONDS_GOAL,
      },
      {
        path: 'from a registration to its confirmation, while it goes out',
        ours: `p50 ${milliseconds(during)}`,
        beside: `without it: p50 ${milliseconds(alone)}`,
        ratio: (during / alone).toFixed(2),
        goal: `< ${DELAY_GOAL} ms`,
        met: during < DELAY_GOAL,
      },
    ];
  });
}
