import type { ActivityDay, Community } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import type { Page } from 'playwright-core';
import { administratorClient } from '../support/administrator.js';
import { createdEvent, signedUp } from '../support/api-client.js';
import { query } from '../support/database.js';
import { sharedStack } from '../support/shared-stack.js';
import { asAdministrator } from './as-administrator.js';

const DAYS = `
  SELECT to_char(day, 'Dy') AS name, count(r.id)::integer AS registrations
  FROM generate_series(0, 6) AS n,
    LATERAL (SELECT (now() AT TIME ZONE $1)::date - 6 + n AS day) AS d
    LEFT JOIN events.event_registrations r
      ON r.status = 'registered' AND (r.registered_at AT TIME ZONE $1)::date = d.day
  GROUP BY n, day ORDER BY n`;

describe('The admin dashboard', () => {
  const { url, databaseUrl } = sharedStack();
  let page: Page;
  asAdministrator((opened) => {
    page = opened;
  });

  const card = async (title: string) =>
    (
      await page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: title }) })
        .innerText()
    )
      .split(/\n+/)
      .slice(1);
  const oneDecimal = (figure: number) => String(Math.round(figure * 10) / 10);

  it('counts events and users, and loads the chart library only here', async () => {
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    const charts = () => scripts.filter((script) => script.includes('activity-chart'));
    await page.goto('/admin/users');
    await page.waitForLoadState('networkidle');
    expect(charts()).toEqual([]);
    const [figures] = await query<{
      events: number;
      month: number;
      users: number;
      fresh: number;
      next: number;
      soon: number;
    }>(
      databaseUrl,
      `WITH published AS (SELECT * FROM events.events WHERE status = 'published'),
        next AS (SELECT * FROM published WHERE end_date > now())
      SELECT (SELECT count(*) FROM published)::integer AS events,
        (SELECT count(*) FROM published WHERE created_at > now() - interval '30 days')::integer AS month,
        (SELECT count(*) FROM auth.users)::integer AS users,
        (SELECT count(*) FROM auth.users WHERE created_at > now() - interval '30 days')::integer AS fresh,
        (SELECT count(*) FROM next)::integer AS next,
        (SELECT count(*) FROM next WHERE start_date < now() + interval '14 days')::integer AS soon`,
    );
    await page.goto('/admin');
    await page.getByText(/^About .* a month$/).waitFor();
    await page.getByText(/^About [\d.,]+ a week$/).waitFor();
    expect({
      total: await card('Total Events'),
      users: await card('Active Users'),
      upcoming: await card('Upcoming Events'),
      month: await card('Events This Month'),
    }).toEqual({
      total: [String(figures?.events), `About ${figures?.month} a month`],
      users: [String(figures?.users), `About ${oneDecimal((figures?.fresh ?? 0) / 4.3)} new users a week`],
      upcoming: [String(figures?.next), `About ${oneDecimal((figures?.soon ?? 0) / 2)} a week`],
      month: [String(figures?.month), 'Created in the last 30 days'],
    });
    await page.locator('canvas').first().waitFor();
    expect(charts()).not.toEqual([]);
  });

  it('shows the registrations of the last seven days, including today’s new ones', async () => {
    const event = await createdEvent(await administratorClient());
    for (let count = 0; count < 3; count += 1) {
      const { client } = await signedUp(url);
      expect((await client.post(`/api/events/${event.id}/register`)).status).toBe(201);
    }
    const { timeZone } = (await (await page.request.get('/api/config')).json()) as Community;
    const expected = await query<ActivityDay>(databaseUrl, DAYS, [timeZone]);
    expect(expected.at(-1)?.registrations).toBeGreaterThanOrEqual(3);
    await until('the sums of each day', 60_000, async () => {
      const answer = await page.request.get('/api/admin/registration-activity');
      return JSON.stringify(await answer.json()) === JSON.stringify(expected);
    });

    await page.goto('/admin');
    const activity = page.getByRole('region', { name: 'Registration Activity' });
    await activity.getByRole('button', { name: 'Show as a table' }).click();
    const rows = activity.getByRole('table').getByRole('row');
    await rows.nth(expected.length).waitFor();
    expect((await rows.allInnerTexts()).slice(1).map((row) => row.split(/\s+/))).toEqual(
      expected.map(({ name, registrations }) => [name, String(registrations)]),
    );
    const total = expected.reduce((sum, { registrations }) => sum + registrations, 0);
    await activity.getByText(`Total this week: ${total}`, { exact: true }).waitFor();
  });

  it('shows the day and its registrations in the tooltip of the chart', async () => {
    await page.goto('/admin');
    const canvas = page.locator('canvas').first();
    await canvas.waitFor();
    const box = await canvas.boundingBox();
    if (!box) throw new Error('the chart has no place on the page');
    const tooltip = page.locator('.g2-tooltip');
    await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
    await page.mouse.move(box.x + box.width * 0.92, box.y + box.height * 0.8, { steps: 4 });
    await tooltip.getByText(/^Day: [A-Z][a-z]{2}$/).waitFor();
    await tooltip.getByText('Registrations', { exact: true }).waitFor();
  });
});
