import { AnnouncementMail, SendAnnouncement } from '@meetmark/contracts';
import { OutboxReader } from '@meetmark/platform';
import { type EventRow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { v7 as uuid } from 'uuid';
import { handlersForTests, stoppedBy } from '../testing/test-worker.js';
import { Announcements } from './announcements.js';
import type { EventMails } from './event-mails.js';

describe('event announcements', () => {
  const workers = handlersForTests();
  let topicId: string;
  let draft: EventRow;

  beforeEach(async () => {
    await workers.reset('events.events', 'events.topics', 'events.subscriptions');
    draft = await insertEvent(workers.owner, { status: 'draft', title: 'A breakfast' });
    topicId = await workers.insertTopic([draft.id]);
  });

  async function followers(count: number): Promise<string[]> {
    const ids = await workers.insertMembers(count);
    await workers.owner.query(
      'INSERT INTO events.topic_follows (topic_id, user_id) SELECT $1, unnest($2::uuid[])',
      [topicId, ids],
    );
    return ids;
  }
  const wish = () => workers.insert('events.announcements', { eventId: draft.id });
  const changeEvent = (changes: object) => workers.update('events.events', draft.id, changes);
  const announce = async () => {
    await wish();
    await changeEvent({ publishAt: new Date(Date.now() - 1_000) });
    await workers.owner.query('SELECT events.publish_due()');
  };
  const figures = async () => {
    const [row] = await workers.owner.query<{ started: boolean; recipients: number }[]>(
      'SELECT started_at IS NOT NULL AS started, recipients FROM events.announcements WHERE event_id = $1',
      [draft.id],
    );
    return row;
  };

  it('reach followers of the topic after publication, with an unsubscribe link', async () => {
    const [follower] = await followers(1);
    await insertUser(workers.owner);
    await announce();
    const received = await workers.onlyMail();
    expect(received.mail.subject).toBe('New: A breakfast');
    expect(received.mail.text).toContain('There is a new event about Search:');
    expect(stoppedBy(received)).toEqual({ userId: follower, list: 'announcements' });
    expect(await figures()).toEqual({ started: true, recipients: 1 });
  });

  it('reach subscribers without an account, in their language, until they unsubscribe', async () => {
    const [subscriptionId, email] = [uuid(), 'vera@example.org'];
    await workers.insert('events.subscriptions', {
      ...{ id: subscriptionId, email, announcements: true, digest: false, locale: 'de' },
    });
    await workers.insert('events.subscription_topics', { subscriptionId, topicId });
    await announce();
    const received = await workers.onlyMail();
    expect([received.recipients, received.mail.to?.[0]?.name]).toEqual([[email], '']);
    expect(received.mail.html).toContain('<html lang="de">');
    expect(received.mail.subject).toBe('Neu: A breakfast');
    expect(received.mail.text).toMatch(/\/unsubscribe\?token=[^&\s]+&locale=de\b/);
    expect(stoppedBy(received)).toEqual({ subscriptionId, list: 'announcements' });
    await workers.update('events.subscriptions', subscriptionId, { announcements: false });
    draft = await insertEvent(workers.owner, { status: 'draft' });
    await workers.insert('events.event_topics', { eventId: draft.id, topicId, position: 1 });
    await announce();
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(1);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a draft', () => wish()],
    ['an unlisted event', async () => (await changeEvent({ visibility: 'unlisted' }), announce())],
    [
      'an event cancelled meanwhile',
      async () => (await announce(), changeEvent({ status: 'cancelled', cancelledAt: new Date() })),
    ],
    [
      'an event deleted meanwhile',
      async () => (await announce(), workers.owner.query('DELETE FROM events.events')),
    ],
    [
      'an event that has started',
      async () => (await announce(), changeEvent({ startDate: new Date(Date.now() - 60_000) })),
    ],
  ])('reach no followers for %s', async (_, act) => {
    await followers(2);
    await act();
    await workers.allDone();
    expect(workers.smtp.received).toEqual([]);
  });

  it('skip people who opted out, unfollowed, registered or are unverified', async () => {
    const [stopped, unfollowed, registered, unverified, late, keen] = await followers(6);
    const change = (id: string, changes: object) => workers.update('auth.users', id, changes);
    await change(stopped!, { announcements: false });
    await change(unverified!, { emailVerifiedAt: null });
    await announce();
    await workers.failOnce(AnnouncementMail, 4);
    await change(late!, { announcements: false });
    await workers.owner.query('DELETE FROM events.topic_follows WHERE user_id = $1', [unfollowed]);
    await insertRegistration(workers.owner, { eventId: draft.id, userId: registered! });
    expect(stoppedBy(await workers.onlyMail())).toMatchObject({ userId: keen });
  });

  it('reach each follower only once per event', async () => {
    await followers(2);
    await announce();
    await workers.allDone();
    await expect(wish()).rejects.toMatchObject({ constraint: 'announcements_pkey' });
    await workers.owner.query('SELECT events.take_back_announcement($1)', [draft.id]);
    expect(await figures()).toEqual({ started: true, recipients: 2 });
    expect(await workers.run('events', SendAnnouncement, { eventId: draft.id })).toEqual([]);
    expect(workers.smtp.received).toHaveLength(2);
  });

  it('reach each follower once when two workers run the job at the same time', async () => {
    await followers(20);
    await announce();
    const id = await workers.ask('events', SendAnnouncement, { eventId: draft.id });
    const job = { id, name: SendAnnouncement.name, createdAt: new Date() };
    const sender = new Announcements(workers.asWorker, new OutboxReader(workers.asWorker), {} as EventMails);
    await Promise.all([1, 2].map(() => sender.announce({ eventId: draft.id }, job)));
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(20);
    expect(await figures()).toEqual({ started: true, recipients: 20 });
  });
});
