import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { IdentityIssuer, IdentitySecrets, RedisClock, RequestSender, RpcClient } from '@meetmark/platform';
import { anyFreePort } from '@meetmark/testing/embedded/ports';
import { launchRedis } from '@meetmark/testing/embedded/redis';
import { Redis } from 'ioredis';
import { measure, median, type Measured } from './support/measure.js';
import { figure, heading, milliseconds, rate, ratio } from './support/report.js';
import { Echo } from './transport-message.js';

const ROUNDS = 7;
const SECRET = 'a-secret-of-the-bench-that-is-long-enough';
/** In flight at once, and requests of one round. */
const LOADS = [
  { inFlight: 1, requests: 1_000 },
  { inFlight: 64, requests: 10_000 },
];
const BATCHES = [4, 16];
const LOOK_EVERY = 50;

/**
 * A message's way to a replica and back, against the least that a broker can cost: two bare round trips to the same Redis.
 * Both in turn, round by round, so that a busy machine slows both.
 */
export async function transport(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'meetmark-bench-'));
  const port = await anyFreePort();
  const redis = await launchRedis({ directory, logFile: join(directory, 'redis.log'), port, durable: false });
  try {
    for (const batch of BATCHES) await compare(redis.url, batch);
  } finally {
    await redis.process.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function compare(redisUrl: string, batch: number): Promise<void> {
  heading(`Transport, one replica, ${batch} messages a pull (medians of ${ROUNDS} rounds)`);
  const replica = startReplica(redisUrl, batch);
  const caller = await openCaller(redisUrl, `bench-${batch}`);
  const bare = new Redis(redisUrl, { enableAutoPipelining: true });
  await bare.ping();
  for (const { inFlight, requests } of LOADS) {
    const items = Array.from({ length: requests }, (_, number) => ({ number, title: `Concert ${number}` }));
    const message = () => measure(items, inFlight, (item) => caller.rpc.call(Echo, item));
    const roundTrips = () =>
      measure(items, inFlight, async (item) => {
        await bare.set('bench', JSON.stringify(item));
        await bare.get('bench');
      });
    await Promise.all([message(), roundTrips()]); // warm
    const pairs: { message: Measured; bare: Measured }[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      pairs.push({ message: await message(), bare: await roundTrips() });
    report(inFlight, pairs);
  }
  bare.disconnect();
  caller.close();
  replica.kill('SIGKILL');
}

function report(inFlight: number, pairs: { message: Measured; bare: Measured }[]): void {
  const of = (pick: (pair: (typeof pairs)[number]) => number) => median(pairs.map(pick));
  figure(`${inFlight} in flight: message, per second`, rate(of((pair) => pair.message.perSecond)));
  figure(`${inFlight} in flight: message, p50`, milliseconds(of((pair) => pair.message.p50)));
  figure(`${inFlight} in flight: message, p99`, milliseconds(of((pair) => pair.message.p99)));
  figure(`${inFlight} in flight: two bare round trips, p50`, milliseconds(of((pair) => pair.bare.p50)));
  figure(
    `${inFlight} in flight: message / two bare round trips, p50`,
    ratio(of((pair) => pair.message.p50 / pair.bare.p50)),
  );
}

function startReplica(redisUrl: string, batch: number) {
  return fork(fileURLToPath(new URL('./transport-replica.js', import.meta.url)), {
    env: {
      REDIS_URL: redisUrl,
      RPC_PREFIX: `bench-${batch}`,
      RPC_BATCH: String(batch),
      IDENTITY_SECRETS: SECRET,
      DATABASE_URL: 'postgres://not-used',
      LOG_LEVEL: 'error',
      OPERATIONS_PORT: '0',
      OPERATIONS_HOST: '127.0.0.1',
    },
  });
}

async function openCaller(redisUrl: string, prefix: string): Promise<{ rpc: RpcClient; close: () => void }> {
  const clock = new RedisClock();
  const sender = new RequestSender({ redisUrl, prefix, maxQueue: 1_000, clock });
  const rpc = new RpcClient(sender, new IdentityIssuer(new IdentitySecrets([SECRET]), clock));
  await sender.open();
  while ((await rpc.replicas('events')) === 0) await wait(LOOK_EVERY);
  return { rpc, close: () => sender.close() };
}
