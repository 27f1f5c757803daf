import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { EventRole } from '@meetmark/contracts';
import { fakeApi, refusal } from '../../testing/fake-api';
import { pressForPart, renderScreen } from '../../testing/render-screen';
import { aUser, TOPICS } from '../../testing/samples';
import '../auth/verification-dialog';
import VerificationNotice from '../auth/verification-notice';
import ProfileScreen from './profile-screen';
import { EventRolesCard } from './event-roles-card';
import { FollowCard } from './follow-card';
import { SecurityCard } from './security-card';
import SubscribeScreen from './subscribe-screen';
import UnsubscribeScreen from './unsubscribe-screen';

const SAVE = 'PUT /api/user/profile';
const saveProfile = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Edit Profile' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
};
const open = () => renderScreen(<ProfileScreen />, { user: aUser({ profileImageUrl: '/media/a.webp' }) });

describe('The profile', () => {
  const cards = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  const answers = {
    'GET /api/user/mail-preferences': () => ({ body: {} }),
    'GET /api/topics': () => ({ body: [] }),
    'GET /api/user/topics': () => ({ body: [] }),
    'GET /api/user/calendar-feed': () => ({ body: null }),
    'GET /api/event-roles': () => ({ body: [] }),
  };
  const parts = () =>
    within(screen.getByRole('navigation', { name: 'Profile Settings' }))
      .getAllByRole('link')
      .map((link) => [link.textContent, link.getAttribute('href')]);
  const PARTS = [
    ['Profile', '/profile'],
    ['Notifications', '/profile/notifications'],
    ['Privacy', '/profile/privacy'],
    ['Security', '/profile/security'],
  ];

  it('shows the two specified cards and links to the other pages', () => {
    const requests = fakeApi({});
    open();
    expect([cards(), parts()]).toEqual([['Ada Lovelace', 'Account Information'], PARTS]);
    expect(requests).toEqual([]);
  });

  it.each([
    ['Notifications', '/profile/notifications', ['Emails', 'Calendar feed', 'Language']],
    ['Privacy', '/profile/privacy', ['Who can see that you’re coming']],
    ['Security', '/profile/security', ['Security', 'Where you’re signed in']],
  ])('shows %s on a separate page', async (title, path, expected) => {
    fakeApi(answers);
    const { unmount } = renderScreen(<ProfileScreen />, { user: aUser(), path });
    screen.getByRole('heading', { level: 1, name: title });
    await waitFor(() => expect(cards()).toEqual(expected));
    expect(parts()).toEqual(PARTS);
    unmount();
  });
});

describe('A profile that cannot be saved', () => {
  it('shows a server error below the field it concerns', async () => {
    fakeApi({
      [SAVE]: () =>
        refusal(400, 'VALIDATION_FAILED', 'Some fields are not valid', {
          fields: { linkedInUrl: ['linkedInUrl must be a web address'] },
          rules: { linkedInUrl: { rule: 'isWebUrl' } },
        }),
    });
    open();
    await userEvent.click(screen.getByRole('button', { name: 'Edit Profile' }));
    // the form shows its own error instead of the browser's validation message
    await userEvent.type(screen.getByLabelText('LinkedIn URL'), 'nope');
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await screen.findByText('Please enter a web address that begins with http:// or https://');
    expect(screen.getByLabelText('LinkedIn URL').getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(screen.getByLabelText('LinkedIn URL'));
  });

  it('suggests checking the connection after a network error', async () => {
    fakeApi({});
    const { toasts } = open();
    await saveProfile();
    await waitFor(() =>
      expect(toasts.at(-1)?.description).toBe('An error occurred while updating your profile.'),
    );
    expect(screen.getAllByText('Check your connection and try again.')).not.toEqual([]);
  });

  it('shows an admin’s concurrent changes, then saves only the member’s own', async () => {
    const theirs = aUser({ lastName: 'King', description: 'By us', version: 2 });
    const edits = [
      { by: null, own: false, at: '2026-11-22T09:00:00.000Z', changed: ['lastName', 'description'] },
    ];
    const answers = [
      () => refusal(409, 'EDIT_CONFLICT', 'This has been changed', { present: theirs, edits }),
      () => ({ body: theirs }),
    ];
    const requests = fakeApi({ [SAVE]: () => answers.shift()!() });
    open();
    await userEvent.click(screen.getByRole('button', { name: 'Edit Profile' }));
    await userEvent.type(screen.getByLabelText('Last Name'), '-Byron');
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await screen.findByText(/^An admin changed last name and about me/);
    expect(screen.getByLabelText<HTMLInputElement>('Last Name').value).toBe('Lovelace-Byron');
    await userEvent.click(screen.getByRole('button', { name: 'Save my changes' }));
    await waitFor(() => expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(2));
    const [first, second] = requests.filter(({ method }) => method === 'PUT');
    expect(first?.body).toMatchObject({ lastName: 'Lovelace-Byron', version: 1 });
    expect(second?.body).toEqual({ lastName: 'Lovelace-Byron', version: 2 });
  });

  it('reports that the session has ended', async () => {
    fakeApi({ [SAVE]: () => refusal(401, 'UNAUTHORIZED', 'Unauthorized: sign in to continue') });
    const { toasts } = open();
    await saveProfile();
    await waitFor(() =>
      expect(toasts).toEqual([
        {
          kind: 'error',
          title: 'Unauthorized',
          description: 'You are logged out. Logging in again...',
        },
      ]),
    );
  });
});

describe('A profile with a new email address', () => {
  const user = aUser({ email: 'ada@example.org', profileImageUrl: '/media/a.webp' });
  const save = async (password?: string) => {
    const pendingEmail = 'new@example.org';
    fakeApi({
      [SAVE]: () => ({ body: { ...user, pendingEmail } }),
      'GET /api/confirm': () => ({ body: { status: 'open' } }),
    });
    const { toasts } = renderScreen(<ProfileScreen />, { user });
    await userEvent.click(screen.getByRole('button', { name: 'Edit Profile' }));
    await userEvent.clear(screen.getByLabelText('Email'));
    await userEvent.type(screen.getByLabelText('Email'), pendingEmail);
    if (password) await userEvent.type(screen.getByLabelText('Current Password'), password);
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(toasts).toHaveLength(1));
    return toasts[0]!;
  };

  it.each([
    ['with the password', 'secret', 'new@example.org'],
    ['without the password', undefined, 'ada@example.org'],
  ])('shows which email address got the code after saving %s', async (_, password, address) => {
    expect(await save(password)).toMatchObject({
      title: 'Profile updated',
      description: `We sent a code to ${address}. Enter it to confirm your new email address.`,
    });
  });
});

describe('The notice about an unconfirmed email address', () => {
  beforeEach(() => localStorage.clear());
  const text = /^Confirm your email address to get our emails/;
  const show = (emailVerifiedAt: string | null = null) =>
    renderScreen(<VerificationNotice />, { user: aUser({ emailVerifiedAt }) });

  it('stays dismissed in the same browser', async () => {
    const { unmount } = show();
    screen.getByText(text);
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(text)).toBeNull();
    unmount();
    show();
    expect(screen.queryByText(text)).toBeNull();
  });

  it('opens the dialog “Confirm your email address”', async () => {
    show();
    await pressForPart(screen.getByRole('button', { name: 'Confirm my email' }));
    await screen.findByRole('dialog', { name: 'Confirm your email address' });
  });

  it('is hidden from members with a confirmed email address', () => {
    show('2027-01-01T00:00:00.000Z');
    expect(screen.queryByText(text)).toBeNull();
  });

  it('is shown on the profile', () => {
    fakeApi({});
    renderScreen(<ProfileScreen />, {
      user: aUser({ emailVerifiedAt: null, profileImageUrl: '/media/a.webp' }),
    });
    screen.getByText(text);
  });
});

describe('The LinkedIn field of the profile', () => {
  it.each([
    ['linkedin', /^Members see this link\./],
    ['name', /^Members don’t see this link\./],
    ['no', /^Members don’t see this link\./],
  ] as const)('says who sees the link with the visibility %s', async (showMe, words) => {
    fakeApi({});
    renderScreen(<ProfileScreen />, { user: aUser({ showMe, profileImageUrl: '/media/a.webp' }) });
    await userEvent.click(screen.getByRole('button', { name: 'Edit Profile' }));
    screen.getByText(words);
  });
});

const EVENT = '0190d4c8-0000-7000-8000-000000000001';
const role: EventRole = {
  eventId: EVENT,
  title: 'Search night',
  startDate: '2027-02-03T18:00:00.000Z',
  endDate: '2027-02-03T20:00:00.000Z',
  isAllDay: false,
  role: 'speaker',
  agreedAt: null,
};
const list = (roles: EventRole[]) => ({ 'GET /api/event-roles': () => ({ body: roles }) });
const speaker = () => screen.findByRole('switch', { name: /^Show me as a speaker/ });
const isOn = (control: HTMLElement) => control.getAttribute('aria-checked') === 'true';

describe('The event roles card', () => {
  it('is hidden for a member without roles', async () => {
    const requests = fakeApi(list([]));
    renderScreen(<EventRolesCard />, { user: aUser() });
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(screen.queryByRole('heading')).toBeNull();
  });

  it('shows the venue’s date, or the reader’s date for an online event', async () => {
    const early = { ...role, startDate: '2027-02-03T10:30:00.000Z' };
    fakeApi(
      list([
        { ...early, format: 'in_person' },
        { ...early, role: 'host', format: 'online' },
      ]),
    );
    const community = { timeZone: 'Pacific/Kiritimati' };
    renderScreen(<EventRolesCard />, { user: aUser(), community });
    await screen.findByText(/Feb 4, 2027/);
    await screen.findByText(/Feb 3, 2027/);
  });

  it('turns on only the role that the member agrees to', async () => {
    const answered = { ...role, agreedAt: '2027-01-01T00:00:00.000Z' };
    const requests = fakeApi({
      ...list([{ ...role, role: 'host' }, role]),
      [`PUT /api/event-roles/${EVENT}/speaker`]: () => ({ body: answered }),
    });
    const { toasts } = renderScreen(<EventRolesCard />, { user: aUser() });
    await userEvent.click(await speaker());
    await waitFor(() => expect(toasts).toHaveLength(1));
    expect(requests.at(-1)?.body).toEqual({ agreed: true });
    expect(isOn(await speaker())).toBe(true);
    expect(isOn(screen.getByRole('switch', { name: /^Show me as a host/ }))).toBe(false);
    expect(screen.getAllByRole('link', { name: 'Search night' })[0]?.getAttribute('href')).toBe(
      `/events/${EVENT}`,
    );
  });

  it('shows why a choice could not be saved', async () => {
    fakeApi({
      ...list([role]),
      [`PUT /api/event-roles/${EVENT}/speaker`]: () =>
        refusal(404, 'ROLE_NOT_FOUND', 'You are not named there'),
    });
    const { toasts } = renderScreen(<EventRolesCard />, { user: aUser() });
    await userEvent.click(await speaker());
    await waitFor(() => expect(toasts[0]?.description).toBe('You are not named there'));
    expect(isOn(await speaker())).toBe(false);
  });
});

const [ppc, seo] = TOPICS as [(typeof TOPICS)[0], (typeof TOPICS)[0]];
const PATH = '/api/user/topics';
const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });

describe('The topics card', () => {
  it('follows and unfollows topics, and shows feeds only for followed topics', async () => {
    let followed = [seo];
    const requests = fakeApi({
      'GET /api/topics': () => ({ body: TOPICS }),
      [`GET ${PATH}`]: () => ({ body: followed }),
      [`PUT ${PATH}/${ppc.id}`]: () => {
        followed = TOPICS;
        return { status: 204 };
      },
      [`DELETE ${PATH}/${seo.id}`]: () => {
        followed = [ppc];
        return { status: 204 };
      },
    });
    const { toasts } = renderScreen(<FollowCard />, { user: aUser() });
    expect((await box('SEO')).checked).toBe(true);
    expect(screen.queryByRole('group', { name: 'Feeds for PPC' })).toBeNull();
    await userEvent.click(await box('PPC'));
    await screen.findByRole('group', { name: 'Feeds for PPC' });
    await userEvent.click(await box('SEO'));
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Feeds for SEO' })).toBeNull());
    expect([(await box('PPC')).checked, (await box('SEO')).checked]).toEqual([true, false]);
    expect(requests.filter(({ method }) => method !== 'GET').map(({ method }) => method)).toEqual([
      'PUT',
      'DELETE',
    ]);
    await waitFor(() =>
      expect(toasts.map(({ title }) => title)).toEqual(['You follow PPC', 'You no longer follow SEO']),
    );
  });

  it('reports a failed save and keeps the previous state', async () => {
    fakeApi({
      'GET /api/topics': () => ({ body: TOPICS }),
      [`GET ${PATH}`]: () => ({ body: [] }),
      [`PUT ${PATH}/${seo.id}`]: () => refusal(404, 'TOPIC_NOT_FOUND', 'Topic not found'),
    });
    const { toasts } = renderScreen(<FollowCard />, { user: aUser() });
    await userEvent.click(await box('SEO'));
    await waitFor(() => expect(toasts[0]?.description).toBe('Topic not found'));
    expect((await box('SEO')).checked).toBe(false);
  });

  it('is hidden when the community has no topics', async () => {
    fakeApi({ 'GET /api/topics': () => ({ body: [] }), [`GET ${PATH}`]: () => ({ body: [] }) });
    const { container } = renderScreen(<FollowCard />, { user: aUser() });
    expect(container.textContent).not.toBe('');
    await waitFor(() => expect(container.textContent).toBe(''));
  });
});

describe('The security card', () => {
  const show = (emailVerifiedAt: string | null) => {
    fakeApi({
      'GET /api/user/second-factors': () => ({
        body: { factors: [], recoveryCodesLeft: 0, required: false },
      }),
    });
    renderScreen(<SecurityCard />, { user: aUser({ emailVerifiedAt }) });
    return screen.findByText('You sign in with your password only.');
  };

  it('offers a second factor when the email address is confirmed', async () => {
    await show('2027-01-01T00:00:00.000Z');
    expect(screen.queryByRole('note')).toBeNull();
    screen.getByRole('button', { name: 'Add an authenticator app' });
  });

  it('requires a confirmed email address before a second factor can be added', async () => {
    await show(null);
    expect(screen.getByRole('note').textContent).toMatch(/^Confirm your email address first/);
    screen.getByRole('button', { name: 'Confirm my email' });
    expect(screen.queryByRole('button', { name: 'Add an authenticator app' })).toBeNull();
  });
});

describe('The page that confirms an email subscription', () => {
  const CONFIRM = 'POST /api/subscriptions/confirm';
  const open = (path = '/subscribe/confirm#signed') =>
    renderScreen(<SubscribeScreen />, { user: null, path });
  const press = async () => userEvent.click(await screen.findByRole('button', { name: 'Confirm my email' }));

  it('confirms the email address only when the button is pressed', async () => {
    const requests = fakeApi({ [CONFIRM]: () => ({ body: { message: 'done' } }) });
    open();
    await screen.findByRole('heading', { name: 'Confirm your email address' });
    expect(requests).toEqual([]);
    await press();
    const done = await screen.findByRole('heading', { name: 'Your email address is confirmed' });
    expect(document.activeElement).toBe(done);
    expect(requests).toEqual([expect.objectContaining({ body: { token: 'signed' } })]);
  });

  it('says that an incomplete link doesn’t work', async () => {
    fakeApi({});
    open('/subscribe/confirm');
    await screen.findByRole('heading', { name: 'This link doesn’t work' });
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('says that an expired link doesn’t work', async () => {
    fakeApi({ [CONFIRM]: () => refusal(404, 'SUBSCRIPTION_LINK_INVALID', 'This link is too old') });
    open();
    await press();
    await screen.findByRole('heading', { name: 'This link doesn’t work' });
  });
});

describe('The unsubscribe page', () => {
  const LINK = '/api/unsubscribe/signed';
  const open = (path = '/unsubscribe?token=signed') =>
    renderScreen(<UnsubscribeScreen />, { user: null, path });
  const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

  let subscribed: boolean;
  beforeEach(() => (subscribed = true));
  const listen = () =>
    fakeApi({
      [`GET ${LINK}/list`]: () => ({ body: { list: 'reminders', subscribed } }),
      [`POST ${LINK}`]: () => ({ body: { message: 'stopped' } }),
      [`POST ${LINK}/undo`]: () => ({ body: { message: 'again' } }),
    });

  it('unsubscribes only after a button press, and offers an undo', async () => {
    const requests = listen();
    open();
    await screen.findByText(/“Reminders”/);
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
    await press('Unsubscribe');
    const stopped = await screen.findByRole('heading', { name: 'You’re unsubscribed' });
    expect(document.activeElement).toBe(stopped);
    await press('Undo');
    const again = await screen.findByRole('heading', { name: 'You’ll get these emails again' });
    expect(document.activeElement).toBe(again);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${LINK}/list`,
      `POST ${LINK}`,
      `POST ${LINK}/undo`,
    ]);
  });

  it('shows that the member is already unsubscribed', async () => {
    subscribed = false;
    listen();
    open();
    await screen.findByRole('heading', { name: 'You’re unsubscribed' });
    expect(screen.getByRole('link', { name: 'All email settings' }).getAttribute('href')).toBe(
      '/profile/notifications',
    );
  });

  it.each(['/unsubscribe?token=signed', '/unsubscribe'])(
    'says that an invalid link doesn’t work: %s',
    async (path) => {
      const invalid = () => refusal(404, 'UNSUBSCRIBE_LINK_INVALID', 'This link is not valid');
      fakeApi({ [`GET ${LINK}/list`]: invalid, 'GET /api/unsubscribe//list': invalid });
      open(path);
      await screen.findByRole('heading', { name: 'This link doesn’t work' });
      expect(screen.queryByRole('button')).toBeNull();
    },
  );

  it('shows an error and changes nothing when there is no connection', async () => {
    fakeApi({ [`GET ${LINK}/list`]: () => ({ body: { list: 'reminders', subscribed } }) });
    open();
    await press('Unsubscribe');
    expect((await screen.findByRole('alert')).textContent).toBe('That didn’t work. Please try again.');
    expect(screen.getByRole('heading').textContent).toBe('Unsubscribe');
  });
});
