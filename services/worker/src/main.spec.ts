import { EmailChangedMail } from '@meetmark/contracts';
import { startRedis } from '@meetmark/testing';
import { insertUser } from '@meetmark/testing/factories/users';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workersForTests } from './testing/test-worker.js';
import { waitForExit, spawnWorker } from './testing/worker-process.js';

describe('the worker process', () => {
  const workers = workersForTests();

  it('finishes the current email on SIGTERM; the next worker sends the others', async () => {
    const { id: userId } = await insertUser(workers.owner);
    for (let index = 0; index < 5; index += 1)
      await workers.ask('auth', EmailChangedMail, { userId, oldEmail: `stopped${index}@example.org` });
    workers.smtp.slowness = 500;
    const child = spawnWorker(workers.config);
    const end = waitForExit(child);
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

  it('stops cleanly on SIGTERM while Redis is down', async () => {
    const redis = await startRedis();
    const child = spawnWorker(workers.config, { REDIS_URL: redis.urlFor('worker') });
    const end = waitForExit(child);
    const { owner } = workers;
    const { id: userId } = await insertUser(owner);
    const id = await workers.ask('auth', EmailChangedMail, { userId, oldEmail: 'away@example.org' });
    await workers.eventually('the mail', () => workers.isDone('auth', id));
    await redis.kill('SIGKILL');
    child.kill('SIGTERM');
    expect(await end).toMatchObject({ code: 0, output: expect.stringContaining('stopped') });
    await redis.stop();
  });

  it('logs a failed job with the request id but without the email address', async () => {
    workers.smtp.manners = 'not-now';
    const child = spawnWorker(workers.config);
    const end = waitForExit(child);
    const { id: userId } = await insertUser(workers.owner);
    const id = await workers.ask('auth', EmailChangedMail, { userId, oldEmail: 'logged@example.org' });
    await workers.owner.query('UPDATE auth.outbox SET request_id = $1 WHERE id = $2', ['request-of-ada', id]);
    await workers.eventually('a failure', async () => (await workers.row('auth', id)).attempts > 1);
    child.kill('SIGTERM');
    const lines = (await end).output.split('\n').filter((line) => line.includes('Job failed'));
    expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({
      requestId: 'request-of-ada',
      job: 'mail.emailChanged',
    });
    expect(lines.join()).not.toContain('logged@example.org');
    workers.smtp.manners = 'take';
  });

  it('reports an invalid community file and exits with code 78', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'worker-')), 'community.json');
    writeFileSync(path, '{"name": 1}');
    const { code, output } = await waitForExit(spawnWorker(workers.config, { COMMUNITY_CONFIG: path }));
    expect(code).toBe(78);
    expect(output).toContain(`${path}: timeZone must be an IANA name`);
  });
});
