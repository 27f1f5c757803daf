import type { Event } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import type { Browser, Locator, Page } from 'playwright-core';
import { accessibilityFaults } from '../support/accessibility.js';
import { administratorClient, toastSaying, visitAs } from '../support/administrator.js';
import { createdEvent, signedUp } from '../support/api-client.js';
import { openBrowser, PHONE, visit } from '../support/browser.js';
import { sharedStack } from '../support/shared-stack.js';

const { url } = sharedStack();

describe('The event page', () => {
  let browser: Browser;
  let event: Event;

  beforeAll(async () => {
    browser = await openBrowser();
    event = await createdEvent(await administratorClient(), {
      title: `What the last core update changed ${Date.now()}`,
      description: 'A paragraph that is long enough to scroll past.\n\n'.repeat(40),
      location: 'Platform, New Station Street, Leeds',
      capacity: 30,
      price: '15',
    });
  });
  afterAll(() => browser.close());

  const inFirstScreen = async (part: Locator) => {
    const box = await part.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= PHONE.height;
  };
  const bar = (page: Page) => page.locator('[class*=bar]').filter({ hasText: '£15' }).last();

  it('shows title, date, location and the Register button on a phone without scrolling', async () => {
    for (const member of [false, true]) {
      const { page, context } = member
        ? await visitAs(browser, (await signedUp(url)).person, { viewport: PHONE })
        : await visit(browser, url, { viewport: PHONE });
      await page.goto(`/events/${event.id}`);
      await page.getByRole('button', { name: 'Register', exact: true }).first().waitFor();
      await page.waitForLoadState('networkidle');
      // If the visitor's form is below the fold, a bar at the bottom shows the button.
      const action = member
        ? page.getByRole('button', { name: 'Register', exact: true }).first()
        : bar(page).getByRole('button', { name: 'Register', exact: true });
      await action.waitFor();
      for (const part of [
        page.getByRole('heading', { level: 1 }),
        page.locator('time').first(),
        page.getByText(event.location!, { exact: true }),
        action,
      ])
        expect([String(part), await inFirstScreen(part)]).toEqual([String(part), true]);
      await context.close();
    }
  });

  it('shows price and Register button in a bar on a phone after scrolling', async () => {
    const { person } = await signedUp(url);
    const { page, context, errors } = await visitAs(browser, person, { viewport: PHONE });
    await page.goto(`/events/${event.id}`);
    await page.getByRole('button', { name: 'Register', exact: true }).first().waitFor();
    await bar(page).waitFor({ state: 'hidden' });
    await page.evaluate(() => void window.scrollTo(0, 1_200));
    await bar(page).waitFor();
    const box = (await bar(page).boundingBox())!;
    expect(box.height).toBe(56);
    expect(Math.round(box.y + box.height)).toBe(PHONE.height);
    await bar(page).getByRole('button', { name: 'Register' }).click();
    await toastSaying(page, 'Successfully registered for event');
    await bar(page).waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: `You’re in, ${person.firstName}` }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('offers calendar links and sharing by keyboard', async () => {
    const { page, context } = await visit(browser, url);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/events/${event.id}`);
    await page.getByRole('button', { name: 'Add to calendar' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Google Calendar' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Calendar file (.ics)');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Google Calendar' }).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Add to calendar');
    await page.getByRole('button', { name: 'Share' }).focus();
    await page.keyboard.press('Enter');
    await toastSaying(page, 'Link copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url + eventPath(event));
    await context.close();
  });
});
