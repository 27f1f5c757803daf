import { jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Link } from 'react-router-dom';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { fakeApi, refusal } from '../../testing/fake-api';
import { pressForPart, renderScreen } from '../../testing/render-screen';
import { anEvent, aRunningEvent, aUser, TOPICS } from '../../testing/samples';
import { BrowseEvents } from './browse-events';

const LIST = 'GET /api/events/public';
const show = (path?: string) => renderScreen(<BrowseEvents heading="h1" />, { user: null, path });
const openFilters = () => pressForPart(screen.getByRole('button', { name: 'Filters' }));
const filter = (name: 'Price' | 'Time') => screen.getByRole<HTMLSelectElement>('combobox', { name });
const choose = (name: 'Price' | 'Time', value: string) => userEvent.selectOptions(filter(name), value);
const query = () => Object.fromEntries(new URLSearchParams(window.location.search));

describe('Browse Events', () => {
  beforeAll(async () => {
    fakeApi({ [LIST]: () => ({ body: [] }) });
    await act(async () => void show('/?format=online'));
    await openFilters();
    await screen.findByRole('radio', { name: 'Hybrid' });
    cleanup();
  });

  it('loads the attendee avatars of a page in one request, for members only', async () => {
    const events = [anEvent({ id: 'a', registrationCount: 3 }), anEvent({ id: 'b', registrationCount: 0 })];
    const face = { firstName: 'Ada', lastName: 'Lovelace', profileImageUrl: null };
    const requests = fakeApi({
      [LIST]: () => ({ body: events, headers: { 'X-Total-Count': '2' } }),
      'GET /api/my-events': () => ({ body: [] }),
      'GET /api/event-faces': () => ({
        body: [
          {
            eventId: 'a',
            faces: [
              { ...face, id: '1' },
              { ...face, id: '2', firstName: 'Grace' },
            ],
          },
        ],
      }),
    });
    const { unmount } = renderScreen(<BrowseEvents heading="h1" />, { user: aUser() });
    await screen.findByText('GL');
    const [first, second] = screen.getAllByRole('article');
    expect(within(first!).getByText('AL')).toBeTruthy();
    expect(within(second!).queryByText('AL')).toBeNull();
    const asked = requests.filter(({ path }) => path === '/api/event-faces');
    expect(asked.map(({ query }) => query.getAll('eventIds'))).toEqual([['a']]);
    unmount();
    requests.length = 0;
    show();
    await screen.findByText('2 events found');
    expect(requests.map(({ path }) => path)).not.toContain('/api/event-faces');
  });

  it('requests upcoming events and shows their number', async () => {
    const requests = fakeApi({ [LIST]: () => ({ body: [anEvent()], headers: { 'X-Total-Count': '31' } }) });
    show();
    await screen.findByText('31 events found');
    expect(screen.getByText('Attribution breakfast')).toBeTruthy();
    expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({ time: 'upcoming', limit: '12' });
  });

  it('searches after a pause in typing, and filters by price, time and format', async () => {
    const requests = fakeApi({ [LIST]: () => ({ body: [] }) });
    show();
    await screen.findByText('No events found');
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search events' }), 'seo');
    await choose('Price', 'Paid');
    await choose('Time', 'Past');
    await openFilters();
    await userEvent.click(await screen.findByRole('radio', { name: 'Online' }));
    await waitFor(() =>
      expect(Object.fromEntries(requests.at(-1)?.query ?? [])).toEqual({
        q: 'seo',
        price: 'paid',
        time: 'past',
        format: 'online',
        limit: '12',
      }),
    );
    expect(requests.filter(({ query }) => query.get('q') === 's')).toEqual([]);
  });

  it('keeps its filters in the URL next to other parameters', async () => {
    const requests = fakeApi({ [LIST]: () => ({ body: [] }) });
    show('/?event=1&q=seo&price=paid&time=past&format=nonsense');
    await screen.findByText('No events found');
    expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({
      q: 'seo',
      price: 'paid',
      time: 'past',
      limit: '12',
    });
    await choose('Price', 'Free');
    expect(query()).toMatchObject({ event: '1', price: 'free' });
    await userEvent.click(screen.getByRole('button', { name: 'Clear search and filters' }));
    expect(query()).toEqual({ event: '1' });
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
  });

  it('shows search, time, price and Refresh, and collapses the other filters', async () => {
    const requests = fakeApi({
      [LIST]: () => ({ body: [anEvent()] }),
      'GET /api/topics': () => ({ body: TOPICS }),
    });
    show('/?time=all');
    await screen.findByText('Attribution breakfast');
    const row = within(screen.getByRole('search'));
    row.getByRole('searchbox', { name: 'Search events' });
    expect(row.getByRole('button', { name: 'Refresh' }).textContent).toBe('Refresh');
    expect(row.getAllByRole('combobox')).toEqual([filter('Time'), filter('Price')]);
    expect([filter('Time').value, filter('Price').value]).toEqual(['all', 'all']);
    const prices = within(filter('Price')).getAllByRole('option');
    expect(prices.map(({ textContent }) => textContent)).toEqual(['All prices', 'Free', 'Paid']);
    await choose('Price', 'Free');
    await choose('Time', 'Past');
    expect(query()).toEqual({ price: 'free', time: 'past' });
    await waitFor(() =>
      expect(Object.fromEntries(requests.at(-1)?.query ?? [])).toMatchObject({ price: 'free', time: 'past' }),
    );
    await openFilters();
    const panel = within(await screen.findByRole('group', { name: 'Filters' }));
    expect(panel.getAllByRole('radiogroup').map((group) => group.getAttribute('aria-label'))).toEqual([
      'Format',
    ]);
    await panel.findByRole('combobox', { name: 'Topic' });
  });

  it('lists applied filters of the collapsed panel, with buttons to remove them', async () => {
    fakeApi({ [LIST]: () => ({ body: [] }) });
    show('/?price=paid&time=past&format=online');
    await screen.findByText('No events found');
    expect(screen.queryByRole('radio')).toBeNull();
    const applied = within(await screen.findByRole('list', { name: 'Applied filters' }));
    expect(applied.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Online']);
    await userEvent.click(screen.getByRole('button', { name: 'Remove filter: Online' }));
    expect(query()).toEqual({ price: 'paid', time: 'past' });
    expect(screen.queryByRole('list', { name: 'Applied filters' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Clear search and filters' }));
    expect([query(), filter('Time').value, filter('Price').value]).toEqual([{}, 'upcoming', 'all']);
  });

  it('filters by topic, and shows the topic’s feeds until the filter is removed', async () => {
    const requests = fakeApi({
      [LIST]: () => ({ body: [anEvent({ topics: TOPICS })] }),
      'GET /api/topics': () => ({ body: TOPICS }),
    });
    show('/?topic=seo');
    await screen.findByText('PPC · SEO');
    const asked = () =>
      requests.filter(({ path }) => path === '/api/events/public').map(({ query: of }) => of.get('topic'));
    expect(asked()).toEqual(['seo']);
    const feeds = await screen.findByRole('group', { name: 'Feeds for SEO' });
    expect(
      within(feeds)
        .getAllByRole<HTMLAnchorElement>('link')
        .map(({ href }) => href),
    ).toEqual(['http://localhost/feeds/topics/seo.rss', 'webcal://localhost/feeds/topics/seo.ics']);
    await openFilters();
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Topic' }), 'PPC');
    expect(query()).toEqual({ topic: 'ppc' });
    await userEvent.click(await screen.findByRole('button', { name: 'Remove filter: PPC' }));
    expect(query()).toEqual({});
    await waitFor(() => expect(asked().at(-1)).toBeNull());
    expect(screen.queryByRole('group', { name: /^Feeds for/ })).toBeNull();
  });

  it('ignores an invalid topic in the URL', async () => {
    const requests = fakeApi({ [LIST]: () => ({ body: [] }) });
    show('/?topic=S%C3%89O!');
    await screen.findByText('No events found');
    expect(requests[0]?.query.get('topic')).toBeNull();
  });

  it('undoes a filter, or a whole search, with the Back button', async () => {
    fakeApi({ [LIST]: () => ({ body: [] }) });
    show();
    await screen.findByText('No events found');
    const box = () => screen.getByRole<HTMLInputElement>('searchbox');
    await userEvent.type(box(), 'seo');
    await waitFor(() => expect(query()).toEqual({ q: 'seo' }));
    await userEvent.type(box(), ' day');
    await waitFor(() => expect(query()).toEqual({ q: 'seo day' }));
    await choose('Price', 'Paid');
    expect(query()).toEqual({ q: 'seo day', price: 'paid' });
    for (const before of [{ q: 'seo day' }, {}]) {
      act(() => window.history.back());
      await waitFor(() => expect(query()).toEqual(before));
    }
    await waitFor(() => expect(box().value).toBe(''));
    act(() => window.history.forward());
    await waitFor(() => expect(box().value).toBe('seo day'));
  });

  it('shows cards without headings between them', async () => {
    const body = ['2031-11-14', '2031-12-02', '2032-01-05'].map((day) =>
      anEvent({ id: day, title: day, startDate: `${day}T18:00:00.000Z`, endDate: `${day}T19:00:00.000Z` }),
    );
    fakeApi({ [LIST]: () => ({ body }) });
    show();
    await screen.findByText('2032-01-05');
    const headings = screen.getAllByRole('heading').map(({ textContent }) => textContent);
    expect(headings).toEqual(['Browse Events', '2031-11-14', '2031-12-02', '2032-01-05']);
  });

  it('shows the location, a bar when nearly full, and the year unless current', async () => {
    const year = new Date().getFullYear();
    const on = (day: string) => ({ startDate: `${day}T18:00:00.000Z`, endDate: `${day}T20:00:00.000Z` });
    fakeApi({
      [LIST]: () => ({
        body: [
          anEvent({
            id: '1',
            ...on(`${year}-12-01`),
            format: 'online',
            location: null,
            capacity: 10,
            registrationCount: 6,
          }),
          anEvent({
            id: '2',
            ...on(`${year + 1}-12-01`),
            format: 'hybrid',
            location: 'Leeds',
            capacity: 10,
            registrationCount: 7,
          }),
        ],
      }),
    });
    show();
    const [near, far] = await screen.findAllByRole('article');
    const bars = (card?: HTMLElement) => card?.querySelectorAll('[style^="width"]').length;
    expect(within(near!).getByText('Online')).toBeTruthy();
    expect(near?.querySelector('time')?.textContent).not.toContain(String(year));
    expect(within(far!).getByText('Hybrid · Leeds')).toBeTruthy();
    expect(far?.querySelector('time')?.textContent).toContain(String(year + 1));
    expect([bars(near), bars(far)]).toEqual([0, 1]);
  });

  it('marks a running event as Happening Now, with the button Event Ended', async () => {
    fakeApi({ [LIST]: () => ({ body: [aRunningEvent(), anEvent({ id: '2' })] }) });
    show('/?time=all');
    const [running, other] = await screen.findAllByRole('article');
    within(running!).getByText('Happening Now');
    within(running!).getByRole('button', { name: /^Event Ended/ });
    expect(within(other!).queryByText('Happening Now')).toBeNull();
  });

  it('labels images of full and cancelled events, and mutes only cancelled ones', async () => {
    const full = { capacity: 1, registrationCount: 1 };
    const body = [
      anEvent({ id: '1', ...full, waitlistEnabled: true, registrationState: 'waitlist' }),
      anEvent({ id: '2', ...full, registrationState: 'full' }),
      anEvent({ id: '3', status: 'cancelled', registrationState: 'cancelled' }),
    ];
    fakeApi({ [LIST]: () => ({ body }) });
    show();
    const cards = await screen.findAllByRole('article');
    const pictures = cards.map((card) => card.querySelector<HTMLElement>('[data-muted]')!);
    expect(pictures.map(({ dataset }) => dataset.muted)).toEqual(['false', 'false', 'true']);
    within(pictures[0]!).getByText('Waiting list');
    within(pictures[1]!).getByText('Full');
    within(pictures[2]!).getByText('Cancelled');
  });

  it('shows a Markdown description as plain text', async () => {
    const description = '# Why\n- **Bring** your [laptop](https://example.org)\n> and `code`';
    fakeApi({ [LIST]: () => ({ body: [anEvent({ description, descriptionFormat: 'markdown' })] }) });
    show();
    await screen.findByText(/Bring your laptop/);
    expect(screen.getByText(/Bring/).textContent).toBe('Why\nBring your laptop\nand code');
  });

  describe('while the URL is changing', () => {
    const TYPING_PAUSE = 300;
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    const typeInto = async (elsewhere?: ReactNode) => {
      fakeApi({ [LIST]: () => ({ body: [anEvent({ id: '7' })] }) });
      renderScreen(
        <>
          <BrowseEvents heading="h1" />
          {elsewhere}
        </>,
        { user: null },
      );
      const details = await screen.findByRole('link', { name: /^View Details/ });
      fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'seo' } });
      return details;
    };
    const typingEnds = () => jest.advanceTimersByTime(TYPING_PAUSE);

    it('keeps an opened event in the URL when a search starts right afterwards', async () => {
      const details = await typeInto();
      act(() => {
        details.click();
        typingEnds();
      });
      expect(query()).toEqual({ event: '7', q: 'seo' });
    });

    it('keeps a search in the URL when an event is opened right afterwards', async () => {
      const details = await typeInto();
      act(() => {
        typingEnds();
        details.click();
      });
      expect(query()).toEqual({ event: '7', q: 'seo' });
      expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('seo');
    });

    it('does not search after the user has left the screen', async () => {
      await typeInto(<Link to="/my-events">Mine</Link>);
      act(() => {
        screen.getByRole('link', { name: 'Mine' }).click();
        typingEnds();
      });
      expect(window.location.pathname + window.location.search).toBe('/my-events');
    });
  });

  it('distinguishes a community without events from a search without results', async () => {
    fakeApi({ [LIST]: () => ({ body: [] }) });
    show();
    await screen.findByText(/^No events are planned at the moment/);
    expect(screen.queryByRole('button', { name: 'Clear search and filters' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'See past events' }));
    await screen.findByText('No events have taken place yet.');
    await choose('Price', 'Paid');
    await screen.findByText(/^No events match your search/);
  });

  it('includes an event’s title in the accessible name of its Register button', async () => {
    fakeApi({ [LIST]: () => ({ body: [anEvent()] }) });
    show();
    await screen.findByRole('button', { name: 'Login to Register: Attribution breakfast' });
  });

  it('loads the next page with Show more', async () => {
    fakeApi({
      [LIST]: ({ query }) =>
        query.has('cursor')
          ? { body: [anEvent({ id: '2', title: 'Second page' })] }
          : {
              body: [anEvent()],
              headers: { Link: '</api/events/public?time=upcoming&limit=12&cursor=x>; rel="next"' },
            },
    });
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
    await screen.findByText('Second page');
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('reports that the next page could not be loaded, and retries on request', async () => {
    let down = true;
    fakeApi({
      [LIST]: ({ query }) => {
        if (!query.has('cursor'))
          return {
            body: [anEvent()],
            headers: { Link: '</api/events/public?time=upcoming&limit=12&cursor=x>; rel="next"' },
          };
        if (down) throw new TypeError('Failed to fetch');
        return { body: [anEvent({ id: '2', title: 'Second page' })] };
      },
    });
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Check your connection and try again.');
    down = false;
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }));
    await screen.findByText('Second page');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('offers to try again when the list cannot be loaded', async () => {
    let down = true;
    fakeApi({
      [LIST]: () => (down ? refusal(503, 'SERVICE_UNAVAILABLE', 'Try again shortly') : { body: [anEvent()] }),
    });
    show();
    await screen.findByText('Try again shortly');
    down = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('Attribution breakfast');
  });

  it('says whether a refresh worked', async () => {
    let down = false;
    fakeApi({ [LIST]: () => (down ? refusal(503, 'SERVICE_UNAVAILABLE', 'Later') : { body: [anEvent()] }) });
    const { toasts } = show();
    await screen.findByText('Attribution breakfast');
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(toasts).toHaveLength(1));
    down = true;
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(toasts).toHaveLength(2));
    expect(toasts.map(({ title, description }) => [title, description])).toEqual([
      ['Refreshed', 'Event data has been updated'],
      ['Refresh Failed', 'Failed to update event data. Please try again.'],
    ]);
  });
});
