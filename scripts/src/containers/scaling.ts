import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { inTurns, until } from '@meetmark/testing';
import { eventFields } from '@meetmark/testing/factories/samples';
import type { ApiClient } from '@meetmark/testing/http-client';
import { PROCESSES } from '../stack/processes.js';
import { expectEqual } from './checks.js';
import { docker, type Compose } from './compose.js';
import { startReading } from './load.js';

/**
 * Replicas of each process. docs/operations.md uses the same numbers for events and auth. `compose.spec.ts`
 * checks that PostgreSQL has enough connections for them.
 */
export const SCALE = { events: 3, auth: 2, admin: 2, worker: 2, gateway: 2 };
const EVENTS = 100;
const AT_ONCE = 10;
const HEALTHY_WITHIN_MS = 120_000;
const READ_EVERY_MS = 100;
const AFTERWARDS_MS = 5_000;
/** The longest grace period in docker-compose.yml. */
const GRACE_SECONDS = '45';

export async function createsOnce(compose: Compose, administrator: ApiClient): Promise<string> {
  const title = `Once ${process.pid}`;
  await inTurns(Array.from({ length: EVENTS }), AT_ONCE, () => create(administrator, title));
  const rows = await compose.sql(`SELECT count(*) FROM events.events WHERE title = '${title}'`);
  expectEqual(rows, String(EVENTS), 'rows');
  const shares = await Promise.all((await compose.listContainers('events')).map(({ id }) => handledBy(id)));
  if (shares.includes(0)) throw new Error(`a replica had nothing to do: ${shares.join(', ')}`);
  return `${EVENTS} events by replicas that handled ${shares.join(', ')} messages`;
}

async function create(administrator: ApiClient, title: string): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() };
  const fields = eventFields({ title });
  for (let attempt = 1; ; attempt++) {
    const { status, body } = await administrator.send('POST', '/api/events', fields, headers);
    if (status === 201) return;
    // 409: an earlier attempt is still in progress.
    if (![409, 503].includes(status) || attempt === 5) throw new Error(`${status} ${JSON.stringify(body)}`);
    await pause(1_000);
  }
}

export async function restartsAtOnce(compose: Compose, member: ApiClient): Promise<string> {
  let urls = await gatewayAddresses(compose);
  const reading = startReading(member, '/api/events', READ_EVERY_MS, () => urls);
  const restarted = await Promise.allSettled(
    PROCESSES.map(async (service) => {
      for (const { id } of await compose.listContainers(service)) {
        await docker('restart', '-t', GRACE_SECONDS, id);
        const health = () => docker('inspect', '-f', '{{.State.Health.Status}}', id);
        await until(`${id} healthy`, HEALTHY_WITHIN_MS, async () => (await health()).trim() === 'healthy');
        urls = await gatewayAddresses(compose);
      }
    }),
  );
  await pause(AFTERWARDS_MS);
  const { answered, dropped, turnedAway } = await reading.stop();
  for (const result of restarted) if (result.status === 'rejected') throw result.reason;
  expectEqual(dropped, [], 'dropped');
  return `${answered} answered, ${turnedAway} sent on to the other gateway`;
}

/** Checks that every process ends within its grace period. */
export async function stopsByItself(compose: Compose): Promise<void> {
  await compose.run('stop');
  const wrong = (await compose.containers()).filter(
    ({ exitCode, state }) => state !== 'exited' || ![0, 143].includes(exitCode),
  );
  expectEqual(
    wrong.map(({ service, state, exitCode }) => `${service} ${state} ${exitCode}`),
    [],
    'ended otherwise',
  );
}

/**
 * Returns URLs with the gateway containers' own IP addresses. At a published port, Docker's proxy would
 * accept connections even if the gateway refuses them. Needs a local Docker engine.
 */
async function gatewayAddresses(compose: Compose): Promise<string[]> {
  const format = `{{(index .NetworkSettings.Networks "${compose.network('front')}").IPAddress}}`;
  const gateways = await compose.listContainers('gateway');
  const addresses = await Promise.all(gateways.map(({ id }) => docker('inspect', '-f', format, id)));
  return addresses.flatMap((each) => (each.trim() ? [`http://${each.trim()}:8080`] : []));
}

async function handledBy(id: string): Promise<number> {
  const script =
    'fetch(`http://127.0.0.1:${process.env.OPERATIONS_PORT}/metrics`).then((r) => r.text()).then(console.log)';
  const metrics = await docker('exec', id, 'node', '-e', script);
  const counts = metrics.matchAll(/^rpc_handled_seconds_count\{[^}]*\} (\d+)/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
