import type { Checklist } from '@meetmark/contracts';
import type { Page } from 'playwright-core';
import { ApiClient, newcomer } from '../support/api-client.js';
import { administratorClient } from '../support/administrator.js';
import { openOptions } from '../support/event-form.js';
import { mailTo } from '../support/mailbox.js';
import { stripes } from '../support/phone-photo.js';
import { sharedStack } from '../support/shared-stack.js';

export type Who = 'visitor' | 'member' | 'administrator' | 'phone';

export interface Screen {
  name: string;
  who: Who;
  /**
   * Path with placeholders. `{event}` is the id of a demo event. Others, such as `{full}`, are fields of
   * `StagedEvents`.
   */
  path: string;
  staged?: true;
  /** Opens the screen only for screenshots, because another screen has the same elements. */
  isOnlyShown?: true;
  /** Skips the check on the desktop, because wide windows show another screen. */
  isNarrow?: true;
  /** Reopens the screen on the desktop, because wide windows load more parts. */
  growsParts?: true;
  prepare?: (page: Page) => Promise<void>;
}

const openSheet = async (page: Page) => {
  // The link opens a dialog only when scripts run. Until then, it leads to a page with the form.
  await page.getByRole('main').locator('a[aria-haspopup=dialog]', { hasText: 'Sign In' }).click();
  await page.getByRole('dialog').getByRole('tab', { name: 'Sign Up' }).waitFor();
};
const openFilters = async (page: Page) => {
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('combobox', { name: 'Topic' }).waitFor();
};
const toSubscribe = async (page: Page) => {
  const box = page.getByRole('region', { name: 'New events by email' });
  await box.scrollIntoViewIfNeeded();
  await box.getByRole('checkbox', { name: 'Search' }).check();
};
const signUpTab = (page: Page) => page.getByRole('tab', { name: 'Sign Up' }).click();
const askForSignInCode = async (page: Page) => {
  await page.getByLabel('Email', { exact: true }).fill('nobody@example.org');
  await page.getByRole('button', { name: 'Email me a sign-in code' }).click();
  await page.getByLabel('6-digit code').waitFor();
};
const editProfile = (page: Page) => page.getByRole('button', { name: 'Edit Profile' }).click();
const openChangePassword = async (page: Page) => {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Change Password' }).click();
  await page.getByRole('dialog').waitFor();
};
const openHelp = async (page: Page) => {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Help' }).click();
  await page.getByRole('main').getByRole('link', { name: 'For organisers' }).click();
  await page.getByRole('heading', { level: 1, name: 'For organisers' }).waitFor();
};
const dialogBehind = (name: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').getByRole('button').first().waitFor();
  await page.waitForLoadState('networkidle');
};
const submitEmptyEvent = async (page: Page) => {
  await page.getByRole('dialog').getByRole('button', { name: 'Create Event' }).click();
  await page.getByText('Title is required').waitFor();
};
const openAllOptions = (page: Page) =>
  openOptions(
    page.getByRole('dialog'),
    ...['When', 'Where', 'Topics (optional)', 'Questions', 'Content', 'Cover', 'Who can see it'],
  );

const followUp = async (page: Page) => {
  await page.getByRole('button', { name: 'Follow up the day after' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Preview', exact: true }).waitFor();
};
const followUpDraft = async (page: Page) => {
  await followUp(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Edit/ }).first().waitFor();
};
const shownMessage = async (page: Page) => {
  await followUpDraft(page);
  await page
    .getByRole('button', { name: /^Open “/ })
    .first()
    .click();
  await page.getByText('Recipients are chosen when sending starts.').waitFor();
};
const previewedMessage = async (page: Page) => {
  await followUp(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Preview', exact: true }).click();
  await page
    .frameLocator('iframe')
    .getByText(/^From /)
    .first()
    .waitFor();
};

const chooseMore = (item: string) => async (page: Page) => {
  const button = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}: `) }).first();
  await button('More').waitFor();
  if (await button(item).isVisible()) await button(item).click();
  else {
    await button('More').click();
    await page.getByRole('menuitem', { name: item }).click();
  }
  await page.getByRole('dialog').waitFor();
  await page.waitForLoadState('networkidle');
};
const askForPlace = async (page: Page) => {
  const { email, firstName, lastName } = newcomer('Vera', 'Visitor');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('First name').fill(firstName);
  await page.getByLabel('Last name').fill(lastName);
  await page.getByRole('main').getByRole('button', { name: 'Register', exact: true }).first().click();
  await page.getByLabel('6-digit code').waitFor();
  return email;
};
const confirmElsewhere = async (page: Page) => {
  const { text } = await mailTo(await askForPlace(page), /Staged/);
  const { firstName, lastName } = newcomer('Vera', 'Visitor');
  const [, token] = /#rsvp\.([\w-]{22})/.exec(text) ?? [];
  await new ApiClient(sharedStack().url).post('/api/confirm/link', { token, firstName, lastName });
  await page.getByText('Confirmed on another device').scrollIntoViewIfNeeded();
};
const followTopic = async (page: Page) => {
  await page.getByRole('checkbox', { name: 'Search' }).check();
  await page.getByRole('group', { name: 'Feeds for Search' }).waitFor();
  await page.getByRole('heading', { name: 'Topics you follow' }).scrollIntoViewIfNeeded();
};
const toRoles = (page: Page) =>
  page.getByRole('heading', { name: 'Your roles at events' }).scrollIntoViewIfNeeded();
const editEvent = async (page: Page) => {
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Event Title').waitFor();
  return form;
};
const fillContent = async (page: Page) => {
  const form = await editEvent(page);
  await openOptions(form, 'Content');
  await form.getByRole('button', { name: 'Add to the agenda' }).click();
  await form.getByLabel('What happens').fill('Doors open');
  await form.getByRole('button', { name: 'Add a speaker' }).click();
  await form.getByLabel('Speaker’s name').fill('Grace Hopper');
  await form.getByText('Hosts (optional)').scrollIntoViewIfNeeded();
  await form.getByRole('combobox', { name: 'Hosts (optional)' }).fill('an');
  await page.locator('.ant-select-item-option').first().waitFor();
};
const previewDescription = async (page: Page) => {
  const form = await editEvent(page);
  await form.getByRole('radio', { name: 'As Markdown' }).first().check({ force: true });
  await form
    .getByLabel('Description', { exact: true })
    .fill('**Coffee** and\n\n- a talk\n- [a walk](https://example.org)');
  await form.getByRole('radio', { name: 'Preview' }).first().check({ force: true });
  await form.getByText('a talk').waitFor();
};
const cropCover = async (page: Page) => {
  const form = await editEvent(page);
  const choosing = page.waitForEvent('filechooser');
  await form.getByRole('button', { name: /^(Choose an|Change) image$/ }).click();
  await (
    await choosing
  ).setFiles({
    name: 'picture.png',
    mimeType: 'image/png',
    buffer: await stripes(['#8fb8ff', '#f2b233', '#0a3d2f']),
  });
  await openOptions(form, 'Cover');
  const frame = form.getByRole('group', { name: 'On the page and in emails' });
  await frame.waitFor();
  await form.getByRole('group', { name: 'Or one of these patterns' }).scrollIntoViewIfNeeded();
  await frame.focus();
};
const openFirstRow = async (page: Page) => {
  await page.getByRole('row').nth(1).getByRole('cell').nth(1).click();
  await page.getByRole('dialog').waitFor();
};
const showOwnCode = async (page: Page) => {
  await page.getByRole('button', { name: 'Show my code' }).click();
  await page.getByRole('img', { name: 'QR code for your registration' }).waitFor();
};
const propose = async (page: Page) => {
  const form = page.getByRole('dialog');
  await form.getByLabel('Event title').fill('Sketching in the park');
  await form.getByRole('button', { name: 'Send proposal' }).click();
  await form.getByText('Start is required').waitFor();
};
const proposals = async (page: Page) => {
  const administrator = await administratorClient();
  const member = new ApiClient(sharedStack().url);
  await member.signIn(sharedStack().member);
  const { body: mine } = await member.get<{ state: string }[]>('/api/proposals');
  if (mine.length === 0) {
    const offer = (title: string, day: string) =>
      member.expect<{ id: string }>(201, 'POST', '/api/proposals', {
        title,
        description: 'Everybody brings a pencil and something to draw. I have paper for twelve.',
        startDate: `2031-${day}T17:00:00.000Z`,
        endDate: `2031-${day}T19:00:00.000Z`,
      });
    const { id } = await offer('A chess evening', '05-02');
    const words = 'We had one in spring. Ask us again next year, and bring your own boards.';
    await administrator.expect(200, 'POST', `/api/admin/proposals/${id}/decline`, { words });
    const accepted = await offer('Analytics for charities', '05-09');
    await administrator.expect(200, 'POST', `/api/admin/proposals/${accepted.id}/accept`);
    await offer('Sketching in the park', '05-16');
  }
  await page.reload();
  await page.getByRole('article').first().waitFor();
};
const declineProposal = async (page: Page) => {
  await proposals(page);
  await page
    .getByRole('button', { name: /^Decline: / })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await page.getByText(/^Write a short reply/).waitFor();
};
const chooseHosts = async (page: Page) => {
  const form = await editEvent(page);
  await openOptions(form, 'Content');
  for (const typed of ['da', 'ma']) {
    await form.getByRole('combobox', { name: 'Hosts (optional)' }).fill(typed);
    await page.locator('.ant-select-item-option').first().click();
  }
  await page.keyboard.press('Escape');
  await form
    .getByRole('checkbox', { name: /^Can manage/ })
    .first()
    .check();
  await form.getByRole('list', { name: 'Chosen hosts' }).scrollIntoViewIfNeeded();
};
const chooseRows = async (page: Page) => {
  const boxes = page.getByRole('checkbox', { name: /^Select (?!all on)/ });
  await boxes.first().waitFor();
  for (const box of (await boxes.all()).slice(0, 2)) await box.check();
};
const toLastCard = (page: Page) => page.getByRole('article').last().scrollIntoViewIfNeeded();
const turnListOff = async (page: Page) => {
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Location').fill('Hull');
  await form.getByRole('switch', { name: 'Waiting list' }).click();
  await form.getByText('What should happen to them?').scrollIntoViewIfNeeded();
};

const registerWithoutAnswers = async (page: Page) => {
  await page.getByRole('main').getByRole('button', { name: 'Register', exact: true }).first().click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Register' }).click();
  await sheet.getByText('Please answer this').first().waitFor();
};
const answeredQuestions = async (page: Page) => {
  const form = await editEvent(page);
  await form.getByRole('group', { name: 'Question 1' }).scrollIntoViewIfNeeded();
  await form.getByText('39 people have answered').first().waitFor();
};
const toAddress = (page: Page) =>
  page.getByRole('button', { name: 'QR code (PNG)' }).scrollIntoViewIfNeeded();
const toAnswers = (page: Page) =>
  page.getByRole('heading', { name: 'Answers', exact: true }).scrollIntoViewIfNeeded();

const makeDoorLink = async (page: Page) => {
  await page.getByRole('button', { name: 'Make a door link' }).click();
  await page.getByRole('img', { name: 'QR code of the door link' }).waitFor();
};
const atDoor = (typed: string, answer: string | RegExp) => async (page: Page) => {
  await page.getByLabel('Find a guest').fill(typed);
  await page.getByLabel('Find a guest').press('Enter');
  await page.getByRole('status').getByText(answer).waitFor();
};
const waitsAtDoor = async (page: Page) => {
  await page.getByRole('button', { name: /Waiting list$/ }).click();
  await page.getByRole('button', { name: 'Let in anyway' }).waitFor();
};
const addWalkIn = async (page: Page) => {
  await page.getByRole('button', { name: 'Add a walk-in' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Wanda Walker');
};
const doorWithoutNetwork = async (page: Page) => {
  await page.context().setOffline(true);
  await atDoor('ada', 'Ada Lovelace is in')(page);
  await page.getByText('No network · 1 waiting to be sent').waitFor();
};

const addToCalendar = async (page: Page) => {
  await page.getByRole('button', { name: 'Add to calendar' }).click();
  await page.getByRole('link', { name: 'Google Calendar' }).waitFor();
};
const contactHost = async (page: Page) => {
  await page.getByRole('button', { name: 'Contact the host' }).click();
  await page.getByRole('dialog').getByLabel('Your message').waitFor();
};
const toGallery = async (page: Page) => {
  const gallery = page.locator('#pictures');
  await gallery.scrollIntoViewIfNeeded();
  await gallery.getByRole('img').first().waitFor();
  await page.waitForLoadState('networkidle');
};
const openPicture = async (page: Page) => {
  await page.getByRole('button', { name: 'The hall before the talk' }).click();
  await page.getByRole('dialog').getByRole('img', { name: 'The hall before the talk' }).waitFor();
};
const changeOnce = (page: Page, address: string, change: (body: string) => string) => {
  let isChanged = false;
  return page.route(address, async (route) => {
    if (isChanged) return route.fallback();
    isChanged = true;
    const response = await route.fetch();
    await route.fulfill({ response, body: change(await response.text()) });
  });
};
/** Simulates a map server. A real one must be public and use https, so the test stack has none. */
const withMap = async (page: Page) => {
  await page.route(/\/media\/maps\//, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: STREETS }),
  );
  await changeOnce(page, page.url(), (body) => body.replaceAll('"hasMaps":false', '"hasMaps":true'));
  await page.reload();
  await page.getByRole('img', { name: /^Map of / }).scrollIntoViewIfNeeded();
  await page.waitForLoadState('networkidle');
};
const STREETS = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 320"><rect width="640" height="320" fill="#e8ecea"/>
  <path d="M0 250q160-60 320 0t320-30v100H0z" fill="#b9d3e6"/><path d="M400 20h140v90H400z" fill="#cfe3c4"/>
  <path d="M0 90h640M120 0v250M260 0v240M370 0v250M560 0v230M0 170h640" stroke="#fff" stroke-width="14"/></svg>`;
/** Replaces the results of DNS queries, because they depend on where the tests run. */
const mailCheck = async (page: Page) => {
  await changeOnce(page, '**/api/admin/checklist', (body) =>
    JSON.stringify({ ...(JSON.parse(body) as Checklist), mailCheck: CHECKED }),
  );
  await page.reload();
  await page.getByRole('button', { name: 'Copy record' }).scrollIntoViewIfNeeded();
};
const CHECKED: Checklist['mailCheck'] = {
  domain: 'meet.example',
  selector: 's1',
  records: [
    { name: 'spf', state: 'found', host: 'meet.example', value: 'v=spf1 include:mail.example -all' },
    { name: 'dkim', state: 'missing', host: 's1._domainkey.meet.example', value: 'v=DKIM1; k=rsa; p=<key>' },
    { name: 'dmarc', state: 'unknown', host: '_dmarc.meet.example', value: null },
  ],
  checkedAt: '2026-01-15T12:00:00.000Z',
};

export const SCREENS: Screen[] = [
  { name: 'landing', who: 'visitor', path: '/', growsParts: true },
  { name: 'sign-in-sheet', who: 'visitor', path: '/', isNarrow: true, prepare: openSheet },
  { name: 'sign-up', who: 'visitor', path: '/?signin=1', prepare: signUpTab },
  { name: 'sign-up-for-event', who: 'visitor', path: '/?signin=1&returnTo=/events/{event}' },
  {
    name: 'filtered',
    who: 'visitor',
    path: '/?time=past&topic=meeting-people#events',
    growsParts: true,
    prepare: openFilters,
  },
  { name: 'details-visitor', who: 'visitor', path: '/?event={event}', growsParts: true },
  { name: 'event-page', who: 'visitor', path: '/events/{event}' },
  {
    name: 'contact-host',
    who: 'visitor',
    path: '/events/{event}',
    prepare: contactHost,
  },
  { name: 'add-to-calendar', who: 'visitor', path: '/events/{event}', prepare: addToCalendar },
  { name: 'map', who: 'visitor', path: '/events/{event}', prepare: withMap },
  { name: 'gallery', who: 'visitor', path: '/events/{past}', prepare: toGallery },
  {
    name: 'gallery-picture',
    who: 'visitor',
    path: '/events/{past}',
    prepare: openPicture,
  },
  {
    name: 'rsvp-code',
    who: 'visitor',
    path: '/events/{days}',
    prepare: async (page) => void (await askForPlace(page)),
  },
  { name: 'rsvp-elsewhere', who: 'visitor', path: '/events/{role}', prepare: confirmElsewhere },
  { name: 'confirm-rsvp', who: 'visitor', path: `/confirm#rsvp.${'x'.repeat(22)}` },
  { name: 'forgot-password', who: 'visitor', path: '/forgot-password' },
  { name: 'reset-password', who: 'visitor', path: '/reset-password' },
  { name: 'sign-in-code', who: 'visitor', path: '/?signin=1', prepare: askForSignInCode },
  { name: 'confirm', who: 'visitor', path: `/confirm#verify.${'x'.repeat(22)}` },
  { name: 'confirm-reset', who: 'visitor', path: `/confirm#reset.${'x'.repeat(22)}` },
  {
    name: 'confirm-invalid',
    who: 'visitor',
    path: '/confirm',
    prepare: (page) => page.getByRole('heading', { level: 1 }).first().waitFor(),
  },
  { name: 'revert-email', who: 'visitor', path: `/revert-email#${'x'.repeat(22)}` },
  { name: 'unsubscribe-invalid', who: 'visitor', path: '/unsubscribe?token=not-signed' },
  { name: 'subscribe', who: 'visitor', path: '/', growsParts: true, prepare: toSubscribe },
  { name: 'not-found', who: 'visitor', path: '/no-such-page' },
  { name: 'browse', who: 'member', path: '/' },
  { name: 'details', who: 'member', path: '/?event={event}' },
  { name: 'my-events', who: 'member', path: '/my-events' },
  { name: 'dashboard', who: 'member', path: '/dashboard' },
  { name: 'propose', who: 'member', path: '/proposals?propose=1', prepare: propose },
  { name: 'proposals', who: 'member', path: '/proposals', prepare: proposals },
  { name: 'proposal-queue', who: 'administrator', path: '/admin/proposals', prepare: declineProposal },
  { name: 'profile', who: 'member', path: '/profile' },
  { name: 'profile-notifications', who: 'member', path: '/profile/notifications' },
  { name: 'profile-privacy', who: 'member', path: '/profile/privacy' },
  { name: 'profile-security', who: 'member', path: '/profile/security' },
  { name: 'followed-topics', who: 'member', path: '/profile/notifications', prepare: followTopic },
  { name: 'profile-editing', who: 'member', path: '/profile', prepare: editProfile },
  { name: 'event-roles', who: 'member', path: '/profile/privacy', staged: true, prepare: toRoles },
  { name: 'change-password', who: 'member', path: '/', prepare: openChangePassword },
  { name: 'help', who: 'member', path: '/', prepare: openHelp },
  { name: 'calendar', who: 'member', path: '/events?view=month' },
  { name: 'agenda', who: 'member', path: '/events?view=agenda' },
  { name: 'event-form', who: 'administrator', path: '/events?create=1', prepare: submitEmptyEvent },
  {
    name: 'event-form-options',
    who: 'administrator',
    path: '/events?create=1',
    prepare: openAllOptions,
  },
  { name: 'admin', who: 'administrator', path: '/admin' },
  { name: 'admin-users', who: 'administrator', path: '/admin/users' },
  { name: 'admin-events', who: 'administrator', path: '/admin/events' },
  { name: 'messages', who: 'administrator', path: '/admin/events/{event}/messages', prepare: followUpDraft },
  { name: 'message', who: 'administrator', path: '/admin/events/{event}/messages', prepare: shownMessage },
  { name: 'message-form', who: 'administrator', path: '/admin/events/{event}/messages', prepare: followUp },
  {
    name: 'message-preview',
    who: 'administrator',
    path: '/admin/events/{event}/messages',
    prepare: previewedMessage,
  },
  { name: 'admin-settings', who: 'administrator', path: '/admin/settings' },
  {
    name: 'help-sheet',
    who: 'administrator',
    path: '/admin/settings',
    prepare: dialogBehind(/^Help: Legal pages/),
  },
  { name: 'admin-topics', who: 'administrator', path: '/admin/topics' },
  { name: 'admin-audit', who: 'administrator', path: '/admin/audit' },
  { name: 'admin-system', who: 'administrator', path: '/admin/system' },
  { name: 'mail-check', who: 'administrator', path: '/admin/system', prepare: mailCheck },
  { name: 'add-user', who: 'administrator', path: '/admin/users', prepare: dialogBehind(/^Add User/) },
  { name: 'delete-user', who: 'administrator', path: '/admin/users', prepare: chooseMore('Delete') },
  { name: 'user', who: 'administrator', path: '/admin/users', prepare: openFirstRow },
  { name: 'full-visitor', who: 'visitor', path: '/events/{full}' },
  {
    name: 'full-cards',
    who: 'visitor',
    path: '/?q=Staged',
    staged: true,
    growsParts: true,
    prepare: toLastCard,
  },
  { name: 'waiting', who: 'member', path: '/events/{waiting}' },
  { name: 'my-events-states', who: 'member', path: '/my-events', staged: true, prepare: toLastCard },
  { name: 'give-up', who: 'member', path: '/events/{days}/give-up' },
  { name: 'give-up-waiting', who: 'member', path: '/events/{waiting}/give-up' },
  { name: 'give-up-visitor', who: 'visitor', path: '/events/{full}/give-up' },
  { name: 'own-code', who: 'member', path: '/events/{tonight}', prepare: showOwnCode },
  { name: 'check-in', who: 'member', path: '/c/{venue}' },
  { name: 'check-in-visitor', who: 'visitor', path: '/c/{venue}' },
  { name: 'ticket-code', who: 'visitor', path: `/c/${'x'.repeat(22)}` },
  { name: 'take-over', who: 'visitor', path: '/events/{full}#take-over' },
  { name: 'cancelled', who: 'member', path: '/events/{cancelled}' },
  { name: 'three-days', who: 'visitor', path: '/events/{days}' },
  { name: 'draft', who: 'administrator', path: '/events/{draft}' },
  { name: 'preview', who: 'visitor', path: '/events/preview/{preview}' },
  { name: 'preview-gone', who: 'visitor', path: '/events/preview/not-there' },
  { name: 'admin-events-states', who: 'administrator', path: '/admin/events?q=Staged', staged: true },
  {
    name: 'event-form-description',
    who: 'administrator',
    path: '/events/{days}',
    prepare: previewDescription,
  },
  { name: 'event-form-content', who: 'administrator', path: '/events/{days}', prepare: fillContent },
  { name: 'event-form-hosts', who: 'administrator', path: '/events/{waiting}', prepare: chooseHosts },
  { name: 'event-form-cover', who: 'administrator', path: '/events/{days}', prepare: cropCover },
  { name: 'workspace', who: 'administrator', path: '/admin/events/{waiting}' },
  {
    name: 'workspace-address',
    who: 'administrator',
    path: '/admin/events/{waiting}',
    isOnlyShown: true,
    prepare: toAddress,
  },
  { name: 'workspace-draft', who: 'administrator', path: '/admin/events/{draft}' },
  { name: 'workspace-guests', who: 'administrator', path: '/admin/events/{waiting}/guests' },
  {
    name: 'guests-selected',
    who: 'administrator',
    path: '/admin/events/{waiting}/guests',
    prepare: chooseRows,
  },
  // Selecting several people shows actions that a single row doesn't have.
  { name: 'users-selected', who: 'administrator', path: '/admin/users?q=pa', prepare: chooseRows },
  {
    name: 'guest',
    who: 'administrator',
    path: '/admin/events/{waiting}/guests',
    prepare: openFirstRow,
  },
  {
    name: 'add-guest',
    who: 'administrator',
    path: '/admin/events/{waiting}/guests',
    prepare: dialogBehind(/^Add guest/),
  },
  {
    name: 'workspace-door',
    who: 'administrator',
    path: '/admin/events/{evening}/door',
    prepare: makeDoorLink,
  },
  { name: 'door', who: 'phone', path: '/door/{door}' },
  { name: 'door-in', who: 'phone', path: '/door/{door}', prepare: atDoor('featherst', /Müller is in/) },
  { name: 'door-waits', who: 'phone', path: '/door/{door}', prepare: waitsAtDoor },
  {
    name: 'door-unknown',
    who: 'phone',
    path: '/door/{door}',
    prepare: atDoor('x'.repeat(22), 'This code is unknown'),
  },
  { name: 'door-walk-in', who: 'phone', path: '/door/{door}', prepare: addWalkIn },
  { name: 'door-offline', who: 'phone', path: '/door/{door}', prepare: doorWithoutNetwork },
  { name: 'door-ended', who: 'phone', path: `/door/${'x'.repeat(43)}` },
  { name: 'workspace-settings', who: 'administrator', path: '/admin/events/{draft}/settings' },
  { name: 'event-form-people', who: 'administrator', path: '/events/{waiting}', prepare: turnListOff },
  { name: 'questions', who: 'member', path: '/events/{questions}', prepare: registerWithoutAnswers },
  {
    name: 'event-form-questions',
    who: 'administrator',
    path: '/events/{demo}',
    prepare: answeredQuestions,
  },
  { name: 'workspace-answers', who: 'administrator', path: '/admin/events/{demo}', prepare: toAnswers },
  { name: 'publish', who: 'administrator', path: '/events/{draft}', prepare: chooseMore('Publish') },
  {
    name: 'preview-link',
    who: 'administrator',
    path: '/events/{draft}',
    prepare: chooseMore('Preview link'),
  },
  {
    name: 'cancel-event',
    who: 'administrator',
    path: '/events/{waiting}',
    prepare: chooseMore('Cancel event'),
  },
  { name: 'series', who: 'administrator', path: '/events/{days}', prepare: chooseMore('Make a series') },
  {
    name: 'delete-event',
    who: 'administrator',
    path: '/admin/events?q=Staged%20waiting',
    staged: true,
    prepare: chooseMore('Delete'),
  },
];
