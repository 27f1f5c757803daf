import { PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { daysFromNow, insertEvent } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { workersForTests } from '../testing/test-worker.js';
import { PublishDueJob } from './publish-due.js';

describe('scheduled drafts', () => {
  const workers = workersForTests();
  let job: PublishDueJob;
  beforeAll(async () => {
    job = (await workers.startHandlers()).get(PublishDueJob);
  });

  const due = () => ({ status: 'draft', publishAt: daysFromNow(-0.0001) }) as const;

  it('publishes a due draft and raises the public cache version twice', async () => {
    const soon = await insertEvent(workers.owner, due());
    const later = await insertEvent(workers.owner, { status: 'draft', publishAt: daysFromNow(1) });
    const draft = await insertEvent(workers.owner, { status: 'draft' });
    for (let time = 0; time < 2; time += 1) {
      await job.handle();
      expect(await workers.redis.get(PUBLIC_EVENTS_VERSION)).toBe('2');
    }
    const { length } = await workers.owner.query<unknown[]>(
      `SELECT FROM events.events WHERE (id, status) IN (($1, 'published'), ($2, 'draft'), ($3, 'draft'))`,
      [soon.id, later.id, draft.id],
    );
    expect(length).toBe(3);
  });

  it('emails a member named as host once when a draft is published', async () => {
    const guest = await insertUser(workers.owner);
    const event = await insertEvent(workers.owner, { ...due(), title: 'Draft with a host' });
    await workers.insert('events.event_people', {
      ...{ eventId: event.id, role: 'host', position: 0, userId: guest.id, askedById: event.createdById },
    });
    for (let time = 0; time < 2; time += 1) await job.handle();
    const { recipients, mail } = await workers.onlyMail();
    expect(recipients).toEqual([guest.email]);
    expect(mail.text).toContain(event.title);
  });
});
