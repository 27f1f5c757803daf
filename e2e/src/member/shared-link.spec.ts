import type { Event } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/event-path';
import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults, faultsInBothSchemes } from '../support/accessibility.js';
import { administratorClient } from '../support/administrator.js';
import { type ApiClient, createdEvent, newcomer, signedUp } from '../support/api-client.js';
import { openBrowser, PHONE, visit } from '../support/browser.js';
import { codeIn, mailsTo, mailTo } from '../support/mailbox.js';
import { codeOf } from '../support/second-factor.js';
import { sharedStack } from '../support/shared-stack.js';

const { url } = sharedStack();

type Person = ReturnType<typeof newcomer>;

/** What a thumb does on the page: each field that is filled in and each press is one. */
class Thumb {
  interactions = 0;

  constructor(readonly page: Page) {}

  async fill(label: string, text: string) {
    this.interactions += 1;
    await this.page.getByLabel(label, { exact: true }).first().fill(text);
  }

  async press(name: string) {
    this.interactions += 1;
    await this.page.getByRole('main').getByRole('button', { name, exact: true }).first().click();
  }

  async ask({ email, firstName, lastName }: Person, button = 'Register') {
    await this.fill('Email', email);
    await this.fill('First name', firstName);
    await this.fill('Last name', lastName);
    await this.press(button);
    await this.page.getByText(`6 digits that we sent to ${email}`).waitFor();
  }
}

const codeTo = async (email: string, event: Event) => codeIn(await mailTo(email, new RegExp(event.title)));

describe('From a shared link to a place, on a phone', () => {
  let browser: Browser;
  let admin: ApiClient;

  beforeAll(async () => {
    browser = await openBrowser();
    admin = await administratorClient();
  });
  afterAll(() => browser.close());

  const open = async (path: string) => {
    const visited = await visit(browser, url, { viewport: PHONE });
    await visited.page.goto(path);
    let navigations = 0;
    visited.page.on('request', (request) => (navigations += request.isNavigationRequest() ? 1 : 0));
    return { ...visited, thumb: new Thumb(visited.page), navigations: () => navigations };
  };
  const isIn = (page: Page, { firstName }: Person) =>
    page.getByRole('heading', { name: `You’re in, ${firstName}` }).waitFor();

  it('a visitor is in after three fields and a code, on the same page', async () => {
    const event = await createdEvent(admin, { capacity: 10 });
    const person = newcomer('Vera', 'Visitor');
    const { page, context, errors, thumb, navigations } = await open(`/events/${event.id}`);
    await page.getByRole('heading', { name: '10 places left' }).waitFor();
    expect(await faultsInBothSchemes(page)).toEqual([]);
    await thumb.ask(person);
    await page.getByLabel('6-digit code').waitFor();
    expect(await faultsInBothSchemes(page)).toEqual([]);
    await thumb.fill('6-digit code', await codeTo(person.email, event));
    await isIn(page, person);
    expect(thumb.interactions).toBeLessThanOrEqual(5);
    expect([navigations(), new URL(page.url()).pathname]).toEqual([0, eventPath(event)]);
    await page
      .getByRole('button', { name: /^Account menu/ })
      .or(page.getByRole('button', { name: 'Open menu' }))
      .first()
      .waitFor();
    await page.getByText('Attendees (1)').waitFor();
    await page.getByText('Vera Visitor', { exact: true }).waitFor();
    expect(await faultsInBothSchemes(page)).toEqual([]);

    await page.getByLabel('Other people who are coming see').selectOption('Nothing of me');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.reload();
    await isIn(page, person);
    await page.getByText('1 person is coming').waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('a visitor to a full event waits for a place', async () => {
    const event = await createdEvent(admin, { capacity: 1 });
    await (await signedUp(url)).client.post(`/api/events/${event.id}/register`);
    const person = newcomer('Walter', 'Waiting');
    const { page, context, thumb, navigations } = await open(`/events/${event.id}`);
    await page.getByRole('heading', { name: 'All places are taken' }).waitFor();
    await thumb.ask(person, 'Join the waiting list');
    await thumb.fill('6-digit code', await codeTo(person.email, event));
    await page.getByRole('heading', { name: 'You are number 1' }).waitFor();
    expect(thumb.interactions).toBeLessThanOrEqual(5);
    expect([navigations(), new URL(page.url()).pathname]).toEqual([0, eventPath(event)]);
    await context.close();
  });

  it('a known address signs in, keeps its name and has the place', async () => {
    const event = await createdEvent(admin);
    const { person } = await signedUp(url);
    const { page, context, thumb } = await open(`/?event=${event.id}`);
    await page.getByRole('dialog').getByLabel('First name').waitFor();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill(person.email);
    await dialog.getByLabel('First name').fill('Somebody');
    await dialog.getByLabel('Last name').fill('Else');
    await dialog.getByRole('button', { name: 'Register', exact: true }).first().click();
    await dialog.getByLabel('6-digit code').waitFor();
    const wrong = (await codeTo(person.email, event)) === '000000' ? '000001' : '000000';
    await thumb.fill('6-digit code', wrong);
    await dialog.getByText('Invalid or expired code').waitFor();
    await thumb.fill('6-digit code', await codeTo(person.email, event));
    await isIn(page, person);
    await context.close();
  });

  it('a link that is opened on another device registers there, and this page knows', async () => {
    const event = await createdEvent(admin);
    const person = newcomer('Lena', 'Link');
    const here = await open(`/events/${event.id}`);
    await here.thumb.ask(person);
    const { text } = await mailTo(person.email, new RegExp(event.title));
    const [link] = /https?:\/\/\S+\/confirm#rsvp\.[\w-]{22}/.exec(text) ?? [];
    const there = await visit(browser, url);
    await there.page.goto(link!.replace(/^https?:\/\/[^/]+/, url));
    expect((await mailsTo(person.email)).length).toBe(1); // opening it does nothing
    const register = there.page.getByRole('button', { name: 'Register' });
    await register.click();
    // what was typed on the other device may be a stranger's
    await there.page.getByText('This address has no account yet').waitFor();
    expect(await accessibilityFaults(there.page)).toEqual([]);
    await there.page.getByLabel('First name').fill('Lena');
    await there.page.getByLabel('Last name').fill('Link');
    await register.click();
    await there.page.getByRole('heading', { name: 'You’re in' }).waitFor();
    await there.page.getByRole('link', { name: 'To the event' }).click();
    await isIn(there.page, person);
    await here.page.getByText('Confirmed on another device').waitFor();
    expect(await accessibilityFaults(here.page)).toEqual([]);
    await here.context.close();
    await there.context.close();
  });

  it('an account with a second factor takes its second step on the way', async () => {
    const event = await createdEvent(admin);
    const { client, person } = await signedUp(url);
    const { body } = await client.post<{ secret: string }>('/api/user/second-factors/totp');
    await client.expect(201, 'POST', '/api/user/second-factors/totp/confirm', {
      name: 'Phone',
      code: codeOf(body.secret, -1),
    });
    const { page, context, thumb, navigations } = await open(`/events/${event.id}`);
    await thumb.ask(person);
    await thumb.fill('6-digit code', await codeTo(person.email, event));
    await page.getByText('Enter the six digits').waitFor();
    await thumb.fill('Code', codeOf(body.secret));
    await isIn(page, person);
    expect([navigations(), new URL(page.url()).pathname]).toEqual([0, eventPath(event)]);
    await context.close();
  });
});
