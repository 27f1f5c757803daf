import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { inTurns } from '@meetmark/testing';
import { askForCode } from '../load.js';
import type { Rig } from '../rig.js';
import type { Scenario, Fault } from '../trial.js';

const AWAY = 5_000;
const SILENT = { thorough: 15_000, short: 6_000 };
const SLOW = 500;
const SLOW_FOR = 6_000;
const BETWEEN = 3_000;
const START_WITHOUT = { thorough: 20_000, short: 10_000 };
const HELD_MAILS = 20;
const SHARE_WHEN_SLOW = 0.9;

const redisFault = (fault: Pick<Fault, 'id' | 'title' | 'run'> & Partial<Fault>): Fault => ({
  recoverWithin: 5_000,
  touches: [],
  load: true,
  felt: true,
  ...fault,
});

export async function onRedis(rig: Rig, work: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(rig.redisUrl);
  try {
    await work(redis);
  } finally {
    redis.disconnect();
  }
}

export const redisKilled = redisFault({
  id: 'F8',
  title: 'kill -9 of Redis, back after 5 s with its append-only file',
  refusesWithin: 1_000,
  async run({ rig, healed }) {
    await rig.server('redis').kill('SIGKILL');
    await pause(AWAY);
    await rig.server('redis').restart();
    healed();
  },
});

/** F9: Redis loses its data, including the queue of emails that wait for the mail server. */
export const redisErased = redisFault({
  id: 'F9',
  title: 'Redis killed and its data erased, then FLUSHALL on the running one',
  async run(scenario) {
    const { rig, healed, thorough } = scenario;
    if (thorough) await holdMails(scenario);
    await rig.server('redis').kill('SIGKILL');
    const data = path.join(rig.stack.logDirectory, '../redis');
    for (const name of await readdir(data)) await rm(path.join(data, name), { recursive: true });
    await pause(AWAY);
    await rig.server('redis').restart();
    healed();
    await pause(BETWEEN);
    await onRedis(rig, (redis) => redis.flushall());
    await rig.smtp.set({ kind: 'pass' });
  },
});

async function holdMails({ rig, ledger }: Scenario): Promise<void> {
  await rig.smtp.set({ kind: 'down' });
  const addresses = await rig.strangers(HELD_MAILS);
  await inTurns(addresses, HELD_MAILS, (email) => askForCode(ledger, rig.administrator, email));
}

export const redisLate = redisFault({
  id: 'F10',
  title: 'every process starts without Redis, which comes later',
  touches: ['gateway', 'auth', 'events', 'admin', 'worker'],
  async run({ rig, healed, broken, thorough }) {
    const { replicas } = rig.stack.stack;
    await rig.redis.set({ kind: 'down' });
    await Promise.all(replicas.map(({ process }) => process.stop()));
    const starting = Promise.allSettled(replicas.map(({ process }) => process.start()));
    await pause(thorough ? START_WITHOUT.thorough : START_WITHOUT.short);
    const gone = replicas.filter(({ process }) => !process.running);
    if (gone.length > 0)
      broken(`${gone.map(({ process }) => process.name).join(', ')} did not wait for Redis`);
    const eager = await inTurns(replicas, replicas.length, ({ operationsUrl }) => isReady(operationsUrl));
    if (eager.includes(true)) broken('a process is ready without Redis');
    await rig.redis.set({ kind: 'pass' });
    for (const started of await starting) if (started.status === 'rejected') throw started.reason;
    healed();
  },
});

async function isReady(operationsUrl: string): Promise<boolean> {
  try {
    return (await fetch(`${operationsUrl}/readyz`)).ok;
  } catch {
    return false; // The request failed, so the process isn't listening yet.
  }
}

export const redisSilent = redisFault({
  id: 'F11a',
  title: 'Redis accepts and says nothing',
  refusesWithin: 3_200,
  async run({ rig, healed, thorough }) {
    await rig.redis.set({ kind: 'timeout' });
    await pause(thorough ? SILENT.thorough : SILENT.short);
    await rig.redis.set({ kind: 'pass' });
    healed();
  },
});

export const redisSlow = redisFault({
  id: 'F11b',
  title: 'Redis answers 500 ms late',
  felt: false,
  async run({ rig, ledger, healed, broken }) {
    await rig.redis.set({ kind: 'latency', ms: SLOW });
    const began = Date.now();
    await pause(SLOW_FOR);
    const during = ledger.operations.filter(({ started }) => started >= began);
    const answered = during.filter(({ outcome }) => outcome !== 'unknown').length / during.length;
    const late = new Set(during.flatMap(({ outcome, kind }) => (outcome === 'unknown' ? [kind] : [])));
    if (!(answered >= SHARE_WHEN_SLOW))
      broken(
        `${Math.round(answered * 100)} % were answered while Redis was slow, not: ${[...late].join(', ')}`,
      );
    await rig.redis.set({ kind: 'pass' });
    healed();
  },
});

export const redisReset = redisFault({
  id: 'F11c',
  title: 'every connection to Redis is reset',
  felt: false,
  async run({ rig, healed }) {
    rig.redis.reset();
    healed();
    await pause(BETWEEN);
  },
});
