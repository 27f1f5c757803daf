import { jest } from '@jest/globals';
import type { EventPage } from '@meetmark/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { anAskingEvent, anEvent, aUser, QUESTIONS, TOPICS, TRACK } from '../../../testing/samples';
import { forgetPersisted, TYPED } from '../../../ui/persisted-state';
import EventFormDialog, { EventForm } from './event-form';

const EVENT = anEvent();
/** As `fakeApi`, and returns the calls that have an answer alone: suggestions are asked for beside them. */
function saves(handlers: Parameters<typeof fakeApi>[0]) {
  const made: ReturnType<typeof fakeApi> = [];
  fakeApi(
    Object.fromEntries(
      Object.entries(handlers).map(([call, answer]) => [
        call,
        (request: (typeof made)[number]) => {
          made.push(request);
          return answer(request);
        },
      ]),
    ),
  );
  return made;
}

const CHANGE = `PUT /api/events/${EVENT.id}`;
const edit = () =>
  renderScreen(<EventFormDialog event={EVENT} close={jest.fn()} />, { user: aUser({ isAdmin: true }) });
const save = () => userEvent.click(screen.getByRole('button', { name: 'Update Event' }));
const noteOf = (label: string) => {
  const id = screen.getByLabelText(label).getAttribute('aria-describedby');
  return id ? document.getElementById(id)?.textContent : null;
};

describe('The event form', () => {
  beforeEach(() => localStorage.clear());

  it('leads to the first field that is wrong, and forgets what is wrong with it when it is changed', async () => {
    const requests = saves({});
    edit();
    await userEvent.clear(screen.getByLabelText('Event Title'));
    await userEvent.clear(screen.getByLabelText('End Time'));
    await save();
    expect(document.activeElement).toBe(screen.getByLabelText('Event Title'));
    expect(noteOf('Event Title')).toBe('Title is required');
    await userEvent.keyboard('A');
    expect(noteOf('Event Title')).toBeNull();
    expect(noteOf('End Time')).toBe('End time is required');
    expect(requests).toEqual([]);
  });

  it('says under End Time, as in the toast, that it is before the start', async () => {
    const requests = saves({});
    const { toasts } = edit();
    fireEvent.change(screen.getByLabelText('End Time'), { target: { value: '01:00' } });
    await save();
    const words = 'End date and time must be after start date and time';
    expect(toasts).toEqual([{ kind: 'error', title: 'Invalid Date Range', description: words }]);
    expect(noteOf('End Time')).toBe(words);
    expect(document.activeElement).toBe(screen.getByLabelText('End Time'));
    expect(requests).toEqual([]);
  });

  it('offers another time zone on demand, found by its city or as people say it', async () => {
    const requests = saves({ [CHANGE]: () => ({ body: EVENT }) });
    edit();
    screen.getByText(/^Times are those of Europe\/London\./);
    await userEvent.click(screen.getByRole('button', { name: 'Another time zone' }));
    const field = screen.getByRole('combobox', { name: 'Time zone' });
    expect(document.activeElement).toBe(field);
    await userEvent.type(field, 'eastern time');
    await screen.findByTitle('America/Detroit · Eastern Time');
    await userEvent.clear(field);
    await userEvent.type(field, 'new york');
    await userEvent.click(await screen.findByTitle('America/New York · Eastern Time'));
    await save();
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(requests[0]!.body).toMatchObject({ timeZone: 'America/New_York' });
  });

  it('tells below the field what the server found wrong with it', async () => {
    saves({
      [CHANGE]: () =>
        refusal(400, 'VALIDATION_FAILED', 'Some fields are not valid', {
          fields: { capacity: ['capacity must be at most 1000000'] },
          rules: { capacity: { rule: 'max', limit: 1_000_000 } },
        }),
    });
    edit();
    await userEvent.type(screen.getByLabelText('Capacity (optional)'), '2000000');
    await save();
    await waitFor(() => expect(noteOf('Capacity (optional)')).toBe('At most 1,000,000'));
    expect(document.activeElement).toBe(screen.getByLabelText('Capacity (optional)'));
  });

  describe('because somebody else has saved it since', () => {
    const THEIRS = anEvent({ capacity: 60, location: 'Town hall', version: 2 });
    const conflict = () =>
      refusal(409, 'EDIT_CONFLICT', 'This has been changed', {
        present: THEIRS,
        edits: [
          {
            by: 'Grace Hopper',
            own: false,
            at: '2026-11-22T09:00:00.000Z',
            changed: ['location', 'capacity'],
          },
        ],
      });
    const meet = async (handlers: Parameters<typeof fakeApi>[0]) => {
      const requests = saves(handlers);
      const rendered = edit();
      await userEvent.type(screen.getByLabelText('Event Title'), ' for all');
      await userEvent.clear(screen.getByLabelText('Location'));
      await userEvent.type(screen.getByLabelText('Location'), 'Library');
      await save();
      await screen.findByRole('alert', { name: 'Changed while you were editing' });
      return { requests, ...rendered };
    };

    it('says who changed what, keeps what was typed and shows both', async () => {
      const { requests, toasts } = await meet({ [CHANGE]: conflict });
      expect(requests[0]?.body).toMatchObject({ title: `${EVENT.title} for all`, version: 1 });
      screen.getByText(/^Grace Hopper changed location and capacity \(.*Nov 22/);
      const rows = screen.getAllByRole('row').map((row) => row.textContent);
      expect(rows).toEqual(['FieldTheirsYours', 'locationTown hallLibrary', 'capacity60not changed by you']);
      expect(screen.getByLabelText<HTMLInputElement>('Location').value).toBe('Library');
      expect(toasts).toEqual([]);
    });

    it('saves over it only what was changed here', async () => {
      const answers = [conflict, () => ({ body: THEIRS })];
      const { requests } = await meet({ [CHANGE]: () => answers.shift()!() });
      await userEvent.click(screen.getByRole('button', { name: 'Save my changes' }));
      await waitFor(() => expect(requests).toHaveLength(2));
      expect(requests[1]?.body).toEqual({ title: `${EVENT.title} for all`, location: 'Library', version: 2 });
    });

    it('goes on from what the other has saved', async () => {
      const answers = [conflict, () => ({ body: THEIRS })];
      const { requests } = await meet({ [CHANGE]: () => answers.shift()!() });
      await userEvent.click(screen.getByRole('button', { name: 'Use theirs' }));
      expect(screen.queryByRole('alert')).toBeNull();
      expect(screen.getByLabelText<HTMLInputElement>('Location').value).toBe('Town hall');
      await save();
      await waitFor(() => expect(requests).toHaveLength(2));
      expect(requests[1]?.body).toMatchObject({ title: EVENT.title, capacity: 60, version: 2 });
    });
  });

  describe('of an event with people', () => {
    const PEOPLE = anEvent({ registrationCount: 23, capacity: 30, waitingCount: 4, seriesId: 'series' });
    const meet = (event = PEOPLE) => {
      const requests = saves({ [CHANGE]: () => ({ body: event }) });
      renderScreen(<EventForm event={event} dismiss={jest.fn()} />, { user: aUser({ isAdmin: true }) });
      return requests;
    };
    const tell = () =>
      screen.getByRole<HTMLInputElement>('checkbox', { name: 'Tell the 23 people who are registered' });

    it('proposes to tell them what concerns them, and sends what was decided', async () => {
      const requests = meet();
      expect(tell().checked).toBe(false);
      await userEvent.type(screen.getByLabelText('Description'), 'Coffee');
      expect(tell().checked).toBe(false);
      await userEvent.type(screen.getByLabelText('Location'), ' Hall');
      expect(tell().checked).toBe(true);
      await userEvent.type(screen.getByLabelText('What you want to add (optional)'), 'It is next door.');
      await userEvent.click(screen.getByRole('radio', { name: 'This and later' }));
      await save();
      await waitFor(() => expect(requests).toHaveLength(1));
      expect(requests[0]?.body).toMatchObject({ notify: true, note: 'It is next door.', scope: 'later' });
    });

    it('keeps the decision against the proposal', async () => {
      const requests = meet();
      await userEvent.click(tell());
      await userEvent.click(tell());
      await userEvent.type(screen.getByLabelText('Location'), ' Hall');
      expect(tell().checked).toBe(false);
      await save();
      await waitFor(() => expect(requests).toHaveLength(1));
      expect(requests[0]?.body).toMatchObject({ notify: false });
      expect(requests[0]?.body).not.toHaveProperty('scope');
      expect(requests[0]?.body).not.toHaveProperty('publishAt');
    });

    it('asks what happens to who waits before the waiting list is turned off', async () => {
      const requests = meet();
      await userEvent.click(screen.getByRole('switch', { name: 'Waiting list' }));
      await save();
      await screen.findByText('Choose what happens to who waits');
      expect(requests).toEqual([]);
      await userEvent.click(screen.getByRole('radio', { name: 'They get a place' }));
      await save();
      await waitFor(() => expect(requests).toHaveLength(1));
      expect(requests[0]?.body).toMatchObject({ waitlistEnabled: false, waitlistOff: 'promote' });
    });

    it('asks so, too, when somebody began to wait meanwhile', async () => {
      const requests = saves({
        [CHANGE]: () => refusal(409, 'WAITLIST_NOT_EMPTY', 'People are waiting', { waiting: 1 }),
      });
      renderScreen(<EventForm event={EVENT} dismiss={jest.fn()} />, { user: aUser({ isAdmin: true }) });
      await userEvent.click(screen.getByRole('switch', { name: 'Waiting list' }));
      await save();
      await screen.findByText('One person is waiting. What happens to them?');
      expect(requests).toHaveLength(1);
    });
  });

  it('asks before it is left with a switch changed, and does not once that is as it was', async () => {
    saves({});
    const close = jest.fn();
    renderScreen(<EventFormDialog event={EVENT} close={close} />, { user: aUser({ isAdmin: true }) });
    const waitingList = await screen.findByRole('switch', { name: 'Waiting list' });
    const question = () => screen.queryByText('Discard what you typed?');
    // as Escape does, of which several dialogs under one id hear nothing in tests
    const leave = () => userEvent.click(screen.getAllByRole('button', { name: 'Close' })[0]!);
    await userEvent.click(waitingList);
    await leave();
    await waitFor(() => expect(question()).not.toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
    await waitFor(() => expect(question()).toBeNull());
    await userEvent.click(waitingList);
    await leave();
    await waitFor(() => expect(close).toHaveBeenCalled());
    expect(question()).toBeNull();
  });

  describe('with what was typed before', () => {
    const open = () => renderScreen(<EventForm dismiss={jest.fn()} />, { user: aUser({ isAdmin: true }) });
    const title = () => screen.getByLabelText<HTMLInputElement>('Event Title');

    it('offers it again after the tab was closed, and forgets it when it is discarded or signed out', async () => {
      saves({});
      const first = open();
      await userEvent.type(title(), 'Copy clinic');
      await waitFor(() => expect(localStorage.length).toBe(1));
      first.unmount();

      const second = open();
      expect(title().value).toBe('');
      await userEvent.click(screen.getByRole('button', { name: 'Go on with it' }));
      expect(title().value).toBe('Copy clinic');
      second.unmount();

      const somebodyElse = renderScreen(<EventForm dismiss={jest.fn()} />, {
        user: aUser({ id: 'another', isAdmin: true }),
      });
      expect(screen.queryByText('You had begun to write')).toBeNull();
      somebodyElse.unmount();

      const third = open();
      await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
      third.unmount();
      open();
      expect(screen.queryByText('You had begun to write')).toBeNull();
      localStorage.setItem('typed:event:x:new', '{}');
      forgetPersisted(TYPED);
      expect(localStorage.length).toBe(0);
    });
  });

  it('creates a draft, publishes it later or at once', async () => {
    const requests = saves({
      'POST /api/events': () => ({ status: 201, body: anEvent({ status: 'draft' }) }),
    });
    const { toasts } = renderScreen(<EventForm dismiss={jest.fn()} />, { user: aUser({ isAdmin: true }) });
    const fill = (label: string, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    fill('Event Title', 'Copy clinic');
    fill('Start Date', '2030-05-01');
    fill('Start Time', '09:00');
    expect(screen.getByLabelText<HTMLInputElement>('End Time').value).toBe('11:00');
    await userEvent.click(screen.getByRole('button', { name: 'Save draft' }));
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(requests[0]?.body).toMatchObject({ status: 'draft', endDate: '2030-05-01T10:00:00.000Z' });
    await waitFor(() => expect(toasts[0]?.description).toBe('Draft saved successfully'));
    expect(window.location.pathname).toBe(`/admin/events/${anEvent().id}`);

    fill('Publish later (optional)', '2030-04-01T08:00');
    await userEvent.click(screen.getByRole('button', { name: 'Create Event' }));
    await waitFor(() => expect(requests).toHaveLength(2));
    expect(requests[1]?.body).toMatchObject({ status: 'draft', publishAt: '2030-04-01T07:00:00.000Z' });
  });

  describe('of a community with topics', () => {
    const many = ['A', 'B'].map((name, n) => ({ ...TOPICS[0]!, id: String(n), slug: name, name }));
    const announce = () => screen.queryByRole<HTMLElement>('switch', { name: 'Announce it by email' });
    const meet = (event?: EventPage) => {
      const requests = saves({
        'POST /api/events': () => ({ status: 201, body: anEvent() }),
        [CHANGE]: () => ({ body: anEvent() }),
        'GET /api/topics': () => ({ body: [...TOPICS, ...many] }),
      });
      renderScreen(<EventForm event={event} dismiss={jest.fn()} />, { user: aUser({ isAdmin: true }) });
      return async () => {
        await waitFor(() => expect(requests.at(-1)?.method).toMatch('P'));
        return requests.at(-1)?.body;
      };
    };
    const choose = async (name: string) => userEvent.click(await screen.findByRole('checkbox', { name }));
    const fill = () => {
      for (const [label, value] of [
        ['Event Title', 'Copy clinic'],
        ['Start Date', '2030-05-01'],
        ['Start Time', '09:00'],
      ] as const)
        fireEvent.change(screen.getByLabelText(label), { target: { value } });
    };
    const [ppc, seo] = TOPICS.map(({ id }) => id);

    it('gives an event three at most, in the order of choosing, and announces it only when asked to', async () => {
      const sent = meet();
      for (const name of ['SEO', 'A', 'PPC']) await choose(name);
      expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'B' }).disabled).toBe(true);
      await choose('A');
      expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'B' }).disabled).toBe(false);
      fill();
      await userEvent.click(screen.getByRole('button', { name: 'Create Event' }));
      expect(await sent()).toMatchObject({ topics: [seo, ppc], announce: false });
    });

    it('announces a new event, but a draft without a moment of publishing only when it is published', async () => {
      const sent = meet();
      expect(announce()).toBeNull();
      await choose('SEO');
      await userEvent.click(announce()!);
      fill();
      await userEvent.click(screen.getByRole('button', { name: 'Save draft' }));
      expect(await sent()).not.toHaveProperty('announce');
      await userEvent.click(screen.getByRole('button', { name: 'Create Event' }));
      await waitFor(async () => expect(await sent()).toMatchObject({ topics: [seo], announce: true }));
      await userEvent.click(screen.getByRole('radio', { name: 'Unlisted' }));
      expect(announce()).toBeNull();
    });

    it('says of a draft that publishes itself whether it is announced then, and asks nothing of what is published', async () => {
      const publishAt = '2030-04-01T07:00:00.000Z';
      const topics = [TOPICS[1]!];
      const sent = meet(anEvent({ status: 'draft', publishAt, topics, announcement: 'planned' }));
      expect(announce()?.getAttribute('aria-checked')).toBe('true');
      await userEvent.click(announce()!);
      await save();
      expect(await sent()).toMatchObject({ topics: [seo], announce: false });
      meet(anEvent({ topics, announcement: 'announced' }));
      await waitFor(() => expect(screen.getAllByRole('checkbox', { name: 'SEO' })).toHaveLength(2));
      expect(screen.getAllByRole('switch', { name: 'Announce it by email' })).toHaveLength(1);
    });
  });

  it('tells beside the fields what can be done when there is no connection', async () => {
    saves({});
    const { toasts } = edit();
    await save();
    await screen.findByText('Check your connection and try again.');
    expect(toasts).toEqual([{ kind: 'error', title: 'Error', description: 'Failed to update event' }]);
  });

  it('shows what is read of how people pay while nothing is said, and requires nothing', async () => {
    const requests = saves({ [CHANGE]: () => ({ body: EVENT }) });
    edit();
    await userEvent.click(screen.getByRole('radio', { name: 'Paid Event' }));
    await userEvent.type(screen.getByLabelText('Price (GBP)'), '15');
    const field = screen.getByLabelText<HTMLInputElement>('How do people pay?');
    expect(field.placeholder).toBe('Ask the organiser how to pay');
    await save();
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(requests[0]?.body).toMatchObject({ price: '15' });
    expect(requests[0]?.body).not.toHaveProperty('paymentNote');
  });

  it('proposes the venues that events had, with all that is known of them', async () => {
    const venue = { name: 'Platform', address: 'New Station Street', note: 'Ring twice', mapUrl: null };
    const requests = saves({
      'GET /api/venues': () => ({ body: [venue] }),
      [CHANGE]: () => ({ body: EVENT }),
    });
    edit();
    await waitFor(() => expect(document.querySelector('datalist option')).toBeTruthy());
    fireEvent.change(screen.getByLabelText('Location'), {
      target: { value: 'Platform, New Station Street' },
    });
    expect(screen.getByLabelText<HTMLInputElement>('Address (optional)').value).toBe('New Station Street');
    await save();
    await waitFor(() => expect(requests.at(-1)?.method).toBe('PUT'));
    expect(requests.at(-1)?.body).toMatchObject({ venue });
    expect(requests.at(-1)?.body).not.toHaveProperty('location');
  });

  it('takes a joining link for an event from afar alone, and only an encrypted one', async () => {
    const requests = saves({ [CHANGE]: () => ({ body: EVENT }) });
    edit();
    expect(screen.queryByLabelText('Joining link (optional)')).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: 'Online' }));
    await userEvent.type(screen.getByLabelText('Joining link (optional)'), 'http://meet.example/1');
    await save();
    expect(noteOf('Joining link (optional)')).toMatch(/^The link must start with https:/);
    fireEvent.change(screen.getByLabelText('Joining link (optional)'), {
      target: { value: 'https://meet.example/1' },
    });
    await save();
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(requests[0]?.body).toMatchObject({ format: 'online', onlineUrl: 'https://meet.example/1' });
  });

  it('holds a description in Markdown, an agenda, speakers and links', async () => {
    const requests = saves({ [CHANGE]: () => ({ body: EVENT }) });
    edit();
    await userEvent.type(screen.getByLabelText('Description'), '**Coffee**');
    await userEvent.click(screen.getByRole('button', { name: 'Add to the agenda' }));
    await save();
    await screen.findByText('Each item needs its start and what happens');
    await userEvent.type(screen.getByLabelText('What happens'), 'Doors open');
    await userEvent.click(screen.getByRole('button', { name: 'Add a speaker' }));
    await userEvent.type(screen.getByLabelText('Speaker’s name'), 'Grace Hopper');
    await userEvent.click(screen.getByRole('button', { name: 'Add a link' }));
    await userEvent.type(screen.getByLabelText('What it is'), 'Slides');
    await userEvent.type(screen.getByLabelText('Address'), 'https://example.org/slides');
    await save();
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(requests[0]?.body).toMatchObject({
      description: '**Coffee**',
      descriptionFormat: 'markdown',
      agenda: [{ startsAt: EVENT.startDate, endsAt: null, title: 'Doors open', note: null }],
      speakers: [{ name: 'Grace Hopper', role: null, bio: null, linkUrl: null }],
      resources: [{ title: 'Slides', url: 'https://example.org/slides' }],
    });
    await userEvent.click(screen.getByRole('button', { name: 'Remove agenda item 1' }));
    expect(screen.queryByLabelText('What happens')).toBeNull();
  });

  it('finds hosts and speakers by two letters of their names, by the call of the event, and asks hosts to manage it', async () => {
    const people = [
      { id: 'ada', firstName: 'Ada', lastName: 'Lovelace', profileImageUrl: null },
      { id: 'grace', firstName: 'Grace', lastName: 'Hopper', profileImageUrl: null },
    ];
    const search = `GET /api/admin/events/${EVENT.id}/members/search`;
    const requests = saves({
      [search]: ({ query }) => ({
        body: people.filter(({ id }) => id.startsWith(query.get('q') ?? '')),
      }),
      [CHANGE]: () => ({ body: EVENT }),
    });
    renderScreen(<EventFormDialog event={EVENT} close={jest.fn()} />, { user: aUser() });
    const choose = async (field: string, typed: string, name: string) => {
      await userEvent.type(await screen.findByRole('combobox', { name: field }), typed);
      const option = await waitFor(() => {
        const found = screen.queryAllByText(name).find((words) => words.closest('.ant-select-item-option'));
        return found ?? Promise.reject(new Error(`${name} is not proposed`));
      });
      await userEvent.click(option);
    };
    await choose('Hosts (optional)', 'ada', 'Ada Lovelace');
    await choose('Hosts (optional)', 'grace', 'Grace Hopper');
    const hosts = within(screen.getByRole('list', { name: 'Chosen hosts' }));
    expect(hosts.getAllByText('Shown as host: is asked when you save')).toHaveLength(2);
    await userEvent.click(
      hosts.getByRole('checkbox', { name: 'May edit, see guests, message: Grace Hopper' }),
    );
    hosts.getByText(': is asked when you save');
    await choose('Add a member as a speaker', 'grace', 'Grace Hopper');
    expect(screen.getByLabelText<HTMLInputElement>('Speaker’s name').value).toBe('Grace Hopper');
    await userEvent.type(screen.getByLabelText('What they do (optional)'), 'Compilers');
    await save();
    await waitFor(() => expect(requests.at(-1)?.method).toBe('PUT'));
    expect(requests.at(-1)?.body).toMatchObject({
      hosts: ['ada', 'grace'],
      coHosts: ['grace'],
      speakers: [{ userId: 'grace', role: 'Compilers', bio: null }],
    });
    expect(requests.filter(({ query }) => (query.get('q') ?? 'none').length < 2)).toEqual([]);
  });

  it('looks for members of a new event by the call for organisers', async () => {
    const requests = fakeApi({ 'GET /api/admin/members/search': () => ({ body: [] }) });
    renderScreen(<EventFormDialog close={jest.fn()} />, { user: aUser({ role: 'organiser' }) });
    await userEvent.type(await screen.findByRole('combobox', { name: 'Hosts (optional)' }), 'ad');
    await screen.findByText('No member with this name');
    expect(requests.filter(({ path }) => path === '/api/admin/members/search')).toHaveLength(1);
  });

  it('keeps the hosts that an event has, and says what they have answered', async () => {
    const host = {
      id: 'ada',
      firstName: 'Ada',
      lastName: 'Lovelace',
      profileImageUrl: null,
      linkedInUrl: null,
      agreed: true,
      coHost: 'asked' as const,
    };
    const event = anEvent({ content: { ...EVENT.content, hosts: [host] } });
    const requests = saves({ [CHANGE]: () => ({ body: event }) });
    renderScreen(<EventFormDialog event={event} close={jest.fn()} />, { user: aUser({ isAdmin: true }) });
    await screen.findByText('Shown as host: agreed');
    screen.getByText(': asked, has not answered');
    await save();
    await waitFor(() => expect(requests.at(-1)?.body).toMatchObject({ hosts: ['ada'], coHosts: ['ada'] }));
  });

  describe('and the questions at registration', () => {
    const ANSWERS = `/api/admin/events/${EVENT.id}/answers`;
    const open = (event = anAskingEvent(), handlers: Parameters<typeof fakeApi>[0] = {}) => {
      const requests = saves({
        [CHANGE]: () => ({ body: event }),
        [`GET ${ANSWERS}`]: () => ({ body: [{ questionId: TRACK, answered: 2, counts: [] }] }),
        ...handlers,
      });
      renderScreen(<EventFormDialog event={event} close={jest.fn()} />, { user: aUser({ isAdmin: true }) });
      const sent = () =>
        requests
          .filter(({ method }) => method === 'PUT')
          .map(({ body }) => (body as { questions: unknown }).questions);
      return { sent };
    };
    const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

    it('are added, put in another order and removed, by keyboard too', async () => {
      const { sent } = open();
      await press('Add a question');
      expect(document.activeElement).toBe(screen.getAllByLabelText('Question')[3]);
      await save();
      expect(sent()).toEqual([]);
      expect(document.activeElement).toBe(screen.getAllByLabelText('Question')[3]);
      await userEvent.keyboard('Parking?');
      await userEvent.selectOptions(screen.getAllByLabelText('Answer')[3]!, 'Choice');
      await save();
      screen.getByText(/A choice needs 2 to 10 different options/);
      await userEvent.type(screen.getAllByLabelText('Options, one in each line').at(-1)!, 'Car{Enter} Bike ');
      await userEvent.click(screen.getAllByRole('checkbox', { name: 'Needs an answer' })[3]!);
      await press('Move question 4 up');
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move question 3 up' }));
      await press('Remove question 1');
      await save();
      const [, track, first] = QUESTIONS;
      const added = { kind: 'choice', label: 'Parking?', required: true, options: ['Car', 'Bike'] };
      await waitFor(() => expect(sent()).toEqual([[track, added, first]]));
    });

    it('are locked once somebody has answered', async () => {
      open();
      await screen.findByText(/2 people have answered: it stays/);
      expect(screen.getAllByLabelText<HTMLSelectElement>('Answer').map(({ disabled }) => disabled)).toEqual([
        false,
        true,
        false,
      ]);
      expect(screen.queryByRole('button', { name: 'Remove question 2' })).toBeNull();
    });

    it('say which one was answered meanwhile', async () => {
      open(anAskingEvent(), {
        [CHANGE]: () => refusal(409, 'QUESTION_ANSWERED', 'Somebody has', { question: 'Which track?' }),
      });
      await press('Remove question 1');
      await save();
      await screen.findByText(/Somebody has answered “Which track\?” meanwhile/);
    });
  });
});
