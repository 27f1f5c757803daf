import type { Page } from 'playwright-core';

/**
 * Action that runs before a page's statements are checked. Actions block or fake requests that would change
 * the community.
 */
export type Action = (page: Page) => Promise<unknown>;

export const then =
  (...actions: Action[]): Action =>
  async (page) => {
    for (const action of actions) await action(page);
  };

const isRead = (method: string) => method === 'GET';

/**
 * Pages that must be reloaded before the next screen, because they block requests or show an open header
 * menu.
 */
export const KEPT = new WeakSet<Page>();

const keeping =
  (action: Action): Action =>
  (page) => {
    KEPT.add(page);
    return action(page);
  };

export const held = (path: string): Action =>
  keeping((page) =>
    page.route(path, (route) => (isRead(route.request().method()) ? route.fallback() : undefined)),
  );

export const unread = (path: string): Action => keeping((page) => page.route(path, () => undefined));

export const answered =
  (path: string, status: number, body?: object): Action =>
  (page) =>
    page.route(path, (route) =>
      isRead(route.request().method())
        ? route.fallback()
        : route.fulfill({ status, body: body ? JSON.stringify(body) : '', contentType: 'application/json' }),
    );

export const cut =
  (path: string): Action =>
  (page) =>
    page.route(path, (route) => (isRead(route.request().method()) ? route.fallback() : route.abort()));

const dialog = (page: Page) => page.getByRole('dialog').last();

async function foreground(page: Page) {
  return (await page.getByRole('dialog').count()) > 0 ? dialog(page) : page.getByRole('main');
}

export const press =
  (name: string | RegExp, role: 'button' | 'link' | 'tab' | 'menuitem' = 'button'): Action =>
  (page) =>
    page.getByRole(role, { name, exact: true }).first().click();

export const pressInDialog =
  (name: string): Action =>
  async (page) =>
    dialog(page).getByRole('button', { name, exact: true }).last().click();

export const fill =
  (fields: Record<string, string>): Action =>
  async (page) => {
    const [first = ''] = Object.keys(fields);
    await page.getByLabel(first, { exact: true }).last().waitFor();
    const form = await foreground(page);
    for (const [label, text] of Object.entries(fields))
      await form.getByLabel(label, { exact: true }).fill(text);
  };

export const openNavigation: Action = keeping(async (page) => {
  await page.getByRole('banner').getByRole('button').first().waitFor();
  const menu = page.getByRole('button', { name: 'Open menu' });
  if (await menu.isVisible()) await menu.click();
});

export const openAccountMenu: Action = keeping(press(/^Account menu/));

export const openChangePassword: Action = then(openAccountMenu, press('Change Password', 'menuitem'));

export const leaveEmpty: Action = async (page) => {
  for (const label of ['Current Password', 'New Password', 'Confirm New Password'])
    await dialog(page).getByLabel(label, { exact: true }).focus();
  await dialog(page).getByLabel('Current Password').focus();
};

export const reopenChangePassword: Action = async (page) => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await openChangePassword(page);
};

export const openDetails =
  (says?: RegExp): Action =>
  async (page) => {
    const cards = page.getByRole('article').filter({ hasText: 'View Details' });
    const card = says ? cards.filter({ has: page.getByText(says) }) : cards;
    await card
      .first()
      .getByRole('link', { name: /^View Details/ })
      .click();
    await dialog(page).locator('time').first().waitFor();
  };

export const act =
  (action: string): Action =>
  async (page) => {
    const named = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}: `) }).first();
    await named('More').waitFor();
    const inRow = named(action);
    if (await inRow.isVisible()) await inRow.click();
    else {
      await named('More').click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    }
    await dialog(page).getByRole('button').first().waitFor();
  };

export const openMore: Action = press(/^More: /);

/** Shows `mailto:` drafts in the page, because a browser without an email program ignores such links. */
export const showDrafts: Action = (page) =>
  page.evaluate(() => {
    const { click } = HTMLAnchorElement.prototype;
    HTMLAnchorElement.prototype.click = function () {
      if (!this.href.startsWith('mailto:')) return click.call(this);
      const draft = document.createElement('p');
      draft.textContent = decodeURIComponent(this.href);
      return document.body.append(draft);
    };
  });

export const choosePaid: Action = async (page) => {
  await dialog(page).getByRole('radio', { name: 'Paid Event' }).check();
};

export const fillEvent = (end: string): Action =>
  fill({
    'Event Title': 'Copy clinic',
    'Start Date': '2031-05-01',
    'Start Time': '18:00',
    'End Date': '2031-05-01',
    'End Time': end,
  });
