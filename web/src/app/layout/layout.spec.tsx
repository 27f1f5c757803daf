import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Link, Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import type { Event } from '@meetmark/contracts';
import { aRegistration } from '@meetmark/testing/factories/samples';
import UserMenu from '../../features/auth/user-menu';
import ProfileScreen from '../../features/profile/profile-screen';
import { fakeApi } from '../../testing/fake-api';
import { pressForPart, renderScreen } from '../../testing/render-screen';
import { aUser, anEvent } from '../../testing/samples';
import { Dialog } from '../../ui/dialog';
import { Field } from '../../ui/field';
import { Header } from './header';
import { navigationFor } from './navigation';
import NavigationDrawer from './navigation-drawer';
import { ScreenFocus } from './screen-focus';
import { NextEventStrip } from './next-event-strip';

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

describe('Another screen', () => {
  it('gives the focus to its heading and is announced; the first one does not', async () => {
    const { container } = renderScreen(<Screens />, { user: null });
    expect(focused()).toBe(document.body);
    await userEvent.click(screen.getByRole('link', { name: 'Go' }));
    expect(focused()).toBe(screen.getByRole('heading', { name: 'Second' }));
    expect(container.querySelector('[aria-live=polite]')?.textContent).toBe('Second');
  });

  it('does so once its heading is there, and not to somebody who has gone on', async () => {
    renderScreen(<Screens />, { user: null });
    await userEvent.click(screen.getByRole('link', { name: 'Go further' }));
    const arrive = screen.getByRole('button', { name: 'Arrive' });
    act(() => screen.getByRole('link', { name: 'Go' }).focus());
    act(() => arrive.click());
    await screen.findByRole('heading', { name: 'Arrived' });
    expect(focused()).toBe(screen.getByRole('link', { name: 'Go' }));
  });
});

function Rows() {
  const [rows, setRows] = useState(['one', 'two', 'three']);
  return (
    <main id="content" tabIndex={-1}>
      <ul>
        {rows.map((row) => (
          <li key={row}>
            <button onClick={() => setRows(rows.filter((other) => other !== row))}>{row}</button>
          </li>
        ))}
      </ul>
      <ScreenFocus screen="" />
    </main>
  );
}

describe('What vanishes with the focus', () => {
  it('hands it to the next row, and from the last row to the one before', async () => {
    renderScreen(<Rows />, { user: null });
    await userEvent.click(screen.getByRole('button', { name: 'two' }));
    await waitFor(() => expect(focused()).toBe(screen.getByRole('button', { name: 'three' })));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(focused()).toBe(screen.getByRole('button', { name: 'one' })));
  });

  it('takes the focus from the profile into its form and back', async () => {
    fakeApi({ 'PUT /api/user/profile': () => ({ body: member }) });
    renderScreen(
      <main id="content">
        <ProfileScreen />
        <ScreenFocus screen="" />
      </main>,
      { user: member },
    );
    await userEvent.click(screen.getByRole('button', { name: 'Edit Profile' }));
    expect(focused()).toBe(screen.getByLabelText('First Name'));
    await userEvent.click(screen.getByRole('button', { name: 'Remove picture' }));
    await waitFor(() => expect(focused()).toBe(screen.getByRole('button', { name: 'Choose a picture' })));
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(focused()).toBe(screen.getByRole('button', { name: 'Edit Profile' }));
    await userEvent.click(screen.getByRole('button', { name: 'Edit Profile' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
    await waitFor(() => expect(focused()).toBe(screen.getByRole('button', { name: 'Edit Profile' })));
  });
});

describe('What opens over a screen', () => {
  it('asks before Escape throws away what is typed in it', async () => {
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
    await userEvent.type(await screen.findByLabelText('Name'), 'Ada');
    await userEvent.keyboard('{Escape}');
    await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
    await waitFor(() => expect(screen.queryByText('Discard what you typed?')).toBeNull());
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada');
    // In tests all of antd's dialogs share one id, and a second Escape finds none of them.
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(focused()).toBe(opener);
  });

  it('is a menu to assistive technology, and the password dialog gives the focus back to its button', async () => {
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

  it('is the drawer of a phone, which gives the focus back to its button', async () => {
    function Header() {
      const [open, setOpen] = useState(false);
      const navigation = navigationFor('/', member, { memberProposals: false });
      return (
        <>
          <button onClick={() => setOpen(true)}>Open</button>
          {open && <NavigationDrawer navigation={navigation} close={() => setOpen(false)} />}
        </>
      );
    }
    renderScreen(<Header />, { user: member });
    const opener = screen.getByRole('button', { name: 'Open' });
    await userEvent.click(opener);
    (await screen.findByRole('link', { name: 'Browse Events' })).focus();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(focused()).toBe(opener));
  });
});

describe('The header', () => {
  it('closes the drawer of a phone when the browser goes back', async () => {
    const Back = () => {
      const navigate = useNavigate();
      return <button onClick={() => void navigate(-1)}>Back</button>;
    };
    fakeApi({});
    const page = (
      <>
        <Header />
        <Link to="/second">Go</Link>
        <Back />
      </>
    );
    renderScreen(page, { user: null });
    await userEvent.click(screen.getByRole('link', { name: 'Go' }));
    await pressForPart(screen.getByRole('button', { name: 'Open menu' }));
    await screen.findByRole('dialog');
    act(() => screen.getByText('Back').click());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it.each(['/', '/admin', '/admin/users', '/admin/events/1'])(
    'leads members from %s to their own pages',
    (path) => {
      const { label, links } = navigationFor(path, member, { memberProposals: true });
      expect([label, ...links.map(({ label }) => label)]).toEqual([
        'Main',
        'Browse Events',
        'My Events',
        'Calendar',
      ]);
    },
  );
});

describe('The strip of the next event', () => {
  it('goes on to the one after it when the event has started', async () => {
    const answers = [anEvent({ registrationState: 'started' }), anEvent({ id: '2', title: 'Copy clinic' })];
    fakeApi({ 'GET /api/events/public': () => ({ body: answers.splice(0, 1) }) });
    renderScreen(<NextEventStrip />, { user: null });
    await screen.findByText(/^Next Event: Copy clinic/);
  });

  it('is not there when nothing is to come', async () => {
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
  ] as const)('ends with %s for %j', async (end, given) => {
    fakeApi({ 'GET /api/events/public': () => ({ body: [anEvent(given as Partial<Event>)] }) });
    renderScreen(<NextEventStrip />, { user: null });
    await screen.findByText((words) => words.startsWith('Next Event:') && words.endsWith(` • ${end}`));
  });

  it('leads to the one address that the event has', async () => {
    const event = anEvent();
    fakeApi({ 'GET /api/events/public': () => ({ body: [event] }) });
    renderScreen(<NextEventStrip />, { user: null });
    const link = await screen.findByRole('link', { name: /^Next Event:/ });
    expect(link.getAttribute('href')).toBe(`/events/${event.id}`);
  });
});
