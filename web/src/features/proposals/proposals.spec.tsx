import type { Proposal, User } from '@meetmark/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { atRoute, fillFields, findDialog, press } from '../../testing/actions';
import { fakeApi, type Handlers, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import AdminScreen from '../admin/admin-screen';
import ProposalCount from '../admin/proposals/proposal-count';
import ProposalQueue from '../admin/proposals/proposal-queue';
import { navigationFor } from '../../app/layout/navigation';
import CalendarScreen from '../calendar/calendar-screen';
import ProposalsScreen from './proposals-screen';

const TAKEN = { memberProposals: true };
const aProposal = (given: Partial<Proposal> = {}): Proposal => ({
  ...{ id: '0190b000-0000-7000-8000-00000000000a', title: 'Sketching in the park', description: null },
  ...{ startDate: '2032-05-01T17:00:00.000Z', endDate: '2032-05-01T19:00:00.000Z' },
  proposedAt: '2032-01-01T10:00:00.000Z',
  proposer: { id: 'ada', firstName: 'Ada', lastName: 'Lovelace', profileImageUrl: null },
  state: 'open',
  words: null,
  eventId: null,
  ...given,
});
const member = aUser();
const organiser = aUser({ role: 'organiser' });

describe('The note to people who may not create an event', () => {
  it.each([
    ['propose one', 'a member', TAKEN, member, '/proposals?propose=1'],
    ['email the organisers', 'a member without proposals', {}, member, 'mailto:help@example.org'],
    ['email the organisers', 'a visitor', TAKEN, null, 'mailto:help@example.org'],
  ])('offers to %s to %s', async (_what, _who, community, user, href) => {
    fakeApi({ 'GET /api/events/public': () => ({ body: [] }) });
    renderScreen(<CalendarScreen />, { user, community, path: '/events?create=1&view=agenda' });
    const note = within(await screen.findByRole('note'));
    note.getByText('Only organisers can create events.');
    expect(note.getByRole('link').getAttribute('href')).toBe(href);
  });
});

describe('The proposals screen', () => {
  const open = (mine: Proposal[], path = '/proposals', handlers: Handlers = {}) => {
    const requests = fakeApi({ 'GET /api/proposals': () => ({ body: mine }), ...handlers });
    const rendered = renderScreen(<ProposalsScreen />, { user: member, path, community: TAKEN });
    return { ...rendered, requests };
  };

  it('shows the status of each proposal and the organisers’ reply', async () => {
    open([
      aProposal(),
      aProposal({ id: 'b', title: 'Chess', state: 'declined', words: 'Not this year' }),
      aProposal({ id: 'c', title: 'Baking', state: 'accepted', eventId: 'the-event' }),
    ]);
    const list = within(await screen.findByRole('list', { name: 'Your proposals' }));
    const [first, declined, accepted] = list.getAllByRole('article');
    within(first!).getByText('Open');
    within(declined!).getByText('Not this year');
    expect(within(accepted!).getByRole('link').getAttribute('href')).toBe('/admin/events/the-event');
    screen.getByRole('button', { name: 'Propose an event' });
  });

  it('refuses a fourth open proposal and says why', async () => {
    const proposals = ['a', 'b', 'c'].map((id) => aProposal({ id }));
    open(proposals, '/proposals?propose=1');
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
    const post = { 'POST /api/proposals': () => answers.shift()! };
    const { requests, toasts } = open([], '/proposals?propose=1', post);
    const form = await findDialog();
    const title = await form.findByLabelText('Event title');
    const send = () => press('Send proposal', form);
    title.focus();
    await userEvent.keyboard('{Enter}');
    form.getByText('Title is required');
    form.getByText('Start is required');
    expect(document.activeElement).toBe(title);

    fillFields({ 'Event title': 'Sketching', Starts: '2032-05-01T18:00' });
    const end = form.getByLabelText<HTMLInputElement>('Ends');
    expect(end.value).toBe('2032-05-01T20:00');
    for (const [value, error] of [
      ['2032-05-01T17:00', 'The end must be after the start'],
      ['20321-05-01T17:00', 'Fill in the whole date, with a year from 1900 to 2999'],
    ] as const) {
      fireEvent.change(end, { target: { value } });
      await send();
      form.getByText(error);
    }
    expect(requests.sent()).toEqual([]);
    fillFields({ Ends: '2032-05-01T20:00' });
    await send();
    await form.findByText('Title is too long');
    await send();
    await form.findByText('You can have at most three open proposals at a time');
    await send();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const { startDate, endDate } = aProposal();
    expect(requests.bodies().at(-1)).toEqual({ title: 'Sketching', description: null, startDate, endDate });
    expect(toasts.at(-1)).toMatchObject({ description: 'We’ve sent your proposal to the organisers.' });
  });
});

describe('The proposal queue', () => {
  const open = (queue: Proposal[], call: string, answer: () => ReturnType<typeof refusal>) => {
    const requests = fakeApi({
      'GET /api/admin/proposals': () => ({ body: queue }),
      [`POST /api/admin/proposals/${call}`]: () => {
        queue.pop();
        return answer();
      },
    });
    const rendered = renderScreen(
      <Routes>
        <Route path="admin/events/:eventId" element={<p>The workspace</p>} />
        <Route path="admin/proposals" element={<ProposalQueue />} />
      </Routes>,
      { user: organiser, path: '/admin/proposals', community: TAKEN },
    );
    return { ...rendered, requests };
  };

  it('accepts a proposal and opens the resulting draft', async () => {
    const body = aProposal({ state: 'accepted', eventId: 'draft' });
    const { requests } = open([aProposal()], `${body.id}/accept`, () => ({ body }));
    await press('Accept: Sketching in the park');
    await screen.findByText('The workspace');
    expect(window.location.pathname).toBe('/admin/events/draft');
    expect(requests.sent()).toHaveLength(1);
  });

  it('declines a proposal only with a reply', async () => {
    const chess = aProposal({ id: 'b', title: 'Chess' });
    const { requests } = open([aProposal(), chess], 'b/decline', () => ({ body: chess }));
    await press('Decline: Chess');
    const dialog = await findDialog();
    await press('Decline', dialog);
    dialog.getByText(/Write a short reply/);
    fillFields({ 'Your reply to Ada': 'Not this year' });
    await press('Decline', dialog);
    await waitFor(() => expect(screen.queryByText('Chess')).toBeNull());
    expect(requests.bodies()).toEqual([{ words: 'Not this year' }]);
  });

  it('reports that a proposal was already decided, and reloads the list', async () => {
    const gone = refusal(404, 'PROPOSAL_NOT_FOUND', 'Open proposal not found');
    const { toasts } = open([aProposal({ id: 'b' })], 'b/accept', () => gone);
    await press(/^Accept/);
    await screen.findByText('No open proposals');
    expect(toasts.at(-1)).toMatchObject({ description: 'Open proposal not found' });
  });

  it('is not available when the community takes no proposals', async () => {
    const requests = fakeApi({ 'GET /api/events': () => ({ body: [] }) });
    renderScreen(atRoute('admin/:view', <AdminScreen />), { user: organiser, path: '/admin/proposals' });
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
    const answers = [[aProposal(), aProposal({ id: 'b' })], []];
    const requests = fakeApi({ 'GET /api/admin/proposals': () => ({ body: answers.shift() }) });
    const { unmount } = renderScreen(<ProposalCount />, { user: organiser });
    await screen.findByText('2 open');
    unmount();
    const { container } = renderScreen(<ProposalCount />, { user: organiser });
    await waitFor(() => expect(requests).toHaveLength(2));
    expect(container.textContent).toBe('');
  });
});
