import { until } from '@meetmark/testing';
import type { Page } from 'playwright-core';
import { administratorClient, rowWith, toastSaying } from '../support/administrator.js';
import { createdEvent } from '../support/api-client.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { mailTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';

const PATIENCE = 60_000;

describe('The admin area', () => {
  const { administrator } = sharedStack();
  const { visitAsAdministrator } = browserForTests();
  let page: Page;
  beforeEach(async () => {
    ({ page } = await visitAsAdministrator());
  });

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
    await entry.getByRole('button').click();
    await page.waitForURL(/actorId=/);
    await entry.waitFor();
  });

  it('shows every service as running, and lists a test email as sent', async () => {
    await page.goto('/admin/system');
    const services = page.getByRole('region', { name: 'Services' }).getByRole('listitem');
    await services.first().waitFor();
    const texts = await services.allInnerTexts();
    for (const name of ['auth', 'events', 'admin', 'worker', 'gateway'])
      expect(texts.find((text) => text.toLowerCase().startsWith(name))).toContain('Running');
    const queues = page.getByRole('table', { name: 'Queues' });
    for (const queue of ['mail', 'messages', 'activity', 'housekeeping', 'audit'])
      await queues.getByText(queue, { exact: true }).waitFor();

    const send = page.getByRole('button', { name: 'Send test email' });
    await page.route('**/api/admin/system/**', (route) => route.abort('internetdisconnected'));
    await send.click();
    await toastSaying(page, 'Failed to send test email');
    await page.unroute('**/api/admin/system/**');
    await send.click();
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
});
