import type { Page } from 'playwright-core';
import { administratorClient, rowWith, toastSaying } from '../support/administrator.js';
import { createdEvent, signedUp } from '../support/api-client.js';
import { DESKTOP, PHONE } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { Keyboard } from '../support/keyboard.js';
import { mailTo } from '../support/mailbox.js';
import { openPath } from '../support/navigation.js';
import { sharedStack } from '../support/shared-stack.js';
import { uniqueTitle } from './events-view.js';

const settled = async (page: Page, path: string) => {
  await openPath(page, path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  // On a slow machine, the page may still be rendering the responses when they have arrived.
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .ant-skeleton'));
};

const coveredButtons = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const toast = document.querySelector('.ant-notification-notice').getBoundingClientRect();
    return [...document.querySelectorAll('[role=dialog] :is(button, a)')]
      .filter((button) => {
        const box = button.getBoundingClientRect();
        return box.left < toast.right && box.right > toast.left && box.top < toast.bottom && box.bottom > toast.top;
      })
      .map((button) => button.outerHTML.slice(0, 120));
  })()`);

/** Returns what is too small or too wide at two window sizes. */
const enlargementFaults = async (page: Page) => {
  const found: string[] = [];
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const [beside, small] = await page.evaluate<[string[], string[]]>(`[
      document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
        .filter((part) => part.checkVisibility() && part.getBoundingClientRect().right > innerWidth)
        .map((part) => part.outerHTML.slice(0, 120)),
      [...document.querySelectorAll('[class*=ant-]')]
        .filter((part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
        .filter((part) => part.checkVisibility() && parseFloat(getComputedStyle(part).fontSize) < 26)
        .map((part) => part.outerHTML.slice(0, 120))]`);
    found.push(...beside.map((part) => `beside the page at ${width}: ${part}`), ...small);
  }
  return found;
};

describe('The interface', () => {
  const { url } = sharedStack();
  const { visit, visitAs, visitAsAdministrator } = browserForTests();

  /** Opens a page of an administrator who reads German. */
  async function visitInGerman() {
    const { client, person, user } = await signedUp(url);
    await client.put('/api/user/profile', { locale: 'de' });
    await (await administratorClient()).put(`/api/admin/users/${user.id}/toggle-admin`, { isAdmin: true });
    const { page, context } = await visitAs(person, { viewport: PHONE });
    await context.addCookies([{ name: 'locale', value: 'de', url }]);
    return page;
  }

  it('shows compact German admin lists on a phone, and labelled actions at 1024 px', async () => {
    const page = await visitInGerman();
    const rows = () =>
      page.evaluate<{ highest: number; facts: number; tooWide: number }>(`(() => {
        const frame = document.querySelector('[data-compact]');
        const rows = [...frame.querySelectorAll('tbody tr')];
        const shown = (row) => [...row.querySelectorAll('[data-phone-line]')].filter((fact) => fact.offsetWidth > 0);
        return {
          highest: Math.max(...rows.map((row) => row.offsetHeight)),
          facts: Math.min(...rows.map((row) => shown(row).length)),
          tooWide: Math.max(frame.scrollWidth - frame.clientWidth, document.documentElement.scrollWidth - innerWidth),
        };
      })()`);
    const lists = [
      ['/admin/users', ['Bearbeiten', 'Zum Admin machen', 'Neues Passwort per E-Mail', 'Löschen']],
      ['/admin/events', ['Bearbeiten', 'Löschen']],
    ] as const;
    for (const [list] of lists) {
      await settled(page, list);
      const { highest, ...row } = await rows();
      expect([list, row]).toEqual([list, { facts: 2, tooWide: 0 }]);
      expect(highest).toBeLessThanOrEqual(88);
    }
    await page.setViewportSize({ width: 1024, height: 768 });
    for (const [list, words] of lists) {
      await settled(page, list);
      for (const word of words)
        await page.getByRole('table').getByText(word, { exact: true }).first().waitFor();
      expect([list, (await rows()).tooWide]).toEqual([list, 0]);
    }
  });

  it('lets an organiser prepare an event in its workspace by keyboard alone', async () => {
    const api = await administratorClient();
    const event = await createdEvent(api, { title: uniqueTitle('By keyboard') });
    for (const name of ['Greta Guest', 'Hugo Host'])
      await api.expect(201, 'POST', `/api/admin/events/${event.id}/guests`, { name });
    const { page } = await visitAsAdministrator();
    const keyboard = new Keyboard(page);
    const part = (name: string) =>
      page.getByRole('navigation', { name: 'Workspace sections' }).getByRole('link', { name });
    const dialog = page.getByRole('dialog');

    await settled(page, `/admin/events?time=all&q=${encodeURIComponent(event.title)}`);
    await keyboard.press(page.getByRole('link', { name: event.title }));
    await keyboard.isAt(page.getByRole('heading', { level: 1, name: event.title }));

    await keyboard.press(part('Guests'));
    await rowWith(page, 'Hugo Host').waitFor();
    await keyboard.type(page.getByRole('searchbox'), 'greta');
    await rowWith(page, 'Hugo Host').waitFor({ state: 'detached' });
    await keyboard.to(page.getByRole('combobox', { name: 'Status' }));
    for (const key of ['Enter', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.waitForURL(/state=registered/);
    await keyboard.sees();
    const greta = page.getByRole('button', { name: 'Greta Guest', exact: true });
    await keyboard.press(greta);
    await keyboard.type(dialog.getByLabel('Note'), 'Brings the projector');
    await keyboard.press(dialog.getByRole('button', { name: 'Save note' }));
    await toastSaying(page, 'Note saved');
    await keyboard.sees();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await keyboard.isAt(greta);

    await keyboard.press(part('Messages'), { back: true });
    const write = page.getByRole('button', { name: 'Write a message' });
    await keyboard.press(write);
    const subject = `A new room ${event.id}`;
    await keyboard.type(dialog.getByLabel('Subject'), subject);
    await keyboard.type(dialog.getByLabel('Message', { exact: true }), 'We meet upstairs.');
    await keyboard.press(dialog.getByRole('button', { name: 'Send me a test' }));
    expect((await mailTo(sharedStack().administrator.email, new RegExp(`^Test: ${subject}`))).text).toContain(
      'We meet upstairs.',
    );
    await keyboard.sees();
    await page.keyboard.press('Escape');
    await keyboard.press(page.getByRole('button', { name: 'Discard' }));
    await dialog.first().waitFor({ state: 'detached' });
    await keyboard.isAt(write);

    await keyboard.press(part('Door'), { back: true });
    await keyboard.press(page.getByRole('button', { name: 'Make a door link' }));
    await page.getByRole('img', { name: 'QR code of the door link' }).waitFor();
    await keyboard.isAt(page.getByRole('textbox', { name: 'Door link' }));
    await keyboard.press(page.getByRole('button', { name: 'Done' }));
    await page.getByRole('img', { name: 'QR code of the door link' }).waitFor({ state: 'detached' });
    await keyboard.sees();

    await keyboard.press(part('Settings'), { back: true });
    await keyboard.press(page.getByRole('switch', { name: 'Waiting list' }), { key: 'Space' });
    await keyboard.press(page.getByRole('button', { name: 'Save settings' }));
    await toastSaying(page, 'Event updated successfully');
    await keyboard.sees();
    await keyboard.press(part('Overview'), { back: true });
    await page.waitForURL(`**/admin/events/${event.id}`);
  });

  it('keeps toasts off dialog buttons on a phone, and focuses a toast with F8', async () => {
    const { page } = await visitAsAdministrator({ viewport: PHONE });
    await settled(page, '/admin/events');
    await page.getByRole('button', { name: 'Create Event' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Event Title').fill('Ends before it begins');
    for (const [label, value] of [
      ['Start Date', '2030-05-02'],
      ['Start Time', '09:00'],
      ['End Date', '2030-05-01'],
      ['End Time', '09:00'],
    ] as const)
      await dialog.getByLabel(label).fill(value);
    await dialog.getByRole('button', { name: 'Create Event' }).click();
    const toast = page.locator('.ant-notification-notice');
    await toast.waitFor();
    expect(await coveredButtons(page)).toEqual([]);
    await page.keyboard.press('F8');
    await toast.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await toast.waitFor({ state: 'detached' });
    await dialog.getByLabel('End Time').and(page.locator(':focus')).waitFor();
  });

  it('keeps the focused link of the moving event strip fully visible', async () => {
    const { page } = await visit({ viewport: PHONE, reducedMotion: 'no-preference' });
    await page.goto('/help');
    const keyboard = new Keyboard(page);
    await keyboard.to(page.getByRole('complementary').getByRole('link'));
    await keyboard.to(page.getByRole('complementary').getByRole('button'));
  });

  it('keeps current items and dialog borders visible in forced-colours mode', async () => {
    const { page } = await visitAsAdministrator({ forcedColors: 'active' });
    await settled(page, '/');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.locator('[role=radiogroup] input:checked').first().waitFor({ state: 'attached' });
    const chosen = await page.evaluate<string[]>(`
      ['nav [aria-current=page]', 'nav a:not([aria-current])', '[role=radiogroup] input:checked + span',
       '[role=radiogroup] input:not(:checked) + span']
        .map((part) => getComputedStyle(document.querySelector(part)).backgroundColor)`);
    expect(chosen[0]).not.toBe(chosen[1]);
    expect(chosen[2]).not.toBe(chosen[3]);
    expect(chosen[0]).toBe(chosen[2]);
    await page
      .getByRole('link', { name: /^View Details/ })
      .first()
      .click();
    const edge = await page
      .locator('.ant-modal-container')
      .evaluate((box) => getComputedStyle(box).borderTopWidth);
    expect(edge).toBe('2px');
    const strip = await page
      .getByRole('complementary')
      .evaluate((box) => getComputedStyle(box).borderBottomWidth);
    expect(strip).toBe('1px');
    // Forced colours replace plain colours, so the current link needs a system colour.
    const { id } = await createdEvent(await administratorClient());
    for (const [path, marked, property] of [
      ['/help/members', 'nav ul a', 'backgroundColor'],
      [`/admin/events/${id}`, 'main nav a', 'borderBottomColor'],
    ] as const) {
      await settled(page, path);
      await page.locator(`${marked}[aria-current]`).first().waitFor();
      const colours = await page
        .locator(marked)
        .evaluateAll(
          (links, name) =>
            links.map((link) => [link.ariaCurrent !== null, getComputedStyle(link)[name]] as const),
          property,
        );
      const current = colours.find(([isCurrent]) => isCurrent)?.[1];
      const others = colours.filter(([isCurrent]) => !isCurrent).map(([, colour]) => colour);
      expect(current).toBeDefined();
      expect(others.length).toBeGreaterThan(0);
      expect(others).not.toContain(current);
    }
  });

  it('fits the agenda into 320 px, and makes month links at least 24 px', async () => {
    await createdEvent(await administratorClient(), {
      title: 'A title that is not short for a calendar on a narrow phone',
      price: '1250.50',
      paymentNote: 'Cash at the door',
    });
    const { page } = await visitAs((await signedUp(url)).person, { viewport: { width: 320, height: 700 } });
    await settled(page, '/events?view=agenda');
    await page.getByRole('article').first().waitFor();
    const beyond = await page.evaluate<string[]>(`
      [...document.querySelectorAll('main *')]
        .filter((part) => part.getBoundingClientRect().right > 320 - 15)
        .map((part) => part.outerHTML.slice(0, 120))`);
    expect(beyond).toEqual([]);

    await page.setViewportSize(DESKTOP);
    await settled(page, '/events?view=month');
    await page.locator('td a').first().waitFor();
    const small = await page.evaluate<string[]>(`
      [...document.querySelectorAll('main :is(a, button)')]
        .filter((part) => part.offsetParent !== null)
        .filter((part) => part.getBoundingClientRect().height < 24 || part.getBoundingClientRect().width < 24)
        .map((part) => part.outerHTML.slice(0, 120))`);
    expect(small).toEqual([]);
  });

  it('enlarges German text to twice the size without making pages scroll sideways', async () => {
    const { id } = await createdEvent(await administratorClient());
    const enlarge = async (page: Page) => {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
    };
    const { page: landing } = await visit({ locale: 'de' });
    await enlarge(landing);
    await settled(landing, '/');
    expect(await enlargementFaults(landing)).toEqual([]);
    const page = await visitInGerman();
    await enlarge(page);
    const screens = ['/events', `/events/${id}`, '/dashboard', '/admin/users', `/admin/events/${id}`];
    for (const path of [...screens, '/admin/settings', `/admin/events/${id}/settings`]) {
      await settled(page, path);
      expect(await page.getAttribute('html', 'lang')).toMatch(/^de/);
      expect([path, await enlargementFaults(page)]).toEqual([path, []]);
    }
    const edit = page.getByRole('button', { name: 'Bearbeiten' }).first();
    expect(await edit.evaluate((button) => getComputedStyle(button).fontSize)).toBe('30px');
    await edit.click();
    await page.getByRole('dialog').getByLabel('Titel der Veranstaltung').waitFor();
    expect(['the form of the event', await enlargementFaults(page)]).toEqual(['the form of the event', []]);
  });
});
