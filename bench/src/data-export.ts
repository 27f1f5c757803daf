import { GetDataExport, RequestDataExport } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import { insertEvents, insertMembers } from './support/demo-rows.js';
import { type Effort, median, type Row } from './support/results.js';
import { connectCaller, withStack } from './support/stack.js';

const REGISTRATIONS = 500;
const PATIENCE = 60_000;
const SECONDS_GOAL = 10;

/** Measures the export of members with 500 registrations each, from the request until the file is ready. */
export async function dataExport({ rounds }: Effort): Promise<Row[]> {
  return withStack({ durable: true }, async (stack, owner) => {
    const { id } = await insertAdministrator(owner);
    await insertEvents(owner, REGISTRATIONS, id);
    const members = await insertMembers(owner, rounds + 1);
    await owner.query(
      `INSERT INTO events.event_registrations (id, event_id, user_id)
       SELECT gen_random_uuid(), event.id, member FROM events.events AS event, unnest($1::uuid[]) AS member`,
      [members],
    );
    const { rpc, close } = await connectCaller(stack);
    const measured: number[] = [];
    for (const sub of members) {
      const as = { identity: { sub, isAdmin: false, epoch: 1, confirmedAt: Date.now() } };
      const began = performance.now();
      await rpc.call(RequestDataExport, { account: 'a'.repeat(22) }, as);
      await until('the export', PATIENCE, async () => {
        const present = await rpc.call(GetDataExport, {}, as);
        return present !== null && present.readyAt !== null;
      });
      measured.push((performance.now() - began) / 1_000);
    }
    close();
    const seconds = median(measured.slice(1));
    return [
      {
        path: `the data export of a member with ${REGISTRATIONS} registrations`,
        ours: `${seconds.toFixed(1)} s`,
        beside: '–',
        ratio: '–',
        goal: `≤ ${SECONDS_GOAL} s`,
        met: seconds <= SECONDS_GOAL,
      },
    ];
  });
}
