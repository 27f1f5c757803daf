import {
  daysFromNow,
  type EventRow,
  insertEvent,
  insertRegistration,
  type RegistrationRow,
} from '@meetmark/testing/factories/events';
import { readPages } from '@meetmark/testing/read-pages';
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
import { refuses } from '@meetmark/platform/testing/test-service';
import { beforeCommit, codes, outcomes, tally } from '@meetmark/testing';
import { EventsService } from '../events/core/events.service.js';
import { createCall, eventForm, eventsForTests, inject, UNKNOWN } from '../testing/open-events.js';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsService } from './registrations.service.js';
import { EventEditingService } from '../events/core/event-editing.service.js';
import { GuestsService } from '../guests/guests.service.js';
import { WaitingListService } from './waiting-list.service.js';

const events = eventsForTests();

const lists = inject(events, RegistrationListsService);
const service = inject(events, RegistrationsService);
const reading = inject(events, EventsService);
const editing = inject(events, EventEditingService);
const guests = inject(events, GuestsService);
let admin: Identity;
beforeEach(async () => {
  await events.empty();
  admin = await events.administrator();
});

const insert = async (given: Partial<EventRow> = {}) => (await insertEvent(events.owner, given)).id;
const aMember = async () => (await events.members(1))[0]!;
const getEvent = (eventId: string, viewer: Identity | string | null) =>
  reading.get({ eventId }, createCall(viewer));

describe('the attendee list', () => {
  let eventId: string;
  beforeEach(async () => {
    eventId = await insert();
  });

  const registered = async (
    firstName: string,
    days: number,
    showMe: RegistrationRow['showMe'] = 'name',
    status: RegistrationRow['status'] = 'registered',
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
    const [second, first] = [await registered('Second', -1, 'linkedin'), await registered('First', -2)];
    await registered('Hidden', -1.5, 'no');
    await registered('Gone', -3, 'name', 'cancelled');
    const shown = { lastName: 'Lovelace', profileImageUrl: null };
    expect(await lists.attendees({ eventId }, createCall(null))).toEqual({
      items: [
        { id: first.id, firstName: 'First', ...shown, linkedInUrl: null },
        { id: second.id, firstName: 'Second', ...shown, linkedInUrl: 'https://linkedin.com/in/ada' },
      ],
      total: 3,
      nextCursor: null,
    });
    const all = await lists.list({ eventId }, createCall(admin));
    expect(all.items.map(({ member }) => member.firstName)).toContain('Hidden');
  });

  describe('for visitors', () => {
    let community: Community;
    beforeEach(() => {
      ({ community } = reading as unknown as { community: Community });
      community.publicAttendees = true;
    });
    afterEach(() => {
      community.publicAttendees = false;
    });
    const publicAttendees = async () => (await getEvent(eventId, null)).publicAttendees!;
    const seen = async () => (await publicAttendees()).map(({ firstName }) => firstName);

    it('shows at most twelve attendees who chose to be public, by name and photo only', async () => {
      eventId = await insert({ capacity: 6 });
      await registered('Second', -1, 'public');
      await registered('First', -2, 'public');
      await registered('Named', -3);
      await registered('Linked', -4, 'linkedin');
      await registered('Hidden', -5, 'no');
      await registered('Gone', -7, 'public', 'cancelled');
      const unproved = await registered('Unproved', -8, 'public');
      await updateRow(events.owner, 'auth.users', unproved.id, { emailVerifiedAt: null });
      await registered('Waiting', -6, 'public', 'waitlisted');
      expect(await publicAttendees()).toEqual([
        { firstName: 'First', lastName: 'Lovelace', profileImageUrl: null },
        { firstName: 'Second', lastName: 'Lovelace', profileImageUrl: null },
      ]);
      const { items } = await lists.attendees({ eventId }, createCall(null));
      expect(items).toContainEqual(expect.objectContaining({ firstName: 'First' }));
      eventId = await insert();
      for (let n = 0; n < 13; n += 1) await registered('Next', -0.5, 'public');
      expect(await seen()).toHaveLength(12);
    });

    it('hides attendees if the community disables the list, and long after the event', async () => {
      await registered('First', -2, 'public');
      expect(await seen()).toEqual(['First']);
      community.publicAttendees = false;
      expect(await seen()).toEqual([]);
      community.publicAttendees = true;
      eventId = await insert({ startDate: daysFromNow(-400), endDate: daysFromNow(-399) });
      await registered('First', -402, 'public');
      expect(await seen()).toEqual([]);
    });

    it('lets members choose to be public only while the community allows it', async () => {
      const { id } = await registered('First', -2);
      const choose = (showMe: 'public' | 'name') => service.change({ eventId, showMe }, createCall(id));
      expect(await seen()).toEqual([]);
      await choose('public');
      expect(await seen()).toEqual(['First']);
      await choose('name');
      expect(await seen()).toEqual([]);
      community.publicAttendees = false;
      const refused = { code: 'VALIDATION_FAILED', details: { fields: { showMe: [expect.any(String)] } } };
      await expect(choose('public')).rejects.toMatchObject(refused);
      await expect(service.register({ eventId, showMe: 'public' }, createCall(id))).rejects.toMatchObject(
        refused,
      );
    });
  });

  it('shows the first five attendees of each event that the caller may see', async () => {
    const six = [];
    for (const days of [-6, -5, -4, -3, -2, -1]) six.push(await registered(`Day${days}`, days));
    await registered('Hidden', -7, 'no');
    await registered('Waiting', -8, 'name', 'waitlisted');
    const [crowded, draft, empty] = [eventId, await insert({ status: 'draft' }), await insert()];
    eventId = await insert();
    const { id, firstName, lastName } = await registered('Last', -1);
    const eventIds = [crowded, draft, empty, eventId];
    const answer = await lists.faces({ eventIds }, createCall(id));
    const faces = new Map(answer.map((one) => [one.eventId, one.faces]));
    expect([...faces.keys()].toSorted()).toEqual([crowded, eventId].toSorted());
    expect(faces.get(crowded)!.map((face) => face.id)).toEqual(six.slice(0, 5).map((user) => user.id));
    expect(faces.get(eventId)).toEqual([{ id, firstName, lastName, profileImageUrl: null }]);
    expect(await lists.faces({ eventIds: [] }, createCall(null))).toEqual([]);
  });

  it('still shows the attendees to members long after the event', async () => {
    const ada = await registered('Ada', -402);
    await updateRow(events.owner, 'events.events', eventId, {
      startDate: daysFromNow(-401),
      endDate: daysFromNow(-400),
    });
    expect((await lists.attendees({ eventId }, createCall(ada.id))).items).toHaveLength(1);
    expect(await lists.faces({ eventIds: [eventId] }, createCall(ada.id))).toHaveLength(1);
  });

  it('returns an empty list for a new event, and rejects unknown events and former administrators', async () => {
    expect((await lists.attendees({ eventId }, createCall(null))).items).toEqual([]);
    const unknown = [{ eventId: UNKNOWN }, createCall(admin)] as const;
    const lookups = ['attendees', 'list', 'activity', 'answers', 'waiting'] as const;
    const asked = lookups.map((lookup) => lists[lookup](...unknown));
    expect(await outcomes(asked)).toEqual({ EVENT_NOT_FOUND: 5 });
    await updateRow(events.owner, 'auth.users', admin.sub, { isAdmin: false });
    await refuses('FORBIDDEN', lists.list({ eventId }, createCall(admin)));
  });

  it('counts members with an unverified email address without showing them', async () => {
    const [hidden, shown] = [await registered('Hidden', -2), await registered('Shown', -1)];
    await updateRow(events.owner, 'auth.users', hidden.id, { emailVerifiedAt: null });
    for (const viewer of [null, hidden.id]) {
      const { items, total } = await lists.attendees({ eventId, limit: 10 }, createCall(viewer));
      expect([items.map(({ id }) => id), total]).toEqual([[shown.id], 2]);
    }
    const [seen] = await lists.faces({ eventIds: [eventId] }, createCall(hidden.id));
    expect(seen?.faces).toHaveLength(1);
  });

  it('returns attendees in pages, with the total on each page', async () => {
    for (const days of [-5, -4, -3, -2, -1]) await registered(`Member${days}`, days);
    await registered('Gone', -6, 'name', 'cancelled');
    const { items: whole } = await lists.attendees({ eventId }, createCall(null));
    const ask = (cursor?: string) => lists.attendees({ eventId, limit: 2, cursor }, createCall(null));
    expect(await ask()).toMatchObject({ items: whole.slice(0, 2), total: 5 });
    expect(await readPages(ask)).toEqual(whole);
  });

  it('returns the caller’s active registrations at all events', async () => {
    const [other, third] = [await insert(), await insert({ capacity: 1 })];
    const { id: ada } = await registered('Ada', -1);
    await registered('Somebody else', -1);
    await events.register(third, await events.members(1));
    await events.register(other, [ada], 'cancelled');
    await events.register(third, [ada], 'waitlisted');
    const own = await lists.own({}, createCall(ada));
    expect(Object.keys(own).toSorted()).toEqual([eventId, third].toSorted());
    expect(own[eventId]).toMatchObject({ userId: ada, status: 'registered' });
    expect(own[third]).toMatchObject({ userId: ada, status: 'waitlisted' });
  });

  it("counts a member's registrations, attendances and no-shows, for owners only", async () => {
    const [userId, other] = (await events.members(2)) as [string, string];
    const place = async (days: number, cameIn: string[] = []) => {
      const id = await insert({ startDate: daysFromNow(days), endDate: daysFromNow(days + 0.1) });
      const people = [userId, other];
      const places = await events.register(id, people);
      await events.checkIn(...places.filter((_, n) => cameIn.includes(people[n]!)));
      return id;
    };
    await place(-9, [userId]);
    await place(-8, [userId, other]);
    await place(-7, [other]);
    await place(-6.5); // nobody was checked in, so attendance is unknown
    await place(5);
    const given = await place(-6);
    const cancel = "UPDATE events.event_registrations SET status = 'cancelled' WHERE event_id = $1";
    await events.owner.query(cancel, [given]);
    const ofMember = (id: string, caller: Identity | string = admin) =>
      lists.ofMember({ userId: id }, createCall(caller));
    expect(await ofMember(userId)).toEqual({ registered: 5, attended: 2, noShows: 1 });
    expect(await ofMember(UNKNOWN)).toEqual({ registered: 0, attended: 0, noShows: 0 });
    await refuses('FORBIDDEN', ofMember(userId, userId));
  });

  it('shows administrators every registration, page by page', async () => {
    const { email } = await registered('A', -3);
    await registered('B', -2, 'name', 'cancelled');
    await registered('C', -1);
    const all = await readPages((cursor) => lists.list({ eventId, limit: 2, cursor }, createCall(admin)));
    const shown = all.map(({ member, status }) => `${member.firstName} ${status}`);
    expect(shown).toEqual(['A registered', 'B cancelled', 'C registered']);
    expect(all[0]!.member.email).toBe(email);
    expect(await lists.list({ eventId }, createCall(admin))).toMatchObject({ total: 3, nextCursor: null });
  });

  it('counts registrations per local day for the last fourteen days, today last', async () => {
    for (const days of [0, 0, -2, -20]) await registered('Ada', days);
    await registered('Gone', -2, 'name', 'cancelled');
    const activity = await lists.activity({ eventId }, createCall(admin));
    expect(activity.map(({ registrations }) => registrations)).toEqual([...Array(11).fill(0), 1, 0, 2]);
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' });
    expect(activity.at(-1)?.day).toBe(today.format(new Date()));
  });
});

describe('an ended registration', () => {
  let member: string;
  beforeEach(async () => {
    member = await aMember();
  });

  /** Requests every kind of answer that shows events together with the caller's registrations. */
  const answersAbout = async (eventId: string): Promise<Record<string, (Event | EventPage)[]>> => {
    await updateRow(events.owner, 'auth.users', member, { isAdmin: true });
    const owner = createCall({ sub: member, isAdmin: true });
    return {
      list: (await reading.list({}, createCall(member))).items,
      'list of an owner': (await reading.list({}, owner)).items,
      managed: (await reading.list({ managedBy: 'me' }, owner)).items,
      summary: (await reading.summarise({}, owner)).nextEvents,
      'one event': [await reading.get({ eventId }, owner)],
      mine: (await reading.myEvents({ include: 'waiting' }, createCall(member))).items,
      saved: [await editing.update({ eventId, banner: { action: 'keep' }, title: 'Renamed' }, owner)],
    };
  };

  const unregister = (eventId: string) => service.unregister({ eventId }, createCall(member));
  const removeGuest = (eventId: string, id: string) =>
    guests.remove({ eventId, ids: [id] }, createCall(admin));
  const removeFromList = (eventId: string) =>
    events.get(WaitingListService).remove({ eventId, userId: member }, createCall(admin));

  type End = (eventId: string, registrationId: string) => Promise<unknown>;
  const ENDINGS: [string, 'cancelled' | 'removed', 'registered' | 'waitlisted', End][] = [
    ['cancelled by its member', 'cancelled', 'registered', unregister],
    ['withdrawn from the waiting list', 'cancelled', 'waitlisted', unregister],
    ['removed by an organiser', 'removed', 'registered', removeGuest],
    ['removed from the waiting list', 'removed', 'waitlisted', removeFromList],
  ];

  it.each(ENDINGS)(
    'shows a registration that was %s only to its member, and not as active',
    async (_, as, was, end) => {
      const eventId = await insert({ capacity: was === REGISTERED ? 2 : 1 });
      const other = await aMember();
      await events.register(eventId, [other]);
      const [registrationId] = await events.register(eventId, [member], was);
      expect((await getEvent(eventId, member)).pastRegistration).toBeNull();
      const since = Date.now();
      await end(eventId, registrationId!);
      const { pastRegistration: past, registrations } = await getEvent(eventId, member);
      expect([past, registrations]).toEqual([{ status: as, at: expect.any(String), answers: null }, []]);
      expect(Math.abs(Date.parse(past!.at!) - since)).toBeLessThan(10_000);
      for (const viewer of [other, null])
        expect((await getEvent(eventId, viewer)).pastRegistration).toBeNull();
      expect(await lists.own({}, createCall(member))).toEqual({});
      const answers = await answersAbout(eventId);
      for (const [name, answer] of Object.entries(answers))
        for (const event of answer) expect([name, event.registrations]).toEqual([name, []]);
      expect(Object.values(answers).map(({ length }) => length)).toEqual([1, 1, 1, 1, 1, 0, 1]);
      await events.owner.query('UPDATE events.events SET capacity = 2');
      await service.register({ eventId }, createCall(member));
      expect(await getEvent(eventId, member)).toMatchObject({
        pastRegistration: null,
        registrations: [{ userId: member, status: REGISTERED }],
      });
    },
  );
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
  const asking = (
    questions: QuestionFields[] = QUESTIONS,
    more: Partial<Pick<Event, 'capacity' | 'waitlistEnabled'>> = {},
  ) => editing.create(eventForm({ questions, ...more }), createCall(admin));
  const change = (event: { id: string }, given: Partial<UpdateEventRequest>) =>
    editing.update({ banner: { action: 'keep' }, eventId: event.id, ...given }, createCall(admin));
  const answering = async ({ id: eventId }: { id: string }, answers?: GivenAnswers, userId?: string) =>
    service.register({ eventId, answers }, createCall(userId ?? (await aMember())));
  const joining = async ({ id: eventId }: { id: string }, answers?: GivenAnswers, userId?: string) =>
    service.register({ eventId, answers, waitlist: true }, createCall(userId ?? (await aMember())));
  const cancelling = ({ id: eventId }: { id: string }, userId: string) =>
    service.unregister({ eventId }, createCall(userId));
  const makeSeries = async ({ id: eventId }: { id: string }) =>
    (await editing.makeSeries({ eventId, every: 'week', count: 2 }, createCall(admin)))[0]!;
  const stored = async ({ id }: { id: string }) =>
    (await guests.list({ eventId: id }, createCall(admin))).items.map(({ answers }) => answers);
  const refusal = (fields: object) => ({ code: 'VALIDATION_FAILED', details: { fields } });

  it('keeps the id of each question when the event is edited', async () => {
    const fields = QUESTIONS.map(({ id: _, ...question }) => question);
    const event = await asking(fields);
    const { questions } = event.content;
    expect(questions).toMatchObject(fields);
    expect(event.hasQuestions).toBe(true);
    expect(await change(event, { questions: fields })).toMatchObject({ version: 1, content: { questions } });
    const reordered = await change(event, { version: 1, questions: questions.toReversed() });
    expect(reordered).toMatchObject({ version: 2, content: { questions: questions.toReversed() } });
    await expect(change(event, { version: 1, questions: [] })).rejects.toMatchObject({
      code: 'EDIT_CONFLICT',
      details: { edits: [{ changed: ['questions'] }] },
    });
    const cleared = await change(event, { version: 2, questions: null });
    expect(cleared).toMatchObject({ hasQuestions: false, content: { questions: [] } });
  });

  it('shows the questions to everyone but hides answers from visitors and other members', async () => {
    const event = await asking();
    const member = await aMember();
    const given = { [DIET]: '  Nuts\n', [TRACK.toUpperCase()]: 'Search', [FIRST]: false };
    expect(await answering(event, given, member)).toMatchObject({ created: true });
    expect(await stored(event)).toEqual([ANSWERS]);
    expect((await getEvent(event.id, member)).registrations).toMatchObject([{ answers: ANSWERS }]);
    for (const viewer of [null, await aMember()]) {
      const page = await getEvent(event.id, viewer);
      expect(page.content.questions).toEqual(QUESTIONS);
      expect(JSON.stringify(page)).not.toContain('Nuts');
    }
    const own = await lists.own({}, createCall(member));
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
    for (const attempt of [answering, joining])
      await expect(attempt(event, answers)).rejects.toMatchObject(refusal({ [field]: [expect.any(String)] }));
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
    await refuses('VALIDATION_FAILED', answering({ id: await insert() }, ANSWERS));
    const event = await asking();
    await updateRow(events.owner, 'events.events', event.id, { registrationClosesAt: new Date() });
    await refuses('REGISTRATION_ENDED', answering(event));
  });

  it('requires new answers after a cancellation but not for a repeated registration', async () => {
    const event = await asking();
    const member = await aMember();
    await answering(event, ANSWERS, member);
    expect(await answering(event, undefined, member)).toMatchObject({ created: false });
    await cancelling(event, member);
    await refuses('VALIDATION_FAILED', answering(event, undefined, member));
    await answering(event, { [TRACK]: 'Social' }, member);
    expect(await stored(event)).toEqual([{ [TRACK]: 'Social' }]);
  });

  it('returns the answers of a cancelled registration, even without a recorded time', async () => {
    const event = await asking();
    const member = await aMember();
    await answering(event, ANSWERS, member);
    await cancelling(event, member);
    const past = async () => (await getEvent(event.id, member)).pastRegistration;
    expect(await past()).toMatchObject({ answers: ANSWERS });
    await events.owner.query('UPDATE events.event_registrations SET ended_as = NULL, ended_at = NULL');
    expect(await past()).toEqual({ status: 'cancelled', at: null, answers: ANSWERS });
  });

  it('keeps the answers of promoted members and stores none for added guests', async () => {
    const event = await asking(QUESTIONS, { capacity: 1, waitlistEnabled: true });
    const first = await aMember();
    await answering(event, { [TRACK]: 'Social' }, first);
    await joining(event, ANSWERS);
    await cancelling(event, first);
    await guests.add({ eventId: event.id, name: 'Grace', raiseCapacity: true }, createCall(admin));
    const listed = (await guests.list({ eventId: event.id, state: 'registered' }, createCall(admin))).items;
    expect(listed.map(({ answers }) => answers)).toEqual([ANSWERS, {}]);
  });

  it('makes answers optional for a member who takes over a registration added for them', async () => {
    const event = await asking();
    for (const answers of [undefined, ANSWERS]) {
      const { id, email } = await insertUser(events.owner);
      await guests.add({ eventId: event.id, name: 'Grace', email }, createCall(admin));
      await refuses('VALIDATION_FAILED', answering(event, { [TRACK]: 'odd' }, id));
      expect(await answering(event, answers, id)).toMatchObject({ created: true });
    }
    expect(await stored(event)).toEqual([{}, ANSWERS]);
  });

  it('counts answers of registered members, and adds cancelled registrations to the totals', async () => {
    const event = await asking();
    const gone = await aMember();
    await answering(event, ANSWERS, gone);
    await answering(event, { [TRACK]: 'Social', [DIET]: 'Fish' });
    await answering(event, { [TRACK]: 'Social', [FIRST]: true });
    await cancelling(event, gone);
    const summary = await lists.answers({ eventId: event.id }, createCall(admin));
    const shown = summary.map(({ counts, ...rest }) => ({
      ...rest,
      counts: counts.map(({ answer, count }) => `${answer} ${count}`),
    }));
    expect(shown).toEqual([
      { questionId: DIET, answered: 2, counts: [] },
      { questionId: TRACK, answered: 3, counts: ['Search 0', 'Social 2'] },
      { questionId: FIRST, answered: 2, counts: ['true 1', 'false 0'] },
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
    await cancelling(event, gone);
    await answering(event, answers(has), has);
    await joining(event, answers(waits), waits);
    const tablesWithAnswers = async () => {
      const tables = await events.rows<{ name: string }>(
        `SELECT schemaname || '.' || tablename AS name FROM pg_tables WHERE schemaname IN ('auth', 'events', 'admin', 'gateway')`,
      );
      const finding = tables.map(
        ({ name }) => `SELECT '${name}' AS name FROM ${name} AS row WHERE row::text ~ 'Not [0-9A-F]{8}-'`,
      );
      const found = await events.rows<{ name: string }>(finding.join(' UNION ALL '));
      return tally(found.map(({ name }) => name));
    };
    expect(await tablesWithAnswers()).toEqual({ 'events.event_registrations': 3 });
    await remove(event, people);
    expect(await tablesWithAnswers()).toEqual({});
  });

  it('copies the questions to the drafts of a series, without the answers', async () => {
    const event = await asking();
    await answering(event, ANSWERS);
    const draft = await makeSeries(event);
    expect(await getEvent(draft.id, admin)).toMatchObject({
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
      const update = 'UPDATE events.event_contents SET questions = $2 WHERE event_id = $1';
      await expect(events.rows(update, event.id, JSON.stringify(questions))).rejects.toMatchObject({
        constraint: 'event_contents_answered_check',
      });
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
      const draft = await makeSeries(other);
      await updateRow(events.owner, 'events.events', draft.id, { status: 'published' });
      await answering(draft, ANSWERS);
      await refuses('QUESTION_ANSWERED', change(other, { questions: [text], scope: 'later' }));
      expect((await change(other, { questions: [text] })).content.questions).toEqual([text]);
    });
  });

  it('accepts either an answer or the simultaneous removal of its question', async () => {
    for (let round = 0; round < 5; round += 1) {
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
    const [id] = (await events.register(event.id, await events.members(1))) as [string];
    const write = (answers: object) =>
      updateRow(events.owner, 'events.event_registrations', id, { answers: JSON.stringify(answers) });
    const refusal = { constraint: 'event_registrations_answers_fit_check' };
    const odd = [{ [TRACK]: ['Search'] }, { [TRACK]: 'odd' }, { [FIRST]: 'yes' }, { other: 'x' }];
    for (const answers of [...odd, { [DIET]: 1 }, { [DIET]: '' }, { [DIET]: 'x'.repeat(501) }])
      await expect(write(answers)).rejects.toMatchObject(refusal);
    await write(ANSWERS);
  });

  it('runs no extra statements for an event without questions', async () => {
    const id = await insert();
    expect(await events.statements(() => answering({ id }))).toEqual([]);
    const event = await asking([text]);
    expect(await events.statements(() => answering(event))).not.toEqual([]);
  });
});
