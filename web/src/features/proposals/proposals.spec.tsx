import type { Community, Proposal, User } from '@meetmark/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import AdminScreen from '../admin/admin-screen';
import ProposalCount from '../admin/proposals/proposal-count';
import ProposalQueue from '../admin/proposals/proposal-queue';
import { navigationFor } from '../../app/layout/navigation';
import CalendarScreen from '../calendar/calendar-screen';
import DashboardScreen from '../dashboard/dashboard-screen';
import ProposalsScreen from './proposals-screen';

const TAKEN = { memberProposals: true };
const aProposal = (given: Partial<Proposal> = {}): Proposal => ({
  id: '0190b000-0000-7000-8000-00000000000a',
  title: 'Sketching in the park',
  description: 'Bring a pencil',
  startDate: '2032-05-01T17:00:00.000Z',
  endDate: '2032-05-01T19:00:00.000Z',
  proposedAt: '2032-01-01T10:00:00.000Z',
  proposer: { id: 'ada', firstName: 'Ada', lastName: 'Lovelace', profileImageUrl: null },
  state: 'open',
  words: null,
  eventId: null,
  ...given,
});
const member = aUser();
const organiser = aUser({ role: 'organiser' });
const page = () => ({ body: [], headers: { 'X-Total-Count': '0' } });

describe('The “Create Event” action', () => {
  it('links to /events?create=1 on every user’s dashboard', async () => {
    for (const user of [member, organiser, aUser({ isAdmin: true })]) {
      const requests = fakeApi({ 'GET /api/my-events': page, 'GET /api/events': page });
      const { unmount } = renderScreen(<DashboardScreen />, { user, community: TAKEN });
      const section = within(await screen.findByRole('region', { name: 'Quick Actions' }));
      const create = section.getByRole('link', { name: /^Create Event/ });
      expect(create.getAttribute('href')).toBe('/events?create=1');
      expect(requests.filter(({ path }) => path.includes('proposals'))).toEqual([]);
      unmount();
    }
  });

  const note = async (community: Partial<Community>, user: User | null = member) => {
    fakeApi({ 'GET /api/events/public': page });
    renderScreen(<CalendarScreen />, { user, community, path: '/events?create=1' });
    const shown = await screen.findByRole('note');
    within(shown).getByText('Only organisers can create events.');
    return within(shown).getByRole('link');
  };

  it('says that only organisers can create events, and offers to propose one', async () => {
    const link = await note(TAKEN);
    expect([link.textContent, link.getAttribute('href')]).toEqual([
      'Propose an event',
      '/proposals?propose=1',
    ]);
    screen.getByRole('heading', { level: 1, name: 'Events' });
  });

  it.each([
    ['the community takes no proposals', {}, member],
    ['the visitor is not signed in', TAKEN, null],
  ])('offers to email the organisers when %s', async (_, community, user) => {
    const link = await note(community, user);
    expect(link.getAttribute('href')).toBe('mailto:help@example.org');
  });
});

describe('The proposals screen', () => {
  it('shows the status of each proposal and the organisers’ reply', async () => {
    const mine = [
      aProposal(),
      aProposal({ id: 'b', title: 'Chess', state: 'declined', words: 'Not this year' }),
      aProposal({ id: 'c', title: 'Baking', state: 'accepted', eventId: 'the-event' }),
    ];
    fakeApi({ 'GET /api/proposals': () => ({ body: mine }) });
    renderScreen(<ProposalsScreen />, { user: member, path: '/proposals', community: TAKEN });
    const [open, declined, accepted] = within(
      await screen.findByRole('list', { name: 'Your proposals' }),
    ).getAllByRole('article');
    within(open!).getByText('Open');
    within(declined!).getByText('Not this year');
    expect(within(accepted!).getByRole('link').getAttribute('href')).toBe('/admin/events/the-event');
    screen.getByRole('button', { name: 'Propose an event' });
  });

  it('refuses a fourth open proposal and says why', async () => {
    fakeApi({ 'GET /api/proposals': () => ({ body: ['a', 'b', 'c'].map((id) => aProposal({ id })) }) });
    renderScreen(<ProposalsScreen />, { user: member, path: '/proposals?propose=1', community: TAKEN });
    await screen.findByText(/^You have 3 open proposals/);
    const button = screen.getByRole('button', { name: 'Propose an event' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(button);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('shows each error in the form until the proposal can be sent', async () => {
    const answers = [
      refusal(400, 'VALIDATION_FAILED', 'Please check', { fields: { title: ['Title is too long'] } }),
      refusal(409, 'PROPOSAL_LIMIT', 'You can have at most three open proposals at a time'),
      { status: 201, body: aProposal() },
    ];
    const mine: Proposal[] = [];
    const requests = fakeApi({
      'GET /api/proposals': () => ({ body: mine }),
      'POST /api/proposals': () => answers.shift()!,
    });
    const { toasts } = renderScreen(<ProposalsScreen />, {
      user: member,
      path: '/proposals?propose=1',
      community: TAKEN,
    });
    const form = within(await screen.findByRole('dialog'));
    const title = await form.findByLabelText('Event title');
    title.focus();
    await userEvent.keyboard('{Enter}');
    form.getByText('Title is required');
    form.getByText('Start is required');
    expect(document.activeElement).toBe(title);
    expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);

    await userEvent.type(title, 'Sketching');
    fireEvent.change(form.getByLabelText('Starts'), { target: { value: '2032-05-01T18:00' } });
    expect((form.getByLabelText('Ends') as HTMLInputElement).value).toBe('2032-05-01T20:00');
    fireEvent.change(form.getByLabelText('Ends'), { target: { value: '2032-05-01T17:00' } });
    await userEvent.click(form.getByRole('button', { name: 'Send proposal' }));
    form.getByText('The end must be after the start');
    fireEvent.change(form.getByLabelText('Ends'), { target: { value: '20321-05-01T17:00' } });
    await userEvent.click(form.getByRole('button', { name: 'Send proposal' }));
    form.getByText('Fill in the whole date, with a year from 1900 to 2999');
    fireEvent.change(form.getByLabelText('Ends'), { target: { value: '2032-05-01T20:00' } });

    await userEvent.click(form.getByRole('button', { name: 'Send proposal' }));
    await form.findByText('Title is too long');
    await userEvent.click(form.getByRole('button', { name: 'Send proposal' }));
    await form.findByText('You can have at most three open proposals at a time');
    await userEvent.click(form.getByRole('button', { name: 'Send proposal' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(requests.findLast(({ method }) => method === 'POST')!.body).toEqual({
      title: 'Sketching',
      description: null,
      startDate: '2032-05-01T17:00:00.000Z',
      endDate: '2032-05-01T19:00:00.000Z',
    });
    expect(toasts.at(-1)).toMatchObject({ description: 'We’ve sent your proposal to the organisers.' });
  });
});

const admin = (
  <Routes>
    <Route path="admin/events/:eventId" element={<p>The workspace</p>} />
    <Route path="admin/proposals" element={<ProposalQueue />} />
    <Route path="admin/:view" element={<AdminScreen />} />
  </Routes>
);

describe('The proposal queue', () => {
  it('accepts a proposal and opens the resulting draft', async () => {
    const requests = fakeApi({
      'GET /api/admin/proposals': () => ({ body: [aProposal()] }),
      'POST /api/admin/proposals/0190b000-0000-7000-8000-00000000000a/accept': () => ({
        body: aProposal({ state: 'accepted', eventId: 'draft' }),
      }),
    });
    renderScreen(admin, { user: organiser, path: '/admin/proposals', community: TAKEN });
    await userEvent.click(await screen.findByRole('button', { name: 'Accept: Sketching in the park' }));
    await screen.findByText('The workspace');
    expect(window.location.pathname).toBe('/admin/events/draft');
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('declines a proposal only with a reply', async () => {
    let open = [aProposal(), aProposal({ id: 'b', title: 'Chess' })];
    const requests = fakeApi({
      'GET /api/admin/proposals': () => ({ body: open }),
      'POST /api/admin/proposals/b/decline': () => {
        open = open.slice(0, 1);
        return { body: aProposal({ id: 'b', state: 'declined' }) };
      },
    });
    renderScreen(admin, { user: organiser, path: '/admin/proposals', community: TAKEN });
    await userEvent.click(await screen.findByRole('button', { name: 'Decline: Chess' }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Decline' }));
    dialog.getByText(/Write a short reply/);
    await userEvent.type(dialog.getByLabelText('Your reply to Ada'), 'Not this year');
    await userEvent.click(dialog.getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(screen.queryByText('Chess')).toBeNull());
    expect(requests.find(({ method }) => method === 'POST')!.body).toEqual({ words: 'Not this year' });
  });

  it('reports that a proposal was already decided, and reloads the list', async () => {
    let open = [aProposal({ id: 'b' })];
    fakeApi({
      'GET /api/admin/proposals': () => ({ body: open }),
      'POST /api/admin/proposals/b/accept': () => {
        open = [];
        return refusal(404, 'PROPOSAL_NOT_FOUND', 'Open proposal not found');
      },
    });
    const { toasts } = renderScreen(admin, { user: organiser, path: '/admin/proposals', community: TAKEN });
    await userEvent.click(await screen.findByRole('button', { name: /^Accept/ }));
    await screen.findByText('No open proposals');
    expect(toasts.at(-1)).toMatchObject({ description: 'Open proposal not found' });
  });

  it('is not available when the community takes no proposals', async () => {
    const requests = fakeApi({ 'GET /api/events': page });
    const area = <Route path="admin/:view" element={<AdminScreen />} />;
    renderScreen(<Routes>{area}</Routes>, { user: organiser, path: '/admin/proposals' });
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Event Management');
    expect(requests.filter(({ path }) => path.includes('proposals'))).toEqual([]);
  });
});

describe('The navigation entry of the proposal queue', () => {
  const PATH = '/admin/proposals';
  const hasEntry = (user: User, memberProposals: boolean) => {
    const { links, more = [] } = navigationFor('/admin/events', user, { memberProposals });
    return [...links, ...more].some(({ to }) => to === PATH);
  };

  it('is shown to organisers and owners when the community takes proposals', () => {
    const owner = aUser({ isAdmin: true, role: 'owner' });
    expect([owner, organiser, member].map((user) => hasEntry(user, true))).toEqual([true, true, false]);
    expect([owner, organiser, member].map((user) => hasEntry(user, false))).toEqual([false, false, false]);
  });

  it('shows the number of open proposals unless it is zero', async () => {
    let open = [aProposal(), aProposal({ id: 'b' })];
    fakeApi({ 'GET /api/admin/proposals': () => ({ body: open }) });
    renderScreen(<ProposalCount />, { user: organiser });
    await screen.findByText('2 open');
    document.body.replaceChildren();
    open = [];
    const { container } = renderScreen(<ProposalCount />, { user: organiser });
    await waitFor(() => expect(fetch).toHaveBeenCalledTimes(2));
    expect(container.textContent).toBe('');
  });
});
