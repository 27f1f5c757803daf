import { until } from '@meetmark/testing';
import type { Browser, Page } from 'playwright-core';
import { administratorClient, rowWith, toastSaying, visitAsAdministrator } from '../support/administrator.js';
import { createdEvent } from '../support/api-client.js';
import { openBrowser } from '../support/browser.js';
import { mailTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';

const PATIENCE = 60_000;

describe('The admin area', () => {
  const { administrator } = sharedStack();
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    ({ page } = await visitAsAdministrator(browser));
  });
  afterEach(() => page.context().close());
  afterAll(() => browser.close());

  const choose = async (filter: string, option: string) => {
    await page.getByRole('combobox', { name: filter }).click();
    await page.locator('.ant-select-item-option').filter({ hasText: option }).click();
  };

  it('records a created event and filters the audit log by action and actor', async () => {
    const event = await createdEvent(await administratorClient(), { title: `Audited ${Date.now()}` });
    const entry = rowWith(page, event.title);
    await until('the record', PATIENCE, async () => {
      await page.goto('/admin/audit');
      await page.getByRole('table').waitFor();
      await page.waitForLoadState('networkidle');
      return (await entry.count()) > 0;
    });
    await entry.getByText('Created an event').waitFor();

    await choose('What', 'Deleted an event');
    await entry.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await choose('What', 'Created an event');
    await entry.waitFor();
    await entry.getByRole('button').click();
    await page.waitForURL(/actorId=/);
    await entry.waitFor();
  });

  it('shows every queue, and every service as running', async () => {
    await page.goto('/admin/system');
    const services = page.getByRole('region', { name: 'Services' }).getByRole('listitem');
    await services.first().waitFor();
    const texts = await services.allInnerTexts();
    for (const name of ['auth', 'events', 'admin', 'worker', 'gateway'])
      expect(texts.find((text) => text.toLowerCase().startsWith(name))).toContain('Running');
    for (const queue of ['mail', 'messages', 'activity', 'housekeeping', 'audit'])
      await page.getByRole('table', { name: 'Queues' }).getByText(queue, { exact: true }).waitFor();
  });

  it('sends a test email and lists it as sent', async () => {
    await page.goto('/admin/system');
    await page.getByRole('button', { name: 'Send test email' }).click();
    await toastSaying(page, `A test email is on its way to ${administrator.email}`);
    await mailTo(administrator.email, /test/i);
    const mails = page.getByRole('table', { name: 'Recent emails' });
    const sent = mails.getByRole('row').filter({ hasText: 'Test' }).filter({ hasText: 'Sent' });
    await until('the mail in the list', PATIENCE, async () => {
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.waitForLoadState('networkidle');
      return (await sent.count()) > 0;
    });
  });

  it('reports when the status or a test email fails, and reloads the status', async () => {
    await page.route('**/api/admin/system**', (route) => route.abort('internetdisconnected'));
    await page.goto('/admin/system');
    await page.getByText('This couldn’t be loaded').waitFor();
    await page.getByRole('button', { name: 'Send test email' }).click();
    await toastSaying(page, 'Failed to send test email');
    await page.unroute('**/api/admin/system**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'Queues' }).waitFor();
  });
});
