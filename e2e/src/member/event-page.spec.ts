import type { Event } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import type { Locator, Page } from 'playwright-core';
import { administratorClient, toastSaying } from '../support/administrator.js';
import { createdEvent, signedUp } from '../support/api-client.js';
import { PHONE } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { sharedStack } from '../support/shared-stack.js';

const { url } = sharedStack();

describe('The event page', () => {
  const { visit, visitAs } = browserForTests();
  let event: Event;

  beforeAll(async () => {
    event = await createdEvent(await administratorClient(), {
      title: `What the last core update changed ${Date.now()}`,
      description: 'A paragraph that is long enough to scroll past.\n\n'.repeat(40),
      location: 'Platform, New Station Street, Leeds',
      capacity: 30,
      price: '15',
    });
  });

  const inFirstScreen = async (part: Locator) => {
    const box = await part.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= PHONE.height;
  };
  const bar = (page: Page) => page.locator('[class*=bar]').filter({ hasText: '£15' }).last();

  /** Opens the event's page and returns the parts that the first screen doesn't show. */
  const findPartsOutside = async (page: Page, findAction: () => Locator) => {
    await page.goto(`/events/${event.id}`);
    await page.getByRole('button', { name: 'Register', exact: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    const action = findAction();
    await action.waitFor();
    const parts = [
      page.getByRole('heading', { level: 1 }),
      page.locator('time').first(),
      page.getByText(event.location!, { exact: true }),
      action,
    ];
    const areInside = await Promise.all(parts.map(inFirstScreen));
    return parts.filter((_, index) => !areInside[index]).map(String);
  };

  it('shows visitors title, date, location and a Register button in a bar on a phone', async () => {
    const { page } = await visit({ viewport: PHONE });
    const button = () => bar(page).getByRole('button', { name: 'Register', exact: true });
    expect(await findPartsOutside(page, button)).toEqual([]);
  });

  it('shows members the Register button on a phone, after scrolling in a bar', async () => {
    const { person } = await signedUp(url);
    const { page } = await visitAs(person, { viewport: PHONE });
    const button = () => page.getByRole('button', { name: 'Register', exact: true }).first();
    expect(await findPartsOutside(page, button)).toEqual([]);
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
  });

  it('offers calendar links and sharing by keyboard', async () => {
    const { page, context } = await visit();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`/events/${event.id}`);
    await page.getByRole('button', { name: 'Add to calendar' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Google Calendar' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Calendar file (.ics)');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Google Calendar' }).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Add to calendar');
    await page.getByRole('button', { name: 'Share' }).focus();
    await page.keyboard.press('Enter');
    await toastSaying(page, 'Link copied');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url + eventPath(event));
  });
});
