import {
  MessageMail,
  type MessageSegment,
  MessageTestMail,
  RegistrationConfirmedMail,
  type RepliesTo,
  SendMessage,
} from '@meetmark/contracts';
import { type EventRow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { OutboxReader } from '@meetmark/platform';
import { rowsRead } from '@meetmark/platform/testing/rows-read';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { v7 as uuid } from 'uuid';
import { SendMessageJob } from './organiser-messages.js';
import { stoppedBy, workersForTests } from '../testing/test-worker.js';

const TEXT = { subject: 'A new room', body: 'We meet **upstairs**.\n\n- Bring a pen\n- Ring twice' };

describe('organiser messages', () => {
  const workers = workersForTests();
  let event: EventRow;
  let author: UserRow;

  beforeEach(async () => {
    await workers.reset('events.events');
    author = await insertUser(workers.owner, { firstName: 'Olga', lastName: 'Organiser', isOrganiser: true });
    event = await insertEvent(workers.owner, { createdById: author.id });
  });

  async function people(count: number): Promise<string[]> {
    const rows = await workers.owner.query<{ id: string }[]>(
      `WITH people AS (
         INSERT INTO auth.users (id, email, password_hash, first_name, last_name, email_verified_at)
         SELECT gen_random_uuid(), 'person' || gen_random_uuid() || '@example.org', '$argon2id$v=19$m=1', 'Person', 'No ' || n, now()
         FROM generate_series(1, $1::integer) AS n RETURNING id)
       INSERT INTO events.event_registrations (id, event_id, user_id) SELECT gen_random_uuid(), $2::uuid, id FROM people
       RETURNING id`,
      [count, event.id],
    );
    return rows.map(({ id }) => id);
  }
  const fetchUser = async (registrationId: string): Promise<UserRow> => {
    const [row] = await workers.owner.query<UserRow[]>(
      `SELECT u.* FROM auth.users u JOIN events.event_registrations r ON r.user_id = u.id WHERE r.id = $1`,
      [registrationId],
    );
    return row!;
  };

  interface Given {
    segment?: MessageSegment;
    registrationIds?: string[];
    replyTo?: RepliesTo;
    sendAt?: Date;
    state?: 'sending' | 'scheduled' | 'cancelled';
    job?: boolean;
  }
  async function write({
    segment = 'registered',
    registrationIds = [],
    replyTo = 'community',
    sendAt = new Date(),
    state = 'sending',
    job = true,
  }: Given = {}): Promise<string> {
    const id = uuid();
    await workers.owner.query(
      `INSERT INTO events.messages (id, event_id, author_id, segment, registration_ids, subject, body, reply_to, state, send_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [id, event.id, author.id, segment, registrationIds, TEXT.subject, TEXT.body, replyTo, state, sendAt],
    );
    if (job) await askToSend(id, sendAt);
    return id;
  }
  const askToSend = (messageId: string, sendAt: Date) =>
    workers.ask('events', SendMessage, { messageId, sendAt: sendAt.toISOString() });
  const figures = async (id: string) => {
    const [row] = await workers.owner.query<object[]>(
      'SELECT state, recipients, sent, refused, skipped FROM events.messages WHERE id = $1',
      [id],
    );
    return row;
  };
  const became = async (id: string) => {
    const rows = await workers.owner.query<{ state: string; count: number }[]>(
      `SELECT state, count(*)::integer AS count FROM events.message_recipients WHERE message_id = $1 GROUP BY state`,
      [id],
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  };

  it('reach a registered member, with an unsubscribe link and the community as reply address', async () => {
    const [place] = await people(1);
    const id = await write();
    await workers.startHandlers();
    const received = await workers.onlyMail();
    const { mail, recipients } = received;
    const member = await fetchUser(place!);
    expect(recipients).toEqual([member.email]);
    expect(mail.subject).toBe(TEXT.subject);
    expect(mail.text).toContain('We meet upstairs.\n\n- Bring a pen\n- Ring twice');
    expect(mail.text).toContain(event.title);
    expect(mail.html).toContain('We meet <b>upstairs</b>.');
    expect(mail.replyTo?.[0]?.address).not.toBe(author.email);
    // The email names the author even if the community gets the replies.
    expect(mail.text).toContain('From Olga Organiser');
    expect(mail.text).toContain('to write to the organizers');
    expect(stoppedBy(received)).toEqual({ userId: member.id, list: 'messages' });
    expect(await figures(id)).toEqual({ state: 'sent', recipients: 1, sent: 1, refused: 0, skipped: 0 });
  });

  it('have the author as reply address if the author chose that', async () => {
    await people(1);
    await write({ replyTo: 'author' });
    await workers.startHandlers();
    const { mail } = await workers.onlyMail();
    expect(mail.replyTo).toEqual([{ name: 'Olga Organiser', address: author.email }]);
    expect(mail.text).toContain('Reply to this email to write to Olga Organiser.');
  });

  it.each<[MessageSegment, string[]]>([
    ['registered', ['other', 'registered']],
    ['waiting', ['waitlisted']],
    ['came', ['registered']],
    ['did_not_come', ['other']],
    ['chosen', ['other', 'waitlisted']],
  ])('go only to the group %s', async (segment, expected) => {
    await workers.owner.query('UPDATE events.events SET registration_closes_at = now() WHERE id = $1', [
      event.id,
    ]);
    const [registered, waitlisted, cancelled, other] = await people(4);
    const ids = { registered, waitlisted, cancelled, other };
    for (const status of ['waitlisted', 'cancelled'] as const)
      await workers.owner.query('UPDATE events.event_registrations SET status = $2 WHERE id = $1', [
        ids[status],
        status,
      ]);
    await workers.owner.query(
      `UPDATE events.event_registrations SET checked_in_at = now(), checked_in_by = 'door' WHERE id = $1`,
      [registered],
    );
    const chosen = segment === 'chosen' ? [waitlisted!, other!, cancelled!] : [];
    const id = await write({ segment, registrationIds: chosen });
    await workers.startHandlers();
    await workers.allDone();
    const rows = await workers.owner.query<{ id: string }[]>(
      'SELECT registration_id AS id FROM events.message_recipients WHERE message_id = $1',
      [id],
    );
    const names = rows.map(({ id: got }) => Object.entries(ids).find(([, each]) => each === got)?.[0]);
    expect(names.sort()).toEqual(expected);
    expect(workers.smtp.received).toHaveLength(expected.length);
  });

  it('have no recipients in the group did_not_come when nobody was checked in', async () => {
    await people(2);
    const id = await write({ segment: 'did_not_come' });
    await workers.startHandlers();
    await workers.allDone();
    expect(await figures(id)).toMatchObject({ state: 'sent', recipients: 0 });
    expect(workers.smtp.received).toHaveLength(0);
  });

  it.each<MessageSegment>(['registered', 'came', 'did_not_come'])(
    'read rows in proportion to the number of guests for the group %s, without check-ins',
    async (segment) => {
      // With the index, this test would not detect a query that compares each guest with all others.
      await workers.owner.query('DROP INDEX IF EXISTS events.event_registrations_came_idx');
      const job = new SendMessageJob(workers.asWorker, new OutboxReader(workers.asWorker));
      const readWith = async (guests: number) => {
        await people(guests);
        await workers.owner.query('ANALYZE events.event_registrations');
        const sendAt = new Date();
        const messageId = await write({ segment, sendAt, job: false });
        const id = await askToSend(messageId, sendAt);
        return rowsRead(workers.asWorker, () =>
          job.handle(
            { messageId, sendAt: sendAt.toISOString() },
            { id, name: SendMessage.name, createdAt: sendAt },
          ),
        );
      };
      const few = await readWith(100);
      expect(await readWith(900)).toBeLessThanOrEqual(12 * few);
    },
  );

  it('skip people who opted out or are unverified', async () => {
    const [stopped, unverified, late] = await people(4);
    const change = async (place: string, what: string) =>
      workers.owner.query(`UPDATE auth.users SET ${what} WHERE id = $1`, [(await fetchUser(place)).id]);
    await change(stopped!, 'messages = false');
    await change(unverified!, 'email_verified_at = NULL');
    workers.smtp.manners = 'not-now';
    const id = await write();
    await workers.start();
    await workers.triedInVain(MessageMail, 2);
    await change(late!, 'messages = false');
    await workers.start();
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(1);
    expect(await figures(id)).toEqual({ state: 'sent', recipients: 4, sent: 1, refused: 0, skipped: 3 });
    expect(await became(id)).toEqual({ sent: 1, skipped: 3 });
  });

  it('reach guests with an email address until they unsubscribe', async () => {
    const addGuest = async (email: string | null) => {
      const id = uuid();
      await workers.owner.query(
        `INSERT INTO events.event_registrations (id, event_id, guest_name, guest_email, show_me) VALUES ($1, $2, 'Grace Guest', $3, 'no')`,
        [id, event.id, email],
      );
      return id;
    };
    const guest = await addGuest('grace@example.org');
    await addGuest(null);
    const first = await write();
    await workers.startHandlers();
    const received = await workers.onlyMail();
    expect(received.recipients).toEqual(['grace@example.org']);
    expect(received.mail.text).toMatch(/^Hello,$/m);
    expect(received.mail.to).toEqual([{ name: '', address: 'grace@example.org' }]);
    expect(stoppedBy(received)).toEqual({ registrationId: guest });
    await workers.owner.query('INSERT INTO events.message_stops (registration_id) VALUES ($1)', [guest]);
    const second = await write();
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(1);
    expect(await figures(first)).toMatchObject({ recipients: 1, sent: 1 });
    expect(await figures(second)).toMatchObject({ recipients: 1, skipped: 1 });
  });

  it('skip a member who unsubscribed as a guest before taking over the registration', async () => {
    const [place] = await people(1);
    await workers.owner.query('INSERT INTO events.message_stops (registration_id) VALUES ($1)', [place]);
    const id = await write();
    await workers.startHandlers();
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(0);
    expect(await figures(id)).toMatchObject({ recipients: 1, skipped: 1 });
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      'is no longer an organiser',
      () => workers.owner.query('UPDATE auth.users SET is_organiser = false WHERE id = $1', [author.id]),
    ],
    [
      'was deleted',
      async () => {
        const { id } = await insertUser(workers.owner, { isAdmin: true });
        await workers.owner.query('UPDATE events.events SET created_by_id = $1', [id]);
        await workers.owner.query('DELETE FROM auth.users WHERE id = $1', [author.id]);
      },
    ],
  ])('cancel a scheduled message if the author %s', async (_, loseTheRight) => {
    await people(1);
    const before = await write({ state: 'scheduled' });
    await workers.startHandlers();
    await workers.allDone();
    expect(await figures(before)).toMatchObject({ state: 'sent', sent: 1 });
    const sendAt = new Date();
    const after = await write({ state: 'scheduled', sendAt, job: false });
    await loseTheRight();
    await askToSend(after, sendAt);
    await workers.allDone();
    expect(await figures(after)).toMatchObject({ state: 'cancelled', recipients: 0 });
    expect(workers.smtp.received).toHaveLength(1);
  });

  it('count refused recipients and leave out deleted accounts', async () => {
    const [gone] = await people(3);
    workers.smtp.manners = 'refuse-recipients';
    const id = await write();
    await workers.owner.query('DELETE FROM auth.users WHERE id = $1', [(await fetchUser(gone!)).id]);
    await workers.start();
    await workers.allDone();
    expect(await figures(id)).toEqual({ state: 'sent', recipients: 2, sent: 0, refused: 2, skipped: 0 });
    expect(await became(id)).toEqual({ refused: 2 });
  });

  it('send no message that was cancelled or moved to a later time', async () => {
    await people(2);
    const cancelled = await write({ state: 'cancelled' });
    const moved = await write({ state: 'scheduled', sendAt: new Date(Date.now() + 3_600_000) });
    await workers.ask('events', SendMessage, { messageId: moved, sendAt: new Date().toISOString() });
    await workers.owner.query(`DELETE FROM events.outbox WHERE payload ->> 'sendAt' > $1`, [
      new Date(Date.now() + 1_000).toISOString(),
    ]);
    await workers.startHandlers();
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(0);
    expect(await figures(cancelled)).toMatchObject({ state: 'cancelled', recipients: 0 });
    expect(await figures(moved)).toMatchObject({ state: 'scheduled', recipients: 0 });
  });

  it('mark a message without recipients as sent', async () => {
    const id = await write({ segment: 'waiting', state: 'scheduled' });
    await workers.startHandlers();
    await workers.allDone();
    expect(await figures(id)).toMatchObject({ state: 'sent', recipients: 0 });
  });

  it('send a test to the author alone, without an unsubscribe header', async () => {
    await people(2);
    const payload = { ...TEXT, userId: author.id, eventId: event.id, replyTo: 'community' } as const;
    await workers.ask('events', MessageTestMail, payload);
    await workers.startHandlers();
    const { mail, recipients } = await workers.onlyMail();
    expect([recipients, mail.subject]).toEqual([[author.email], `Test: ${TEXT.subject}`]);
    expect(mail.headers.some(({ key }) => key === 'list-unsubscribe')).toBe(false);
  });

  it('reach each of 60 people once when workers are killed before and during sending', async () => {
    await people(60);
    workers.smtp.slowness = 10;
    const sendAt = new Date();
    const id = await write({ sendAt, job: false });
    const fanOut = await askToSend(id, sendAt);
    await workers.killed(async () => {
      const holder = workers.owner.createQueryRunner();
      await holder.startTransaction();
      await holder.query('SELECT FROM events.messages WHERE id = $1 FOR UPDATE', [id]);
      await workers.eventually('a worker that waits for the message', async () => {
        const waiting = await workers.owner.query<unknown[]>(
          "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND usename = 'meetmark_worker' AND datname = current_database()",
        );
        return waiting.length > 0;
      });
      return async () => {
        await holder.rollbackTransaction();
        await holder.release();
      };
    });
    expect(await figures(id)).toMatchObject({ recipients: 0 });
    await workers.killed(() => workers.mails(25));
    expect(workers.smtp.received.length).toBeLessThan(60);
    // Simulates a job whose completion wasn't recorded, and a duplicate job.
    await workers.owner.query('UPDATE events.outbox SET done_at = NULL, relayed_at = NULL WHERE id = $1', [
      fanOut,
    ]);
    await workers.redis.del(`jobs:messages:${fanOut}`);
    await askToSend(id, sendAt);
    workers.smtp.slowness = 0;
    await workers.start();
    await workers.start();
    await workers.allDone();
    expect(workers.mailsByAddress()).toEqual(Array(60).fill(1));
    // The email in progress when the worker was killed may arrive twice, with the same Message-ID.
    expect(workers.smtp.received.length).toBeLessThanOrEqual(61);
    expect(await figures(id)).toEqual({ state: 'sent', recipients: 60, sent: 60, refused: 0, skipped: 0 });
    expect(await became(id)).toEqual({ sent: 60 });
  }, 120_000);

  it('do not hold up a registration confirmation', async () => {
    await people(80);
    const { id: userId, email } = await insertUser(workers.owner);
    const place = await insertRegistration(workers.owner, {
      eventId: (await insertEvent(workers.owner)).id,
      userId,
    });
    workers.smtp.slowness = 20;
    await write();
    await workers.start();
    await workers.mails(20);
    const before = workers.smtp.received.length;
    await workers.ask('events', RegistrationConfirmedMail, {
      registrationId: place.id,
      registeredAt: place.registeredAt.toISOString(),
    });
    await workers.eventually('the confirmation', async () =>
      workers.smtp.received.some(({ recipients }) => recipients.includes(email)),
    );
    const position = workers.smtp.received.findIndex(({ recipients }) => recipients.includes(email));
    expect(position - before).toBeLessThan(40);
    workers.smtp.slowness = 0;
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(81);
  });
});
