import type { Event } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import type { Page } from 'playwright-core';
import { administratorClient } from '../support/administrator.js';
import { createdEvent, newcomer, signedUp } from '../support/api-client.js';
import { PHONE } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { codeIn, mailTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';

const { url } = sharedStack();

type Person = ReturnType<typeof newcomer>;

/** Counts a person's taps: each filled field and each press. */
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
    await this.page.getByText(`6 digits we sent to ${email}`).waitFor();
  }
}

const codeTo = async (email: string, event: Event) => codeIn(await mailTo(email, new RegExp(event.title)));

describe('A shared event link on a phone', () => {
  const { visit } = browserForTests();
  let event: Event;
  beforeEach(async () => {
    event = await createdEvent(await administratorClient(), { capacity: 10 });
  });

  const open = async (path: string) => {
    const { page } = await visit({ viewport: PHONE });
    await page.goto(path);
    return { page, thumb: new Thumb(page) };
  };
  const isIn = (page: Page, { firstName }: Person) =>
    page.getByRole('heading', { name: `You’re in, ${firstName}` }).waitFor();

  it('registers a visitor with three fields and a code, without leaving the page', async () => {
    const person = newcomer('Vera', 'Visitor');
    const { page, thumb } = await open(`/events/${event.id}`);
    let navigations = 0;
    page.on('request', (request) => (navigations += request.isNavigationRequest() ? 1 : 0));
    await page.getByRole('heading', { name: '10 places left' }).waitFor();
    await thumb.ask(person);
    await page.getByLabel('6-digit code').waitFor();
    await thumb.fill('6-digit code', await codeTo(person.email, event));
    await isIn(page, person);
    expect(thumb.interactions).toBeLessThanOrEqual(5);
    expect([navigations, new URL(page.url()).pathname]).toEqual([0, eventPath(event)]);
    await page
      .getByRole('button', { name: /^Account menu/ })
      .or(page.getByRole('button', { name: 'Open menu' }))
      .first()
      .waitFor();
    await page.getByText('Attendees (1)').waitFor();
    await page.getByText('Vera Visitor', { exact: true }).waitFor();

    await page.getByLabel('What other guests can see').selectOption('Nothing about me');
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.reload();
    await isIn(page, person);
    await page.getByText('1 person is coming').waitFor();
  });

  it('signs in and registers an existing member, who keeps their name', async () => {
    const { person } = await signedUp(url);
    const { page, thumb } = await open(`/?event=${event.id}`);
    await page.getByRole('dialog').getByRole('link', { name: 'Register with an emailed code' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForFunction(() => {
      const form = document.getElementById('register');
      return form !== null && form.getBoundingClientRect().top < 300;
    });
    await thumb.ask({ ...person, firstName: 'Somebody', lastName: 'Else' });
    const wrong = (await codeTo(person.email, event)) === '000000' ? '000001' : '000000';
    await thumb.fill('6-digit code', wrong);
    await page.getByText('Invalid or expired code').waitFor();
    await thumb.fill('6-digit code', await codeTo(person.email, event));
    await isIn(page, person);
  });
});
