import type { Page } from 'playwright-core';

export type Who = 'visitor' | 'member' | 'administrator';

/** A screen, or a dialog open over one, as its reader meets it. */
export interface Screen {
  name: string;
  who: Who;
  /**
   * `{event}` stands for an event of the demo community; `{full}`, `{waiting}`, `{cancelled}`, `{draft}`, `{preview}`, `{days}` for one
   * in that state (`StagedEvents`).
   */
  path: string;
  /** Whether it shows the events in other states although its path names none. */
  staged?: true;
  /** What is done before it is looked at. */
  prepare?: (page: Page) => Promise<void>;
}

/** The panel is a sheet where the screen is small. */
const openSheet = async (page: Page) => {
  const way = page.getByRole('main').getByRole('link', { name: 'Sign In' });
  if (!(await way.isVisible())) return;
  await way.click();
  await page.getByRole('dialog').getByRole('tab', { name: 'Sign Up' }).waitFor();
};
const openFilters = (page: Page) => page.getByRole('button', { name: 'Filters' }).click();
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
const dialogBehind = (name: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').getByRole('button').first().waitFor();
  await page.waitForLoadState('networkidle');
};
const submitEmptyEvent = async (page: Page) => {
  await page.getByRole('dialog').getByRole('button', { name: 'Create Event' }).click();
  await page.getByText('Title is required').waitFor();
};

const chooseMore = (item: string) => async (page: Page) => {
  await page
    .getByRole('button', { name: /^More: / })
    .first()
    .click();
  await page.getByRole('menuitem', { name: item }).click();
  await page.getByRole('dialog').waitFor();
  await page.waitForLoadState('networkidle');
};
const toLastCard = (page: Page) => page.getByRole('article').last().scrollIntoViewIfNeeded();
const turnListOff = async (page: Page) => {
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Location').fill('Hull');
  await form.getByRole('switch', { name: 'Waiting list' }).click();
  await form.getByText('What happens to them?').scrollIntoViewIfNeeded();
};

export const SCREENS: Screen[] = [
  { name: 'landing', who: 'visitor', path: '/' },
  { name: 'sign-in-sheet', who: 'visitor', path: '/', prepare: openSheet },
  { name: 'sign-up', who: 'visitor', path: '/?signin=1', prepare: signUpTab },
  { name: 'sign-up-for-event', who: 'visitor', path: '/?signin=1&returnTo=/events/{event}' },
  { name: 'filtered', who: 'visitor', path: '/?time=past&price=free', prepare: openFilters },
  { name: 'details-visitor', who: 'visitor', path: '/?event={event}' },
  { name: 'event-page', who: 'visitor', path: '/events/{event}' },
  { name: 'forgot-password', who: 'visitor', path: '/forgot-password' },
  { name: 'reset-password', who: 'visitor', path: '/reset-password' },
  { name: 'sign-in-code', who: 'visitor', path: '/?signin=1', prepare: askForSignInCode },
  { name: 'confirm', who: 'visitor', path: `/confirm#verify.${'x'.repeat(22)}` },
  { name: 'confirm-reset', who: 'visitor', path: `/confirm#reset.${'x'.repeat(22)}` },
  { name: 'confirm-invalid', who: 'visitor', path: '/confirm' },
  { name: 'revert-email', who: 'visitor', path: `/revert-email#${'x'.repeat(22)}` },
  { name: 'unsubscribe-invalid', who: 'visitor', path: '/unsubscribe?token=not-signed' },
  { name: 'not-found', who: 'visitor', path: '/no-such-page' },
  { name: 'browse', who: 'member', path: '/' },
  { name: 'details', who: 'member', path: '/?event={event}' },
  { name: 'my-events', who: 'member', path: '/my-events' },
  { name: 'dashboard', who: 'member', path: '/dashboard' },
  { name: 'profile', who: 'member', path: '/profile' },
  { name: 'profile-editing', who: 'member', path: '/profile', prepare: editProfile },
  { name: 'change-password', who: 'member', path: '/', prepare: openChangePassword },
  { name: 'calendar', who: 'member', path: '/events?view=month' },
  { name: 'agenda', who: 'member', path: '/events?view=agenda' },
  { name: 'event-form', who: 'administrator', path: '/events?create=1', prepare: submitEmptyEvent },
  { name: 'admin', who: 'administrator', path: '/admin' },
  { name: 'admin-users', who: 'administrator', path: '/admin/users' },
  { name: 'admin-events', who: 'administrator', path: '/admin/events' },
  { name: 'admin-audit', who: 'administrator', path: '/admin/audit' },
  { name: 'admin-system', who: 'administrator', path: '/admin/system' },
  { name: 'add-user', who: 'administrator', path: '/admin/users', prepare: dialogBehind(/^Add User/) },
  { name: 'delete-user', who: 'administrator', path: '/admin/users', prepare: dialogBehind(/^Delete/) },
  { name: 'full-visitor', who: 'visitor', path: '/events/{full}' },
  { name: 'full-cards', who: 'visitor', path: '/?q=Staged', staged: true, prepare: toLastCard },
  { name: 'waiting', who: 'member', path: '/events/{waiting}' },
  { name: 'my-events-states', who: 'member', path: '/my-events', staged: true, prepare: toLastCard },
  { name: 'give-up', who: 'member', path: '/events/{days}/give-up' },
  { name: 'give-up-waiting', who: 'member', path: '/events/{waiting}/give-up' },
  { name: 'give-up-visitor', who: 'visitor', path: '/events/{full}/give-up' },
  { name: 'cancelled', who: 'member', path: '/events/{cancelled}' },
  { name: 'three-days', who: 'visitor', path: '/events/{days}' },
  { name: 'draft', who: 'administrator', path: '/events/{draft}' },
  { name: 'preview', who: 'visitor', path: '/events/preview/{preview}' },
  { name: 'preview-gone', who: 'visitor', path: '/events/preview/not-there' },
  { name: 'admin-events-states', who: 'administrator', path: '/admin/events?q=Staged', staged: true },
  {
    name: 'waitlist',
    who: 'administrator',
    path: '/admin/events?q=Staged%20waiting',
    staged: true,
    prepare: chooseMore('Waiting list'),
  },
  { name: 'event-form-people', who: 'administrator', path: '/events/{waiting}', prepare: turnListOff },
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
    prepare: dialogBehind(/^Delete/),
  },
  { name: 'attendees', who: 'administrator', path: '/admin/events', prepare: dialogBehind(/^Attendees/) },
];
