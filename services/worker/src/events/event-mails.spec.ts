import { randomUUID } from 'node:crypto';
import { COMMUNITY, OutboxReader, type PresentCommunity } from '@meetmark/platform';
import {
  calendarUid,
  type CancelledEvent,
  EventCancelledMail,
  EventChanged,
  EventChangedMail,
  HeldConfirmations,
  type Job,
  NamedInEventMail,
  type NotifiedChange,
  type PayloadOf,
  PlaceRemovedMail,
  PromotedMail,
  ProposalDecidedMail,
  RegistrationConfirmedMail,
  ReminderMail,
  type ShownState,
  UnregisteredMail,
  WaitlistDismissedMail,
  WaitlistJoinedMail,
} from '@meetmark/contracts';
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
import decodeQR from 'qr/decode.js';
import { parseCalendar } from '../testing/calendar.js';
import { SECRETS, stoppedBy, workersForTests } from '../testing/test-worker.js';
import { EventChangedJob } from './event-changed.js';

const HOUR = 3_600_000;

describe('event emails', () => {
  const workers = workersForTests();
  let community: PresentCommunity;
  let ada: UserRow;
  let event: EventRow;

  beforeAll(async () => {
    community = (await workers.startHandlers()).get<PresentCommunity>(COMMUNITY);
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
    workers.smtp.manners = 'take';
  });

  const send = <J extends Job>(job: J, payload: PayloadOf<J>) => workers.send('events', job, payload);
  const expectNone = async <J extends Job>(job: J, payload: PayloadOf<J>) =>
    expect(await workers.run('events', job, payload)).toEqual([]);
  const findUrl = async (id: string) => {
    const [row] = await workers.owner.query<[{ slug: string }]>(
      'SELECT event_slug AS slug FROM events.events WHERE id = $1',
      [id],
    );
    return `https://meet.example/e/${row.slug}`;
  };
  const register = (given: Partial<RegistrationRow> = {}) =>
    insertRegistration(workers.owner, { eventId: event.id, userId: ada.id, ...given });
  const registerOther = async (given: Partial<RegistrationRow> = {}) =>
    register({ userId: (await insertUser(workers.owner)).id, ...given });
  const change = (id: string, changes: Partial<RegistrationRow> & { entryRevision?: number }) =>
    workers.update('events.event_registrations', id, changes);
  const told = ({ id, registeredAt }: RegistrationRow) => ({
    registrationId: id,
    registeredAt: registeredAt.toISOString(),
  });
  const remindOf = ({ id }: Pick<RegistrationRow, 'id'>, startDate = event.startDate) => ({
    ...{ registrationId: id, startDate: startDate.toISOString() },
  });
  const confirm = async () => send(RegistrationConfirmedMail, told(await register()));
  const noticeOf = (changed: NotifiedChange[]) => ({
    ...{ eventId: event.id, userId: ada.id, sequence: 1, changed },
  });
  const tellOfChange = (changed: NotifiedChange[]) => send(EventChangedMail, noticeOf(changed));
  const changeEvent = (changes: object) => workers.update('events.events', event.id, changes);
  const changeUser = (changes: object) => workers.update('auth.users', ada.id, changes);
  const name = ({ id: eventId, createdById: askedById }: EventRow, manages = false) =>
    workers.insert('events.event_people', {
      ...{ eventId, role: 'host', position: 0, userId: ada.id, manages, askedById },
    });
  const asJob = (given: Partial<CancelledEvent> = {}): CancelledEvent => ({
    id: event.id,
    title: event.title,
    location: null,
    startDate: event.startDate.toISOString(),
    endDate: event.endDate.toISOString(),
    sequence: 3,
    ...given,
  });
  const cancel = (given: Partial<CancelledEvent> = {}, waiting?: true) =>
    send(EventCancelledMail, {
      userId: ada.id,
      ...(waiting && { waiting }),
      event: asJob(given),
    });

  it('confirm a registration with title, time, venue, link and calendar entry', async () => {
    const received = await confirm();
    const { subject, text } = received.mail;
    expect(subject).toBe(`You are registered: ${event.title}`);
    expect(text).toMatch(/When: Thursday, June 3, 2027(,| at) 6:00 – 8:30 PM BST\n/);
    expect(text).toContain('Where: Unit 1, "The Mill"\n');
    expect(text).toContain(`${await findUrl(event.id)}\n`);
    const { entry, method, sequence } = findCalendar(received);
    expect({ method, sequence }).toEqual({ method: 'REQUEST', sequence: 0 });
    expect(entry).toMatchObject({ uid: calendarUid(event.id), summary: event.title });
    expect(entry.startDate.toJSDate()).toEqual(event.startDate);
    expect(entry.endDate.toJSDate()).toEqual(event.endDate);
    expect(entry.location).toBe('Unit 1, "The Mill"');
    expect(entry.attendees.map((person) => person.getFirstValue())).toEqual([
      expect.stringMatching(new RegExp(`^mailto:${ada.email}$`, 'i')),
    ]);
  });

  it('contain the check-in code as a QR code and as text for a registered person', async () => {
    const place = await register();
    const mails = [
      await send(RegistrationConfirmedMail, told(place)),
      await send(PromotedMail, told(place)),
      await send(ReminderMail, remindOf(place)),
    ];
    const code = sealId('guest', place.id, SECRETS.guestCode);
    for (const { mail, raw } of mails) {
      const [picture, ...more] = listImages(mail);
      expect(more).toEqual([]);
      expect(mail.html).toContain(`src="cid:${picture!.contentId!.slice(1, -1)}"`);
      expect(readQr(picture!.content as ArrayBuffer)).toBe(`https://meet.example/c/${code}`);
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
    const { mail } = await confirm();
    expect(mail.text).not.toContain('code');
    expect(mail.html).not.toContain('cid:');
    expect(listImages(mail)).toEqual([]);
  });

  describe('about an event with a venue, a joining link and a price', () => {
    const LINK = 'https://meet.example.org/room?pwd=1';

    beforeEach(async () => {
      event = await insertEvent(workers.owner, {
        ...{ format: 'hybrid', location: 'Leeds', price: '12.50' },
        description: `First\n\n${'word '.repeat(100)}`,
      });
      await changeEvent({ paymentNote: 'Card at the door' });
      await workers.insert('events.event_contents', {
        ...{ eventId: event.id, venueName: 'The Mill', venueAddress: '12 Wharf Street', onlineUrl: LINK },
        ...{ venueNote: 'Blue door', onlineNote: 'Passcode 7', accessibility: 'Step-free from Wharf Street' },
      });
    });

    it('show venue, directions, joining link, price, payment note and a shortened description', async () => {
      const received = await confirm();
      const { text } = received.mail;
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
        expect(text).toContain(line);
      expect(findCalendar(received).entry.description).toBe(`Join: ${LINK}\n\nPasscode 7`);
      const [about = ''] = /First word.*/.exec(text ?? '') ?? [];
      expect(about.length).toBeLessThanOrEqual(302);
      expect(about).toMatch(/ word …$/);
    });

    it('use the organiser’s map, the community’s payment note and a Markdown description', async () => {
      const map = 'https://maps.example.org/mill';
      await workers.owner.query('UPDATE events.event_contents SET venue_map_url = $2 WHERE event_id = $1', [
        ...[event.id, map],
      ]);
      await changeEvent({
        ...{ paymentNote: null, descriptionFormat: 'markdown', description: '# Talks\n\n**Bold** words' },
      });
      const { text } = (await confirm()).mail;
      expect(text).toContain(`Directions: ${map}`);
      expect(text).toContain('How to pay: Ask the organizer how to pay');
      expect(text).toContain('\nTalks Bold words\n');
    });

    it('show the number of people on the waiting list', async () => {
      await changeEvent({ capacity: 1 });
      const place = await register();
      for (let count = 0; count < 2; count += 1) await registerOther({ status: 'waitlisted' });
      const { mail } = await send(RegistrationConfirmedMail, told(place));
      expect(mail.text).toContain('2 people are waiting');
    });

    it('contain no joining link for people without a registration', async () => {
      const place = await register({ status: 'cancelled' });
      await name(event);
      const reader = { eventId: event.id, userId: ada.id };
      for (const { raw, mail } of [
        await send(UnregisteredMail, told(place)),
        await send(WaitlistDismissedMail, reader),
        await send(NamedInEventMail, { ...reader, role: 'host' }),
      ])
        expect(raw + mail.text + mail.html).not.toMatch(/room|Passcode/);
    });
  });

  it.each(['draft', 'published'] as const)(
    'invite a co-host to a %s event, with an image only once it is public',
    async (status) => {
      event = await insertEvent(workers.owner, { status });
      await name(event, true);
      const invited = { eventId: event.id, userId: ada.id, role: 'host' } as const;
      const { mail } = await send(NamedInEventMail, invited);
      const pages = mail.html!.match(/https:\/\/meet\.example\/(media\/share|events)\/[^"]*/g) ?? [];
      expect(pages.map((page) => page.split('/')[3])).toEqual(status === 'draft' ? [] : ['media']);
    },
  );

  it('link an accepted proposal to the admin page of its draft', async () => {
    const { id } = await insertEvent(workers.owner, { status: 'draft' });
    const proposalId = randomUUID();
    await workers.insert('events.proposals', {
      ...{ id: proposalId, proposerId: ada.id, eventId: id, title: 'Talks', decidedAt: new Date() },
      ...{ startDate: daysFromNow(1), endDate: daysFromNow(2) },
    });
    const { mail } = await send(ProposalDecidedMail, { userId: ada.id, proposalId });
    expect(mail.text).toContain(`https://meet.example/admin/events/${id}`);
    expect(mail.text).not.toContain(`https://meet.example/events/${id}`);
  });

  it('suggest the next three open public events after a cancellation', async () => {
    const soon = (minutes: number, given: Partial<EventRow> = {}) =>
      insertEvent(workers.owner, {
        ...{ title: `In ${minutes} minutes`, startDate: new Date(Date.now() + minutes * 60_000), ...given },
      });
    const full = await soon(5, { capacity: 1 });
    await register({ eventId: full.id });
    await soon(10, { visibility: 'unlisted' });
    await soon(15, { status: 'draft' });
    await soon(20, { registrationClosesAt: new Date(Date.now() - HOUR) });
    await soon(25, { registrationOpensAt: new Date(Date.now() + 60_000) });
    const next = [await soon(30), await soon(40, { isAllDay: true }), await soon(50)];
    await soon(60);
    const { mail } = await cancel();
    expect(mail.text?.match(/^In \d+ minutes$/gm)).toEqual(next.map(({ title }) => title));
    for (const { id } of next) expect(mail.text).toContain(`\n${await findUrl(id)}\n`);
  });

  it('show the position on the waiting list with a link to leave it', async () => {
    event = await insertEvent(workers.owner, { title: 'Full house', capacity: 1 });
    await registerOther();
    const since = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000);
    await registerOther({ status: 'waitlisted', registeredAt: since(2) });
    const place = await register({ status: 'waitlisted', registeredAt: since(1) });
    const { mail, recipients } = await send(WaitlistJoinedMail, told(place));
    expect([recipients, mail.subject]).toEqual([[ada.email], 'You are on the waiting list: Full house']);
    expect(mail.text).toContain('you are number 2 on the waiting list');
    expect(mail.text).toContain(`Leave the waiting list: https://meet.example/events/${event.id}/give-up`);
    expect(mail.attachments).toEqual([]);
    await change(place.id, { status: 'cancelled' });
    await expectNone(WaitlistJoinedMail, told(place));
  });

  it('confirm a promotion with a calendar entry and a link to give up the place', async () => {
    const place = await register();
    await change(place.id, { entryRevision: 1 });
    const received = await send(PromotedMail, told(place));
    const { subject, text } = received.mail;
    expect(subject).toBe(`You have a place: ${event.title}`);
    expect(text).toContain(`Give up your place: https://meet.example/events/${event.id}/give-up`);
    expect(findCalendar(received)).toMatchObject({ method: 'REQUEST', sequence: 1 });
  });

  it.each([RegistrationConfirmedMail, PromotedMail])(
    'send no $name if the registration was cancelled or renewed meanwhile',
    async (job) => {
      const place = await register();
      await change(place.id, { status: 'cancelled' });
      await expectNone(job, told(place));
      await change(place.id, { status: 'registered', registeredAt: new Date(Date.now() + 1_000) });
      await expectNone(job, told(place));
    },
  );

  it('confirm no promotion for a past event', async () => {
    event = await insertEvent(workers.owner, { startDate: daysFromNow(-2) });
    await expectNone(PromotedMail, told(await register()));
  });

  it('notify a person removed from the waiting list unless registered or waiting again', async () => {
    const { id } = await register();
    const reader = { eventId: event.id, userId: ada.id };
    await expectNone(WaitlistDismissedMail, reader);
    await change(id, { status: 'cancelled' });
    await registerOther();
    await changeEvent({ capacity: 1 });
    await change(id, { status: 'waitlisted' });
    await expectNone(WaitlistDismissedMail, reader);
    await change(id, { status: 'cancelled' });
    const { mail } = await send(WaitlistDismissedMail, reader);
    expect(mail.subject).toBe(`No longer on the waiting list: ${event.title}`);
    expect(mail.attachments).toEqual([]);
  });

  describe('to an unverified email address', () => {
    const verify = async () => {
      await changeUser({ emailVerifiedAt: new Date() });
      const mails = await workers.run('auth', HeldConfirmations, { userId: ada.id });
      return mails.map(({ mail }) => mail.subject).sort();
    };

    it('confirm registrations for upcoming and running events once after verification', async () => {
      await changeUser({ emailVerifiedAt: null });
      const from = async (title: string, start: number, end: number) => {
        const given = { title, startDate: daysFromNow(start), endDate: daysFromNow(end) };
        return register({ eventId: (await insertEvent(workers.owner, given)).id });
      };
      await from('Over', -2, -1);
      await from('Running', -1, 1);
      const place = await from('Upcoming', 1, 2);
      await expectNone(RegistrationConfirmedMail, told(place));
      expect(await verify()).toEqual(['You are registered: Running', 'You are registered: Upcoming']);
      expect(await verify()).toEqual([]);
    });

    it.each([PromotedMail, RegistrationConfirmedMail])(
      'confirm nothing after verification if $name was sent before',
      async (job) => {
        await send(job, told(await register()));
        expect(await verify()).toEqual([]);
      },
    );
  });

  it.each([
    ['online', null, 'Online'],
    ['online', 'https://meet.example/tea', 'Online: https://meet.example/tea'],
    ['hybrid', 'Unit 1', 'Unit 1 (also online)'],
    ['hybrid', null, 'In person and online'],
  ] as const)('show the location of a %s event at %j as: %s', async (format, location, where) => {
    event = await insertEvent(workers.owner, { format, location });
    const received = await confirm();
    expect(received.mail.text).toContain(`Where: ${where}\n`);
    expect(findCalendar(received).entry.location).toBe(where);
  });

  it.each([
    ['Unit 1', 'hybrid'],
    ['Unit 1 (also online)', undefined],
  ] as const)('show the location of a cancelled event: %s, %s', async (location, format) => {
    const received = await cancel({ location, format });
    expect(received.mail.text).toContain('Where: Unit 1 (also online)\n');
    expect(findCalendar(received).entry.location).toBe('Unit 1 (also online)');
  });

  it('use the reader’s language, also in the calendar entry and the unsubscribe link', async () => {
    await changeUser({ locale: 'de' });
    event = await insertEvent(workers.owner, { format: 'hybrid', location: 'Unit 1', price: '12.50' });
    const onlineUrl = 'https://meet.example/tea';
    await workers.insert('events.event_contents', { eventId: event.id, onlineUrl });
    const received = await confirm();
    expect(received.mail.text).toContain('Wo: Unit 1 (auch online)\n');
    expect(received.mail.text).toContain('Fragen Sie die Organisatoren, wie Sie bezahlen können');
    const { location, description } = findCalendar(received).entry;
    expect([location, description]).toEqual(['Unit 1 (auch online)', `Teilnehmen: ${onlineUrl}`]);
    expect(unsubscribeHeader(await tellOfChange(['title']))).toMatch(
      /\/api\/unsubscribe\/[^?]+\?locale=de>$/,
    );
  });

  it('use the community’s form of address, and its language if the reader’s is unavailable', async () => {
    await changeUser({ locale: 'de' });
    community.formOfAddress = 'informal';
    const { html, text } = (await confirm()).mail;
    community.formOfAddress = 'formal';
    expect(text).toContain('Du bist angemeldet.');
    expect(html).toContain('<html lang="de">');
    await changeUser({ locale: 'pt' });
    expect((await tellOfChange(['title'])).mail.html).toContain('<html lang="en-US">');
  });

  it('show an all-day event on the days of the community’s time zone', async () => {
    const [startDate, endDate] = [new Date('2027-06-03T23:00:00Z'), new Date('2027-06-05T23:00:00Z')];
    event = await insertEvent(workers.owner, { startDate, endDate, isAllDay: true });
    for (const received of [await confirm(), await cancel({ isAllDay: true })]) {
      expect(received.mail.text).toContain('When: Friday, June 4 – Saturday, June 5, 2027');
      const { entry } = findCalendar(received);
      expect([entry.startDate.toString(), entry.endDate.toString()]).toEqual(['2027-06-04', '2027-06-06']);
    }
  });

  describe('to a guest added by an organiser', () => {
    const guest = { name: 'Zaphod <b>Guest</b>', email: 'grace@example.org' };
    // Emails omit the entered name, because the email address may belong to someone else.
    afterEach(() => {
      for (const { raw, mail } of workers.smtp.received) {
        const attached = mail.attachments.map(readAttachment);
        expect([raw, mail.text, mail.html, ...attached].join('\n')).not.toContain('Zaphod');
      }
    });
    const added = async (email: string | null = guest.email) => {
      const [place, registeredAt] = [randomUUID(), new Date()];
      await workers.insert('events.event_registrations', {
        ...{ id: place, eventId: event.id, guestName: guest.name, guestEmail: email },
        ...{ showMe: 'no', registeredAt },
      });
      return { registrationId: place, registeredAt: registeredAt.toISOString() };
    };

    it('confirm the registration with a link to take it over', async () => {
      const received = await send(RegistrationConfirmedMail, await added());
      const { text } = received.mail;
      expect(received.recipients).toEqual([guest.email]);
      expect(text).toMatch(/^Hello,$/m);
      expect(text).toContain(`${await findUrl(event.id)}#take-over`);
      expect(text).not.toContain('give-up');
      expect(text).toContain('Your code for the door: ');
      expect(findCalendar(received)).toMatchObject({ method: 'REQUEST' });
    });

    it('skip guests without an email address, and send guests no reminders', async () => {
      await expectNone(RegistrationConfirmedMail, await added(null));
      await expectNone(ReminderMail, remindOf({ id: (await added()).registrationId }));
    });

    it('report a new time of the event once', async () => {
      await added();
      await added(null);
      await changeEvent({ sequence: 1 });
      const received = await send(EventChanged, { eventId: event.id, sequence: 1, changed: ['time'] });
      expect(received.recipients).toEqual([guest.email]);
      expect(findCalendar(received)).toMatchObject({ method: 'REQUEST', sequence: 1 });
    });

    it('report the cancellation of a deleted event', async () => {
      const received = await send(EventCancelledMail, { guest, event: asJob({ id: randomUUID() }) });
      expect(received.recipients).toEqual([guest.email]);
      expect(findCalendar(received)).toMatchObject({ method: 'CANCEL' });
    });

    it('report a removed registration, with the reason only if a member had taken it over', async () => {
      const place = await added();
      await change(place.registrationId, { status: 'cancelled', entryRevision: 1 });
      const removed = { ...place, reason: 'Only\n3 chairs', waited: false };
      const received = await send(PlaceRemovedMail, removed);
      expect(received.mail.subject).toBe(`Your registration was canceled: ${event.title}`);
      expect(received.mail.text).not.toContain('3 chairs');
      expect(findCalendar(received)).toMatchObject({ method: 'CANCEL', sequence: 1 });
      await workers.owner.query(
        'UPDATE events.event_registrations SET user_id = $2, added_as = guest_name, guest_name = NULL WHERE id = $1',
        [place.registrationId, ada.id],
      );
      const { mail } = await send(PlaceRemovedMail, removed);
      expect(mail.text).toContain('From the organizers: Only 3 chairs');
    });
  });

  it('have a signed one-click unsubscribe link', async () => {
    await register();
    const received = await tellOfChange(['title']);
    expect(stoppedBy(received)).toEqual({ userId: ada.id, list: 'eventUpdates' });
    const [, token] = /^<https:\/\/meet\.example\/api\/unsubscribe\/(.*)>$/.exec(
      unsubscribeHeader(received) ?? '',
    )!;
    const { headers, text } = received.mail;
    expect(headers.find(({ key }) => key === 'list-unsubscribe-post')?.value).toBe(
      'List-Unsubscribe=One-Click',
    );
    expect(text).toContain(`Unsubscribe from these emails: https://meet.example/unsubscribe?token=${token}`);
  });

  it.each(['title', 'price', 'details'] as const)(
    'skip a change of the %s for a member who opted out',
    async (changed) => {
      await register();
      await changeUser({ eventUpdates: false });
      const skipped = await workers.ask('events', EventChangedMail, noticeOf([changed]));
      await workers.allDone();
      expect(await workers.row('events', skipped)).toMatchObject({ skipped: true });
      expect(workers.smtp.received).toEqual([]);
    },
  );

  it.each([
    ['a confirmation', () => confirm()],
    ['a cancellation', () => cancel()],
    ['a new time', async () => (await register(), tellOfChange(['price', 'time']))],
    ['new accessibility', async () => (await register(), tellOfChange(['accessibility']))],
    ['a new venue', async () => (await register(), tellOfChange(['title', 'location']))],
  ])('report %s even to a member who opted out of everything', async (_, act) => {
    await changeUser({ eventUpdates: false, reminders: false });
    const received = await act();
    expect(unsubscribeHeader(received)).toBeUndefined();
    expect(received.mail.text).not.toContain('Unsubscribe from these emails');
    expect(received.mail.text).toContain('We always send emails about your registrations.');
  });

  it('remove a cancelled event from the calendar, with the reason and a link to the event page', async () => {
    const received = await cancel({ reason: 'The hall is\nflooded', page: true, slug: 'tea-and-scones' });
    const { subject, text } = received.mail;
    expect(subject).toBe(`Canceled: ${event.title}`);
    expect(text).toContain('Why: The hall is flooded');
    expect(text).toContain('View event: https://meet.example/e/tea-and-scones\n');
    const { entry, method, sequence, status } = findCalendar(received);
    expect({ method, status, sequence }).toEqual({ method: 'CANCEL', status: 'CANCELLED', sequence: 3 });
    expect(entry.uid).toBe(calendarUid(event.id));
    expect(entry.startDate.toJSDate()).toEqual(event.startDate);
  });

  it('report only the cancellation when other emails about the event are pending', async () => {
    const place = await register();
    await workers.ask('events', RegistrationConfirmedMail, told(place));
    await workers.ask('events', PromotedMail, told(place));
    await workers.ask('events', ReminderMail, remindOf(place));
    await workers.ask('events', EventChangedMail, noticeOf(['time']));
    await changeEvent({ status: 'cancelled', cancelledAt: new Date() });
    expect((await cancel({ page: true })).mail.subject).toBe(`Canceled: ${event.title}`);
  });

  it('attach no calendar entry for a waiting person when the event is cancelled', async () => {
    const { mail } = await cancel({}, true);
    expect(mail.attachments).toEqual([]);
    expect(mail.text).toContain('you were on the waiting list for');
    expect(mail.text).toContain('See other events: https://meet.example/');
  });

  describe('when a registration is cancelled', () => {
    const giveUp = async () => {
      const place = await register();
      await change(place.id, { status: 'cancelled', entryRevision: 1 });
      return told(place);
    };

    it('raise the sequence number to remove the calendar entry', async () => {
      await changeEvent({ sequence: 4 });
      const received = await send(UnregisteredMail, await giveUp());
      expect(received.mail.subject).toBe(`You are no longer registered: ${event.title}`);
      const { entry, method, sequence, status } = findCalendar(received);
      expect({ method, status, sequence }).toEqual({ method: 'CANCEL', status: 'CANCELLED', sequence: 5 });
      expect(entry.uid).toBe(calendarUid(event.id));
      expect(stoppedBy(received)).toMatchObject({ list: 'reminders' });
    });

    it('raise the sequence number to restore the calendar entry after a new registration', async () => {
      const { registrationId: id } = await giveUp();
      const registeredAt = new Date();
      await change(id, { status: 'registered', registeredAt, entryRevision: 2 });
      const renewed = { registrationId: id, registeredAt: registeredAt.toISOString() };
      const received = await send(RegistrationConfirmedMail, renewed);
      expect(findCalendar(received)).toMatchObject({ method: 'REQUEST', sequence: 2 });
    });

    it('skip an outdated or renewed registration, and a member with reminders off', async () => {
      const payload = await giveUp();
      await expectNone(UnregisteredMail, { ...payload, registeredAt: new Date(0).toISOString() });
      await change(payload.registrationId, { status: 'registered' });
      await expectNone(UnregisteredMail, payload);
      await change(payload.registrationId, { status: 'cancelled' });
      await changeUser({ reminders: false });
      await expectNone(UnregisteredMail, payload);
    });
  });

  it('remind a registered person of an event unless they turned reminders off', async () => {
    const place = await register();
    await changeUser({ eventUpdates: false });
    const received = await send(ReminderMail, remindOf(place));
    expect(received.mail.subject).toBe(`Coming up: ${event.title}`);
    expect(stoppedBy(received)).toMatchObject({ list: 'reminders' });
    await changeUser({ reminders: false });
    await expectNone(ReminderMail, remindOf(place));
  });

  it('send no reminder when the event was rescheduled or has started', async () => {
    const place = await register();
    await expectNone(ReminderMail, remindOf(place, new Date(event.startDate.getTime() + HOUR)));
    event = await insertEvent(workers.owner, { startDate: new Date(Date.now() - HOUR) });
    await expectNone(ReminderMail, remindOf(await register()));
  });

  describe('when an event is edited', () => {
    const edit = async (sequence: number, changed: NotifiedChange[]) => {
      await changeEvent({ sequence, title: `Version ${sequence}` });
      return { eventId: event.id, sequence, changed };
    };

    it('notify each registered person once and update their calendar', async () => {
      const bob = await insertUser(workers.owner);
      await register();
      await register({ userId: bob.id });
      await registerOther({ status: 'cancelled' });
      const mails = await workers.run('events', EventChanged, await edit(1, ['location', 'time']));
      expect(mails.map(({ recipients }) => recipients[0]).sort()).toEqual([ada.email, bob.email].sort());
      expect(mails[0]?.mail.text).toContain('has a new time and venue');
      expect(findCalendar(mails[0]!)).toMatchObject({ method: 'REQUEST', sequence: 1 });
    });

    it('skip edits that cancel each other out unless the person registered in between', async () => {
      const bob = await insertUser(workers.owner);
      const since = new Date(Date.now() - HOUR);
      await register({ registeredAt: new Date(since.getTime() - HOUR) });
      await register({ userId: bob.id, registeredAt: new Date(since.getTime() + HOUR / 2) });
      const { recipients } = await send(EventChanged, {
        ...{ eventId: event.id, sequence: 2, changed: [], edited: ['time'], since: since.toISOString() },
      });
      expect(recipients).toEqual([bob.email]);
    });

    it('notify a person once when the job runs twice', async () => {
      await register();
      const edited = { eventId: event.id, sequence: 1, changed: ['time' as const] };
      const id = await workers.ask('events', EventChanged, edited);
      const context = { id, name: EventChanged.name, createdAt: new Date() };
      const job = new EventChangedJob(workers.asWorker, new OutboxReader(workers.asWorker));
      for (let time = 0; time < 2; time += 1) await job.handle(edited, context);
      expect((await workers.onlyMail()).mail.text).toContain('has a new time');
    });

    it('show new and previous values, in the event’s time zone, with the organisers’ notes', async () => {
      event = await insertEvent(workers.owner, {
        title: 'New title',
        location: 'Town hall',
        price: '12.50',
        timeZone: 'America/New_York',
        startDate: new Date('2030-06-06T22:00:00Z'),
        endDate: new Date('2030-06-07T00:00:00Z'),
      });
      await register();
      const { mail } = await send(EventChanged, {
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
      for (const line of [
        'has a new time, venue, price, and title',
        'New title (was Old <title>)',
        'How to pay: Ask the organizer how to pay',
        'When: Thursday, June 6, 2030, 6:00 – 8:00 PM EDT (was Wednesday, June 5, 2030, 1:00 – 3:00 PM EDT)',
        'Where: Town hall (was Online)',
        'Price: £12.50 (was Free)',
        'From the organizers: The hall is warmer',
        'From the organizers: And bigger',
      ])
        expect(mail.text).toContain(line);
      expect(mail.html).toMatch(/<s [^>]*>Old &lt;title&gt;<\/s><br \/>\s*<h1[^>]*>\s*New title/);
      expect(mail.html).toMatch(/<s [^>]*>Free<\/s><br \/>\s*<b>£12.50/);
    });

    it('leave out unchanged values, and send nothing when nothing changed', async () => {
      await register();
      const time = JSON.stringify([event.startDate, event.endDate, false]);
      const report = (changed: NotifiedChange[], before: Partial<ShownState>) =>
        workers.run('events', EventChangedMail, { ...noticeOf(changed), before });
      expect(await report(['time'], { time })).toEqual([]);
      const [received] = await report(['time', 'title'], { time, title: 'Other' });
      expect(received!.mail.text).toContain('has a new title');
      expect(received!.mail.text).toContain('(was Other)');
    });

    it('skip people who registered after the edit, and past events', async () => {
      await register({ registeredAt: new Date(Date.now() + HOUR) });
      await expectNone(EventChanged, await edit(1, ['time']));
      const [startDate, endDate] = [new Date(Date.now() - 3 * HOUR), new Date(Date.now() - HOUR)];
      event = await insertEvent(workers.owner, { startDate, endDate });
      await register();
      await expectNone(EventChanged, await edit(1, ['time']));
    });
  });
});

const unsubscribeHeader = ({ mail }: ReceivedMail) =>
  mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value;

const listImages = ({ attachments }: ReceivedMail['mail']) =>
  attachments.filter(({ mimeType }) => mimeType === 'image/png');

function readQr(png: ArrayBuffer): string {
  const { data: packed, width, height, depth, channels } = decodePng(png);
  expect([depth, channels, width % 8]).toEqual([1, 1, 0]);
  const data = Uint8Array.from({ length: width * height * 3 }, (_, n) => {
    const pixel = Math.floor(n / 3);
    return (packed[pixel >> 3]! >> (7 - (pixel % 8))) & 1 ? 255 : 0;
  });
  return decodeQR({ data, width, height });
}

const readAttachment = ({ content }: ReceivedMail['mail']['attachments'][number]) =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

function findCalendar({ mail }: ReceivedMail) {
  const attached = mail.attachments.find(({ mimeType }) => /ics|calendar/.test(mimeType));
  return parseCalendar(readAttachment(attached!));
}
