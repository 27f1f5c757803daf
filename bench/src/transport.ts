import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RpcClient } from '@meetmark/platform';
import { openCaller as openTestCaller, testConfig } from '@meetmark/platform/testing/open-service';
import { TEST_KEYS } from '@meetmark/platform/testing/test-keys';
import { anyFreePort } from '@meetmark/testing/embedded/ports';
import { launchRedis } from '@meetmark/testing/embedded/redis';
import {
  expectNothingRefused,
  redisUrlAs,
  writeTestRedisUsers,
} from '@meetmark/testing/embedded/redis-users';
import { Redis } from 'ioredis';
import { profilerTime } from './support/cpu-profile.js';
import {
  measure,
  type Measured,
  median,
  milliseconds,
  rate,
  alternate,
  formatRatio,
  spread,
  type Effort,
  type Row,
} from './support/results.js';
import { Echo } from './transport-message.js';
import type { BareMessage } from './support/bare-replica.js';

const REPLIES = 'bare:replies';

/**
 * Starts a caller and a separate replica that use only the Redis commands of our transport, through ioredis.
 */
async function openBareQueue(redisUrl: string, batch: number) {
  const program = fileURLToPath(new URL('./support/bare-replica.js', import.meta.url));
  const replica = fork(program, [redisUrl, String(batch)]);
  await once(replica, 'message');
  const commands = new Redis(redisUrl, { enableAutoPipelining: true });
  const replies = new Redis(redisUrl);
  const waiting = new Map<number, (value: unknown) => void>();
  replies.on('message', (_channel: string, text: string) => {
    const { id, value } = JSON.parse(text) as BareMessage;
    waiting.get(id)?.(value);
    waiting.delete(id);
  });
  await replies.subscribe(REPLIES);
  let id = 0;
  return {
    async call(value: unknown): Promise<unknown> {
      const message: BareMessage = { id: (id += 1), value, replyTo: REPLIES };
      const answer = new Promise((resolve) => waiting.set(message.id, resolve));
      await commands.rpush('bare', JSON.stringify(message));
      return answer;
    },
    close(): void {
      commands.disconnect();
      replies.disconnect();
      replica.disconnect();
    },
  };
}

const ALONE = { inFlight: 1, requests: 1_000 };
const CROWD = { inFlight: 64, requests: 10_000 };
/** Maximum messages per pull, as in the transport. */
const BATCH = 4;
/**
 * Goals for the ratios of our transport to bare Redis commands. Bare commands lack checks, tokens, deadlines,
 * metrics and Nest.
 */
const GOALS = { latency: 1.6, throughput: 0.6 };

/**
 * Measures a message's round trip to a replica, compared with bare Redis commands through ioredis. The
 * measurements alternate, so that a busy machine slows all of them.
 */
export const transport = ({ rounds }: Effort): Promise<Row[]> => withRedis((url) => compare(url, rounds));

async function withRedis<T>(work: (redisUrl: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'meetmark-bench-'));
  const port = await anyFreePort();
  const usersFile = writeTestRedisUsers(join(directory, 'redis-users.acl'));
  const logFile = join(directory, 'redis.log');
  const redis = await launchRedis({ directory, logFile, port, durable: false, usersFile });
  try {
    const result = await work(redis.url);
    await expectNothingRefused(redis.url);
    return result;
  } finally {
    await redis.process.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

export async function profileMessages(node: string[]): Promise<[from: number, to: number]> {
  return withRedis(async (redisUrl) => {
    const replica = startReplica(redisUrl, node);
    const ended = once(replica, 'exit');
    const caller = await openCaller(redisUrl);
    await callMany(caller.rpc, CROWD);
    const from = profilerTime();
    await callMany(caller.rpc, { ...CROWD, requests: 5 * CROWD.requests });
    const to = profilerTime();
    caller.close();
    replica.kill('SIGTERM');
    await ended;
    return [from, to];
  });
}

async function compare(redisUrl: string, rounds: number): Promise<Row[]> {
  const replica = startReplica(redisUrl);
  const caller = await openCaller(redisUrl);
  const bare = new Redis(redisUrl, { enableAutoPipelining: true });
  await bare.ping();
  const queue = await openBareQueue(redisUrl, BATCH);
  const run = async ({ inFlight, requests }: typeof ALONE) => {
    const items = createItems(requests);
    const message = () => callMany(caller.rpc, { inFlight, requests });
    const roundTrips = () =>
      measure(items, inFlight, async (item) => {
        await bare.set('bench', JSON.stringify(item));
        await bare.get('bench');
      });
    const bareMessage = () => measure(items, inFlight, (item) => queue.call(item));
    await Promise.all([message(), bareMessage(), roundTrips()]);
    return {
      product: await alternate(rounds, message, bareMessage),
      bare: await alternate(rounds, bareMessage, roundTrips),
    };
  };
  const alone = await run(ALONE);
  const crowd = await run(CROWD);
  const { latency, throughput } = GOALS;
  const [commands, roundTrips] = ['its commands by ioredis alone', 'two bare Redis round trips'];
  const crowded = `${CROWD.inFlight} in flight`;
  const rows = [
    buildLatencyRow('one message and its answer, one at a time', alone.product, commands, latency),
    buildLatencyRow(`${commands}, one at a time`, alone.bare, roundTrips),
    buildThroughputRow(`messages, ${crowded}`, crowd.product, commands, throughput),
    buildThroughputRow(`${commands}, ${crowded}`, crowd.bare, roundTrips),
  ];
  queue.close();
  bare.disconnect();
  caller.close();
  replica.kill('SIGKILL');
  return rows;
}

const createItems = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ number, title: `Concert ${number}` }));

const callMany = (rpc: RpcClient, { inFlight, requests }: typeof ALONE) =>
  measure(createItems(requests), inFlight, (item) => rpc.call(Echo, item));

type Pairs = { ours: Measured; theirs: Measured }[];

function buildLatencyRow(path: string, pairs: Pairs, beside: string, goal?: number): Row {
  const ratio = spread(pairs.map(({ ours, theirs }) => ours.p50 / theirs.p50));
  return {
    path,
    ours: `p50 ${milliseconds(median(pairs.map(({ ours }) => ours.p50)))}`,
    beside: `${beside}: p50 ${milliseconds(median(pairs.map(({ theirs }) => theirs.p50)))}`,
    ratio: formatRatio(ratio),
    goal: goal === undefined ? '–' : `≤ ${goal}`,
    met: goal === undefined ? null : ratio.median <= goal,
  };
}

function buildThroughputRow(path: string, pairs: Pairs, beside: string, goal?: number): Row {
  const ratio = spread(pairs.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond));
  return {
    path,
    ours: rate(median(pairs.map(({ ours }) => ours.perSecond))),
    beside: `${beside}: ${rate(median(pairs.map(({ theirs }) => theirs.perSecond)))}`,
    ratio: formatRatio(ratio),
    goal: goal === undefined ? '–' : `≥ ${goal}`,
    met: goal === undefined ? null : ratio.median >= goal,
  };
}

function startReplica(redisUrl: string, node: string[] = []) {
  return fork(fileURLToPath(new URL('./transport-replica.js', import.meta.url)), {
    execArgv: node,
    env: {
      REDIS_URL: redisUrlAs(redisUrl, 'events'),
      RPC_BATCH: String(BATCH),
      IDENTITY_PUBLIC_KEYS: TEST_KEYS.identityPublicKeys.join(','),
      RPC_SECRETS: TEST_KEYS.rpcSecrets.join(','),
      DATABASE_URL: 'postgres://not-used',
      LOG_LEVEL: 'error',
      OPERATIONS_PORT: '0',
      OPERATIONS_HOST: '127.0.0.1',
    },
  });
}

async function openCaller(redisUrl: string): Promise<{ rpc: RpcClient; close: () => void }> {
  const caller = await openTestCaller(testConfig({ redisUrl }));
  await caller.replicas('events', 1);
  return caller;
}
