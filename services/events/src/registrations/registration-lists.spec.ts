import {
  daysFromNow,
  insertEvent,
  insertRegistration,
  type RegistrationRow,
} from '@meetmark/testing/factories/events';
import { insertUser, updateRow } from '@meetmark/testing/factories/users';
import {
  type Community,
  type Event,
  type EventPage,
  type Identity,
  REGISTERED,
  type Answers,
  type GivenAnswers,
  type QuestionFields,
  type UpdateEventRequest,
} from '@meetmark/contracts';
import { beforeCommit, codes } from '@meetmark/testing';
import { EventsService } from '../events/events.service.js';
import { eventsForTests } from '../testing/open-events.js';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsService } from './registrations.service.js';
import { EventEditingService } from '../events/event-editing.service.js';
import { GuestsService } from '../guests/guests.service.js';
import { WaitingListService } from './waiting-list.service.js';

const events = eventsForTests();

const UNKNOWN = '0197f000-0000-7000-8000-000000000000';

describe('who comes', () => {
  let lists: RegistrationListsService;
  let eventId: string;
  beforeAll(() => {
    lists = events.get(RegistrationListsService);
  });
  beforeEach(async () => {
    eventId = (await insertEvent(events.owner)).id;
  });

  const registered = async (
    firstName: string,
    days: number,
    status: RegistrationRow['status'] = 'registered',
    showMe: RegistrationRow['showMe'] = 'name',
  ) => {
    const user = await insertUser(events.owner, { firstName, linkedInUrl: 'https://linkedin.com/in/ada' });
    await insertRegistration(events.owner, {
      eventId,
      userId: user.id,
      registeredAt: daysFromNow(days),
      status,
      showMe,
    });
    return user;
  };

  it('is shown to members as far as each of them wants to, in the order of arrival, and never by address', async () => {
    const [second, first] = [
      await registered('Second', -1, 'registered', 'linkedin'),
      await registered('First', -2),
    ];
    await registered('Hidden', -1.5, 'registered', 'no');
    await registered('Gone', -3, 'cancelled');
    const shown = { lastName: 'Lovelace', profileImageUrl: null };
    expect(await lists.attendees({ eventId })).toEqual({
      items: [
        { id: first.id, firstName: 'First', ...shown, linkedInUrl: null },
        { id: second.id, firstName: 'Second', ...shown, linkedInUrl: 'https://linkedin.com/in/ada' },
      ],
      total: 3,
      nextCursor: null,
    });
    const admin = await events.administrator();
    expect((await lists.list(admin, { eventId })).items.map(({ member }) => member.firstName)).toContain(
      'Hidden',
    );
  });

  describe('and lets visitors see it', () => {
    let community: Community;
    beforeEach(() => {
      ({ community } = events.get(EventsService) as unknown as { community: Community });
      community.publicAttendees = true;
    });
    afterEach(() => {
      community.publicAttendees = false;
    });
    const seen = async (id = eventId) => {
      const { publicAttendees } = await events.get(EventsService).get(id, null);
      return publicAttendees!.map(({ firstName }) => firstName);
    };

    it('is in the event’s own answer by name and picture alone, in the order of arrival, twelve at most', async () => {
      eventId = (await insertEvent(events.owner, { capacity: 6 })).id;
      await registered('Second', -1, 'registered', 'public');
      await registered('First', -2, 'registered', 'public');
      await registered('Named', -3);
      await registered('Linked', -4, 'registered', 'linkedin');
      await registered('Hidden', -5, 'registered', 'no');
      await registered('Gone', -7, 'cancelled', 'public');
      const unproved = await registered('Unproved', -8, 'registered', 'public');
      await updateRow(events.owner, 'auth.users', unproved.id, { emailVerifiedAt: null });
      // the sixth place is taken
      await registered('Waiting', -6, 'waitlisted', 'public');
      const { publicAttendees } = await events.get(EventsService).get(eventId, null);
      expect(publicAttendees).toEqual([
        { firstName: 'First', lastName: 'Lovelace', profileImageUrl: null },
        { firstName: 'Second', lastName: 'Lovelace', profileImageUrl: null },
      ]);
      // members read of them what they read of others
      expect((await lists.attendees({ eventId })).items.map(({ firstName }) => firstName)).toContain('First');
      eventId = (await insertEvent(events.owner)).id;
      for (let n = 0; n < 13; n += 1) await registered('Next', -0.5, 'registered', 'public');
      expect(await seen()).toHaveLength(12);
    });

    it('is nobody where the community does not let people, nor long after the event', async () => {
      await registered('First', -2, 'registered', 'public');
      expect(await seen()).toEqual(['First']);
      community.publicAttendees = false;
      expect(await seen()).toEqual([]);
      community.publicAttendees = true;
      const long = { startDate: daysFromNow(-400), endDate: daysFromNow(-399) };
      eventId = (await insertEvent(events.owner, long)).id;
      await registered('First', -402, 'registered', 'public');
      expect(await seen()).toEqual([]);
    });

    it('says so for each place, takes it back, and is asked for nothing that the community does not offer', async () => {
      const service = events.get(RegistrationsService);
      const { id } = await registered('First', -2);
      expect(await seen()).toEqual([]);
      await service.change(id, { eventId, showMe: 'public' });
      expect(await seen()).toEqual(['First']);
      await service.change(id, { eventId, showMe: 'name' });
      expect(await seen()).toEqual([]);
      community.publicAttendees = false;
      const refused = { code: 'VALIDATION_FAILED', details: { fields: { showMe: [expect.any(String)] } } };
      await expect(service.change(id, { eventId, showMe: 'public' })).rejects.toMatchObject(refused);
      await expect(service.register(id, { eventId, showMe: 'public' })).rejects.toMatchObject(refused);
    });

    it('is not seen any more once the place is given up, or the account deleted', async () => {
      const [one, other] = [
        await registered('One', -2, 'registered', 'public'),
        await registered('Other', -1, 'registered', 'public'),
      ];
      await events.get(RegistrationsService).unregister(one.id, eventId);
      expect(await seen()).toEqual(['Other']);
      await events.owner.query('DELETE FROM auth.users WHERE id = $1', [other.id]);
      expect(await seen()).toEqual([]);
    });
  });

  it('shows five faces of each event that the caller can see, in the order of arrival', async () => {
    const six = [];
    for (const days of [-6, -5, -4, -3, -2, -1]) six.push(await registered(`Day${days}`, days));
    await registered('Hidden', -7, 'registered', 'no');
    await registered('Waiting', -8, 'waitlisted');
    const [crowded, draft, empty, long] = [
      eventId,
      (await insertEvent(events.owner, { status: 'draft' })).id,
      (await insertEvent(events.owner)).id,
      (await insertEvent(events.owner)).id,
    ];
    eventId = long;
    const { id, firstName, lastName } = await registered('Last', -1);
    const eventIds = [crowded, draft, empty, long];
    const answer = await lists.faces({ eventIds }, { sub: id, isAdmin: false });
    expect(answer).toHaveLength(2);
    expect(answer.find((one) => one.eventId === crowded)?.faces.map((face) => face.id)).toEqual(
      six.slice(0, 5).map((user) => user.id),
    );
    expect(answer.find((one) => one.eventId === long)).toEqual({
      eventId: long,
      faces: [{ id, firstName, lastName, profileImageUrl: null }],
    });
    await updateRow(events.owner, 'events.events', crowded, {
      startDate: daysFromNow(-32),
      endDate: daysFromNow(-31),
    });
    expect((await lists.faces({ eventIds })).map((one) => one.eventId)).toEqual([long]);
    expect(await lists.faces({ eventIds: [] })).toEqual([]);
  });

  it('is told to nobody any more thirty days after the end, but to administrators', async () => {
    const admin = await events.administrator();
    await registered('Ada', -40);
    const endedAgo = (days: number) =>
      updateRow(events.owner, 'events.events', eventId, {
        startDate: daysFromNow(-days - 1),
        endDate: daysFromNow(-days),
      });
    await endedAgo(29.99);
    expect((await lists.attendees({ eventId })).items).toHaveLength(1);
    await endedAgo(30.01);
    expect(await lists.attendees({ eventId })).toEqual({ items: [], total: 1, nextCursor: null });
    expect((await lists.list(admin, { eventId })).items).toHaveLength(1);
  });

  it('is nobody at first, and a refusal for an event that is not there', async () => {
    expect((await lists.attendees({ eventId })).items).toEqual([]);
    await expect(lists.attendees({ eventId: UNKNOWN })).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('leaves out who has an address that nobody verified, and counts them', async () => {
    const [hidden, shown] = [await registered('Hidden', -2), await registered('Shown', -1)];
    await updateRow(events.owner, 'auth.users', hidden.id, { emailVerifiedAt: null });
    const { items, total } = await lists.attendees({ eventId, limit: 10 });
    expect([items.map(({ id }) => id), total]).toEqual([[shown.id], 2]);
  });

  it('is shown to members page by page, with how many come in all', async () => {
    for (const days of [-5, -4, -3, -2, -1]) await registered(`Member${days}`, days);
    await registered('Gone', -6, 'cancelled');
    const { items: whole } = await lists.attendees({ eventId });
    const pages = [await lists.attendees({ eventId, limit: 2 })];
    while (pages.at(-1)!.nextCursor !== null)
      pages.push(await lists.attendees({ eventId, limit: 2, cursor: pages.at(-1)!.nextCursor! }));
    expect(pages.map(({ items, total }) => [items.length, total])).toEqual([
      [2, 5],
      [2, 5],
      [1, 5],
    ]);
    expect(pages.flatMap(({ items }) => items)).toEqual(whole);
  });

  it('is known to each of them for themselves, at every event, without what has ended', async () => {
    const { id: other } = await insertEvent(events.owner);
    const ada = await registered('Ada', -1);
    await registered('Somebody else', -1);
    const { id: third } = await insertEvent(events.owner, { capacity: 1 });
    const [first] = (await events.members(1)) as [string];
    await insertRegistration(events.owner, { eventId: third, userId: first });
    await insertRegistration(events.owner, { eventId: other, userId: ada.id, status: 'cancelled' });
    await insertRegistration(events.owner, { eventId: third, userId: ada.id, status: 'waitlisted' });
    const own = await lists.own(ada.id);
    expect(Object.keys(own).toSorted()).toEqual([eventId, third].toSorted());
    expect(own[eventId]).toMatchObject({ userId: ada.id, status: 'registered' });
    expect(own[third]).toMatchObject({ userId: ada.id, status: 'waitlisted' });
  });

  it('is told to owners of one member: places, and of what is over who was checked in and who was not', async () => {
    const { id: userId } = await insertUser(events.owner);
    const [other] = (await events.members(1)) as [string];
    const place = async (days: number, checkedIn: string[] = []) => {
      const { id } = await insertEvent(events.owner, {
        startDate: daysFromNow(days),
        endDate: daysFromNow(days + 0.1),
      });
      for (const each of [userId, other])
        await insertRegistration(events.owner, { eventId: id, userId: each });
      await events.owner.query(
        `UPDATE events.event_registrations SET checked_in_at = now(), checked_in_by = 'door'
         WHERE event_id = $1 AND user_id = ANY ($2)`,
        [id, checkedIn],
      );
      return id;
    };
    await place(-9, [userId]);
    await place(-8, [userId, other]);
    await place(-7, [other]);
    await place(-6.5); // nobody was checked in: who came is not known
    await place(5);
    const given = await place(-6);
    await events.owner.query(
      "UPDATE events.event_registrations SET status = 'cancelled' WHERE event_id = $1",
      [given],
    );
    const owner = await events.administrator();
    expect(await lists.ofMember(owner, userId)).toEqual({ registered: 5, attended: 2, noShows: 1 });
    expect(await lists.ofMember(owner, UNKNOWN)).toEqual({ registered: 0, attended: 0, noShows: 0 });
    const refused = lists.ofMember({ sub: userId, epoch: 1 }, userId);
    await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is shown to administrators in full, page by page', async () => {
    const admin = await events.administrator();
    const users = [
      await registered('A', -3),
      await registered('B', -2, 'cancelled'),
      await registered('C', -1),
    ];
    const whole = await lists.list(admin, { eventId });
    expect(whole).toMatchObject({ total: 3, nextCursor: null });
    expect(whole.items.map(({ member, status }) => [member.email, status])).toEqual([
      [users[0]!.email, 'registered'],
      [users[1]!.email, 'cancelled'],
      [users[2]!.email, 'registered'],
    ]);
    const page = await lists.list(admin, { eventId, limit: 2 });
    const next = await lists.list(admin, { eventId, limit: 2, cursor: page.nextCursor! });
    expect([...page.items, ...next.items]).toEqual(whole.items);
    expect(next.nextCursor).toBeNull();
    await expect(lists.list(admin, { eventId: UNKNOWN })).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
  });

  it('is counted by the day of the community for the last fourteen days, today last', async () => {
    const admin = await events.administrator();
    for (const [days, status] of [
      [0, 'registered'],
      [0, 'registered'],
      [-2, 'registered'],
      [-2, 'cancelled'],
      [-20, 'registered'],
    ] as const)
      await registered('Ada', days, status);
    const activity = await lists.activity(admin, eventId);
    expect(activity.map(({ registrations }) => registrations)).toEqual([...Array(11).fill(0), 1, 0, 2]);
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' });
    expect(activity.at(-1)?.day).toBe(today.format(new Date()));
    await expect(lists.activity(admin, UNKNOWN)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });

  it('is refused in full to somebody who is no administrator any more', async () => {
    const demoted = await events.administrator();
    await updateRow(events.owner, 'auth.users', demoted.sub, { isAdmin: false });
    await expect(lists.list(demoted, { eventId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('a registration that has ended', () => {
  let reading: EventsService;
  let service: RegistrationsService;
  let admin: Identity;
  let member: string;
  beforeAll(() => {
    reading = events.get(EventsService);
    service = events.get(RegistrationsService);
  });
  beforeEach(async () => {
    await events.empty();
    admin = await events.administrator();
    [member] = (await events.members(1)) as [string];
  });
  const seenBy = (sub: string, eventId: string) => reading.get(eventId, { sub, isAdmin: false });
  const guestOf = async (eventId: string) =>
    (await events.get(GuestsService).list(admin, { eventId })).items.find(({ userId }) => userId === member)!
      .id;

  /** Each answer that says something of the caller's registrations, as the member's with all rights. */
  const answersAbout = async (eventId: string): Promise<Record<string, (Event | EventPage)[]>> => {
    await updateRow(events.owner, 'auth.users', member, { isAdmin: true });
    const identity = { sub: member, isAdmin: true, epoch: 1 };
    const editing = events.get(EventEditingService);
    return {
      list: (await reading.list({}, { sub: member, isAdmin: false })).items,
      'list of an owner': (await reading.list({}, identity)).items,
      managed: (await reading.list({ managedBy: 'me' }, identity)).items,
      summary: (await reading.summarise(identity)).nextEvents,
      'one event': [await reading.get(eventId, identity)],
      mine: (await reading.myEvents(member, { include: 'waiting' })).items,
      saved: [await editing.update(identity, { eventId, banner: { action: 'keep' }, title: 'Renamed' })],
    };
  };

  const ENDINGS: [
    string,
    'cancelled' | 'removed',
    'registered' | 'waitlisted',
    (eventId: string) => Promise<unknown>,
  ][] = [
    ['given up', 'cancelled', 'registered', (eventId) => service.unregister(member, eventId)],
    ['left the list', 'cancelled', 'waitlisted', (eventId) => service.unregister(member, eventId)],
    [
      ...(['removed by an organiser', 'removed', 'registered'] as const),
      async (eventId) =>
        events.get(GuestsService).remove(admin, { eventId, guestId: await guestOf(eventId) }),
    ],
    [
      ...(['taken off the list', 'removed', 'waitlisted'] as const),
      (eventId) => events.get(WaitingListService).remove(admin, { eventId, userId: member }),
    ],
  ];

  it.each(ENDINGS)(
    '%s: is in no answer’s registrations, and told to its member alone',
    async (_, as, was, end) => {
      const { id: eventId } = await insertEvent(events.owner, { capacity: was === REGISTERED ? 2 : 1 });
      const [other] = (await events.members(1)) as [string];
      await insertRegistration(events.owner, { eventId, userId: other });
      await insertRegistration(events.owner, { eventId, userId: member, status: was });
      expect((await seenBy(member, eventId)).pastRegistration).toBeNull();
      const since = Date.now();
      await end(eventId);
      const { pastRegistration: past, registrations } = await seenBy(member, eventId);
      expect([past, registrations]).toEqual([{ status: as, at: expect.any(String), answers: null }, []]);
      expect(Math.abs(Date.parse(past!.at!) - since)).toBeLessThan(10_000);
      for (const page of [await seenBy(other, eventId), await reading.get(eventId, null)])
        expect(page.pastRegistration).toBeNull();
      expect(await events.get(RegistrationListsService).own(member)).toEqual({});
      const answers = await answersAbout(eventId);
      for (const [name, answer] of Object.entries(answers))
        for (const event of answer) expect([name, event.registrations]).toEqual([name, []]);
      expect(Object.values(answers).map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 0, 1]);
      // taken again, nothing is past
      await events.owner.query('UPDATE events.events SET capacity = 2');
      await service.register(member, { eventId });
      expect(await seenBy(member, eventId)).toMatchObject({
        pastRegistration: null,
        registrations: [{ userId: member, status: REGISTERED }],
      });
    },
  );

  it('keeps the answers, and says nothing about when it ended where that was not noted', async () => {
    const { id: eventId } = await insertEvent(events.owner);
    const question = {
      id: '0197f000-0000-7000-8000-000000000001',
      kind: 'text',
      label: 'Diet?',
      required: false,
    };
    await events.owner.query('INSERT INTO events.event_contents (event_id, questions) VALUES ($1, $2)', [
      eventId,
      JSON.stringify([{ ...question, options: [] }]),
    ]);
    await service.register(member, { eventId, answers: { [question.id]: 'Nuts' } });
    await service.unregister(member, eventId);
    const answers = { [question.id]: 'Nuts' };
    expect((await seenBy(member, eventId)).pastRegistration).toMatchObject({ answers });
    await events.owner.query('UPDATE events.event_registrations SET ended_as = NULL, ended_at = NULL');
    expect((await seenBy(member, eventId)).pastRegistration).toEqual({
      status: 'cancelled',
      at: null,
      answers,
    });
  });
});

const [DIET, TRACK, FIRST] = ['1', '2', '3'].map((n) => `0197f000-0000-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];
const QUESTIONS = [
  { id: DIET, kind: 'text', label: 'What do you not eat?', required: false, options: [] },
  { id: TRACK, kind: 'choice', label: 'Which track?', required: true, options: ['Search', 'Social'] },
  { id: FIRST, kind: 'yesNo', label: 'Is this your first time?', required: false, options: [] },
] satisfies QuestionFields[];
const ANSWERS: Answers = { [DIET]: 'Nuts', [TRACK]: 'Search', [FIRST]: false };
const [text, choice, yesNo] = QUESTIONS as unknown as [QuestionFields, QuestionFields, QuestionFields];

describe('questions at registration', () => {
  let service: RegistrationsService;
  let editing: EventEditingService;
  let guests: GuestsService;
  let admin: Identity;
  beforeAll(() => {
    service = events.get(RegistrationsService);
    editing = events.get(EventEditingService);
    guests = events.get(GuestsService);
  });
  beforeEach(async () => {
    await events.empty();
    admin = await events.administrator();
  });

  const asking = (questions: QuestionFields[] = QUESTIONS, more: { capacity?: number } = {}) =>
    editing.create(admin, {
      ...{ title: 'Search marketing meetup', description: null, location: null, price: null, capacity: null },
      ...{ startDate: '2031-05-01T17:00:00.000Z', endDate: '2031-05-01T19:00:00.000Z' },
      ...{ banner: { action: 'remove' }, questions, ...more },
    });
  const change = (event: { id: string }, given: Partial<UpdateEventRequest>) =>
    editing.update(admin, { banner: { action: 'keep' }, eventId: event.id, ...given });
  const someone = async () => (await events.members(1))[0]!;
  const answering = async (event: { id: string }, answers?: GivenAnswers, userId?: string) =>
    service.register(userId ?? (await someone()), { eventId: event.id, answers });
  const stored = async ({ id }: { id: string }) =>
    (await guests.list(admin, { eventId: id })).items.map(({ answers }) => answers);
  const refusal = (fields: object) => ({ code: 'VALIDATION_FAILED', details: { fields } });

  it('are part of the event, and each keeps its id', async () => {
    const event = await asking(QUESTIONS.map(({ id: _, ...question }) => question));
    const { questions } = event.content;
    expect(questions).toMatchObject(QUESTIONS.map(({ id: _, ...question }) => question));
    expect(event.hasQuestions).toBe(true);
    const again = await change(event, { questions: QUESTIONS.map(({ id: _, ...question }) => question) });
    expect(again).toMatchObject({ version: 1, content: { questions } });
    const reordered = await change(event, { version: 1, questions: questions.toReversed() });
    expect(reordered).toMatchObject({ version: 2, content: { questions: questions.toReversed() } });
    await expect(change(event, { version: 1, questions: [] })).rejects.toMatchObject({
      code: 'EDIT_CONFLICT',
      details: { edits: [{ changed: ['questions'] }] },
    });
    expect(await change(event, { version: 2, questions: null })).toMatchObject({
      hasQuestions: false,
      content: { questions: [] },
    });
  });

  it('are answered with the place; a visitor sees the questions, nobody else’s answers', async () => {
    const event = await asking();
    const member = await someone();
    const given = { [DIET]: '  Nuts\n', [TRACK.toUpperCase()]: 'Search', [FIRST]: false };
    expect(await answering(event, given, member)).toMatchObject({ created: true });
    expect(await stored(event)).toEqual([ANSWERS]);
    const reading = events.get(EventsService);
    const seenBy = (sub: string) => reading.get(event.id, { sub, isAdmin: false });
    expect((await seenBy(member)).registrations).toMatchObject([{ answers: ANSWERS }]);
    for (const page of [await reading.get(event.id, null), await seenBy(await someone())]) {
      expect(page.content.questions).toEqual(QUESTIONS);
      expect(JSON.stringify(page)).not.toContain('Nuts');
    }
    // what is cached of a member's registrations has none
    const own = await events.get(RegistrationListsService).own(member);
    expect(JSON.stringify(own)).not.toContain('Nuts');
  });

  it.each<[string, GivenAnswers | undefined, string]>([
    ['nothing', undefined, `answers.${TRACK}`],
    ['no required one', { [DIET]: 'Nuts' }, `answers.${TRACK}`],
    ['an empty one', { [TRACK]: '' }, `answers.${TRACK}`],
    ['an option that is not offered', { [TRACK]: 'search' }, `answers.${TRACK}`],
    ['a yes for a choice', { [TRACK]: true }, `answers.${TRACK}`],
    ['a text for yes or no', { [TRACK]: 'Search', [FIRST]: 'yes' }, `answers.${FIRST}`],
    ['a yes for a text', { [TRACK]: 'Search', [DIET]: true }, `answers.${DIET}`],
    ['a text that is too long', { [TRACK]: 'Search', [DIET]: 'x'.repeat(501) }, `answers.${DIET}`],
    ['a control character', { [TRACK]: 'Search', [DIET]: 'a\u0000b' }, `answers.${DIET}`],
    ['another question', { [TRACK]: 'Search', other: 'x' }, 'answers.other'],
  ])('refuses %s, naming the answer', async (_, answers, field) => {
    const event = await asking();
    for (const waitlist of [false, true])
      await expect(
        service.register(await someone(), { eventId: event.id, waitlist, answers }),
      ).rejects.toMatchObject(refusal({ [field]: [expect.any(String)] }));
    expect(await stored(event)).toEqual([]);
  });

  it('takes the longest text, and no answer where none is required', async () => {
    const event = await asking([text, yesNo]);
    await answering(event, { [DIET]: 'x'.repeat(500) });
    await answering(event, { [DIET]: '  ', [FIRST]: null });
    await answering(event);
    expect(await stored(event)).toEqual([{ [DIET]: 'x'.repeat(500) }, {}, {}]);
  });

  it('refuses answers to an event that asks nothing, and tells a refusal of the event first', async () => {
    const { id } = await insertEvent(events.owner);
    await expect(answering({ id }, ANSWERS)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const event = await asking();
    await events.owner.query('UPDATE events.events SET registration_closes_at = now() WHERE id = $1', [
      event.id,
    ]);
    await expect(answering(event)).rejects.toMatchObject({ code: 'REGISTRATION_ENDED' });
  });

  it('asks again whoever comes back, and nobody who has the place', async () => {
    const event = await asking();
    const member = await someone();
    await answering(event, ANSWERS, member);
    expect(await answering(event, undefined, member)).toMatchObject({ created: false });
    await service.unregister(member, event.id);
    await expect(answering(event, undefined, member)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await answering(event, { [TRACK]: 'Social' }, member);
    expect(await stored(event)).toEqual([{ [TRACK]: 'Social' }]);
  });

  it('keeps the answers of who waits when they are promoted; who is added has none', async () => {
    const event = await asking(QUESTIONS, { capacity: 1 });
    const first = await someone();
    await answering(event, { [TRACK]: 'Social' }, first);
    await service.register(await someone(), { eventId: event.id, waitlist: true, answers: ANSWERS });
    await service.unregister(first, event.id);
    await guests.add(admin, { eventId: event.id, name: 'Grace', raiseCapacity: true });
    const listed = (await guests.list(admin, { eventId: event.id, state: 'registered' })).items;
    expect(listed.map(({ answers }) => answers)).toEqual([ANSWERS, {}]);
  });

  it('asks nothing of who takes a place over that an organiser gave; what they answer is kept', async () => {
    const event = await asking();
    const both = [];
    for (const answers of [undefined, ANSWERS]) {
      const { id, email } = await insertUser(events.owner);
      await guests.add(admin, { eventId: event.id, name: 'Grace', email });
      await expect(answering(event, { [TRACK]: 'odd' }, id)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      });
      both.push(await answering(event, answers, id));
    }
    expect(both).toMatchObject([{ created: true }, { created: true }]);
    expect(await stored(event)).toEqual([{}, ANSWERS]);
  });

  it('counts the answers of those who have a place', async () => {
    const event = await asking();
    const summary = () => events.get(RegistrationListsService).answers(admin, event.id);
    const gone = await someone();
    await answering(event, ANSWERS, gone);
    await answering(event, { [TRACK]: 'Social', [DIET]: 'Fish' });
    await answering(event, { [TRACK]: 'Social', [FIRST]: true });
    await service.unregister(gone, event.id);
    expect(await summary()).toEqual([
      { questionId: DIET, answered: 2, counts: [] },
      {
        questionId: TRACK,
        answered: 3,
        counts: [
          { answer: 'Search', count: 0 },
          { answer: 'Social', count: 2 },
        ],
      },
      {
        questionId: FIRST,
        answered: 2,
        counts: [
          { answer: true, count: 1 },
          { answer: false, count: 0 },
        ],
      },
    ]);
  });

  it.each<[string, (event: EventPage, people: string[]) => Promise<unknown>]>([
    [
      'their accounts',
      (_, people) => events.owner.query('DELETE FROM auth.users WHERE id = ANY ($1)', [people]),
    ],
    ['the event', ({ id }) => editing.delete(admin, id)],
  ])('are in no table any more after %s, also of who waited or had given up', async (_, remove) => {
    const event = await asking([text], { capacity: 1 });
    const people = await events.members(3);
    const [gone, has, waits] = people as [string, string, string];
    const answers = (userId: string): GivenAnswers => ({ [DIET]: `Not ${userId.toUpperCase()}` });
    await answering(event, answers(gone), gone);
    await service.unregister(gone, event.id);
    await answering(event, answers(has), has);
    await service.register(waits, { eventId: event.id, waitlist: true, answers: answers(waits) });
    const tablesWithAnswers = async () => {
      const { rows: tables } = await events.owner.query<{ name: string }>(
        `SELECT schemaname || '.' || tablename AS name FROM pg_tables WHERE schemaname IN ('auth', 'events', 'admin', 'gateway')`,
      );
      const found = await Promise.all(
        tables.map(async ({ name }) => {
          const { rowCount } = await events.owner.query(
            `SELECT FROM ${name} AS row WHERE row::text ~ 'Not [0-9A-F]{8}-'`,
          );
          return { name, rowCount };
        }),
      );
      return found.filter(({ rowCount }) => rowCount !== 0);
    };
    expect(await tablesWithAnswers()).toEqual([{ name: 'events.event_registrations', rowCount: 3 }]);
    await remove(event, people);
    expect(await tablesWithAnswers()).toEqual([]);
  });

  it('go into the drafts of a series without the answers', async () => {
    const event = await asking();
    await answering(event, ANSWERS);
    const made = await editing.makeSeries(admin, { eventId: event.id, every: 'week', count: 2 });
    const [draft] = made as [EventPage];
    expect(await events.get(EventsService).get(draft.id, admin)).toMatchObject({
      hasQuestions: true,
      content: { questions: QUESTIONS },
    });
    expect(await stored(draft)).toEqual([]);
  });

  describe('one that somebody has answered', () => {
    let event: EventPage;
    beforeEach(async () => {
      event = await asking();
      await answering(event, ANSWERS);
    });

    it.each<[string, QuestionFields[]]>([
      ['is not removed', [text, yesNo]],
      ['keeps its options', [text, { ...choice, options: ['Search', 'Paid'] }, yesNo]],
      ['keeps its kind', [text, { ...choice, kind: 'text', options: [] }, yesNo]],
    ])('%s', async (_, questions) => {
      await expect(change(event, { questions })).rejects.toMatchObject({
        code: 'QUESTION_ANSWERED',
        details: { question: 'Which track?' },
      });
      const update = events.owner.query(
        'UPDATE events.event_contents SET questions = $2 WHERE event_id = $1',
        [event.id, JSON.stringify(questions)],
      );
      await expect(update).rejects.toMatchObject({ constraint: 'event_contents_answered_check' });
    });

    it('may be worded anew, no longer be required, and get more options', async () => {
      const questions = [
        { ...choice, label: 'Which of the tracks?', required: false, options: ['Paid', 'Social', 'Search'] },
        text,
        yesNo,
      ];
      expect((await change(event, { questions })).content.questions).toEqual(questions);
    });

    it('is locked also for the later events of the series that were answered', async () => {
      const other = await asking();
      const [draft] = await editing.makeSeries(admin, { eventId: other.id, every: 'week', count: 2 });
      await editing.update(admin, { banner: { action: 'keep' }, eventId: draft!.id });
      await updateRow(events.owner, 'events.events', draft!.id, { status: 'published' });
      await answering(draft!, ANSWERS);
      await expect(change(other, { questions: [text], scope: 'later' })).rejects.toMatchObject({
        code: 'QUESTION_ANSWERED',
      });
      expect((await change(other, { questions: [text] })).content.questions).toEqual([text]);
    });
  });

  it('an answer and the removal of its question at the same moment take turns', async () => {
    for (let round = 0; round < 10; round += 1) {
      const event = await asking([choice]);
      const [answered, removed] = await codes([
        answering(event, { [TRACK]: 'Search' }),
        change(event, { questions: [] }),
      ]);
      const answers = await stored(event);
      expect([answered, removed, answers]).toEqual(
        answered === 'ok'
          ? ['ok', 'QUESTION_ANSWERED', [{ [TRACK]: 'Search' }]]
          : ['VALIDATION_FAILED', 'ok', []],
      );
    }
  });

  it('an answer that waits for the removal of its question is refused by name', async () => {
    const event = await asking([choice]);
    const removal: [string, unknown[]] = [
      `UPDATE events.event_contents SET questions = '[]' WHERE event_id = $1`,
      [event.id],
    ];
    await expect(
      beforeCommit(events.owner, removal, () => answering(event, { [TRACK]: 'Search' })),
    ).rejects.toMatchObject(refusal({ [`answers.${TRACK}`]: [expect.any(String)] }));
  });

  it('the database takes no answer that fits no question', async () => {
    const event = await asking();
    const { id } = await insertRegistration(events.owner, { eventId: event.id, userId: await someone() });
    const write = (answers: object) =>
      updateRow(events.owner, 'events.event_registrations', id, { answers: JSON.stringify(answers) });
    const odd = [
      { [TRACK]: ['Search'] },
      { [TRACK]: 'odd' },
      { [FIRST]: 'yes' },
      { [DIET]: 1 },
      { [DIET]: '' },
    ];
    for (const answers of [...odd, { [DIET]: 'x'.repeat(501) }, { other: 'x' }])
      await expect(write(answers)).rejects.toMatchObject({
        constraint: 'event_registrations_answers_fit_check',
      });
    await write(ANSWERS);
  });

  it('cost events without them no statement', async () => {
    const { id } = await insertEvent(events.owner);
    // the prepared statement itself is not among them
    expect(await events.statements(() => answering({ id }))).toEqual([]);
    const event = await asking([text]);
    expect(await events.statements(() => answering(event))).not.toEqual([]);
  });
});
