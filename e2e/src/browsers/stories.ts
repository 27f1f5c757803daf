import type { Event } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { administratorClient } from '../support/administrator.js';
import { createdEvent, newcomer, signedUp } from '../support/api-client.js';
import { codeIn, mailTo } from '../support/mailbox.js';
import { type Account, sharedStack } from '../support/shared-stack.js';
import { button, DIALOG, field, heading, link, Person, rowWith } from './person.js';
import { type FoundBrowser, openTab, type Tab } from './tab.js';

/** Number of visits to the same screens, because state that one screen leaves behind can break the next. */
const ROUNDS = 3;

const BROWSERS = JSON.parse(process.env['MEETMARK_BROWSERS'] ?? '[]') as FoundBrowser[];
const SEARCH = 'Search by title or description';

const navigation = (label: string, name: string) => `//nav[@aria-label="${label}"]${link(name)}`;
const card = (title: string) => `//article[contains(., "${title}")]`;
const ACCOUNT_MENU = '//header//button[@aria-haspopup="menu"]';
const menuItem = (name: string) => `//*[@role="menuitem"][normalize-space()="${name}"]`;

async function signIn(person: Person, { email, password }: Account): Promise<void> {
  await person.open('/');
  await person.see(heading('Welcome back'));
  await person.fill('Email', email);
  await person.fill('Password', password);
  await person.click(`//form${button('Sign In')}`);
  await person.see(ACCOUNT_MENU);
}

async function signOut(person: Person): Promise<void> {
  await person.click(ACCOUNT_MENU);
  await person.click(menuItem('Sign Out'));
  await person.see(heading('Welcome back'));
  await person.see(field('Email'));
}

describe.each(BROWSERS)('In $engine', (browser) => {
  const { url, administrator } = sharedStack();
  let tab: Tab | undefined;
  let person: Person;

  beforeEach(async () => {
    tab = await openTab(browser);
    person = new Person(tab);
  });
  afterEach(() => tab?.close());

  it('a member browses, registers, unregisters, edits the profile and signs out', async () => {
    const event = await createdEvent(await administratorClient());
    const { person: account } = await signedUp(url);
    await signIn(person, account);
    await person.see(heading('Browse Events'));

    for (let round = 0; round < ROUNDS; round += 1) {
      await lookAround(event);
    }

    await person.click(navigation('Main', 'Browse Events'));
    await person.fill('Search events', event.title);
    await person.read('1 event found');
    await person.click(button(`Register: ${event.title}`));
    await person.read('Successfully registered for event');
    await person.click(navigation('Main', 'My Events'));
    await person.see(card(event.title));
    await person.click(`${card(event.title)}${button('Unregister')}`);
    await person.click(`${DIALOG}${button('Unregister')}`);
    await person.read('Successfully unregistered from event');
    await person.notSee(card(event.title));

    await person.click(ACCOUNT_MENU);
    await person.click(menuItem('Profile Settings'));
    await person.isAt('/profile');
    await person.click(`${DIALOG}${button('Maybe Later')}`);
    await person.click(button('Edit Profile'));
    await person.fill('About Me', 'I write adverts.');
    await person.click(button('Save Changes'));
    await person.read('Profile updated');
    await person.open('/profile');
    await person.read('I write adverts.');
    await signOut(person);
  });

  it('an administrator manages an event and opens the user list and dashboard', async () => {
    const title = `Planned ${crypto.randomUUID()}`;
    await signIn(person, administrator);
    await person.click(link('Admin Panel'));
    await person.see(heading('Admin Dashboard'));
    await person.read('a month');

    await person.click(navigation('Administration', 'Events'));
    await person.see(heading('Event Management'));
    await person.click(button('Create Event'));
    await person.fill('Event Title', title);
    await person.fill('Start Date', '2031-03-01');
    await person.fill('Start Time', '18:00');
    await person.fill('End Date', '2031-03-01');
    await person.fill('End Time', '20:00');
    await person.click(`${DIALOG}${button('Create Event')}`);
    await person.read('Event created successfully');
    await person.notSee(DIALOG);
    await person.see(heading('Event Management'));

    await person.fill(SEARCH, title);
    await person.click(`${rowWith(title)}//button[normalize-space()="Edit"]`);
    await person.fill('Event Title', `${title} again`);
    await person.click(`${DIALOG}${button('Update Event')}`);
    await person.read('Event updated successfully');
    await person.see(rowWith(`${title} again`));

    for (let round = 0; round < ROUNDS; round += 1) {
      await person.click(navigation('Administration', 'Users'));
      await person.see(heading('User Management'));
      await person.see(rowWith('@'));
      await person.click(navigation('Administration', 'Dashboard'));
      await person.see(heading('Admin Dashboard'));
      await person.read('a month');
    }

    await person.click(navigation('Administration', 'Events'));
    await person.fill(SEARCH, title);
    await person.click(`${rowWith(title)}//button[normalize-space()="Delete"]`);
    await person.click(`${DIALOG}${button('Delete Event')}`);
    await person.read('Event deleted successfully');
    await person.read('No events found.');
    await signOut(person);
  });

  it('a visitor registers or joins the waiting list with an emailed code', async () => {
    const admin = await administratorClient();
    const event = await createdEvent(admin, { capacity: 1, waitlistEnabled: true });
    const first = newcomer('Vera', 'Visitor');
    await askForPlace(event, first, 'Register');
    await person.see(heading(`You’re in, ${first.firstName}`));
    await person.isAt(eventPath(event));
    await person.read('Attendees (1)');
    await signOut(person);

    const second = newcomer('Walter', 'Waiting');
    await askForPlace(event, second, 'Join the waiting list');
    await person.see(heading('You are number 1'));
    await person.isAt(eventPath(event));
  });

  it('an existing member registers by emailed code and keeps their name', async () => {
    const event = await createdEvent(await administratorClient());
    const { person: known } = await signedUp(url);
    await askForPlace(event, { ...known, firstName: 'Somebody', lastName: 'Else' }, 'Register');
    await person.see(heading(`You’re in, ${known.firstName}`));
    await person.click(navigation('Main', 'My Events'));
    await person.see(card(event.title));
    await signOut(person);
  });

  async function askForPlace(
    event: Event,
    { email, firstName, lastName }: ReturnType<typeof newcomer>,
    press: string,
  ): Promise<void> {
    await person.open(`/events/${event.id}`);
    await person.fill('Email', email);
    await person.fill('First name', firstName);
    await person.fill('Last name', lastName);
    await person.click(`//form${button(press)}`);
    await person.enter('6-digit code', codeIn(await mailTo(email, new RegExp(event.title))));
  }

  async function lookAround(event: Event): Promise<void> {
    await person.click(navigation('Main', 'Browse Events'));
    await person.isAt('/');
    await person.fill('Search events', event.title);
    await person.read('1 event found');
    await person.click(`${card(event.title)}//a[normalize-space()="View Details"]`);
    await person.see(`${DIALOG}${heading(event.title)}`);
    await person.click(`${DIALOG}${link('Open the event’s page')}`);
    await person.isAt(eventPath(event));
    await person.see(`//main${heading(event.title)}`);
    await person.click(`//main${link('All events')}`);
    await person.isAt('/events');
    await person.see(heading('Events'));
    await person.click(navigation('Main', 'My Events'));
    await person.isAt('/my-events');
    await person.read('No upcoming events');
  }
});
