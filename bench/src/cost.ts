import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import { insertEvent } from '@meetmark/testing/factories/events';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import pg from 'pg';
import { Gateways } from './faults/caller.js';
import { Member } from './faults/member.js';
import { insertEvents } from './support/demo-rows.js';
import { measure } from './support/measure.js';
import { processorTime } from './support/processor-time.js';
import type { Effort, Row } from './support/results.js';

const EVENTS = 200;
const IN_FLIGHT = 8;
const PASSWORD = 'correct horse';
const REQUESTS = { whole: 2_000, quick: 500 };
const SIGN_INS = 60;
/** Each costs a hash, of which few are made at a time. */
const SIGN_INS_IN_FLIGHT = 2;
const UNAVAILABLE = 500;

/** Processor time of each process for one request: what the capacity model of docs/scaling.md is made of. */
export async function cost({ quick }: Effort): Promise<Row[]> {
  const stack = await startTestStack({ durable: true, environment: { LOG_LEVEL: 'info' } });
  const owner = new pg.Pool({ connectionString: stack.databaseUrl, max: 1 });
  const gateways = new Gateways(stack.gatewayUrls);
  try {
    const { id } = await insertAdministrator(owner);
    await insertEvents(owner, EVENTS, id);
    const { id: event } = await insertEvent(owner, { createdById: id });
    const members = await signUp(gateways);
    const requests = quick ? REQUESTS.quick : REQUESTS.whole;
    const one = (index: number) => members[index % members.length] as Member;
    const place = `/api/events/${event}/register`;
    const kinds: [string, number, (index: number) => Promise<unknown>][] = [
      ['the public list of 200 events', requests, (n) => ok(one(n).send('GET', '/api/events/public'))],
      ['who am I', requests, (n) => ok(one(n).send('GET', '/api/user'))],
      ["a member's page of 20 events", requests, (n) => ok(one(n).send('GET', '/api/events?limit=20'))],
      [
        'registering or giving up a place',
        requests,
        (n) => ok(one(n).send(Math.floor(n / members.length) % 2 === 0 ? 'POST' : 'DELETE', place)),
      ],
      ['signing in', SIGN_INS, (n) => ok(one(n).signIn(PASSWORD))],
    ];
    const rows: Row[] = [];
    for (const [what, count, send] of kinds) {
      const inFlight = count === SIGN_INS ? SIGN_INS_IN_FLIGHT : IN_FLIGHT;
      await measure(indices(count / 4), inFlight, send); // compiled code, caches
      const before = times(stack);
      await measure(indices(count), inFlight, send);
      const after = times(stack);
      rows.push(rowOf(what, before, after, count));
    }
    return rows;
  } finally {
    gateways.close();
    await owner.end();
    await stack.stop();
  }
}

const indices = (count: number) => Array.from({ length: Math.ceil(count) }, (_, index) => index);

async function ok(reply: Promise<{ status: number } | void>): Promise<void> {
  const status = (await reply)?.status ?? 0;
  if (status >= UNAVAILABLE) throw new Error(`a request was answered ${status}`);
}

async function signUp(gateways: Gateways): Promise<Member[]> {
  const members: Member[] = [];
  for (const index of indices(IN_FLIGHT)) {
    const member = new Member(gateways, '', `bench-${index}@example.org`);
    const person = { firstName: 'Bench', lastName: 'Member', email: member.email, password: PASSWORD };
    await ok(member.send('POST', '/api/register', person));
    await member.signIn(PASSWORD);
    members.push(member);
  }
  return members;
}

/** Milliseconds by process. */
function times({ stack }: TestStack): Map<string, number | null> {
  const { postgres, redis } = stack.servers.processes;
  const processes = [...stack.replicas.map(({ process }) => process), postgres, redis];
  return new Map(
    processes.flatMap((each) => (each === undefined ? [] : [[each.name, processorTime(each.pid)]])),
  );
}

function rowOf(
  what: string,
  before: Map<string, number | null>,
  after: Map<string, number | null>,
  count: number,
): Row {
  const parts = [...after].flatMap(([name, ended]) => {
    const began = before.get(name) ?? null;
    if (began === null || ended === null) return [];
    return [`${name} ${((ended - began) / count).toFixed(2)}`];
  });
  return {
    path: `processor time of ${what}, ms`,
    ours: parts.join(', ') || 'this system does not tell',
    beside: '–',
    ratio: '–',
    goal: '–',
    met: null,
  };
}
