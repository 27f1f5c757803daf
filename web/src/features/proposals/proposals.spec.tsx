import type { Proposal, User } from '@meetmark/contracts';
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

describe('The way to propose an event', () => {
  const actions = async (user = member, community = {}) => {
    const requests = fakeApi({ 'GET /api/my-events': page, 'GET /api/events': page });
    renderScreen(<DashboardScreen />, { user, community });
    const section = within(await screen.findByRole('region', { name: 'Quick Actions' }));
    expect(requests.filter(({ path }) => path.includes('proposals'))).toEqual([]);
    return section.getAllByRole('link').map((link) => link.getAttribute('href'));
  };

  it('stands on a member’s dashboard where the community takes proposals, and nowhere else', async () => {
    expect(await actions(member, TAKEN)).toContain('/proposals?propose=1');
    document.body.replaceChildren();
    expect((await actions(member)).filter((to) => /propos|create/.test(to!))).toEqual(['/events?create=1']);
    document.body.replaceChildren();
    const ofOrganiser = await actions(organiser, TAKEN);
    expect(ofOrganiser).toContain('/events?create=1');
    expect(ofOrganiser.filter((to) => to!.includes('propos'))).toEqual([]);
  });
});

describe('A member’s proposals', () => {
  it('show what became of each, with the organisers’ words', async () => {
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

  it('are three open ones at most, which is said beside the button', async () => {
    fakeApi({ 'GET /api/proposals': () => ({ body: ['a', 'b', 'c'].map((id) => aProposal({ id })) }) });
    renderScreen(<ProposalsScreen />, { user: member, path: '/proposals?propose=1', community: TAKEN });
    await screen.findByText(/^3 of your proposals are open/);
    const button = screen.getByRole('button', { name: 'Propose an event' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(button);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('are made with title, start and end by keyboard; the end follows the start, and refusals stand beside their fields', async () => {
    const answers = [
      refusal(400, 'VALIDATION_FAILED', 'Please check', { fields: { title: ['Title is too long'] } }),
      refusal(409, 'PROPOSAL_LIMIT', 'At most three of your proposals can be open at a time'),
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
    form.getByText('Say when it starts');
    expect(document.activeElement).toBe(title);
    expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);

    await userEvent.type(title, 'Sketching');
    fireEvent.change(form.getByLabelText('Starts'), { target: { value: '2032-05-01T18:00' } });
    expect((form.getByLabelText('Ends') as HTMLInputElement).value).toBe('2032-05-01T20:00');
    fireEvent.change(form.getByLabelText('Ends'), { target: { value: '2032-05-01T17:00' } });
    await userEvent.click(form.getByRole('button', { name: 'Send proposal' }));
    form.getByText('The end is later than the start');
    fireEvent.change(form.getByLabelText('Ends'), { target: { value: '2032-05-01T20:00' } });

    await userEvent.click(form.getByRole('button', { name: 'Send proposal' }));
    await form.findByText('Title is too long');
    await userEvent.click(form.getByRole('button', { name: 'Send proposal' }));
    await form.findByText('At most three of your proposals can be open at a time');
    await userEvent.click(form.getByRole('button', { name: 'Send proposal' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(requests.findLast(({ method }) => method === 'POST')!.body).toEqual({
      title: 'Sketching',
      description: null,
      // of the community's clock: British summer time
      startDate: '2032-05-01T17:00:00.000Z',
      endDate: '2032-05-01T19:00:00.000Z',
    });
    expect(toasts.at(-1)).toMatchObject({ description: 'Your proposal is with the organisers.' });
  });
});

const admin = (
  <Routes>
    <Route path="admin/events/:eventId" element={<p>The workspace</p>} />
    <Route path="admin/proposals" element={<ProposalQueue />} />
    <Route path="admin/:view" element={<AdminScreen />} />
  </Routes>
);

describe('The queue of proposals', () => {
  it('accepts one, and opens the draft that was made of it', async () => {
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

  it('declines one with words, and without them says so', async () => {
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
    dialog.getByText(/Write a line/);
    await userEvent.type(dialog.getByLabelText('Your words to Ada'), 'Not this year');
    await userEvent.click(dialog.getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(screen.queryByText('Chess')).toBeNull());
    expect(requests.find(({ method }) => method === 'POST')!.body).toEqual({ words: 'Not this year' });
  });

  it('says what was decided elsewhere, and asks for the list again', async () => {
    let open = [aProposal({ id: 'b' })];
    fakeApi({
      'GET /api/admin/proposals': () => ({ body: open }),
      'POST /api/admin/proposals/b/accept': () => {
        open = [];
        return refusal(404, 'PROPOSAL_NOT_FOUND', 'There is no such open proposal');
      },
    });
    const { toasts } = renderScreen(admin, { user: organiser, path: '/admin/proposals', community: TAKEN });
    await userEvent.click(await screen.findByRole('button', { name: /^Accept/ }));
    await screen.findByText('No proposal waits for an answer');
    expect(toasts.at(-1)).toMatchObject({ description: 'There is no such open proposal' });
  });

  it('is not there where the community takes none', async () => {
    const requests = fakeApi({ 'GET /api/events': page });
    const area = <Route path="admin/:view" element={<AdminScreen />} />;
    renderScreen(<Routes>{area}</Routes>, { user: organiser, path: '/admin/proposals' });
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Event Management');
    expect(requests.filter(({ path }) => path.includes('proposals'))).toEqual([]);
  });
});

describe('The entry of the queue', () => {
  const PATH = '/admin/proposals';
  const hasEntry = (user: User, memberProposals: boolean) =>
    navigationFor('/admin/events', user, { memberProposals }).links.some(({ to }) => to === PATH);

  it('is there for organisers and owners, where the community takes proposals', () => {
    const owner = aUser({ isAdmin: true, role: 'owner' });
    expect([owner, organiser, member].map((user) => hasEntry(user, true))).toEqual([true, true, false]);
    expect([owner, organiser, member].map((user) => hasEntry(user, false))).toEqual([false, false, false]);
  });

  it('counts what is open, and shows no nought', async () => {
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
