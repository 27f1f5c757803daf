import {
  type Answers,
  type EventPage,
  type GivenAnswers,
  type Identity,
  type QuestionFields,
  type UpdateEventRequest,
} from '@meetmark/contracts';
import { beforeCommit, codes } from '@meetmark/testing';
import { insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { EventEditingService } from '../events/event-editing.service.js';
import { EventsService } from '../events/events.service.js';
import { GuestsService } from '../guests/guests.service.js';
import { eventsForTests } from '../testing/open-events.js';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsService } from './registrations.service.js';

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
  const events = eventsForTests();
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
      await events.owner.query(`UPDATE events.events SET status = 'published' WHERE id = $1`, [draft!.id]);
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
      events.owner.query('UPDATE events.event_registrations SET answers = $2 WHERE id = $1', [
        id,
        JSON.stringify(answers),
      ]);
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
