import { type Event, type EventPage, type Identity, REGISTERED } from '@meetmark/contracts';
import { insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { EventEditingService } from '../events/event-editing.service.js';
import { EventsService } from '../events/events.service.js';
import { GuestsService } from '../guests/guests.service.js';
import { eventsForTests } from '../testing/open-events.js';
import { RegistrationListsService } from './registration-lists.service.js';
import { RegistrationsService } from './registrations.service.js';
import { WaitingListService } from './waiting-list.service.js';

describe('a registration that has ended', () => {
  const events = eventsForTests();
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
    await events.owner.query('UPDATE auth.users SET is_admin = true WHERE id = $1', [member]);
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
