import { PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { daysFromNow, insertEvent } from '@meetmark/testing/factories/events';
import { workersForTests } from '../testing/test-worker.js';
import { PublishDueJob } from './publish-due.js';

describe('drafts with a moment for their publishing', () => {
  const workers = workersForTests();

  it('are published when it has come, after which no cached answer is valid any more', async () => {
    const worker = await workers.start();
    const job = worker.get(PublishDueJob);
    const soon = await insertEvent(workers.owner, { status: 'draft', publishAt: daysFromNow(-0.0001) });
    const later = await insertEvent(workers.owner, { status: 'draft', publishAt: daysFromNow(1) });
    const draft = await insertEvent(workers.owner, { status: 'draft' });
    await job.handle();
    // the worker's own schedule may have been first
    await workers.eventually(
      'the new version',
      async () => (await workers.redis.get(PUBLIC_EVENTS_VERSION)) === '1',
    );
    await job.handle();
    expect(await workers.redis.get(PUBLIC_EVENTS_VERSION)).toBe('1');
    const { length } = await workers.owner.query<unknown[]>(
      `SELECT FROM events.events WHERE (id, status) IN (($1, 'published'), ($2, 'draft'), ($3, 'draft'))`,
      [soon.id, later.id, draft.id],
    );
    expect(length).toBe(3);
  });
});
