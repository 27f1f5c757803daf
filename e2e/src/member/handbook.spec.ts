import type { Browser } from 'playwright-core';
import { visitAsAdministrator } from '../support/administrator.js';
import { accessibilityFaults } from '../support/accessibility.js';
import { DESKTOP, openBrowser, PHONE, visit } from '../support/browser.js';
import { openOptions } from '../support/event-form.js';
import { sharedStack } from '../support/shared-stack.js';

describe('The handbook', () => {
  const { url } = sharedStack();
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('opens a section from its link and from its old URL', async () => {
    const { page, errors, context } = await visit(browser, url, { viewport: PHONE });
    await page.goto('/');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Help' }).click();
    await page.getByRole('heading', { level: 1, name: 'Handbook' }).waitFor();
    const link = page.getByRole('main').getByRole('link', { name: 'Cancel your registration' });
    await link.waitFor();
    await link.focus();
    await page.keyboard.press('Enter');
    const section = page.getByRole('heading', { name: 'Cancel your registration' });
    await section.and(page.locator(':focus')).waitFor();
    expect(new URL(page.url()).pathname).toBe('/help/members');
    expect(await page.title()).toMatch(/^For members · /);

    await page.goto('/help/members.html#cancel-your-registration');
    await section.and(page.locator(':focus')).waitFor();
    expect(await section.evaluate((heading) => heading.getBoundingClientRect().top)).toBeLessThan(200);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('appears in German to German readers and in English to French readers', async () => {
    const { page, errors, context } = await visit(browser, url, { locale: 'de-DE' });
    await page.goto('/help');
    await page.getByRole('link', { name: 'Die Anmeldung zurücknehmen' }).click();
    await page.getByRole('heading', { level: 1, name: 'Für Mitglieder' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#cancel-your-registration');
    await context.close();
    const french = await visit(browser, url, { locale: 'fr-FR' });
    await french.page.goto('/help');
    await french.page.getByText('Le manuel n’existe pas encore en français').waitFor();
    await french.page.getByRole('main').getByRole('link', { name: 'For members' }).waitFor();
    expect([...errors, ...french.errors]).toEqual([]);
    await french.context.close();
  });

  it('is readable without JavaScript', async () => {
    const context = await browser.newContext({ baseURL: url, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto('/help');
    await page.getByRole('link', { name: 'For members' }).click();
    await page.getByText('Press Unregister on the event').waitFor();
    await context.close();
  });

  it.each([
    ['a desktop', DESKTOP],
    ['a phone', PHONE],
  ])('opens a section from a help button on %s and returns the keyboard focus', async (_, viewport) => {
    const { page, errors, context } = await visitAsAdministrator(browser, { viewport });
    await page.goto('/admin/settings');
    const help = page.getByRole('button', { name: 'Help: Legal pages' });
    await help.focus();
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Help: Legal pages' });
    const section = sheet.getByRole('heading', { name: 'Write terms and privacy' });
    await section.and(page.locator(':focus')).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await help.and(page.locator(':focus')).waitFor();

    // If a form is open behind the help, Escape closes only the help.
    await page.goto('/events?create=1');
    const form = page.getByRole('dialog', { name: 'Create New Event' });
    await form.getByLabel('Event Title').fill('Copy clinic');
    await openOptions(form, 'When');
    await form.getByRole('button', { name: 'Help: When' }).click();
    const over = page.getByRole('dialog', { name: 'Help: When' });
    await over.getByRole('heading', { name: 'Set the date and time' }).waitFor();
    await page.keyboard.press('Escape');
    await over.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Event Title').inputValue()).toBe('Copy clinic');
    await form.getByRole('button', { name: 'Help: When' }).and(page.locator(':focus')).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});
