import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { EventRole } from '@meetmark/contracts';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser, TOPICS } from '../../testing/samples';
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

describe('A profile that cannot be saved', () => {
  it('tells below the field what is wrong with it', async () => {
    fakeApi({
      [SAVE]: () =>
        refusal(400, 'VALIDATION_FAILED', 'Some fields are not valid', {
          fields: { linkedInUrl: ['linkedInUrl must be a web address'] },
          rules: { linkedInUrl: { rule: 'isWebUrl' } },
        }),
    });
    open();
    await userEvent.click(screen.getByRole('button', { name: 'Edit Profile' }));
    // the browser itself would refuse it, in its own language
    await userEvent.type(screen.getByLabelText('LinkedIn URL'), 'nope');
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await screen.findByText('Please enter a web address that begins with http:// or https://');
    expect(screen.getByLabelText('LinkedIn URL').getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(screen.getByLabelText('LinkedIn URL'));
  });

  it('says so, and what can be done, when there is no connection', async () => {
    fakeApi({});
    const { toasts } = open();
    await saveProfile();
    await waitFor(() =>
      expect(toasts.at(-1)?.description).toBe('An error occurred while updating your profile.'),
    );
    expect(screen.getAllByText('Check your connection and try again.')).not.toEqual([]);
  });

  it('says that an administrator has changed it meanwhile, and saves over it only what was changed here', async () => {
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

  it('leads to the login when the session has ended meanwhile', async () => {
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

describe('Where a member is named', () => {
  it('is not there for who is named nowhere', async () => {
    const requests = fakeApi(list([]));
    renderScreen(<EventRolesCard />, { user: aUser() });
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(screen.queryByRole('heading')).toBeNull();
  });

  it('has the day of the place, of an online event that of the reader', async () => {
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

  it('shows the member in the role that they agree to, and in no other', async () => {
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

  it('says why it could not be saved', async () => {
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

describe('What a member follows', () => {
  it('is followed and left with a press each, and links to the feeds of what is followed', async () => {
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
    expect(screen.queryByRole('group', { name: 'Feeds of PPC' })).toBeNull();
    await userEvent.click(await box('PPC'));
    await screen.findByRole('group', { name: 'Feeds of PPC' });
    await userEvent.click(await box('SEO'));
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Feeds of SEO' })).toBeNull());
    expect([(await box('PPC')).checked, (await box('SEO')).checked]).toEqual([true, false]);
    expect(requests.filter(({ method }) => method !== 'GET').map(({ method }) => method)).toEqual([
      'PUT',
      'DELETE',
    ]);
    await waitFor(() =>
      expect(toasts.map(({ title }) => title)).toEqual(['You follow PPC', 'You no longer follow SEO']),
    );
  });

  it('says that it could not be saved, and shows what is', async () => {
    fakeApi({
      'GET /api/topics': () => ({ body: TOPICS }),
      [`GET ${PATH}`]: () => ({ body: [] }),
      [`PUT ${PATH}/${seo.id}`]: () => refusal(404, 'TOPIC_NOT_FOUND', 'There is no such topic'),
    });
    const { toasts } = renderScreen(<FollowCard />, { user: aUser() });
    await userEvent.click(await box('SEO'));
    await waitFor(() => expect(toasts[0]?.description).toBe('There is no such topic'));
    expect((await box('SEO')).checked).toBe(false);
  });

  it('is not spoken of where the community has no topics', async () => {
    fakeApi({ 'GET /api/topics': () => ({ body: [] }), [`GET ${PATH}`]: () => ({ body: [] }) });
    const { container } = renderScreen(<FollowCard />, { user: aUser() });
    expect(container.textContent).not.toBe('');
    await waitFor(() => expect(container.textContent).toBe(''));
  });
});

describe('The second step of the own sign-ins', () => {
  const show = (emailVerifiedAt: string | null) => {
    fakeApi({
      'GET /api/user/second-factors': () => ({
        body: { factors: [], recoveryCodesLeft: 0, required: false },
      }),
    });
    renderScreen(<SecurityCard />, { user: aUser({ emailVerifiedAt }) });
    return screen.findByText('Signing in takes your password alone.');
  };

  it('is offered where the address is confirmed', async () => {
    await show('2027-01-01T00:00:00.000Z');
    expect(screen.queryByRole('note')).toBeNull();
    screen.getByRole('button', { name: 'Add an authenticator app' });
  });

  it('says why it cannot be added before', async () => {
    await show(null);
    expect(screen.getByRole('note').textContent).toMatch(/^Confirm your email address first/);
    expect(screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
      'Help: Security',
    ]);
  });
});

describe('The page of a link that confirms a sign-up for mails', () => {
  const CONFIRM = 'POST /api/subscriptions/confirm';
  const open = (path = '/subscribe/confirm#signed') =>
    renderScreen(<SubscribeScreen />, { user: null, path });
  const press = async () =>
    userEvent.click(await screen.findByRole('button', { name: 'Confirm my address' }));

  it('does nothing until the button is pressed, and says that it is done', async () => {
    const requests = fakeApi({ [CONFIRM]: () => ({ body: { message: 'done' } }) });
    open();
    await screen.findByRole('heading', { name: 'Confirm your address' });
    expect(requests).toEqual([]);
    await press();
    const done = await screen.findByRole('heading', { name: 'Your address is confirmed' });
    expect(document.activeElement).toBe(done);
    expect(requests).toEqual([expect.objectContaining({ body: { token: 'signed' } })]);
  });

  it('says so when the link is not complete', async () => {
    fakeApi({});
    open('/subscribe/confirm');
    await screen.findByRole('heading', { name: 'This link does not work' });
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('says so when the link is too old', async () => {
    fakeApi({ [CONFIRM]: () => refusal(404, 'SUBSCRIPTION_LINK_INVALID', 'This link is too old') });
    open();
    await press();
    await screen.findByRole('heading', { name: 'This link does not work' });
  });
});

describe('The page of an unsubscribe link', () => {
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

  it('names the list, changes nothing until the button is pressed, and can be taken back', async () => {
    const requests = listen();
    open();
    await screen.findByText(/“Reminders”/);
    expect(requests.map(({ method }) => method)).toEqual(['GET']);
    await press('Stop these mails');
    const stopped = await screen.findByRole('heading', { name: 'These mails are stopped' });
    expect(document.activeElement).toBe(stopped);
    await press('Undo');
    const again = await screen.findByRole('heading', { name: 'You get these mails again' });
    expect(document.activeElement).toBe(again);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${LINK}/list`,
      `POST ${LINK}`,
      `POST ${LINK}/undo`,
    ]);
  });

  it('says that a list is stopped already', async () => {
    subscribed = false;
    listen();
    open();
    await screen.findByRole('heading', { name: 'These mails are stopped' });
    expect(screen.getByRole('link', { name: 'All mail settings' }).getAttribute('href')).toBe('/profile');
  });

  it.each(['/unsubscribe?token=signed', '/unsubscribe'])(
    'says so when the link is no good (%s)',
    async (path) => {
      const invalid = () => refusal(404, 'UNSUBSCRIBE_LINK_INVALID', 'This link is not valid');
      fakeApi({ [`GET ${LINK}/list`]: invalid, 'GET /api/unsubscribe//list': invalid });
      open(path);
      await screen.findByRole('heading', { name: 'This link does not work' });
      expect(screen.queryByRole('button')).toBeNull();
    },
  );

  it('stays as it is, and says why, when there is no connection', async () => {
    fakeApi({ [`GET ${LINK}/list`]: () => ({ body: { list: 'reminders', subscribed } }) });
    open();
    await press('Stop these mails');
    expect((await screen.findByRole('alert')).textContent).toBe('That did not work. Please try again.');
    expect(screen.getByRole('heading').textContent).toBe('Stop these mails');
  });
});
