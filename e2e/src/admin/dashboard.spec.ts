import type { ActivityDay, Summary } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import type { Browser, Page } from 'playwright-core';
import { administratorClient, visitAsAdministrator } from '../support/administrator.js';
import { createdEvent, signedUp } from '../support/api-client.js';
import { DESKTOP, openBrowser } from '../support/browser.js';
import { query } from '../support/database.js';
import { sharedStack } from '../support/shared-stack.js';

const DAYS = `
  SELECT to_char(day, 'Dy') AS name, count(r.id)::integer AS registrations
  FROM generate_series(0, 6) AS n,
    LATERAL (SELECT (now() AT TIME ZONE $1)::date - 6 + n AS day) AS d
    LEFT JOIN events.event_registrations r
      ON r.status = 'registered' AND (r.registered_at AT TIME ZONE $1)::date = d.day
  GROUP BY n, day ORDER BY n`;

describe('The admin dashboard', () => {
  const { url, databaseUrl } = sharedStack();
  let browser: Browser;
  let page: Page;
  let timeZone: string;
  beforeAll(async () => {
    browser = await openBrowser();
    ({ page } = await visitAsAdministrator(browser));
    timeZone = ((await (await page.request.get('/api/config')).json()) as { timeZone: string }).timeZone;
  });
  afterAll(() => browser.close());

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

  it('counts events and users, and shows weekly rates', async () => {
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
  });

  it('lists the next events in the order that the API returns', async () => {
    const summary = (await (await page.request.get('/api/admin/summary')).json()) as Summary;
    await page.goto('/admin');
    const nearest = page.getByRole('region', { name: 'Next events' }).getByRole('listitem');
    // Waits for an event's title, because the loading placeholder is also a list.
    await nearest.filter({ hasText: summary.nextEvents[0]?.title }).first().waitFor();
    expect(await nearest.count()).toBe(summary.nextEvents.length);
    for (const [index, event] of summary.nextEvents.entries())
      expect(await nearest.nth(index).innerText()).toContain(event.title);
  });

  it('shows the registrations of the last seven days, including today’s new ones', async () => {
    const event = await createdEvent(await administratorClient());
    for (let count = 0; count < 3; count += 1) {
      const { client } = await signedUp(url);
      expect((await client.post(`/api/events/${event.id}/register`)).status).toBe(201);
    }
    const expected = await query<ActivityDay>(databaseUrl, DAYS, [timeZone]);
    expect(expected.at(-1)?.registrations).toBeGreaterThanOrEqual(3);
    await untilRolledUp(expected);

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
    const active = expected.filter(({ registrations }) => registrations > 0).length;
    await activity
      .getByText(
        active === 7
          ? `Average: ${oneDecimal(total / 7)}/day`
          : `Average: ${oneDecimal(total / active)}/active day (${oneDecimal(total / 7)}/day overall)`,
        { exact: true },
      )
      .waitFor();
  });

  const untilRolledUp = (expected: ActivityDay[]) =>
    until('the sums of each day', 60_000, async () => {
      const answer = await page.request.get('/api/admin/registration-activity');
      return JSON.stringify(await answer.json()) === JSON.stringify(expected);
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

  it('opens the email check from the first-month checklist and shows its results', async () => {
    await page.goto('/admin');
    const month = page.getByRole('region', { name: 'The first month' });
    await month.getByText(/^\d of 8 done$/).waitFor();
    expect(await month.getByRole('listitem').count()).toBe(0);
    await month.getByText('The first month').click();
    expect(await month.getByRole('listitem').count()).toBe(8);
    await month.getByRole('link', { name: 'Email checked' }).press('Enter');
    const check = page.getByRole('region', { name: 'Email check' });
    // The link's hash moves the focus to the heading of the section.
    const heading = check.getByRole('heading', { name: 'Email check' });
    await heading.and(page.locator(':focus')).waitFor();
    expect((await heading.boundingBox())!.y).toBeLessThan(DESKTOP.height);
    await check.getByLabel('DKIM selector').fill('s1');
    await check.getByRole('button', { name: 'Check' }).click();
    await check.getByText(/, checked /).waitFor();
    const records = await check.getByRole('listitem').allInnerTexts();
    expect(records.map((words) => words.split('\n')[0]?.split(/\s/)[0])).toEqual(['SPF', 'DKIM', 'DMARC']);
    // The result depends on whether a DNS server answers where this test runs.
    for (const words of records) expect(words).toMatch(/Found|Missing|Unknown/);
  });

  it('loads the chart library on the dashboard, but not on the user list', async () => {
    const { page: elsewhere, context } = await visitAsAdministrator(browser);
    const scripts: string[] = [];
    elsewhere.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    const charts = () => scripts.filter((script) => script.includes('activity-chart'));
    await elsewhere.goto('/admin/users');
    await elsewhere.waitForLoadState('networkidle');
    expect(charts()).toEqual([]);
    await elsewhere.goto('/admin');
    await elsewhere.locator('canvas').first().waitFor();
    expect(charts()).not.toEqual([]);
    await context.close();
  });

  it('reports a failed summary, shows the rest and loads the summary on retry', async () => {
    const { page: broken, context } = await visitAsAdministrator(browser);
    await broken.route('**/api/admin/summary', (route) => route.fulfill({ status: 500, body: '' }));
    await broken.goto('/admin');
    await broken.getByText('This couldn’t be loaded').waitFor();
    await broken.getByText(/^Total this week/).waitFor();
    await broken.unroute('**/api/admin/summary');
    await broken.getByRole('button', { name: 'Try again' }).click();
    await broken.getByRole('heading', { name: 'Total Events' }).waitFor();
    await context.close();
  });
});
