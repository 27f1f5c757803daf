import { EventChanged, NamedInEventMail, type EventPage, type Identity } from '@meetmark/contracts';
import { EMPTY_CONTENT } from '@meetmark/contracts/events/event-fields';
import { beforeCommit, codes } from '@meetmark/testing';
import { readPages } from '@meetmark/testing/read-pages';
import { insertEvent } from '@meetmark/testing/factories/events';
import { insertUser, updateRow } from '@meetmark/testing/factories/users';
import { manageEvents } from '../../testing/manage-events.js';
import { createCall, eventsForTests, inject, UNKNOWN } from '../../testing/open-events.js';
import { EventLifeService } from '../core/event-life.service.js';
import { EventsService } from '../core/events.service.js';
import { CalendarService } from '../../calendar/calendar.service.js';
import { RenderingUpkeep } from './rendered-texts.js';

const events = eventsForTests();

const LINK = 'https://meet.example/room-7f3a';
const VENUE = { name: 'Platform', address: 'New Station Street, Leeds', note: 'Ring twice', mapUrl: null };
const AGENDA = [
  { startsAt: '2031-05-01T17:00:00.000Z', endsAt: '2031-05-01T17:30:00.000Z', title: 'Doors', note: null },
  { startsAt: '2031-05-01T17:30:00.000Z', endsAt: null, title: 'Talk', note: 'With questions' },
];
const FULL = {
  venue: VENUE,
  onlineUrl: LINK,
  onlineNote: 'Passcode 1234',
  accessibility: 'Step-free',
  agenda: AGENDA,
  resources: [{ title: 'Slides', url: 'https://slides.example/1' }],
  recap: 'It **was** good',
};

const life = inject(events, EventLifeService);
const reading = inject(events, EventsService);
const { admin, create, change, remove, publish, cancel, get, fetchSequence, ...managing } =
  manageEvents(events);
const makeSeries = async (event: EventPage) => (await managing.makeSeries(event))[0]!;

describe('event content', () => {
  it('returns content as entered, and empty fields for an event without content', async () => {
    const created = await create({ ...FULL, descriptionFormat: 'markdown', price: '5', paymentNote: 'Card' });
    expect(created).toMatchObject({ descriptionFormat: 'markdown', paymentNote: 'Card', version: 1 });
    expect(created.content).toEqual({
      ...{ ...FULL, hasOnlineUrl: true },
      ...{ hosts: [], speakers: [], questions: [] },
    });
    const bare = await insertEvent(events.owner);
    expect(await get(bare, null)).toMatchObject({
      ...{ descriptionFormat: 'plain', paymentNote: null },
      content: EMPTY_CONTENT,
    });
  });

  it('keeps omitted content fields and clears those that are null or empty', async () => {
    const created = await create(FULL);
    expect((await change(created, { title: 'Renamed' })).content).toEqual(created.content);
    const cleared = await change(created, {
      ...{ venue: null, onlineUrl: null, onlineNote: null, accessibility: null },
      ...{ agenda: [], resources: null, recap: null },
    });
    expect(cleared.content).toEqual((await get(await insertEvent(events.owner), null)).content);
    expect(cleared.location).toBe('Platform, New Station Street, Leeds');
  });

  describe('location', () => {
    it.each([
      [VENUE, 'Platform, New Station Street, Leeds'],
      [{ ...VENUE, address: null }, 'Platform'],
      [
        { ...VENUE, name: 'n'.repeat(150), address: 'a'.repeat(255) },
        `${'n'.repeat(150)}, ${'a'.repeat(103)}`,
      ],
      [{ ...VENUE, name: 'n', address: `${'a'.repeat(250)}🎉🎉` }, `n, ${'a'.repeat(250)}🎉`],
    ])('derives the location from the venue: %#', async (venue, location) => {
      expect(await create({ venue })).toMatchObject({ location });
      const event = await insertEvent(events.owner);
      expect(await change(event, { venue })).toMatchObject({ location, content: { venue } });
    });

    it('keeps the venue if the location is unchanged, and otherwise drops the venue', async () => {
      const created = await create({ venue: VENUE });
      const same = await change(created, { location: created.location, title: 'Renamed' });
      expect(same.content.venue).toEqual(VENUE);
      const other = await change(created, { location: 'Library' });
      expect(other).toMatchObject({ location: 'Library', content: { venue: null } });
    });

    it('accepts a location in addition to the venue', async () => {
      const created = await create({ venue: VENUE, location: 'Leeds' });
      expect(created).toMatchObject({ location: 'Leeds', content: { venue: VENUE } });
    });
  });

  it('limits the nesting of Markdown when the text or the format changes', async () => {
    const description = '- '.repeat(10);
    const tooDeep = {
      details: { fields: { description: [expect.stringContaining('description has lists')] } },
    };
    const written = await create({ description: 'x', descriptionFormat: 'markdown' });
    await expect(change(written, { description })).rejects.toMatchObject(tooDeep);
    const plain = await create({ description });
    await expect(change(plain, { descriptionFormat: 'markdown' })).rejects.toMatchObject(tooDeep);
    await updateRow(events.owner, 'events.events', written.id, { description });
    expect(await change(written, { title: 'Stored before' })).toMatchObject({ description });
  });

  it('sorts the agenda by time, and rejects items outside the event', async () => {
    const [doors, talk] = AGENDA;
    const created = await create({ agenda: [talk!, doors!] });
    expect(created.content.agenda).toEqual(AGENDA);
    const wrong = (given: object) => [doors!, { ...talk!, ...given }];
    for (const [given, field] of [
      [{ startsAt: '2031-05-01T16:59:59.999Z' }, 'startsAt'],
      [{ startsAt: '2031-05-01T19:00:00.001Z' }, 'startsAt'],
      [{ endsAt: '2031-05-01T19:00:00.001Z' }, 'endsAt'],
      [{ endsAt: '2031-05-01T17:29:59.999Z' }, 'endsAt'],
    ] as const) {
      const refusal = {
        code: 'VALIDATION_FAILED',
        details: { fields: { [`agenda[1].${field}`]: [expect.stringContaining(`agenda[1].${field} must`)] } },
      };
      await expect(create({ agenda: wrong(given) })).rejects.toMatchObject(refusal);
      await expect(change(created, { agenda: wrong(given) })).rejects.toMatchObject(refusal);
    }
    const later = { startDate: '2031-05-02T17:00:00Z', endDate: '2031-05-02T19:00:00Z' };
    expect(await codes([change(created, { ...later, agenda: AGENDA })])).toEqual(['VALIDATION_FAILED']);
  });

  it('moves the agenda with the start date, even across a clock change', async () => {
    const created = await create({ agenda: AGENDA });
    const moved = await change(created, {
      startDate: '2031-11-06T18:00:00Z',
      endDate: '2031-11-06T18:15:00Z',
    });
    expect(moved.content.agenda.map(({ startsAt, endsAt }) => [startsAt, endsAt])).toEqual([
      ['2031-11-06T18:00:00.000Z', '2031-11-06T18:30:00.000Z'],
      ['2031-11-06T18:30:00.000Z', null],
    ]);
  });

  it('reports a changed joining link without writing the link into a job', async () => {
    const event = await create(FULL);
    for (let times = 0; times < 2; times += 1) await change(event, { onlineUrl: `${LINK}-moved` });
    expect(await fetchSequence(event)).toBe(1);
    await change(event, { onlineUrl: null });
    expect(await fetchSequence(event)).toBe(2);
    expect(await events.outbox(EventChanged)).toMatchObject([{ sequence: 2, changed: ['online'] }]);
    const jobs = await events.rows('SELECT payload FROM events.outbox');
    expect(jobs.length).toBeGreaterThan(1);
    expect(JSON.stringify(jobs)).not.toContain(LINK);
    // restoring the original link leaves no change to report
    await change(event, { onlineUrl: LINK });
    expect(await events.outbox(EventChanged)).toMatchObject([{ sequence: 3, changed: [] }]);
  });

  it('allows only edits of the recap and resources after a cancellation', async () => {
    const event = await create(FULL);
    await cancel(event);
    const after = await change(event, { recap: 'Next year', resources: [] });
    expect(after.content).toMatchObject({ recap: 'Next year', resources: [], agenda: AGENDA });
    for (const given of [
      { recap: 'x', title: 'Renamed' },
      { recap: 'x', agenda: [] },
      { onlineUrl: null },
      {},
    ])
      await expect(change(event, given)).rejects.toMatchObject({ code: 'EVENT_CANCELLED' });
  });

  it('deletes the content with the event', async () => {
    const event = await create({ ...FULL, ...TEXTS, speakers: [{ name: 'Grace' }] });
    await remove(event);
    for (const table of ['event_contents', 'event_people', 'rendered_texts'])
      expect(await events.rows(`SELECT FROM events.${table}`)).toEqual([]);
  });

  describe('in a series', () => {
    it('copies content to the drafts of a series, without the recap', async () => {
      const guest = await events.person();
      const event = await create({
        ...FULL,
        hosts: [guest.sub],
        speakers: [{ name: 'Grace', role: 'Admiral' }],
      });
      const made = await makeSeries(event);
      const { content } = await get(made, admin);
      expect(content).toMatchObject({
        venue: VENUE,
        onlineUrl: LINK,
        resources: FULL.resources,
        recap: null,
      });
      expect(content.agenda[1]).toMatchObject({ startsAt: '2031-05-08T17:30:00.000Z', title: 'Talk' });
      expect(content.hosts).toMatchObject([{ id: guest.sub, agreed: false }]);
      expect(content.speakers).toMatchObject([{ name: 'Grace', role: 'Admiral' }]);
      expect(made).not.toHaveProperty('content');
    });

    it('changes the content of later events, and shifts their agenda', async () => {
      const event = await create({ agenda: AGENDA, recap: 'First' });
      const made = await makeSeries(event);
      await change(made, { resources: FULL.resources });
      const agenda = [{ ...AGENDA[0]!, startsAt: '2031-05-01T18:00:00.000Z', endsAt: null }];
      await change(event, { scope: 'later', agenda, venue: VENUE });
      const { content, location } = await get(made, admin);
      expect(content).toMatchObject({ venue: VENUE, resources: FULL.resources, recap: null });
      expect(content.agenda.map(({ startsAt }) => startsAt)).toEqual(['2031-05-08T18:00:00.000Z']);
      expect(location).toBe('Platform, New Station Street, Leeds');
      await change(event, { scope: 'later', startDate: '2031-04-30T16:00:00Z' });
      const moved = (await get(made, admin)).content.agenda.map(({ startsAt }) => startsAt);
      expect(moved).toEqual(['2031-05-07T17:00:00.000Z']);
    });
  });

  describe('the joining link', () => {
    const sees = ({ content: { onlineUrl, onlineNote, hasOnlineUrl } }: EventPage) => {
      expect(hasOnlineUrl).toBe(true);
      expect(onlineNote === null).toBe(onlineUrl === null);
      return onlineUrl;
    };

    it.each([
      ['registered', LINK],
      ['waitlisted', null],
      ['cancelled', null],
    ] as const)('a member who is %s sees the joining link as %s', async (status, seen) => {
      const event = await create({ ...FULL, capacity: 1 });
      const person = await events.person();
      if (status === 'waitlisted') await events.register(event.id, await events.members(1));
      expect(sees(await get(event, person))).toBeNull();
      await events.register(event.id, [person.sub], status);
      expect(sees(await get(event, person))).toBe(seen);
      expect(sees(await get(event, await events.person()))).toBeNull();
      expect(sees(await get(event, null))).toBeNull();
      expect(sees(await get(event, admin))).toBe(LINK);
    });

    it('omits the joining link from the preview of a draft', async () => {
      const draft = await create({ ...FULL, status: 'draft' });
      const { token } = await life.makePreview({ eventId: draft.id }, createCall(admin));
      expect(sees(await life.preview({ token }))).toBeNull();
    });
  });

  describe('named members', () => {
    const roles = (who: Identity) => reading.roles({}, createCall(who.sub));
    const answer = (who: Identity, event: { id: string }, role: 'host' | 'speaker', agreed = true) =>
      reading.answerRole({ eventId: event.id, role, agreed }, createCall(who.sub));

    it('shows named members once they agree, and hides them when they withdraw', async () => {
      const linkedInUrl = 'https://linkedin.com/in/grace';
      const guest = await events.person({ firstName: 'Grace', lastName: 'Hopper', linkedInUrl });
      const event = await create({
        hosts: [guest.sub, admin.sub],
        speakers: [{ userId: guest.sub, role: 'Admiral', bio: 'Wrote *compilers*' }],
      });
      const hosts = async (viewer: Identity | null) => (await get(event, viewer)).content.hosts;
      expect(await hosts(null)).toMatchObject([{ id: admin.sub, agreed: true }]);
      expect(await hosts(admin)).toMatchObject([{ id: guest.sub, agreed: false }, { id: admin.sub }]);
      expect((await get(event, null)).content.speakers).toEqual([]);
      const { id: eventId, title, startDate, format } = event;
      expect(await roles(guest)).toMatchObject([
        { eventId, title, startDate, format, role: 'host', agreedAt: null },
        { role: 'speaker', agreedAt: null },
      ]);
      const agreed = { role: 'speaker', agreedAt: expect.any(String) };
      expect(await answer(guest, event, 'speaker')).toMatchObject(agreed);
      expect((await get(event, null)).content.speakers).toEqual([
        {
          ...{ name: 'Grace Hopper', role: 'Admiral', bio: 'Wrote *compilers*', userId: guest.sub },
          ...{ linkUrl: 'https://linkedin.com/in/grace', profileImageUrl: null, agreed: true },
        },
      ]);
      expect(await hosts(null)).toHaveLength(1);
      await answer(guest, event, 'speaker', false);
      expect((await get(event, null)).content.speakers).toEqual([]);
      expect((await get(event, null)).version).toBe(1);
    });

    it('keeps a host’s consent until removal, and then asks again', async () => {
      const [guest, other] = [await events.person(), await events.person()];
      const event = await create({ hosts: [guest.sub] });
      await answer(guest, event, 'host');
      const both = await change(event, { hosts: [other.sub, guest.sub] });
      expect(both.content.hosts.map(({ id, agreed }) => [id, agreed])).toEqual([
        [other.sub, false],
        [guest.sub, true],
      ]);
      await change(event, { hosts: [other.sub] });
      await expect(answer(guest, event, 'host')).rejects.toMatchObject({ code: 'ROLE_NOT_FOUND' });
      const again = await change(event, { hosts: [guest.sub] });
      expect(again.content.hosts).toMatchObject([{ id: guest.sub, agreed: false }]);
      const asked = (await events.outbox(NamedInEventMail)).map(({ userId }) => userId);
      expect(asked).toEqual([guest.sub, other.sub, guest.sub]);
    });

    it('sends a named member one email when the event is published', async () => {
      const guest = await events.person();
      const draft = await create({ hosts: [guest.sub, admin.sub], status: 'draft' });
      expect([await events.outbox(NamedInEventMail), await roles(guest)]).toEqual([[], []]);
      await expect(answer(guest, draft, 'host')).rejects.toMatchObject({ code: 'ROLE_NOT_FOUND' });
      await publish(draft);
      await change(draft, { hosts: [guest.sub], recap: 'x' });
      expect(await events.outbox(NamedInEventMail)).toEqual([
        { eventId: draft.id, userId: guest.sub, role: 'host' },
      ]);
      expect(await roles(guest)).toHaveLength(1);
    });

    it('removes deleted accounts from hosts and speakers without raising the version', async () => {
      const guest = await events.person();
      const named = {
        hosts: [guest.sub],
        speakers: [{ userId: guest.sub, bio: 'Wrote compilers' }, { name: 'Ada' }],
      };
      const event = await create(named);
      await events.deleteUser(guest.sub);
      const { version, content } = await get(event, admin);
      expect({ version, hosts: content.hosts, speakers: content.speakers.map(({ name }) => name) }).toEqual({
        version: 1,
        hosts: [],
        speakers: ['Ada'],
      });
    });

    it('lets hosts delete their account while a series is created or another member is named', async () => {
      const [guest, guest2, other] = [await events.person(), await events.person(), await events.person()];
      const deletion = ({ sub }: Identity): [string, string[]] => [
        'DELETE FROM auth.users WHERE id = $1',
        [sub],
      ];
      const event = await create({ hosts: [guest.sub] });
      const made = await beforeCommit(events.owner, deletion(guest), () => makeSeries(event));
      expect((await get(made, admin)).content.hosts).toEqual([]);
      const another = await create({ hosts: [guest2.sub] });
      const naming = () => change(another, { speakers: [{ userId: other.sub }] });
      const { content } = await beforeCommit(events.owner, deletion(guest2), naming);
      expect(content).toMatchObject({ hosts: [], speakers: [{ userId: other.sub }] });
    });

    it('hides named members while their email address is unverified', async () => {
      const guest = await events.person({ emailVerifiedAt: null });
      const event = await create({ hosts: [guest.sub] });
      await answer(guest, event, 'host');
      expect((await get(event, null)).content.hosts).toEqual([]);
      expect((await get(event, admin)).content.hosts).toMatchObject([{ agreed: true }]);
    });

    it('accepts only existing members as hosts and speakers, each named once', async () => {
      const guest = await events.person();
      await expect(create({ hosts: [guest.sub, UNKNOWN] })).rejects.toMatchObject({
        details: { fields: { 'hosts[1]': ['hosts[1] is no member'] } },
      });
      const speakers = [{ userId: guest.sub }, { userId: guest.sub }, { userId: UNKNOWN }];
      await expect(create({ speakers })).rejects.toMatchObject({
        details: {
          fields: {
            'speakers[1].userId': ['speakers[1].userId is a duplicate'],
            'speakers[2].userId': ['speakers[2].userId is no member'],
          },
        },
      });
    });
  });

  it('finds at most ten verified members by part of their name, not by email address', async () => {
    const named = (given: object) => insertUser(events.owner, { lastName: 'Zwicky-Searched', ...given });
    const ada = await named({ firstName: 'Ada', email: 'hidden.zebra@example.org' });
    await named({ firstName: 'Eve', emailVerifiedAt: null });
    expect(await reading.findMembers({ q: 'ada zwicky-SEARCH' })).toEqual([
      { id: ada.id, firstName: 'Ada', lastName: 'Zwicky-Searched', profileImageUrl: null },
    ]);
    expect(await reading.findMembers({ q: 'hidden.zebra' })).toEqual([]);
    expect(await reading.findMembers({ q: 'eve zwicky' })).toEqual([]);
    const zoe = await named({ firstName: 'Zoë' });
    expect(await reading.findMembers({ q: 'zoe zwicky' })).toMatchObject([{ id: zoe.id }]);
    expect(await reading.findMembers({ q: '%_' })).toEqual([]);
    for (let n = 0; n < 10; n += 1) await named({ firstName: `Many${n}` });
    expect(await reading.findMembers({ q: 'zwicky-searched' })).toHaveLength(10);
  });

  it('lists each venue once, ordered by the date of its latest event', async () => {
    for (const [index, given] of [
      { note: 'Old' },
      { name: 'Guildhall', address: 'York' },
      { name: 'PLATFORM', note: 'New' },
      { name: 'Library', address: null },
    ].entries())
      await create({
        startDate: `2031-05-0${index + 1}T17:00:00Z`,
        endDate: `2031-05-0${index + 1}T19:00:00Z`,
        venue: { ...VENUE, ...given },
      });
    const all = await reading.venues({}, createCall(admin));
    expect(all.items.map(({ name, note }) => [name, note])).toEqual([
      ['Library', null],
      ['PLATFORM', null],
      ['Guildhall', null],
    ]);
    expect(await reading.venues({ limit: 2 }, createCall(admin))).toMatchObject({ total: 3 });
    expect(await readPages((cursor) => reading.venues({ limit: 2, cursor }, createCall(admin)))).toEqual(
      all.items,
    );
    for (const q of ['york', 'guildhäll'])
      expect((await reading.venues({ q }, createCall(admin))).items).toMatchObject([{ name: 'Guildhall' }]);
    expect((await reading.venues({ q: '%' }, createCall(admin))).items).toEqual([]);
  });
});

const TEXTS = {
  description: 'Bring **coffee**',
  descriptionFormat: 'markdown',
  recap: 'It *was* good',
} as const;
const HTML = { description: '<p>Bring <strong>coffee</strong></p>', recap: '<p>It <em>was</em> good</p>' };

describe('rendered Markdown', () => {
  const seen = async (event: { id: string }) => (await get(event, null)).html;
  const upkeep = () => events.get(RenderingUpkeep).run();

  it('returns rendered Markdown as soon as the text is saved', async () => {
    const created = await create(TEXTS);
    const { description, recap } = TEXTS;
    expect(created).toMatchObject({ description, html: HTML, content: { recap } });
    const changed = await change(created, { description: '# <b>' });
    expect(changed.html).toEqual({ ...HTML, description: '<h3>&lt;b&gt;</h3>' });
    expect(await change(created, { recap: null })).toMatchObject({ html: { recap: null } });
    expect(await change(created, { descriptionFormat: 'plain' })).toMatchObject({
      html: { description: null },
    });
  });

  it('returns HTML for text from the previous release only after the upkeep', async () => {
    const event = await create(TEXTS);
    await events.owner.query(
      "UPDATE events.events SET description = 'Bring *tea*', updated_at = now() WHERE id = $1",
      [event.id],
    );
    const made = await insertEvent(events.owner, { description: 'By **another**' });
    await updateRow(events.owner, 'events.events', made.id, { descriptionFormat: 'markdown' });
    expect([await seen(event), await seen(made)]).toEqual([null, null]);
    await upkeep();
    expect(await seen(event)).toEqual({ ...HTML, description: '<p>Bring <em>tea</em></p>' });
    expect(await seen(made)).toEqual({ description: '<p>By <strong>another</strong></p>', recap: null });
  });

  it('returns an older renderer’s HTML until the upkeep renders the text again', async () => {
    const event = await create(TEXTS);
    await events.owner.query("UPDATE events.rendered_texts SET renderer = 0, description_html = 'old'");
    expect(await seen(event)).toMatchObject({ description: 'old' });
    await upkeep();
    expect(await seen(event)).toEqual(HTML);
  });

  it('skips stored text beyond the nesting limit during the upkeep', async () => {
    const event = await create(TEXTS);
    await events.owner.query('UPDATE events.events SET description = $2, updated_at = now() WHERE id = $1', [
      event.id,
      '> '.repeat(9),
    ]);
    await upkeep();
    expect(await seen(event)).toEqual({ ...HTML, description: null });
  });

  it('uses the stored plain text of Markdown in calendars', async () => {
    await create(TEXTS);
    await events.owner.query("UPDATE events.rendered_texts SET description_text = 'as it is kept'");
    const { ics } = await events.get(CalendarService).ofEverything();
    expect(ics).toContain('DESCRIPTION:as it is kept');
  });
});
