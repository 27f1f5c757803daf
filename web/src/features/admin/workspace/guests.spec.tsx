import { jest } from '@jest/globals';
import type { Guest } from '@meetmark/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { anAskingEvent, anEvent, aUser, DIET, FIRST } from '../../../testing/samples';
import { Guests } from './guests';

const PATH = `/api/admin/events/${anEvent().id}/guests`;
const aGuest = (given: Partial<Guest> = {}): Guest => ({
  id: 'grace',
  name: 'Grace Hopper',
  email: 'grace@example.org',
  userId: null,
  profileImageUrl: null,
  state: 'registered',
  registeredAt: '2030-04-01T10:00:00.000Z',
  note: null,
  paidAt: null,
  checkedInAt: null,
  checkedInBy: null,
  noShow: false,
  answers: {},
  ...given,
});
const open = (guests: Guest[], calls: Parameters<typeof fakeApi>[0] = {}, given = {}) => {
  const requests = fakeApi({
    [`GET ${PATH}`]: () => ({ body: guests, headers: { 'X-Total-Count': String(guests.length) } }),
    ...calls,
  });
  const event = anEvent({ price: '15', ...given });
  return { requests, ...renderScreen(<Guests event={event} />, { user: aUser({ isAdmin: true }) }) };
};
const press = async (name: RegExp | string) => userEvent.click(await screen.findByRole('button', { name }));
/** By its title: the test's antd gives every dialog one id. */
const dialogCalled = async (title: string) => {
  const dialog = (await screen.findAllByText(title))
    .map((words) => words.closest<HTMLElement>('[role=dialog]'))
    .find((found) => found !== null);
  if (!dialog) throw new Error(`no dialog is called ${title}`);
  return dialog;
};
const sent = (requests: ReturnType<typeof fakeApi>) =>
  requests.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]);

describe('The guest list', () => {
  it('shows what is known of each guest', async () => {
    open([
      aGuest(),
      aGuest({
        id: '2',
        name: 'Ada',
        email: null,
        checkedInAt: '2030-05-01T18:07:00.000Z',
        paidAt: '2030-05-01T18:00:00.000Z',
      }),
      aGuest({ id: '3', name: 'Alan', state: 'waitlisted' }),
      aGuest({ id: '4', name: 'Linus', noShow: true, note: 'A friend of the speaker' }),
    ]);
    await screen.findByText('Grace Hopper');
    const words = screen
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent);
    expect(words[1]).toMatch(/No address.*Came at 7:07\sPM.*Paid/);
    expect(words[2]).toContain('Waiting');
    expect(words[3]).toMatch(/Did not come.*A friend of the speaker/);
  });

  it('lets some be chosen, also over pages, and hands their rows to a file', async () => {
    const saved: string[] = [];
    URL.createObjectURL = () => 'blob:here';
    const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download);
    });
    const { requests } = open(
      [aGuest(), aGuest({ id: 'ada', name: 'Ada Lovelace' }), aGuest({ id: 'bob', name: 'Bob' })],
      { [`POST ${PATH}.csv`]: () => ({ body: 'name\r\nAda' }) },
    );
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Ada Lovelace' }));
    // pressing the box is not pressing the row
    expect(screen.queryByRole('dialog')).toBeNull();
    await screen.findByRole('region', { name: 'Selected: Guests' });
    const page = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select all on this page' });
    await userEvent.click(page);
    expect(page.checked).toBe(true);
    screen.getByRole('button', { name: 'Message (3)' });
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select Bob' }));
    await press('Export selected');
    await waitFor(() => expect(saved).toEqual([expect.stringMatching(/^guests-\d{4}-\d\d-\d\d\.csv$/)]));
    expect(sent(requests)).toEqual([['POST', `${PATH}.csv`, { ids: ['ada', 'grace'] }]]);
    await press('Clear');
    expect(screen.queryByRole('region', { name: 'Selected: Guests' })).toBeNull();
    click.mockRestore();
  });

  it('shows what a guest has answered', async () => {
    open([aGuest({ answers: { [DIET]: 'Nuts', [FIRST]: true } })], {}, anAskingEvent());
    await press('Grace Hopper');
    const drawer = await dialogCalled('Grace Hopper');
    const facts = within(drawer)
      .getAllByRole('definition')
      .map(({ textContent }) => textContent);
    expect(facts.slice(-2)).toEqual(['Nuts', 'Yes']);
    expect(within(drawer).queryByText('Which track?')).toBeNull();
  });

  it('asks the server for what is searched and filtered', async () => {
    const { requests } = open([aGuest()]);
    await screen.findByText('Grace Hopper');
    await userEvent.type(screen.getByRole('searchbox'), 'hop');
    await waitFor(() =>
      expect(Object.fromEntries(requests.at(-1)?.query ?? [])).toEqual({ q: 'hop', limit: '20' }),
    );
  });

  it('tells an empty list from a search that finds nobody', async () => {
    open([]);
    await screen.findByText('Nobody has registered yet');
    await userEvent.type(screen.getByRole('searchbox'), 'x');
    await screen.findByText('Nobody matches');
  });

  it('takes nobody on for a draft', async () => {
    open([], {}, { status: 'draft' });
    await screen.findByText('Nobody has registered yet');
    expect(screen.queryByRole('button', { name: 'Add guest' })).toBeNull();
  });
});

describe('Adding a guest', () => {
  const fill = async (name: string, email: string) => {
    await press('Add guest');
    await screen.findByRole('dialog');
    const dialog = within(await dialogCalled('Add a guest'));
    if (name) await userEvent.type(dialog.getByLabelText('Name'), name);
    if (email) await userEvent.type(dialog.getByLabelText('Email'), email);
    await userEvent.click(dialog.getByRole('button', { name: 'Add guest' }));
    return dialog;
  };

  it('at a full event says how many wait, and adds a place only when asked to', async () => {
    const answers = [
      () => refusal(409, 'EVENT_FULL', 'This event is full', { waiting: 4 }),
      () => ({ status: 201, body: aGuest() }),
    ];
    const { requests, toasts } = open([], { [`POST ${PATH}`]: () => answers.shift()!() });
    await fill('Grace Hopper', '');
    const question = await dialogCalled('No place is free');
    expect(question.textContent).toContain('4 other people wait');
    await userEvent.click(within(question).getByRole('button', { name: 'Add a place' }));
    await waitFor(() => expect(toasts.at(-1)?.description).toBe('Grace Hopper has a place now'));
    expect(sent(requests)).toEqual([
      ['POST', PATH, { name: 'Grace Hopper', email: null }],
      ['POST', PATH, { name: 'Grace Hopper', email: null, raiseCapacity: true }],
    ]);
  });

  it('asks for a name and an address that could be one, before anything is sent', async () => {
    const { requests } = open([]);
    const dialog = await fill('', 'grace');
    dialog.getByText('Name is required');
    dialog.getByText('Invalid email address');
    expect(sent(requests)).toEqual([]);
  });

  it('says at the address when it is on the list', async () => {
    open([], { [`POST ${PATH}`]: () => refusal(409, 'GUEST_EXISTS', 'Somebody is on the list') });
    const dialog = await fill('Grace', 'grace@example.org');
    await dialog.findByText('Somebody with this email address is on the guest list already');
  });
});

describe('One guest', () => {
  const openGuest = async () => {
    await press('Grace Hopper');
    await screen.findByRole('dialog');
    return within(await dialogCalled('Grace Hopper'));
  };

  it('is removed with a reason', async () => {
    const { requests, toasts } = open([aGuest()], { [`DELETE ${PATH}/grace`]: () => ({ status: 204 }) });
    await userEvent.click((await openGuest()).getByRole('button', { name: 'Remove' }));
    const question = within(await dialogCalled('Remove from the guest list'));
    await userEvent.type(question.getByLabelText('Reason (optional)'), 'Only 3 chairs');
    await userEvent.click(question.getByRole('button', { name: 'Remove' }));
    await waitFor(() =>
      expect(toasts.at(-1)?.description).toBe('Grace Hopper is not on the guest list any more'),
    );
    expect(sent(requests)).toEqual([['DELETE', `${PATH}/grace`, { reason: 'Only 3 chairs' }]]);
  });

  it('gets a private note, and the mark of having paid', async () => {
    const { requests, toasts } = open([aGuest()], { [`PATCH ${PATH}/grace`]: () => ({ body: aGuest() }) });
    const drawer = await openGuest();
    await userEvent.click(drawer.getByRole('switch', { name: 'Paid' }));
    await userEvent.type(drawer.getByLabelText('Note'), 'Vegan');
    await userEvent.click(drawer.getByRole('button', { name: 'Save note' }));
    await waitFor(() => expect(toasts.at(-1)?.description).toBe('Note saved'));
    expect(sent(requests).map(([, , body]) => body)).toEqual([{ paid: true }, { note: 'Vegan' }]);
  });

  it.each([
    ['2030-05-01T18:07:00.000Z', false],
    [null, true],
  ])('who came at %s by the door is corrected', async (checkedInAt, checkedIn) => {
    const { requests } = open([aGuest({ checkedInAt })], {
      [`PATCH ${PATH}/grace`]: () => ({ body: aGuest() }),
    });
    const drawer = await openGuest();
    await userEvent.click(drawer.getByRole('switch', { name: 'Checked in', checked: !checkedIn }));
    expect(sent(requests)).toEqual([['PATCH', `${PATH}/grace`, { checkedIn }]]);
  });

  it('who has no place is not checked in', async () => {
    open([aGuest({ state: 'cancelled' })]);
    const drawer = await openGuest();
    expect(drawer.queryByRole('switch', { name: 'Checked in' })).toBeNull();
  });

  it('who waits gets a place out of turn, and the others who wait are named where none is free', async () => {
    const waiting = aGuest({ state: 'waitlisted' });
    open([waiting], {
      [`POST ${PATH}/grace/place`]: () => refusal(409, 'EVENT_FULL', 'This event is full', { waiting: 2 }),
    });
    await press('Give a place: Grace Hopper');
    const question = await dialogCalled('No place is free');
    expect(question.textContent).toContain('One other person waits');
  });
});
