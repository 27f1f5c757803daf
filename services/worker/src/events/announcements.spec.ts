import { jest } from '@jest/globals';
import { AnnouncementMail, RegistrationConfirmedMail } from '@meetmark/contracts';
import { type EventRow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { v7 as uuid } from 'uuid';
import { stoppedBy, workersForTests } from '../testing/test-worker.js';

/** Number of followers. The full size, CROWD=5000, takes minutes. */
const CROWD = Number(process.env.CROWD ?? 50);
jest.setTimeout(CROWD * 200 + 60_000);

describe('event announcements', () => {
  const workers = workersForTests();
  let topicId: string;
  let draft: EventRow;

  beforeEach(async () => {
    await workers.reset('events.events', 'events.topics');
    topicId = uuid();
    await workers.owner.query(
      `INSERT INTO events.topics (id, slug, name, place) VALUES ($1, 'search', 'Search', 1)`,
      [topicId],
    );
    draft = await insertEvent(workers.owner, { status: 'draft', title: 'A breakfast' });
    await about(draft.id);
  });

  const about = (eventId: string) =>
    workers.owner.query('INSERT INTO events.event_topics (event_id, topic_id, position) VALUES ($1, $2, 1)', [
      eventId,
      topicId,
    ]);
  async function followers(count: number): Promise<string[]> {
    const rows = await workers.owner.query<{ id: string }[]>(
      `WITH people AS (
         INSERT INTO auth.users (id, email, password_hash, first_name, last_name, email_verified_at)
         SELECT gen_random_uuid(), 'follower' || n || '-' || $2 || '@example.org', '$argon2id$v=19$m=1', 'Person', 'No ' || n, now()
         FROM generate_series(1, $1::integer) AS n RETURNING id)
       INSERT INTO events.topic_follows (topic_id, user_id) SELECT $2::uuid, id FROM people RETURNING user_id AS id`,
      [count, topicId],
    );
    return rows.map(({ id }) => id);
  }
  const wish = (eventId = draft.id) =>
    workers.owner.query('INSERT INTO events.announcements (event_id) VALUES ($1)', [eventId]);
  const publish = async () => {
    await workers.owner.query('UPDATE events.events SET publish_at = now() WHERE id = $1', [draft.id]);
    await workers.owner.query('SELECT events.publish_due()');
  };
  const announce = async () => {
    await wish();
    await publish();
  };
  const figures = async () => {
    const [row] = await workers.owner.query<{ started: boolean; recipients: number }[]>(
      'SELECT started_at IS NOT NULL AS started, recipients FROM events.announcements WHERE event_id = $1',
      [draft.id],
    );
    return row;
  };
  const addresses = () => workers.smtp.received.map(({ recipients }) => recipients.join());

  it('reach followers of the topic after publication, with an unsubscribe link', async () => {
    const [follower] = await followers(1);
    await insertUser(workers.owner);
    await announce();
    await workers.startHandlers();
    const received = await workers.onlyMail();
    expect(received.mail.subject).toBe('New: A breakfast');
    expect(received.mail.text).toContain('There is a new event about Search:');
    expect(stoppedBy(received)).toEqual({ userId: follower, list: 'announcements' });
    expect(await figures()).toEqual({ started: true, recipients: 1 });
  });

  it('reach subscribers without an account until they unsubscribe', async () => {
    const [{ id: subscriptionId }] = await workers.owner.query<[{ id: string }]>(
      `INSERT INTO events.subscriptions (email, announcements, digest) VALUES ('vera@example.org', true, false) RETURNING id`,
    );
    await workers.owner.query(
      'INSERT INTO events.subscription_topics (subscription_id, topic_id) VALUES ($1, $2)',
      [subscriptionId, topicId],
    );
    await announce();
    await workers.startHandlers();
    const received = await workers.onlyMail();
    expect(received.recipients).toEqual(['vera@example.org']);
    expect(received.mail.text).toContain('Hello,\n');
    expect(stoppedBy(received)).toEqual({ subscriptionId, list: 'announcements' });
    await workers.owner.query('UPDATE events.subscriptions SET announcements = false');
    draft = await insertEvent(workers.owner, { status: 'draft' });
    await about(draft.id);
    await announce();
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(1);
    await workers.owner.query('DELETE FROM events.subscriptions');
  });

  it('use the language of the sign-up page, also in the unsubscribe link', async () => {
    await workers.owner.query(
      `WITH added AS (
         INSERT INTO events.subscriptions (email, announcements, digest, locale) VALUES ('vera@example.org', true, false, 'de') RETURNING id)
       INSERT INTO events.subscription_topics (subscription_id, topic_id) SELECT id, $1 FROM added`,
      [topicId],
    );
    await announce();
    await workers.startHandlers();
    const { mail } = await workers.onlyMail();
    expect(mail.subject).toBe('Neu: A breakfast');
    expect(mail.html).toContain('<html lang="de">');
    expect(mail.text).toMatch(/\/unsubscribe\?token=[^&\s]+&locale=de\b/);
    await workers.owner.query('DELETE FROM events.subscriptions');
  });

  it('reach a follower when an event is published on schedule', async () => {
    await followers(1);
    await workers.owner.query(`UPDATE events.events SET publish_at = now() WHERE id = $1`, [draft.id]);
    await wish();
    await workers.start();
    await workers.mails(1);
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(1);
  });

  it.each([
    ['a draft', async () => wish()],
    [
      'an unlisted event',
      async () => {
        await workers.owner.query(`UPDATE events.events SET visibility = 'unlisted' WHERE id = $1`, [
          draft.id,
        ]);
        await announce();
      },
    ],
    [
      'an event cancelled meanwhile',
      async () => {
        await announce();
        await workers.owner.query(
          `UPDATE events.events SET status = 'cancelled', cancelled_at = now() WHERE id = $1`,
          [draft.id],
        );
      },
    ],
    [
      'an event deleted meanwhile',
      async () => {
        await announce();
        await workers.owner.query('DELETE FROM events.events WHERE id = $1', [draft.id]);
      },
    ],
    [
      'an event that has started',
      async () => {
        await announce();
        await workers.owner.query(
          `UPDATE events.events SET start_date = now() - interval '1 minute' WHERE id = $1`,
          [draft.id],
        );
      },
    ],
  ])('reach no followers for %s', async (_, act) => {
    await followers(2);
    await act();
    await workers.start();
    await workers.allDone();
    expect(workers.smtp.received).toEqual([]);
  });

  it('skip people who opted out, unfollowed, registered or are unverified', async () => {
    const [stopped, unfollowed, registered, unverified, late, keen] = await followers(6);
    const change = (id: string, what: string) =>
      workers.owner.query(`UPDATE auth.users SET ${what} WHERE id = $1`, [id]);
    await change(stopped!, 'announcements = false');
    await change(unverified!, 'email_verified_at = NULL');
    workers.smtp.manners = 'not-now';
    await announce();
    await workers.start();
    await workers.triedInVain(AnnouncementMail, 4);
    await change(late!, 'announcements = false');
    await workers.owner.query('DELETE FROM events.topic_follows WHERE user_id = $1', [unfollowed]);
    await insertRegistration(workers.owner, { eventId: draft.id, userId: registered! });
    await workers.start();
    await workers.allDone();
    const [{ email }] = await workers.owner.query<[{ email: string }]>(
      'SELECT email FROM auth.users WHERE id = $1',
      [keen],
    );
    expect(addresses()).toEqual([email]);
  });

  it('reach each follower only once per event', async () => {
    await followers(2);
    await announce();
    await workers.startHandlers();
    await workers.allDone();
    await expect(wish()).rejects.toMatchObject({ constraint: 'announcements_pkey' });
    await workers.owner.query('SELECT events.take_back_announcement($1)', [draft.id]);
    expect(await figures()).toEqual({ started: true, recipients: 2 });
    await workers.ask(
      'events',
      { queue: 'announcements', name: 'announcements.send' },
      { eventId: draft.id },
    );
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(2);
  });

  async function sent(count: number): Promise<void> {
    for (let some = 500; some < count; some += 500) await workers.mails(some);
    await workers.mails(count);
  }

  it(`reach each of ${CROWD} people once when workers are killed while sending`, async () => {
    await followers(CROWD);
    workers.smtp.slowness = 10;
    await announce();
    await workers.killed(() => sent(CROWD * 0.3));
    await workers.killed(() => sent(CROWD * 0.6));
    expect(workers.smtp.received.length).toBeLessThan(CROWD);
    workers.smtp.slowness = 0;
    await workers.start();
    await workers.start();
    await sent(CROWD);
    await workers.allDone();
    expect(workers.mailsByAddress()).toEqual(Array(CROWD).fill(1));
    // Emails in progress when a worker was killed may arrive twice, with the same Message-ID.
    expect(workers.smtp.received.length).toBeLessThanOrEqual(CROWD + 2);
    expect(await figures()).toEqual({ started: true, recipients: CROWD });
  });

  it('do not hold up a registration confirmation', async () => {
    await followers(80);
    const { id: userId, email } = await insertUser(workers.owner);
    const place = await insertRegistration(workers.owner, {
      eventId: (await insertEvent(workers.owner)).id,
      userId,
    });
    workers.smtp.slowness = 20;
    await announce();
    await workers.start();
    await workers.mails(20);
    const before = workers.smtp.received.length;
    await workers.ask('events', RegistrationConfirmedMail, {
      registrationId: place.id,
      registeredAt: place.registeredAt.toISOString(),
    });
    await workers.eventually('the confirmation', async () => addresses().includes(email));
    expect(addresses().indexOf(email) - before).toBeLessThan(40);
    workers.smtp.slowness = 0;
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(81);
  });
});
