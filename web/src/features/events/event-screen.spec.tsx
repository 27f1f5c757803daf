import type { Event, Attendee, User, EventPage, PreviewLink } from '@meetmark/contracts';
import { screen, waitFor, within, act, fireEvent } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { jest } from '@jest/globals';
import type { ReactElement } from 'react';
import { atRoute, fillFields, findDialog, getHrefs, getTexts, press } from '../../testing/actions';
import { fakeApi, refusal } from '../../testing/fake-api';
import { findToast, renderScreen } from '../../testing/render-screen';
import { anEvent, aRunningEvent, aUser, TOPICS } from '../../testing/samples';
import EventScreen from './event-screen';
import './attendee-list';
import './public-faces';
import { Attendees } from './attendees';
import ContactHost from './contact-host';
import { CancelEventDialog, EventMenu, PublishDialog } from './event-menu';
import { EventDetails, Facts } from './event-details';
import EventDetailsDialog from './event-details-dialog';
import './programme';

const { id, content } = anEvent();
const EVENT = `/api/events/${id}`;

/** Renders in `act`, so that the parts that are loaded lazily have arrived. */
const show = (place: ReactElement, options: Parameters<typeof renderScreen>[1] = { user: null }) =>
  act(async () => renderScreen(place, options));

describe('The event page', () => {
  const open = (path: string) => {
    const requests = fakeApi({
      'GET /api/event-slugs/seo-breakfast': () => ({ body: { id, slug: 'seo-breakfast' } }),
      'GET /api/event-slugs/nobodys': () => refusal(404, 'EVENT_NOT_FOUND', 'Event not found'),
      'GET /api/events/gone': () => refusal(404, 'EVENT_NOT_FOUND', 'Event not found'),
      [`GET ${EVENT}`]: () => ({ body: anEvent({ slug: 'seo-breakfast' }) }),
    });
    const route = path.startsWith('/e/') ? 'e/:slug' : 'events/:eventId';
    renderScreen(atRoute(route, <EventScreen />), { user: null, path });
    return requests;
  };

  it.each([
    ['its short link', '/e/seo-breakfast', 1],
    ['its ID', `/events/${id}`, 0],
  ])('opens the event from %s', async (_, path, lookUps) => {
    const requests = open(path);
    await screen.findByRole('heading', { level: 1, name: anEvent().title });
    expect(requests.filter(({ path: asked }) => asked.startsWith('/api/event-slugs/'))).toHaveLength(lookUps);
  });

  it.each(['/e/nobodys', '/events/gone'])('shows at %s that the event no longer exists', async (path) => {
    open(path);
    await screen.findByRole('heading', { level: 1, name: 'This event no longer exists' });
    expect(document.title).toBe('This event no longer exists · Meetmark');
    screen.getByRole('link', { name: 'See other events' });
  });

  it('shows state, price, day and time zone only once to readers in that zone', async () => {
    fakeApi({});
    const item = (hour: string, title: string) => ({
      ...{ startsAt: `2030-05-01T${hour}:00.000Z`, endsAt: null, title, note: null },
    });
    const agenda = [item('09:00', 'Coffee'), item('10:00', 'Talk')];
    const event = anEvent({ price: '25.00', timeZone: 'UTC', content: { ...content, agenda } });
    await show(<EventDetails event={event} />);
    const part = (await screen.findByRole('heading', { name: 'Agenda' })).parentElement!;
    const article = part.closest('article')!;
    const said = [article.querySelector('header'), article.querySelector('dl'), part]
      .map((each) => each!.textContent)
      .join(' ');
    const times = (words: RegExp) => said.match(words)?.length ?? 0;
    expect([/Open for Registration/g, /\b25\b/g, /May 1/g, /UTC/g, /In person/g, /Talk/g].map(times)).toEqual(
      [1, 1, 1, 1, 1, 1],
    );
  });

  describe('of an event in a series', () => {
    const seriesId = '0197f000-0000-7000-8000-00000000000a';
    const event = anEvent({ title: 'SEO Breakfast', slug: 'seo-breakfast', seriesId });
    const dates = ['05', '12', '19', '26'].map((day, at) =>
      anEvent({
        ...{ id: `0197f000-0000-7000-8000-0000000000b${at}`, slug: `breakfast-${at}`, seriesId },
        title: at === 1 ? 'SEO Breakfast: with a guest' : event.title,
        ...{ startDate: `2026-02-${day}T08:00:00.000Z`, endDate: `2026-02-${day}T09:00:00.000Z` },
      }),
    );
    const open = async (items: Event[]) => {
      const requests = fakeApi({ 'GET /api/events/public': () => ({ body: items }) });
      await show(<EventDetails event={event} />);
      await waitFor(() => expect(requests.some(({ query }) => query.get('series') === seriesId)).toBe(true));
    };

    it('shows the next three events, with a title only if it differs', async () => {
      await open([event, ...dates]);
      const heading = await screen.findByRole('heading', { level: 2, name: 'Next dates' });
      const links = within(heading.parentElement!).getAllByRole('link');
      expect(getHrefs(links)).toEqual([0, 1, 2].map((at) => `/e/breakfast-${at}`));
      expect(screen.getAllByText('SEO Breakfast: with a guest')).toHaveLength(1);
    });

    it('omits “Next dates” when the series has no other event', async () => {
      await open([event]);
      expect(screen.queryByRole('heading', { name: 'Next dates' })).toBeNull();
    });
  });
});

describe('The details dialog', () => {
  const event = anEvent({
    slug: 'seo-breakfast',
    description: 'Coffee first.',
    registrationCount: 3,
    topics: TOPICS,
    content: { ...content, hosts: [{ ...aUser(), agreed: true }], recap: 'It was good.' },
  });
  const open = async (user: User | null) => {
    fakeApi({
      [`GET ${EVENT}`]: () => ({ body: event }),
      [`GET ${EVENT}/attendees`]: () => ({ body: [] }),
      'GET /api/my-events': () => ({ body: [] }),
    });
    await show(<EventDetailsDialog eventId={id} close={() => undefined} />, { user });
    return screen.findByRole('article');
  };

  it('shows banner, badges, facts, description and attendees before anything else', async () => {
    const article = await open(aUser());
    await screen.findByRole('heading', { name: 'Recap' });
    const places = [
      within(article).getByRole('heading', { name: event.title }),
      within(article).getByText('Open for Registration'),
      ...['Date & Time', 'Location', 'Capacity', 'Event Type', 'Created'].map((name) =>
        [...article.querySelectorAll('dt')].find(({ textContent }) => textContent.endsWith(name))!,
      ),
      ...['About this event', 'Attendees (3)'].map((name) => screen.getByRole('heading', { name })),
      within(article).getByRole('region', { name: 'Registration' }),
      ...['Recap', 'Hosted by'].map((name) => screen.getByRole('heading', { name })),
    ];
    const inOrder = [...places].sort((one, other) =>
      one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
    );
    expect(inOrder).toEqual(places);
    expect(article.firstElementChild!.querySelector('img, svg')).not.toBeNull();
  });

  it('offers visitors the login first, then registration with an emailed code', async () => {
    const article = await open(null);
    const card = within(within(article).getByRole('region', { name: 'Registration' }));
    const login = card.getByRole('button', { name: 'Login to Register' });
    expect(login.className).toContain('ant-btn-primary');
    const code = card.getByRole('link', { name: 'Register with an emailed code' });
    expect(code.getAttribute('href')).toBe('/e/seo-breakfast#register');
    expect(login.nextElementSibling).toBe(code);
    expect(screen.queryByLabelText('Email')).toBeNull();
  });
});

describe.each(['page', 'dialog'])('The %s of an event with guests, shown to a visitor', (place) => {
  const open = async (event: EventPage) => {
    fakeApi({ [`GET ${EVENT}`]: () => ({ body: event }) });
    await show(
      place === 'page' ? (
        <EventDetails event={event} />
      ) : (
        <EventDetailsDialog eventId={id} close={() => undefined} />
      ),
    );
    await screen.findByRole('heading', { name: event.title });
    return getTexts(screen.getAllByText(/^Sign in to see/));
  };

  it('marks a running event as happening now, and offers once to show who is coming', async () => {
    expect(await open(aRunningEvent({ registrationCount: 3 }))).toEqual(['Sign in to see who is coming']);
    screen.getByText('Happening Now');
    screen.getByRole('heading', { name: 'Registration closed' });
    expect(screen.queryByText('Event Ended')).toBeNull();
  });

  it.each(['ended', 'cancelled'] as const)('offers once to show the attendees if %s', async (state) => {
    const links = await open(anEvent({ registrationState: state, registrationCount: 3 }));
    expect(links).toEqual(['Sign in to see the attendees']);
  });
});

describe('The attendee list', () => {
  const attendee = (firstName: string): Attendee => ({
    ...{ id: firstName, firstName, lastName: 'Lovelace', profileImageUrl: null, linkedInUrl: null },
  });
  const open = (given: Partial<EventPage>, user: User | null = null, body: Attendee[] = []) => {
    fakeApi({ [`GET ${EVENT}/attendees`]: () => ({ body }) });
    return show(<Attendees event={anEvent(given)} heading="h2" />, { user });
  };

  it('does not say “No attendees yet” when all attendees are unnamed', async () => {
    await open({ registrationCount: 1 }, aUser());
    await screen.findByText('1 person is coming');
    expect(screen.queryByText('No attendees yet')).toBeNull();
  });

  it.each([
    ['open', 'a visitor', null],
    ['open', 'a member', aUser()],
    ['closed', 'a visitor', null],
  ] as const)('says “No attendees yet” if %s, to %s', async (registrationState, _, user) => {
    await open({ registrationCount: 0, registrationState }, user);
    screen.getByText('No attendees yet');
    expect(screen.queryByText('Be the first to register!') !== null).toBe(registrationState === 'open');
  });

  it('shows visitors the attendees who agreed to it, and counts the rest', async () => {
    const publicAttendees = ['Ada', 'Grace'].map((firstName) => ({
      ...{ firstName, lastName: 'Lovelace', profileImageUrl: null },
    }));
    const { unmount } = await open({ registrationCount: 7, publicAttendees });
    await screen.findByText('Ada Lovelace, Grace Lovelace and 5 others');
    screen.getByRole('link', { name: 'Sign in to see who is coming' });
    unmount();
    await open({ registrationCount: 2, publicAttendees });
    await screen.findByText('Ada Lovelace and Grace Lovelace');
  });

  it('shows attendees’ names to members with an unconfirmed email address', async () => {
    await open({ registrationCount: 2 }, aUser({ emailVerifiedAt: null }), [attendee('Ada')]);
    await screen.findByText('Ada Lovelace');
    screen.getByText('and 1 other');
  });

  it('shows 24 attendees at first, and all of them on request', async () => {
    const everyone = Array.from({ length: 26 }, (_, n) => attendee(`Member${n}`));
    const requests = fakeApi({
      [`GET ${EVENT}/attendees`]: ({ query }) => {
        const limit = Number(query.get('limit') ?? everyone.length);
        const link = `<${EVENT}/attendees?limit=${limit}&cursor=next>; rel="next"`;
        return { body: everyone.slice(0, limit), ...(limit < everyone.length && { headers: { link } }) };
      },
    });
    await show(<Attendees event={anEvent({ registrationCount: 31 })} heading="h2" />, { user: aUser() });
    await screen.findByText('Member23 Lovelace');
    expect(screen.getAllByRole('listitem')).toHaveLength(24);
    expect(screen.queryByText(/others?$/)).toBeNull();
    await press('Show all 31');
    await screen.findByText('Member25 Lovelace');
    screen.getByText('and 5 others');
    expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull();
    expect(requests.map(({ query }) => query.get('limit'))).toEqual(['24', null]);
  });
});

describe('The form to contact the host', () => {
  const FLOW = 'f'.repeat(22);
  const TEXT = 'May I bring my dog?';
  const path = `${EVENT}/host-messages`;
  const open = async (user: User | null) => {
    const screens = renderScreen(<ContactHost event={anEvent()} />, { user });
    await press('Contact the host');
    return { ...screens, form: await findDialog() };
  };
  const message = () => screen.getByLabelText<HTMLTextAreaElement>('Your message').value;

  it.each([
    ['the community has turned it off', {}, { contactHost: false }],
    ['the event has been over for a month', { endDate: '2020-01-01T12:00:00.000Z' }, {}],
    ['the reader manages the event', { mayManage: true }, {}],
  ])('has no “Contact the host” button when %s', (_, given, community) => {
    renderScreen(<ContactHost event={anEvent(given)} />, { user: null, community });
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('sends a member’s message and shows the email address for replies', async () => {
    const requests = fakeApi({ [`POST ${path}`]: () => ({ status: 202, body: { message: '' } }) });
    const user = aUser();
    const { form, toasts } = await open(user);
    form.getByText(/gets your name and email address and can reply by email.*once they reply/);
    await press('Send message');
    form.getByText('Write at least 10 characters');
    fillFields({ 'Your message': TEXT });
    await press('Send message');
    await waitFor(() => expect(toasts).toMatchObject([{ description: `Replies will go to ${user.email}.` }]));
    expect(requests.changes()).toEqual([['POST', path, { message: TEXT }]]);
    expect(requests.sent()[0]!.headers.get('idempotency-key')).toBeTruthy();
  });

  it('asks visitors for an emailed code and keeps their message', async () => {
    const answers = [refusal(400, 'CODE_INVALID', 'Invalid or expired code'), { status: 202, body: {} }];
    const requests = fakeApi({
      [`POST ${path}/code`]: () => ({ status: 202, body: { flow: FLOW } }),
      [`POST ${path}/visitor`]: () => answers.shift()!,
    });
    const { form, toasts } = await open(null);
    fillFields({ 'Your message': TEXT });
    await press('Send me the code');
    form.getByText('Name is required');
    form.getByText('Email is required');
    fillFields({ 'Your name': ' Vera ', Email: 'vera@example.org' });
    await press('Send me the code');
    await form.findByLabelText('6-digit code');
    await press('Change my message');
    expect(message()).toBe(TEXT);
    await press('Send me the code');
    await form.findByLabelText('6-digit code');
    fillFields({ '6-digit code': '123 456' });
    await press('Send message');
    await form.findByText('Invalid or expired code');
    await press('Send message');
    const description = 'Replies will go to vera@example.org.';
    await waitFor(() => expect(toasts).toMatchObject([{ description }]));
    const [asked, , sent] = requests.bodies();
    expect(asked).toEqual({ email: 'vera@example.org' });
    expect(sent).toEqual({ message: TEXT, name: 'Vera', flow: FLOW, code: '123456' });
  });

  it('keeps the typed message when it cannot be sent', async () => {
    const answers = [
      [refusal(429, 'RATE_LIMITED', 'x', { retryAfter: 7_000 }), /Try again in 2 hours/],
      [refusal(404, 'NOT_FOUND', 'Not found'), 'You can no longer contact hosts here.'],
      [refusal(409, 'ADDRESS_UNPROVED', 'Confirm your email address'), 'Confirm your email address'],
    ] as const;
    const { form } = await open(aUser());
    fillFields({ 'Your message': TEXT });
    for (const [answer, words] of answers) {
      fakeApi({ [`POST ${path}`]: () => answer });
      await press('Send message');
      await form.findByText(words);
      expect(message()).toBe(TEXT);
    }
  });
});

describe('The event menu', () => {
  const close = () => undefined;
  const open = async (event: Event) => {
    const rendered = renderScreen(<EventMenu event={event} onDuplicate={jest.fn()} onDelete={jest.fn()} />, {
      user: aUser({ isAdmin: true }),
    });
    await press(`More: ${event.title}`);
    await screen.findByRole('menu');
    return rendered;
  };
  const choose = async (item: string) => {
    await userEvent.click(await screen.findByRole('menuitem', { name: item }));
    return findDialog();
  };

  it.each([
    ['a draft', { status: 'draft' }, ['Publish', 'Preview link', 'Duplicate', 'Make a series', 'Delete']],
    ['a published event', { capacity: 10 }, ['Duplicate', 'Make a series', 'Cancel event', 'Delete']],
    [
      'a running event',
      { seriesId: 's', registrationState: 'started' },
      ['Duplicate', 'Cancel event', 'Delete'],
    ],
    ['a past event', { registrationState: 'ended' }, ['Duplicate', 'Make a series', 'Delete']],
    ['a cancelled event', { status: 'cancelled', registrationState: 'cancelled' }, ['Duplicate', 'Delete']],
  ] as const)('lists the actions for %s', async (_, given, items) => {
    fakeApi({});
    await open(anEvent(given));
    expect(getTexts(screen.getAllByRole('menuitem'))).toEqual(items);
  });

  it('publishes a draft after confirmation, and can skip the announcement', async () => {
    const draft = anEvent({ status: 'draft', topics: TOPICS, announcement: 'planned', version: 4 });
    const requests = fakeApi({
      [`GET ${EVENT}`]: () => ({ body: draft }),
      [`POST ${EVENT}/publish`]: () => ({ body: anEvent() }),
    });
    const publish = async (event: Event, skip = false) => {
      const dialog = <PublishDialog event={event} close={close} />;
      const { unmount, toasts } = renderScreen(dialog, { user: aUser({ isAdmin: true }) });
      const box = screen.queryByRole<HTMLInputElement>('checkbox', { name: 'Announce it by email' });
      if (box) await waitFor(() => expect(box.checked).toBe(true));
      if (skip) await userEvent.click(box!);
      await press('Publish');
      await findToast(toasts, 'Event published successfully');
      unmount();
      return [box !== null, requests.bodies().at(-1)];
    };
    expect(await publish(draft)).toEqual([true, { version: 4 }]);
    expect(await publish(draft, true)).toEqual([true, { version: 4, announce: false }]);
    expect(await publish({ ...draft, topics: [] })).toEqual([false, { version: 4 }]);
    expect(await publish({ ...draft, visibility: 'unlisted' })).toEqual([false, { version: 4 }]);
  });

  it('shows how many people are notified, and keeps the reason until the event is cancelled', async () => {
    const conflict = refusal(409, 'EDIT_CONFLICT', 'This has been changed');
    const answers = [conflict, { body: anEvent({ status: 'cancelled' }) }];
    const requests = fakeApi({ [`POST ${EVENT}/cancel`]: () => answers.shift()! });
    const event = anEvent({ registrationCount: 23, waitingCount: 4 });
    const dialog = <CancelEventDialog event={event} close={close} />;
    const { toasts } = renderScreen(dialog, { user: aUser({ isAdmin: true }) });
    screen.getByText('27 people will be notified by email.');
    const reason = screen.getByLabelText<HTMLTextAreaElement>('Reason (optional)');
    fillFields({ 'Reason (optional)': 'Our speaker is ill.' });
    await press('Cancel Event');
    await findToast(toasts, 'This has been changed');
    expect(reason.value).toBe('Our speaker is ill.');
    await press('Cancel Event');
    await findToast(toasts, 'Event cancelled successfully');
    expect(requests.bodies()[1]).toEqual({ version: 1, reason: 'Our speaker is ill.' });
  });

  it('creates and ends a preview link', async () => {
    const made = { createdAt: '2030-05-01T10:00:00.000Z', madeBy: 'Ada Lovelace' };
    let preview: PreviewLink | null = { ...made, works: false };
    fakeApi({
      [`GET ${EVENT}/preview`]: () => ({ body: preview }),
      [`POST ${EVENT}/preview`]: () => ({ status: 201, body: { token: 'abc' } }),
      [`DELETE ${EVENT}/preview`]: () => ({ status: 204 }),
    });
    await open(anEvent({ status: 'draft' }));
    const dialog = await choose('Preview link');
    await dialog.findByText(/^The current link doesn’t work, because Ada Lovelace/);
    preview = { ...made, works: true };
    await press('Make a link');
    await dialog.findByText(/^Ada Lovelace made the current link on May 1, 2030/);
    const link = await dialog.findByLabelText<HTMLInputElement>('Link to the draft');
    expect(new URL(link.value).pathname).toBe('/events/preview/abc');
    preview = null;
    await press('End the link');
    await dialog.findByRole('button', { name: 'Make a link' });
    await waitFor(() => expect(dialog.queryByText(/Ada Lovelace/)).toBeNull());
  });

  it('refuses invalid series lengths, then creates a series of six events', async () => {
    const requests = fakeApi({
      [`POST ${EVENT}/series`]: () => ({ status: 201, body: Array(5).fill(anEvent()) }),
    });
    const { toasts } = await open(anEvent());
    const dialog = await choose('Make a series');
    for (const refused of ['13', '1,2']) {
      fillFields({ 'Number of events': refused });
      await press('Make drafts');
      dialog.getByText('A series has 2 to 12 events');
    }
    fillFields({ 'Number of events': '6' });
    await userEvent.click(dialog.getByRole('radio', { name: 'Two weeks' }));
    await press('Make drafts');
    await findToast(toasts, '5 drafts made');
    expect(requests.bodies()).toEqual([{ every: 'two-weeks', count: 6 }]);
  });
});

describe('The venue on the event page', () => {
  const venue = { name: 'Town hall', address: '1 High Street', note: null, mapUrl: null };
  const open = async (hasMaps: boolean, given: Partial<EventPage> = {}) => {
    fakeApi({});
    const event = anEvent({ content: { ...content, venue }, ...given });
    await show(<Facts event={event} />, { user: null, community: { hasMaps } });
    return screen.queryByRole('img', { name: 'Map of 1 High Street' });
  };

  it('links its map to the directions, and shows only the address when the image fails', async () => {
    const map = await open(true);
    expect(map!.getAttribute('src')).toMatch(/^\/media\/maps\/[0-9a-f-]{36}\.webp\?version=\d+$/);
    const directions = screen.getByRole('link', { name: 'Directions to Town hall' });
    expect(map!.closest('a')!.href).toBe((directions as HTMLAnchorElement).href);
    fireEvent.error(map!);
    expect(screen.queryByRole('img', { name: 'Map of 1 High Street' })).toBeNull();
    screen.getByText('1 High Street');
  });

  it.each<[string, boolean, Partial<EventPage>]>([
    ['the community has no maps', false, {}],
    ['the event is online', true, { format: 'online' }],
    ['the event is a draft', true, { status: 'draft' }],
    ['the venue has no address', true, { content: { ...content, venue: { ...venue, address: null } } }],
  ])('shows no map when %s', async (_, hasMaps, given) => {
    expect(await open(hasMaps, given)).toBeNull();
  });
});
