import type { EventPage } from '@meetmark/contracts';
import type { Locator, Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import { administratorClient, rowWith, toastSaying } from '../support/administrator.js';
import { createdEvent, newcomer, signedUp } from '../support/api-client.js';
import { PHONE, readDownload } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { openOptions } from '../support/event-form.js';
import { type Mail, mailTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';
import { asAdministrator } from './as-administrator.js';
import { EventsView, uniqueTitle } from './events-view.js';

function linkIn({ text }: Mail, path: string): string {
  const link = text.match(/https?:\/\/\S+/g)?.find((each) => each.includes(path));
  if (link === undefined) throw new Error(`no link to ${path} in ${text}`);
  return link.replace(/[>).,]+$/, '');
}

describe('The event lifecycle', () => {
  const { url } = sharedStack();
  let page: Page;
  let view: EventsView;
  asAdministrator(async (opened) => {
    page = opened;
    view = new EventsView(page, await administratorClient());
  });
  const { visit, visitAs } = browserForTests();
  const anOrganiser = async () => {
    const { client, person, user } = await signedUp(url);
    await view.api.expect(200, 'PUT', `/api/admin/users/${user.id}`, { role: 'organiser' });
    const { page: own } = await visitAs(person, { viewport: PHONE });
    return { page: own, view: new EventsView(own, view.api), client, user };
  };
  const fillStart = async (form: Locator, title: string) => {
    await form.getByLabel('Event Title').fill(title);
    await form.getByLabel('Start Date').fill('2031-05-01');
    await form.getByLabel('Start Time').fill('18:00');
  };
  const openSaved = async (page: Page, title: string) => {
    await page.getByRole('button', { name: 'Open event' }).click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
  };
  const manage = async (page: Page) => {
    await page.getByRole('link', { name: 'Manage', exact: true }).click();
    await page.getByRole('navigation', { name: 'Workspace sections' }).waitFor();
    return new URL(page.url()).pathname;
  };
  const choose = async (page: Page, item: string) => {
    await page.getByRole('button', { name: /^More: / }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  it('lets an organiser take an event from draft to cancellation', async () => {
    const { page, view, client: organiser, user } = await anOrganiser();
    const title = uniqueTitle('Staged');
    await page.goto('/events?create=1');
    await fillStart(view.dialog(), title);
    expect(await view.dialog().getByLabel('End Time').inputValue()).toBe('20:00');
    await openOptions(view.dialog(), 'Questions');
    await view.dialog().getByRole('button', { name: 'Add a question' }).press('Enter');
    await page.keyboard.type('What do you not eat?');
    await view.dialog().getByRole('button', { name: 'Save draft' }).click();
    await toastSaying(page, 'Draft saved successfully');
    await openSaved(page, title);
    const workspace = await manage(page);
    const path = workspace.replace('/admin', '');
    const hidden = await visit({ viewport: PHONE });
    await hidden.page.goto(path);
    await hidden.page.getByRole('heading', { name: 'This event no longer exists' }).waitFor();

    await choose(page, 'Preview link');
    await view.dialog().getByRole('button', { name: 'Make a link' }).click();
    const link = await view.dialog().getByLabel('Link to the draft').inputValue();
    await hidden.page.goto(new URL(link).pathname);
    await hidden.page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await hidden.page.locator('meta[name=robots]').first().getAttribute('content')).toBe('noindex');
    await view.dialog().getByRole('button', { name: 'Close' }).click();
    await view.dialog().waitFor({ state: 'detached' });

    await page.getByRole('link', { name: /^Publish the event/ }).click();
    await page.waitForURL(`**${workspace}/settings`);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await view.dialog().getByRole('button', { name: 'Publish' }).click();
    await toastSaying(page, 'Event published successfully');
    await page.goto(path);
    await page.getByText('Open for Registration').waitFor();
    await hidden.page.goto(path);
    await hidden.page.getByRole('button', { name: 'Login to Register' }).waitFor();

    const { client, person } = await signedUp(url);
    const { content } = await client.expect<EventPage>(200, 'GET', `/api${path}`);
    const answers = { [content.questions[0]!.id]: 'Peanuts' };
    await client.expect(201, 'POST', `/api${path}/register`, { answers });
    await page.goto(`${workspace}/guests`);
    await page.getByRole('button', { name: 'Nora Newcomer', exact: true }).press('Enter');
    await view.dialog().getByText('What do you not eat?').waitFor();
    await view.dialog().getByText('Peanuts').waitFor();
    await page.goto(`${workspace}/messages`);
    await page.getByRole('button', { name: 'Write a message' }).press('Enter');
    await view.dialog().getByLabel('Subject').fill('A new room');
    await view.dialog().getByLabel('Message', { exact: true }).fill('We meet **upstairs**.');
    await view.dialog().getByRole('button', { name: 'Send to 1 person' }).press('Enter');
    expect((await mailTo(person.email, /^A new room/)).text).toContain('We meet upstairs.');
    await page.getByRole('button', { name: 'Follow up the day after' }).press('Enter');
    await view.dialog().getByRole('button', { name: 'Schedule' }).press('Enter');
    await rowWith(page, 'Scheduled').waitFor();
    await page.goto(path);
    await choose(page, 'Cancel event');
    await view.dialog().getByText('One person will be notified by email.').waitFor();
    await view.dialog().getByLabel('Reason').fill('Our speaker is ill.');
    await view.dialog().getByRole('button', { name: 'Cancel Event' }).click();
    await page.getByText('This event has been canceled').waitFor();
    expect((await mailTo(person.email, /canceled/i)).text).toContain('Our speaker is ill.');
    await hidden.page.reload();
    await hidden.page.getByText('Our speaker is ill.').waitFor();

    const guests = async () => (await organiser.get(`/api/admin${path}/guests`)).status;
    expect(await guests()).toBe(200);
    await view.api.expect(200, 'PUT', `/api/admin/users/${user.id}`, { role: 'member' });
    expect(await guests()).toBe(403);
  });

  it('announces an event to followers of its topic, who unsubscribe with one click', async () => {
    const member = await signedUp(url);
    const { email } = newcomer('Vera', 'Visitor');
    const { page: visitor } = await visit();
    await visitor.goto('/');
    await visitor.getByLabel('Email address').fill(email);
    await visitor.getByRole('checkbox', { name: 'Search' }).check();
    await visitor.getByRole('checkbox', { name: 'A digest on Mondays' }).uncheck();
    await visitor.getByRole('button', { name: 'Sign me up' }).click();
    await visitor.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    const open = async (link: string) => {
      const { pathname, search, hash } = new URL(link);
      await visitor.goto(pathname + search + hash);
    };
    await open(linkIn(await mailTo(email, /^Confirm your email address/), '/subscribe/confirm'));
    await visitor.getByRole('button', { name: 'Confirm my email' }).click();
    await visitor.getByRole('heading', { name: 'Your email address is confirmed' }).waitFor();
    const { page: follower } = await visitAs(member.person);
    await follower.goto('/profile/notifications');
    await follower.getByRole('checkbox', { name: 'Search' }).check();
    await toastSaying(follower, 'You follow Search');

    const title = uniqueTitle('Announced');
    await page.goto('/events?create=1');
    const form = view.dialog();
    await fillStart(form, title);
    await openOptions(form, 'Topics (optional)', 'Who can see it');
    await form.getByRole('checkbox', { name: 'Search' }).check();
    await form.getByRole('switch', { name: 'Announce it by email' }).click();
    await form.getByRole('button', { name: 'Create Event' }).click();
    await openSaved(page, title);

    for (const address of [member.person.email, email]) {
      const mail = await mailTo(address, new RegExp(`^New: ${title}`));
      await open(linkIn(mail, '/e/'));
      await visitor.getByRole('heading', { level: 1, name: title }).waitFor();
      await open(linkIn(mail, '/unsubscribe?token='));
      await visitor.getByRole('button', { name: 'Unsubscribe' }).click();
      await visitor.getByRole('heading', { name: 'You’re unsubscribed' }).waitFor();
    }
    const { body: lists } = await member.client.get('/api/user/mail-preferences');
    expect(lists).toMatchObject({ announcements: false, digest: true });
  });

  it('redirects old links to the short link that an organiser chose', async () => {
    const { page, view } = await anOrganiser();
    const title = uniqueTitle('Bäcker & Brot');
    await page.goto('/events?create=1');
    await fillStart(view.dialog(), title);
    await view.dialog().getByRole('button', { name: 'Create Event' }).click();
    await openSaved(page, title);
    const workspace = await manage(page);
    const link = await page.getByLabel('Link', { exact: true }).inputValue();
    expect(link).toMatch(/\/e\/baecker-brot-\w+$/);
    const [png] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'QR code (PNG)' }).click(),
    ]);
    const { data, info } = await sharp(await readDownload(png))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(decodeQR({ data, width: info.width, height: info.height })).toBe(link);

    await page.goto(`${workspace}/settings`);
    const field = page.getByLabel('Short link');
    const { slug: taken } = await createdEvent(view.api);
    await field.fill(taken!);
    await page.getByRole('button', { name: 'Change link' }).click();
    await page.getByText('Another event uses this link, or used it before').waitFor();
    const another = `brot-${link.slice(-8)}`;
    await field.fill(another.toUpperCase());
    await page.getByText(`${url}/e/${another}`).waitFor();
    await page.getByRole('button', { name: 'Change link' }).click();
    await toastSaying(page, 'Link changed');

    const { page: visitor } = await visit({ viewport: PHONE });
    for (const path of [link, workspace.replace('/admin', ''), `/e/${another.toUpperCase()}`]) {
      await visitor.goto(`${path}?from=mail#agenda`);
      await visitor.getByRole('heading', { level: 1, name: title }).waitFor();
      expect(visitor.url()).toBe(`${url}/e/${another}?from=mail#agenda`);
    }
  });

  it('makes a series of six events and edits them together', async () => {
    const event = await view.openEvent();
    await view.choose(event.title, 'Make a series');
    await view.dialog().getByRole('button', { name: 'Make drafts' }).click();
    await toastSaying(page, '5 drafts made');
    await rowWith(page, event.title).nth(5).waitFor();
    await view.open(event.title);
    await rowWith(page, event.title)
      .filter({ hasText: 'Upcoming' })
      .getByRole('button', { name: /^Edit/ })
      .click();
    await view.dialog().getByLabel('Location').fill('Hull');
    await view.dialog().getByRole('radio', { name: 'This and later' }).check();
    await view.dialog().getByRole('button', { name: 'Update Event' }).click();
    await toastSaying(page, 'Event updated successfully');
    await rowWith(page, event.title).filter({ hasText: 'Hull' }).nth(5).waitFor();
  });

  it('lets an organiser edit without notifying guests and cancel instead of deleting', async () => {
    const event = await createdEvent(view.api, { title: uniqueTitle('Counted on') });
    const { client } = await signedUp(url);
    await client.post(`/api/events/${event.id}/register`);
    await view.open(event.title);
    await view.act(event.title, 'Edit');
    const tell = view.dialog().getByRole('checkbox', { name: 'Tell the person who is registered' });
    await view.dialog().getByLabel('Description').fill('Coffee');
    expect(await tell.isChecked()).toBe(false);
    await view.dialog().getByLabel('Location').fill('Hull');
    expect(await tell.isChecked()).toBe(true);
    await tell.uncheck();
    const saving = page.waitForRequest((request) => request.method() === 'PUT');
    await view.dialog().getByRole('button', { name: 'Update Event' }).click();
    expect((await saving).postDataJSON()).toMatchObject({ notify: false });
    await toastSaying(page, 'Event updated successfully');

    await view.open(event.title);
    await view.act(event.title, 'Delete');
    await view.dialog().getByRole('button', { name: 'Cancel the event instead' }).click();
    await view.dialog().getByRole('button', { name: 'Cancel Event' }).click();
    await toastSaying(page, 'Event canceled successfully');
    await rowWith(page, event.title).getByText('Canceled', { exact: true }).waitFor();
    await page.goto(`/admin/events?status=cancelled&q=${encodeURIComponent(event.title)}`);
    await rowWith(page, event.title).waitFor();
    await page.goto(`/admin/events?status=draft&q=${encodeURIComponent(event.title)}`);
    await page.getByText('No events found.').waitFor();
  });

  it('restores an unsaved form after a reload and forgets it after signing out', async () => {
    const { page, view } = await anOrganiser();
    await page.goto('/events?create=1');
    await view.dialog().getByLabel('Event Title').fill('Half a sentence');
    await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith('typed:')));
    await page.reload();
    await view.dialog().getByRole('button', { name: 'Restore' }).click();
    expect(await view.dialog().getByLabel('Event Title').inputValue()).toBe('Half a sentence');
    await page.goto('/');
    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await page.getByRole('button', { name: /^Account menu/ }).waitFor({ state: 'detached' });
    expect(
      await page.evaluate(`Object.keys(localStorage).filter((key) => key.startsWith('typed:'))`),
    ).toEqual([]);
  });
});
