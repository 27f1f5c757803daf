import { EmailChangedMail } from '@meetmark/contracts';
import { startRedis } from '@meetmark/testing';
import { insertUser } from '@meetmark/testing/factories/users';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workersForTests } from './testing/test-worker.js';
import { endOf, spawnWorker } from './testing/worker-process.js';

describe('the worker process', () => {
  const workers = workersForTests();

  it('finishes the mail it is sending when it is asked to stop, and leaves the others to the next', async () => {
    const { id: userId } = await insertUser(workers.owner);
    for (let index = 0; index < 5; index += 1)
      await workers.ask('auth', EmailChangedMail, { userId, oldEmail: `stopped${index}@example.org` });
    workers.smtp.slowness = 500;
    const child = spawnWorker(workers.config);
    const end = endOf(child);
    await workers.mails(1);
    child.kill('SIGTERM');
    expect((await end).code).toBe(0);
    const sent = workers.smtp.received.length;
    const done: unknown[] = await workers.owner.query('SELECT FROM auth.outbox WHERE done_at IS NOT NULL');
    expect(done).toHaveLength(sent);
    workers.smtp.slowness = 0;
    await workers.start();
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(5);
    await workers.stopWorkers();
  });

  it('stops within seconds when Redis is away', async () => {
    const redis = await startRedis();
    const child = spawnWorker(workers.config, { REDIS_URL: redis.urlFor('worker') });
    const end = endOf(child);
    const { owner } = workers;
    const { id: userId } = await insertUser(owner);
    const id = await workers.ask('auth', EmailChangedMail, { userId, oldEmail: 'away@example.org' });
    await workers.eventually('the mail', () => workers.isDone('auth', id));
    await redis.kill('SIGKILL');
    child.kill('SIGTERM');
    expect(await end).toMatchObject({ code: 0, output: expect.stringContaining('stopped') });
    await redis.stop();
  });

  it('logs what became of a job under the id of the request that asked for it', async () => {
    workers.smtp.manners = 'not-now';
    const child = spawnWorker(workers.config);
    const end = endOf(child);
    const { id: userId } = await insertUser(workers.owner);
    const id = await workers.ask('auth', EmailChangedMail, { userId, oldEmail: 'logged@example.org' });
    await workers.owner.query('UPDATE auth.outbox SET request_id = $1 WHERE id = $2', ['request-of-ada', id]);
    await workers.eventually('a failure', async () => (await workers.row('auth', id)).attempts > 1);
    child.kill('SIGTERM');
    const lines = (await end).output.split('\n').filter((line) => line.includes('a job failed'));
    expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({
      requestId: 'request-of-ada',
      job: 'mail.emailChanged',
    });
    expect(lines.join()).not.toContain('logged@example.org');
    workers.smtp.manners = 'take';
  });

  it('names what is wrong with the file of the community and ends with the code for that', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'worker-')), 'community.json');
    writeFileSync(path, '{"name": 1}');
    const { code, output } = await endOf(spawnWorker(workers.config, { COMMUNITY_CONFIG: path }));
    expect(code).toBe(78);
    expect(output).toContain(`${path}: timeZone must be an IANA name`);
  });
});
