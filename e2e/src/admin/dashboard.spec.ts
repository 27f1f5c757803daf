import { until } from '@meetmark/testing';
import type { Page } from 'playwright-core';
import { administratorClient } from '../support/administrator.js';
import { createdEvent, signedUp } from '../support/api-client.js';
import { sharedStack } from '../support/shared-stack.js';
import { asAdministrator } from './as-administrator.js';

describe('The admin dashboard', () => {
  let page: Page;
  asAdministrator((opened) => {
    page = opened;
  });

  it('loads the chart library only here', async () => {
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname));
    const charts = () => scripts.filter((script) => script.includes('activity-chart'));
    await page.goto('/admin/users');
    await page.waitForLoadState('networkidle');
    expect(charts()).toEqual([]);
    await page.goto('/admin');
    await page.getByText(/^About .* a month$/).waitFor();
    await page.locator('canvas').first().waitFor();
    expect(charts()).not.toEqual([]);
  });

  it('counts new registrations in today’s row of a table', async () => {
    const event = await createdEvent(await administratorClient());
    const activity = page.getByRole('region', { name: 'Registration Activity' });
    const readToday = async () => {
      await page.goto('/admin');
      await activity.getByRole('button', { name: 'Show as a table' }).click();
      const rows = activity.getByRole('table').getByRole('row');
      await rows.nth(7).waitFor();
      return Number((await rows.nth(7).innerText()).split(/\s+/)[1]);
    };
    const before = await readToday();
    const { client } = await signedUp(sharedStack().url);
    await client.expect(201, 'POST', `/api/events/${event.id}/register`);
    await until('the new registration', 60_000, async () => (await readToday()) > before);
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
