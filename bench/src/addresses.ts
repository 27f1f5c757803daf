import { insertEvent } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { newcomer } from '@meetmark/testing/factories/samples';
import { ApiClient } from '@meetmark/testing/http-client';
import { median, milliseconds, type Effort, type Row } from './support/results.js';
import { withStack } from './support/stack.js';

/** Number of measured requests per kind of email address, after a warm-up with as many requests. */
const ASKED = { whole: 400, quick: 150 };
const ACCEPTED = 202;
/**
 * Maximum difference between the medians, in milliseconds. Smaller differences can't be measured over a
 * network.
 */
const GOAL = 5;

/**
 * Compares response times for email addresses with and without an account. A difference would reveal
 * accounts.
 */
export async function addresses({ quick }: Effort): Promise<Row[]> {
  return withStack({}, async (stack, owner) => {
    const { id } = await insertEvent(owner);
    const { firstName, lastName } = newcomer();
    const client = () => new ApiClient(stack.gatewayUrls[0] ?? '');
    const calls: [string, string, object][] = [
      ['asking for a registration by address', `/api/events/${id}/rsvp`, { firstName, lastName }],
      ['asking for a code to sign in with', '/api/sign-in-code', {}],
    ];
    const rows: Row[] = [];
    for (const [what, path, fields] of calls) {
      const ask = async (email: string) => {
        const browser = client();
        const began = performance.now();
        const { status } = await browser.post(path, { ...fields, email });
        if (status !== ACCEPTED) throw new Error(`${path} is answered ${status}`);
        return performance.now() - began;
      };
      const turns = quick ? ASKED.quick : ASKED.whole;
      const known: number[] = [];
      const unknown: number[] = [];
      for (let turn = 0; turn < 2 * turns; turn += 1) {
        const taken = await ask((await insertUser(owner)).email);
        const free = await ask(newcomer().email);
        if (turn >= turns) {
          known.push(taken);
          unknown.push(free);
        }
      }
      rows.push(buildRow(what, median(known), median(unknown)));
    }
    return rows;
  });
}

const buildRow = (what: string, known: number, unknown: number): Row => ({
  path: `${what}, which has an account`,
  ours: `p50 ${milliseconds(known)}`,
  beside: `which has none: ${milliseconds(unknown)}`,
  ratio: (known / unknown).toFixed(2),
  goal: `< ${GOAL} ms apart`,
  met: Math.abs(known - unknown) < GOAL,
});
