import { ListEvents } from '@meetmark/contracts';
import { openCaller, testConfig } from '@meetmark/platform/testing/open-service';
import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import autocannon from 'autocannon';
import pg from 'pg';
import { measure, median } from './support/measure.js';
import { figure, heading, milliseconds, rate, ratio } from './support/report.js';
import { serveBare } from './support/serve-bare.js';

const EVENTS = 200;
const MANY_EVENTS = 20_000;
const ROUNDS = 3;
const SECONDS = 4;
const CONNECTIONS = 32;
const PAGE = 20;
const PAGES = 500;
const IN_FLIGHT = 16;

/** The public list as visitors get it, against bare node:http; and a page of the list in a small and a large community. */
export async function lists(): Promise<void> {
  const stack = await startTestStack();
  const owner = new pg.Pool({ connectionString: stack.databaseUrl, max: 1 });
  try {
    const admin = await insertAdministrator(owner);
    await insertEvents(owner, EVENTS, admin.id);
    await publicList(stack);
    await pages(stack, owner, admin.id);
  } finally {
    await owner.end();
    await stack.stop();
  }
}

async function publicList(stack: TestStack): Promise<void> {
  const url = `${stack.url}/api/events/public`;
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  const bare = await serveBare(bytes);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await requestsPerSecond(url));
    theirs.push(await requestsPerSecond(bare.url));
  }
  bare.stop();
  heading(
    `Public list of ${EVENTS} events (${bytes.length} bytes, ${CONNECTIONS} connections, median of ${ROUNDS})`,
  );
  figure('through the gateway', rate(median(ours)));
  figure('the same bytes from bare node:http', rate(median(theirs)));
  figure('ratio', ratio(median(ours.map((value, i) => value / (theirs[i] ?? Number.NaN)))));
}

async function requestsPerSecond(url: string): Promise<number> {
  const result = await autocannon({ url, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`);
  return result.requests.total / result.duration;
}

async function pages(stack: TestStack, owner: pg.Pool, sub: string): Promise<void> {
  const { redisUrl, secrets } = stack;
  const caller = await openCaller(testConfig({ redisUrl, identitySecrets: [secrets.identity] }));
  const identity = { sub, isAdmin: false, epoch: 1 };
  const askPages = () =>
    measure(Array.from({ length: PAGES }), IN_FLIGHT, () =>
      caller.rpc.call(ListEvents, { limit: PAGE, time: 'upcoming' }, { identity }),
    );
  await askPages(); // connections and compiled code
  const few = await askPages();
  await insertEvents(owner, MANY_EVENTS - EVENTS, sub);
  await owner.query('VACUUM ANALYZE events.events');
  const many = await askPages();
  caller.close();
  heading(`A member's page of ${PAGE} upcoming events (${IN_FLIGHT} in flight)`);
  figure(`among ${EVENTS} events`, `${rate(few.perSecond)}, p99 ${milliseconds(few.p99)}`);
  figure(`among ${MANY_EVENTS} events`, `${rate(many.perSecond)}, p99 ${milliseconds(many.p99)}`);
  figure('ratio', ratio(many.perSecond / few.perSecond));
}

async function insertEvents(owner: pg.Pool, count: number, createdById: string): Promise<void> {
  await owner.query(
    `INSERT INTO events.events
       (id, title, description, location, start_date, end_date, capacity, price, created_by_id)
     SELECT gen_random_uuid(), 'Search marketing meetup ' || n, repeat('What we learned this quarter. ', 8),
       'The Print Works, Leeds', now() + (n - $1::integer / 2) * interval '1 hour',
       now() + (n - $1::integer / 2 + 2) * interval '1 hour', 40, CASE WHEN n % 3 = 0 THEN 12.50 END, $2
     FROM generate_series(1, $1::integer) AS n`,
    [count, createdById],
  );
}
