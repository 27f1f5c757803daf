import {
  MessageMail,
  type MessageSegment,
  MessageTestMail,
  type RepliesTo,
  SendMessage,
} from '@meetmark/contracts';
import { type EventRow, insertEvent } from '@meetmark/testing/factories/events';
import { OutboxReader } from '@meetmark/platform';
import { rowsRead } from '@meetmark/platform/testing/rows-read';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import { v7 as uuid } from 'uuid';
import { SendMessageJob } from './organiser-messages.js';
import { handlersForTests, stoppedBy } from '../testing/test-worker.js';

const TEXT = { subject: 'A new room', body: 'We meet **upstairs**.\n\n- Bring a pen\n- Ring twice' };

describe('organiser messages', () => {
  const workers = handlersForTests();
  let event: EventRow;
  let author: UserRow;

  beforeEach(async () => {
    await workers.reset('events.events');
    author = await insertUser(workers.owner, { firstName: 'Olga', lastName: 'Organiser', isOrganiser: true });
    event = await insertEvent(workers.owner, { createdById: author.id });
  });

  async function people(count: number): Promise<string[]> {
    const rows = await workers.owner.query<{ id: string }[]>(
      `INSERT INTO events.event_registrations (id, event_id, user_id)
       SELECT gen_random_uuid(), $1, unnest($2::uuid[]) RETURNING id`,
      [event.id, await workers.insertMembers(count)],
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

  const changeUser = async (registrationId: string, changes: object) =>
    workers.update('auth.users', (await fetchUser(registrationId)).id, changes);
  const changePlace = (id: string, changes: object) =>
    workers.update('events.event_registrations', id, changes);

  interface Given {
    segment?: MessageSegment;
    registrationIds?: string[];
    replyTo?: RepliesTo;
    sendAt?: Date;
    state?: 'sending' | 'scheduled' | 'cancelled';
  }
  async function write(given: Given = {}) {
    const { segment = 'registered', registrationIds = [], replyTo = 'community' } = given;
    const { sendAt = new Date(), state = 'sending' } = given;
    const id = uuid();
    await workers.insert('events.messages', {
      ...{ id, eventId: event.id, authorId: author.id, segment, registrationIds, replyTo, state, sendAt },
      ...TEXT,
    });
    return { messageId: id, sendAt: sendAt.toISOString() };
  }
  /** Writes a message, and sends it to everyone in the segment. */
  async function sendMessage(given: Given = {}) {
    const payload = await write(given);
    const mails = await workers.run('events', SendMessage, payload);
    return { id: payload.messageId, mails, ...(await figures(payload.messageId)) };
  }
  const figures = async (id: string) => {
    const [row] = await workers.owner.query<[object]>(
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
    const { mails, ...counts } = await sendMessage();
    const [received, ...more] = mails;
    const { mail, recipients } = received!;
    const member = await fetchUser(place!);
    expect([recipients, more]).toEqual([[member.email], []]);
    expect(mail.subject).toBe(TEXT.subject);
    expect(mail.text).toContain('We meet upstairs.\n\n- Bring a pen\n- Ring twice');
    expect(mail.text).toContain(event.title);
    expect(mail.html).toContain('We meet <b>upstairs</b>.');
    expect(mail.replyTo?.[0]?.address).not.toBe(author.email);
    // The email names the author even if the community gets the replies.
    expect(mail.text).toContain('From Olga Organiser');
    expect(stoppedBy(received!)).toEqual({ userId: member.id, list: 'messages' });
    expect(counts).toMatchObject({ state: 'sent', recipients: 1, sent: 1, refused: 0, skipped: 0 });
  });

  it('have the author as reply address if the author chose that', async () => {
    await people(1);
    const { mails } = await sendMessage({ replyTo: 'author' });
    expect(mails[0]?.mail.replyTo).toEqual([{ name: 'Olga Organiser', address: author.email }]);
    expect(mails[0]?.mail.text).toContain('Reply to this email to write to Olga Organiser.');
  });

  it.each<[MessageSegment, string[]]>([
    ['registered', ['other', 'registered']],
    ['waiting', ['waitlisted']],
    ['came', ['registered']],
    ['did_not_come', ['other']],
    ['chosen', ['other', 'waitlisted']],
  ])('go only to the group %s', async (segment, expected) => {
    await workers.update('events.events', event.id, { registrationClosesAt: new Date() });
    const [registered, waitlisted, cancelled, other] = await people(4);
    const ids = { registered, waitlisted, cancelled, other };
    await changePlace(waitlisted!, { status: 'waitlisted' });
    await changePlace(cancelled!, { status: 'cancelled' });
    await changePlace(registered!, { checkedInAt: new Date(), checkedInBy: 'door' });
    const chosen = segment === 'chosen' ? [waitlisted!, other!, cancelled!] : [];
    const { id, mails } = await sendMessage({ segment, registrationIds: chosen });
    const rows = await workers.owner.query<{ id: string }[]>(
      'SELECT registration_id AS id FROM events.message_recipients WHERE message_id = $1',
      [id],
    );
    const names = rows.map(({ id: got }) => Object.entries(ids).find(([, each]) => each === got)?.[0]);
    expect(names.sort()).toEqual(expected);
    expect(mails).toHaveLength(expected.length);
  });

  it.each<[MessageSegment, string]>([
    ['did_not_come', 'nobody was checked in'],
    ['waiting', 'nobody is waiting'],
  ])('count as sent without recipients in the group %s when %s', async (segment) => {
    await people(2);
    const { mails, ...counts } = await sendMessage({ segment, state: 'scheduled' });
    expect(mails).toEqual([]);
    expect(counts).toMatchObject({ state: 'sent', recipients: 0 });
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
        const payload = await write({ segment });
        const id = await workers.ask('events', SendMessage, payload);
        return rowsRead(workers.asWorker, () =>
          job.handle(payload, { id, name: SendMessage.name, createdAt: new Date() }),
        );
      };
      const few = await readWith(100);
      expect(await readWith(900)).toBeLessThanOrEqual(12 * few);
    },
  );

  it('skip people who opted out, even after the first attempt, or are unverified', async () => {
    const [stopped, unverified, late] = await people(4);
    await changeUser(stopped!, { messages: false });
    await changeUser(unverified!, { emailVerifiedAt: null });
    const payload = await write();
    await workers.ask('events', SendMessage, payload);
    await workers.failOnce(MessageMail, 2);
    await changeUser(late!, { messages: false });
    await workers.onlyMail();
    const counts = { state: 'sent', recipients: 4, sent: 1, refused: 0, skipped: 3 };
    expect(await figures(payload.messageId)).toEqual(counts);
    expect(await became(payload.messageId)).toEqual({ sent: 1, skipped: 3 });
  });

  it('reach guests with an email address until they unsubscribe', async () => {
    const addGuest = async (email: string | null) => {
      const id = uuid();
      const given = { id, eventId: event.id, guestName: 'Grace Guest', guestEmail: email, showMe: 'no' };
      await workers.insert('events.event_registrations', given);
      return id;
    };
    const guest = await addGuest('grace@example.org');
    await addGuest(null);
    const first = await sendMessage();
    const [received] = first.mails;
    expect(first).toMatchObject({ recipients: 1, sent: 1 });
    expect(received!.recipients).toEqual(['grace@example.org']);
    expect(received!.mail.text).toMatch(/^Hello,$/m);
    expect(received!.mail.to).toEqual([{ name: '', address: 'grace@example.org' }]);
    expect(stoppedBy(received!)).toEqual({ registrationId: guest });
    await workers.insert('events.message_stops', { registrationId: guest });
    expect(await sendMessage()).toMatchObject({ mails: [], recipients: 1, skipped: 1 });
  });

  it('skip a member who unsubscribed as a guest before taking over the registration', async () => {
    const [place] = await people(1);
    await workers.insert('events.message_stops', { registrationId: place });
    expect(await sendMessage()).toMatchObject({ mails: [], recipients: 1, skipped: 1 });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is no longer an organiser', () => workers.update('auth.users', author.id, { isOrganiser: false })],
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
    expect(await sendMessage({ state: 'scheduled' })).toMatchObject({ state: 'sent', sent: 1 });
    const payload = await write({ state: 'scheduled' });
    await loseTheRight();
    expect(await workers.run('events', SendMessage, payload)).toEqual([]);
    expect(await figures(payload.messageId)).toMatchObject({ state: 'cancelled', recipients: 0 });
  });

  it('count refused recipients and leave out deleted accounts', async () => {
    const [gone] = await people(3);
    const payload = await write();
    await workers.owner.query('DELETE FROM auth.users WHERE id = $1', [(await fetchUser(gone!)).id]);
    workers.smtp.manners = 'refuse-recipients';
    expect(await workers.run('events', SendMessage, payload)).toEqual([]);
    const counts = { state: 'sent', recipients: 2, sent: 0, refused: 2, skipped: 0 };
    expect(await figures(payload.messageId)).toEqual(counts);
    expect(await became(payload.messageId)).toEqual({ refused: 2 });
  });

  it('send no message that was cancelled or moved to a later time', async () => {
    await people(2);
    expect(await sendMessage({ state: 'cancelled' })).toMatchObject({ mails: [], state: 'cancelled' });
    const moved = await write({ state: 'scheduled', sendAt: new Date(Date.now() + 3_600_000) });
    const outdated = { ...moved, sendAt: new Date().toISOString() };
    expect(await workers.run('events', SendMessage, outdated)).toEqual([]);
    expect(await figures(moved.messageId)).toMatchObject({ state: 'scheduled', recipients: 0 });
  });

  it('send a test to the author alone, without an unsubscribe header', async () => {
    await people(2);
    const payload = { ...TEXT, userId: author.id, eventId: event.id, replyTo: 'community' } as const;
    const { mail, recipients } = await workers.send('events', MessageTestMail, payload);
    expect([recipients, mail.subject]).toEqual([[author.email], `Test: ${TEXT.subject}`]);
    expect(mail.headers.some(({ key }) => key === 'list-unsubscribe')).toBe(false);
  });

  it('reach each person once when the job is interrupted and then queued again', async () => {
    await people(3);
    const payload = await write();
    await workers.runInterrupted('events', SendMessage, payload, {
      lock: `SELECT FROM events.messages WHERE id = '${payload.messageId}' FOR UPDATE`,
      halfway: async () => expect(await figures(payload.messageId)).toMatchObject({ recipients: 0 }),
    });
    await workers.run('events', SendMessage, payload);
    expect(workers.smtp.received).toHaveLength(3);
    const counts = { state: 'sent', recipients: 3, sent: 3, refused: 0, skipped: 0 };
    expect(await figures(payload.messageId)).toEqual(counts);
  });
});
