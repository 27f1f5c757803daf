import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { EventRole } from '@meetmark/contracts';
import { fillFields, getField, getHrefs, getTexts, press } from '../../testing/actions';
import { fakeApi, type Handlers, refusal } from '../../testing/fake-api';
import { findToast, pressForPart, renderScreen } from '../../testing/render-screen';
import { aUser, TOPICS } from '../../testing/samples';
import '../auth/verification-dialog';
import VerificationNotice from '../auth/verification-notice';
import ProfileScreen from './profile-screen';
import { EventRolesCard } from './event-roles-card';
import { FollowCard } from './follow-card';
import { LanguageCard } from './language-card';
import { SecurityCard } from './security-card';
import SubscribeScreen from './subscribe-screen';
import UnsubscribeScreen from './unsubscribe-screen';
import { VisibilityCard } from './visibility-card';

const SAVE = 'PUT /api/user/profile';
const open = (given: Parameters<typeof aUser>[0] = {}, path?: string) =>
  renderScreen(<ProfileScreen />, { user: aUser({ profileImageUrl: '/media/a.webp', ...given }), path });
const save = async (fields: Record<string, string> = {}) => {
  await press('Edit Profile');
  fillFields(fields);
  await press('Save Changes');
};
const later = () => refusal(503, 'SERVICE_UNAVAILABLE', 'Later');

describe('The profile', () => {
  const cards = () => getTexts(screen.getAllByRole('heading', { level: 2 }));
  it('shows the two specified cards and links to the other pages', () => {
    const requests = fakeApi({});
    open();
    expect(cards()).toEqual(['Ada Lovelace', 'Account Information']);
    const parts = within(screen.getByRole('navigation', { name: 'Profile Settings' })).getAllByRole('link');
    expect(getTexts(parts)).toEqual(['Profile', 'Notifications', 'Privacy', 'Security']);
    const paths = ['', '/notifications', '/privacy', '/security'].map((part) => `/profile${part}`);
    expect(getHrefs(parts)).toEqual(paths);
    expect(screen.queryByText(/^Confirm your email address/)).toBeNull();
    expect(requests).toEqual([]);
  });

  it.each([
    ['Notifications', '/profile/notifications', ['Emails', 'Calendar feed', 'Language']],
    [
      'Privacy',
      '/profile/privacy',
      ['Who can see that you’re coming', 'Download my data', 'Delete my account'],
    ],
    ['Security', '/profile/security', ['Security', 'Where you’re signed in']],
  ])('shows %s on a separate page without empty cards', async (title, path, expected) => {
    fakeApi({
      'GET /api/user/mail-preferences': () => ({ body: {} }),
      'GET /api/topics': () => ({ body: [] }),
      'GET /api/user/topics': () => ({ body: [] }),
      'GET /api/user/calendar-feed': () => ({ body: null }),
      'GET /api/event-roles': () => ({ body: [] }),
      'GET /api/user/export': () => ({ body: null }),
    });
    open({}, path);
    screen.getByRole('heading', { level: 1, name: title });
    await waitFor(() => expect(cards()).toEqual(expected));
  });

  it.each([
    ['linkedin', /^Members see this link\./],
    ['name', /^Members don’t see this link\./],
  ] as const)('says who sees the LinkedIn URL with the visibility %s', async (showMe, words) => {
    fakeApi({});
    open({ showMe });
    await press('Edit Profile');
    screen.getByText(words);
  });

  it.each([
    ['with the password', { 'Current Password': 'secret' }, 'new@example.org'],
    ['without the password', {}, 'ada@example.org'],
  ])('shows which email address got the code after saving a new one %s', async (_, password, address) => {
    const email = { email: 'ada@example.org', pendingEmail: 'new@example.org' };
    fakeApi({
      [SAVE]: () => ({ body: aUser(email) }),
      'GET /api/confirm': () => ({ body: { status: 'open' } }),
    });
    const { toasts } = open({ email: email.email });
    await press('Edit Profile');
    fillFields({ Email: email.pendingEmail });
    fillFields(password);
    await press('Save Changes');
    await findToast(toasts, `We sent a code to ${address}. Enter it to confirm your new email address.`);
    expect(toasts).toMatchObject([{ title: 'Profile updated' }]);
  });
});

describe('A profile that cannot be saved', () => {
  it('shows a server error below the field it concerns', async () => {
    const linkedInUrl = ['linkedInUrl must be a web address'];
    const details = { fields: { linkedInUrl }, rules: { linkedInUrl: { rule: 'isWebUrl' } } };
    fakeApi({ [SAVE]: () => refusal(400, 'VALIDATION_FAILED', 'Some fields are not valid', details) });
    open();
    // the form shows its own error instead of the browser's validation message
    await save({ 'LinkedIn URL': 'nope' });
    await screen.findByText('Please enter a web address that begins with http:// or https://');
    expect(getField('LinkedIn URL').getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(getField('LinkedIn URL'));
  });

  it('suggests checking the connection after a network error', async () => {
    fakeApi({});
    const { toasts } = open();
    await save();
    await findToast(toasts, 'An error occurred while updating your profile.');
    expect(screen.getAllByText('Check your connection and try again.')).not.toEqual([]);
  });

  it('shows an admin’s concurrent changes, then saves only the member’s own', async () => {
    const theirs = aUser({ lastName: 'King', description: 'By us', version: 2 });
    const changed = ['lastName', 'description'];
    const edits = [{ by: null, own: false, at: '2026-11-22T09:00:00.000Z', changed }];
    const conflict = refusal(409, 'EDIT_CONFLICT', 'This has been changed', { present: theirs, edits });
    const answers = [conflict, { body: theirs }];
    const requests = fakeApi({ [SAVE]: () => answers.shift()! });
    open();
    await save({ 'Last Name': 'Lovelace-Byron' });
    await screen.findByText(/^An admin changed last name and about me/);
    expect(getField('Last Name').value).toBe('Lovelace-Byron');
    await press('Save my changes');
    await waitFor(() => expect(requests.sent()).toHaveLength(2));
    expect(requests.bodies()[0]).toMatchObject({ lastName: 'Lovelace-Byron', version: 1 });
    expect(requests.bodies()[1]).toEqual({ lastName: 'Lovelace-Byron', version: 2 });
  });

  it('reports that the session has ended', async () => {
    fakeApi({ [SAVE]: () => refusal(401, 'UNAUTHORIZED', 'Unauthorized: sign in to continue') });
    const { toasts } = open();
    await save();
    const description = 'You are logged out. Logging in again...';
    await waitFor(() => expect(toasts).toEqual([{ kind: 'error', title: 'Unauthorized', description }]));
  });
});

describe('The notice about an unconfirmed email address', () => {
  const text = /^Confirm your email address to get our emails/;

  it('is shown on the profile and stays dismissed in the same browser', async () => {
    fakeApi({});
    const { unmount } = open({ emailVerifiedAt: null });
    screen.getByText(text);
    await press('Dismiss');
    expect(screen.queryByText(text)).toBeNull();
    unmount();
    open({ emailVerifiedAt: null });
    expect(screen.queryByText(text)).toBeNull();
  });

  it('opens the dialog “Confirm your email address”', async () => {
    renderScreen(<VerificationNotice />, { user: aUser({ emailVerifiedAt: null }) });
    await pressForPart(screen.getByRole('button', { name: 'Confirm my email' }));
    await screen.findByRole('dialog', { name: 'Confirm your email address' });
  });
});

describe('The event roles card', () => {
  const EVENT = '0190d4c8-0000-7000-8000-000000000001';
  const role: EventRole = {
    ...{ eventId: EVENT, title: 'Search night', isAllDay: false, role: 'speaker', agreedAt: null },
    ...{ startDate: '2027-02-03T10:30:00.000Z', endDate: '2027-02-03T20:00:00.000Z' },
  };
  const show = (roles: EventRole[], answer = later) => {
    const requests = fakeApi({
      'GET /api/event-roles': () => ({ body: roles }),
      [`PUT /api/event-roles/${EVENT}/speaker`]: answer,
    });
    const community = { timeZone: 'Pacific/Kiritimati' };
    return { requests, ...renderScreen(<EventRolesCard />, { user: aUser(), community }) };
  };
  const speaker = () => screen.findByRole('switch', { name: /^Show me as a speaker/ });
  const isOn = (control: HTMLElement) => control.getAttribute('aria-checked') === 'true';

  it('shows the venue’s date, or the reader’s date for an online event', async () => {
    show([
      { ...role, format: 'in_person' },
      { ...role, role: 'host', format: 'online' },
    ]);
    await screen.findByText(/Feb 4, 2027/);
    screen.getByText(/Feb 3, 2027/);
  });

  it('turns on only the role that the member agrees to', async () => {
    const body = { ...role, agreedAt: '2027-01-01T00:00:00.000Z' };
    const { requests, toasts } = show([{ ...role, role: 'host' }, role], () => ({ body }));
    await userEvent.click(await speaker());
    await waitFor(() => expect(toasts).toHaveLength(1));
    expect(requests.at(-1)?.body).toEqual({ agreed: true });
    expect(isOn(await speaker())).toBe(true);
    expect(isOn(screen.getByRole('switch', { name: /^Show me as a host/ }))).toBe(false);
    const [link] = screen.getAllByRole('link', { name: 'Search night' });
    expect(link?.getAttribute('href')).toBe(`/events/${EVENT}`);
  });

  it('shows why a choice could not be saved', async () => {
    const { toasts } = show([role], () => refusal(404, 'ROLE_NOT_FOUND', 'You are not named there'));
    await userEvent.click(await speaker());
    await findToast(toasts, 'You are not named there');
    expect(isOn(await speaker())).toBe(false);
  });
});

describe('The topics card', () => {
  const [ppc, seo] = TOPICS as [(typeof TOPICS)[0], (typeof TOPICS)[0]];
  const PATH = '/api/user/topics';
  const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });
  const show = (topics: typeof TOPICS, handlers: Handlers) => {
    const requests = fakeApi({ 'GET /api/topics': () => ({ body: topics }), ...handlers });
    return { requests, ...renderScreen(<FollowCard />, { user: aUser() }) };
  };

  it('follows and unfollows topics, and shows feeds only for followed topics', async () => {
    let followed = [seo];
    const answer = (next: typeof TOPICS) => () => {
      followed = next;
      return { status: 204 };
    };
    const { requests, toasts } = show(TOPICS, {
      [`GET ${PATH}`]: () => ({ body: followed }),
      [`PUT ${PATH}/${ppc.id}`]: answer(TOPICS),
      [`DELETE ${PATH}/${seo.id}`]: answer([ppc]),
    });
    expect((await box('SEO')).checked).toBe(true);
    expect(screen.queryByRole('group', { name: 'Feeds for PPC' })).toBeNull();
    await userEvent.click(await box('PPC'));
    await screen.findByRole('group', { name: 'Feeds for PPC' });
    await userEvent.click(await box('SEO'));
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Feeds for SEO' })).toBeNull());
    expect([(await box('PPC')).checked, (await box('SEO')).checked]).toEqual([true, false]);
    expect(requests.sent().map(({ method }) => method)).toEqual(['PUT', 'DELETE']);
    const titles = ['You follow PPC', 'You no longer follow SEO'];
    await waitFor(() => expect(toasts.map(({ title }) => title)).toEqual(titles));
  });

  it('reports a failed save and keeps the previous state', async () => {
    const { toasts } = show(TOPICS, {
      [`GET ${PATH}`]: () => ({ body: [] }),
      [`PUT ${PATH}/${seo.id}`]: () => refusal(404, 'TOPIC_NOT_FOUND', 'Topic not found'),
    });
    await userEvent.click(await box('SEO'));
    await findToast(toasts, 'Topic not found');
    expect((await box('SEO')).checked).toBe(false);
  });
});

describe('The visibility card', () => {
  const user = aUser({ version: 7 });
  const choose = (name: string) => userEvent.click(screen.getByRole('radio', { name }));

  it('saves a choice immediately, or keeps the previous one', async () => {
    const answers = [later(), { body: { ...user, showMe: 'linkedin' } }];
    const requests = fakeApi({ [SAVE]: () => answers.shift()! });
    const { toasts } = renderScreen(<VisibilityCard user={user} />, { user });
    await choose('Nobody');
    await waitFor(() => expect(toasts).toHaveLength(1));
    expect(toasts[0]?.description).toBe('We couldn’t save this. Please try again.');
    expect(screen.getByRole<HTMLInputElement>('radio', { checked: true }).value).toBe('name');
    await choose('With LinkedIn');
    await waitFor(() => expect(toasts).toHaveLength(2));
    expect(requests.at(1)?.body).toEqual({ showMe: 'linkedin', version: 7 });
  });
});

describe('The language card', () => {
  const user = aUser({ locale: 'en-GB' });

  it('saves a language immediately, or keeps the previous one', async () => {
    const requests = fakeApi({ [SAVE]: later });
    const { toasts } = renderScreen(<LanguageCard user={user} />, { user });
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Language' });
    for (const [at, language] of ['Deutsch', 'Automatic'].entries()) {
      await userEvent.selectOptions(select, language);
      await waitFor(() => expect(toasts).toHaveLength(at + 1));
      expect(select.value).toBe('en-GB');
    }
    expect(toasts[0]?.description).toBe('We couldn’t save your language. Please try again.');
    expect(requests.bodies()).toEqual([{ locale: 'de' }, { locale: null }]);
  });
});

it('SecurityCard requires a confirmed email address before a second factor can be added', async () => {
  const body = { factors: [], recoveryCodesLeft: 0, required: false };
  fakeApi({ 'GET /api/user/second-factors': () => ({ body }) });
  renderScreen(<SecurityCard />, { user: aUser({ emailVerifiedAt: null }) });
  await screen.findByText('You sign in with your password only.');
  expect(screen.getByRole('note').textContent).toMatch(/^Confirm your email address first/);
  screen.getByRole('button', { name: 'Confirm my email' });
  expect(screen.queryByRole('button', { name: 'Add an authenticator app' })).toBeNull();
});

describe('The page that confirms an email subscription', () => {
  const CONFIRM = 'POST /api/subscriptions/confirm';
  const open = (hash = '#signed') =>
    renderScreen(<SubscribeScreen />, { user: null, path: `/subscribe/confirm${hash}` });

  it('confirms the email address only when the button is pressed', async () => {
    const requests = fakeApi({ [CONFIRM]: () => ({ body: { message: 'done' } }) });
    open();
    screen.getByRole('heading', { name: 'Confirm your email address' });
    expect(requests).toEqual([]);
    await press('Confirm my email');
    const done = await screen.findByRole('heading', { name: 'Your email address is confirmed' });
    expect(document.activeElement).toBe(done);
    expect(requests).toMatchObject([{ body: { token: 'signed' } }]);
  });

  it('says that an incomplete or expired link doesn’t work', async () => {
    fakeApi({ [CONFIRM]: () => refusal(404, 'SUBSCRIPTION_LINK_INVALID', 'This link is too old') });
    const { unmount } = open('');
    screen.getByRole('heading', { name: 'This link doesn’t work' });
    expect(screen.queryByRole('button')).toBeNull();
    unmount();
    open();
    await press('Confirm my email');
    await screen.findByRole('heading', { name: 'This link doesn’t work' });
  });
});

describe('The unsubscribe page', () => {
  const LINK = '/api/unsubscribe/signed';
  const open = (path = '/unsubscribe?token=signed') =>
    renderScreen(<UnsubscribeScreen />, { user: null, path });
  const listWith = (subscribed: boolean) => ({
    [`GET ${LINK}/list`]: () => ({ body: { list: 'reminders', subscribed } }),
  });

  it('unsubscribes only after a button press, and offers an undo', async () => {
    const requests = fakeApi({
      ...listWith(true),
      [`POST ${LINK}`]: () => ({ body: { message: 'stopped' } }),
      [`POST ${LINK}/undo`]: () => ({ body: { message: 'again' } }),
    });
    open();
    await screen.findByText(/“Reminders”/);
    expect(requests.sent()).toEqual([]);
    const titles = { Unsubscribe: 'You’re unsubscribed', Undo: 'You’ll get these emails again' };
    for (const [button, title] of Object.entries(titles)) {
      await press(button);
      expect(document.activeElement).toBe(await screen.findByRole('heading', { name: title }));
    }
    expect(requests.sent().map(({ path }) => path)).toEqual([LINK, `${LINK}/undo`]);
  });

  it('shows that the member is already unsubscribed', async () => {
    fakeApi(listWith(false));
    open();
    await screen.findByRole('heading', { name: 'You’re unsubscribed' });
    const link = screen.getByRole('link', { name: 'All email settings' });
    expect(link.getAttribute('href')).toBe('/profile/notifications');
  });

  it.each(['/unsubscribe?token=signed', '/unsubscribe'])('rejects the invalid link %s', async (path) => {
    const invalid = () => refusal(404, 'UNSUBSCRIBE_LINK_INVALID', 'This link is not valid');
    fakeApi({ [`GET ${LINK}/list`]: invalid, 'GET /api/unsubscribe//list': invalid });
    open(path);
    await screen.findByRole('heading', { name: 'This link doesn’t work' });
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('shows an error and changes nothing when there is no connection', async () => {
    fakeApi(listWith(true));
    open();
    await press('Unsubscribe');
    expect((await screen.findByRole('alert')).textContent).toBe('That didn’t work. Please try again.');
    expect(screen.getByRole('heading').textContent).toBe('Unsubscribe');
  });
});
