import { jest } from '@jest/globals';
import type { EventPage } from '@meetmark/contracts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fillFields, getField, getTexts, press } from '../../../testing/actions';
import { fakeApi, type Handlers, refusal } from '../../../testing/fake-api';
import { findToast, renderScreen } from '../../../testing/render-screen';
import { anAskingEvent, anEvent, aUser, QUESTIONS, TOPICS, TRACK } from '../../../testing/samples';
import { forgetPersisted, TYPED } from '../../../ui/persisted-state';
import EventFormDialog, { EventForm } from './event-form';
import { TimeZoneField } from './event-form-fields';
import { HostsField } from './member-fields';

const EVENT = anEvent();
const CHANGE = `PUT /api/events/${EVENT.id}`;
const user = aUser({ isAdmin: true });
const open = (event?: EventPage) =>
  renderScreen(<EventForm event={event} dismiss={jest.fn()} />, { user, path: '/events?create=1' });
const save = () => press('Update Event');
/** Returns the request's body. */
async function saveEvent(requests: ReturnType<typeof fakeApi>) {
  const before = requests.sent(CHANGE).length;
  await save();
  await waitFor(() => expect(requests.sent(CHANGE).length).toBeGreaterThan(before));
  return requests.bodies(CHANGE).at(-1);
}
const fillNewEvent = () =>
  fillFields({ 'Event Title': 'Copy clinic', 'Start Date': '2030-05-01', 'Start Time': '09:00' });
const getNote = (label: string) => {
  const id = getField(label).getAttribute('aria-describedby');
  return id ? document.getElementById(id)?.textContent : null;
};

describe('The event form', () => {
  it('focuses the first invalid field and clears its error on change', async () => {
    const requests = fakeApi({});
    open(EVENT);
    fillFields({ 'Event Title': '' });
    fillFields({ 'End Time': '' });
    await save();
    expect(document.activeElement).toBe(getField('Event Title'));
    expect(getNote('Event Title')).toBe('Title is required');
    fillFields({ 'Event Title': 'A' });
    expect(getNote('Event Title')).toBeNull();
    expect(getNote('End Time')).toBe('End time is required');
    expect(requests.sent()).toEqual([]);
  });

  it('reports an end before the start below “End Time” and in a toast', async () => {
    const requests = fakeApi({});
    const { toasts } = open(EVENT);
    fillFields({ 'End Time': '01:00' });
    await save();
    const words = 'End date and time must be after start date and time';
    expect(toasts).toEqual([{ kind: 'error', title: 'Invalid Date Range', description: words }]);
    expect(getNote('End Time')).toBe(words);
    expect(document.activeElement).toBe(getField('End Time'));
    expect(requests.sent()).toEqual([]);
  });

  it('finds time zones by city and by current, common and old names', async () => {
    const requests = fakeApi({ [CHANGE]: () => ({ body: EVENT }) });
    open(EVENT);
    screen.getByText(/^Times are in Europe\/London\./);
    await press('Another time zone');
    const field = screen.getByRole('combobox', { name: 'Time zone' });
    expect(document.activeElement).toBe(field);
    for (const [typed, found] of [
      ['eastern time', 'America/Detroit · Eastern Time'],
      ['Europe/Kyiv', 'Europe/Kyiv · Eastern European Time'],
      ['calcutta', 'Asia/Kolkata · India Standard Time'],
      ['ho_chi', 'Asia/Ho Chi Minh · Indochina Time'],
    ] as const) {
      fireEvent.change(field, { target: { value: typed } });
      await screen.findByTitle(found);
    }
    fireEvent.change(field, { target: { value: 'new york' } });
    await userEvent.click(await screen.findByTitle('America/New York · Eastern Time'));
    expect(await saveEvent(requests)).toMatchObject({ timeZone: 'America/New_York' });
  });

  it('shows the current name of a time zone stored under an old name', () => {
    renderScreen(<TimeZoneField timeZone="Asia/Calcutta" change={jest.fn()} />, { user });
    screen.getByTitle('Asia/Kolkata · India Standard Time');
  });

  it('shows a server error below the field it concerns', async () => {
    fakeApi({
      [CHANGE]: () =>
        refusal(400, 'VALIDATION_FAILED', 'Some fields are not valid', {
          fields: { capacity: ['capacity must be at most 1000000'] },
          rules: { capacity: { rule: 'max', limit: 1_000_000 } },
        }),
    });
    open(EVENT);
    fillFields({ 'Capacity (optional)': '2000000' });
    await save();
    await waitFor(() => expect(getNote('Capacity (optional)')).toBe('At most 1,000,000'));
    expect(document.activeElement).toBe(getField('Capacity (optional)'));
  });

  describe('after someone else has saved the event', () => {
    const THEIRS = anEvent({ capacity: 60, location: 'Town hall', version: 2 });
    const change = { at: '2026-11-22T09:00:00.000Z', changed: ['location', 'capacity'] };
    const edits = [{ by: 'Grace Hopper', own: false, ...change }];
    const meet = async () => {
      const conflict = refusal(409, 'EDIT_CONFLICT', 'This has been changed', { present: THEIRS, edits });
      const answers = [conflict, { body: THEIRS }];
      const requests = fakeApi({ [CHANGE]: () => answers.shift()! });
      const rendered = open(EVENT);
      fillFields({ 'Event Title': 'Breakfast for all' });
      fillFields({ Location: 'Library' });
      await save();
      await screen.findByRole('alert', { name: 'Changed while you were editing' });
      return { requests, ...rendered };
    };

    it('says who changed what, and saves only the fields that you changed', async () => {
      const { requests, toasts } = await meet();
      expect(requests.bodies()[0]).toMatchObject({ title: 'Breakfast for all', version: 1 });
      screen.getByText(/^Grace Hopper changed location and capacity \(.*Nov 22/);
      expect(getTexts(screen.getAllByRole('row'))).toEqual([
        'FieldTheirsYours',
        'locationTown hallLibrary',
        'capacity60not changed by you',
      ]);
      expect(getField('Location').value).toBe('Library');
      expect(toasts).toEqual([]);
      await press('Save my changes');
      await waitFor(() => expect(requests.sent()).toHaveLength(2));
      expect(requests.bodies()[1]).toEqual({ title: 'Breakfast for all', location: 'Library', version: 2 });
    });

    it('can replace your changes with the other person’s version', async () => {
      const { requests } = await meet();
      await press('Use theirs');
      expect(screen.queryByRole('alert')).toBeNull();
      expect(getField('Location').value).toBe('Town hall');
      expect(await saveEvent(requests)).toMatchObject({ title: EVENT.title, capacity: 60, version: 2 });
    });
  });

  describe('when the event has guests', () => {
    const meet = () => {
      const event = anEvent({
        ...{ registrationCount: 23, capacity: 30, seriesId: 'series' },
        ...{ waitlistEnabled: true, waitingCount: 4 },
      });
      const requests = fakeApi({ [CHANGE]: () => ({ body: event }) });
      open(event);
      return requests;
    };
    const tell = () =>
      screen.getByRole<HTMLInputElement>('checkbox', { name: 'Tell the 23 people who are registered' });

    it('preselects notifying guests after a relevant change, and sends the choice', async () => {
      const requests = meet();
      expect(tell().checked).toBe(false);
      fillFields({ Description: 'Coffee' });
      expect(tell().checked).toBe(false);
      fillFields({ Location: 'Hall' });
      expect(tell().checked).toBe(true);
      fillFields({ 'Add a note (optional)': 'It is next door.' });
      await userEvent.click(screen.getByRole('radio', { name: 'This and later' }));
      const choices = { notify: true, note: 'It is next door.', scope: 'later' };
      expect(await saveEvent(requests)).toMatchObject(choices);
    });

    it('keeps the choice not to notify guests', async () => {
      const requests = meet();
      await userEvent.click(tell());
      await userEvent.click(tell());
      fillFields({ Location: 'Hall' });
      expect(tell().checked).toBe(false);
      expect(await saveEvent(requests)).toMatchObject({ notify: false });
      expect(requests.bodies()[0]).not.toHaveProperty('scope');
      expect(requests.bodies()[0]).not.toHaveProperty('publishAt');
    });

    it('asks about people on the waiting list before switching it off, under “More options”', async () => {
      const requests = meet();
      await userEvent.click(screen.getByRole('switch', { name: 'Waiting list' }));
      await userEvent.click(screen.getByText('More options'));
      await save();
      const question = await screen.findByText('4 people are waiting. What should happen to them?');
      expect(question.closest('details')?.open).toBe(true);
      screen.getByText('Choose what happens to people on the waiting list');
      expect(requests.sent()).toEqual([]);
      await userEvent.click(screen.getByRole('radio', { name: 'They get a place' }));
      expect(await saveEvent(requests)).toMatchObject({ waitlistEnabled: false, waitlistOff: 'promote' });
    });

    it('asks about someone who has just joined the waiting list', async () => {
      const requests = fakeApi({
        [CHANGE]: () => refusal(409, 'WAITLIST_NOT_EMPTY', 'People are waiting', { waiting: 1 }),
      });
      open(anEvent({ waitlistEnabled: true }));
      await userEvent.click(screen.getByRole('switch', { name: 'Waiting list' }));
      await save();
      await screen.findByText('One person is waiting. What should happen to them?');
      expect(requests.sent()).toHaveLength(1);
    });
  });

  describe('with its “More options” section', () => {
    const more = () => screen.getByText('More options').closest('details')!;
    const openSections = () => getTexts(more().querySelectorAll(':scope details[open] > summary'));

    it('shows the basic fields above “More options”, and the waiting list as the first option', () => {
      open();
      const block = more().previousElementSibling!;
      expect(getTexts(block.querySelectorAll('label, legend, button'))).toEqual([
        ...['Event Title', 'Description', 'Write', 'As Markdown', 'Preview'],
        ...['Start Date', 'Start Time', 'End Date', 'End Time', 'Location', 'Capacity (optional)'],
        ...['Choose an image', 'Pricing', 'Free Event', 'Paid Event'],
      ]);
      const waitingList = screen.getByRole('switch', { name: 'Waiting list' });
      expect(more().querySelector('input, textarea, select, [role=switch], [role=radio]')).toBe(waitingList);
      expect(waitingList.getAttribute('aria-checked')).toBe('false');
      expect(openSections()).toEqual([]);
    });

    it('remembers in the browser whether “More options” is open', async () => {
      const wasOpen: boolean[] = [];
      for (let visit = 0; visit < 3; visit += 1) {
        const { unmount } = open();
        wasOpen.push(more().open);
        await userEvent.click(screen.getByText('More options'));
        unmount();
      }
      expect(wasOpen).toEqual([false, true, false]);
    });

    it.each<[string[] | null, Partial<EventPage>]>([
      [
        ['When', 'Where', 'Questions', 'Who can see it'],
        {
          timeZone: 'America/New_York',
          content: { ...EVENT.content, accessibility: 'Step-free', questions: QUESTIONS },
          visibility: 'unlisted',
        },
      ],
      [[], { waitlistEnabled: true }],
      [null, {}],
    ])('opens “More options” and the sections %j if the event uses them', (sections, given) => {
      fakeApi({});
      open(anEvent({ waitlistEnabled: false, ...given }));
      expect(more().open ? openSections() : null).toEqual(sections);
    });
  });

  it('closes after saving, stays on the page, and offers to open the event', async () => {
    fakeApi({ 'POST /api/events': () => ({ status: 201, body: anEvent({ slug: 'copy-clinic' }) }) });
    const close = jest.fn();
    const { toasts } = renderScreen(<EventFormDialog close={close} />, { user, path: '/events?create=1' });
    fillNewEvent();
    await press('Create Event');
    await waitFor(() => expect(close).toHaveBeenCalledTimes(1));
    const description = 'Event created successfully';
    expect(toasts).toMatchObject([{ kind: 'success', description, action: { label: 'Open event' } }]);
    expect(window.location.pathname + window.location.search).toBe('/events?create=1');
    act(() => toasts[0]!.action!.run());
    expect(window.location.pathname).toBe('/e/copy-clinic');
  });

  it('asks before it closes while a switch differs from its saved value', async () => {
    fakeApi({});
    const close = jest.fn();
    renderScreen(<EventFormDialog event={EVENT} close={close} />, { user });
    const waitingList = await screen.findByRole('switch', { name: 'Waiting list' });
    const question = () => screen.queryByText('Discard what you typed?');
    // clicks “Close”, because in tests Escape doesn't reach dialogs that share an ID
    const leave = () => userEvent.click(screen.getAllByRole('button', { name: 'Close' })[0]!);
    await userEvent.click(waitingList);
    await leave();
    await waitFor(() => expect(question()).not.toBeNull());
    await press('Keep editing');
    await waitFor(() => expect(question()).toBeNull());
    await userEvent.click(waitingList);
    await leave();
    await waitFor(() => expect(close).toHaveBeenCalled());
    expect(question()).toBeNull();
  });

  it('offers an unsaved draft only to its author, until it is discarded', async () => {
    fakeApi({});
    const first = open();
    fillFields({ 'Event Title': 'Copy clinic' });
    await waitFor(() => expect(localStorage.length).toBe(1));
    first.unmount();

    const someoneElse = renderScreen(<EventForm dismiss={jest.fn()} />, { user: aUser({ id: 'another' }) });
    expect(screen.queryByText('You have an unsaved draft')).toBeNull();
    someoneElse.unmount();

    const second = open();
    expect(getField('Event Title').value).toBe('');
    await press('Restore');
    expect(getField('Event Title').value).toBe('Copy clinic');
    await press('Cancel');
    second.unmount();
    open();
    expect(screen.queryByText('You have an unsaved draft')).toBeNull();
    localStorage.setItem('typed:event:x:new', '{}');
    forgetPersisted(TYPED);
    expect(localStorage.length).toBe(0);
  });

  it('can save a draft and can schedule a later publication', async () => {
    const requests = fakeApi({
      'POST /api/events': () => ({ status: 201, body: anEvent({ status: 'draft' }) }),
    });
    const { toasts } = open();
    fillNewEvent();
    expect(getField('End Time').value).toBe('11:00');
    await press('Save draft');
    await waitFor(() => expect(requests.sent()).toHaveLength(1));
    expect(requests.bodies()[0]).toMatchObject({ status: 'draft', endDate: '2030-05-01T10:00:00.000Z' });
    await findToast(toasts, 'Draft saved successfully');

    fillFields({ 'Publish later (optional)': '2030-04-01T08:00' });
    await press('Create Event');
    await waitFor(() => expect(requests.sent()).toHaveLength(2));
    expect(requests.bodies()[1]).toMatchObject({ status: 'draft', publishAt: '2030-04-01T07:00:00.000Z' });
  });

  describe('in a community with topics', () => {
    const many = ['A', 'B'].map((name, n) => ({ ...TOPICS[0]!, id: String(n), slug: name, name }));
    const announce = () => screen.queryByRole<HTMLElement>('switch', { name: 'Announce it by email' });
    const meet = (event?: EventPage) => {
      const requests = fakeApi({
        'POST /api/events': () => ({ status: 201, body: anEvent() }),
        [CHANGE]: () => ({ body: anEvent() }),
        'GET /api/topics': () => ({ body: [...TOPICS, ...many] }),
      });
      const { toasts } = open(event);
      return async (button: string) => {
        const saved = toasts.length;
        await press(button);
        await waitFor(() => expect(toasts).toHaveLength(saved + 1));
        return requests.bodies().at(-1);
      };
    };
    const choose = async (name: string) => userEvent.click(await screen.findByRole('checkbox', { name }));
    const isDisabled = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name }).disabled;
    const [ppc, seo] = TOPICS.map(({ id }) => id);

    it('allows three topics, keeps their order, and announces a new event only on request', async () => {
      const saveBy = meet();
      fillNewEvent();
      await screen.findByRole('checkbox', { name: 'SEO' });
      expect(announce()).toBeNull();
      for (const name of ['SEO', 'A', 'PPC']) await choose(name);
      expect(isDisabled('B')).toBe(true);
      await choose('A');
      expect(isDisabled('B')).toBe(false);
      expect(await saveBy('Create Event')).toMatchObject({ topics: [seo, ppc], announce: false });
      await userEvent.click(announce()!);
      expect(await saveBy('Save draft')).not.toHaveProperty('announce');
      expect(await saveBy('Create Event')).toMatchObject({ topics: [seo, ppc], announce: true });
      await userEvent.click(screen.getByRole('radio', { name: 'Unlisted' }));
      expect(announce()).toBeNull();
    });

    it('offers to announce a scheduled draft, but not a published event', async () => {
      const publishAt = '2030-04-01T07:00:00.000Z';
      const topics = [TOPICS[1]!];
      const saveBy = meet(anEvent({ status: 'draft', publishAt, topics, announcement: 'planned' }));
      expect(announce()?.getAttribute('aria-checked')).toBe('true');
      await userEvent.click(announce()!);
      expect(await saveBy('Update Event')).toMatchObject({ topics: [seo], announce: false });
      cleanup();
      meet(anEvent({ topics, announcement: 'announced' }));
      await screen.findByRole('checkbox', { name: 'SEO' });
      expect(announce()).toBeNull();
    });
  });

  it('suggests checking the connection after a network error', async () => {
    fakeApi({});
    const { toasts } = open(EVENT);
    await save();
    await screen.findByText('Check your connection and try again.');
    expect(toasts).toEqual([{ kind: 'error', title: 'Error', description: 'Failed to update event' }]);
  });

  it('accepts an empty payment note and shows the default as a placeholder', async () => {
    const requests = fakeApi({ [CHANGE]: () => ({ body: EVENT }) });
    open(EVENT);
    await userEvent.click(screen.getByRole('radio', { name: 'Paid Event' }));
    fillFields({ 'Price (GBP)': '15' });
    expect(getField('How do people pay?').placeholder).toBe('Ask the organiser how to pay');
    expect(await saveEvent(requests)).toMatchObject({ price: '15', paymentNote: null });
  });

  it('suggests previous venues and fills in their details', async () => {
    const venue = { name: 'Platform', address: 'New Station Street', note: 'Ring twice', mapUrl: null };
    const requests = fakeApi({
      'GET /api/venues': () => ({ body: [venue] }),
      [CHANGE]: () => ({ body: EVENT }),
    });
    open(EVENT);
    await waitFor(() => expect(document.querySelector('datalist option')).toBeTruthy());
    fillFields({ Location: 'Platform, New Station Street' });
    expect(getField('Address (optional)').value).toBe('New Station Street');
    expect(await saveEvent(requests)).toMatchObject({ venue });
    expect(requests.bodies().at(-1)).not.toHaveProperty('location');
  });

  it('accepts a joining link only for an online event and only with https', async () => {
    const requests = fakeApi({ [CHANGE]: () => ({ body: EVENT }) });
    open(EVENT);
    expect(screen.queryByLabelText('Joining link (optional)')).toBeNull();
    await userEvent.click(screen.getByRole('radio', { name: 'Online' }));
    fillFields({ 'Joining link (optional)': 'http://meet.example/1' });
    await save();
    expect(getNote('Joining link (optional)')).toMatch(/^The link must start with https:/);
    fillFields({ 'Joining link (optional)': 'https://meet.example/1' });
    const online = { format: 'online', onlineUrl: 'https://meet.example/1' };
    expect(await saveEvent(requests)).toMatchObject(online);
  });

  it('saves a Markdown description, an agenda, speakers and links', async () => {
    const requests = fakeApi({ [CHANGE]: () => ({ body: EVENT }) });
    open(EVENT);
    fillFields({ Description: '**Coffee**' });
    await press('Add to the agenda');
    await save();
    await screen.findByText('Each item needs a start time and a description');
    fillFields({ 'What happens': 'Doors open' });
    await press('Add a speaker');
    fillFields({ 'Speaker’s name': 'Grace Hopper' });
    await press('Add a link');
    fillFields({ Title: 'Slides' });
    fillFields({ Link: 'https://example.org/slides' });
    expect(await saveEvent(requests)).toMatchObject({
      description: '**Coffee**',
      descriptionFormat: 'markdown',
      agenda: [{ startsAt: EVENT.startDate, endsAt: null, title: 'Doors open', note: null }],
      speakers: [{ name: 'Grace Hopper', role: null, bio: null, linkUrl: null }],
      resources: [{ title: 'Slides', url: 'https://example.org/slides' }],
    });
    await press('Remove agenda item 1');
    expect(screen.queryByLabelText('What happens')).toBeNull();
  });

  it('finds hosts and speakers by name, and can invite hosts to manage the event', async () => {
    const ada = { id: 'ada', firstName: 'Ada', lastName: 'Lovelace', profileImageUrl: null };
    const people = [ada, { ...ada, id: 'grace', firstName: 'Grace', lastName: 'Hopper' }];
    const requests = fakeApi({
      [`GET /api/admin/events/${EVENT.id}/members/search`]: ({ query }) => ({
        body: people.filter(({ id }) => id.startsWith(query.get('q') ?? '')),
      }),
      [CHANGE]: () => ({ body: EVENT }),
    });
    open(EVENT);
    const choose = async (label: string, typed: string, name: string) => {
      const field = screen.getByRole('combobox', { name: label });
      for (const value of [typed[0], typed]) fireEvent.change(field, { target: { value } });
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
    expect(getField('Speaker’s name').value).toBe('Grace Hopper');
    fillFields({ 'What they do (optional)': 'Compilers' });
    expect(await saveEvent(requests)).toMatchObject({
      hosts: ['ada', 'grace'],
      coHosts: ['grace'],
      speakers: [{ userId: 'grace', role: 'Compilers', bio: null }],
    });
    expect(requests.filter(({ query }) => (query.get('q') ?? 'none').length < 2)).toEqual([]);
  });

  it('uses the organisers’ endpoint to search hosts for a new event', async () => {
    const requests = fakeApi({ 'GET /api/admin/members/search': () => ({ body: [] }) });
    renderScreen(<HostsField eventId={undefined} hosts={[]} change={jest.fn()} />, { user });
    fillFields({ 'Hosts (optional)': 'ad' });
    await screen.findByText('No member with this name');
    expect(requests.map(({ path }) => path)).toEqual(['/api/admin/members/search']);
  });

  it('keeps an event’s hosts and shows how they answered their invitations', async () => {
    const host = {
      ...{ id: 'ada', firstName: 'Ada', lastName: 'Lovelace', profileImageUrl: null, linkedInUrl: null },
      ...{ agreed: true, coHost: 'asked' as const },
    };
    const requests = fakeApi({ [CHANGE]: () => ({ body: EVENT }) });
    open(anEvent({ content: { ...EVENT.content, hosts: [host] } }));
    await screen.findByText('Shown as host: agreed');
    screen.getByText(': invited, no answer yet');
    await save();
    await waitFor(() => expect(requests.bodies().at(-1)).toMatchObject({ hosts: ['ada'], coHosts: ['ada'] }));
  });

  describe('with registration questions', () => {
    const meet = (change: Handlers[string]) => {
      const requests = fakeApi({
        [CHANGE]: change,
        [`GET /api/admin/events/${EVENT.id}/answers`]: () => ({
          body: [{ questionId: TRACK, answered: 2, counts: [] }],
        }),
      });
      open(anAskingEvent());
      return () => requests.bodies().map((body) => (body as { questions: unknown }).questions);
    };

    it('adds, reorders and removes questions, but locks those that someone answered', async () => {
      const sent = meet(() => ({ body: EVENT }));
      await screen.findByText(/2 people have answered, so you can’t remove/);
      const kinds = screen.getAllByLabelText<HTMLSelectElement>('Answer');
      expect(kinds.map(({ disabled }) => disabled)).toEqual([false, true, false]);
      expect(screen.queryByRole('button', { name: 'Remove question 2' })).toBeNull();
      await press('Add a question');
      const added = screen.getAllByLabelText('Question')[3]!;
      expect(document.activeElement).toBe(added);
      await save();
      expect(sent()).toEqual([]);
      expect(document.activeElement).toBe(added);
      fireEvent.change(added, { target: { value: 'Parking?' } });
      fireEvent.change(screen.getAllByLabelText('Answer')[3]!, { target: { value: 'choice' } });
      await save();
      screen.getByText(/A choice needs 2 to 10 different options/);
      const options = screen.getAllByLabelText('Options, one per line').at(-1)!;
      fireEvent.change(options, { target: { value: 'Car\n Bike ' } });
      await userEvent.click(screen.getAllByRole('checkbox', { name: 'Answer required' })[3]!);
      await press('Move question 4 up');
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move question 3 up' }));
      await press('Remove question 1');
      await save();
      const [, track, first] = QUESTIONS;
      const parking = { kind: 'choice', label: 'Parking?', required: true, options: ['Car', 'Bike'] };
      await waitFor(() => expect(sent()).toEqual([[track, parking, first]]));
    });

    it('names the question that someone answered while the form was open', async () => {
      meet(() => refusal(409, 'QUESTION_ANSWERED', 'Somebody has', { question: 'Which track?' }));
      await press('Remove question 1');
      await save();
      await screen.findByText(/Someone has just answered “Which track\?”/);
    });
  });
});
