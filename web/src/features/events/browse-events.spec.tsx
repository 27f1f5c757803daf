import { jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Link } from 'react-router-dom';
import userEvent from '@testing-library/user-event';
import type { Event } from '@meetmark/contracts';
import { getTexts, press } from '../../testing/actions';
import { fakeApi, refusal } from '../../testing/fake-api';
import { findToast, pressForPart, renderScreen } from '../../testing/render-screen';
import { anEvent, aRunningEvent, aUser, TOPICS } from '../../testing/samples';
import { BrowseEvents } from './browse-events';

const LIST = 'GET /api/events/public';
const show = (path?: string, user: ReturnType<typeof aUser> | null = null) =>
  renderScreen(<BrowseEvents heading="h1" />, { user, path });
const list = (body: Event[], total?: number) => {
  const headers = total === undefined ? undefined : { 'X-Total-Count': String(total) };
  return fakeApi({ [LIST]: () => ({ body, headers }), 'GET /api/topics': () => ({ body: TOPICS }) });
};
const openFilters = () => pressForPart(screen.getByRole('button', { name: 'Filters' }));
const filter = (name: 'Price' | 'Time') => screen.getByRole<HTMLSelectElement>('combobox', { name });
const choose = (name: 'Price' | 'Time', value: string) => userEvent.selectOptions(filter(name), value);
const search = () => screen.getByRole<HTMLInputElement>('searchbox');
const enterSearch = (value: string) => fireEvent.change(search(), { target: { value } });
const query = () => Object.fromEntries(new URLSearchParams(window.location.search));
const sentQuery = (request?: ReturnType<typeof list>[number]) => Object.fromEntries(request?.query ?? []);

describe('Browse Events', () => {
  beforeAll(async () => {
    list([]);
    await act(async () => void show('/?format=online'));
    await openFilters();
    await screen.findByRole('radio', { name: 'Hybrid' });
    cleanup();
  });

  it('loads the attendee avatars of a page in one request for members', async () => {
    const face = { id: '1', firstName: 'Ada', lastName: 'Lovelace', profileImageUrl: null };
    const faces = [face, { ...face, id: '2', firstName: 'Grace' }];
    const requests = fakeApi({
      [LIST]: () => ({
        body: [anEvent({ id: 'a', registrationCount: 3 }), anEvent({ id: 'b', registrationCount: 0 })],
      }),
      'GET /api/my-events': () => ({ body: [] }),
      'GET /api/event-faces': () => ({ body: [{ eventId: 'a', faces }] }),
    });
    show('/', aUser());
    await screen.findByText('GL');
    const [first, second] = screen.getAllByRole('article');
    within(first!).getByText('AL');
    expect(within(second!).queryByText('AL')).toBeNull();
    const asked = requests.filter(({ path }) => path === '/api/event-faces');
    expect(asked.map(({ query }) => query.getAll('eventIds'))).toEqual([['a']]);
  });

  it('requests upcoming events without avatars for visitors, and shows their number', async () => {
    const description = '# Why\n- **Bring** your [laptop](https://example.org)\n> and `code`';
    const event = anEvent({ registrationCount: 3, description, descriptionFormat: 'markdown' });
    const requests = list([event], 31);
    show();
    await screen.findByText('31 events found');
    screen.getByText('Attribution breakfast');
    screen.getByRole('button', { name: 'Login to Register: Attribution breakfast' });
    expect(screen.getByText(/Bring/).textContent).toBe('Why\nBring your laptop\nand code');
    expect(requests.map(({ path }) => path)).toEqual(['/api/events/public']);
    expect(sentQuery(requests[0])).toEqual({ time: 'upcoming', limit: '12' });
  });

  it('searches after a pause in typing, and filters by price, time and format', async () => {
    const requests = list([]);
    show();
    await screen.findByText('No events found');
    await userEvent.type(search(), 'seo');
    await choose('Price', 'Paid');
    await choose('Time', 'Past');
    await openFilters();
    const formats = within(await screen.findByRole('radiogroup', { name: 'Format' }));
    await userEvent.click(formats.getByRole('radio', { name: 'Online' }));
    const limits = { q: 'seo', price: 'paid', time: 'past', format: 'online', limit: '12' };
    await waitFor(() => expect(sentQuery(requests.at(-1))).toEqual(limits));
    expect(requests.filter(({ query }) => query.get('q') === 's')).toEqual([]);
  });

  it('keeps its filters in the URL next to other parameters, and ignores invalid ones', async () => {
    const requests = list([]);
    show('/?event=1&q=seo&price=paid&time=past&format=nonsense&topic=S%C3%89O!');
    await screen.findByText('No events found');
    expect(sentQuery(requests[0])).toEqual({ q: 'seo', price: 'paid', time: 'past', limit: '12' });
    await choose('Price', 'Free');
    expect(query()).toMatchObject({ event: '1', price: 'free' });
    await press('Clear search and filters');
    expect(query()).toEqual({ event: '1' });
    expect(search().value).toBe('');
  });

  it('shows the time and price filters, and collapses the others', async () => {
    list([]);
    show('/?time=all');
    const row = within(screen.getByRole('search'));
    expect(row.getAllByRole('combobox')).toEqual([filter('Time'), filter('Price')]);
    expect([filter('Time').value, filter('Price').value]).toEqual(['all', 'all']);
    expect(getTexts(filter('Price').options)).toEqual(['All prices', 'Free', 'Paid']);
  });

  it('lists applied filters of the collapsed panel, with buttons to remove them', async () => {
    list([]);
    show('/?price=paid&time=past&format=online');
    await screen.findByText('No events found');
    expect(screen.queryByRole('radio')).toBeNull();
    const applied = within(await screen.findByRole('list', { name: 'Applied filters' }));
    expect(getTexts(applied.getAllByRole('button'))).toEqual(['Online']);
    await press('Remove filter: Online');
    expect(query()).toEqual({ price: 'paid', time: 'past' });
    expect(screen.queryByRole('list', { name: 'Applied filters' })).toBeNull();
    await press('Clear search and filters');
    expect([query(), filter('Time').value, filter('Price').value]).toEqual([{}, 'upcoming', 'all']);
  });

  it('filters by topic, and shows the topic’s feeds until the filter is removed', async () => {
    const requests = list([anEvent({ topics: TOPICS })]);
    show('/?topic=seo');
    await screen.findByText('PPC · SEO');
    const asked = () =>
      requests.filter(({ path }) => path === '/api/events/public').map(({ query }) => query.get('topic'));
    expect(asked()).toEqual(['seo']);
    const feeds = within(await screen.findByRole('group', { name: 'Feeds for SEO' }));
    const links = feeds.getAllByRole<HTMLAnchorElement>('link').map(({ href }) => href);
    const feed = '//localhost/feeds/topics/seo';
    expect(links).toEqual([`http:${feed}.rss`, `webcal:${feed}.ics`]);
    await openFilters();
    await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Topic' }), 'PPC');
    expect(query()).toEqual({ topic: 'ppc' });
    await press('Remove filter: PPC');
    expect(query()).toEqual({});
    await waitFor(() => expect(asked().at(-1)).toBeNull());
    expect(screen.queryByRole('group', { name: /^Feeds for/ })).toBeNull();
  });

  it('undoes a filter, or a whole search, with the Back button', async () => {
    list([]);
    show();
    await screen.findByText('No events found');
    for (const q of ['seo', 'seo day']) {
      enterSearch(q);
      await waitFor(() => expect(query()).toEqual({ q }));
    }
    await choose('Price', 'Paid');
    expect(query()).toEqual({ q: 'seo day', price: 'paid' });
    for (const before of [{ q: 'seo day' }, {}]) {
      act(() => window.history.back());
      await waitFor(() => expect(query()).toEqual(before));
    }
    await waitFor(() => expect(search().value).toBe(''));
    act(() => window.history.forward());
    await waitFor(() => expect(search().value).toBe('seo day'));
  });

  it('shows the location, a bar when nearly full, and the year unless current', async () => {
    const year = new Date().getFullYear();
    const event = (of: number, given: Partial<Event>) =>
      anEvent({
        ...{ id: String(of), title: `In ${of}`, capacity: 10, ...given },
        ...{ startDate: `${of}-12-01T18:00:00.000Z`, endDate: `${of}-12-01T20:00:00.000Z` },
      });
    list([
      event(year, { format: 'online', location: null, registrationCount: 6 }),
      event(year + 1, { format: 'hybrid', location: 'Leeds', registrationCount: 7 }),
    ]);
    show();
    const [near, far] = await screen.findAllByRole('article');
    const bars = (card?: HTMLElement) => card?.querySelectorAll('[style^="width"]').length;
    within(near!).getByText('Online');
    expect(near?.querySelector('time')?.textContent).not.toContain(String(year));
    within(far!).getByText('Hybrid · Leeds');
    expect(far?.querySelector('time')?.textContent).toContain(String(year + 1));
    expect([bars(near), bars(far)]).toEqual([0, 1]);
    // no headings between the cards
    expect(getTexts(screen.getAllByRole('heading'))).toEqual([
      'Browse Events',
      `In ${year}`,
      `In ${year + 1}`,
    ]);
  });

  it('labels images of running, full and cancelled events, and mutes only cancelled ones', async () => {
    const full = { capacity: 1, registrationCount: 1 };
    list([
      anEvent({ id: '1', ...full, waitlistEnabled: true, registrationState: 'waitlist' }),
      anEvent({ id: '2', ...full, registrationState: 'full' }),
      anEvent({ id: '3', status: 'cancelled', registrationState: 'cancelled' }),
      aRunningEvent({ id: '4' }),
    ]);
    show();
    const cards = await screen.findAllByRole('article');
    const pictures = cards.map((card) => card.querySelector<HTMLElement>('[data-muted]')!);
    expect(pictures.map(({ dataset }) => dataset.muted)).toEqual(['false', 'false', 'true', 'false']);
    within(pictures[0]!).getByText('Waiting list');
    within(pictures[1]!).getByText('Full');
    within(pictures[2]!).getByText('Cancelled');
    expect(screen.getByText('Happening Now').closest('article')).toBe(cards[3]);
    within(cards[3]!).getByRole('button', { name: /^Event Ended/ });
  });

  describe('while the URL is changing', () => {
    const TYPING_PAUSE = 300;
    beforeEach(() => jest.useFakeTimers());

    const typeInto = async () => {
      list([anEvent({ id: '7' })]);
      renderScreen(
        <>
          <BrowseEvents heading="h1" />
          <Link to="/my-events">Mine</Link>
        </>,
        { user: null },
      );
      const details = await screen.findByRole('link', { name: /^View Details/ });
      enterSearch('seo');
      return details;
    };
    const typingEnds = () => jest.advanceTimersByTime(TYPING_PAUSE);

    it.each(['after', 'before'])(
      'keeps a search in the URL that starts %s an event is opened',
      async (when) => {
        const details = await typeInto();
        act(() => {
          if (when === 'before') typingEnds();
          details.click();
          if (when === 'after') typingEnds();
        });
        expect(query()).toEqual({ event: '7', q: 'seo' });
        expect(search().value).toBe('seo');
      },
    );

    it('does not search after the user has left the screen', async () => {
      await typeInto();
      act(() => {
        screen.getByRole('link', { name: 'Mine' }).click();
        typingEnds();
      });
      expect(window.location.pathname + window.location.search).toBe('/my-events');
    });
  });

  it('distinguishes a community without events from a search without results', async () => {
    list([]);
    show();
    await screen.findByText(/^No events are planned at the moment/);
    expect(screen.queryByRole('button', { name: 'Clear search and filters' })).toBeNull();
    await press('See past events');
    await screen.findByText('No events have taken place yet.');
    await choose('Price', 'Paid');
    await screen.findByText(/^No events match your search/);
  });

  it('loads the next page with Show more, and retries on request if that fails', async () => {
    const headers = { Link: '</api/events/public?time=upcoming&limit=12&cursor=x>; rel="next"' };
    let down = true;
    fakeApi({
      [LIST]: ({ query }) => {
        if (!query.has('cursor')) return { body: [anEvent()], headers };
        if (down) throw new TypeError('Failed to fetch');
        return { body: [anEvent({ id: '2', title: 'Second page' })] };
      },
    });
    show();
    await press('Show more');
    expect((await screen.findByRole('alert')).textContent).toBe('Check your connection and try again.');
    down = false;
    await press('Show more');
    await screen.findByText('Second page');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('offers to try again when the list cannot be loaded', async () => {
    fakeApi({ [LIST]: () => refusal(503, 'SERVICE_UNAVAILABLE', 'Try again shortly') });
    show();
    await screen.findByText('Try again shortly');
    list([anEvent()]);
    await press('Try again');
    await screen.findByText('Attribution breakfast');
  });

  it('says whether a refresh worked', async () => {
    list([anEvent()]);
    const { toasts } = show();
    await screen.findByText('Attribution breakfast');
    await press('Refresh');
    await findToast(toasts, 'Event data has been updated');
    fakeApi({});
    await press('Refresh');
    const words = 'Refresh Failed: Failed to update event data. Please try again.';
    await waitFor(() => expect(toasts).toHaveLength(2));
    expect(`${toasts[1]!.title}: ${toasts[1]!.description}`).toBe(words);
  });
});
