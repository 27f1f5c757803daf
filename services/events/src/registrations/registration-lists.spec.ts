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
import { EventsService } from '../events/core/events.service.js';
import { createCall, eventsForTests } from '../testing/open-events.js';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsService } from './registrations.service.js';
import { EventEditingService } from '../events/core/event-editing.service.js';
import { GuestsService } from '../guests/guests.service.js';
import { WaitingListService } from './waiting-list.service.js';

const events = eventsForTests();

const UNKNOWN = '0197f000-0000-7000-8000-000000000000';

describe('the attendee list', () => {
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

  it('shows attendees in order of registration, with the details that each allows', async () => {
    const [second, first] = [
      await registered('Second', -1, 'registered', 'linkedin'),
      await registered('First', -2),
    ];
    await registered('Hidden', -1.5, 'registered', 'no');
    await registered('Gone', -3, 'cancelled');
    const shown = { lastName: 'Lovelace', profileImageUrl: null };
    expect(await lists.attendees({ eventId }, createCall(null))).toEqual({
      items: [
        { id: first.id, firstName: 'First', ...shown, linkedInUrl: null },
        { id: second.id, firstName: 'Second', ...shown, linkedInUrl: 'https://linkedin.com/in/ada' },
      ],
      total: 3,
      nextCursor: null,
    });
    const admin = await events.administrator();
    expect(
      (await lists.list({ eventId }, createCall(admin))).items.map(({ member }) => member.firstName),
    ).toContain('Hidden');
  });

  describe('for visitors', () => {
    let community: Community;
    beforeEach(() => {
      ({ community } = events.get(EventsService) as unknown as { community: Community });
      community.publicAttendees = true;
    });
    afterEach(() => {
      community.publicAttendees = false;
    });
    const seen = async (id = eventId) => {
      const { publicAttendees } = await events.get(EventsService).get({ eventId: id }, createCall(null));
      return publicAttendees!.map(({ firstName }) => firstName);
    };

    it('shows at most twelve attendees who chose to be public, by name and photo only', async () => {
      eventId = (await insertEvent(events.owner, { capacity: 6 })).id;
      await registered('Second', -1, 'registered', 'public');
      await registered('First', -2, 'registered', 'public');
      await registered('Named', -3);
      await registered('Linked', -4, 'registered', 'linkedin');
      await registered('Hidden', -5, 'registered', 'no');
      await registered('Gone', -7, 'cancelled', 'public');
      const unproved = await registered('Unproved', -8, 'registered', 'public');
      await updateRow(events.owner, 'auth.users', unproved.id, { emailVerifiedAt: null });
      await registered('Waiting', -6, 'waitlisted', 'public');
      const { publicAttendees } = await events.get(EventsService).get({ eventId }, createCall(null));
      expect(publicAttendees).toEqual([
        { firstName: 'First', lastName: 'Lovelace', profileImageUrl: null },
        { firstName: 'Second', lastName: 'Lovelace', profileImageUrl: null },
      ]);
      expect(
        (await lists.attendees({ eventId }, createCall(null))).items.map(({ firstName }) => firstName),
      ).toContain('First');
      eventId = (await insertEvent(events.owner)).id;
      for (let n = 0; n < 13; n += 1) await registered('Next', -0.5, 'registered', 'public');
      expect(await seen()).toHaveLength(12);
    });

    it('hides attendees if the community disables the list, and long after the event', async () => {
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

    it('lets members choose to be public only while the community allows it', async () => {
      const service = events.get(RegistrationsService);
      const { id } = await registered('First', -2);
      expect(await seen()).toEqual([]);
      await service.change({ eventId, showMe: 'public' }, createCall(id));
      expect(await seen()).toEqual(['First']);
      await service.change({ eventId, showMe: 'name' }, createCall(id));
      expect(await seen()).toEqual([]);
      community.publicAttendees = false;
      const refused = { code: 'VALIDATION_FAILED', details: { fields: { showMe: [expect.any(String)] } } };
      await expect(service.change({ eventId, showMe: 'public' }, createCall(id))).rejects.toMatchObject(
        refused,
      );
      await expect(service.register({ eventId, showMe: 'public' }, createCall(id))).rejects.toMatchObject(
        refused,
      );
    });

    it('removes attendees who delete their account or cancel their registration', async () => {
      const [one, other] = [
        await registered('One', -2, 'registered', 'public'),
        await registered('Other', -1, 'registered', 'public'),
      ];
      await events.get(RegistrationsService).unregister({ eventId }, createCall(one.id));
      expect(await seen()).toEqual(['Other']);
      await events.owner.query('DELETE FROM auth.users WHERE id = $1', [other.id]);
      expect(await seen()).toEqual([]);
    });
  });

  it('shows the first five attendees of each event that the caller may see', async () => {
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
    const answer = await lists.faces({ eventIds }, createCall({ sub: id, isAdmin: false }));
    expect(answer).toHaveLength(2);
    expect(answer.find((one) => one.eventId === crowded)?.faces.map((face) => face.id)).toEqual(
      six.slice(0, 5).map((user) => user.id),
    );
    expect(answer.find((one) => one.eventId === long)).toEqual({
      eventId: long,
      faces: [{ id, firstName, lastName, profileImageUrl: null }],
    });
    expect(await lists.faces({ eventIds: [] }, createCall(null))).toEqual([]);
  });

  it('still shows the attendees to members long after the event', async () => {
    const ada = await registered('Ada', -402);
    await updateRow(events.owner, 'events.events', eventId, {
      startDate: daysFromNow(-401),
      endDate: daysFromNow(-400),
    });
    const viewer = { sub: ada.id, isAdmin: false };
    expect((await lists.attendees({ eventId }, createCall(viewer))).items).toHaveLength(1);
    expect(await lists.faces({ eventIds: [eventId] }, createCall(viewer))).toHaveLength(1);
  });

  it('returns an empty list for a new event, and rejects an unknown event', async () => {
    expect((await lists.attendees({ eventId }, createCall(null))).items).toEqual([]);
    await expect(lists.attendees({ eventId: UNKNOWN }, createCall(null))).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
  });

  it('counts members with an unverified email address without showing them', async () => {
    const [hidden, shown] = [await registered('Hidden', -2), await registered('Shown', -1)];
    await updateRow(events.owner, 'auth.users', hidden.id, { emailVerifiedAt: null });
    const { items, total } = await lists.attendees({ eventId, limit: 10 }, createCall(null));
    expect([items.map(({ id }) => id), total]).toEqual([[shown.id], 2]);
  });

  it('returns attendees in pages, with the total on each page', async () => {
    for (const days of [-5, -4, -3, -2, -1]) await registered(`Member${days}`, days);
    await registered('Gone', -6, 'cancelled');
    const { items: whole } = await lists.attendees({ eventId }, createCall(null));
    const pages = [await lists.attendees({ eventId, limit: 2 }, createCall(null))];
    while (pages.at(-1)!.nextCursor !== null)
      pages.push(
        await lists.attendees({ eventId, limit: 2, cursor: pages.at(-1)!.nextCursor! }, createCall(null)),
      );
    expect(pages.map(({ items, total }) => [items.length, total])).toEqual([
      [2, 5],
      [2, 5],
      [1, 5],
    ]);
    expect(pages.flatMap(({ items }) => items)).toEqual(whole);
  });

  it('returns the caller’s active registrations at all events', async () => {
    const { id: other } = await insertEvent(events.owner);
    const ada = await registered('Ada', -1);
    await registered('Somebody else', -1);
    const { id: third } = await insertEvent(events.owner, { capacity: 1 });
    const [first] = (await events.members(1)) as [string];
    await insertRegistration(events.owner, { eventId: third, userId: first });
    await insertRegistration(events.owner, { eventId: other, userId: ada.id, status: 'cancelled' });
    await insertRegistration(events.owner, { eventId: third, userId: ada.id, status: 'waitlisted' });
    const own = await lists.own({}, createCall(ada.id));
    expect(Object.keys(own).toSorted()).toEqual([eventId, third].toSorted());
    expect(own[eventId]).toMatchObject({ userId: ada.id, status: 'registered' });
    expect(own[third]).toMatchObject({ userId: ada.id, status: 'waitlisted' });
  });

  it("counts a member's registrations, attendances and no-shows, for owners only", async () => {
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
    await place(-6.5); // nobody was checked in, so attendance is unknown
    await place(5);
    const given = await place(-6);
    await events.owner.query(
      "UPDATE events.event_registrations SET status = 'cancelled' WHERE event_id = $1",
      [given],
    );
    const owner = await events.administrator();
    expect(await lists.ofMember({ userId }, createCall(owner))).toEqual({
      registered: 5,
      attended: 2,
      noShows: 1,
    });
    expect(await lists.ofMember({ userId: UNKNOWN }, createCall(owner))).toEqual({
      registered: 0,
      attended: 0,
      noShows: 0,
    });
    const refused = lists.ofMember({ userId }, createCall({ sub: userId, epoch: 1 }));
    await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('shows administrators every registration, page by page', async () => {
    const admin = await events.administrator();
    const users = [
      await registered('A', -3),
      await registered('B', -2, 'cancelled'),
      await registered('C', -1),
    ];
    const whole = await lists.list({ eventId }, createCall(admin));
    expect(whole).toMatchObject({ total: 3, nextCursor: null });
    expect(whole.items.map(({ member, status }) => [member.email, status])).toEqual([
      [users[0]!.email, 'registered'],
      [users[1]!.email, 'cancelled'],
      [users[2]!.email, 'registered'],
    ]);
    const page = await lists.list({ eventId, limit: 2 }, createCall(admin));
    const next = await lists.list({ eventId, limit: 2, cursor: page.nextCursor! }, createCall(admin));
    expect([...page.items, ...next.items]).toEqual(whole.items);
    expect(next.nextCursor).toBeNull();
    await expect(lists.list({ eventId: UNKNOWN }, createCall(admin))).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
  });

  it('counts registrations per local day for the last fourteen days, today last', async () => {
    const admin = await events.administrator();
    for (const [days, status] of [
      [0, 'registered'],
      [0, 'registered'],
      [-2, 'registered'],
      [-2, 'cancelled'],
      [-20, 'registered'],
    ] as const)
      await registered('Ada', days, status);
    const activity = await lists.activity({ eventId }, createCall(admin));
    expect(activity.map(({ registrations }) => registrations)).toEqual([...Array(11).fill(0), 1, 0, 2]);
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' });
    expect(activity.at(-1)?.day).toBe(today.format(new Date()));
    await expect(lists.activity({ eventId: UNKNOWN }, createCall(admin))).rejects.toMatchObject({
      code: 'EVENT_NOT_FOUND',
    });
  });

  it('refuses the full list to a former administrator', async () => {
    const demoted = await events.administrator();
    await updateRow(events.owner, 'auth.users', demoted.sub, { isAdmin: false });
    await expect(lists.list({ eventId }, createCall(demoted))).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('an ended registration', () => {
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
  const seenBy = (sub: string, eventId: string) =>
    reading.get({ eventId }, createCall({ sub, isAdmin: false }));
  const findGuestId = async (eventId: string) =>
    (await events.get(GuestsService).list({ eventId }, createCall(admin))).items.find(
      ({ userId }) => userId === member,
    )!.id;

  /** Requests every kind of answer that shows events together with the caller's registrations. */
  const answersAbout = async (eventId: string): Promise<Record<string, (Event | EventPage)[]>> => {
    await updateRow(events.owner, 'auth.users', member, { isAdmin: true });
    const identity = { sub: member, isAdmin: true, epoch: 1 };
    const editing = events.get(EventEditingService);
    return {
      list: (await reading.list({}, createCall({ sub: member, isAdmin: false }))).items,
      'list of an owner': (await reading.list({}, createCall(identity))).items,
      managed: (await reading.list({ managedBy: 'me' }, createCall(identity))).items,
      summary: (await reading.summarise({}, createCall(identity))).nextEvents,
      'one event': [await reading.get({ eventId }, createCall(identity))],
      mine: (await reading.myEvents({ include: 'waiting' }, createCall(member))).items,
      saved: [
        await editing.update({ eventId, banner: { action: 'keep' }, title: 'Renamed' }, createCall(identity)),
      ],
    };
  };

  const ENDINGS: [
    string,
    'cancelled' | 'removed',
    'registered' | 'waitlisted',
    (eventId: string) => Promise<unknown>,
  ][] = [
    [
      'cancelled by its member',
      'cancelled',
      'registered',
      (eventId) => service.unregister({ eventId }, createCall(member)),
    ],
    [
      'withdrawn from the waiting list',
      'cancelled',
      'waitlisted',
      (eventId) => service.unregister({ eventId }, createCall(member)),
    ],
    [
      ...(['removed by an organiser', 'removed', 'registered'] as const),
      async (eventId) =>
        events.get(GuestsService).remove({ eventId, ids: [await findGuestId(eventId)] }, createCall(admin)),
    ],
    [
      ...(['removed from the waiting list', 'removed', 'waitlisted'] as const),
      (eventId) => events.get(WaitingListService).remove({ eventId, userId: member }, createCall(admin)),
    ],
  ];

  it.each(ENDINGS)(
    'shows a registration that was %s only to its member, and not as active',
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
      for (const page of [await seenBy(other, eventId), await reading.get({ eventId }, createCall(null))])
        expect(page.pastRegistration).toBeNull();
      expect(await events.get(RegistrationListsService).own({}, createCall(member))).toEqual({});
      const answers = await answersAbout(eventId);
      for (const [name, answer] of Object.entries(answers))
        for (const event of answer) expect([name, event.registrations]).toEqual([name, []]);
      expect(Object.values(answers).map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 0, 1]);
      await events.owner.query('UPDATE events.events SET capacity = 2');
      await service.register({ eventId }, createCall(member));
      expect(await seenBy(member, eventId)).toMatchObject({
        pastRegistration: null,
        registrations: [{ userId: member, status: REGISTERED }],
      });
    },
  );

  it('returns the answers of a cancelled registration, even without a recorded time', async () => {
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
    await service.register({ eventId, answers: { [question.id]: 'Nuts' } }, createCall(member));
    await service.unregister({ eventId }, createCall(member));
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

describe('registration with questions', () => {
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

  const asking = (
    questions: QuestionFields[] = QUESTIONS,
    more: Partial<Pick<Event, 'capacity' | 'waitlistEnabled'>> = {},
  ) =>
    editing.create(
      {
        ...{
          title: 'Search marketing meetup',
          description: null,
          location: null,
          price: null,
          capacity: null,
        },
        ...{ startDate: '2031-05-01T17:00:00.000Z', endDate: '2031-05-01T19:00:00.000Z' },
        ...{ banner: { action: 'remove' }, questions, ...more },
      },
      createCall(admin),
    );
  const change = (event: { id: string }, given: Partial<UpdateEventRequest>) =>
    editing.update({ banner: { action: 'keep' }, eventId: event.id, ...given }, createCall(admin));
  const someone = async () => (await events.members(1))[0]!;
  const answering = async (event: { id: string }, answers?: GivenAnswers, userId?: string) =>
    service.register({ eventId: event.id, answers }, createCall(userId ?? (await someone())));
  const stored = async ({ id }: { id: string }) =>
    (await guests.list({ eventId: id }, createCall(admin))).items.map(({ answers }) => answers);
  const refusal = (fields: object) => ({ code: 'VALIDATION_FAILED', details: { fields } });

  it('keeps the id of each question when the event is edited', async () => {
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

  it('shows the questions to everyone but hides answers from visitors and other members', async () => {
    const event = await asking();
    const member = await someone();
    const given = { [DIET]: '  Nuts\n', [TRACK.toUpperCase()]: 'Search', [FIRST]: false };
    expect(await answering(event, given, member)).toMatchObject({ created: true });
    expect(await stored(event)).toEqual([ANSWERS]);
    const reading = events.get(EventsService);
    const seenBy = (sub: string) => reading.get({ eventId: event.id }, createCall({ sub, isAdmin: false }));
    expect((await seenBy(member)).registrations).toMatchObject([{ answers: ANSWERS }]);
    for (const page of [
      await reading.get({ eventId: event.id }, createCall(null)),
      await seenBy(await someone()),
    ]) {
      expect(page.content.questions).toEqual(QUESTIONS);
      expect(JSON.stringify(page)).not.toContain('Nuts');
    }
    const own = await events.get(RegistrationListsService).own({}, createCall(member));
    expect(JSON.stringify(own)).not.toContain('Nuts');
  });

  it.each<[string, GivenAnswers | undefined, string]>([
    ['missing answers', undefined, `answers.${TRACK}`],
    ['a missing required answer', { [DIET]: 'Nuts' }, `answers.${TRACK}`],
    ['an empty required answer', { [TRACK]: '' }, `answers.${TRACK}`],
    ['an option that is not offered', { [TRACK]: 'search' }, `answers.${TRACK}`],
    ['a boolean for a choice', { [TRACK]: true }, `answers.${TRACK}`],
    ['a text for a yes-or-no question', { [TRACK]: 'Search', [FIRST]: 'yes' }, `answers.${FIRST}`],
    ['a boolean for a text', { [TRACK]: 'Search', [DIET]: true }, `answers.${DIET}`],
    ['a text that is too long', { [TRACK]: 'Search', [DIET]: 'x'.repeat(501) }, `answers.${DIET}`],
    ['a control character', { [TRACK]: 'Search', [DIET]: 'a\u0000b' }, `answers.${DIET}`],
    ['an answer to an unknown question', { [TRACK]: 'Search', other: 'x' }, 'answers.other'],
  ])('rejects %s and names the invalid field', async (_, answers, field) => {
    const event = await asking();
    for (const waitlist of [false, true])
      await expect(
        service.register({ eventId: event.id, waitlist, answers }, createCall(await someone())),
      ).rejects.toMatchObject(refusal({ [field]: [expect.any(String)] }));
    expect(await stored(event)).toEqual([]);
  });

  it('normalises answers and choices to NFC', async () => {
    const event = await asking([text, { ...choice, options: ['Café', 'Bar'] }]);
    await answering(event, { [DIET]: 'Pure\u0301e', [TRACK]: 'Cafe\u0301' });
    expect(await stored(event)).toEqual([{ [DIET]: 'Purée', [TRACK]: 'Café' }]);
  });

  it('accepts the longest text, and missing answers to optional questions', async () => {
    const event = await asking([text, yesNo]);
    await answering(event, { [DIET]: 'x'.repeat(500) });
    await answering(event, { [DIET]: '  ', [FIRST]: null });
    await answering(event);
    expect(await stored(event)).toEqual([{ [DIET]: 'x'.repeat(500) }, {}, {}]);
  });

  it('rejects answers if there are no questions, and reports a closed registration first', async () => {
    const { id } = await insertEvent(events.owner);
    await expect(answering({ id }, ANSWERS)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const event = await asking();
    await events.owner.query('UPDATE events.events SET registration_closes_at = now() WHERE id = $1', [
      event.id,
    ]);
    await expect(answering(event)).rejects.toMatchObject({ code: 'REGISTRATION_ENDED' });
  });

  it('requires new answers after a cancellation but not for a repeated registration', async () => {
    const event = await asking();
    const member = await someone();
    await answering(event, ANSWERS, member);
    expect(await answering(event, undefined, member)).toMatchObject({ created: false });
    await service.unregister({ eventId: event.id }, createCall(member));
    await expect(answering(event, undefined, member)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await answering(event, { [TRACK]: 'Social' }, member);
    expect(await stored(event)).toEqual([{ [TRACK]: 'Social' }]);
  });

  it('keeps the answers of promoted members and stores none for added guests', async () => {
    const event = await asking(QUESTIONS, { capacity: 1, waitlistEnabled: true });
    const first = await someone();
    await answering(event, { [TRACK]: 'Social' }, first);
    await service.register(
      { eventId: event.id, waitlist: true, answers: ANSWERS },
      createCall(await someone()),
    );
    await service.unregister({ eventId: event.id }, createCall(first));
    await guests.add({ eventId: event.id, name: 'Grace', raiseCapacity: true }, createCall(admin));
    const listed = (await guests.list({ eventId: event.id, state: 'registered' }, createCall(admin))).items;
    expect(listed.map(({ answers }) => answers)).toEqual([ANSWERS, {}]);
  });

  it('makes answers optional for a member who takes over a registration added for them', async () => {
    const event = await asking();
    const both = [];
    for (const answers of [undefined, ANSWERS]) {
      const { id, email } = await insertUser(events.owner);
      await guests.add({ eventId: event.id, name: 'Grace', email }, createCall(admin));
      await expect(answering(event, { [TRACK]: 'odd' }, id)).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      });
      both.push(await answering(event, answers, id));
    }
    expect(both).toMatchObject([{ created: true }, { created: true }]);
    expect(await stored(event)).toEqual([{}, ANSWERS]);
  });

  it('counts answers of registered members, and adds cancelled registrations to the totals', async () => {
    const event = await asking();
    const summary = () =>
      events.get(RegistrationListsService).answers({ eventId: event.id }, createCall(admin));
    const gone = await someone();
    await answering(event, ANSWERS, gone);
    await answering(event, { [TRACK]: 'Social', [DIET]: 'Fish' });
    await answering(event, { [TRACK]: 'Social', [FIRST]: true });
    await service.unregister({ eventId: event.id }, createCall(gone));
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
      'the accounts',
      (_, people) => events.owner.query('DELETE FROM auth.users WHERE id = ANY ($1)', [people]),
    ],
    ['the event', ({ id }) => editing.delete({ eventId: id }, createCall(admin))],
  ])('leaves no answers in any table after the deletion of %s', async (_, remove) => {
    const event = await asking([text], { capacity: 1, waitlistEnabled: true });
    const people = await events.members(3);
    const [gone, has, waits] = people as [string, string, string];
    const answers = (userId: string): GivenAnswers => ({ [DIET]: `Not ${userId.toUpperCase()}` });
    await answering(event, answers(gone), gone);
    await service.unregister({ eventId: event.id }, createCall(gone));
    await answering(event, answers(has), has);
    await service.register({ eventId: event.id, waitlist: true, answers: answers(waits) }, createCall(waits));
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

  it('copies the questions to the drafts of a series, without the answers', async () => {
    const event = await asking();
    await answering(event, ANSWERS);
    const made = await editing.makeSeries({ eventId: event.id, every: 'week', count: 2 }, createCall(admin));
    const [draft] = made as [EventPage];
    expect(await events.get(EventsService).get({ eventId: draft.id }, createCall(admin))).toMatchObject({
      hasQuestions: true,
      content: { questions: QUESTIONS },
    });
    expect(await stored(draft)).toEqual([]);
  });

  describe('an answered question', () => {
    let event: EventPage;
    beforeEach(async () => {
      event = await asking();
      await answering(event, ANSWERS);
    });

    it.each<[string, QuestionFields[]]>([
      ['cannot be removed', [text, yesNo]],
      ['cannot lose an option', [text, { ...choice, options: ['Search', 'Paid'] }, yesNo]],
      ['cannot change its kind', [text, { ...choice, kind: 'text', options: [] }, yesNo]],
    ])('rejects an edit because an answered question %s', async (_, questions) => {
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

    it('lets organisers reword an answered question, make it optional and add options', async () => {
      const questions = [
        { ...choice, label: 'Which of the tracks?', required: false, options: ['Paid', 'Social', 'Search'] },
        text,
        yesNo,
      ];
      expect((await change(event, { questions })).content.questions).toEqual(questions);
    });

    it('rejects removing a question from a series if a later event has answers', async () => {
      const other = await asking();
      const [draft] = await editing.makeSeries(
        { eventId: other.id, every: 'week', count: 2 },
        createCall(admin),
      );
      await editing.update({ banner: { action: 'keep' }, eventId: draft!.id }, createCall(admin));
      await updateRow(events.owner, 'events.events', draft!.id, { status: 'published' });
      await answering(draft!, ANSWERS);
      await expect(change(other, { questions: [text], scope: 'later' })).rejects.toMatchObject({
        code: 'QUESTION_ANSWERED',
      });
      expect((await change(other, { questions: [text] })).content.questions).toEqual([text]);
    });
  });

  it('accepts either an answer or the simultaneous removal of its question', async () => {
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

  it('names the rejected answer if its question is removed at the same time', async () => {
    const event = await asking([choice]);
    const removal: [string, unknown[]] = [
      `UPDATE events.event_contents SET questions = '[]' WHERE event_id = $1`,
      [event.id],
    ];
    await expect(
      beforeCommit(events.owner, removal, () => answering(event, { [TRACK]: 'Search' })),
    ).rejects.toMatchObject(refusal({ [`answers.${TRACK}`]: [expect.any(String)] }));
  });

  it('prevents storing answers that fit no question', async () => {
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

  it('runs no extra statements for an event without questions', async () => {
    const { id } = await insertEvent(events.owner);
    expect(await events.statements(() => answering({ id }))).toEqual([]);
    const event = await asking([text]);
    expect(await events.statements(() => answering(event))).not.toEqual([]);
  });
});
