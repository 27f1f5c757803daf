import type { Event } from '@meetmark/contracts';
import type { TestStack } from '@meetmark/scripts/stack/test-stack';
import { newcomer } from '@meetmark/testing/factories/samples';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import { ApiClient } from '@meetmark/testing/http-client';
import type pg from 'pg';
import { insertEvents } from './support/demo-rows.js';
import { httpLoad, type HttpLoad } from './support/http-load.js';
import { rate, alternate, median, formatRatio, spread, type Effort, type Row } from './support/results.js';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withStack } from './support/stack.js';

async function serveBare(bytes: Buffer, redisUrl?: string): Promise<{ url: string; stop: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'meetmark-bench-'));
  const file = join(folder, 'body');
  writeFileSync(file, bytes);
  const child = fork(fileURLToPath(new URL('./support/bare-server.js', import.meta.url)), [
    file,
    ...(redisUrl === undefined ? [] : [redisUrl]),
  ]);
  const [address] = (await once(child, 'message')) as [AddressInfo];
  rmSync(folder, { recursive: true });
  return { url: `http://127.0.0.1:${address.port}/`, stop: () => child.disconnect() };
}

const EVENTS = 200;
const GOAL = 0.6;
const MANY_EVENTS = 10_000;
const PAGE = 20;
const MEMBERS = 20;
const PAGE_GOAL = 0.35;
const WARM_UP = 2;

/**
 * Measures the most frequent requests of visitors and members at one gateway, compared with bare node:http.
 */
export async function publicList({ rounds, seconds }: Effort): Promise<Row[]> {
  return withStack({ environment: { LOG_LEVEL: 'info' } }, async (stack, owner) => {
    const { id } = await insertAdministrator(owner);
    await insertEvents(owner, EVENTS, id);
    const list = await beside(`${stack.url}/api/events/public`, {}, undefined, rounds, seconds);
    const member = new ApiClient(stack.url);
    await member.signUp(newcomer());
    const user = await beside(
      `${stack.url}/api/user`,
      { cookie: member.session },
      stack.redisUrl,
      rounds,
      seconds,
    );
    return [
      {
        path: `GET /api/events/public, ${EVENTS} events`,
        ...list,
        beside: `node:http, same bytes: ${list.beside}`,
      },
      { path: 'GET /api/user, signed in', ...user, beside: `node:http with one Redis read: ${user.beside}` },
      await membersPage(stack, owner, id, rounds, seconds),
    ];
  });
}

/**
 * Measures a page of events for members, which shows their registrations, compared with the visitors' page.
 */
async function membersPage(
  stack: TestStack,
  owner: pg.Pool,
  createdById: string,
  rounds: number,
  seconds: number,
): Promise<Row> {
  await insertEvents(owner, MANY_EVENTS - EVENTS, createdById);
  await owner.query('VACUUM ANALYZE events.events');
  const url = `${stack.url}/api/events/public?limit=${PAGE}&time=upcoming`;
  const events = (await (await fetch(url)).json()) as Event[];
  const senders: Record<string, string>[] = [];
  for (let number = 0; number < MEMBERS; number += 1) {
    const member = new ApiClient(stack.url);
    await member.signUp(newcomer());
    await member.expect(201, 'POST', `/api/events/${events[number % events.length]?.id}/register`);
    senders.push({ cookie: member.session });
  }
  await httpLoad(url, WARM_UP, senders);
  const pairs = await alternate(
    rounds,
    () => httpLoad(url, seconds, senders),
    () => httpLoad(url, seconds),
  );
  const ratio = spread(pairs.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond));
  return {
    path: `a member's page of ${PAGE} among ${MANY_EVENTS.toLocaleString('en')} events, ${MEMBERS} members in turn`,
    ours: told(pairs.map(({ ours }) => ours)),
    beside: `a visitor's page: ${told(pairs.map(({ theirs }) => theirs))}`,
    ratio: formatRatio(ratio),
    goal: `≥ ${PAGE_GOAL}`,
    met: ratio.median >= PAGE_GOAL,
  };
}

/** Formats loads, for example as `8,967/s, the client busy 71 %`. */
function told(loads: HttpLoad[]): string {
  const perSecond = median(loads.map((load) => load.perSecond));
  const client = median(loads.map((load) => load.client));
  return `${rate(perSecond)}, the client busy ${Math.round(client * 100)} %`;
}

async function beside(
  url: string,
  headers: Record<string, string>,
  redisUrl: string | undefined,
  rounds: number,
  seconds: number,
) {
  const response = await fetch(url, { headers });
  const bare = await serveBare(Buffer.from(await response.arrayBuffer()), redisUrl);
  try {
    for (const each of [url, bare.url]) await httpLoad(each, WARM_UP, headers);
    const pairs = await alternate(
      rounds,
      () => httpLoad(url, seconds, headers),
      () => httpLoad(bare.url, seconds, headers),
    );
    const ratio = spread(pairs.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond));
    return {
      ours: told(pairs.map(({ ours }) => ours)),
      beside: told(pairs.map(({ theirs }) => theirs)),
      ratio: formatRatio(ratio),
      goal: `≥ ${GOAL}`,
      met: ratio.median >= GOAL,
    };
  } finally {
    bare.stop();
  }
}
