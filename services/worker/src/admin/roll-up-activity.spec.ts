import { tally } from '@meetmark/testing';
import { insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { DateTime } from 'luxon';
import { workersForTests } from '../testing/test-worker.js';
import { RegistrationActivity } from './roll-up-activity.js';

const HISTORY_DAYS = 40;
const REGISTRATIONS = 420;
/** Minutes between two registrations. All REGISTRATIONS together span HISTORY_DAYS. */
const APART = 137;
const HOUR = 3_600_000;

type Figures = Record<string, number>;

describe('the registration activity', () => {
  const workers = workersForTests();
  beforeEach(() => workers.reset('auth.users', 'admin.registration_activity'));

  const activity = (timeZone: string) => new RegistrationActivity(workers.asWorker, { timeZone });

  const stored = async (): Promise<Figures> => {
    const rows = await workers.owner.query<{ day: string; registrations: number }[]>(
      'SELECT day::text AS day, registrations FROM admin.registration_activity',
    );
    return Object.fromEntries(rows.map(({ day, registrations }) => [day, registrations]));
  };

  const counted = async (timeZone: string): Promise<Figures> => {
    const rows = await workers.owner.query<{ at: Date }[]>(
      `SELECT registered_at AS at FROM events.event_registrations WHERE status = 'registered'`,
    );
    return tally(rows.map(({ at }) => DateTime.fromJSDate(at, { zone: timeZone }).toISODate() ?? ''));
  };

  const registerAt = async (...moments: Date[]): Promise<string[]> => {
    const { id: eventId } = await insertEvent(workers.owner);
    const ids: string[] = [];
    for (const registeredAt of moments) {
      const { id: userId } = await insertUser(workers.owner);
      ids.push((await insertRegistration(workers.owner, { eventId, userId, registeredAt })).id);
    }
    return ids;
  };

  const generateHistory = async (around: string): Promise<void> => {
    const { id: eventId } = await insertEvent(workers.owner);
    await workers.owner.query(
      `INSERT INTO events.event_registrations (id, event_id, user_id, registered_at, status)
       SELECT gen_random_uuid(), $1, person, $2::timestamptz - interval '20 days' + n * $4 * interval '1 minute',
         CASE WHEN n % 5 = 0 THEN 'cancelled' ELSE 'registered' END
       FROM unnest($3::uuid[]) WITH ORDINALITY AS people (person, n)`,
      [eventId, around, await workers.insertMembers(REGISTRATIONS), APART],
    );
  };

  it.each([
    ['Europe/London', '2026-10-25T01:00:00Z'],
    ['Europe/London', '2026-03-29T01:00:00Z'],
    ['America/New_York', '2026-11-01T06:00:00Z'],
    ['Pacific/Auckland', '2026-04-04T14:00:00Z'],
  ])('matches 40 days of registrations in %s across the clock change at %s', async (zone, change) => {
    await generateHistory(change);
    await registerAt(
      ...[-25, -24, -1, 0, 0.5, 1, 23, 24, 25].map((hours) => new Date(Date.parse(change) + hours * HOUR)),
    );
    await activity(zone).rollUp();
    expect(await stored()).toEqual(await counted(zone));
  });

  it('drops a day once its last registration is cancelled', async () => {
    const [first = ''] = await registerAt(new Date());
    await activity('UTC').rollUp(HISTORY_DAYS);
    expect(Object.values(await stored())).toEqual([1]);
    await workers.update('events.event_registrations', first, { status: 'cancelled' });
    await activity('UTC').rollUp(HISTORY_DAYS);
    expect(await stored()).toEqual({});
  });

  it('keeps earlier days in a partial roll-up and recounts them in a full one', async () => {
    const [old = ''] = await registerAt(new Date(Date.now() - 100 * 24 * HOUR));
    await activity('UTC').rollUp();
    await workers.owner.query('DELETE FROM events.event_registrations WHERE id = $1', [old]);
    await activity('UTC').rollUp(HISTORY_DAYS);
    expect(Object.values(await stored())).toEqual([1]);
    await activity('UTC').rollUp();
    expect(await stored()).toEqual({});
  });

  it('counts correctly after roll-ups that ran while people registered', async () => {
    const counting = activity('UTC');
    const registering = registerAt(...Array.from({ length: 30 }, () => new Date()));
    const rounds = Array.from({ length: 20 }, () => counting.rollUp(HISTORY_DAYS));
    await Promise.all([registering, ...rounds]);
    await counting.rollUp(HISTORY_DAYS);
    expect(await stored()).toEqual(await counted('UTC'));
  });
});
