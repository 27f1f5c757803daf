import { jest } from '@jest/globals';
import type { EventPage } from '@meetmark/contracts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { enterText } from '../../../testing/enter-text';
import { fakeApi, refusal } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { anAskingEvent, anEvent, aUser, QUESTIONS, TOPICS, TRACK } from '../../../testing/samples';
import { forgetPersisted, TYPED } from '../../../ui/persisted-state';
import { useForm } from '../../../ui/use-form';
import { Field } from '../../../ui/field';
import EventFormDialog, { EventForm } from './event-form';
import { FormDrawer } from './form-drawer';

const EVENT = anEvent();
/** Works like `fakeApi`, but returns only the requests that have a handler. */
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
const edit = (event = EVENT) =>
  renderScreen(<EventFormDialog event={event} close={jest.fn()} />, { user: aUser({ isAdmin: true }) });
const save = () => userEvent.click(screen.getByRole('button', { name: 'Update Event' }));
const getNote = (label: string) => {
  const id = screen.getByLabelText(label).getAttribute('aria-describedby');
  return id ? document.getElementById(id)?.textContent : null;
};

describe('The event form', () => {
  beforeEach(() => localStorage.clear());

  it('focuses the first invalid field and clears its error on change', async () => {
    const requests = saves({});
    edit();
    await userEvent.clear(screen.getByLabelText('Event Title'));
    await userEvent.clear(screen.getByLabelText('End Time'));
    await save();
    expect(document.activeElement).toBe(screen.getByLabelText('Event Title'));
    expect(getNote('Event Title')).toBe('Title is required');
    await userEvent.keyboard('A');
    expect(getNote('Event Title')).toBeNull();
    expect(getNote('End Time')).toBe('End time is required');
    expect(requests).toEqual([]);
  });

  it('refuses a five-digit year with an error at its field', async () => {
    const requests = saves({});
    edit();
    const field = screen.getByLabelText('Start Date');
    fireEvent.change(field, { target: { value: '20271-01-15' } });
    await save();
    expect(getNote('Start Date')).toBe('Fill in the whole date, with a year from 1900 to 2999');
    expect(document.activeElement).toBe(field);
    expect(requests).toEqual([]);
  });

  it('reports an end before the start below “End Time” and in a toast', async () => {
    const requests = saves({});
    const { toasts } = edit();
    fireEvent.change(screen.getByLabelText('End Time'), { target: { value: '01:00' } });
    await save();
    const words = 'End date and time must be after start date and time';
    expect(toasts).toEqual([{ kind: 'error', title: 'Invalid Date Range', description: words }]);
    expect(getNote('End Time')).toBe(words);
    expect(document.activeElement).toBe(screen.getByLabelText('End Time'));
    expect(requests).toEqual([]);
  });

  it('finds another time zone by its city or common name', async () => {
    const requests = saves({ [CHANGE]: () => ({ body: EVENT }) });
    edit();
    screen.getByText(/^Times are in Europe\/London\./);
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

  it.each([
    ['Europe/Kyiv', 'Europe/Kyiv · Eastern European Time'],
    ['calcutta', 'Asia/Kolkata · India Standard Time'],
    ['us/pacific', 'America/Los Angeles · Pacific Time'],
    ['ho_chi', 'Asia/Ho Chi Minh · Indochina Time'],
  ])('finds a time zone by %s and shows its current name', async (typed, found) => {
    saves({});
    edit();
    await userEvent.click(screen.getByRole('button', { name: 'Another time zone' }));
    fireEvent.change(screen.getByRole('combobox', { name: 'Time zone' }), { target: { value: typed } });
    await screen.findByTitle(found);
  });

  it('shows the current name of a time zone stored under an old name', () => {
    saves({});
    edit(anEvent({ timeZone: 'Asia/Calcutta' }));
    screen.getByTitle('Asia/Kolkata · India Standard Time');
  });

  it('shows a server error below the field it concerns', async () => {
    saves({
      [CHANGE]: () =>
        refusal(400, 'VALIDATION_FAILED', 'Some fields are not valid', {
          fields: { capacity: ['capacity must be at most 1000000'] },
          rules: { capacity: { rule: 'max', limit: 1_000_000 } },
        }),
    });
    edit();
    await enterText(screen.getByLabelText('Capacity (optional)'), '2000000');
    await save();
    await waitFor(() => expect(getNote('Capacity (optional)')).toBe('At most 1,000,000'));
    expect(document.activeElement).toBe(screen.getByLabelText('Capacity (optional)'));
  });

  describe('after someone else has saved the event', () => {
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
      await enterText(screen.getByLabelText('Event Title'), ' for all');
      await userEvent.clear(screen.getByLabelText('Location'));
      await enterText(screen.getByLabelText('Location'), 'Library');
      await save();
      await screen.findByRole('alert', { name: 'Changed while you were editing' });
      return { requests, ...rendered };
    };

    it('says who changed what and shows both versions', async () => {
      const { requests, toasts } = await meet({ [CHANGE]: conflict });
      expect(requests[0]?.body).toMatchObject({ title: `${EVENT.title} for all`, version: 1 });
      screen.getByText(/^Grace Hopper changed location and capacity \(.*Nov 22/);
      const rows = screen.getAllByRole('row').map((row) => row.textContent);
      expect(rows).toEqual(['FieldTheirsYours', 'locationTown hallLibrary', 'capacity60not changed by you']);
      expect(screen.getByLabelText<HTMLInputElement>('Location').value).toBe('Library');
      expect(toasts).toEqual([]);
    });

    it('saves only the fields that you changed', async () => {
      const answers = [conflict, () => ({ body: THEIRS })];
      const { requests } = await meet({ [CHANGE]: () => answers.shift()!() });
      await userEvent.click(screen.getByRole('button', { name: 'Save my changes' }));
      await waitFor(() => expect(requests).toHaveLength(2));
      expect(requests[1]?.body).toEqual({ title: `${EVENT.title} for all`, location: 'Library', version: 2 });
    });

    it('can replace your changes with the other person’s version', async () => {
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

  describe('when the event has guests', () => {
    const PEOPLE = anEvent({
      ...{ registrationCount: 23, capacity: 30, seriesId: 'series' },
      ...{ waitlistEnabled: true, waitingCount: 4 },
    });
    const meet = (event = PEOPLE) => {
      const requests = saves({ [CHANGE]: () => ({ body: event }) });
      renderScreen(<EventForm event={event} dismiss={jest.fn()} />, { user: aUser({ isAdmin: true }) });
      return requests;
    };
    const tell = () =>
      screen.getByRole<HTMLInputElement>('checkbox', { name: 'Tell the 23 people who are registered' });

    it('preselects notifying guests after a relevant change, and sends the choice', async () => {
      const requests = meet();
      expect(tell().checked).toBe(false);
      await enterText(screen.getByLabelText('Description'), 'Coffee');
      expect(tell().checked).toBe(false);
      await enterText(screen.getByLabelText('Location'), ' Hall');
      expect(tell().checked).toBe(true);
      await enterText(screen.getByLabelText('Add a note (optional)'), 'It is next door.');
      await userEvent.click(screen.getByRole('radio', { name: 'This and later' }));
      await save();
      await waitFor(() => expect(requests).toHaveLength(1));
      expect(requests[0]?.body).toMatchObject({ notify: true, note: 'It is next door.', scope: 'later' });
    });

    it('keeps the choice not to notify guests', async () => {
      const requests = meet();
      await userEvent.click(tell());
      await userEvent.click(tell());
      await enterText(screen.getByLabelText('Location'), ' Hall');
      expect(tell().checked).toBe(false);
      await save();
      await waitFor(() => expect(requests).toHaveLength(1));
      expect(requests[0]?.body).toMatchObject({ notify: false });
      expect(requests[0]?.body).not.toHaveProperty('scope');
      expect(requests[0]?.body).not.toHaveProperty('publishAt');
    });

    it('asks about people on the waiting list before switching it off', async () => {
      const requests = meet();
      await userEvent.click(screen.getByRole('switch', { name: 'Waiting list' }));
      await save();
      await screen.findByText('Choose what happens to people on the waiting list');
      expect(requests).toEqual([]);
      await userEvent.click(screen.getByRole('radio', { name: 'They get a place' }));
      await save();
      await waitFor(() => expect(requests).toHaveLength(1));
      expect(requests[0]?.body).toMatchObject({ waitlistEnabled: false, waitlistOff: 'promote' });
    });

    it('reopens “More options” to ask about people on the waiting list', async () => {
      const requests = meet();
      await userEvent.click(screen.getByRole('switch', { name: 'Waiting list' }));
      await userEvent.click(screen.getByText('More options'));
      await save();
      const question = await screen.findByText('4 people are waiting. What should happen to them?');
      expect(question.closest('details')?.open).toBe(true);
      expect(requests).toEqual([]);
    });

    it('asks about someone who has just joined the waiting list', async () => {
      const requests = saves({
        [CHANGE]: () => refusal(409, 'WAITLIST_NOT_EMPTY', 'People are waiting', { waiting: 1 }),
      });
      const event = anEvent({ waitlistEnabled: true });
      renderScreen(<EventForm event={event} dismiss={jest.fn()} />, { user: aUser({ isAdmin: true }) });
      await userEvent.click(screen.getByRole('switch', { name: 'Waiting list' }));
      await save();
      await screen.findByText('One person is waiting. What should happen to them?');
      expect(requests).toHaveLength(1);
    });
  });

  describe('with its “More options” section', () => {
    const create = (close = jest.fn()) => {
      const rendered = renderScreen(<EventFormDialog close={close} />, {
        user: aUser({ isAdmin: true }),
        path: '/events?create=1',
      });
      return { ...rendered, close };
    };
    const more = () => screen.getByText('More options').closest('details')!;
    const openSections = () =>
      [...more().querySelectorAll('details[open]')].map(
        (section) => section.querySelector('summary')!.textContent,
      );

    it('shows the ten basic fields above “More options”, in the specified order', async () => {
      create();
      await screen.findByLabelText('Event Title');
      const fields = [
        ...['Event Title', 'Description', 'Start Date', 'Start Time', 'End Date', 'End Time'],
        ...['Location', 'Capacity (optional)'],
      ].map((label): HTMLElement => screen.getByLabelText(label));
      fields.push(
        screen.getByRole('button', { name: 'Choose an image' }),
        screen.getByRole('radio', { name: 'Free Event' }),
      );
      expect(fields.map((field) => field.closest('details'))).toEqual(fields.map(() => null));
      const block = more().previousElementSibling!;
      const controls = [
        ...block.querySelectorAll('input:not([type=file]), textarea, button, [role=textbox]'),
      ];
      const places = fields.map((field) => controls.indexOf(field));
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(places[0]).toBe(0);
      const labels = [...block.querySelectorAll('label, legend')].map(({ textContent }) => textContent);
      expect(labels).toEqual([
        ...['Event Title', 'Description', 'Write', 'As Markdown', 'Preview'],
        ...['Start Date', 'Start Time', 'End Date', 'End Time', 'Location', 'Capacity (optional)'],
        ...['Pricing', 'Free Event', 'Paid Event'],
      ]);
    });

    it('shows the waiting list as the first option, switched off', async () => {
      create();
      const waitingList = await screen.findByRole('switch', { name: 'Waiting list' });
      expect(more().querySelector('input, textarea, select, [role=switch], [role=radio]')).toBe(waitingList);
      expect(waitingList.getAttribute('aria-checked')).toBe('false');
      expect(openSections()).toEqual([]);
    });

    it('remembers in the browser whether “More options” is open', async () => {
      const isOpenAfter = async (press: boolean) => {
        const { unmount } = create();
        await screen.findByLabelText('Event Title');
        const wasOpen = more().open;
        if (press) await userEvent.click(screen.getByText('More options'));
        unmount();
        return wasOpen;
      };
      expect(await isOpenAfter(true)).toBe(false);
      expect(await isOpenAfter(false)).toBe(true);
      expect(await isOpenAfter(true)).toBe(true);
      expect(await isOpenAfter(false)).toBe(false);
    });

    it.each<[string[], Partial<EventPage>]>([
      [['When'], { timeZone: 'America/New_York' }],
      [['Where'], { content: { ...EVENT.content, accessibility: 'Step-free' } }],
      [['Questions'], { content: { ...EVENT.content, questions: QUESTIONS } }],
      [['Who can see it'], { visibility: 'unlisted' }],
      [[], { waitlistEnabled: true }],
    ])('opens “More options” and the sections %j that the event uses', async (sections, given) => {
      const event = anEvent({ waitlistEnabled: false, ...given });
      saves({});
      renderScreen(<EventFormDialog event={event} close={jest.fn()} />, { user: aUser({ isAdmin: true }) });
      await screen.findByLabelText('Event Title');
      expect(more().open).toBe(true);
      expect(openSections()).toEqual(sections);
    });

    it('keeps “More options” closed when the event uses no option', async () => {
      saves({});
      renderScreen(<EventFormDialog event={anEvent({ waitlistEnabled: false })} close={jest.fn()} />, {
        user: aUser({ isAdmin: true }),
      });
      await screen.findByLabelText('Event Title');
      expect(more().open).toBe(false);
    });

    it('closes after saving, stays on the page, and offers to open the event', async () => {
      const event = anEvent({ slug: 'copy-clinic' });
      saves({ 'POST /api/events': () => ({ status: 201, body: event }) });
      const { toasts, close } = create();
      const fill = (label: string, value: string) =>
        fireEvent.change(screen.getByLabelText(label), { target: { value } });
      await screen.findByLabelText('Event Title');
      fill('Event Title', 'Copy clinic');
      fill('Start Date', '2030-05-01');
      fill('Start Time', '09:00');
      await userEvent.click(screen.getByRole('button', { name: 'Create Event' }));
      await waitFor(() => expect(close).toHaveBeenCalledTimes(1));
      const [toast] = toasts;
      expect(toasts).toHaveLength(1);
      expect(toast).toMatchObject({
        ...{ kind: 'success', title: 'Success', description: 'Event created successfully' },
        action: { label: 'Open event' },
      });
      expect(window.location.pathname + window.location.search).toBe('/events?create=1');
      act(() => toast!.action!.run());
      expect(window.location.pathname).toBe('/e/copy-clinic');
    });
  });

  it('asks before it closes while a switch differs from its saved value', async () => {
    saves({});
    const close = jest.fn();
    renderScreen(<EventFormDialog event={EVENT} close={close} />, { user: aUser({ isAdmin: true }) });
    const waitingList = await screen.findByRole('switch', { name: 'Waiting list' });
    const question = () => screen.queryByText('Discard what you typed?');
    // clicks “Close”, because in tests Escape doesn't reach dialogs that share an ID
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

  describe('with an unsaved draft', () => {
    const open = () => renderScreen(<EventForm dismiss={jest.fn()} />, { user: aUser({ isAdmin: true }) });
    const title = () => screen.getByLabelText<HTMLInputElement>('Event Title');

    it('offers an unsaved draft only to its author, until it is discarded', async () => {
      saves({});
      const first = open();
      await enterText(title(), 'Copy clinic');
      await waitFor(() => expect(localStorage.length).toBe(1));
      first.unmount();

      const second = open();
      expect(title().value).toBe('');
      await userEvent.click(screen.getByRole('button', { name: 'Restore' }));
      expect(title().value).toBe('Copy clinic');
      second.unmount();

      const somebodyElse = renderScreen(<EventForm dismiss={jest.fn()} />, {
        user: aUser({ id: 'another', isAdmin: true }),
      });
      expect(screen.queryByText('You have an unsaved draft')).toBeNull();
      somebodyElse.unmount();

      const third = open();
      await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
      third.unmount();
      open();
      expect(screen.queryByText('You have an unsaved draft')).toBeNull();
      localStorage.setItem('typed:event:x:new', '{}');
      forgetPersisted(TYPED);
      expect(localStorage.length).toBe(0);
    });
  });

  it('can save a draft and can schedule a later publication', async () => {
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

    fill('Publish later (optional)', '2030-04-01T08:00');
    await userEvent.click(screen.getByRole('button', { name: 'Create Event' }));
    await waitFor(() => expect(requests).toHaveLength(2));
    expect(requests[1]?.body).toMatchObject({ status: 'draft', publishAt: '2030-04-01T07:00:00.000Z' });
  });

  describe('in a community with topics', () => {
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

    it('allows three topics, keeps their order, and announces nothing by default', async () => {
      const sent = meet();
      for (const name of ['SEO', 'A', 'PPC']) await choose(name);
      expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'B' }).disabled).toBe(true);
      await choose('A');
      expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'B' }).disabled).toBe(false);
      fill();
      await userEvent.click(screen.getByRole('button', { name: 'Create Event' }));
      expect(await sent()).toMatchObject({ topics: [seo, ppc], announce: false });
    });

    it('sends the announcement choice for a new event, but not for a draft', async () => {
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

    it('offers to announce a scheduled draft, but not a published event', async () => {
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

  it('suggests checking the connection after a network error', async () => {
    saves({});
    const { toasts } = edit();
    await save();
    await screen.findByText('Check your connection and try again.');
    expect(toasts).toEqual([{ kind: 'error', title: 'Error', description: 'Failed to update event' }]);
  });

  it('accepts an empty payment note and shows the default as a placeholder', async () => {
    const requests = saves({ [CHANGE]: () => ({ body: EVENT }) });
    edit();
    await userEvent.click(screen.getByRole('radio', { name: 'Paid Event' }));
    await enterText(screen.getByLabelText('Price (GBP)'), '15');
    const field = screen.getByLabelText<HTMLInputElement>('How do people pay?');
    expect(field.placeholder).toBe('Ask the organiser how to pay');
    await save();
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(requests[0]?.body).toMatchObject({ price: '15', paymentNote: null });
  });

  it('suggests previous venues and fills in their details', async () => {
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

  it('accepts a joining link only for an online event and only with https', async () => {
    const requests = saves({ [CHANGE]: () => ({ body: EVENT }) });
    edit();
    expect(screen.queryByLabelText('Joining link (optional)')).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: 'Online' }));
    await enterText(screen.getByLabelText('Joining link (optional)'), 'http://meet.example/1');
    await save();
    expect(getNote('Joining link (optional)')).toMatch(/^The link must start with https:/);
    fireEvent.change(screen.getByLabelText('Joining link (optional)'), {
      target: { value: 'https://meet.example/1' },
    });
    await save();
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(requests[0]?.body).toMatchObject({ format: 'online', onlineUrl: 'https://meet.example/1' });
  });

  it('saves a Markdown description, an agenda, speakers and links', async () => {
    const requests = saves({ [CHANGE]: () => ({ body: EVENT }) });
    edit();
    await enterText(screen.getByLabelText('Description'), '**Coffee**');
    await userEvent.click(screen.getByRole('button', { name: 'Add to the agenda' }));
    await save();
    await screen.findByText('Each item needs a start time and a description');
    await enterText(screen.getByLabelText('What happens'), 'Doors open');
    await userEvent.click(screen.getByRole('button', { name: 'Add a speaker' }));
    await enterText(screen.getByLabelText('Speaker’s name'), 'Grace Hopper');
    await userEvent.click(screen.getByRole('button', { name: 'Add a link' }));
    await enterText(screen.getByLabelText('Title'), 'Slides');
    await enterText(screen.getByLabelText('Link'), 'https://example.org/slides');
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

  it('finds hosts and speakers by name, and can invite hosts to manage the event', async () => {
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
    expect(hosts.getAllByText('Shown as host: invited when you save')).toHaveLength(2);
    await userEvent.click(hosts.getByRole('checkbox', { name: 'Can manage event and guests: Grace Hopper' }));
    hosts.getByText(': invited when you save');
    await choose('Add a member as a speaker', 'grace', 'Grace Hopper');
    expect(screen.getByLabelText<HTMLInputElement>('Speaker’s name').value).toBe('Grace Hopper');
    await enterText(screen.getByLabelText('What they do (optional)'), 'Compilers');
    await save();
    await waitFor(() => expect(requests.at(-1)?.method).toBe('PUT'));
    expect(requests.at(-1)?.body).toMatchObject({
      hosts: ['ada', 'grace'],
      coHosts: ['grace'],
      speakers: [{ userId: 'grace', role: 'Compilers', bio: null }],
    });
    expect(requests.filter(({ query }) => (query.get('q') ?? 'none').length < 2)).toEqual([]);
  });

  it('uses the organisers’ endpoint to search hosts for a new event', async () => {
    const requests = fakeApi({ 'GET /api/admin/members/search': () => ({ body: [] }) });
    renderScreen(<EventFormDialog close={jest.fn()} />, { user: aUser({ role: 'organiser' }) });
    await userEvent.type(await screen.findByRole('combobox', { name: 'Hosts (optional)' }), 'ad');
    await screen.findByText('No member with this name');
    expect(requests.filter(({ path }) => path === '/api/admin/members/search')).toHaveLength(1);
  });

  it('keeps an event’s hosts and shows how they answered their invitations', async () => {
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
    screen.getByText(': invited, no answer yet');
    await save();
    await waitFor(() => expect(requests.at(-1)?.body).toMatchObject({ hosts: ['ada'], coHosts: ['ada'] }));
  });

  describe('with registration questions', () => {
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

    it('adds, reorders and removes questions without losing the focus', async () => {
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
      await userEvent.type(screen.getAllByLabelText('Options, one per line').at(-1)!, 'Car{Enter} Bike ');
      await userEvent.click(screen.getAllByRole('checkbox', { name: 'Answer required' })[3]!);
      await press('Move question 4 up');
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move question 3 up' }));
      await press('Remove question 1');
      await save();
      const [, track, first] = QUESTIONS;
      const added = { kind: 'choice', label: 'Parking?', required: true, options: ['Car', 'Bike'] };
      await waitFor(() => expect(sent()).toEqual([[track, added, first]]));
    });

    it('locks a question once someone has answered it', async () => {
      open();
      await screen.findByText(/2 people have answered, so you can’t remove/);
      expect(screen.getAllByLabelText<HTMLSelectElement>('Answer').map(({ disabled }) => disabled)).toEqual([
        false,
        true,
        false,
      ]);
      expect(screen.queryByRole('button', { name: 'Remove question 2' })).toBeNull();
    });

    it('names the question that someone answered while the form was open', async () => {
      open(anAskingEvent(), {
        [CHANGE]: () => refusal(409, 'QUESTION_ANSWERED', 'Somebody has', { question: 'Which track?' }),
      });
      await press('Remove question 1');
      await save();
      await screen.findByText(/Someone has just answered “Which track\?”/);
    });
  });
});

describe('The form drawer', () => {
  function Form() {
    const { bind, fields } = useForm({ title: '', note: '' });
    if (fields.note === 'crash') throw new RangeError('Invalid time value');
    return (
      <>
        <Field label="Title" {...bind('title')} />
        <Field label="Note" {...bind('note')} />
      </>
    );
  }

  it('keeps the typed values when the form crashes', async () => {
    jest.spyOn(console, 'error').mockReturnValue();
    renderScreen(
      <FormDrawer title="Edit Event" close={jest.fn()} discarded={jest.fn()}>
        {() => <Form />}
      </FormDrawer>,
      { user: aUser() },
    );
    const type = (label: string, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    type('Title', 'Attribution breakfast');
    type('Note', 'crash');
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Attribution breakfast');
    screen.getByRole('heading', { name: 'Edit Event' });
  });
});
