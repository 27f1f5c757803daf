import {
  EventChanged,
  NamedInEventMail,
  RecordAudit,
  type CreateEventRequest,
  type EventPage,
  type Identity,
  type UpdateEventRequest,
} from '@meetmark/contracts';
import { beforeCommit, codes } from '@meetmark/testing';
import { until } from '@meetmark/testing/embedded/wait';
import { insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser, updateRow } from '@meetmark/testing/factories/users';
import { createCall, eventsForTests } from '../../testing/open-events.js';
import { EventEditingService } from '../core/event-editing.service.js';
import { EventLifeService } from '../core/event-life.service.js';
import { EventsService } from '../core/events.service.js';
import { CalendarService } from '../../calendar/calendar.service.js';
import { RenderingUpkeep } from './rendered-texts.js';

const events = eventsForTests();

const LINK = 'https://meet.example/room-7f3a';
const form = (given: Partial<CreateEventRequest> = {}): CreateEventRequest => ({
  title: 'Search marketing meetup',
  description: null,
  startDate: '2031-05-01T17:00:00.000Z',
  endDate: '2031-05-01T19:00:00.000Z',
  location: null,
  price: null,
  capacity: null,
  banner: { action: 'remove' },
  ...given,
});
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
const KEEP = { banner: { action: 'keep' } } as const;
const AT = { startDate: new Date('2031-05-01T17:00:00Z'), endDate: new Date('2031-05-01T19:00:00Z') };

describe('event content', () => {
  let editing: EventEditingService;
  let life: EventLifeService;
  let reading: EventsService;
  let admin: Identity;
  beforeAll(() => {
    editing = events.get(EventEditingService);
    life = events.get(EventLifeService);
    reading = events.get(EventsService);
  });
  beforeEach(async () => {
    await events.empty();
    admin = await events.administrator();
  });

  const change = (event: { id: string }, given: Partial<UpdateEventRequest>, who = admin) =>
    editing.update({ ...KEEP, eventId: event.id, ...given }, createCall(who));
  const seenBy = (event: { id: string }, viewer: Identity | null) =>
    reading.get({ eventId: event.id }, createCall(viewer));
  const member = async (given: Parameters<typeof insertUser>[1] = {}): Promise<Identity> => ({
    sub: (await insertUser(events.owner, given)).id,
    isAdmin: false,
    epoch: 1,
  });

  it('returns content as entered, and empty fields for an event without content', async () => {
    const created = await editing.create(
      form({ ...FULL, descriptionFormat: 'markdown', price: '5', paymentNote: 'Card' }),
      createCall(admin),
    );
    expect(created).toMatchObject({ descriptionFormat: 'markdown', paymentNote: 'Card', version: 1 });
    expect(created.content).toEqual({
      ...{ ...FULL, hasOnlineUrl: true },
      ...{ hosts: [], speakers: [], questions: [] },
    });
    const bare = await insertEvent(events.owner);
    expect(await seenBy(bare, null)).toMatchObject({
      descriptionFormat: 'plain',
      paymentNote: null,
      content: {
        venue: null,
        agenda: [],
        resources: [],
        hosts: [],
        speakers: [],
        recap: null,
        hasOnlineUrl: false,
      },
    });
  });

  it('keeps omitted content fields and clears those that are null or empty', async () => {
    const created = await editing.create(form(FULL), createCall(admin));
    expect((await change(created, { title: 'Renamed' })).content).toEqual(created.content);
    const cleared = await change(created, {
      venue: null,
      onlineUrl: null,
      onlineNote: null,
      accessibility: null,
      agenda: [],
      resources: null,
      recap: null,
    });
    expect(cleared.content).toEqual((await seenBy(await insertEvent(events.owner), null)).content);
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
      expect(await editing.create(form({ venue }), createCall(admin))).toMatchObject({ location });
      const event = await insertEvent(events.owner);
      expect(await change(event, { venue })).toMatchObject({ location, content: { venue } });
    });

    it('keeps the venue if the location is unchanged, and otherwise drops the venue', async () => {
      const created = await editing.create(form({ venue: VENUE }), createCall(admin));
      const same = await change(created, { location: created.location, title: 'Renamed' });
      expect(same.content.venue).toEqual(VENUE);
      const other = await change(created, { location: 'Library' });
      expect(other).toMatchObject({ location: 'Library', content: { venue: null } });
    });

    it('accepts a location in addition to the venue', async () => {
      const created = await editing.create(form({ venue: VENUE, location: 'Leeds' }), createCall(admin));
      expect(created).toMatchObject({ location: 'Leeds', content: { venue: VENUE } });
    });
  });

  it('limits the nesting of Markdown when the text or the format changes', async () => {
    const description = '- '.repeat(10);
    const refused = (given: Partial<UpdateEventRequest>, event: EventPage) =>
      change(event, given).then(
        () => null,
        ({ details }: { details: object }) => details,
      );
    const tooDeep = { fields: { description: [expect.stringContaining('description has lists')] } };
    const written = await editing.create(
      form({ description: 'x', descriptionFormat: 'markdown' }),
      createCall(admin),
    );
    expect(await refused({ description }, written)).toEqual(tooDeep);
    const plain = await editing.create(form({ description }), createCall(admin));
    expect(await refused({ descriptionFormat: 'markdown' }, plain)).toEqual(tooDeep);
    await updateRow(events.owner, 'events.events', written.id, { description });
    expect(await change(written, { title: 'Stored before' })).toMatchObject({ description });
  });

  it('sorts the agenda by time, and rejects items outside the event', async () => {
    const [doors, talk] = AGENDA as [(typeof AGENDA)[0], (typeof AGENDA)[1]];
    const created = await editing.create(form({ agenda: [talk, doors] }), createCall(admin));
    expect(created.content.agenda).toEqual(AGENDA);
    const wrong = (given: object) => [doors, { ...talk, ...given }];
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
      await expect(editing.create(form({ agenda: wrong(given) }), createCall(admin))).rejects.toMatchObject(
        refusal,
      );
      await expect(change(created, { agenda: wrong(given) })).rejects.toMatchObject(refusal);
    }
    const later = { startDate: '2031-05-02T17:00:00Z', endDate: '2031-05-02T19:00:00Z' };
    await expect(change(created, { ...later, agenda: AGENDA })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  it('moves the agenda with the start date, even across a clock change', async () => {
    const created = await editing.create(form({ agenda: AGENDA }), createCall(admin));
    const moved = await change(created, {
      startDate: '2031-11-06T18:00:00Z',
      endDate: '2031-11-06T18:15:00Z',
    });
    expect(moved.content.agenda.map(({ startsAt, endsAt }) => [startsAt, endsAt])).toEqual([
      ['2031-11-06T18:00:00.000Z', '2031-11-06T18:30:00.000Z'],
      ['2031-11-06T18:30:00.000Z', null],
    ]);
  });

  describe('version', () => {
    const OTHER: [string, Partial<UpdateEventRequest>][] = [
      ['venue', { venue: VENUE, location: 'Leeds' }],
      ['onlineUrl', { onlineUrl: LINK }],
      ['onlineNote', { onlineNote: 'Passcode' }],
      ['accessibility', { accessibility: 'Step-free' }],
      ['agenda', { agenda: AGENDA }],
      ['resources', { resources: FULL.resources }],
      ['recap', { recap: 'Good' }],
      ['speakers', { speakers: [{ name: 'Grace' }] }],
    ];
    it.each(OTHER)(
      'raises the version for a change of %s, shown in conflicts and the audit log',
      async (field, given) => {
        const event = await insertEvent(events.owner, { ...AT, location: 'Leeds' });
        const grace = await events.administrator();
        const changed = await change(event, given, grace);
        expect(changed.version).toBe(2);
        expect(await change(event, given, grace)).toEqual(changed);
        await expect(change(event, { title: 'Other', version: 1 })).rejects.toMatchObject({
          code: 'EDIT_CONFLICT',
          details: {
            present: { version: 2, content: changed.content },
            edits: [{ by: 'Grace Hopper', changed: [field] }],
          },
        });
        expect((await events.outbox(RecordAudit)).map((entry) => entry.changed)).toEqual([[field]]);
      },
    );

    it('raises the version once for a change of both event and content', async () => {
      const event = await editing.create(form({ recap: 'Before' }), createCall(admin));
      expect(event.version).toBe(1);
      const changed = await change(event, { title: 'Renamed', recap: 'Good', agenda: AGENDA });
      expect(changed.version).toBe(2);
      await expect(change(event, { title: 'Other', version: 1 })).rejects.toMatchObject({
        details: { edits: [{ own: true, changed: ['title', 'agenda', 'recap'] }] },
      });
    });
  });

  describe('calendar entry and notifications', () => {
    const NEW: [Partial<UpdateEventRequest>, { sequence: number; told: string[] }][] = [
      [{ venue: VENUE }, { sequence: 1, told: ['location'] }],
      [{ venue: { ...VENUE, name: 'Here', address: null } }, { sequence: 1, told: ['location'] }],
      [
        { venue: { ...VENUE, address: null, name: 'Leeds' }, location: 'Leeds' },
        { sequence: 1, told: [] },
      ],
      [{ onlineUrl: LINK }, { sequence: 1, told: ['online'] }],
      [{ onlineNote: 'Passcode' }, { sequence: 1, told: [] }],
      [{ accessibility: 'Step-free' }, { sequence: 0, told: ['accessibility'] }],
      [{ descriptionFormat: 'markdown' }, { sequence: 1, told: [] }],
      [{ paymentNote: 'Card' }, { sequence: 0, told: [] }],
      [{ agenda: AGENDA }, { sequence: 0, told: [] }],
      [
        { resources: FULL.resources, recap: 'Good' },
        { sequence: 0, told: [] },
      ],
      [{ speakers: [{ name: 'Grace' }] }, { sequence: 0, told: [] }],
    ];
    const fetchSequence = async ({ id }: { id: string }) =>
      (await events.owner.query('SELECT sequence FROM events.events WHERE id = $1', [id])).rows[0].sequence;

    it.each(NEW)('an edit of %j leads to %j', async (given, { sequence, told }) => {
      const event = await insertEvent(events.owner, { ...AT, location: 'Leeds' });
      await change(event, given);
      expect(await fetchSequence(event)).toBe(sequence);
      expect((await events.outbox(EventChanged)).map(({ changed }) => changed)).toEqual(
        told.length === 0 ? [] : [told],
      );
      const other = await insertEvent(events.owner, { ...AT, location: 'Leeds' });
      await change(other, { ...given, notify: true });
      const notices = (await events.outbox(EventChanged)).filter(({ eventId }) => eventId === other.id);
      expect(notices.map(({ changed }) => changed)).toEqual([
        expect.arrayContaining(told.length === 0 ? ['details'] : told),
      ]);
    });

    it('reports a changed joining link without writing the link into a job', async () => {
      const event = await editing.create(form(FULL), createCall(admin));
      await change(event, { onlineUrl: `${LINK}-moved` });
      await change(event, { onlineUrl: `${LINK}-moved` });
      expect(await fetchSequence(event)).toBe(1);
      await change(event, { onlineUrl: null });
      expect(await fetchSequence(event)).toBe(2);
      expect(await events.outbox(EventChanged)).toMatchObject([{ sequence: 2, changed: ['online'] }]);
      const { rows } = await events.owner.query<{ payload: object }>('SELECT payload FROM events.outbox');
      expect(rows.length).toBeGreaterThan(1);
      expect(JSON.stringify(rows)).not.toContain(LINK);
      // restoring the original link leaves no change to report
      await change(event, { onlineUrl: LINK });
      expect(await events.outbox(EventChanged)).toMatchObject([{ sequence: 3, changed: [] }]);
    });
  });

  it('allows only edits of the recap and resources after a cancellation', async () => {
    const event = await editing.create(form(FULL), createCall(admin));
    await life.cancel({ eventId: event.id }, createCall(admin));
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
    const event = await editing.create(form({ ...FULL, speakers: [{ name: 'Grace' }] }), createCall(admin));
    await editing.delete({ eventId: event.id }, createCall(admin));
    for (const table of ['event_contents', 'event_people'])
      expect((await events.owner.query(`SELECT FROM events.${table}`)).rowCount).toBe(0);
  });

  describe('in a series', () => {
    it('copies content to the drafts of a series, without the recap', async () => {
      const guest = await member();
      const event = await editing.create(
        form({ ...FULL, hosts: [guest.sub], speakers: [{ name: 'Grace', role: 'Admiral' }] }),
        createCall(admin),
      );
      const [made] = await editing.makeSeries(
        { eventId: event.id, every: 'week', count: 2 },
        createCall(admin),
      );
      const { content } = await seenBy(made!, admin);
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
      const event = await editing.create(form({ agenda: AGENDA, recap: 'First' }), createCall(admin));
      const [made] = await editing.makeSeries(
        { eventId: event.id, every: 'week', count: 2 },
        createCall(admin),
      );
      await change(made!, { resources: FULL.resources });
      const agenda = [{ ...AGENDA[0]!, startsAt: '2031-05-01T18:00:00.000Z', endsAt: null }];
      await change(event, { scope: 'later', agenda, venue: VENUE });
      const { content, location } = await seenBy(made!, admin);
      expect(content).toMatchObject({ venue: VENUE, resources: FULL.resources, recap: null });
      expect(content.agenda.map(({ startsAt }) => startsAt)).toEqual(['2031-05-08T18:00:00.000Z']);
      expect(location).toBe('Platform, New Station Street, Leeds');
      await change(event, { scope: 'later', startDate: '2031-04-30T16:00:00Z' });
      const moved = (await seenBy(made!, admin)).content.agenda.map(({ startsAt }) => startsAt);
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
      const event = await editing.create(form({ ...FULL, capacity: 1 }), createCall(admin));
      const person = await member();
      if (status === 'waitlisted')
        await insertRegistration(events.owner, { eventId: event.id, userId: (await member()).sub });
      expect(sees(await seenBy(event, person))).toBeNull();
      await insertRegistration(events.owner, { eventId: event.id, userId: person.sub, status });
      expect(sees(await seenBy(event, person))).toBe(seen);
      expect(sees(await seenBy(event, await member()))).toBeNull();
      expect(sees(await seenBy(event, null))).toBeNull();
      expect(sees(await seenBy(event, admin))).toBe(LINK);
    });

    it('omits the joining link from the preview of a draft', async () => {
      const draft = await editing.create(form({ ...FULL, status: 'draft' }), createCall(admin));
      const { token } = await life.makePreview({ eventId: draft.id }, createCall(admin));
      expect(sees(await life.preview({ token }))).toBeNull();
    });
  });

  describe('named members', () => {
    const roles = (who: Identity) => reading.roles({}, createCall(who.sub));
    const answer = (who: Identity, event: { id: string }, role: 'host' | 'speaker', agreed = true) =>
      reading.answerRole({ eventId: event.id, role, agreed }, createCall(who.sub));

    it('shows named members once they agree, and hides them when they withdraw', async () => {
      const guest = await member({
        firstName: 'Grace',
        lastName: 'Hopper',
        linkedInUrl: 'https://linkedin.com/in/grace',
      });
      const event = await editing.create(
        form({
          hosts: [guest.sub, admin.sub],
          speakers: [{ userId: guest.sub, role: 'Admiral', bio: 'Wrote *compilers*' }],
        }),
        createCall(admin),
      );
      const hosts = async (viewer: Identity | null) => (await seenBy(event, viewer)).content.hosts;
      expect(await hosts(null)).toMatchObject([{ id: admin.sub, agreed: true }]);
      expect(await hosts(admin)).toMatchObject([{ id: guest.sub, agreed: false }, { id: admin.sub }]);
      expect((await seenBy(event, null)).content.speakers).toEqual([]);
      expect(await roles(guest)).toMatchObject([
        {
          eventId: event.id,
          title: event.title,
          startDate: event.startDate,
          format: event.format,
          role: 'host',
          agreedAt: null,
        },
        { role: 'speaker', agreedAt: null },
      ]);
      expect(await answer(guest, event, 'speaker')).toMatchObject({
        role: 'speaker',
        agreedAt: expect.any(String),
      });
      expect((await seenBy(event, null)).content.speakers).toEqual([
        {
          name: 'Grace Hopper',
          role: 'Admiral',
          bio: 'Wrote *compilers*',
          linkUrl: 'https://linkedin.com/in/grace',
          userId: guest.sub,
          profileImageUrl: null,
          agreed: true,
        },
      ]);
      expect(await hosts(null)).toHaveLength(1);
      await answer(guest, event, 'speaker', false);
      expect((await seenBy(event, null)).content.speakers).toEqual([]);
      expect((await seenBy(event, null)).version).toBe(1);
    });

    it('keeps a host’s consent until removal, and then asks again', async () => {
      const [guest, other] = [await member(), await member()];
      const event = await editing.create(form({ hosts: [guest.sub] }), createCall(admin));
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
      const guest = await member();
      const draft = await editing.create(
        form({ hosts: [guest.sub, admin.sub], status: 'draft' }),
        createCall(admin),
      );
      expect([await events.outbox(NamedInEventMail), await roles(guest)]).toEqual([[], []]);
      await expect(answer(guest, draft, 'host')).rejects.toMatchObject({ code: 'ROLE_NOT_FOUND' });
      await life.publish({ eventId: draft.id }, createCall(admin));
      await change(draft, { hosts: [guest.sub], recap: 'x' });
      expect(await events.outbox(NamedInEventMail)).toEqual([
        { eventId: draft.id, userId: guest.sub, role: 'host' },
      ]);
      expect(await roles(guest)).toHaveLength(1);
    });

    it('asks named members when the event is published on schedule', async () => {
      const guest = await member();
      const draft = await editing.create(
        form({ hosts: [guest.sub], speakers: [{ userId: guest.sub }], status: 'draft' }),
        createCall(admin),
      );
      await events.owner.query("UPDATE events.events SET publish_at = now() - interval '1 s' WHERE id = $1", [
        draft.id,
      ]);
      for (const published of [1, 0])
        expect((await events.owner.query('SELECT events.publish_due() AS published')).rows).toEqual([
          { published },
        ]);
      const asked = (await events.outbox(NamedInEventMail)).map(({ userId, role }) => [userId, role]);
      expect(asked.toSorted()).toEqual([
        [guest.sub, 'host'],
        [guest.sub, 'speaker'],
      ]);
    });

    it('removes deleted accounts from hosts and speakers without raising the version', async () => {
      const guest = await member();
      const named = {
        hosts: [guest.sub],
        speakers: [{ userId: guest.sub, bio: 'Wrote compilers' }, { name: 'Ada' }],
      };
      const event = await editing.create(form(named), createCall(admin));
      await events.owner.query('DELETE FROM auth.users WHERE id = $1', [guest.sub]);
      const { version, content } = await seenBy(event, admin);
      expect({ version, hosts: content.hosts, speakers: content.speakers.map(({ name }) => name) }).toEqual({
        version: 1,
        hosts: [],
        speakers: ['Ada'],
      });
    });

    it.each([
      ['as host', 'this', (userId: string) => ({ hosts: [userId] })],
      ['as speaker', 'this', (userId: string) => ({ speakers: [{ userId }] })],
      ['in a series', 'later', (userId: string) => ({ hosts: [userId], speakers: [{ userId }] })],
    ] as const)(
      'lets members delete their account while being named %s, without a deadlock',
      async (_, scope, named) => {
        const guest = await member();
        const first = await editing.create(form(), createCall(admin));
        const [second] = await editing.makeSeries(
          { eventId: first.id, every: 'week', count: 2 },
          createCall(admin),
        );
        await life.publish({ eventId: second!.id }, createCall(admin));
        for (const { id: eventId } of [first, second!])
          await insertRegistration(events.owner, { eventId, userId: guest.sub });
        const waiting = (count: number) => async () => {
          const { rowCount } = await events.owner.query(
            "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          );
          return rowCount === count;
        };
        const holder = await events.owner.connect();
        await holder.query('BEGIN');
        await holder.query('SELECT FROM events.events WHERE id = $1 FOR UPDATE', [first.id]);
        const edit = change(first, { ...named(guest.sub), scope });
        await until('the edit to wait for the event', 60_000, waiting(1));
        const deletion = events.owner.query('DELETE FROM auth.users WHERE id = $1', [guest.sub]);
        await until('the deletion to wait as well', 60_000, waiting(2));
        await holder.query('COMMIT');
        holder.release();
        expect(await codes([edit, deletion])).toEqual(['ok', 'ok']);
        for (const event of [first, second!]) {
          const { content, registrationCount } = await seenBy(event, admin);
          expect([content.hosts, content.speakers, registrationCount]).toEqual([[], [], 0]);
        }
      },
    );

    it('lets hosts delete their account while a series of their event is created', async () => {
      const guest = await member();
      const { id: eventId } = await editing.create(form({ hosts: [guest.sub] }), createCall(admin));
      const [made] = await beforeCommit(
        events.owner,
        ['DELETE FROM auth.users WHERE id = $1', [guest.sub]],
        () => editing.makeSeries({ eventId, every: 'week', count: 2 }, createCall(admin)),
      );
      expect((await seenBy(made!, admin)).content.hosts).toEqual([]);
    });

    it('lets hosts delete their account while another member is named', async () => {
      const [guest, other] = [await member(), await member()];
      const event = await editing.create(form({ hosts: [guest.sub] }), createCall(admin));
      const deletion = ['DELETE FROM auth.users WHERE id = $1', [guest.sub]] as [string, string[]];
      const { content } = await beforeCommit(events.owner, deletion, () =>
        change(event, { speakers: [{ userId: other.sub }] }),
      );
      expect(content).toMatchObject({ hosts: [], speakers: [{ userId: other.sub }] });
    });

    it('hides named members while their email address is unverified', async () => {
      const guest = await member({ emailVerifiedAt: null });
      const event = await editing.create(form({ hosts: [guest.sub] }), createCall(admin));
      await answer(guest, event, 'host');
      expect((await seenBy(event, null)).content.hosts).toEqual([]);
      expect((await seenBy(event, admin)).content.hosts).toMatchObject([{ agreed: true }]);
    });

    it('accepts only existing members as hosts and speakers, each named once', async () => {
      const guest = await member();
      const nobody = '0197f000-0000-7000-8000-000000000000';
      await expect(
        editing.create(form({ hosts: [guest.sub, nobody] }), createCall(admin)),
      ).rejects.toMatchObject({
        details: { fields: { 'hosts[1]': ['hosts[1] is no member'] } },
      });
      const speakers = [{ userId: guest.sub }, { userId: guest.sub }, { userId: nobody }];
      await expect(editing.create(form({ speakers }), createCall(admin))).rejects.toMatchObject({
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
    const at = (day: number) => ({
      startDate: `2031-05-0${day}T17:00:00Z`,
      endDate: `2031-05-0${day}T19:00:00Z`,
    });
    await editing.create(form({ ...at(1), venue: { ...VENUE, note: 'Old' } }), createCall(admin));
    await editing.create(
      form({ ...at(2), venue: { ...VENUE, name: 'Guildhall', address: 'York' } }),
      createCall(admin),
    );
    await editing.create(
      form({ ...at(3), venue: { ...VENUE, name: 'PLATFORM', note: 'New' } }),
      createCall(admin),
    );
    await editing.create(
      form({ ...at(4), venue: { ...VENUE, name: 'Library', address: null } }),
      createCall(admin),
    );
    const all = await reading.venues({}, createCall(admin));
    expect(all.items.map(({ name, note }) => [name, note])).toEqual([
      ['Library', null],
      ['PLATFORM', null],
      ['Guildhall', null],
    ]);
    const first = await reading.venues({ limit: 2 }, createCall(admin));
    expect(first).toMatchObject({ total: 3, items: all.items.slice(0, 2) });
    const second = await reading.venues({ limit: 2, cursor: first.nextCursor! }, createCall(admin));
    expect(second).toEqual({ total: 3, items: all.items.slice(2), nextCursor: null });
    for (const q of ['york', 'guildhäll'])
      expect((await reading.venues({ q }, createCall(admin))).items).toMatchObject([{ name: 'Guildhall' }]);
    expect((await reading.venues({ q: '%' }, createCall(admin))).items).toEqual([]);
  });
});

const FORM: CreateEventRequest = {
  title: 'Meetup',
  description: 'Bring **coffee**',
  descriptionFormat: 'markdown',
  startDate: '2031-05-01T17:00:00.000Z',
  endDate: '2031-05-01T19:00:00.000Z',
  location: null,
  price: null,
  capacity: null,
  recap: 'It *was* good',
  banner: { action: 'remove' },
};
const HTML = { description: '<p>Bring <strong>coffee</strong></p>', recap: '<p>It <em>was</em> good</p>' };

describe('rendered Markdown', () => {
  let editing: EventEditingService;
  let admin: Identity;
  beforeEach(async () => {
    await events.empty();
    editing = events.get(EventEditingService);
    admin = await events.administrator();
  });

  const seen = async ({ id }: { id: string }) =>
    (await events.get(EventsService).get({ eventId: id }, createCall(null))).html;
  const change = (event: EventPage, given: Partial<UpdateEventRequest>) =>
    editing.update({ banner: { action: 'keep' }, eventId: event.id, ...given }, createCall(admin));
  const upkeep = () => events.get(RenderingUpkeep).run();

  it('returns rendered Markdown as soon as the text is saved', async () => {
    const created = await editing.create(FORM, createCall(admin));
    expect(created).toMatchObject({
      description: FORM.description,
      html: HTML,
      content: { recap: FORM.recap },
    });
    const changed = await change(created, { description: '# <b>' });
    expect(changed.html).toEqual({ ...HTML, description: '<h3>&lt;b&gt;</h3>' });
    expect(await change(created, { recap: null })).toMatchObject({ html: { recap: null } });
    expect(await change(created, { descriptionFormat: 'plain' })).toMatchObject({
      html: { description: null },
    });
  });

  it('returns HTML for text from the previous release only after the upkeep', async () => {
    const event = await editing.create(FORM, createCall(admin));
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
    const event = await editing.create(FORM, createCall(admin));
    await events.owner.query("UPDATE events.rendered_texts SET renderer = 0, description_html = 'old'");
    expect(await seen(event)).toMatchObject({ description: 'old' });
    await upkeep();
    expect(await seen(event)).toEqual(HTML);
  });

  it('skips stored text beyond the nesting limit during the upkeep', async () => {
    const event = await editing.create(FORM, createCall(admin));
    await events.owner.query('UPDATE events.events SET description = $2, updated_at = now() WHERE id = $1', [
      event.id,
      '> '.repeat(9),
    ]);
    await upkeep();
    expect(await seen(event)).toEqual({ ...HTML, description: null });
  });

  it('uses the stored plain text of Markdown in calendars', async () => {
    await editing.create(FORM, createCall(admin));
    await events.owner.query("UPDATE events.rendered_texts SET description_text = 'as it is kept'");
    const { ics } = await events.get(CalendarService).ofEverything();
    expect(ics).toContain('DESCRIPTION:as it is kept');
  });

  it('deletes rendered Markdown with its event', async () => {
    const { id } = await editing.create(FORM, createCall(admin));
    await editing.delete({ eventId: id }, createCall(admin));
    const { rowCount } = await events.owner.query('SELECT FROM events.rendered_texts');
    expect(rowCount).toBe(0);
  });
});
