import { registrationStateOf, type RegistrationState } from '@meetmark/contracts';
import { testDatabase, type TestDatabase } from '@meetmark/testing';
import fc from 'fast-check';
import { Client } from 'pg';

/** What the database answers where the state is one in which one cannot register; none where places decide. */
const REFUSALS: Record<RegistrationState, string | null> = {
  cancelled: 'EVENT_CANCELLED',
  ended: 'REGISTRATION_CLOSED',
  started: 'REGISTRATION_CLOSED',
  closed: 'REGISTRATION_ENDED',
  scheduled: 'REGISTRATION_NOT_OPEN',
  open: null,
  waitlist: null,
  full: null,
};
const EVENTS = 2_000;

/** Milliseconds from now: the moment itself, the ones beside it, and any within three months. */
const offset = fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -8e9, max: 8e9 }));
const anyEvent = fc.record({
  status: fc.constantFrom('draft', 'published', 'cancelled'),
  visibility: fc.constantFrom('public', 'unlisted'),
  start: offset,
  length: fc.integer({ min: 1, max: 1e9 }),
  opens: fc.option(offset),
  closes: fc.option(offset),
});

interface Answer {
  status: 'draft' | 'published' | 'cancelled';
  visibility: 'public' | 'unlisted';
  now: Date;
  startDate: Date;
  endDate: Date;
  registrationOpensAt: Date | null;
  registrationClosesAt: Date | null;
  refusal: string | null;
  toCome: boolean;
  listed: boolean;
}

describe('whether one can register', () => {
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

  const answersTo = async (events: object[]) => {
    const { rows } = await owner.query<Answer>(
      `WITH given AS (
         SELECT value ->> 'status' AS status, value ->> 'visibility' AS visibility,
           now() + (value ->> 'start')::bigint * interval '1 ms' AS start_date,
           now() + ((value ->> 'start')::bigint + (value ->> 'length')::bigint) * interval '1 ms' AS end_date,
           now() + (value ->> 'opens')::bigint * interval '1 ms' AS registration_opens_at,
           now() + (value ->> 'closes')::bigint * interval '1 ms' AS registration_closes_at
         FROM jsonb_array_elements($1)),
       events AS (SELECT jsonb_populate_record(NULL::events.events, to_jsonb(given)) AS event FROM given)
       SELECT (event).status, (event).visibility, now(), (event).start_date AS "startDate", (event).end_date AS "endDate",
         (event).registration_opens_at AS "registrationOpensAt", (event).registration_closes_at AS "registrationClosesAt",
         events.registration_refusal(event) AS refusal, events.is_to_come(event) AS "toCome", events.is_listed(event) AS listed
       FROM events`,
      [JSON.stringify(events)],
    );
    return rows;
  };

  it(`is the same for the database and for browsers, whatever the moments of ${EVENTS} events`, async () => {
    const answers = await answersTo(fc.sample(anyEvent, { numRuns: EVENTS, seed: 20_261_126 }));
    const wrong = answers.filter((event) => {
      const places = { capacity: null, registrationCount: 0, waitlistEnabled: false };
      const state = registrationStateOf({ ...event, ...places }, event.now.getTime());
      return event.refusal !== (event.status === 'draft' ? 'EVENT_NOT_FOUND' : REFUSALS[state]);
    });
    expect(wrong).toEqual([]);
    // each answer is among them
    expect(new Set(answers.map(({ refusal }) => refusal))).toEqual(
      new Set([...Object.values(REFUSALS), 'EVENT_NOT_FOUND']),
    );
  });

  it('asks for an event that is to come, and a listed one is to come and public', async () => {
    const answers = await answersTo(fc.sample(anyEvent, { numRuns: EVENTS, seed: 20_261_127 }));
    const wrong = answers.filter(
      ({ refusal, toCome, listed, visibility, status, startDate, now }) =>
        (refusal === null && !toCome) ||
        toCome !== (status === 'published' && startDate > now) ||
        listed !== (toCome && visibility === 'public'),
    );
    expect(wrong).toEqual([]);
  });
});
