import { PHONE } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { openOptions } from '../support/event-form.js';

describe('The handbook', () => {
  const { visit, visitAsAdministrator } = browserForTests();

  it('opens a section from its link and from its old URL', async () => {
    const { page } = await visit({ viewport: PHONE });
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
  });

  it('closes a section over a form by Escape without closing the form', async () => {
    const { page } = await visitAsAdministrator();
    await page.goto('/events?create=1');
    const form = page.getByRole('dialog', { name: 'Create New Event' });
    await form.getByLabel('Event Title').fill('Copy clinic');
    await openOptions(form, 'When');
    const help = form.getByRole('button', { name: 'Help: When' });
    await help.press('Enter');
    const over = page.getByRole('dialog', { name: 'Help: When' });
    const section = over.getByRole('heading', { name: 'Set the date and time' });
    await section.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await over.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Event Title').inputValue()).toBe('Copy clinic');
    await help.and(page.locator(':focus')).waitFor();
  });
});
