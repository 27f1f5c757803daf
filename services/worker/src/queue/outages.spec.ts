import { setTimeout as delay } from 'node:timers/promises';
import { EmailChangedMail } from '@meetmark/contracts';
import { SilentProxy } from '@meetmark/platform/testing/silent-proxy';
import { type PrivateRedis, startRedis } from '@meetmark/testing';
import { insertUser } from '@meetmark/testing/factories/users';
import { Client } from 'pg';
import { TestWorkers } from '../testing/test-worker.js';
import { JobQueues } from './job-queues.js';

/** Duration of the database outage in milliseconds. The mail server stays available. */
const OUTAGE = 1_000;

describe('a worker', () => {
  let redis: PrivateRedis;
  let workers: TestWorkers;
  let userId: string;
  let queues: JobQueues | undefined;

  beforeAll(async () => {
    redis = await startRedis();
    workers = await TestWorkers.prepare({ redisUrl: redis.urlFor('worker') });
    userId = (await insertUser(workers.owner)).id;
  });
  afterAll(async () => {
    await workers.close();
    await redis.stop();
  });

  const ask = (name: string) =>
    workers.ask('auth', EmailChangedMail, { userId, oldEmail: `${name}@example.org` });
  const sent = (name: string) => workers.smtp.to(`${name}@example.org`);
  const cutConnections = () =>
    workers.owner.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE usename = 'meetmark_worker' AND datname = current_database()`,
    );
  /** Connects to another database, because PostgreSQL can't block the database of the current connection. */
  const letConnect = async (allowed: boolean) => {
    const url = new URL(workers.database.url);
    const name = url.pathname.slice(1);
    url.pathname = '/postgres';
    const client = new Client({ connectionString: url.href });
    await client.connect();
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`);
    await client.end();
  };
  const start = async (): Promise<JobQueues> =>
    (queues ??= (await workers.start()).get<JobQueues>(JobQueues));

  it('waits for Redis when the worker starts first', async () => {
    await redis.kill('SIGKILL');
    await expect((await start()).ping()).rejects.toThrow('not connected');
    await ask('early');
    await redis.restart();
    await workers.allDone();
    expect(sent('early')).toHaveLength(1);
  });

  it('sends emails requested during a Redis outage once, after Redis returns', async () => {
    const running = await start();
    await redis.kill('SIGKILL');
    await workers.eventually('the loss of the connection', async () => !running.connected);
    for (const name of ['one', 'two', 'three']) await ask(name);
    await redis.restart();
    await workers.allDone();
    expect(['one', 'two', 'three'].map((name) => sent(name).length)).toEqual([1, 1, 1]);
  });

  it('sends an email once even if the database fails before recording it', async () => {
    await start();
    await ask('warm');
    await workers.allDone();
    workers.smtp.slowness = 300;
    const id = await ask('marked');
    await workers.eventually('the mail', async () => sent('marked').length === 1);
    await letConnect(false);
    await cutConnections();
    await delay(OUTAGE);
    await letConnect(true);
    workers.smtp.slowness = 0;
    await workers.allDone();
    expect(sent('marked')).toHaveLength(1);
    expect(await workers.row('auth', id)).toMatchObject({ attempts: 1, lastError: null });
  });

  it('recovers after Redis stopped answering on open connections', async () => {
    await workers.stopWorkers();
    const proxy = await SilentProxy.before(redis.urlFor('worker'));
    await workers.start({ redisUrl: proxy.url });
    await ask('warm');
    await workers.allDone();
    const before = proxy.accepted;
    proxy.goSilent();
    await ask('silence');
    // The client replaces the silent connection, then also the new one, because it is silent too.
    await workers.eventually('two new connections', async () => proxy.accepted >= before + 2);
    proxy.speakAgain();
    await workers.allDone();
    expect(sent('silence')).toHaveLength(1);
    await workers.stopWorkers();
    await proxy.close();
  });
});
