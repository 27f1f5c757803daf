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

/** Each statement is what makes the database write the jobs; the worker reads them as they are written here, which the compiler checks. */
describe('the jobs that functions of the database write', () => {
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

  /** Those that the statement adds, by name. */
  const written = async (statement: string, ...values: unknown[]) => {
    await owner.query('DELETE FROM events.outbox');
    await owner.query(statement, values);
    const { rows } = await owner.query<{ job: string; payload: unknown }>(
      'SELECT job, payload FROM events.outbox',
    );
    return Object.fromEntries(rows.map(({ job, payload }) => [job, payload]));
  };
  /** A moment as JSON has it, in which the database wrote. */
  const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

  it('are those of an event that is published, announced and names a member', async () => {
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

  it('are those of an announcement that is wished for later', async () => {
    const { id: eventId } = await insertEvent(owner);
    expect(await written('INSERT INTO events.announcements (event_id) VALUES ($1)', eventId)).toEqual({
      [SendAnnouncement.name]: { eventId } satisfies PayloadOf<typeof SendAnnouncement>,
    });
  });

  it('are those of somebody who waited and gets a place', async () => {
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

  it('are that of a place that lapses', async () => {
    const { id: eventId } = await insertEvent(owner, { capacity: 1 });
    const { id: userId } = await insertUser(owner, { emailVerifiedAt: null });
    await insertRegistration(owner, { eventId, userId });
    await owner.query(
      "UPDATE events.event_registrations SET lapses_at = now() - interval '1 minute' WHERE unproved",
    );
    expect(await written('SELECT events.lapse_places()')).toEqual({
      [RollUpActivity.name]: {} satisfies PayloadOf<typeof RollUpActivity>,
    });
  });
});
