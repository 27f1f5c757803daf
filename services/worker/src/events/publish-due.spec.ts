import { PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { daysFromNow, insertEvent } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { workersForTests } from '../testing/test-worker.js';
import { PublishDueJob } from './publish-due.js';

describe('scheduled drafts', () => {
  const workers = workersForTests();

  it('publishes a due draft and raises the public cache version twice', async () => {
    const worker = await workers.start();
    const job = worker.get(PublishDueJob);
    const soon = await insertEvent(workers.owner, { status: 'draft', publishAt: daysFromNow(-0.0001) });
    const later = await insertEvent(workers.owner, { status: 'draft', publishAt: daysFromNow(1) });
    const draft = await insertEvent(workers.owner, { status: 'draft' });
    await job.handle();
    await workers.eventually(
      'the new version',
      async () => (await workers.redis.get(PUBLIC_EVENTS_VERSION)) === '2',
    );
    await job.handle();
    expect(await workers.redis.get(PUBLIC_EVENTS_VERSION)).toBe('2');
    const { length } = await workers.owner.query<unknown[]>(
      `SELECT FROM events.events WHERE (id, status) IN (($1, 'published'), ($2, 'draft'), ($3, 'draft'))`,
      [soon.id, later.id, draft.id],
    );
    expect(length).toBe(3);
  });

  it('emails a member named as host once when a draft is published', async () => {
    const worker = await workers.start();
    const guest = await insertUser(workers.owner);
    const { id, title } = await insertEvent(workers.owner, {
      ...{ title: 'Draft with a host', status: 'draft', publishAt: daysFromNow(-0.0001) },
    });
    await workers.owner.query(
      `INSERT INTO events.event_people (event_id, role, position, user_id, asked_by_id)
       VALUES ($1, 'host', 0, $2, (SELECT created_by_id FROM events.events WHERE id = $1))`,
      [id, guest.id],
    );
    await worker.get(PublishDueJob).handle();
    await workers.mails(1);
    await worker.get(PublishDueJob).handle();
    const { recipients, mail } = await workers.onlyMail();
    expect(recipients).toEqual([guest.email]);
    expect(mail.text).toContain(title);
  });
});
