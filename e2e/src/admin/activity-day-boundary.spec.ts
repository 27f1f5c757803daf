import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import type { ActivityDay } from '@meetmark/contracts';
import type { Browser } from 'playwright-core';
import { ApiClient, createdEvent, signedUp } from '../support/api-client.js';
import { openBrowser, visit } from '../support/browser.js';
import { query } from '../support/database.js';

const COMMUNITY = fileURLToPath(new URL('../../../config/community.json', import.meta.url));
/** Its day begins at 10 in the morning of the day before in London, all year: no day of it is one of London's. */
const ZONE = 'Pacific/Kiritimati';
const AHEAD = 14 * 3_600_000;
const DAY = 24 * 3_600_000;
const SECOND = 1_000;

/** When the community's day of so many days ago began. */
const midnight = (daysAgo: number) => Math.floor((Date.now() + AHEAD) / DAY) * DAY - AHEAD - daysAgo * DAY;
const dateOf = (moment: number) => new Date(moment).toLocaleDateString('en-CA', { timeZone: ZONE });
const nameOf = (moment: number) =>
  new Date(moment).toLocaleDateString('en-US', { timeZone: ZONE, weekday: 'short' });

describe('Registration Activity over midnight', () => {
  let folder: string;
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'community-'));
    const path = join(folder, 'community.json');
    const community = JSON.parse(await readFile(COMMUNITY, 'utf8')) as object;
    await writeFile(path, JSON.stringify({ ...community, timeZone: ZONE }));
    stack = await startTestStack({ seeded: true, environment: { COMMUNITY_CONFIG: path } });
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await stack.stop();
    await rm(folder, { recursive: true });
  }, 30_000);

  /** The last seven days of the community, counted here from the moments of all registrations. */
  const counted = async (): Promise<ActivityDay[]> => {
    const rows = await query<{ at: Date }>(
      stack.databaseUrl,
      `SELECT registered_at AS at FROM events.event_registrations WHERE status = 'registered'`,
    );
    const dates = rows.map(({ at }) => dateOf(at.getTime()));
    return [6, 5, 4, 3, 2, 1, 0].map((daysAgo) => {
      const date = dateOf(midnight(daysAgo));
      return {
        name: nameOf(midnight(daysAgo)),
        registrations: dates.filter((each) => each === date).length,
      };
    });
  };

  const registerAt = (eventId: string, moments: number[]) =>
    query(
      stack.databaseUrl,
      `INSERT INTO events.event_registrations (id, event_id, user_id, registered_at)
       SELECT gen_random_uuid(), $1, person.id, moment.at
       FROM (SELECT id, row_number() OVER () AS n FROM auth.users) person
         JOIN unnest($2::timestamptz[]) WITH ORDINALITY AS moment (at, n) USING (n)`,
      [eventId, moments.map((moment) => new Date(moment).toISOString())],
    );

  it('counts what was just before it for the one day and what was after it for the next', async () => {
    const administrator = new ApiClient(stack.url);
    await administrator.signIn(stack.administrator);
    const event = await createdEvent(administrator);
    const before = await counted();
    await registerAt(event.id, [
      ...[-2, -1].map((seconds) => midnight(2) + seconds * SECOND),
      ...[0, 1, 2, 3].map((seconds) => midnight(2) + seconds * SECOND),
    ]);
    // as after any registration, the worker counts
    const { client } = await signedUp(stack.url);
    await client.post(`/api/events/${event.id}/register`);

    let expected: ActivityDay[];
    let shown: unknown;
    do {
      expected = await counted();
      shown = (await administrator.get('/api/admin/registration-activity')).body;
    } while (JSON.stringify(shown) !== JSON.stringify(expected));
    const grown = expected.map(({ registrations }, day) => registrations - before[day]!.registrations);
    expect(grown).toEqual([0, 0, 0, 2, 4, 0, 1]);

    const { page } = await visit(browser, stack.url);
    await page.request.post('/api/login', { data: stack.administrator });
    await page.goto('/admin');
    const activity = page.getByRole('region', { name: 'Registration Activity' });
    await activity.getByRole('button', { name: 'Show as a table' }).click();
    const rows = await activity.getByRole('table').getByRole('row').allInnerTexts();
    expect(rows.slice(1).map((row) => row.split(/\s+/))).toEqual(
      expected.map(({ name, registrations }) => [name, String(registrations)]),
    );
  });
});
