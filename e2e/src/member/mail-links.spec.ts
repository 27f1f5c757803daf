import {
  AddressTakenMail,
  allJobs,
  CodeMail,
  EmailChangedMail,
  EventCancelledMail,
  EventChanged,
  EventChangedMail,
  type Event,
  type Job,
  type MailPreferences,
  NamedInEventMail,
  PasswordChangedMail,
  type PayloadOf,
  PromotedMail,
  RegistrationConfirmedMail,
  ReminderMail,
  SecondFactorMail,
  TestMail,
  UnregisteredMail,
  type User,
  WaitlistDismissedMail,
  WelcomeMail,
} from '@meetmark/contracts';
import type { Browser } from 'playwright-core';
import { faultsInBothSchemes } from '../support/accessibility.js';
import { ApiClient, createdEvent, newcomer } from '../support/api-client.js';
import { openBrowser, PHONE, visit } from '../support/browser.js';
import { query } from '../support/database.js';
import { type Mail, mailsTo, mailTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';

const { url, databaseUrl, administrator } = sharedStack();
const PAUSE = 200;

describe('The links of every mail', () => {
  const admin = new ApiClient(url);
  const member = new ApiClient(url);
  const person = newcomer('Linda');
  let browser: Browser;
  let user: User;
  let event: Event;
  let registration: { id: string; registeredAt: string };
  let mails: Mail[];

  const ask = <J extends Job>(outbox: 'auth' | 'events', job: J, payload: PayloadOf<J>) =>
    query(databaseUrl, `INSERT INTO ${outbox}.outbox (id, job, payload) VALUES (gen_random_uuid(), $1, $2)`, [
      job.name,
      payload,
    ]);
  const register = async (id: string) =>
    (await member.post<{ registration: typeof registration }>(`/api/events/${id}/register`)).body
      .registration;

  /** Every mail there is, and what makes it: one mail each. */
  const KINDS: Record<string, () => Promise<unknown>> = {
    // by the making of the account
    [WelcomeMail.name]: () => mailTo(person.email, /^Welcome/),
    [CodeMail.name]: () => member.post('/api/forgot-password', { email: person.email }),
    [PasswordChangedMail.name]: () =>
      ask('auth', PasswordChangedMail, { userId: user.id, at: new Date().toISOString() }),
    [SecondFactorMail.name]: () =>
      ask('auth', SecondFactorMail, {
        userId: user.id,
        change: 'added',
        factor: 'Telephone',
        at: new Date().toISOString(),
      }),
    [EmailChangedMail.name]: () => ask('auth', EmailChangedMail, { userId: user.id, oldEmail: person.email }),
    [AddressTakenMail.name]: () => ask('auth', AddressTakenMail, { userId: user.id }),
    [TestMail.name]: () => ask('auth', TestMail, { userId: user.id }),
    [RegistrationConfirmedMail.name]: async () => (registration = await register(event.id)),
    [PromotedMail.name]: () =>
      ask('events', PromotedMail, {
        registrationId: registration.id,
        registeredAt: registration.registeredAt,
      }),
    [WaitlistDismissedMail.name]: async () => {
      const { id } = await createdEvent(admin, { capacity: 1 });
      await admin.post(`/api/events/${id}/register`);
      await member.post(`/api/events/${id}/register`, { waitlist: true });
      await admin.delete(`/api/events/${id}/waitlist/${user.id}`);
    },
    [NamedInEventMail.name]: () => createdEvent(admin, { hosts: [user.id] }),
    [EventChangedMail.name]: () =>
      ask('events', EventChangedMail, {
        eventId: event.id,
        userId: user.id,
        sequence: 1,
        changed: ['title'],
      }),
    [ReminderMail.name]: () =>
      ask('events', ReminderMail, { registrationId: registration.id, startDate: event.startDate }),
    [EventCancelledMail.name]: () =>
      ask('events', EventCancelledMail, { event: { ...event, sequence: 1 }, userId: user.id }),
    [UnregisteredMail.name]: async () => {
      const { id, title } = await createdEvent(admin);
      await register(id);
      await mailTo(person.email, new RegExp(title));
      await member.delete(`/api/events/${id}/register`);
      await mailTo(person.email, new RegExp(`no longer registered: ${title}`));
    },
  };

  beforeAll(async () => {
    browser = await openBrowser();
    await admin.signIn(administrator);
    event = await createdEvent(admin);
    await admin.post('/api/admin/users', { ...person, isAdmin: false });
    user = await member.signIn(person);
    for (const make of Object.values(KINDS)) await make();
    // the one that leaves the calendar has a confirmation before it
    const expected = Object.keys(KINDS).length + 1;
    do {
      mails = await mailsTo(person.email);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    } while (mails.length < expected);
  });
  afterAll(() => browser.close());

  const preferences = async () => (await member.get<MailPreferences>('/api/user/mail-preferences')).body;

  it('are those of every kind of mail that the contracts know', () => {
    const kinds = allJobs().filter(({ queue, name }) => queue === 'mail' && name !== EventChanged.name);
    expect(Object.keys(KINDS).toSorted()).toEqual(kinds.map(({ name }) => name).toSorted());
  });

  it('lead a visitor with a telephone to a screen that has a name, and change nothing', async () => {
    const links = new Set(mails.flatMap(linksOf));
    expect([...links].filter((link) => link.includes('/unsubscribe')).length).toBeGreaterThanOrEqual(4);
    const { page, context, errors } = await visit(browser, url, { viewport: PHONE });
    for (const link of links) {
      const response = await page.goto(link);
      expect([link, response?.status()]).toEqual([link, 200]);
      const name = await page.getByRole('main').getByRole('heading', { level: 1 }).first().innerText();
      expect([link, name]).not.toEqual([link, '404 Page Not Found']);
      expect(name).not.toBe('');
    }
    expect(errors).toEqual([]);
    expect(await preferences()).toEqual({ eventUpdates: true, reminders: true });
    await context.close();
  });

  it('stop one list with one button, signed out, and take it back', async () => {
    const reminder = mails.find(({ subject }) => subject === `Coming up: ${event.title}`);
    const link = linksOf(reminder!).find((address) => address.includes('/unsubscribe?token='));
    const { page, context, errors } = await visit(browser, url, { viewport: PHONE });
    await page.goto(link!);
    await page.getByText('Stop the list “Reminders”?').waitFor();
    expect(await faultsInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Stop these mails' }).click();
    await page.getByRole('heading', { name: 'These mails are stopped' }).waitFor();
    expect(await preferences()).toEqual({ eventUpdates: true, reminders: false });
    await page.reload();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'You get these mails again' }).waitFor();
    expect(await preferences()).toEqual({ eventUpdates: true, reminders: true });
    await page.goto('/unsubscribe?token=forged');
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await page.getByRole('link', { name: 'All mail settings' }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});

/** The addresses on the web that a mail holds, in either part and in its headers. */
function linksOf({ html, text, headers }: Mail): string[] {
  const ofHtml = [...html.matchAll(/href="(http[^"]+)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  );
  const ofText = text.match(/https?:\/\/\S+/g) ?? [];
  const ofHeaders = JSON.stringify(headers).match(/https?:\/\/[^>"\\]+/g) ?? [];
  return [...ofHtml, ...ofText, ...ofHeaders];
}
