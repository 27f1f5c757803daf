import { insertEvent } from '@meetmark/testing/factories/events';
import { v7 as uuid } from 'uuid';
import { EventEditingService } from '../events/event-editing.service.js';
import { outcomes } from '@meetmark/testing';
import { openEvents, persistently, type TestEvents } from '../testing/open-events.js';
import { RegistrationsService } from './registrations.service.js';

const SEATS = 50;
const MEMBERS = 200;
const ROUNDS = 20;
/** Milliseconds for 4,000 registrations on a busy machine. */
const PATIENCE = 120_000;
/** As many as there are connections: all of them look before any of them writes. */
const AT_ONCE = 10;

const INSERT = 'INSERT INTO events.event_registrations (id, event_id, user_id) VALUES ($1, $2, $3)';

describe('capacity', () => {
  let events: TestEvents;
  let members: string[];
  beforeEach(async () => {
    events = await openEvents();
    members = await events.members(MEMBERS);
  });
  afterEach(() => events.close());

  const taken = async (eventId: string) => {
    const { rows } = await events.owner.query(
      `SELECT count(*)::integer AS rows, (SELECT registration_count FROM events.events WHERE id = $1) AS count
       FROM events.event_registrations WHERE event_id = $1 AND status = 'registered'`,
      [eventId],
    );
    return rows[0];
  };

  /** What a program without the database's rule would do: look whether there is room, then take it. */
  const checkThenInsert = async (eventId: string, userIds: string[]) => {
    for (let first = 0; first < userIds.length; first += AT_ONCE) {
      const together = userIds.slice(first, first + AT_ONCE);
      const room = await Promise.all(together.map(async () => (await taken(eventId)).rows < SEATS));
      await Promise.allSettled(
        together
          .filter((_, i) => room[i])
          .map((userId) => events.owner.query(INSERT, [uuid(), eventId, userId])),
      );
    }
  };

  it(
    `sells exactly ${SEATS} seats to ${MEMBERS} members through 2 replicas, in each of ${ROUNDS} rounds`,
    async () => {
      const replicas = [events, await events.replica()].map((replica) => replica.get(RegistrationsService));
      for (let round = 0; round < ROUNDS; round += 1) {
        const { id: eventId } = await insertEvent(events.owner, { capacity: SEATS });
        const outcome = await outcomes(
          members.map((userId, i) => persistently(() => replicas[i % 2]!.register(userId, { eventId }))),
        );
        expect(outcome).toEqual({ ok: SEATS, EVENT_FULL: MEMBERS - SEATS });
        expect(await taken(eventId)).toEqual({ rows: SEATS, count: SEATS });
      }
    },
    PATIENCE,
  );

  // These two show that the test above can fail, and what keeps it from failing.
  it('is oversold by check-then-insert when the rule is taken out of the database', async () => {
    await events.owner.query('ALTER TABLE events.events DROP CONSTRAINT events_within_capacity_check');
    for (const operation of ['insert', 'update', 'delete'])
      await events.owner.query(
        `DROP TRIGGER event_registrations_count_${operation} ON events.event_registrations`,
      );
    const { id } = await insertEvent(events.owner, { capacity: SEATS });
    await insertSome(id, members.slice(0, SEATS - 1));
    await checkThenInsert(id, members.slice(SEATS - 1));
    expect((await taken(id)).rows).toBeGreaterThan(SEATS);
  });

  it('holds against check-then-insert when the rule is in the database', async () => {
    const { id } = await insertEvent(events.owner, { capacity: SEATS });
    await insertSome(id, members.slice(0, SEATS - 1));
    await checkThenInsert(id, members.slice(SEATS - 1));
    expect(await taken(id)).toEqual({ rows: SEATS, count: SEATS });
  });

  const insertSome = async (eventId: string, userIds: string[]) => {
    for (const userId of userIds) await events.owner.query(INSERT, [uuid(), eventId, userId]);
  };

  it('holds when it is lowered while members register', async () => {
    const admin = await events.administrator();
    const event = await insertEvent(events.owner, { capacity: MEMBERS });
    const registrations = members.map((userId) =>
      persistently(() => events.get(RegistrationsService).register(userId, { eventId: event.id })),
    );
    const lowering = persistently(() =>
      events.get(EventEditingService).update(admin, {
        eventId: event.id,
        title: event.title,
        description: null,
        location: null,
        price: null,
        startDate: event.startDate.toISOString(),
        endDate: event.endDate.toISOString(),
        capacity: MEMBERS / 2,
        banner: { action: 'remove' },
      }),
    );
    const [outcome, lowered] = await Promise.all([outcomes(registrations), outcomes([lowering])]);
    const { rows, count } = await taken(event.id);
    expect({ rows, count }).toEqual({ rows: outcome.ok, count: outcome.ok });
    expect(rows).toBe(lowered.ok ? MEMBERS / 2 : MEMBERS);
    expect(Object.keys({ ...outcome, ...lowered }).toSorted()).toEqual(
      lowered.ok ? ['EVENT_FULL', 'ok'] : ['CAPACITY_BELOW_REGISTERED', 'ok'],
    );
  });
});
