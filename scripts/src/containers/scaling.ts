import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventFields } from '@meetmark/testing/factories/samples';
import type { ApiClient } from '@meetmark/testing/http-client';
import { PROCESSES } from '../stack/processes.js';
import { addressesOf, docker, type Compose, type Container } from './compose.js';
import { expectEqual, type Checks } from './checks.js';
import { startLoad, startReading } from './load.js';

/** As docs/operations.md adds replicas, and twice everything else; `connections.spec.ts` counts what that needs of the database. */
export const SCALE = { events: 3, auth: 2, admin: 2, worker: 2, gateway: 2 };
const EVENTS = 100;
const AT_ONCE = 10;
const HEALTHY_WITHIN_MS = 120_000;
const POLL_MS = 250;
/** Ten requests a second. */
const READ_EVERY_MS = 100;
const AFTERWARDS_MS = 5_000;
/** The longest of docker-compose.yml. */
const GRACE_SECONDS = '45';
const CREATED = 201;
const UNAVAILABLE = 503;
const ATTEMPTS = 5;
const RETRY_AFTER_MS = 1_000;

/** Each message is worked on by exactly one of several replicas. */
export async function createsOnce(compose: Compose, administrator: ApiClient): Promise<string> {
  const title = `Once ${process.pid}`;
  const waiting = Array.from({ length: EVENTS }, () => eventFields({ title }));
  const creating = Array.from({ length: AT_ONCE }, async () => {
    for (let event = waiting.pop(); event; event = waiting.pop()) await create(administrator, event);
  });
  await Promise.all(creating);
  const rows = await compose.sql(`SELECT count(*) FROM events.events WHERE title = '${title}'`);
  expectEqual(rows, String(EVENTS), 'rows');
  const shares: number[] = [];
  for (const { id } of await compose.containersOf('events')) shares.push(await handledBy(id));
  if (shares.some((share) => share === 0))
    throw new Error(`a replica had nothing to do: ${shares.join(', ')}`);
  return `${EVENTS} events by replicas that handled ${shares.join(', ')} messages`;
}

/** Repeats what a busy machine refuses, under one key: whatever became of the first try, there is one event. */
async function create(administrator: ApiClient, event: ReturnType<typeof eventFields>): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() };
  for (let attempt = 1; ; attempt++) {
    const { status, body } = await administrator.send('POST', '/api/events', event, headers);
    if (status === CREATED) return;
    if (status !== UNAVAILABLE || attempt === ATTEMPTS)
      throw new Error(`creating an event answers ${status} ${JSON.stringify(body)}`);
    await pause(RETRY_AFTER_MS);
  }
}

/** Restarts every container of every service, one at a time, while visitors go on. */
export async function rollingRestarts(
  checks: Checks,
  compose: Compose,
  people: { members: ApiClient[]; administrator: ApiClient; eventId: string },
): Promise<void> {
  for (const service of PROCESSES) {
    await checks.check(`a rolling restart of ${service} drops no request`, async () => {
      let urls = await gatewayAddresses(compose);
      const load = startLoad(people.members, people.administrator, people.eventId, () => urls);
      const restarting = restartEach(compose, service, async () => {
        urls = await gatewayAddresses(compose);
      });
      const [restarted] = await Promise.allSettled([restarting]);
      const { answered, dropped, turnedAway } = await load.stop();
      if (restarted.status === 'rejected') throw restarted.reason;
      const how = `${answered} answered, ${turnedAway} sent on to the other gateway`;
      if (dropped.length === 0 && answered > 0) return how;
      throw new Error(`${how}, ${dropped.length} dropped:\n${[...new Set(dropped)].join('\n')}`);
    });
  }
}

/** As a rollout does: every service at the same time, one replica of each after the other, on processors that all of them start on. */
export async function restartsAtOnce(compose: Compose, member: ApiClient): Promise<string> {
  let urls = await gatewayAddresses(compose);
  const reading = startReading(member, { paths: ['/api/events'], everyMs: READ_EVERY_MS }, () => urls);
  const restarting = PROCESSES.map((service) =>
    restartEach(compose, service, async () => {
      urls = await gatewayAddresses(compose);
    }),
  );
  const restarted = await Promise.allSettled(restarting);
  await pause(AFTERWARDS_MS);
  const { answered, dropped, turnedAway, p95 } = await reading.stop();
  for (const result of restarted) if (result.status === 'rejected') throw result.reason;
  const how = `${answered} answered, p95 ${p95} ms, ${turnedAway} sent on to the other gateway`;
  if (dropped.length > 0) throw new Error(`${how}, ${dropped.length} dropped:\n${dropped.join('\n')}`);
  return how;
}

async function restartEach(compose: Compose, service: string, afterEach: () => Promise<void>): Promise<void> {
  for (const { id } of await compose.containersOf(service)) {
    await docker('restart', '-t', GRACE_SECONDS, id);
    await healthy(id);
    await afterEach();
  }
}

/** Every process ends by itself, within its grace period. */
export async function stopsByItself(compose: Compose): Promise<string> {
  const began = performance.now();
  await compose.run('stop');
  const containers = await compose.containers();
  const wrong = containers.filter(
    ({ exitCode, state }) => state !== 'exited' || ![0, 143].includes(exitCode),
  );
  expectEqual(wrong.map(describe), [], 'ended otherwise');
  const seconds = Math.round((performance.now() - began) / 1_000);
  return `${containers.length} containers in ${seconds} s, exit codes ${[...new Set(containers.map(({ exitCode }) => exitCode))].join(' and ')}`;
}

const describe = ({ service, state, exitCode }: Container) => `${service} ${state} ${exitCode}`;

/** Past the published ports: Docker's proxy accepts connections for a container that does not. Needs an engine on this machine. */
async function gatewayAddresses(compose: Compose): Promise<string[]> {
  const addresses = [];
  for (const { id } of await compose.containersOf('gateway')) {
    const front = (await addressesOf(id))[compose.network('front')];
    if (front) addresses.push(`http://${front}:8080`);
  }
  return addresses;
}

async function healthy(id: string): Promise<void> {
  const end = Date.now() + HEALTHY_WITHIN_MS;
  while (Date.now() < end) {
    const health = await docker('inspect', '-f', '{{.State.Health.Status}}', id);
    if (health.trim() === 'healthy') return;
    await pause(POLL_MS);
  }
  throw new Error(`${id} is not healthy again`);
}

async function handledBy(id: string): Promise<number> {
  const script =
    'fetch(`http://127.0.0.1:${process.env.OPERATIONS_PORT}/metrics`).then((r) => r.text()).then(console.log)';
  const metrics = await docker('exec', id, 'node', '-e', script);
  const counts = metrics.matchAll(/^rpc_handled_seconds_count\{[^}]*\} (\d+)/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
