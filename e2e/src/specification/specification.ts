import type { Page } from 'playwright-core';
import {
  act,
  type Action,
  answered,
  choosePaid,
  cut,
  fill,
  fillEvent,
  held,
  leaveEmpty,
  openAccountMenu,
  openChangePassword,
  openDetails,
  openMore,
  openNavigation,
  press,
  pressInDialog,
  reopenChangePassword,
  showDrafts,
  then,
  unread,
} from './actions.js';

/*
 * Visible statements of the specification, one per row. Sections: screens (2), states (4), validation (5),
 * errors (8) and constants (9). Single quotes enclose the specification's text, and ‘…’ is a placeholder for
 * the text to find. Apostrophes are typographic.
 */

/** Window width in pixels. Rows without widths use the widths of their view, by default 1440 and 390. */
export type Width = 1440 | 1024 | 960 | 390;
export type Who = 'visitor' | 'member' | 'administrator';
type Section = 2 | 4 | 5 | 8 | 9;

/**
 * How to find an element:
 * - `text`: visible text of any element
 * - `heading` to `menuitem`: visible text of an element with this role
 * - `field`, `choice`: label
 * - `named`: accessible name
 * - `css`: selector of a visible element
 * - `there`: selector of an element that may be invisible, such as a file input
 * - `none`: selector that must not match
 * - `toast`: text of any toast that has been shown so far
 * - `address`: path and query
 * - `check`: function that checks the page
 */
export type As = 'text' | 'heading' | 'button' | 'link' | 'tab' | 'menuitem' | 'field' | 'choice' | 'css' | 'named' | 'there' | 'none' | 'toast' | 'address' | 'check';

export type Sought = string | RegExp | ((page: Page) => Promise<boolean>);

interface More {
  at?: Width[];
  ruling?: string;
}

export type Row = [section: Section, statement: string, as: As, sought: Sought, more?: More];

export interface View {
  name: string;
  who: Who;
  path: string;
  at?: Width[];
  within?: string;
  logs?: true;
  inSamePage?: true;
  goesOn?: true;
  before?: Action;
  prepare?: Action;
  rows: Row[];
}

type Shown = [section: Section, statement: string, holds: string, more?: Pick<More, 'ruling'>];

/**
 * Statements that another test checks, because they need a fault, a delay or another person, or would change
 * the community. The code of that test must contain the text of each row.
 */
interface Tested {
  file: string;
  title: string;
  rows: Shown[];
}

const WIDE: Width[] = [1440];
const PHONE: Width[] = [390];
const FROM_1024: Width[] = [1440, 1024];
const DIALOG = '[role=dialog]';

const SHEET = 'On a phone the first screen names both modes and opens the panel as a sheet, so that the first event is in it.';
const KEEPS_FOCUS = 'A button without effect says so to assistive technology and keeps the focus, where the attribute ‘disabled’ would lose it.';
const ICON_OF_FACT = 'An icon stands for the name of a fact, which assistive technology is told.';
const BEHIND_MORE = 'On a phone a row has two lines; what is done with it is behind ‘More’.';
const CONSENT = 'Only attendees who agreed are shown; the others are counted.';

const inOrder = (direction: 1 | -1) => async (page: Page) => {
  const starts = await page.locator('main article time[datetime]').evaluateAll((times) => times.map((time) => Date.parse(time.getAttribute('datetime') ?? '')));
  return starts.length > 1 && starts.every((start, at) => at === 0 || direction * (start - starts[at - 1]!) >= 0);
};

const keepsSixDigits = async (page: Page) => {
  const code = page.getByLabel('Reset Code');
  await code.fill('12345678');
  return (await code.inputValue()) === '123456';
};

const refuses = (label: string, value: string, error: RegExp) => async (page: Page) => {
  const form = page.getByRole('dialog').last();
  await form.getByLabel(label).fill(value);
  // Not by a click, because the button moves while the error of an earlier check disappears.
  await form.getByLabel(label).press('Enter');
  const message = form.getByText(error).first();
  const isRefused = await message.waitFor({ timeout: 20_000 }).then(
    () => true,
    () => false,
  );
  await form.getByLabel(label).fill('');
  return isRefused;
};

const isAbove = (upper: string, lower: string) => async (page: Page) => {
  const [above, below] = [await page.locator(upper).boundingBox(), await page.locator(lower).boundingBox()];
  return above !== null && below !== null && above.y + above.height <= below.y;
};

const inThisOrder =
  (...parts: string[]) =>
  async (page: Page) => {
    const isEach = await Promise.all(parts.slice(1).map((part, at) => isAbove(parts[at]!, part)(page)));
    return isEach.every(Boolean);
  };

const VISITOR: View[] = [
  {
    name: 'the landing screen',
    who: 'visitor',
    path: '/',
    rows: [
      [2, '/ shows visitors the landing screen', 'css', 'main h1'],
      [2, 'Visitors browse public events', 'heading', 'Browse Events'],
      [2, "Login mode is the default, with the tab 'Sign In'", 'css', '[role=tab][aria-selected=true]:text-is("Sign In")', { at: WIDE }],
      [2, "Login mode is the default, with the tab 'Sign In'", 'css', 'main a:text-is("Sign In")', { at: PHONE, ruling: SHEET }],
      [2, 'Signup mode has the tab ‘…’', 'tab', 'Sign Up', { at: WIDE }],
      [2, "Signup mode has the tab 'Sign Up'", 'css', 'main a:text-is("Sign Up")', { at: PHONE, ruling: SHEET }],
      [2, "The strip reads 'Next Event: {title} • {date} • {location} • £{price} or Free • Register Now!'", 'css', 'aside a span:text-matches("^Next Event: .+ • .+ • .+ • (£[0-9.,]+|Free) • Register Now!$")'],
      [
        2,
        'The date of the strip has short weekday, short month, day and two-digit time in US English',
        'css',
        'aside a span:text-matches("• [A-Z][a-z]{2}, [A-Z][a-z]{2} [0-9]{1,2}, [0-9]{2}:[0-9]{2}\\\\s[AP]M( [A-Z]+)? •")',
      ],
      [
        2,
        'The strip shows the earliest event that starts in the future',
        'check',
        async (page) => {
          const first = await page.locator('#events article :is(h3, h4)').first().textContent();
          return (await page.locator('aside a').first().innerText()).includes(first!);
        },
      ],
      [2, 'The footer has four sponsor logos under ‘…’', 'heading', 'Our Sponsors'],
      [9, 'The footer has four sponsors', 'css', 'footer li:nth-child(4):last-child img'],
      [2, 'Sponsor logos have external links', 'css', 'footer li:nth-child(4) a[href^="http"][target=_blank]'],
      [2, 'A copyright line reads 2024', 'text', /© 2024 /],
      [9, 'The copyright year is 2024', 'text', /© 2024 /],
      [2, 'The footer has a LinkedIn link', 'css', 'footer a[href*="linkedin.com"]:has-text("LinkedIn")'],
      [2, "Browse has an 'N events found' count", 'text', /^\d+ events found$/],
      [4, 'A visitor’s card reads ‘…’ for what can be registered for', 'text', 'Login to Register'],
    ],
  },
  {
    name: 'the card of a full event with a waiting list',
    who: 'visitor',
    path: '/',
    within: '#events',
    rows: [[4, "Not logged in: 'Login to Register', whatever is left", 'text', 'Join the waiting list', { ruling: 'That an event is full is said before one signs in, as signing in would lead to nothing.' }]],
  },
  { name: 'the Login to Register button', who: 'visitor', path: '/', prepare: press(/^Login to Register: /), rows: [[4, 'Login to Register goes to /api/login', 'address', /^\/\?signin=1&returnTo=/]] },
  {
    name: 'the redirect of /api/login',
    who: 'visitor',
    path: '/api/login',
    rows: [
      [2, '/api/login is where a page is sent whenever login is needed', 'address', /^\/\?signin=1/],
      [2, '/api/login leads to the sign-in panel', 'tab', 'Sign In'],
    ],
  },
  {
    name: 'the sign-in panel',
    who: 'visitor',
    path: '/?signin=1',
    rows: [
      [2, 'Login mode shows a welcome line', 'text', /^Sign in to the members’ and events community of .+ to book your place\.$/],
      [2, 'Login mode has an email field', 'field', 'Email'],
      [2, 'Login mode has a password field', 'field', 'Password'],
      [2, 'The password has a show/hide toggle', 'css', 'main form button[aria-label="Show password"]'],
      [2, 'The button reads ‘…’', 'button', 'Sign In'],
      [2, 'Login mode has no other button of this size', 'none', 'main form .ant-btn-lg >> nth=1'],
      [2, "There is a 'Forgot your password?' link to /forgot-password", 'css', 'a[href="/forgot-password"]:text-is("Forgot your password?")'],
      [2, 'Login mode has notes on terms of service and privacy policy', 'text', /you agree to our Terms of Service and Privacy Policy\.$/],
      [5, 'Login wants a valid email', 'css', 'input[type=email][required]'],
      [5, 'Login wants a non-empty password', 'css', 'input[type=password][required]'],
    ],
  },
  {
    name: 'a wrong password',
    who: 'visitor',
    path: '/?signin=1',
    prepare: then(fill({ Email: 'nobody@example.org', Password: 'wrong' }), press('Sign In')),
    rows: [
      [8, 'Login failure: ‘…’', 'text', 'Incorrect email or password. Please try again.'],
      [2, 'Errors appear in a red box above the submit button', 'check', isAbove('main form:has([type=password]) [role=alert]', 'main form:has([type=password]) [type=submit]')],
    ],
  },
  {
    name: 'a pending sign-in',
    who: 'visitor',
    path: '/?signin=1',
    prepare: then(held('**/api/login'), fill({ Email: 'nobody@example.org', Password: 'wrong' }), press('Sign In')),
    rows: [
      [2, 'The button reads ‘…’ while submitting', 'button', 'Signing in...'],
      [4, 'Login has a submitting state', 'button', 'Signing in...'],
      [2, 'The button is disabled while submitting', 'css', 'form button[aria-disabled=true]:has-text("Signing in...")', { ruling: KEEPS_FOCUS }],
    ],
  },
  {
    name: 'the sign-up panel',
    who: 'visitor',
    path: '/?signin=1',
    prepare: press('Sign Up', 'tab'),
    rows: [
      [4, 'The mode changes between login and signup', 'css', '[role=tab][aria-selected=true]:text-is("Sign Up")'],
      [2, 'Signup mode shows a join line', 'heading', 'Join the community'],
      [2, 'Signup mode has a first name', 'field', 'First Name'],
      [2, 'Signup mode has a last name', 'field', 'Last Name'],
      [2, 'Signup mode has an email', 'field', 'Email'],
      [2, 'Signup mode has an optional LinkedIn profile URL', 'field', 'LinkedIn Profile URL (optional)'],
      [2, 'Signup mode has a password', 'field', 'Password'],
      [2, 'Signup mode has a confirm password', 'field', 'Confirm Password'],
      [2, 'Both passwords have a show/hide toggle', 'css', 'main form button[aria-label="Show password"] >> nth=1'],
      [2, 'The button is ‘…’', 'button', 'Create Account'],
      [2, 'Terms notes are shown at sign-up', 'text', /^By creating an account, you agree to our Terms of Service and Privacy Policy\.$/],
      [5, 'Signup: first name is required', 'css', 'input[autocomplete=given-name][required]'],
      [5, 'Signup: last name is required', 'css', 'input[autocomplete=family-name][required]'],
      [5, 'Signup: the email is required and an email-type input', 'css', 'input[type=email][required]'],
      [5, 'Signup: password is required', 'css', 'input[type=password][required]'],
      [5, 'Signup: LinkedIn is optional and a URL-type input', 'css', 'input[type=url]:not([required])'],
      [5, 'No length or strength rules apply to signup', 'css', 'input[type=password]:not([minlength]):not([pattern])'],
      [9, 'Emails have at most 255 characters', 'css', 'input[type=email][maxlength="255"]'],
      [9, 'Passwords have at most 255 characters', 'css', 'input[type=password][maxlength="255"]'],
      [9, 'Names have at most 100 characters', 'css', 'input[autocomplete=given-name][maxlength="100"]'],
      [9, 'LinkedIn URLs have at most 1000 characters', 'css', 'input[type=url][maxlength="1000"]'],
    ],
  },
  {
    name: 'different passwords at sign-up',
    who: 'visitor',
    path: '/?signin=1',
    prepare: then(
      press('Sign Up', 'tab'),
      fill({
        'First Name': 'Ada',
        'Last Name': 'Lovelace',
        Email: 'ada@example.org',
        Password: 'one',
        'Confirm Password': 'another',
      }),
      press('Create Account'),
    ),
    rows: [
      [5, 'Passwords that differ: ‘…’', 'text', 'Passwords do not match'],
      [8, 'Sign-up mismatch: ‘…’', 'text', 'Passwords do not match'],
    ],
  },
  {
    name: 'the password reset request',
    who: 'visitor',
    path: '/forgot-password',
    rows: [
      [2, '/forgot-password is the Reset Your Password request page', 'heading', 'Reset Your Password'],
      [2, 'It says ‘…’', 'text', 'Contact your administrator to request a password reset'],
      [2, 'The request has a first name', 'field', 'First Name'],
      [2, 'The request has a last name', 'field', 'Last Name'],
      [2, 'The request has an email', 'field', 'Email'],
      [2, 'The request has an ‘…’ button', 'button', 'Email Administrator'],
      [2, "The request has a 'Back to Home' link to /", 'css', 'main a[href="/"]:text-is("Back to Home")'],
    ],
  },
  {
    name: 'an empty password reset request',
    who: 'visitor',
    path: '/forgot-password',
    prepare: press('Email Administrator'),
    rows: [
      [5, 'Request: ‘…’', 'text', 'First name is required'],
      [5, 'Request: ‘…’', 'text', 'Last name is required'],
      [5, 'Request: ‘…’', 'text', 'Email is required'],
    ],
  },
  {
    name: 'a password reset request with an invalid email address',
    who: 'visitor',
    path: '/forgot-password',
    prepare: then(fill({ 'First Name': 'Ada', 'Last Name': 'Lovelace', Email: 'ada' }), press('Email Administrator')),
    rows: [[5, 'Request: ‘…’', 'text', 'Please enter a valid email address']],
  },
  {
    name: 'the email draft to the administrator',
    who: 'visitor',
    path: '/forgot-password',
    prepare: then(fill({ 'First Name': 'Ada', 'Last Name': 'Lovelace', Email: 'ada@example.org' }), showDrafts, press('Email Administrator')),
    rows: [[2, 'The request opens a mail draft to a support address with the entered name and email', 'text', /^mailto:[^@?]+@[^?]+\?subject=[\s\S]+Name: Ada Lovelace\s+Email: ada@example\.org/]],
  },
  {
    name: 'the password reset screen',
    who: 'visitor',
    path: '/reset-password',
    rows: [
      [2, '/reset-password has the heading ‘…’', 'heading', 'Reset Your Password'],
      [2, 'The subtitle says to enter the 6-digit code from the email and choose a new password', 'text', 'Enter the 6-digit code from your email and choose a new password.'],
      [2, 'The reset has an email', 'field', 'Email'],
      [2, 'The reset has a reset code of at most 6 characters', 'check', keepsSixDigits],
      [
        2,
        'The reset code is centred and large',
        'check',
        (page) =>
          page.getByLabel('Reset Code').evaluate((code) => {
            const { textAlign, fontSize } = getComputedStyle(code);
            const other = getComputedStyle(document.querySelector('input[type=email]')!).fontSize;
            return textAlign === 'center' && parseFloat(fontSize) > parseFloat(other);
          }),
      ],
      [2, 'The reset has a new password', 'field', 'New Password'],
      [2, 'The new password has a show/hide toggle', 'css', 'main button[aria-label="Show password"]'],
      [2, 'The submit button reads ‘…’', 'button', 'Reset Password'],
      [2, 'Back goes to /forgot-password', 'css', 'main a[href="/forgot-password"]:text-is("Back")'],
      [2, 'Cancel goes to /', 'css', 'main a[href="/"]:text-is("Cancel")'],
    ],
  },
  {
    name: 'a password reset with invalid fields',
    who: 'visitor',
    path: '/reset-password',
    prepare: then(fill({ Email: 'ada', 'Reset Code': '123', 'New Password': 'short' }), press('Reset Password')),
    rows: [
      [5, 'Reset: email must be valid', 'text', 'Please enter a valid email address'],
      [5, 'Reset: ‘…’', 'text', 'Token must be 6 digits'],
      [9, 'The reset code has exactly 6 characters', 'text', 'Token must be 6 digits'],
      [5, 'Reset: ‘…’', 'text', 'Password must be at least 6 characters'],
      [9, 'A new password has at least 6 characters (reset screen)', 'text', 'Password must be at least 6 characters'],
    ],
  },
  ...resets([
    ['pending', held('**/api/reset-password'), [[2, 'The button reads ‘…’ while busy', 'button', 'Resetting...']]],
    [
      'refused with a message',
      answered('**/api/reset-password', 400, {
        statusCode: 400,
        code: 'CODE_INVALID',
        message: 'The server says why',
        requestId: 'x',
      }),
      [
        [2, 'On failure an error alert shows the message', 'css', 'main [role=alert]'],
        [8, 'Reset failure: the server message', 'text', 'The server says why'],
      ],
    ],
    ['refused without a message', answered('**/api/reset-password', 502), [[8, 'Reset failure without a message: ‘…’', 'text', 'Failed to reset password']]],
    [
      'completed',
      answered('**/api/reset-password', 200, { message: 'Done' }),
      [
        [2, 'On success it shows ‘…’', 'text', 'Password Reset Successful'],
        [2, 'It says ‘…’', 'text', 'Your password has been reset successfully. You can now log in with your new password.'],
        [2, 'It says ‘…’', 'text', 'Redirecting to home page in 3 seconds...'],
        [2, 'A ‘…’ button is also shown', 'button', 'Go to Home'],
        [2, 'It then goes to / by itself', 'address', /^\/$/],
        [4, 'The reset screen ends in a redirect', 'address', /^\/$/],
        // also lets the landing screen finish loading before the next view stops intercepting requests
        [2, 'It then goes to / by itself', 'css', 'main a[href^="/e/"]'],
      ],
    ],
  ]),
  {
    name: 'an unknown path',
    who: 'visitor',
    path: '/no-such-page',
    rows: [
      [2, 'Any other path is titled ‘…’', 'heading', '404 Page Not Found'],
      [2, 'The 404 page says ‘…’', 'text', 'Did you forget to add the page to the router?'],
    ],
  },
  ...['/profile', '/my-events'].map((path): View => ({
    name: `${path} when signed out`,
    who: 'visitor',
    path,
    rows: [
      [2, `${path} is the landing screen for visitors`, 'tab', 'Sign In'],
      [2, `${path} is the landing screen for visitors`, 'address', path],
    ],
  })),
  ...['/dashboard', '/admin', '/admin/users', '/admin/events'].map((path): View => ({
    name: `${path} when signed out`,
    who: 'visitor',
    path,
    rows: [
      [path === '/dashboard' ? 4 : 2, `${path} shows visitors the toast 'Unauthorized — You are logged out. Logging in again...'`, 'toast', /^Unauthorized\s*You are logged out\. Logging in again\.\.\.$/],
      [path === '/dashboard' ? 4 : 2, `${path} sends visitors to /api/login`, 'address', new RegExp(`^/\\?signin=1&returnTo=${encodeURIComponent(path)}$`)],
      [2, `${path} is the landing screen for visitors`, 'tab', 'Sign In'],
    ],
  })),
  {
    name: 'the details of an event with attendees',
    who: 'visitor',
    path: '/',
    prepare: openDetails(/^\d+ of \d+ places taken$/),
    within: DIALOG,
    rows: [
      [4, "Not logged in: 'Login to Register', in the details too", 'text', 'Login to Register'],
      [2, 'Each attendee shows an avatar, a name and an optional LinkedIn link, also to visitors', 'text', 'Sign in to see who is coming', { ruling: 'Visitors read how many come; who comes is for members.' }],
    ],
  },
  {
    name: 'the details of an event without attendees',
    who: 'visitor',
    path: '/',
    prepare: openDetails(/^No one has registered yet$|^0 of \d+ places taken$/),
    within: DIALOG,
    rows: [
      [2, 'Empty attendee text for visitors: ‘…’', 'text', 'No attendees yet'],
      [2, 'Empty attendee text for visitors: ‘…’', 'text', 'Be the first to register!'],
    ],
  },
];

function resets(states: [state: string, answer: Action, rows: Row[]][]): View[] {
  return states.map(([state, answer, rows]) => ({
    name: `a password reset (${state})`,
    who: 'visitor',
    path: '/reset-password',
    prepare: then(answer, fill({ Email: 'ada@example.org', 'Reset Code': '123456', 'New Password': 'another one' }), press('Reset Password')),
    rows,
  }));
}

const BROWSING: View[] = [
  {
    name: 'Browse Events',
    who: 'member',
    path: '/',
    at: [1440, 960, 390],
    rows: [
      [2, '/ shows signed-in users Browse Events', 'heading', 'Browse Events'],
      [2, 'Browse has a search box', 'field', 'Search events'],
      [2, "Browse has an 'N events found' count", 'text', /^\d+ events found$/],
      [2, 'Each event card has ‘…’', 'text', 'View Details'],
      [2, 'Each event card has a register action', 'text', 'Register'],
      [4, 'Otherwise a ‘…’ button', 'text', 'Register'],
      [4, 'Already registered: ‘…’', 'text', 'Registered'],
      [4, 'Registered count >= capacity: ‘…’', 'text', 'Event Full'],
      [4, 'Event Full, Registered and Event Ended are disabled buttons', 'css', 'article button[aria-disabled=true]:has-text("Event Full")', { ruling: KEEPS_FOCUS }],
      [
        4,
        "Registered count >= capacity: 'Event Full', also of an event with a waiting list",
        'text',
        'Join the waiting list',
        {
          ruling: 'A full event whose waiting list is on offers a place on it, which ‘Event Full’ would hide.',
        },
      ],
      [2, 'Browse has a price filter: all', 'css', 'select[aria-label="Price"]:has(option:text-is("All prices"))'],
      [2, 'Browse has a price filter: free', 'css', 'select[aria-label="Price"]:has(option:text-is("Free"))'],
      [2, 'Browse has a price filter: paid', 'css', 'select[aria-label="Price"]:has(option:text-is("Paid"))'],
      [2, 'Browse has a time filter: upcoming', 'css', 'select[aria-label="Time"]:has(option:text-is("Upcoming"))'],
      [2, 'Browse has a time filter: past', 'css', 'select[aria-label="Time"]:has(option:text-is("Past"))'],
      [2, 'Browse has a time filter: all', 'css', 'select[aria-label="Time"]:has(option:text-is("All"))'],
      [2, 'Browse has a ‘…’ button', 'text', 'Refresh'],
      [4, 'Upcoming means start >= now and sorts ascending by start', 'check', inOrder(1)],
    ],
  },
  {
    name: 'a search without results',
    who: 'member',
    path: '/?q=xyzzy',
    rows: [
      [2, 'Browse’s empty state: ‘…’', 'text', 'No events found'],
      [2, 'Browse’s empty state has a hint', 'text', /^No events match your search and filters\./],
    ],
  },
  {
    name: 'a search with one result',
    who: 'member',
    path: '/?q=BACON%20ROLLS&time=all',
    rows: [
      [2, "'N events found', of one event", 'text', '1 event found', { ruling: 'One event is written in the singular.' }],
      [4, 'Search matches the description, case-insensitively', 'text', '1 event found'],
    ],
  },
  { name: 'a search in titles', who: 'member', path: '/?q=UNCONFERENCE&time=all', rows: [[4, 'Search matches the title, case-insensitively', 'heading', /Unconference$/]] },
  {
    name: 'past events',
    who: 'member',
    path: '/?time=past',
    rows: [
      [4, 'Start date passed: ‘…’', 'text', 'Event Ended'],
      [4, 'Event Full, Registered and Event Ended are disabled buttons', 'css', 'article button[aria-disabled=true]:has-text("Event Ended")', { ruling: KEEPS_FOCUS }],
      [4, 'Past means start < now and sorts descending', 'check', inOrder(-1)],
    ],
  },
  {
    name: 'free events',
    who: 'member',
    path: '/?price=free',
    rows: [
      [4, 'Price filter: free finds what has no price', 'css', 'article :text-is("Free")'],
      [4, 'Price filter: free finds nothing with a price', 'none', 'article :text-matches("^£")'],
    ],
  },
  {
    name: 'paid events',
    who: 'member',
    path: '/?price=paid',
    rows: [
      [4, 'Price filter: paid finds what has a price above 0', 'css', 'article :text-matches("^£[0-9.,]+$")'],
      [4, 'Price filter: paid finds nothing free', 'none', 'article :text-is("Free")'],
    ],
  },
  {
    name: 'a refresh',
    who: 'member',
    path: '/',
    prepare: press('Refresh'),
    rows: [
      [8, "Refresh: 'Refreshed / Event data has been updated'", 'toast', /^Refreshed\s*Event data has been updated$/],
      [
        9,
        'The toast is at most 420 px wide',
        'check',
        async (page) => {
          const box = await page.locator('.ant-notification-notice').boundingBox();
          return box !== null && box.width <= 420;
        },
      ],
    ],
  },
  { name: 'a pending registration', who: 'member', path: '/', prepare: then(held('**/api/events/*/register'), press(/^Register: /)), rows: [[4, 'The button shows ‘…’ while pending', 'text', 'Registering...']] },
  {
    name: 'the details of an open event',
    who: 'member',
    path: '/',
    prepare: openDetails(/^Register$/),
    within: DIALOG,
    rows: [
      [2, 'View Details opens a dialog', 'css', 'h2'],
      [2, 'The details show the banner', 'css', '[class*=cover] :is(img, svg)'],
      [2, 'The details show status badges', 'text', 'Open for Registration'],
      [4, 'Event status: ‘…’', 'text', 'Open for Registration'],
      [4, 'Event status: Free Event, or a price badge', 'text', /^(Free Event|£[\d.,]+)$/],
      [2, 'The details show date and time', 'css', 'dd time[datetime]'],
      [2, 'The details name date and time', 'named', 'Date & Time', { ruling: ICON_OF_FACT }],
      [2, 'The details show the location', 'css', 'dt:has-text("Location") + dd'],
      [2, 'The details name the location', 'named', 'Location', { ruling: ICON_OF_FACT }],
      [2, 'The details show the capacity', 'text', 'Capacity'],
      [2, 'The details show the event type', 'text', 'Event Type'],
      [2, 'The details show the created date', 'css', 'dt:text-is("Created") + dd time'],
      [2, 'The details show the description', 'heading', 'About this event'],
      [2, 'The details show the attendee list', 'heading', /^Attendees \(\d+\)$/],
      [
        2,
        'The details begin with the banner, badges, facts, description and attendees',
        'check',
        inThisOrder(
          '[role=dialog] [class*=cover]',
          '[role=dialog] p:has-text("Open for Registration")',
          '[role=dialog] section:has(> h3:text-is("About this event"))',
          '[role=dialog] section:has(> #attendees-title)',
          '[role=dialog] section[aria-label="Registration"]',
        ),
      ],
      [2, 'Each attendee shows an avatar', 'css', 'section:has(#attendees-title) li :is(img, [class*=avatar])'],
      [2, 'Each attendee shows a name', 'css', 'section:has(#attendees-title) li [dir=auto]'],
      [2, 'Each attendee shows an optional LinkedIn link', 'css', 'section:has(#attendees-title) li a[aria-label$="on LinkedIn"]'],
    ],
  },
  {
    name: 'all attendees of an open event',
    who: 'member',
    path: '/',
    prepare: then(openDetails(/^Winter Social/), press(/^Show all/)),
    within: DIALOG,
    rows: [[2, 'The attendee list shows everybody', 'text', /^and \d+ others?$/, { ruling: CONSENT }]],
  },
  {
    name: 'the details of a paid event',
    who: 'member',
    path: '/?price=paid',
    prepare: openDetails(/^Register$/),
    within: DIALOG,
    rows: [
      [2, 'Price is shown with a dollar sign in the details', 'text', /^£[\d.,]+$/, { ruling: 'A community has one currency, and each price its sign.' }],
      [4, 'Event status: a price badge', 'text', /^£[\d.,]+$/],
    ],
  },
  { name: 'the details of a free event', who: 'member', path: '/?price=free', prepare: openDetails(/^Register$/), within: DIALOG, rows: [[4, 'Event status: ‘…’', 'text', 'Free Event']] },
  { name: 'the details of a full event', who: 'member', path: '/', prepare: openDetails(/^Waiting list$/), within: DIALOG, rows: [[4, 'Event status: ‘…’', 'text', 'Fully Booked']] },
  {
    name: 'the details of a past event',
    who: 'member',
    path: '/?time=past',
    prepare: then(press(/^View Details of (?!Search Social)/, 'link')),
    within: DIALOG,
    rows: [[4, 'The end date has passed: the badge ‘…’', 'text', 'Past Event']],
  },
  {
    name: 'the details of an event without attendees',
    who: 'member',
    path: '/',
    prepare: openDetails(/^No one has registered yet$|^0 of \d+ places taken$/),
    within: DIALOG,
    rows: [
      [2, 'Empty attendee text: ‘…’', 'text', 'No attendees yet'],
      [2, 'Empty attendee text: ‘…’', 'text', 'Be the first to register!'],
    ],
  },
];

const MEMBER: View[] = [
  {
    name: 'a page before the user is known',
    who: 'member',
    path: '/my-events',
    before: unread('**/api/user'),
    rows: [[2, 'While the authentication state is loading, a centred spinner is shown', 'css', '[role=status] [class*=spinner]']],
  },
  {
    name: 'the header',
    who: 'member',
    path: '/dashboard',
    prepare: openNavigation,
    rows: [
      [2, "User navigation: 'Browse Events' (/)", 'css', 'nav a[href="/"]:text-is("Browse Events")'],
      [2, "User navigation: 'My Events' (/my-events)", 'css', 'nav a[href="/my-events"]:text-is("My Events")'],
    ],
  },
  {
    name: 'the user menu',
    who: 'member',
    path: '/my-events',
    prepare: openAccountMenu,
    rows: [
      [2, 'User menu: ‘…’', 'menuitem', 'Profile Settings'],
      [2, 'User menu: ‘…’', 'menuitem', 'Change Password'],
      [2, 'User menu: ‘…’', 'menuitem', 'Sign Out'],
    ],
  },
  {
    name: 'Change Password',
    who: 'member',
    path: '/my-events',
    prepare: openChangePassword,
    within: DIALOG,
    rows: [
      [2, 'Change Password opens a modal', 'text', 'Change Password'],
      [2, 'Change Password has the current password', 'field', 'Current Password'],
      [2, 'Change Password has the new password', 'field', 'New Password'],
      [2, 'Change Password has a confirmation', 'field', 'Confirm New Password'],
      [2, 'Each has its own show/hide toggle', 'css', 'button[aria-label="Show password"] >> nth=2'],
      [2, 'The submit button is disabled until all three fields are filled', 'css', 'button[type=submit][disabled]'],
    ],
  },
  {
    name: 'Change Password with empty fields',
    who: 'member',
    path: '/my-events',
    prepare: then(openChangePassword, leaveEmpty),
    within: DIALOG,
    rows: [
      [5, '‘…’', 'text', 'Current password is required'],
      [5, '‘…’', 'text', 'New password is required'],
      [5, '‘…’', 'text', 'Please confirm your new password'],
      [2, 'Each field has its own error text', 'css', '[role=alert] >> nth=2'],
    ],
  },
  {
    name: 'Change Password with invalid fields',
    who: 'member',
    path: '/my-events',
    prepare: then(openChangePassword, fill({ 'Current Password': 'old', 'New Password': 'short', 'Confirm New Password': 'other' }), pressInDialog('Change Password')),
    within: DIALOG,
    rows: [
      [5, '‘…’', 'text', 'New password must be at least 6 characters long'],
      [9, 'A new password has at least 6 characters (change password)', 'text', 'New password must be at least 6 characters long'],
      [5, '‘…’', 'text', 'New passwords do not match'],
    ],
  },
  {
    name: 'Change Password while saving',
    who: 'member',
    path: '/my-events',
    prepare: then(held('**/api/user/change-password'), openChangePassword, fill({ 'Current Password': 'old', 'New Password': 'secret', 'Confirm New Password': 'secret' }), pressInDialog('Change Password')),
    within: DIALOG,
    rows: [[2, 'The submit button is disabled while saving', 'css', 'button[type=submit][aria-disabled=true]', { ruling: KEEPS_FOCUS }]],
  },
  {
    name: 'Change Password after reopening',
    who: 'member',
    path: '/my-events',
    prepare: then(openChangePassword, fill({ 'Current Password': 'old' }), reopenChangePassword),
    within: DIALOG,
    rows: [[2, 'Closing or cancelling clears the fields and errors', 'check', async (page) => (await page.getByLabel('Current Password').inputValue()) === '']],
  },
  {
    name: 'My Events',
    who: 'member',
    path: '/my-events',
    rows: [
      [2, '/my-events is My Events', 'heading', 'My Events'],
      [2, 'My Events has the filter ‘…’', 'choice', 'Upcoming'],
      [2, 'My Events has the filter ‘…’', 'choice', 'Past'],
      [2, 'My Events has the filter ‘…’', 'choice', 'All'],
      [2, 'My Events is a card grid', 'css', 'main ul article'],
      [2, "Each card has a badge: 'Upcoming'", 'css', 'article :text-is("Upcoming")'],
      [4, "The badge is 'Upcoming' when start >= now", 'css', 'article :text-is("Upcoming")'],
    ],
  },
  {
    name: 'past events in My Events',
    who: 'member',
    path: '/my-events?time=past',
    rows: [
      [2, "Each card has a badge: 'Completed'", 'css', 'article :text-is("Completed")'],
      [4, "The badge is else 'Completed'", 'css', 'article :text-is("Completed")'],
    ],
  },
  {
    name: 'the confirmation before unregistering',
    who: 'member',
    path: '/my-events',
    prepare: press(/^Unregister: /),
    within: DIALOG,
    rows: [
      [2, 'Unregister asks for confirmation first', 'text', 'Unregister from this event?'],
      [4, 'Unregister asks for confirmation', 'button', 'Unregister'],
    ],
  },
  {
    name: 'a failed unregistration',
    who: 'member',
    path: '/my-events',
    prepare: then(answered('**/api/events/*/register', 502), press(/^Unregister: /), pressInDialog('Unregister')),
    rows: [[8, "Unregister: error toast 'Error' with 'Failed to unregister from event'", 'toast', /^Error\s*Failed to unregister from event$/]],
  },
  {
    name: 'the dashboard',
    who: 'member',
    path: '/dashboard',
    rows: [
      [2, '/dashboard is the member dashboard', 'heading', /^Welcome back, .+!$/],
      [2, "It greets the user with 'Welcome back, {firstName}!'", 'heading', /^Welcome back, .+!$/],
      [2, 'Stat card: ‘…’', 'text', 'Total Events'],
      [2, 'Stat card: ‘…’', 'text', 'Upcoming Events'],
      [2, 'Stat card: ‘…’', 'text', 'This Month'],
      [
        2,
        "The Total Events card is labelled 'Events created this month' but counts all events",
        'text',
        /^\d+ created this month$/,
        { ruling: 'The card counts all events; its caption says how many of them are of this month.' },
      ],
      [2, 'The dashboard has ‘…’', 'heading', 'Quick Actions'],
      [2, "Quick action: 'Create Event'", 'css', 'main a:has(:text-is("Create Event"))'],
      [2, "Quick action: 'View Calendar'", 'css', 'main a[href^="/events"]:has(:text-is("View Calendar"))'],
      [2, "Quick action: 'Manage Profile'", 'css', 'main a[href="/profile"]:has(:text-is("Manage Profile"))'],
      [2, 'Create Event leads to /events', 'css', 'main a[href="/events?create=1"]:has(:text-is("Create Event"))'],
      [2, 'The cards, the Quick Actions and the two lists follow the greeting', 'check', inThisOrder('main h1', 'main li:has-text("Total Events")', '#actions-title', 'section[aria-label="Upcoming Events"]')],
      [2, 'The dashboard lists ‘…’', 'heading', 'Upcoming Events'],
      [2, 'The dashboard lists ‘…’', 'heading', 'Recent Events'],
      [9, 'At most 3 upcoming events', 'none', 'section[aria-label="Upcoming Events"] li >> nth=3'],
      [9, 'At most 3 recent events', 'none', 'section[aria-label="Recent Events"] li >> nth=3'],
      [2, "Recent items are badged 'Completed'", 'css', 'section[aria-label="Recent Events"] li >> nth=2 >> text="Completed"'],
      [2, "Both lists have 'View All' buttons", 'css', 'section[aria-label="Upcoming Events"] button:has-text("View All")'],
      [2, "Recent events have a 'View All' button", 'css', 'section[aria-label="Recent Events"] button:has-text("View All")'],
    ],
  },
  {
    name: 'the link to all events',
    who: 'member',
    path: '/dashboard',
    prepare: press('View All Recent Events'),
    rows: [
      [2, 'View All goes to /events', 'address', /^\/events(?:\?|$)/],
      [2, '/events is the target of View Calendar and of the View All buttons', 'heading', 'Events'],
    ],
  },
  {
    name: 'the profile',
    who: 'member',
    path: '/profile',
    rows: [
      [2, '/profile is Profile Settings', 'heading', 'Profile Settings'],
      [2, 'The profile has an avatar card', 'css', 'main section [class*=avatar]'],
      [2, 'The profile has an ‘…’ card', 'heading', 'Account Information'],
      [2, 'The profile has ‘…’', 'button', 'Edit Profile'],
      [4, 'The profile has a view mode', 'none', 'main form input[autocomplete=given-name]'],
    ],
  },
  {
    name: 'the profile in edit mode',
    who: 'member',
    path: '/profile',
    prepare: press('Edit Profile'),
    rows: [
      [4, 'The profile has an edit mode', 'button', 'Save Changes'],
      [2, 'The profile has ‘…’', 'button', 'Cancel'],
      [2, 'The profile has ‘…’', 'button', 'Save Changes'],
      [2, 'The profile has a first name', 'field', 'First Name'],
      [2, 'The profile has a last name', 'field', 'Last Name'],
      [2, 'The profile has an email', 'field', 'Email'],
      [2, 'The profile has a description (‘…’)', 'field', 'About Me'],
      [2, 'The profile has a LinkedIn URL', 'field', 'LinkedIn URL'],
      [2, 'The picture is chosen from a file picker of any image type', 'there', 'input[type=file][accept="image/*"]'],
      [5, 'The picture accepts image files only', 'there', 'input[type=file][accept="image/*"]'],
      [5, 'Profile: the email is an email input', 'css', 'main form input[type=email]'],
      [5, 'Profile: LinkedIn is a URL input', 'css', 'main form input[type=url]'],
    ],
  },
  {
    name: 'the profile after Cancel',
    who: 'member',
    path: '/profile',
    prepare: then(press('Edit Profile'), fill({ 'About Me': 'Something else' }), press('Cancel'), press('Edit Profile')),
    rows: [[4, 'Cancel resets the fields of the profile', 'check', async (page) => (await page.getByLabel('About Me').inputValue()) !== 'Something else']],
  },
  {
    name: 'a failed profile update',
    who: 'member',
    path: '/profile',
    prepare: then(answered('**/api/user/profile', 502), press('Edit Profile'), press('Save Changes')),
    rows: [[8, "Profile: 'Failed to update profile. Please try again.'", 'toast', /Failed to update profile\. Please try again\.$/]],
  },
  {
    name: 'the admin area',
    who: 'member',
    path: '/admin',
    rows: [
      [2, 'A non-admin sees a blank screen', 'none', 'main *'],
      [2, 'A blank screen keeps the header', 'css', 'header'],
    ],
  },
];

const ADMINISTRATOR: View[] = [
  {
    name: 'the photo prompt',
    who: 'administrator',
    path: '/profile',
    at: WIDE,
    within: DIALOG,
    rows: [
      [2, 'A prompt asks for a picture: ‘…’', 'button', 'Add Profile Picture'],
      [2, 'The prompt can be put off: ‘…’', 'button', 'Maybe Later'],
    ],
  },
  {
    name: 'the profile later in the same session',
    inSamePage: true,
    who: 'administrator',
    path: '/profile',
    rows: [
      [2, 'The prompt pops up once per browser session', 'none', DIALOG],
      [9, 'The profile-picture prompt is shown once per session', 'none', DIALOG],
      [2, 'The profile stands behind the prompt', 'button', 'Edit Profile'],
    ],
  },
  { name: 'My Events without registrations', who: 'administrator', path: '/my-events', rows: [[2, 'The empty state of My Events has a ‘…’ button', 'button', 'Browse Events']] },
  {
    name: 'the header of an administrator',
    who: 'administrator',
    path: '/',
    prepare: openNavigation,
    rows: [
      [2, "Admins see the toggle 'Admin Panel' on user pages", 'css', 'a[href="/admin"]:text-is("Admin Panel")'],
      [2, 'The avatar fallback is the two initials of first and last name', 'css', 'header button :text-is("AM")'],
    ],
  },
  {
    name: 'the header under /admin',
    who: 'administrator',
    path: '/admin/anything',
    prepare: openNavigation,
    rows: [
      [2, "Admin navigation: 'Dashboard' (/admin)", 'css', 'nav a[href="/admin"]:text-is("Dashboard")'],
      [2, "Admin navigation: 'Users' (/admin/users)", 'css', 'nav a[href="/admin/users"]:text-is("Users")'],
      [2, "Admin navigation: 'Events' (/admin/events)", 'css', 'nav a[href="/admin/events"]:text-is("Events")'],
      [2, "Admins see the toggle 'User View' on admin pages", 'css', 'a[href="/"]:text-is("User View")'],
      [2, 'Any other path of the area shows the Admin Dashboard', 'css', 'h1:text-is("Admin Dashboard")'],
      [2, 'The strip is on every screen', 'css', 'aside[aria-label="Upcoming event"]'],
      [2, 'The sponsors are on every screen', 'css', 'footer li:nth-child(4) img'],
      [2, 'Every screen has ‘…’', 'heading', 'Our Sponsors'],
    ],
  },
  { name: 'the quick actions of an administrator', who: 'administrator', path: '/dashboard', rows: [[2, '/events is the target of Create Event', 'css', 'main a[href^="/events?"]:has(:text-is("Create Event"))']] },
  {
    name: 'the Admin Dashboard',
    who: 'administrator',
    path: '/admin',
    rows: [
      [2, '/admin shows the Admin Dashboard', 'heading', 'Admin Dashboard'],
      [2, 'Summary card: ‘…’', 'heading', 'Total Events'],
      [2, 'Total Events has an approximate events-per-month figure', 'text', /^About [\d.,]+ a month$/],
      [2, 'Summary card: ‘…’', 'heading', 'Active Users'],
      [2, 'Active Users has an approximate new-users-per-week figure', 'text', /^About [\d.,]+ new users a week$/],
      [2, 'Summary card: ‘…’', 'heading', 'Upcoming Events'],
      [2, 'Upcoming Events has an approximate events-per-week figure', 'text', /^About [\d.,]+ a week$/],
      [2, 'The card Upcoming Events is limited to the 3 nearest', 'text', /^3 of \d+ upcoming$/, { ruling: 'The card counts all upcoming events; the list below it holds the 3 nearest.' }],
      [9, 'Admin upcoming events are capped at 3', 'css', 'section ol li:nth-child(3):last-child'],
      [2, 'Summary card: ‘…’', 'heading', 'Events This Month'],
      [2, 'Events This Month counts those created in the last 30 days', 'text', 'Created in the last 30 days'],
      [9, 'New-event window 30 days', 'text', 'Created in the last 30 days'],
      [2, 'Chart ‘…’', 'heading', 'Registration Activity'],
      [2, 'The chart has the last 7 days', 'text', 'Last 7 days'],
      [2, 'The chart is drawn', 'css', 'main canvas'],
      [2, "The chart’s footer shows 'Total this week'", 'text', /^Total this week: [1-9][\d,]*$/],
      [2, "The chart’s footer shows 'Average: N/active day (M/day overall)' or 'Average: M/day'", 'text', /^Average: [\d.,]+\/(active day \([\d.,]+\/day overall\)|day)$/],
    ],
  },
  {
    name: 'the chart as a table',
    who: 'administrator',
    path: '/admin',
    prepare: press('Show as a table'),
    rows: [
      [2, 'One bar per day named by the day’s name', 'css', 'tbody tr:nth-child(7) th:text-matches("^[A-Z][a-z]{2}$")'],
      [9, 'Chart window 7 days', 'css', 'tbody tr:nth-child(7):last-child'],
      [2, "The series label is 'Registrations'", 'css', 'th:text-is("Registrations")'],
    ],
  },
  {
    name: 'User Management',
    who: 'administrator',
    path: '/admin/users',
    at: [1440, 1024, 390],
    rows: [
      [2, '/admin/users shows ‘…’', 'heading', 'User Management'],
      [2, 'Users view: ‘…’', 'button', 'Export Users'],
      [2, 'Users view: ‘…’', 'button', 'Add User'],
      [2, 'Each row has an avatar (profile image or initial)', 'css', 'tbody td :is(img, [class*=avatar])'],
      [2, 'Each row has the full name and the email', 'css', 'tbody td :text-matches("@members\\\\.example$")'],
      [2, "Each row has a 'Joined' date", 'css', 'td[data-title="Joined"]'],
      [2, "Each row has a badge: 'User'", 'css', 'td :text-is("User")'],
      [2, 'Each row has ‘…’', 'text', 'Make Admin', { at: FROM_1024 }],
      [2, 'Each row has ‘…’', 'text', 'Reset Email', { at: FROM_1024 }],
      [2, "Each row has 'Delete'", 'css', 'td button[aria-label^="Delete: "]', { at: FROM_1024 }],
    ],
  },
  {
    name: 'the actions of a user row on a phone',
    who: 'administrator',
    path: '/admin/users',
    at: PHONE,
    prepare: openMore,
    rows: [
      [2, 'Each row has ‘…’', 'menuitem', 'Make Admin', { ruling: BEHIND_MORE }],
      [2, 'Each row has ‘…’', 'menuitem', 'Reset Email', { ruling: BEHIND_MORE }],
      [2, 'Each row has ‘…’', 'menuitem', 'Delete', { ruling: BEHIND_MORE }],
    ],
  },
  {
    name: 'the administrator’s own row',
    who: 'administrator',
    path: '/admin/users?role=admin',
    rows: [
      [2, "Each row has a badge: 'Admin'", 'css', 'td :text-is("Admin")'],
      [
        2,
        'The current user has no Make Admin, Remove Admin, Reset Email and Delete',
        'none',
        'tbody button:is([aria-label^="Make Admin"], [aria-label^="Remove Admin"], [aria-label^="Reset Email"], [aria-label^="Delete"], [aria-label^="More"])',
      ],
    ],
  },
  { name: 'a user search without results', who: 'administrator', path: '/admin/users?q=xyzzy', rows: [[2, 'Empty text: ‘…’', 'text', 'No users found.']] },
  {
    name: 'a user export without users',
    who: 'administrator',
    path: '/admin/users?q=xyzzy',
    prepare: then((page) => page.getByText('No users found.').waitFor(), press('Export Users')),
    rows: [[5, "Export with no users: 'No Data — No users to export'", 'toast', /^No Data\s*No users to export$/]],
  },
  { name: 'Delete User Account', who: 'administrator', path: '/admin/users', prepare: act('Delete'), within: DIALOG, rows: [[2, 'Dialog: ‘…’', 'text', 'Delete User Account']] },
  {
    name: 'a failed password reset',
    who: 'administrator',
    path: '/admin/users',
    prepare: then(answered('**/api/admin/users/*/reset-password', 502), act('Reset Email'), pressInDialog('Reset Email')),
    rows: [[8, "Admin toast: 'Error', 'Failed to reset password'", 'toast', /^Error\s*Failed to reset password$/]],
  },
  {
    name: 'Add New User',
    who: 'administrator',
    path: '/admin/users',
    prepare: press(/^Add User/),
    within: DIALOG,
    rows: [
      [2, 'Dialog: ‘…’', 'text', 'Add New User'],
      [5, 'Add User: isAdmin is a boolean, default false', 'there', 'input[type=radio][value=member]:checked', { ruling: 'There are three rights: Admin, Organiser, User. A new account begins as User.' }],
    ],
  },
  {
    name: 'Add New User with empty fields',
    who: 'administrator',
    path: '/admin/users',
    prepare: then(press(/^Add User/), pressInDialog('Create User')),
    within: DIALOG,
    rows: [
      [5, 'Add User: ‘…’', 'text', 'Invalid email address'],
      [5, 'Add User: ‘…’', 'text', 'First name is required'],
      [5, 'Add User: ‘…’', 'text', 'Last name is required'],
      [5, 'Add User: ‘…’', 'text', 'Password must be at least 6 characters'],
      [9, 'A new password has at least 6 characters (add user)', 'text', 'Password must be at least 6 characters'],
    ],
  },
  {
    name: 'Edit User',
    who: 'administrator',
    path: '/admin/users',
    prepare: then(act('Edit'), fill({ Email: 'ada', 'First Name': '', 'Last Name': '' }), pressInDialog('Update User')),
    within: DIALOG,
    rows: [
      [2, 'Dialog: ‘…’ (email, first name, last name)', 'text', 'Edit User'],
      [2, 'No control opens the dialog Edit User', 'field', 'Email', { ruling: 'A dialog that nothing opens is of no use: each row has Edit.' }],
      [5, 'Edit User: ‘…’', 'text', 'Invalid email address'],
      [5, 'Edit User: ‘…’', 'text', 'First name is required'],
      [5, 'Edit User: ‘…’', 'text', 'Last name is required'],
    ],
  },
  {
    name: 'Event Management',
    who: 'administrator',
    path: '/admin/events',
    at: [1440, 1024, 390],
    rows: [
      [2, '/admin/events shows ‘…’', 'heading', 'Event Management'],
      [2, 'Events view: ‘…’', 'button', 'Create Event'],
      [2, 'Each row has the title', 'css', 'tbody td a'],
      [2, 'Each row has the start date-time', 'css', 'td[data-title="Starts"]'],
      [2, 'Each row has the location', 'css', 'tbody td :text-matches("Leeds|Manchester")'],
      [2, "Each row has a badge: 'Upcoming'", 'css', 'td :text-is("Upcoming")'],
      [4, "The admin list shows 'Upcoming'", 'css', 'td :text-is("Upcoming")'],
      [2, 'Each row has Edit', 'css', 'td button[aria-label^="Edit: "]'],
      [2, 'Each row has Delete', 'css', 'td button[aria-label^="Delete: "]', { at: FROM_1024 }],
    ],
  },
  { name: 'the actions of an event row on a phone', who: 'administrator', path: '/admin/events', at: PHONE, prepare: openMore, rows: [[2, 'Each row has Delete', 'menuitem', 'Delete', { ruling: BEHIND_MORE }]] },
  {
    name: 'past events of Event Management',
    who: 'administrator',
    path: '/admin/events?time=past',
    rows: [
      [2, "Each row has a badge: 'Past'", 'css', 'td :text-is("Past")'],
      [4, "The admin list shows 'Past'", 'css', 'td :text-is("Past")'],
    ],
  },
  { name: 'an event search without results', who: 'administrator', path: '/admin/events?q=xyzzy', rows: [[2, 'Empty text: ‘…’', 'text', 'No events found.']] },
  {
    name: 'Delete Event',
    who: 'administrator',
    path: '/admin/events',
    prepare: act('Delete'),
    within: DIALOG,
    rows: [
      [2, 'Dialog: Delete Event', 'text', 'Delete Event'],
      [2, 'It warns that all registrations for the event are also removed', 'text', /All registrations for this event( \(\d+\))? are also removed\./],
      [2, 'It warns that this cannot be undone', 'text', /This action cannot be undone\./],
    ],
  },
  {
    name: 'the event form for a new event',
    who: 'administrator',
    path: '/events?create=1',
    within: DIALOG,
    rows: [
      [2, 'Event dialog: title ‘…’', 'text', 'Create New Event'],
      [4, 'The event form is in create mode when no event is passed in', 'text', 'Create New Event'],
      [2, 'Event form: event title', 'field', 'Event Title'],
      [2, 'Event form: description', 'field', 'Description'],
      [2, 'Event form: start date', 'field', 'Start Date'],
      [2, 'Event form: start time', 'field', 'Start Time'],
      [2, 'Event form: end date', 'field', 'End Date'],
      [2, 'Event form: end time', 'field', 'End Time'],
      [2, 'Event form: location', 'field', 'Location'],
      [2, "Event form: 'capacity (optional)'", 'field', 'Capacity (optional)'],
      [2, 'Event form: banner image upload', 'button', 'Choose an image'],
      [2, 'Event form: ‘…’', 'choice', 'Free Event'],
      [2, 'Event form: ‘…’', 'choice', 'Paid Event'],
      [2, 'A price input appears only for paid events', 'none', 'label:text-is("Price (GBP)")'],
      [2, 'Event form: ‘…’', 'button', 'Cancel'],
      [2, 'Event form: ‘…’', 'button', 'Create Event'],
      [5, 'Capacity must be at least 1, and is optional', 'check', refuses('Capacity (optional)', '0', /at least 1/)],
      [9, 'Capacity min 1', 'check', refuses('Capacity (optional)', '-1', /at least 1/)],
      [5, 'The banner upload accepts image files only', 'there', 'input[type=file][accept="image/*"]'],
      [9, 'Locations have at most 255 characters', 'css', 'input[maxlength="255"]'],
    ],
  },
  {
    name: 'the event form for a paid event',
    who: 'administrator',
    path: '/events?create=1',
    prepare: choosePaid,
    within: DIALOG,
    rows: [
      [2, 'A price input appears for paid events', 'field', 'Price (GBP)'],
      [5, 'The price takes numbers only, minimum 0, step 0.01', 'check', refuses('Price (GBP)', 'ten', /0 or more/)],
      [9, 'Price min 0, step 0.01', 'check', refuses('Price (GBP)', '0.001', /at most 2 decimals/)],
    ],
  },
  {
    name: 'an empty event form',
    who: 'administrator',
    path: '/admin/events',
    prepare: then(press('Create Event'), pressInDialog('Create Event')),
    within: DIALOG,
    rows: [
      [5, '‘…’', 'text', 'Title is required'],
      [5, '‘…’', 'text', 'Start date is required'],
      [5, '‘…’', 'text', 'Start time is required'],
      [5, '‘…’', 'text', 'End date is required'],
      [5, '‘…’', 'text', 'End time is required'],
      [5, 'isFree defaults to true', 'none', 'input[step="0.01"]'],
    ],
  },
  {
    name: 'an event form with a title that is too long',
    who: 'administrator',
    path: '/events?create=1',
    prepare: then(fillEvent('20:00'), fill({ 'Event Title': 'x'.repeat(256) }), pressInDialog('Create Event')),
    within: DIALOG,
    rows: [
      [5, 'At most 255 characters: ‘…’', 'text', 'Title is too long'],
      [9, 'Title max 255', 'text', 'Title is too long'],
    ],
  },
  {
    name: 'an event form with an end before the start',
    who: 'administrator',
    path: '/events?create=1',
    prepare: then(fillEvent('17:00'), pressInDialog('Create Event')),
    rows: [[5, "A notice titled 'Invalid Date Range': 'End date and time must be after start date and time'", 'toast', /^Invalid Date Range\s*End date and time must be after start date and time$/]],
  },
  {
    name: 'an event form while creating',
    who: 'administrator',
    path: '/events?create=1',
    prepare: then(held('**/api/events'), fillEvent('20:00'), pressInDialog('Create Event')),
    within: DIALOG,
    rows: [[2, 'The button reads ‘…’ while pending', 'button', 'Creating...']],
  },
  {
    name: 'an event form saved after the session ended',
    goesOn: true,
    who: 'administrator',
    path: '/events?create=1',
    prepare: then(
      answered('**/api/events', 401, {
        statusCode: 401,
        code: 'UNAUTHORIZED',
        message: 'Unauthorized: sign in to continue',
        requestId: 'x',
      }),
      fillEvent('20:00'),
      pressInDialog('Create Event'),
    ),
    rows: [[8, "Saving after 401: 'Unauthorized' / 'You are logged out. Logging in again...'", 'toast', /^Unauthorized\s*You are logged out\. Logging in again\.\.\.$/]],
  },
  {
    name: 'the event form for an existing event',
    who: 'administrator',
    path: '/admin/events',
    prepare: act('Edit'),
    within: DIALOG,
    rows: [
      [2, 'Event dialog: title ‘…’', 'text', 'Edit Event'],
      [4, 'The event form is in edit mode when an event is passed in', 'text', 'Edit Event'],
      [2, 'Event form: ‘…’', 'button', 'Update Event'],
    ],
  },
  {
    name: 'an event form while updating',
    who: 'administrator',
    path: '/admin/events',
    prepare: then(held('**/api/events/*'), act('Edit'), pressInDialog('Update Event')),
    within: DIALOG,
    rows: [[2, 'The button reads ‘…’ while pending', 'button', 'Updating...']],
  },
];

const HINTS: View[] = [
  {
    name: 'the tooltip of an icon',
    who: 'member',
    path: '/my-events',
    at: WIDE,
    rows: [
      [
        9,
        'Icons without words have a tooltip',
        'check',
        // Repeats the hover until the tooltip's component has loaded.
        async (page) => {
          await page.mouse.move(0, 0);
          await page.getByRole('button', { name: 'Switch to the dark theme' }).hover();
          const hint = page.locator('[role=tooltip]').filter({ hasText: 'Switch to the dark theme' });
          return hint.waitFor({ timeout: 1_500 }).then(
            () => true,
            () => false,
          );
        },
      ],
    ],
  },
];

const SIGNED_OUT: View[] = [
  {
    name: 'a failed sign-out',
    logs: true,
    goesOn: true,
    who: 'member',
    path: '/my-events',
    prepare: then(cut('**/api/logout'), openAccountMenu, press('Sign Out', 'menuitem')),
    rows: [
      [8, 'Logout failure: the browser navigates to the logout path', 'address', /^\/$/],
      [2, 'After logout the browser goes to /', 'link', 'Sign In', { at: PHONE }],
      [2, 'After logout the browser goes to /', 'tab', 'Sign In', { at: WIDE }],
    ],
  },
];

export const VIEWS: View[] = [...VISITOR, ...BROWSING, ...MEMBER, ...ADMINISTRATOR, ...HINTS, ...SIGNED_OUT];

export const TESTED: Tested[] = [
  {
    file: 'web/src/features/auth/auth.spec.tsx',
    title: 'reports wrong credentials and clears the error when the tab changes',
    rows: [[2, 'Switching mode clears the error message', "queryByText('Incorrect email or password. Please try again.')).toBeNull()"]],
  },
  { file: 'web/src/features/auth/auth.spec.tsx', title: 'sends nothing when the passwords differ', rows: [[5, 'Passwords that differ: no request is sent', 'expect(requests).toEqual([])']] },
  {
    file: 'web/src/features/auth/auth.spec.tsx',
    title: 'sends no password confirmation, and null for a missing LinkedIn URL',
    rows: [[8, 'Registration failure: ‘…’', 'Unable to create account. Please check your information and try again.']],
  },
  {
    file: 'web/src/app/layout/layout.spec.tsx',
    title: 'hides the strip when there are no upcoming events',
    rows: [[2, 'The strip is shown only when an event has a start in the future', "queryByRole('complementary')).toBeNull()"]],
  },
  {
    file: 'web/src/features/events/shared/shared.spec.tsx',
    title: 'leaves out the location when there is none',
    rows: [[2, 'The location of the strip is omitted when missing', 'Next Event: SEO Breakfast • Sat, Nov 21, 09:00 AM • Free • Register Now!']],
  },
  {
    file: 'web/src/app/layout/layout.spec.tsx',
    title: 'ends the strip with %s for %j',
    rows: [
      [
        2,
        'The strip ends with Register Now! whatever is left',
        'Fully booked',
        {
          ruling: 'It invites only where a place is left: else ‘Fully booked’, ‘You are going’ or ‘Registration closed’.',
        },
      ],
    ],
  },
  { file: 'web/src/ui/event-times.spec.ts', title: 'shows %p as Free', rows: [[2, "'Free' is shown when the price is missing or 0", "null, '0', '0.00', ''])('shows %p as Free'"]] },
  { file: 'web/src/ui/controls.spec.tsx', title: 'shows the letters %s for %j', rows: [[2, "The avatar falls back to the first two letters of the email, else to 'U'", "'U'"]] },
  { file: 'e2e/src/member/profile.spec.ts', title: 'prompts for a photo once per session and saves it', rows: [[2, 'The prompt’s ‘…’ enters edit mode and opens the file picker', 'Add Profile Picture']] },
  { file: 'e2e/src/member/profile.spec.ts', title: 'scales a phone photo down before uploading it', rows: [[2, 'The picture is sent as an inline data URL', 'img[src^="data:"]']] },
  { file: 'e2e/src/admin/dashboard.spec.ts', title: 'shows the day and its registrations in the tooltip of the chart', rows: [[2, "The chart’s tooltip label is 'Day: X'", '^Day: [A-Z][a-z]{2}$']] },
  { file: 'e2e/src/admin/users.spec.ts', title: 'promotes a user to administrator and demotes them again', rows: [[2, 'Each row of another administrator has ‘…’', 'Remove Admin']] },
  {
    file: 'web/src/features/admin/users/users-page.spec.tsx',
    title: 'resends the form with the same idempotency key after a network error',
    rows: [[2, "Dialog: an ‘…’ alert with an error message and an 'OK' button", 'Unable to Complete Action']],
  },
  {
    file: 'web/src/features/auth/session.spec.tsx',
    title: 'goes to the login half a second after a late toast appears',
    rows: [
      [2, 'After 500 ms a visitor of the administrator’s area is sent to /api/login', 'await wait(499)'],
      [9, 'Redirect delay 500 ms after an unauthorized visit or save', 'await wait(499)'],
    ],
  },
  {
    file: 'e2e/src/member/first-registration.spec.ts',
    title: 'signs up, registers, finds the event in My Events and unregisters',
    rows: [
      [4, 'Registration success: the lists and counts are refreshed', "name: 'Registered'"],
      [8, 'Registration success: ‘…’', 'Successfully registered for event'],
      [8, 'Unregister: success ‘…’', 'Successfully unregistered from event'],
    ],
  },
  {
    file: 'e2e/src/member/addresses.spec.ts',
    title: 'changes their email address by code and restores the old one by link',
    rows: [[8, 'Profile with a new email address: ‘…’ on success', 'Profile updated']],
  },
  {
    file: 'e2e/src/member/registration.spec.ts',
    title: 'lets members with an unconfirmed email address register and see attendees',
    rows: [
      [2, 'Attendees of an event, for every signed-in member', "getByText('and 1 other')"],
      [4, 'Registration status defaults to ‘registered’ and stays', "name: 'Registered'"],
    ],
  },
  {
    file: 'e2e/src/member/registration.spec.ts',
    title: 'refuses members when the event is full and has no waiting list',
    rows: [[4, 'Registered count >= capacity: ‘…’, of an event created with the specified fields', 'Event Full']],
  },
  {
    file: 'e2e/src/member/profile.spec.ts',
    title: 'discards edits on Cancel and keeps them on Save Changes',
    rows: [
      [4, 'A successful save leaves edit mode', "toastSaying(page, 'Profile updated');\n    await edit.waitFor()"],
      [8, 'Profile: ‘…’ on success', 'Profile updated'],
    ],
  },
  {
    file: 'e2e/src/admin/event-form.spec.ts',
    title: 'creates an event',
    rows: [
      [4, 'On a successful save of an event the dialog closes, a success notice appears and the lists are refreshed', 'Event created successfully'],
      [8, 'Event save: ‘…’', 'Event created successfully'],
    ],
  },
  {
    file: 'web/src/features/events/event-form/event-fields.spec.ts',
    title: 'sends null for empty fields and for the price of a free event',
    rows: [
      [4, 'Choosing free clears the price', 'price: null'],
      [5, 'A free event sends price null; empty optional values are sent as null', 'description: null'],
    ],
  },
  {
    file: 'web/src/features/admin/users/users-page.spec.tsx',
    title: '%s: %s changes the role and shows a success message',
    rows: [
      [4, "Promotion shows '{first} {last} promoted to admin successfully.'", 'Ada Lovelace promoted to admin successfully.'],
      [4, "Demotion shows '... removed from admin successfully.'", 'Alan Turing removed from admin successfully.'],
    ],
  },
  {
    file: 'web/src/features/admin/users/users-page.spec.tsx',
    title: 'removes the row immediately and restores it when the call fails',
    rows: [
      [4, 'Optimistic delete of a user: restored if the call fails', 'Failed to delete user'],
      [8, 'Admin toast: ‘…’', 'Failed to delete user'],
    ],
  },
  {
    file: 'web/src/features/admin/events/admin-events-page.spec.tsx',
    title: 'removes a deleted event’s row immediately and restores it when the call fails',
    rows: [
      [4, 'Optimistic delete of an event: restored if the call fails', 'Failed to delete event'],
      [8, 'Admin toast: ‘…’', 'Failed to delete event'],
    ],
  },
  {
    file: 'web/src/api/client.spec.ts',
    title: 'throws an error with the status, the response text and the server’s message',
    rows: [[8, 'A failure’s message is the status code, a colon, and the response text', '^401: .*Unauthorized']],
  },
  {
    file: 'web/src/features/auth/auth.spec.tsx',
    title: 'shows the server’s error below the field it concerns',
    rows: [[8, "'Current password is incorrect' shows under the current password", "getFieldError('Current Password')).toBe('Current password is incorrect')"]],
  },
  {
    file: 'web/src/features/auth/auth.spec.tsx',
    title: 'shows %s below the new password',
    rows: [
      [8, "'New password must be different' shows under the new password", 'New password must be different from the current password'],
      [8, "'New password must be at least' shows under the new password", 'New password must be at least 6 characters long'],
      [8, 'Any other message of a password change shows under the new password', 'The service is busy: try again shortly'],
    ],
  },
  {
    file: 'web/src/features/auth/auth.spec.tsx',
    title: 'shows %s below the new password',
    rows: [
      [8, 'Fallback of a password change: ‘…’', 'Failed to change password'],
      [8, 'Network error of a password change: ‘…’', 'An error occurred while changing your password'],
    ],
  },
  { file: 'web/src/features/auth/auth.spec.tsx', title: 'closes with a success message and sends no password confirmation', rows: [[8, 'Success toast: ‘…’', 'Password changed']] },
  { file: 'e2e/src/member/account.spec.ts', title: 'changes their password', rows: [[8, 'Success toast: ‘…’', 'Your password has been successfully updated.']] },
  {
    file: 'web/src/features/registrations/registration-card.spec.tsx',
    title: 'shows the error and refetches the member’s events after a rejection',
    rows: [[8, 'Event registration failure has the toast ‘…’', 'Registration Failed']],
  },
  {
    file: 'web/src/features/registrations/registration-card.spec.tsx',
    title: 'turns the code %s and the server text %j into %j',
    rows: [
      [8, "'full capacity': ‘…’", 'This event is at full capacity. Registration is no longer available.'],
      [8, 'Not found: ‘…’', 'This event is no longer available for registration.'],
      [8, 'Other messages of a registration are shown as they are', 'Registration is closed: this event has already started'],
    ],
  },
  {
    file: 'web/src/features/registrations/registration-card.spec.tsx',
    title: 'turns the code %s and the server text %j into %j',
    rows: [
      [
        8,
        'Full capacity of an event with a waiting list',
        'This event is at full capacity. You can join the waiting list.',
        {
          ruling: 'With a waiting list the second sentence says that one can join it, as registration has not ended.',
        },
      ],
    ],
  },
  {
    file: 'web/src/features/registrations/registration-card.spec.tsx',
    title: 'reports that the member is already registered',
    rows: [[8, 'When the server says so: ‘…’', 'You are already registered for this event']],
  },
  {
    file: 'web/src/features/registrations/registration-card.spec.tsx',
    title: 'derives the message from the server text if the code is unknown: %j',
    rows: [
      [8, "A message with 'full capacity', without a known code: ‘…’", 'This event is at full capacity. Registration is no longer available.'],
      [8, "A failure 'already registered' reads ‘…’", 'You are already registered for this event.'],
      [8, 'A message that something was not found, without a known code: ‘…’', 'This event is no longer available for registration.'],
    ],
  },
  { file: 'web/src/features/registrations/registration-card.spec.tsx', title: 'returns %s', rows: [[8, 'Else: ‘…’', 'Failed to register for event']] },
  {
    file: 'web/src/features/events/browse-events.spec.tsx',
    title: 'says whether a refresh worked',
    rows: [[8, "Refresh failure: 'Refresh Failed / Failed to update event data. Please try again.'", 'Refresh Failed: Failed to update event data. Please try again.']],
  },
  {
    file: 'web/src/features/profile/profile-screen.spec.tsx',
    title: 'suggests checking the connection after a network error',
    rows: [[8, 'Profile: ‘…’ on a network error', 'An error occurred while updating your profile.']],
  },
  {
    file: 'e2e/src/admin/event-form.spec.ts',
    title: 'reports when “%s Event” fails and keeps the form',
    rows: [
      [8, 'Event save failure: ‘…’', 'Failed to create event'],
      [8, 'Event save failure: ‘…’', 'Failed to update event'],
    ],
  },
  {
    file: 'web/src/features/events/event-form/event-form.spec.tsx',
    title: 'suggests checking the connection after a network error',
    rows: [[8, "Event save failure has the title 'Error'", "title: 'Error', description: 'Failed to update event'"]],
  },
  { file: 'e2e/src/admin/event-life.spec.ts', title: 'lets an organiser edit without notifying guests and cancel instead of deleting', rows: [[8, 'Event save: ‘…’', 'Event updated successfully']] },
  {
    file: 'web/src/features/admin/users/users-page.spec.tsx',
    title: 'shows the server’s message, or a generic one, when the role can’t be changed',
    rows: [[8, 'Admin toast: the server message or ‘…’', 'Failed to update user permissions']],
  },
  {
    file: 'web/src/features/admin/users/users-page.spec.tsx',
    title: 'explains in an alert that an account can’t be created: %s',
    rows: [
      [8, 'Create-user failure: ‘…’', 'A user with this email address already exists. Please use a different email address.'],
      [8, 'Create-user failure: otherwise the server message', 'The service is not available at the moment'],
      [8, 'Create-user failure: or ‘…’', 'Failed to create user'],
    ],
  },
  {
    file: 'web/src/features/admin/users/users-page.spec.tsx',
    title: 'explains in an alert that an account can’t be changed: %s',
    rows: [
      [8, 'Update-user failure: ‘…’', 'This email address is already in use by another account. Please use a different email address.'],
      [8, 'Update-user failure: otherwise the server message', 'You cannot do this to your own account'],
      [8, 'Update-user failure: or ‘…’', 'Failed to update user'],
    ],
  },
  { file: 'e2e/src/admin/events.spec.ts', title: 'deletes an event and its registrations after a warning', rows: [[8, 'Admin success: ‘…’', 'Event deleted successfully']] },
  { file: 'e2e/src/admin/users.spec.ts', title: 'deletes a user after confirmation', rows: [[8, 'Admin success: ‘…’', 'User deleted successfully']] },
  { file: 'e2e/src/admin/users.spec.ts', title: 'adds a user who can sign in', rows: [[8, 'Admin success: ‘…’', 'User created successfully']] },
  { file: 'e2e/src/admin/users.spec.ts', title: 'edits a user', rows: [[8, 'Admin success: ‘…’', 'User updated successfully']] },
  {
    file: 'e2e/src/admin/users.spec.ts',
    title: 'exports users as CSV and escapes formulas',
    rows: [
      [8, 'Admin success: ‘…’', 'Users exported successfully'],
      [9, 'The user export is a CSV file named users-export-{date}.csv', '^users-export-\\d{4}-\\d{2}-\\d{2}\\.csv$'],
    ],
  },
  {
    file: 'web/src/features/auth/auth.spec.tsx',
    title: 'shows %s',
    rows: [[8, 'Reset failure that is no error: ‘…’', 'An error occurred', { ruling: 'The client has no failure that is no error: the sentence stands by for one.' }]],
  },
  { file: 'web/src/features/admin/dashboard/dashboard.spec.tsx', title: 'shows totals, and averages per week and month', rows: [[9, 'New users per week is the count of 30 days divided by 4.3', 'usersPerWeek']] },
  {
    file: 'web/src/features/admin/dashboard/dashboard.spec.tsx',
    title: 'shows totals, and averages per week and month',
    rows: [
      [
        9,
        'Upcoming per week is that count divided by 2',
        'eventsPerWeek',
        {
          ruling: 'Divided are the events of the next two weeks: the count of all of them says nothing about a week.',
        },
      ],
    ],
  },
  {
    file: 'web/src/features/auth/auth.spec.tsx',
    title: 'discards random bytes that would make some characters more likely',
    rows: [[9, 'A generated reset password has 8 characters of upper-case letters, lower-case letters and digits', "toBe('A9aaaaaa')"]],
  },
  {
    file: 'e2e/src/member/account.spec.ts',
    title: 'resets a forgotten password by emailed code, then sees the home page',
    rows: [[9, 'Redirect delay 3 seconds after a successful password reset', 'Redirecting to home page in 3 seconds...']],
  },
  {
    file: 'web/src/features/events/shared/shared.spec.tsx',
    title: 'caches responses for five minutes, unless a query sets other limits',
    rows: [
      [9, 'Cached data is fresh for 5 minutes, unused entries are discarded after 10', 'staleTime: 5 * MINUTE'],
      [9, 'No automatic retries, no refetch on focus, mount or reconnect, no polling', 'retry: false, ...refetches(false)'],
      [9, 'Current user: always stale, no caching, refetch on focus, mount and reconnect', 'staleTime: 0, gcTime: 0, ...refetches(true)'],
      [9, 'Dashboard events and admin users are fresh for 2 minutes, the activity for 5', 'toEqual([2 * MINUTE, 2 * MINUTE, 5 * MINUTE])'],
      [9, 'Browse, count and my-events are always stale', '[browseEventsQuery(ALL_UPCOMING), registrationCountQuery'],
    ],
  },
  { file: 'web/src/ui/controls.spec.tsx', title: 'opens after 700 ms, or immediately within 300 ms after another tooltip', rows: [[9, 'Tooltip open delay 700 ms', 'await expectAfter(opensAfter - 1, null)']] },
  { file: 'web/src/ui/controls.spec.tsx', title: 'opens after 700 ms, or immediately within 300 ms after another tooltip', rows: [[9, 'Tooltip skip delay 300 ms', '[300, 700]']] },
  { file: 'web/src/ui/controls.spec.tsx', title: 'starts a new search after 1,000 ms without typing', rows: [[9, 'Menu typeahead reset 1000 ms', 'await pass(999)']] },
  { file: 'web/src/ui/controls.spec.tsx', title: 'replaces the previous toast, so that only one is shown', rows: [[9, 'One toast at a time', "queryByText('Refreshed')).toBeNull()"]] },
  { file: 'web/src/ui/controls.spec.tsx', title: 'stays on screen for five seconds', rows: [[9, 'Default on-screen time of a toast 5,000 ms', '4_900']] },
  { file: 'web/src/ui/controls.spec.tsx', title: 'disappears on a swipe of 50 pixels, but not on a shorter one', rows: [[9, 'Swipe threshold of a toast 50 px', "swipe(getToast('Refreshed'), 49)"]] },
  { file: 'web/src/ui/controls.spec.tsx', title: 'gets the focus on F8 and stays until Escape returns the focus', rows: [[9, 'Focus hotkey of toasts F8', "key: 'F8'"]] },
];

type Reasoned = [section: Section, statement: string, why: string];

export const WITHOUT_PLACE: Reasoned[] = [
  [9, 'Menu submenu hover-open delay 100 ms, pointer-grace 300 ms', 'No menu has a submenu: each reads better as one list.'],
  [9, 'Prices and statuses have at most 50 characters', 'A price is a number of at most 1,000,000 and a status one of a few words: neither comes near.'],
];

export const UNSEEN: Reasoned[] = [[9, 'A dismissed toast is removed after 1,000,000 ms', 'It has left the screen once it is dismissed; when it is forgotten cannot be seen.']];
