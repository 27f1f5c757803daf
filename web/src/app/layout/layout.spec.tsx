import { jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Link, Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import type { Community, Event } from '@meetmark/contracts';
import { aRegistration } from '@meetmark/testing/factories/samples';
import UserMenu from '../../features/auth/user-menu';
import ProfileScreen from '../../features/profile/profile-screen';
import { fillFields, findDialog, getField, getHrefs, getTexts, press } from '../../testing/actions';
import { fakeApi } from '../../testing/fake-api';
import { pressForPart, renderScreen } from '../../testing/render-screen';
import { aUser, anEvent } from '../../testing/samples';
import { Dialog } from '../../ui/dialog';
import { Field } from '../../ui/field';
import { Header, ProposalCount } from './header';
import { Layout } from './layout';
import './more-links';
import { navigationFor } from './navigation';
import './navigation-drawer';
import { ScreenFocus } from './screen-focus';
import { useScrollPlace } from './scroll-place';
import { NextEventStrip } from './next-event-strip';

const administrator = aUser({ isAdmin: true, role: 'owner' });
const member = aUser({ profileImageUrl: '/media/a.webp' });
const focused = () => document.activeElement;

function Late() {
  const [there, setThere] = useState(false);
  return there ? <h1>Arrived</h1> : <button onClick={() => setThere(true)}>Arrive</button>;
}

function Screens() {
  const { pathname } = useLocation();
  return (
    <>
      <Link to="/second">Go</Link>
      <Link to="/late">Go further</Link>
      <main id="content" tabIndex={-1}>
        <Routes>
          <Route path="/" element={<h1>First</h1>} />
          <Route path="/second" element={<h1>Second</h1>} />
          <Route path="/late" element={<Late />} />
        </Routes>
      </main>
      <ScreenFocus screen={pathname} />
    </>
  );
}

describe('Navigation to another screen', () => {
  it('moves the focus to the new heading and announces it', async () => {
    const { container } = renderScreen(<Screens />, { user: null });
    expect(focused()).toBe(document.body);
    await userEvent.click(screen.getByRole('link', { name: 'Go' }));
    expect(focused()).toBe(screen.getByRole('heading', { name: 'Second' }));
    expect(container.querySelector('[aria-live=polite]')?.textContent).toBe('Second');
  });

  it('leaves the focus where the user moved it before the heading appeared', async () => {
    renderScreen(<Screens />, { user: null });
    await userEvent.click(screen.getByRole('link', { name: 'Go further' }));
    const arrive = screen.getByRole('button', { name: 'Arrive' });
    act(() => screen.getByRole('link', { name: 'Go' }).focus());
    act(() => arrive.click());
    await screen.findByRole('heading', { name: 'Arrived' });
    expect(focused()).toBe(screen.getByRole('link', { name: 'Go' }));
  });
});

describe('A focused element that disappears', () => {
  it('passes the focus from a removed row to the next one', async () => {
    renderScreen(
      <main id="content">
        <ul>
          <li>
            <button onClick={({ currentTarget }) => currentTarget.parentElement!.remove()}>one</button>
          </li>
          <li>
            <button>two</button>
          </li>
        </ul>
        <ScreenFocus screen="" />
      </main>,
      { user: null },
    );
    await press('one');
    await waitFor(() => expect(focused()).toBe(screen.getByRole('button', { name: 'two' })));
  });

  it('moves the focus into the profile form, and back to Edit Profile afterwards', async () => {
    fakeApi({ 'PUT /api/user/profile': () => ({ body: member }) });
    renderScreen(
      <main id="content">
        <ProfileScreen />
        <ScreenFocus screen="" />
      </main>,
      { user: member },
    );
    await press('Edit Profile');
    expect(focused()).toBe(screen.getByLabelText('First Name'));
    await press('Remove photo');
    await waitFor(() => expect(focused()).toBe(screen.getByRole('button', { name: 'Choose a photo' })));
    await press('Cancel');
    expect(focused()).toBe(screen.getByRole('button', { name: 'Edit Profile' }));
    await press('Edit Profile');
    await press('Save Changes');
    await waitFor(() => expect(focused()).toBe(screen.getByRole('button', { name: 'Edit Profile' })));
  });
});

describe('An overlay', () => {
  it('asks before Escape discards typed text', async () => {
    function Form() {
      const [open, setOpen] = useState(false);
      const [name, setName] = useState('');
      return (
        <>
          <button onClick={() => setOpen(true)}>Open</button>
          {open && (
            <Dialog title="A form" close={() => setOpen(false)} form>
              {() => <Field label="Name" autoFocus value={name} onChange={setName} />}
            </Dialog>
          )}
        </>
      );
    }
    renderScreen(<Form />, { user: null });
    const opener = screen.getByRole('button', { name: 'Open' });
    await userEvent.click(opener);
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(focused()).toBe(opener);

    await userEvent.click(opener);
    await screen.findByLabelText('Name');
    fillFields({ Name: 'Ada' });
    await userEvent.keyboard('{Escape}');
    await press('Keep editing');
    await waitFor(() => expect(screen.queryByText('Discard what you typed?')).toBeNull());
    expect(getField('Name').value).toBe('Ada');
    // a second Escape would find no dialog, because all antd dialogs have the same ID in tests
    await press('Close');
    await press('Discard');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(focused()).toBe(opener);
  });

  it('returns the focus from the password dialog to the account menu’s button', async () => {
    fakeApi({});
    renderScreen(<UserMenu user={member} />, { user: member });
    const trigger = screen.getByRole('button', { name: 'Account menu of Ada Lovelace' });
    expect(trigger.getAttribute('aria-haspopup')).toBe('menu');
    expect(trigger.getAttribute('aria-expanded')).toBe('false');
    await userEvent.click(trigger);
    const item = await screen.findByRole('menuitem', { name: 'Change Password' });
    expect(trigger.getAttribute('aria-expanded')).toBe('true');
    await pressForPart(item);
    await screen.findByRole('dialog');
    expect(trigger.getAttribute('aria-expanded')).toBe('false');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(focused()).toBe(trigger));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('The header', () => {
  beforeAll(() => ProposalCount.arrived());

  it('closes the navigation drawer on Escape and when the browser goes back', async () => {
    const Back = () => {
      const navigate = useNavigate();
      return <button onClick={() => void navigate(-1)}>Back</button>;
    };
    fakeApi({});
    renderScreen(
      <>
        <Header />
        <Link to="/second">Go</Link>
        <Back />
      </>,
      { user: null },
    );
    await userEvent.click(screen.getByRole('link', { name: 'Go' }));
    const opener = screen.getByRole('button', { name: 'Open menu' });
    opener.focus();
    await pressForPart(opener);
    (await findDialog()).getByRole('link', { name: 'Browse Events' }).focus();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(focused()).toBe(opener));

    await pressForPart(opener);
    await screen.findByRole('dialog');
    act(() => screen.getByText('Back').click());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('shows Dashboard, Users and Events as admin links, and others under More', async () => {
    fakeApi({ 'GET /api/admin/proposals': () => ({ body: [] }) });
    const community = { memberProposals: true };
    await act(
      async () => void renderScreen(<Header />, { user: administrator, path: '/admin/system', community }),
    );
    const navigation = within(screen.getByRole('navigation', { name: 'Administration' }));
    expect(getTexts(navigation.getAllByRole('link'))).toEqual(['Dashboard', 'Users', 'Events']);
    const more = await navigation.findByRole('button', { name: 'More' });
    expect(more.getAttribute('aria-current')).toBe('page');
    await pressForPart(more);
    const items = await screen.findAllByRole('menuitem');
    expect(getTexts(items)).toEqual(['Proposals', 'Audit', 'System', 'Settings']);
    await pressForPart(items[1]!);
    expect(window.location.pathname).toBe('/admin/audit');
  });

  it.each(['/admin', '/admin/users', '/admin/events/1'])('shows members no admin links at %s', (path) => {
    const [navigation, main] = [path, '/'].map((at) => navigationFor(at, member, { memberProposals: true }));
    expect(navigation).toEqual(main);
    expect(main?.links.map(({ to }) => to)).toEqual(['/', '/my-events', '/events']);
  });
});

describe('The page layout', () => {
  beforeEach(() => void jest.spyOn(window, 'scrollTo').mockImplementation(() => undefined));
  const getDuplicates = (links: HTMLElement[]) =>
    [getHrefs(links), getTexts(links)].map((all) => all.filter((one, at) => all.indexOf(one) !== at));
  const organiser = aUser({ role: 'organiser' });

  it.each([
    ['a visitor', '/', null],
    ['a member', '/', member],
    ['an organiser', '/', organiser],
    ['an organiser', '/admin/events', organiser],
    ['an administrator', '/', administrator],
    ['an administrator', '/admin', administrator],
  ])('shows %s at %s no link twice, the next event and the sponsors', async (_, path, user) => {
    fakeApi({
      'GET /api/events/public': () => ({ body: [anEvent()] }),
      'GET /api/admin/proposals': () => ({ body: [] }),
    });
    const sponsors = [{ name: 'Acme', url: 'https://acme.example', logoUrl: '/acme.svg' }];
    const community: Partial<Community> = {
      ...{ memberProposals: true, legalPages: ['terms', 'privacy'], sponsors },
    };
    await act(
      async () =>
        void renderScreen(
          <Routes>
            <Route element={<Layout />}>
              <Route path="*" element={<h1>Screen</h1>} />
            </Route>
          </Routes>,
          { user, path, community },
        ),
    );
    await screen.findByText(/^Next Event: /);
    screen.getByRole('heading', { name: 'Our Sponsors' });
    screen.getByRole('img', { name: 'Acme' });
    const navigations = screen.getAllByRole('navigation');
    const links = navigations.flatMap((each) => within(each).getAllByRole('link'));
    expect(getDuplicates(links)).toEqual([[], []]);
    await pressForPart(screen.getByRole('button', { name: 'Open menu' }));
    const inDrawer = (await findDialog()).getAllByRole('link');
    expect(getDuplicates(inDrawer)).toEqual([[], []]);
  });
});

describe('A link with a hash', () => {
  function Screens() {
    const [isThere, setThere] = useState(false);
    useScrollPlace(useLocation().pathname);
    return (
      <>
        <h1>Screen</h1>
        <Link to="/second#late">Go</Link>
        <button onClick={() => setThere(true)}>Fill</button>
        {isThere && (
          <section id="late" tabIndex={-1}>
            Late
          </section>
        )}
      </>
    );
  }
  let fill: () => void;
  const shown: string[] = [];
  beforeEach(() => {
    shown.length = 0;
    jest.spyOn(window, 'scrollTo').mockImplementation(() => void shown.push('top'));
    jest.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      shown.push(this.id);
    });
    jest.spyOn(globalThis, 'ResizeObserver').mockImplementation(((resized: () => void) => {
      let isWatching = true;
      fill = () => isWatching && resized();
      return { observe: () => undefined, disconnect: () => void (isWatching = false) };
    }) as never);
  });

  it('scrolls to the linked section when it appears, and again when the page grows', () => {
    renderScreen(<Screens />, { user: null, path: '/second#late' });
    expect(shown).toEqual([]);
    act(() => screen.getByText('Fill').click());
    act(() => fill());
    act(() => fill());
    expect(shown).toEqual(['late', 'late']);
    expect(focused()).toBe(screen.getByText('Late'));
  });

  it('scrolls to a section of another screen, and stops when the reader scrolls', () => {
    renderScreen(<Screens />, { user: null, path: '/first' });
    act(() => screen.getByText('Fill').click());
    act(() => screen.getByText('Go').click());
    expect(shown).toEqual(['top', 'late']);
    fireEvent.wheel(window);
    act(() => fill());
    expect(shown).toEqual(['top', 'late']);
  });
});

describe('The next-event strip', () => {
  it('links to the next event instead of one that has started', async () => {
    const answers = [anEvent({ registrationState: 'started' }), anEvent({ id: '2', title: 'Copy clinic' })];
    fakeApi({ 'GET /api/events/public': () => ({ body: answers.splice(0, 1) }) });
    renderScreen(<NextEventStrip />, { user: null });
    const link = await screen.findByRole('link', { name: /^Next Event: Copy clinic/ });
    expect(link.getAttribute('href')).toBe('/events/2');
  });

  it('hides the strip when there are no upcoming events', async () => {
    const requests = fakeApi({ 'GET /api/events/public': () => ({ body: [] }) });
    renderScreen(<NextEventStrip />, { user: null });
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it.each([
    ['Register Now!', {}],
    ['Fully booked', { registrationState: 'waitlist' }],
    ['Fully booked', { registrationState: 'full' }],
    ['You are going', { registrationState: 'full', registrations: [aRegistration()] }],
    [
      'Registration closed',
      { registrationState: 'closed', registrations: [aRegistration({ status: 'cancelled' })] },
    ],
  ] as const)('ends the strip with %s for %j', async (end, given) => {
    fakeApi({ 'GET /api/events/public': () => ({ body: [anEvent(given as Partial<Event>)] }) });
    renderScreen(<NextEventStrip />, { user: null });
    await screen.findByText((words) => words.startsWith('Next Event:') && words.endsWith(` • ${end}`));
  });
});
