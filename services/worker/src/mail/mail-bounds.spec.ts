import { randomUUID } from 'node:crypto';
import {
  EventCancelledMail,
  EventChanged,
  type EventRoleName,
  toMailbox,
  mailboxSql,
  NamedInEventMail,
  type NotifiedChange,
  PlaceRemovedMail,
  RegistrationConfirmedMail,
  SendMessage,
} from '@meetmark/contracts';
import { tally } from '@meetmark/testing';
import {
  daysFromNow,
  type EventRow,
  insertEvent,
  insertRegistration,
  type RegistrationRow,
} from '@meetmark/testing/factories/events';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { listMailJobs } from '../testing/mail-jobs.js';
import { handlersForTests } from '../testing/test-worker.js';
import { MAIL_BOUNDS, MailBounds } from './mail-bounds.js';
import { guestRecipient, type Recipient } from './recipients.js';

const MINUTE = 60_000;

describe('MAIL_BOUNDS', () => {
  it('lists exactly the jobs that send an email', () => {
    expect(Object.keys(MAIL_BOUNDS).sort()).toEqual(listMailJobs().sort());
  });
});

describe('event emails caused by someone else', () => {
  const workers = handlersForTests();
  let adminId: string;
  let event: EventRow;

  beforeEach(async () => {
    await workers.reset('events.sent_mails');
    adminId = (await insertAdministrator(workers.owner)).id;
    event = await insertEvent(workers.owner, {
      title: 'Tea',
      createdById: adminId,
      startDate: daysFromNow(9),
    });
  });

  const subjects = () => tally(workers.smtp.received.map(({ mail }) => mail.subject!));
  async function nextDay(): Promise<void> {
    await workers.owner.query("UPDATE events.sent_mails SET sent_at = sent_at - interval '24 hours'");
    await workers.owner.query('UPDATE events.outbox SET available_at = now() WHERE done_at IS NULL');
  }
  /** Runs all due jobs. Emails above the limit stay open, because they are deferred. */
  const nothingDue = () =>
    workers.eventually('the jobs', async () => {
      const due: unknown[] = await workers.owner.query(
        'SELECT FROM events.outbox WHERE done_at IS NULL AND available_at <= now()',
      );
      return due.length === 0;
    });
  const guest = async (email: string) => {
    const id = randomUUID();
    const given = { id, eventId: event.id, guestName: 'Grace', guestEmail: email, showMe: 'no' };
    await workers.insert('events.event_registrations', given);
    return id;
  };
  const change = async (registrationId: string, changes: Partial<RegistrationRow>) => {
    await workers.update('events.event_registrations', registrationId, changes);
    const [{ at }] = await workers.owner.query<[{ at: Date }]>(
      'SELECT registered_at AS at FROM events.event_registrations WHERE id = $1',
      [registrationId],
    );
    return { registrationId, registeredAt: at.toISOString() };
  };
  const add = async (id: string, own?: true) => {
    const added = await change(id, { status: 'registered', registeredAt: new Date() });
    await workers.ask('events', RegistrationConfirmedMail, { ...added, own });
    await nothingDue();
  };
  const remove = async (id: string) => {
    const removed = await change(id, { status: 'cancelled' });
    await workers.ask('events', PlaceRemovedMail, { ...removed, reason: null, waited: false });
    await nothingDue();
  };

  it('sends three emails per kind and day to a guest added and removed repeatedly', async () => {
    const id = await guest('grace@example.org');
    for (let time = 0; time < 5; time += 1) {
      await add(id);
      await remove(id);
    }
    const [confirmed, removed] = ['You are registered: Tea', 'Your registration was canceled: Tea'];
    expect(subjects()).toEqual({ [confirmed]: 3, [removed]: 3 });
    await add(id);
    workers.smtp.received.length = 0;
    await nextDay();
    await workers.allDone();
    expect(subjects()).toEqual({ [confirmed]: 1 });
  });

  it('sets no limit when members register themselves', async () => {
    const { id } = await insertRegistration(workers.owner, {
      eventId: event.id,
      userId: (await insertUser(workers.owner)).id,
    });
    for (let time = 0; time < 5; time += 1) await add(id, true);
    expect(workers.smtp.received).toHaveLength(5);
  });

  it('sends one email to a member named repeatedly in different roles', async () => {
    const { id: userId } = await insertUser(workers.owner);
    for (const role of ['host', 'speaker', 'host', 'speaker'] satisfies EventRoleName[]) {
      await workers.owner.query('DELETE FROM events.event_people WHERE event_id = $1', [event.id]);
      const named = { eventId: event.id, userId, role };
      await workers.insert('events.event_people', { ...named, position: 0, askedById: adminId });
      await workers.run('events', NamedInEventMail, named);
    }
    expect(workers.smtp.received).toHaveLength(1);
  });

  it('sends three emails about changes, and combines the rest a day later', async () => {
    const userId = (await insertUser(workers.owner)).id;
    await insertRegistration(workers.owner, { eventId: event.id, userId });
    for (let sequence = 1; sequence <= 5; sequence += 1) {
      const before = { title: `Tea ${sequence - 1}` };
      const changed: NotifiedChange[] = sequence === 5 ? ['time'] : ['title'];
      await workers.update('events.events', event.id, { title: `Tea ${sequence}`, sequence });
      await workers.ask('events', EventChanged, { eventId: event.id, sequence, changed, before });
      await nothingDue();
    }
    expect(workers.smtp.received).toHaveLength(3);
    workers.smtp.received.length = 0;
    await nextDay();
    const { mail } = await workers.onlyMail();
    expect(mail.text).toContain('has a new time and title');
    expect(mail.text).toContain('Tea 5 (was Tea 3)');
  });

  it('sends three confirmations per mailbox to guests with tagged addresses', async () => {
    for (let tag = 1; tag <= 5; tag += 1) await add(await guest(`victim+${tag}@example.org`));
    expect(workers.smtp.received).toHaveLength(3);
    workers.smtp.received.length = 0;
    const sendAt = new Date().toISOString();
    const messageId = randomUUID();
    await workers.insert('events.messages', {
      ...{ id: messageId, eventId: event.id, authorId: adminId, segment: 'registered', replyTo: 'community' },
      ...{ subject: 'Bring a cup', body: 'There are none.', state: 'sending', sendAt },
    });
    await workers.ask('events', SendMessage, { messageId, sendAt });
    await workers.ask('events', EventChanged, { eventId: event.id, sequence: 1, changed: ['time'] });
    await nothingDue();
    expect(Object.values(subjects())).toEqual([1, 1]);
  });

  it.each([
    'ada@example.org',
    'ada+1+2@example.org',
    '+1@example.org',
    'a.da+@b.example.org',
    '"a@b"@c.example',
  ])('assigns %s to the same mailbox in code and in SQL', async (email) => {
    const wanted = toMailbox(email);
    const [row] = await workers.owner.query<[{ mailbox: string }]>(
      `SELECT ${mailboxSql('$1::text')} AS mailbox`,
      [email.toUpperCase()],
    );
    expect(row.mailbox).toBe(wanted);
    const [requests] = await workers.owner.query(
      "INSERT INTO events.subscription_requests (id, email, topic_ids, digest) VALUES ($1, $2, '{}', true) RETURNING mailbox",
      [randomUUID(), email],
    );
    const [flows] = await workers.owner.query(
      `INSERT INTO auth.code_flows (id, purpose, email, link_hash, expires_at, link_expires_at)
         VALUES ($1::uuid, 'reset', $2, sha256($1::text::bytea), now(), now()) RETURNING mailbox`,
      [randomUUID(), email],
    );
    expect([requests, flows]).toMatchObject([{ mailbox: wanted }, { mailbox: wanted }]);
  });

  describe('MailBounds.take', () => {
    const bounds = () => new MailBounds(workers.asWorker);
    const take = (
      startsAt = daysFromNow(9),
      recipient: Recipient = guestRecipient('grace@example.org'),
      id: string = randomUUID(),
    ) =>
      bounds().take({ id, name: PlaceRemovedMail.name, createdAt: new Date() }, recipient, {
        eventId: event.id,
        startsAt,
      });
    const minutesUntil = (at: unknown) => Math.round(((at as Date).getTime() - Date.now()) / MINUTE);

    it('allows three of ten concurrent emails', async () => {
      const taken = await Promise.all(Array.from({ length: 10 }, () => take()));
      expect(taken.filter((until) => until === null)).toHaveLength(3);
      expect(taken.filter((until) => until instanceof Date)).toHaveLength(7);
    });

    it('counts all attempts of a job once', async () => {
      const id = randomUUID();
      for (let attempt = 0; attempt < 5; attempt += 1)
        expect(await take(undefined, undefined, id)).toBeNull();
      expect([await take(), await take(), minutesUntil(await take())]).toEqual([null, null, 24 * 60]);
    });

    it('shortens the delay when the event starts soon', async () => {
      const startsAt = new Date(Date.now() + 5 * 60 * MINUTE);
      const age = (minutes: number) =>
        workers.owner.query('UPDATE events.sent_mails SET sent_at = sent_at - $1 * interval $$1 minute$$', [
          minutes,
        ]);
      for (let n = 0; n < 3; n += 1) expect(await take(startsAt)).toBeNull();
      expect(minutesUntil(await take(startsAt))).toBe(4 * 60);
      const soon = new Date(Date.now() + 30 * MINUTE);
      expect(minutesUntil(await take(soon))).toBe(20);
      for (let n = 3; n < 10; n += 1) {
        await age(20);
        expect(await take(soon)).toBeNull();
      }
      await age(20);
      expect(minutesUntil(await take(soon))).toBeGreaterThan(20 * 60);
    });

    it('counts each event and recipient separately, but tagged addresses together', async () => {
      for (let n = 0; n < 3; n += 1) await take();
      expect(await take(undefined, guestRecipient('GRACE+1@example.org'))).toBeInstanceOf(Date);
      expect(await take(undefined, guestRecipient('ada@example.org'))).toBeNull();
      expect(await take(undefined, { ...guestRecipient('grace@example.org'), id: randomUUID() })).toBeNull();
      event = await insertEvent(workers.owner);
      expect(await take()).toBeNull();
    });

    it('throws for a job that has no limit or lacks its event', async () => {
      const recipient = guestRecipient('grace@example.org');
      const of = (name: string) =>
        bounds().take({ id: randomUUID(), name, createdAt: new Date() }, recipient);
      await expect(of('mail.unknown')).rejects.toThrow('no bound in MAIL_BOUNDS');
      await expect(of(SendMessage.name)).rejects.toThrow('no bound in MAIL_BOUNDS');
      await expect(of(PlaceRemovedMail.name)).rejects.toThrow('has no event');
      expect(await of(EventCancelledMail.name)).toBeNull();
    });
  });
});
