import {
  NamedInEventMail,
  type PayloadOf,
  PromotedMail,
  RecordAudit,
  RollUpActivity,
  SendAnnouncement,
} from '@meetmark/contracts';
import { testDatabase, type TestDatabase } from '@meetmark/testing';
import { insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { Client } from 'pg';

/** The worker reads these jobs with the same types, so the compiler checks that both sides agree. */
describe('jobs written by database functions', () => {
  let database: TestDatabase;
  let owner: Client;
  beforeAll(async () => {
    database = await testDatabase();
    owner = new Client({ connectionString: database.url });
    await owner.connect();
  });
  afterAll(async () => {
    await owner.end();
    await database.drop();
  });

  const written = async (statement: string, ...values: unknown[]) => {
    await owner.query('DELETE FROM events.outbox');
    await owner.query(statement, values);
    const { rows } = await owner.query<{ job: string; payload: unknown }>(
      'SELECT job, payload FROM events.outbox',
    );
    return Object.fromEntries(rows.map(({ job, payload }) => [job, payload]));
  };
  /** A timestamp as the database writes it to JSON. */
  const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

  it('publishing an event with announcement and speaker writes correctly typed jobs', async () => {
    const [organiser, speaker] = [await insertAdministrator(owner), await insertUser(owner)];
    const event = await insertEvent(owner, {
      createdById: organiser.id,
      status: 'draft',
      publishAt: new Date(0),
    });
    await owner.query('INSERT INTO events.announcements (event_id) VALUES ($1)', [event.id]);
    await owner.query(
      "INSERT INTO events.event_people (event_id, role, position, user_id) VALUES ($1, 'speaker', 0, $2)",
      [event.id, speaker.id],
    );
    expect(await written('SELECT events.publish_due()')).toEqual({
      [RecordAudit.name]: {
        action: 'event.published',
        actorId: organiser.id,
        subjectId: event.id,
        subjectName: event.title,
        changed: [],
        at: MOMENT,
      } satisfies PayloadOf<typeof RecordAudit>,
      [NamedInEventMail.name]: {
        eventId: event.id,
        userId: speaker.id,
        role: 'speaker',
      } satisfies PayloadOf<typeof NamedInEventMail>,
      [SendAnnouncement.name]: { eventId: event.id } satisfies PayloadOf<typeof SendAnnouncement>,
    });
  });

  it('a promotion from the waiting list writes correctly typed jobs', async () => {
    const { id: eventId } = await insertEvent(owner, { capacity: 1 });
    const places = [await insertUser(owner), await insertUser(owner)].map(({ id }) => id);
    await insertRegistration(owner, { eventId, userId: places[0]! });
    const waiting = await insertRegistration(owner, { eventId, userId: places[1]!, status: 'waitlisted' });
    expect(await written('UPDATE events.events SET capacity = 2 WHERE id = $1', eventId)).toEqual({
      [PromotedMail.name]: {
        registrationId: waiting.id,
        registeredAt: MOMENT,
      } satisfies PayloadOf<typeof PromotedMail>,
      [RollUpActivity.name]: {} satisfies PayloadOf<typeof RollUpActivity>,
    });
  });
});
