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
  let userId: string;
  beforeAll(async () => {
    userId = (await insertUser(workers.owner)).id;
  });

  const ask = (name: string) =>
    workers.ask('auth', EmailChangedMail, { userId, oldEmail: `${name}@example.org` });

  it('logs a failed job without the email address, and finishes the current email on SIGTERM', async () => {
    workers.smtp.manners = 'not-now';
    const id = await ask('logged');
    await workers.owner.query('UPDATE auth.outbox SET request_id = $1 WHERE id = $2', ['request-of-ada', id]);
    const child = spawnWorker(workers.config);
    const end = waitForExit(child);
    await workers.eventually('a failure', async () => (await workers.row('auth', id)).attempts > 1);
    Object.assign(workers.smtp, { manners: 'take', slowness: 500 });
    for (const name of ['one', 'two', 'three']) await ask(name);
    await workers.mails(1);
    child.kill('SIGTERM');
    const { code, output } = await end;
    expect(code).toBe(0);
    const done: unknown[] = await workers.owner.query('SELECT FROM auth.outbox WHERE done_at IS NOT NULL');
    expect(done).toHaveLength(workers.smtp.received.length);
    expect(done.length).toBeLessThan(4);
    const lines = output.split('\n').filter((line) => line.includes('Job failed'));
    expect(JSON.parse(lines.at(-1) ?? '{}')).toMatchObject({
      requestId: 'request-of-ada',
      job: 'mail.emailChanged',
    });
    expect(lines.join()).not.toContain('logged@example.org');
    await workers.reset();
  });

  it('stops cleanly on SIGTERM while Redis is down', async () => {
    const redis = await startRedis();
    const child = spawnWorker(workers.config, { REDIS_URL: redis.urlFor('worker') });
    const end = waitForExit(child);
    const id = await ask('away');
    await workers.eventually('the mail', () => workers.isDone('auth', id));
    await redis.kill('SIGKILL');
    child.kill('SIGTERM');
    expect(await end).toMatchObject({ code: 0, output: expect.stringContaining('stopped') });
    await redis.stop();
  });

  it('reports an invalid community file and exits with code 78', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'worker-')), 'community.json');
    writeFileSync(path, '{"name": 1}');
    const { code, output } = await waitForExit(spawnWorker(workers.config, { COMMUNITY_CONFIG: path }));
    expect(code).toBe(78);
    expect(output).toContain(`${path}: timeZone must be an IANA name`);
  });
});
