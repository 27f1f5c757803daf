import { COMMUNITY, type PresentCommunity } from '@meetmark/platform';
import { OutboxReader } from '@meetmark/platform';
import {
  calendarUid,
  type CancelledEvent,
  EventCancelledMail,
  EventChanged,
  EventChangedMail,
  HeldConfirmations,
  NamedInEventMail,
  PlaceRemovedMail,
  PromotedMail,
  PasswordChangedMail,
  ProposalDecidedMail,
  RegistrationConfirmedMail,
  ReminderMail,
  UnregisteredMail,
  WaitlistDismissedMail,
  WaitlistJoinedMail,
} from '@meetmark/contracts';
import { verifyUnsubscribe } from '@meetmark/platform/identity/unsubscribe-link';
import {
  daysFromNow,
  type EventRow,
  insertEvent,
  insertRegistration,
  type RegistrationRow,
} from '@meetmark/testing/factories/events';
import { insertUser, type UserRow } from '@meetmark/testing/factories/users';
import type { ReceivedMail } from '@meetmark/testing/mailbox/smtp-sink';
import { sealId } from '@meetmark/platform/identity/sealed-id';
import { decode as decodePng } from 'fast-png';
import ICAL from 'ical.js';
import decodeQR from 'qr/decode.js';
import { SECRETS, workersForTests } from '../testing/test-worker.js';
import { EventChangedJob } from './event-changed.js';

const HOUR = 3_600_000;
const NOBODY = '01999999-0000-7000-8000-000000000000';

describe('event emails', () => {
  const workers = workersForTests();
  let ada: UserRow;
  let event: EventRow;

  beforeAll(async () => {
    await workers.startHandlers();
  });
  beforeEach(async () => {
    ada = await insertUser(workers.owner);
    event = await insertEvent(workers.owner, {
      title: 'Tea & <script>alert(1)</script>; a?cc=x@b.co',
      location: 'Unit 1, "The Mill"',
      startDate: new Date('2027-06-03T17:00:00Z'),
      endDate: new Date('2027-06-03T19:30:00Z'),
    });
    workers.smtp.received.length = 0;
  });

  const restart = async (how: 'start' | 'startHandlers') => {
    await workers.stopWorkers();
    await workers[how]();
  };
  const fetchSlug = async (id: string) => {
    const [row] = await workers.owner.query<[{ slug: string }]>(
      'SELECT event_slug AS slug FROM events.events WHERE id = $1',
      [id],
    );
    return row.slug;
  };
  const register = (userId = ada.id) => insertRegistration(workers.owner, { eventId: event.id, userId });
  const told = ({ id, registeredAt }: RegistrationRow) => ({
    registrationId: id,
    registeredAt: registeredAt.toISOString(),
  });
  const confirm = async () => workers.ask('events', RegistrationConfirmedMail, told(await register()));
  const tellOfChange = (changed: ('title' | 'time' | 'location')[]) =>
    workers.ask('events', EventChangedMail, { eventId: event.id, userId: ada.id, sequence: 1, changed });
  const rename = () => tellOfChange(['title']);
  const unsubscribeHeader = ({ mail }: ReceivedMail) =>
    mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value;
  const turnOff = (preference: 'event_updates' | 'reminders') =>
    workers.owner.query(`UPDATE auth.users SET ${preference} = false WHERE id = $1`, [ada.id]);

  it('do not hold up a password email when 150 people have registered', async () => {
    await restart('start');
    workers.smtp.slowness = 30;
    const crowd = 150;
    for (let n = 0; n < crowd; n += 1) {
      const place = await register((await insertUser(workers.owner)).id);
      await workers.ask('events', RegistrationConfirmedMail, told(place));
    }
    await workers.ask('auth', PasswordChangedMail, { userId: ada.id, at: new Date().toISOString() });
    const isHers = ({ recipients }: ReceivedMail) => recipients.includes(ada.email);
    const before = workers.smtp.received.length;
    await workers.eventually('her mail', async () => workers.smtp.received.some(isHers));
    expect(workers.smtp.received.findIndex(isHers) - before).toBeLessThan(60);
    workers.smtp.slowness = 0;
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(crowd + 1);
    await restart('startHandlers');
  });

  it('confirm a registration with title, time, venue and link', async () => {
    await confirm();
    const { mail } = await workers.onlyMail();
    expect(mail.subject).toBe(`You are registered: ${event.title}`);
    expect(mail.text).toMatch(/When: Thursday, June 3, 2027(,| at) 6:00 – 8:30 PM BST\n/);
    expect(mail.text).toContain('Where: Unit 1, "The Mill"\n');
    expect(mail.text).toContain(`https://meet.example/e/${await fetchSlug(event.id)}\n`);
    expect(mail.html).toContain('Tea &amp; &lt;script&gt;alert(1)');
  });

  describe('to a registered person', () => {
    const remind = ({ registrationId }: { registrationId: string }) =>
      workers.ask('events', ReminderMail, { registrationId, startDate: event.startDate.toISOString() });

    it('contain the check-in code as a QR code and as text', async () => {
      const given = told(await register());
      await workers.ask('events', RegistrationConfirmedMail, given);
      await workers.ask('events', PromotedMail, given);
      await remind(given);
      await workers.allDone();
      expect(workers.smtp.received).toHaveLength(3);
      const code = sealId('guest', given.registrationId, SECRETS.guestCode);
      for (const { mail, raw } of workers.smtp.received) {
        const [picture, ...more] = mail.attachments.filter(({ mimeType }) => mimeType === 'image/png');
        expect(more).toEqual([]);
        expect(mail.html).toContain(`src="cid:${picture!.contentId!.slice(1, -1)}"`);
        const said = readQr(picture!.content as ArrayBuffer);
        expect(said).toBe(`https://meet.example/c/${code}`);
        expect(picture!.disposition).toBe('inline');
        const words = /^Your code for the door: (.+)$/m.exec(mail.text!)![1]!;
        expect(words.split(' ').map(({ length }) => length)).toEqual([4, 4, 4, 4, 4, 2]);
        expect(words.replaceAll(' ', '')).toBe(code);
        expect(mail.text! + mail.html!).not.toContain('/c/');
        expect(raw.length).toBeLessThan(40_000);
      }
    });

    it.each([
      ['online only', { format: 'online' as const }],
      ['over', { startDate: daysFromNow(-2), endDate: daysFromNow(-1) }],
    ])('contain no check-in code for an event that is %s', async (_, given) => {
      event = await insertEvent(workers.owner, given);
      await workers.ask('events', RegistrationConfirmedMail, told(await register()));
      const { mail } = await workers.onlyMail();
      expect(mail.text).not.toContain('code');
      expect(mail.html).not.toContain('cid:');
      expect(mail.attachments.filter(({ mimeType }) => mimeType === 'image/png')).toEqual([]);
    });
  });

  describe('about an event with a venue, a joining link and a price', () => {
    const LINK = 'https://meet.example.org/room?pwd=1';

    beforeEach(async () => {
      event = await insertEvent(workers.owner, {
        ...{ format: 'hybrid', location: 'Leeds', price: '12.50' },
        description: `First\n\n${'word '.repeat(100)}`,
      });
      await workers.owner.query('UPDATE events.events SET payment_note = $2 WHERE id = $1', [
        event.id,
        'Card at the door',
      ]);
      await workers.owner.query(
        `INSERT INTO events.event_contents (event_id, venue_name, venue_address, venue_note, online_url, online_note,
           accessibility)
         VALUES ($1, 'The Mill', '12 Wharf Street', 'Blue door', $2, 'Passcode 7', 'Step-free from Wharf Street')`,
        [event.id, LINK],
      );
    });

    it('show venue, directions, joining link, price, payment note and a shortened description', async () => {
      await confirm();
      const { mail } = await workers.onlyMail();
      for (const line of [
        'Where: The Mill, 12 Wharf Street (also online)',
        'Blue door',
        'Directions: https://www.openstreetmap.org/search?query=The%20Mill%2C%2012%20Wharf%20Street',
        'Passcode 7',
        `Join online: ${LINK}`,
        'Accessibility: Step-free from Wharf Street',
        'Price: £12.50',
        'How to pay: Card at the door',
        'First word word',
      ])
        expect(mail.text).toContain(line);
      const { entry } = findCalendar(workers.smtp.received[0]!);
      expect(entry.description).toBe(`Join: ${LINK}\n\nPasscode 7`);
      const [about = ''] = /First word.*/.exec(mail.text ?? '') ?? [];
      expect(about.length).toBeLessThanOrEqual(302);
      expect(about).toMatch(/ word …$/);
    });

    it('use the organiser’s map and fall back to the community’s payment note', async () => {
      const map = 'https://maps.example.org/mill';
      await workers.owner.query('UPDATE events.event_contents SET venue_map_url = $2 WHERE event_id = $1', [
        ...[event.id, map],
      ]);
      await workers.owner.query('UPDATE events.events SET payment_note = NULL WHERE id = $1', [event.id]);
      await confirm();
      const { mail } = await workers.onlyMail();
      expect(mail.text).toContain(`Directions: ${map}`);
      expect(mail.text).toContain('How to pay: Ask the organizer how to pay');
    });

    it('show a Markdown description as plain text', async () => {
      await workers.owner.query(
        `UPDATE events.events SET description_format = 'markdown', description = '# Talks\n\n**Bold** words' WHERE id = $1`,
        [event.id],
      );
      await confirm();
      expect((await workers.onlyMail()).mail.text).toContain('\nTalks Bold words\n');
    });

    it('show the number of people on the waiting list', async () => {
      await workers.owner.query('UPDATE events.events SET capacity = 1 WHERE id = $1', [event.id]);
      const place = await register();
      for (let count = 0; count < 2; count += 1)
        await insertRegistration(workers.owner, {
          ...{ eventId: event.id, userId: (await insertUser(workers.owner)).id, status: 'waitlisted' },
        });
      await workers.ask('events', RegistrationConfirmedMail, told(place));
      expect((await workers.onlyMail()).mail.text).toContain(
        "Can't make it? Give up your place – 2 people are waiting.",
      );
    });

    it('contain no joining link for people without a registration', async () => {
      const place = await register();
      await workers.owner.query(`UPDATE events.event_registrations SET status = 'cancelled' WHERE id = $1`, [
        place.id,
      ]);
      await workers.ask('events', UnregisteredMail, told(place));
      await workers.ask('events', WaitlistDismissedMail, { eventId: event.id, userId: ada.id });
      await workers.owner.query(
        `INSERT INTO events.event_people (event_id, role, position, user_id, asked_by_id)
         VALUES ($1, 'host', 0, $2, (SELECT created_by_id FROM events.events WHERE id = $1))`,
        [event.id, ada.id],
      );
      await workers.ask('events', NamedInEventMail, { eventId: event.id, userId: ada.id, role: 'host' });
      await workers.allDone();
      expect(workers.smtp.received).toHaveLength(3);
      for (const { raw, mail } of workers.smtp.received)
        expect(raw + mail.text + mail.html).not.toMatch(/room|Passcode/);
    });
  });

  it.each(['draft', 'published'] as const)(
    'invite a co-host to a %s event, with an image only once it is public',
    async (status) => {
      const { id } = await insertEvent(workers.owner, { status });
      await workers.owner.query(
        `INSERT INTO events.event_people (event_id, role, position, user_id, manages, asked_by_id)
         VALUES ($1, 'host', 0, $2, true, (SELECT created_by_id FROM events.events WHERE id = $1))`,
        [id, ada.id],
      );
      await workers.ask('events', NamedInEventMail, { eventId: id, userId: ada.id, role: 'host' });
      const { mail } = await workers.onlyMail();
      const pages = mail.html!.match(/https:\/\/meet\.example\/(media\/share|events)\/[^"]*/g) ?? [];
      expect(pages.map((page) => page.split('/')[3])).toEqual(status === 'draft' ? [] : ['media']);
    },
  );

  it('link an accepted proposal to the admin page of its draft', async () => {
    const { id } = await insertEvent(workers.owner, { status: 'draft' });
    const [rows] = await workers.owner.query<[{ id: string }][]>(
      `INSERT INTO events.proposals (id, proposer_id, title, start_date, end_date, decided_at, event_id)
       VALUES (gen_random_uuid(), $1, 'Talks', now(), now() + interval '1 hour', now(), $2) RETURNING id`,
      [ada.id, id],
    );
    const { id: proposalId } = rows as unknown as { id: string };
    await workers.ask('events', ProposalDecidedMail, { userId: ada.id, proposalId });
    const { mail } = await workers.onlyMail();
    expect(mail.text).toContain(`https://meet.example/admin/events/${id}`);
    expect(mail.text).not.toContain(`https://meet.example/events/${id}`);
  });

  it('suggest the next three open public events after a cancellation', async () => {
    const soon = (minutes: number, given: Partial<EventRow> = {}) =>
      insertEvent(workers.owner, {
        ...{ title: `In ${minutes} minutes`, startDate: new Date(Date.now() + minutes * 60_000), ...given },
      });
    const full = await soon(5, { capacity: 1 });
    await insertRegistration(workers.owner, { eventId: full.id, userId: ada.id });
    await soon(10, { visibility: 'unlisted' });
    await soon(15, { status: 'draft' });
    await soon(20, { registrationClosesAt: new Date(Date.now() - HOUR) });
    await soon(25, { registrationOpensAt: new Date(Date.now() + 60_000) });
    const next = [await soon(30), await soon(40, { isAllDay: true }), await soon(50)];
    await soon(60);
    await cancel();
    const { mail } = await workers.onlyMail();
    expect(mail.text?.match(/^In \d+ minutes$/gm)).toEqual(next.map(({ title }) => title));
    for (const { id } of next)
      expect(mail.text).toContain(`\nhttps://meet.example/e/${await fetchSlug(id)}\n`);
  });

  it('show the position on the waiting list with a link to leave it', async () => {
    const full = await insertEvent(workers.owner, { title: 'Full house', capacity: 1 });
    const others = [await insertUser(workers.owner), await insertUser(workers.owner)];
    await insertRegistration(workers.owner, { eventId: full.id, userId: others[0]!.id });
    const waits = (userId: string, minutesAgo: number) =>
      insertRegistration(workers.owner, {
        ...{ eventId: full.id, userId, status: 'waitlisted' },
        registeredAt: new Date(Date.now() - minutesAgo * 60_000),
      });
    await waits(others[1]!.id, 2);
    const place = await waits(ada.id, 1);
    await workers.ask('events', WaitlistJoinedMail, told(place));
    const { mail, recipients } = await workers.onlyMail();
    expect([recipients, mail.subject]).toEqual([[ada.email], 'You are on the waiting list: Full house']);
    expect(mail.text).toContain('you are number 2 on the waiting list');
    expect(mail.text).toContain(`Leave the waiting list: https://meet.example/events/${full.id}/give-up`);
    expect(mail.attachments).toEqual([]);
    workers.smtp.received.length = 0;
    await workers.owner.query("UPDATE events.event_registrations SET status = 'cancelled' WHERE id = $1", [
      place.id,
    ]);
    await workers.ask('events', WaitlistJoinedMail, told(place));
    expect(workers.smtp.received).toHaveLength(0);
  });

  describe('to a person promoted from the waiting list', () => {
    const promote = async () => {
      const place = await register();
      await workers.owner.query(`UPDATE events.event_registrations SET entry_revision = 1 WHERE id = $1`, [
        place.id,
      ]);
      return { id: place.id, tell: () => workers.ask('events', PromotedMail, told(place)) };
    };

    it('confirm the place with a calendar entry and a link to give it up', async () => {
      await (await promote()).tell();
      const received = await workers.onlyMail();
      expect(received.mail.subject).toBe(`You have a place: ${event.title}`);
      expect(received.mail.text).toContain(
        `Give up your place: https://meet.example/events/${event.id}/give-up`,
      );
      expect(unsubscribeHeader(received)).toBeUndefined();
      expect(findCalendar(received)).toMatchObject({ method: 'REQUEST', sequence: 1 });
    });

    it('skip a promotion if the registration was cancelled or renewed, or the event is over', async () => {
      const { id, tell } = await promote();
      await workers.owner.query(`UPDATE events.event_registrations SET status = 'cancelled' WHERE id = $1`, [
        id,
      ]);
      await tell();
      await workers.owner.query(
        `UPDATE events.event_registrations SET status = 'registered', registered_at = now() + interval '1 s'
         WHERE id = $1`,
        [id],
      );
      await tell();
      event = await insertEvent(workers.owner, { startDate: daysFromNow(-2) });
      await (await promote()).tell();
      await workers.allDone();
      expect(workers.smtp.received).toHaveLength(0);
    });
  });

  it('notify a person removed from the waiting list unless registered or waiting again', async () => {
    const { id } = await register();
    const become = (status: string) =>
      workers.owner.query('UPDATE events.event_registrations SET status = $2 WHERE id = $1', [id, status]);
    const dismiss = () => workers.ask('events', WaitlistDismissedMail, { eventId: event.id, userId: ada.id });
    await dismiss();
    await workers.allDone();
    await become('cancelled');
    await register((await insertUser(workers.owner)).id);
    await workers.owner.query('UPDATE events.events SET capacity = 1 WHERE id = $1', [event.id]);
    await become('waitlisted');
    await dismiss();
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(0);
    await become('cancelled');
    await dismiss();
    const { mail } = await workers.onlyMail();
    expect(mail.subject).toBe(`No longer on the waiting list: ${event.title}`);
    expect(mail.attachments).toEqual([]);
  });

  describe('to an unverified email address', () => {
    beforeEach(async () => {
      await workers.owner.query('UPDATE auth.users SET email_verified_at = NULL WHERE id = $1', [ada.id]);
    });
    const verify = async () => {
      await workers.owner.query('UPDATE auth.users SET email_verified_at = now() WHERE id = $1', [ada.id]);
      await workers.ask('auth', HeldConfirmations, { userId: ada.id });
      await workers.allDone();
    };

    it('confirm a registration once after verification, except for past events', async () => {
      const over = await insertEvent(workers.owner, { startDate: daysFromNow(-2), endDate: daysFromNow(-1) });
      await insertRegistration(workers.owner, { eventId: over.id, userId: ada.id });
      await confirm();
      await workers.allDone();
      expect(workers.smtp.received).toHaveLength(0);
      await verify();
      await verify();
      const { mail } = await workers.onlyMail();
      expect(mail.subject).toBe(`You are registered: ${event.title}`);
    });

    it('confirm a registration for a running event after verification', async () => {
      const running = { title: 'Festival', startDate: daysFromNow(-1), endDate: daysFromNow(1) };
      const { id: eventId } = await insertEvent(workers.owner, running);
      await insertRegistration(workers.owner, { eventId, userId: ada.id });
      await verify();
      expect((await workers.onlyMail()).mail.subject).toBe('You are registered: Festival');
    });

    it('do not confirm a promotion that was already emailed', async () => {
      await workers.owner.query('UPDATE auth.users SET email_verified_at = now() WHERE id = $1', [ada.id]);
      await workers.ask('events', PromotedMail, told(await register()));
      await workers.onlyMail();
      await verify();
      expect(workers.smtp.received).toHaveLength(1);
    });

    it('do not confirm a registration a second time after verification', async () => {
      await workers.owner.query('UPDATE auth.users SET email_verified_at = now() WHERE id = $1', [ada.id]);
      await confirm();
      await workers.onlyMail();
      await verify();
      expect(workers.smtp.received).toHaveLength(1);
    });
  });

  it('attach a calendar entry with the event’s times, location and attendee', async () => {
    await confirm();
    const { entry, method, sequence } = findCalendar(await workers.onlyMail());
    expect(method).toBe('REQUEST');
    expect(entry).toMatchObject({ uid: calendarUid(event.id), summary: event.title });
    expect(entry.startDate.toJSDate()).toEqual(event.startDate);
    expect(entry.endDate.toJSDate()).toEqual(event.endDate);
    expect(entry.location).toBe('Unit 1, "The Mill"');
    expect(sequence).toBe(0);
    expect(entry.attendees.map((person) => person.getFirstValue())).toEqual([
      expect.stringMatching(new RegExp(`^mailto:${ada.email}$`, 'i')),
    ]);
  });

  it.each([
    ['online', null, 'Online'],
    ['online', 'https://meet.example/tea', 'Online: https://meet.example/tea'],
    ['hybrid', 'Unit 1', 'Unit 1 (also online)'],
    ['hybrid', null, 'In person and online'],
  ] as const)('show the location of a %s event at %j as: %s', async (format, location, where) => {
    event = await insertEvent(workers.owner, { format, location });
    await confirm();
    const received = await workers.onlyMail();
    expect(received.mail.text).toContain(`Where: ${where}\n`);
    expect(findCalendar(received).entry.location).toBe(where);
  });

  describe('in the reader’s language', () => {
    beforeEach(() => workers.owner.query("UPDATE auth.users SET locale = 'de' WHERE id = $1", [ada.id]));

    it('use the community’s form of address, and its language if the reader’s is unavailable', async () => {
      await workers.stopWorkers();
      const community = (await workers.startHandlers()).get<PresentCommunity>(COMMUNITY);
      community.formOfAddress = 'informal';
      await confirm();
      const { html, text } = (await workers.onlyMail()).mail;
      expect(text).toContain('Du bist angemeldet.');
      expect(html).toContain('<html lang="de">');
      community.formOfAddress = 'formal';
      await workers.owner.query("UPDATE auth.users SET locale = 'pt' WHERE id = $1", [ada.id]);
      workers.smtp.received.length = 0;
      await rename();
      expect((await workers.onlyMail()).mail.html).toContain('<html lang="en-US">');
    });

    it('translate the payment note and add the language to the unsubscribe header', async () => {
      await workers.owner.query("UPDATE events.events SET price = '12.50' WHERE id = $1", [event.id]);
      await confirm();
      expect((await workers.onlyMail()).mail.text).toContain(
        'Fragen Sie die Organisatoren, wie Sie bezahlen können',
      );
      workers.smtp.received.length = 0;
      await rename();
      expect(unsubscribeHeader(await workers.onlyMail())).toMatch(/\/api\/unsubscribe\/[^?]+\?locale=de>$/);
    });

    it.each([
      ['Unit 1', 'Unit 1 (auch online)'],
      [null, 'Vor Ort und online'],
    ])('show the location of a hybrid event as in the calendar entry: %s', async (location, where) => {
      event = await insertEvent(workers.owner, { format: 'hybrid', location });
      await workers.owner.query(
        `INSERT INTO events.event_contents (event_id, online_url) VALUES ($1, 'https://meet.example/tea')`,
        [event.id],
      );
      await confirm();
      const received = await workers.onlyMail();
      expect(received.mail.text).toContain(`Wo: ${where}\n`);
      const { entry } = findCalendar(received);
      expect([entry.location, entry.description]).toEqual([where, 'Teilnehmen: https://meet.example/tea']);
    });

    it.each([
      ['Unit 1', 'hybrid', 'Unit 1 (auch online)'],
      ['Unit 1 (also online)', undefined, 'Unit 1 (also online)'],
    ] as const)('show the location of a cancelled event: %s, %s', async (location, format, where) => {
      await cancel({ location, format });
      const received = await workers.onlyMail();
      expect(received.mail.text).toContain(`Wo: ${where}\n`);
      expect(findCalendar(received).entry.location).toBe(where);
    });
  });

  it('show an all-day event on the days of the community’s time zone', async () => {
    const [startDate, endDate] = [new Date('2027-06-03T23:00:00Z'), new Date('2027-06-05T23:00:00Z')];
    event = await insertEvent(workers.owner, { startDate, endDate, isAllDay: true });
    await confirm();
    const received = await workers.onlyMail();
    const { entry } = findCalendar(received);
    expect([entry.startDate.toString(), entry.endDate.toString()]).toEqual(['2027-06-04', '2027-06-06']);
    expect(received.mail.text).toContain('When: Friday, June 4 – Saturday, June 5, 2027');
  });

  describe('to a guest added by an organiser', () => {
    const guest = { name: 'Zaphod <b>Guest</b>', email: 'grace@example.org' };
    // Emails omit the entered name, because the email address may belong to someone else.
    afterEach(() => {
      for (const { raw, mail } of workers.smtp.received) {
        const attached = mail.attachments.map(({ content }) =>
          typeof content === 'string' ? content : new TextDecoder().decode(content),
        );
        expect([raw.toString(), mail.text, mail.html, ...attached].join('\n')).not.toContain('Zaphod');
      }
    });
    const added = async (email: string | null = guest.email) => {
      const [rows] = await workers.owner.query<[{ id: string; at: Date }][]>(
        `INSERT INTO events.event_registrations (id, event_id, guest_name, guest_email, status, show_me)
         VALUES (gen_random_uuid(), $1, $2, $3, 'registered', 'no') RETURNING id, registered_at AS at`,
        [event.id, guest.name, email],
      );
      const { id, at } = rows as unknown as { id: string; at: Date };
      return { registrationId: id, registeredAt: at.toISOString() };
    };

    it('confirm the registration with a link to take it over', async () => {
      await workers.ask('events', RegistrationConfirmedMail, await added());
      const received = await workers.onlyMail();
      expect(received.recipients).toEqual([guest.email]);
      expect(received.mail.text).toMatch(/^Hello,$/m);
      expect(received.mail.text).toContain(`https://meet.example/e/${await fetchSlug(event.id)}#take-over`);
      expect(received.mail.text).not.toContain('give-up');
      expect(received.mail.text).toContain('Your code for the door: ');
      expect(findCalendar(received)).toMatchObject({ method: 'REQUEST' });
    });

    it('skip guests without an email address, and send guests no reminders', async () => {
      await workers.ask('events', RegistrationConfirmedMail, await added(null));
      const { registrationId } = await added();
      await workers.ask('events', ReminderMail, { registrationId, startDate: event.startDate.toISOString() });
      await workers.allDone();
      expect(workers.smtp.received).toHaveLength(0);
    });

    it('report a new time of the event once', async () => {
      await added();
      await added(null);
      await workers.owner.query('UPDATE events.events SET sequence = 1 WHERE id = $1', [event.id]);
      await workers.ask('events', EventChanged, { eventId: event.id, sequence: 1, changed: ['time'] });
      await workers.mails(1);
      const received = await workers.onlyMail();
      expect(received.recipients).toEqual([guest.email]);
      expect(findCalendar(received)).toMatchObject({ method: 'REQUEST', sequence: 1 });
    });

    it('report the cancellation of a deleted event', async () => {
      await workers.ask('events', EventCancelledMail, {
        guest,
        event: {
          id: NOBODY,
          title: event.title,
          location: null,
          startDate: event.startDate.toISOString(),
          endDate: event.endDate.toISOString(),
          sequence: 3,
        },
      });
      const received = await workers.onlyMail();
      expect(received.recipients).toEqual([guest.email]);
      expect(findCalendar(received)).toMatchObject({ method: 'CANCEL' });
    });

    it('report a removed registration, with the reason only if a member had taken it over', async () => {
      const place = await added();
      await workers.owner.query(
        `UPDATE events.event_registrations SET status = 'cancelled', entry_revision = 1 WHERE id = $1`,
        [place.registrationId],
      );
      const removed = { ...place, reason: 'Only\n3 chairs', waited: false };
      await workers.ask('events', PlaceRemovedMail, removed);
      const received = await workers.onlyMail();
      expect(received.mail.subject).toBe(`Your registration was canceled: ${event.title}`);
      expect(received.mail.text).not.toContain('3 chairs');
      expect(findCalendar(received)).toMatchObject({ method: 'CANCEL', sequence: 1 });
      await workers.owner.query(
        'UPDATE events.event_registrations SET user_id = $2, added_as = guest_name, guest_name = NULL WHERE id = $1',
        [place.registrationId, ada.id],
      );
      workers.smtp.received.length = 0;
      await workers.ask('events', PlaceRemovedMail, removed);
      expect((await workers.onlyMail()).mail.text).toContain('From the organizers: Only 3 chairs');
    });
  });

  it('do not confirm a registration that was cancelled or renewed meanwhile', async () => {
    const { id } = await register();
    await workers.ask('events', RegistrationConfirmedMail, {
      registrationId: id,
      registeredAt: new Date(0).toISOString(),
    });
    await workers.owner.query(`UPDATE events.event_registrations SET status = 'cancelled' WHERE id = $1`, [
      id,
    ]);
    await workers.ask('events', RegistrationConfirmedMail, {
      registrationId: id,
      registeredAt: new Date().toISOString(),
    });
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(0);
  });

  it('have a signed one-click unsubscribe link', async () => {
    await register();
    await rename();
    const received = await workers.onlyMail();
    const { mail } = received;
    const [, token = ''] = /^<https:\/\/meet\.example\/api\/unsubscribe\/(.*)>$/.exec(
      unsubscribeHeader(received) ?? '',
    ) ?? [''];
    expect(mail.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value).toBe(
      'List-Unsubscribe=One-Click',
    );
    expect(verifyUnsubscribe(token, [SECRETS.link])).toEqual({ userId: ada.id, list: 'eventUpdates' });
    expect(verifyUnsubscribe(token, ['another secret that has thirty-two chars'])).toBeNull();
    expect(mail.text).toContain(
      `Unsubscribe from these emails: https://meet.example/unsubscribe?token=${token}`,
    );
  });

  it('are marked as skipped for a member who opted out', async () => {
    await confirm();
    await workers.onlyMail();
    workers.smtp.received.length = 0;
    await turnOff('event_updates');
    await rename();
    await workers.allDone();
    expect(workers.smtp.received).toHaveLength(0);
    const outcomes = await workers.owner.query<{ job: string; skipped: boolean }[]>(
      `SELECT job, skipped FROM events.outbox WHERE payload ->> 'userId' = $1 OR payload ->> 'registrationId' IN
         (SELECT id::text FROM events.event_registrations WHERE user_id = $1::uuid) ORDER BY created_at`,
      [ada.id],
    );
    expect(outcomes).toEqual([
      { job: RegistrationConfirmedMail.name, skipped: false },
      { job: EventChangedMail.name, skipped: true },
    ]);
  });

  it.each([
    ['a confirmation', () => confirm()],
    ['a cancellation', () => cancel()],
    ['a new time', async () => (await register(), await tellOfChange(['time']))],
    ['a new venue', async () => (await register(), await tellOfChange(['title', 'location']))],
  ])('report %s even to a member who opted out of everything', async (_, ask) => {
    await turnOff('event_updates');
    await turnOff('reminders');
    await ask();
    const received = await workers.onlyMail();
    expect(unsubscribeHeader(received)).toBeUndefined();
    expect(received.mail.text).not.toContain('Unsubscribe from these emails');
    expect(received.mail.text).toContain('We always send emails about your registrations.');
  });

  const cancel = (given: Partial<CancelledEvent> = {}, waiting?: true) =>
    workers.ask('events', EventCancelledMail, {
      userId: ada.id,
      ...(waiting && { waiting }),
      event: {
        id: event.id,
        title: event.title,
        location: null,
        startDate: event.startDate.toISOString(),
        endDate: event.endDate.toISOString(),
        sequence: 3,
        ...given,
      },
    });

  it('remove a cancelled event from the calendar', async () => {
    await cancel();
    const received = await workers.onlyMail();
    expect(received.mail.subject).toBe(`Canceled: ${event.title}`);
    const { entry, method, sequence, status } = findCalendar(received);
    expect({ method, status, sequence }).toEqual({ method: 'CANCEL', status: 'CANCELLED', sequence: 3 });
    expect(entry.uid).toBe(calendarUid(event.id));
    expect(entry.startDate.toJSDate()).toEqual(event.startDate);
  });

  it('report only the cancellation when other emails about the event are pending', async () => {
    const place = told(await register());
    await workers.stopWorkers();
    await workers.ask('events', RegistrationConfirmedMail, place);
    await workers.ask('events', PromotedMail, place);
    const { registrationId } = place;
    await workers.ask('events', ReminderMail, { registrationId, startDate: event.startDate.toISOString() });
    await tellOfChange(['time']);
    await workers.owner.query(
      "UPDATE events.events SET status = 'cancelled', cancelled_at = now() WHERE id = $1",
      [event.id],
    );
    await cancel({ page: true });
    await workers.startHandlers();
    expect((await workers.onlyMail()).mail.subject).toBe(`Canceled: ${event.title}`);
  });

  it('show the reason for a cancellation and link to the event page', async () => {
    await cancel({ reason: 'The hall is\nflooded', page: true, slug: 'tea-and-scones' });
    const { mail } = await workers.onlyMail();
    expect(mail.text).toContain('Why: The hall is flooded');
    expect(mail.text).toContain('View event: https://meet.example/e/tea-and-scones\n');
  });

  it('attach no calendar entry for a waiting person when the event is cancelled', async () => {
    await cancel({}, true);
    const { mail } = await workers.onlyMail();
    expect(mail.attachments).toEqual([]);
    expect(mail.text).toContain('you were on the waiting list for');
    expect(mail.text).toContain('See other events: https://meet.example/');
  });

  it('show only the days of a cancelled all-day event', async () => {
    const [startDate, endDate] = ['2027-06-03T23:00:00.000Z', '2027-06-05T23:00:00.000Z'];
    await cancel({ startDate, endDate, isAllDay: true });
    const received = await workers.onlyMail();
    expect(received.mail.text).toContain('When: Friday, June 4 – Saturday, June 5, 2027\n');
    const { entry } = findCalendar(received);
    expect([entry.startDate.toString(), entry.endDate.toString()]).toEqual(['2027-06-04', '2027-06-06']);
  });

  describe('when a registration is cancelled', () => {
    const giveUp = async () => {
      const place = await register();
      await workers.owner.query(
        `UPDATE events.event_registrations SET status = 'cancelled', entry_revision = 1 WHERE id = $1`,
        [place.id],
      );
      return told(place);
    };

    it('raise the sequence number to remove the calendar entry', async () => {
      await workers.owner.query('UPDATE events.events SET sequence = 4 WHERE id = $1', [event.id]);
      await workers.ask('events', UnregisteredMail, await giveUp());
      const received = await workers.onlyMail();
      expect(received.mail.subject).toBe(`You are no longer registered: ${event.title}`);
      const { entry, method, sequence, status } = findCalendar(received);
      expect({ method, status, sequence }).toEqual({ method: 'CANCEL', status: 'CANCELLED', sequence: 5 });
      expect(entry.uid).toBe(calendarUid(event.id));
      expect(unsubscribeHeader(received)).toContain('.reminders.');
    });

    it('raise the sequence number to restore the calendar entry after a new registration', async () => {
      const { registrationId } = await giveUp();
      const [rows] = await workers.owner.query<[{ at: Date }[], number]>(
        `UPDATE events.event_registrations SET status = 'registered', registered_at = now(), entry_revision = 2
         WHERE id = $1 RETURNING registered_at AS at`,
        [registrationId],
      );
      const registeredAt = rows[0]!.at.toISOString();
      await workers.ask('events', RegistrationConfirmedMail, { registrationId, registeredAt });
      expect(findCalendar(await workers.onlyMail())).toMatchObject({ method: 'REQUEST', sequence: 2 });
    });

    it('skip an outdated or renewed registration, and a member with reminders off', async () => {
      const payload = await giveUp();
      await workers.ask('events', UnregisteredMail, { ...payload, registeredAt: new Date(0).toISOString() });
      await workers.owner.query(`UPDATE events.event_registrations SET status = 'registered' WHERE id = $1`, [
        payload.registrationId,
      ]);
      await workers.ask('events', UnregisteredMail, payload);
      await workers.allDone();
      await workers.owner.query(`UPDATE events.event_registrations SET status = 'cancelled' WHERE id = $1`, [
        payload.registrationId,
      ]);
      await turnOff('reminders');
      await workers.ask('events', UnregisteredMail, payload);
      await workers.allDone();
      expect(workers.smtp.received).toHaveLength(0);
    });
  });

  describe('on the day before an event', () => {
    const remind = async (startDate: Date) => {
      const { id } = await register();
      return workers.ask('events', ReminderMail, { registrationId: id, startDate: startDate.toISOString() });
    };

    it('remind a registered person of the event', async () => {
      await remind(event.startDate);
      expect((await workers.onlyMail()).mail.subject).toBe(`Coming up: ${event.title}`);
    });

    it('follow the preference for reminders, not the one for event updates', async () => {
      await turnOff('event_updates');
      const job = await remind(event.startDate);
      const { mail } = await workers.onlyMail();
      expect(mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toContain('.reminders.');
      await turnOff('reminders');
      await workers.owner.query('UPDATE events.outbox SET done_at = NULL, relayed_at = NULL WHERE id = $1', [
        job,
      ]);
      await workers.allDone();
      expect(workers.smtp.received).toHaveLength(1);
    });

    it('send no reminder when the event was rescheduled or has started', async () => {
      await remind(new Date(event.startDate.getTime() + HOUR));
      event = await insertEvent(workers.owner, { startDate: new Date(Date.now() - HOUR) });
      await remind(event.startDate);
      await workers.allDone();
      expect(workers.smtp.received).toHaveLength(0);
    });
  });

  describe('when an event is edited', () => {
    const edit = async (sequence: number, changed: ('title' | 'time' | 'location')[]) => {
      await workers.owner.query('UPDATE events.events SET sequence = $2, title = $3 WHERE id = $1', [
        event.id,
        sequence,
        `Version ${sequence}`,
      ]);
      return workers.ask('events', EventChanged, { eventId: event.id, sequence, changed });
    };

    it('notify each registered person once and update their calendar', async () => {
      const bob = await insertUser(workers.owner);
      await register();
      await register(bob.id);
      const { id: gone } = await register((await insertUser(workers.owner)).id);
      await workers.owner.query(`UPDATE events.event_registrations SET status = 'cancelled' WHERE id = $1`, [
        gone,
      ]);
      await edit(1, ['location', 'time']);
      await workers.allDone();
      const { received } = workers.smtp;
      expect(received.map(({ recipients }) => recipients[0]).sort()).toEqual([ada.email, bob.email].sort());
      expect(received[0]?.mail.text).toContain('has a new time and venue');
      expect(findCalendar(received[0]!)).toMatchObject({ method: 'REQUEST', sequence: 1 });
    });

    it('skip edits that cancel each other out unless the person registered in between', async () => {
      const bob = await insertUser(workers.owner);
      const [since, now] = [new Date(Date.now() - HOUR), new Date()];
      await insertRegistration(workers.owner, {
        eventId: event.id,
        userId: ada.id,
        registeredAt: new Date(since.getTime() - HOUR),
      });
      await insertRegistration(workers.owner, {
        eventId: event.id,
        userId: bob.id,
        registeredAt: new Date(now.getTime() - HOUR / 2),
      });
      await workers.ask('events', EventChanged, {
        eventId: event.id,
        sequence: 2,
        changed: [],
        edited: ['time'],
        since: since.toISOString(),
      });
      expect((await workers.onlyMail()).recipients).toEqual([bob.email]);
      await workers.allDone();
      expect(workers.smtp.received).toHaveLength(1);
    });

    it('notify a person once when the job runs twice', async () => {
      await register();
      await workers.stopWorkers();
      const change = { eventId: event.id, sequence: 1, changed: ['time' as const] };
      const id = await workers.ask('events', EventChanged, change);
      const context = { id, name: EventChanged.name, createdAt: new Date() };
      const job = new EventChangedJob(workers.asWorker, new OutboxReader(workers.asWorker));
      for (let time = 0; time < 2; time += 1) await job.handle(change, context);
      await workers.startHandlers();
      expect((await workers.onlyMail()).mail.text).toContain('has a new time');
    });

    it('show new and previous values with the organisers’ notes', async () => {
      event = await insertEvent(workers.owner, {
        title: 'New title',
        location: 'Town hall',
        price: '12.50',
        startDate: new Date('2030-06-06T17:00:00Z'),
        endDate: new Date('2030-06-06T19:00:00Z'),
      });
      await register();
      await workers.ask('events', EventChanged, {
        eventId: event.id,
        sequence: 1,
        changed: ['title', 'time', 'location', 'price'],
        before: {
          title: 'Old <title>',
          time: JSON.stringify(['2030-06-05T17:00:00.000Z', '2030-06-05T19:00:00.000Z', false]),
          location: JSON.stringify(['online', null]),
          price: JSON.stringify(null),
        },
        notes: ['The hall\nis warmer', 'And bigger'],
      });
      const { mail } = await workers.onlyMail();
      for (const line of [
        'has a new time, venue, price, and title',
        'New title (was Old <title>)',
        'How to pay: Ask the organizer how to pay',
        'When: Thursday, June 6, 2030, 6:00 – 8:00 PM BST (was Wednesday, June 5, 2030, 6:00 – 8:00 PM BST)',
        'Where: Town hall (was Online)',
        'Price: £12.50 (was Free)',
        'From the organizers: The hall is warmer',
        'From the organizers: And bigger',
      ])
        expect(mail.text).toContain(line);
      const html = String(mail.html);
      expect(html).toMatch(/<s [^>]*>Old &lt;title&gt;<\/s><br \/>\s*<h1[^>]*>\s*New title/);
      expect(html).toMatch(/<s [^>]*>Free<\/s><br \/>\s*<b>£12.50/);
    });

    it('show new and previous times in the event’s own time zone', async () => {
      event = await insertEvent(workers.owner, {
        timeZone: 'America/New_York',
        startDate: new Date('2030-06-06T22:00:00Z'),
        endDate: new Date('2030-06-07T00:00:00Z'),
      });
      await register();
      await workers.ask('events', EventChanged, {
        eventId: event.id,
        sequence: 1,
        changed: ['time'],
        before: { time: JSON.stringify(['2030-06-06T17:00:00.000Z', '2030-06-06T19:00:00.000Z', false]) },
      });
      expect((await workers.onlyMail()).mail.text).toContain(
        'When: Thursday, June 6, 2030, 6:00 – 8:00 PM EDT (was Thursday, June 6, 2030, 1:00 – 3:00 PM EDT)',
      );
    });

    it('leave out unchanged values, and send nothing when nothing changed', async () => {
      await register();
      const same = JSON.stringify([event.startDate, event.endDate, false]);
      const mail = { eventId: event.id, userId: ada.id, sequence: 1 };
      await workers.ask('events', EventChangedMail, { ...mail, changed: ['time'], before: { time: same } });
      await workers.allDone();
      expect(workers.smtp.received).toHaveLength(0);
      await workers.ask('events', EventChangedMail, {
        ...mail,
        changed: ['time', 'title'],
        before: { time: same, title: 'Other' },
      });
      const { mail: sent } = await workers.onlyMail();
      expect(sent.text).toContain('has a new title');
      expect(sent.text).toContain('(was Other)');
    });

    it.each([
      [['price'], 'eventUpdates'],
      [['title'], 'eventUpdates'],
      [['details'], 'eventUpdates'],
      [['price', 'time'], undefined],
      [['accessibility'], undefined],
    ] as const)('assign an email about %j to the unsubscribe list %s', async (changed, list) => {
      await register();
      await turnOff('event_updates');
      await workers.ask('events', EventChangedMail, {
        eventId: event.id,
        userId: ada.id,
        sequence: 1,
        changed: [...changed],
      });
      await workers.allDone();
      expect(workers.smtp.received).toHaveLength(list ? 0 : 1);
    });

    it('combine several edits after an outage of the mail server', async () => {
      await restart('start');
      await register();
      await workers.smtp.close();
      await edit(1, ['time']);
      await waiting(1);
      await edit(2, ['title']);
      await waiting(2);
      await workers.smtp.open();
      const { mail } = await workers.onlyMail();
      expect(mail.subject).toBe('Changed: Version 2');
      expect(mail.text).toContain('has a new time and title');
      expect(await outcomes()).toEqual([
        { skipped: false, last_error: null },
        { skipped: true, last_error: null },
      ]);
      await restart('startHandlers');
    });

    it('skip people who registered after the edit, and past events', async () => {
      await edit(1, ['time']);
      await insertRegistration(workers.owner, {
        eventId: event.id,
        userId: ada.id,
        registeredAt: new Date(Date.now() + HOUR),
      });
      await workers.allDone();
      event = await insertEvent(workers.owner, {
        startDate: new Date(Date.now() - 3 * HOUR),
        endDate: new Date(Date.now() - HOUR),
      });
      await insertRegistration(workers.owner, { eventId: event.id, userId: ada.id });
      await edit(1, ['time']);
      await workers.allDone();
      expect(workers.smtp.received).toHaveLength(0);
    });

    const outcomes = () =>
      workers.owner.query(
        `SELECT skipped, last_error FROM events.outbox
         WHERE job = 'mail.eventChanged' AND payload ->> 'eventId' = $1 ORDER BY skipped`,
        [event.id],
      );
    const waiting = (count: number) =>
      workers.eventually('the mails of the edit', async () => {
        const rows: unknown[] = await workers.owner.query(
          `SELECT FROM events.outbox WHERE job = 'mail.eventChanged' AND payload ->> 'eventId' = $1`,
          [event.id],
        );
        return rows.length === count;
      });
  });
});

function readQr(png: ArrayBuffer): string {
  const { data: packed, width, height, depth, channels } = decodePng(png);
  expect([depth, channels, width % 8]).toEqual([1, 1, 0]);
  const data = Uint8Array.from({ length: width * height * 3 }, (_, n) => {
    const pixel = Math.floor(n / 3);
    return (packed[pixel >> 3]! >> (7 - (pixel % 8))) & 1 ? 255 : 0;
  });
  return decodeQR({ data, width, height });
}

function findCalendar({ mail }: ReceivedMail) {
  const attached = mail.attachments.find(
    ({ mimeType }) => mimeType.includes('ics') || mimeType.includes('calendar'),
  );
  const content = attached?.content;
  const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
  const calendar = ICAL.Component.fromString(text);
  const component = calendar.getFirstSubcomponent('vevent');
  if (component === null) throw new Error('no entry');
  return {
    method: calendar.getFirstPropertyValue('method'),
    status: component.getFirstPropertyValue('status'),
    sequence: component.getFirstPropertyValue('sequence'),
    entry: new ICAL.Event(component),
  };
}
