import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import {
  AMELIAS_FEED,
  LATE,
  MEMBERS_PASSWORD,
  OWNER,
  restoreCommunity,
} from '@meetmark/scripts/upgrade/community-of-1.0.0';
import type { Browser, Page } from 'playwright-core';
import { rowWith, toastSaying } from '../support/administrator.js';
import { openBrowser, visit } from '../support/browser.js';
import { query } from '../support/database.js';
import { mailTo } from '../support/mailbox.js';
import {
  addAuthenticator,
  keepRecoveryCodes,
  keyOfAuthenticator,
  openSecurity,
  submitPassword,
} from '../support/second-factor.js';
import type { Account } from '../support/shared-stack.js';

/** Of those whose pictures the dump holds whole: a member, and an event of the past at which she had a place. */
const ANAIS = { email: 'anais.dubois@members.example', password: MEMBERS_PASSWORD };
const PAST = 'Looker Studio Dashboards People Open';
const PLACES_AT_PAST = 25;

const TITLES_OF_ANAIS = `
  SELECT title FROM events.events AS event JOIN events.event_registrations AS place ON event_id = event.id
  WHERE place.status = 'registered' AND user_id = (SELECT id FROM auth.users WHERE email = $1)`;

/** docs/upgrading.md in a browser: what its words promise is what its readers meet. */
describe('A community of 1.0.0 after the upgrade', () => {
  let stack: TestStack;
  let browser: Browser;
  /** In 1.0.0. */
  let titlesOfAnais: string[];
  beforeAll(async () => {
    const restoreData = async (databaseUrl: string) => {
      await restoreCommunity(databaseUrl);
      const rows = await query<{ title: string }>(databaseUrl, TITLES_OF_ANAIS, [ANAIS.email]);
      titlesOfAnais = rows.map(({ title }) => title);
    };
    // the processes' own default; and the audit log of the dump grows old
    const environment = { ADMIN_SECOND_FACTOR: 'required', AUDIT_RETENTION_DAYS: '36500' };
    [stack, browser] = await Promise.all([startTestStack({ restoreData, environment }), openBrowser()]);
  });
  afterAll(() => Promise.all([stack.stop(), browser.close()]));

  const signIn = async (account: Account) => {
    const visited = await visit(browser, stack.url);
    await visited.page.goto('/?signin=1');
    await submitPassword(visited.page, account);
    await visited.page.getByRole('navigation').getByRole('link', { name: 'My Events' }).waitFor();
    return visited;
  };
  const articles = (page: Page) => page.getByRole('main').getByRole('article');
  const isShown = (page: Page, picture: string) =>
    page.waitForFunction(
      (start) =>
        [...document.images].some(({ src, naturalWidth }) => src.includes(start) && naturalWidth > 0),
      picture,
    );

  it('lets a member in with the old password, who finds picture and places, and registers for what is to come', async () => {
    const { page, context, errors } = await signIn(ANAIS);
    await page.goto('/profile');
    await page.getByRole('heading', { name: 'Anaïs Dubois' }).waitFor();
    await isShown(page, '/media/avatars/');

    await page.goto('/my-events?time=all');
    await articles(page).first().waitFor();
    const titles = await articles(page).getByRole('heading').allTextContents();
    expect(titles.sort()).toEqual(titlesOfAnais.sort());
    expect(titles).toContain(PAST);
    await articles(page).filter({ hasText: PAST }).getByRole('link', { name: PAST, exact: true }).click();
    await page.getByText(`Attendees (${PLACES_AT_PAST})`).waitFor();

    await page.goto(`/?q=${encodeURIComponent(LATE)}`);
    await page.getByRole('button', { name: `Register: ${LATE}` }).click();
    await toastSaying(page, 'Successfully registered for event');
    await mailTo(ANAIS.email, /registered/i, stack.mailboxUrl);
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Welcome back, Anaïs!' }).waitFor();
    const next = await page
      .getByRole('region', { name: /^Your next event/ })
      .getByRole('link')
      .first()
      .innerText();
    expect([...titlesOfAnais, LATE]).toContain(next);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('goes on answering calendars at the addresses that they have', async () => {
    const feed = await fetch(new URL(AMELIAS_FEED, stack.url));
    expect(feed.headers.get('content-type')).toContain('text/calendar');
    expect(await feed.text()).toContain(`SUMMARY:${LATE}`);
  });

  it('shows visitors its events, with their pictures', async () => {
    const { page, context, errors } = await visit(browser, stack.url);
    await page.goto(`/?time=past&q=${encodeURIComponent(PAST)}`);
    await page.getByText('1 event found').waitFor();
    await articles(page)
      .getByRole('link', { name: /View Details/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: PAST }).waitFor();
    await dialog.getByRole('link', { name: 'Open the event’s page' }).click();
    await page.waitForURL(/\/e\/[a-z0-9-]+$/);
    await page.getByRole('heading', { level: 1, name: PAST }).waitFor();
    await page.getByText(`Attendees (${PLACES_AT_PAST})`).waitFor();
    await isShown(page, '/media/banners/');
    expect(errors).toEqual([]);
    await context.close();
  });

  it('is administered by its owner, once a second factor is added', async () => {
    const { page, context, errors } = await signIn(OWNER);
    await openSecurity(page);
    await page.getByText('Admins of this community need a second factor.').waitFor();
    await addAuthenticator(page, await keyOfAuthenticator(page), 'My phone');
    await keepRecoveryCodes(page);
    await page.getByText('My phone').waitFor();

    await page.goto('/admin/users');
    await page.getByText('1–20 of 42').waitFor();
    await page.goto('/admin/audit');
    const created = rowWith(page, LATE).filter({ hasText: 'Created an event' });
    await created.getByText('Alex Morley').waitFor();
    await page.goto(`/admin/events?time=all&q=${encodeURIComponent(PAST)}`);
    await rowWith(page, PAST).getByRole('link', { name: PAST }).click();
    await page.getByRole('heading', { level: 1, name: PAST }).waitFor();
    await page.getByRole('link', { name: 'Guests', exact: true }).click();
    await rowWith(page, ANAIS.email)
      .getByText(/^Came at/)
      .waitFor();
    await page.goto('/admin/system');
    const mails = page.getByRole('table', { name: 'Last mails' });
    await mails.getByRole('row').filter({ hasText: 'Sent' }).first().waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});
