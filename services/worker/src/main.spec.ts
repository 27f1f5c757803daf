import { EmailChangedMail } from '@meetmark/contracts';
import { insertUser } from '@meetmark/testing/factories/users';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestWorkers } from './testing/test-worker.js';
import { endOf, spawnWorker } from './testing/worker-process.js';

describe('the worker process', () => {
  let workers: TestWorkers;

  beforeAll(async () => (workers = await TestWorkers.prepare()));
  afterAll(() => workers.close());

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
  });

  it('names every setting that is wrong and ends with the code for that', async () => {
    const { code, output } = await endOf(
      spawnWorker(workers.config, { SMTP_URL: 'http://mail', MAIL_FROM: 'nobody', LINK_SECRETS: 'short' }),
    );
    expect(code).toBe(78);
    for (const name of ['SMTP_URL', 'MAIL_FROM', 'LINK_SECRETS']) expect(output).toContain(name);
    expect(output).not.toContain('short,');
  });

  it('does the same for the file of the community', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'worker-')), 'community.json');
    writeFileSync(path, '{"name": 1}');
    const { code, output } = await endOf(spawnWorker(workers.config, { COMMUNITY_CONFIG: path }));
    expect(code).toBe(78);
    expect(output).toContain(`${path}: timeZone must be an IANA name`);
  });
});
