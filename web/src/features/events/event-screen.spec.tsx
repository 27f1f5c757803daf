import type { Event, Attendee, User, EventPage, PreviewLink } from '@meetmark/contracts';
import { screen, waitFor, within, act, fireEvent } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import userEvent from '@testing-library/user-event';
import { jest } from '@jest/globals';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aRunningEvent, aUser, TOPICS } from '../../testing/samples';
import EventScreen from './event-screen';
import './attendee-list';
import './public-faces';
import { Attendees } from './attendees';
import ContactHost from './contact-host';
import { EventMenu } from './event-menu';
import { EventDetails } from './event-details';
import EventDetailsDialog from './event-details-dialog';
import './programme';

describe('The event page', () => {
  const event = anEvent({ slug: 'seo-breakfast' });
  const found = { body: { id: event.id, slug: 'seo-breakfast' } };
  const open = (path: string) => {
    const requests = fakeApi({
      'GET /api/event-slugs/seo-breakfast': () => found,
      'GET /api/event-slugs/first-name': () => found,
      'GET /api/event-slugs/nobodys': () => refusal(404, 'EVENT_NOT_FOUND', 'Event not found'),
      [`GET /api/events/${event.id}`]: () => ({ body: event }),
    });
    renderScreen(
      <Routes>
        <Route path="e/:slug" element={<EventScreen />} />
        <Route path="events/:eventId" element={<EventScreen />} />
      </Routes>,
      { user: null, path },
    );
    return requests;
  };

  it.each([
    ['its short link', '/e/seo-breakfast', 1],
    ['an earlier short link', '/e/first-name', 1],
    ['its ID', `/events/${event.id}`, 0],
  ])('opens the event from %s', async (_, path, lookUps) => {
    const requests = open(path);
    await screen.findByRole('heading', { level: 1, name: event.title });
    expect(requests.filter(({ path: asked }) => asked.startsWith('/api/event-slugs/'))).toHaveLength(lookUps);
  });

  it('says that the event no longer exists when the link is unknown', async () => {
    open('/e/nobodys');
    await screen.findByRole('heading', { level: 1, name: 'This event no longer exists' });
  });
});

describe('The details dialog', () => {
  const event = anEvent({
    slug: 'seo-breakfast',
    description: 'Coffee first.',
    registrationCount: 3,
    topics: TOPICS,
    content: {
      ...anEvent().content,
      hosts: [{ ...aUser(), agreed: true }],
      recap: 'It was good.',
    },
  });
  const open = async (user: User | null) => {
    fakeApi({
      [`GET /api/events/${event.id}`]: () => ({ body: event }),
      [`GET /api/events/${event.id}/attendees`]: () => ({ body: [] }),
      'GET /api/my-events': () => ({ body: [] }),
    });
    await act(
      async () =>
        void renderScreen(<EventDetailsDialog eventId={event.id} close={() => undefined} />, { user }),
    );
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

describe('The page of an event with an agenda', () => {
  const item = (hour: string, title: string) => ({
    ...{ startsAt: `2030-05-01T${hour}:00.000Z`, endsAt: null, title, note: null },
  });
  const event = anEvent({
    price: '25.00',
    timeZone: 'UTC',
    content: { ...anEvent().content, agenda: [item('09:00', 'Coffee'), item('10:00', 'Talk')] },
  });

  it('shows state, price, day and time zone only once to readers in that zone', async () => {
    fakeApi({
      [`GET /api/events/${event.id}`]: () => ({ body: event }),
      'GET /api/events/public': () => ({ body: [] }),
    });
    renderScreen(
      <Routes>
        <Route path="events/:eventId" element={<EventScreen />} />
      </Routes>,
      { user: null, path: `/events/${event.id}` },
    );
    const agenda = (await screen.findByRole('heading', { name: 'Agenda' })).parentElement!;
    const article = agenda.closest('article')!;
    const said = [article.querySelector('header'), article.querySelector('dl'), agenda]
      .map((part) => part!.textContent)
      .join(' ');
    const times = (words: RegExp) => said.match(words)?.length ?? 0;
    expect([/Open for Registration/g, /\b25\b/g, /May 1/g, /UTC/g, /In person/g, /Talk/g].map(times)).toEqual(
      [1, 1, 1, 1, 1, 1],
    );
  });
});

describe('The page of an event in a series', () => {
  const seriesId = '0197f000-0000-7000-8000-00000000000a';
  const event = anEvent({ title: 'SEO Breakfast', slug: 'seo-breakfast', seriesId });
  const dates = ['2026-02-05', '2026-02-12', '2026-02-19', '2026-02-26'].map((day, at) =>
    anEvent({
      ...{ id: `0197f000-0000-7000-8000-0000000000b${at}`, slug: `breakfast-${at}`, seriesId },
      title: at === 1 ? 'SEO Breakfast: with a guest' : event.title,
      ...{ startDate: `${day}T08:00:00.000Z`, endDate: `${day}T09:00:00.000Z` },
    }),
  );
  const open = (items: Event[]) => {
    const requests = fakeApi({
      [`GET /api/events/${event.id}`]: () => ({ body: event }),
      'GET /api/events/public': ({ query }) => ({ body: query.get('series') === null ? [] : items }),
    });
    renderScreen(
      <Routes>
        <Route path="events/:eventId" element={<EventScreen />} />
      </Routes>,
      { user: null, path: `/events/${event.id}` },
    );
    return requests;
  };

  it('shows the next three events, with a title only if it differs', async () => {
    open([event, ...dates]);
    const heading = await screen.findByRole('heading', { level: 2, name: 'Next dates' });
    const links = within(heading.parentElement!).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      [0, 1, 2].map((at) => `/e/breakfast-${at}`),
    );
    expect(screen.getAllByText('SEO Breakfast: with a guest')).toHaveLength(1);
  });

  it('omits “Next dates” when the series has no other event', async () => {
    const requests = open([event]);
    await screen.findByRole('heading', { level: 1, name: event.title });
    await waitFor(() => expect(requests.some(({ query }) => query.has('series'))).toBe(true));
    expect(screen.queryByRole('heading', { name: 'Next dates' })).toBeNull();
  });
});

describe('The page of a deleted event', () => {
  it('says that the event no longer exists, and links to other events', async () => {
    fakeApi({ 'GET /api/events/gone': () => refusal(404, 'EVENT_NOT_FOUND', 'Event not found') });
    renderScreen(
      <Routes>
        <Route path="events/:eventId" element={<EventScreen />} />
      </Routes>,
      { user: null, path: '/events/gone' },
    );
    await screen.findByRole('heading', { level: 1, name: 'This event no longer exists' });
    expect(document.title).toBe('This event no longer exists · Meetmark');
    expect(screen.getByRole('link', { name: 'See other events' })).toBeTruthy();
  });
});

describe.each(['page', 'dialog'])('The %s of an event with guests, shown to a visitor', (place) => {
  const show = async (event: EventPage) => {
    fakeApi({
      [`GET /api/events/${event.id}`]: () => ({ body: event }),
      [`GET /api/events/${event.id}/count`]: () => ({ body: { count: event.registrationCount } }),
    });
    const shown =
      place === 'page' ? (
        <EventDetails event={event} />
      ) : (
        <EventDetailsDialog eventId={event.id} close={() => undefined} />
      );
    await act(async () => void renderScreen(shown, { user: null }));
    await screen.findByRole('heading', { name: event.title });
  };

  it('marks a running event as happening now, not as ended', async () => {
    await show(aRunningEvent());
    screen.getByText('Happening Now');
    screen.getByRole('heading', { name: 'Registration closed' });
    expect(screen.queryByText('Event Ended')).toBeNull();
  });

  it.each([
    ['open', 'Sign in to see who is coming'],
    ['started', 'Sign in to see who is coming'],
    ['ended', 'Sign in to see the attendees'],
    ['cancelled', 'Sign in to see the attendees'],
  ] as const)('in the state %s, offers the link “%s” once', async (registrationState, name) => {
    await show(anEvent({ registrationState, registrationCount: 3 }));
    screen.getByRole('link', { name });
    expect(screen.queryAllByText(/^Sign in to see/)).toHaveLength(1);
  });
});

describe('The attendee list', () => {
  const attendee = (firstName: string): Attendee => ({
    ...{ id: firstName, firstName, lastName: 'Lovelace', profileImageUrl: null, linkedInUrl: null },
  });
  const shown = async (count: number, names: string[]) => {
    const event = anEvent({ registrationCount: count });
    const body = names.map(attendee);
    fakeApi({ [`GET /api/events/${event.id}/attendees`]: () => ({ body }) });
    await act(async () => void renderScreen(<Attendees event={event} heading="h2" />, { user: aUser() }));
  };

  it('shows how many attendees are not named', async () => {
    await shown(3, ['Ada']);
    await screen.findByText('and 2 others');
  });

  it('does not say “No attendees yet” when all attendees are unnamed', async () => {
    await shown(1, []);
    await screen.findByText('1 person is coming');
    expect(screen.queryByText('No attendees yet')).toBeNull();
  });

  it.each([
    ['open', 'a visitor', null],
    ['open', 'a member', aUser()],
    ['closed', 'a visitor', null],
  ] as const)(
    'says “No attendees yet” when registration is %s, to %s',
    async (registrationState, _, user) => {
      fakeApi({});
      const event = anEvent({ registrationCount: 0, registrationState });
      await act(async () => void renderScreen(<Attendees event={event} heading="h2" />, { user }));
      screen.getByText('No attendees yet');
      expect(screen.queryByText('Be the first to register!') !== null).toBe(registrationState === 'open');
    },
  );

  it('shows visitors the attendees who agreed to it, and counts the rest', async () => {
    const publicAttendees = ['Ada', 'Grace'].map((firstName) => ({
      ...{ firstName, lastName: 'Lovelace', profileImageUrl: null },
    }));
    fakeApi({});
    const renderAttendees = async (registrationCount: number) => {
      const event = anEvent({ registrationCount, publicAttendees });
      let rendered!: ReturnType<typeof renderScreen>;
      await act(
        async () => void (rendered = renderScreen(<Attendees event={event} heading="h2" />, { user: null })),
      );
      return rendered;
    };
    const { unmount } = await renderAttendees(7);
    await screen.findByText('Ada Lovelace, Grace Lovelace and 5 others');
    screen.getByRole('link', { name: 'Sign in to see who is coming' });
    unmount();
    await renderAttendees(2);
    await screen.findByText('Ada Lovelace and Grace Lovelace');
  });

  it('shows attendees’ names to members with an unconfirmed email address', async () => {
    const body = [attendee('Ada')];
    const event = anEvent({ registrationCount: 2 });
    fakeApi({ [`GET /api/events/${event.id}/attendees`]: () => ({ body }) });
    renderScreen(<Attendees event={event} heading="h2" />, { user: aUser({ emailVerifiedAt: null }) });
    await screen.findByText('Ada Lovelace');
    screen.getByText('and 1 other');
  });

  it('shows 24 attendees at first, and all of them on request', async () => {
    const event = anEvent({ registrationCount: 130 });
    const path = `/api/events/${event.id}/attendees`;
    const everyone = Array.from({ length: 125 }, (_, n) => attendee(`Member${n}`));
    const requests = fakeApi({
      [`GET ${path}`]: ({ query }) => {
        const limit = Number(query.get('limit') ?? everyone.length);
        const next = `<${path}?limit=${limit}&cursor=next>; rel="next"`;
        return {
          body: everyone.slice(0, limit),
          headers: { 'x-total-count': '130', ...(limit < everyone.length ? { link: next } : {}) },
        };
      },
    });
    await act(async () => void renderScreen(<Attendees event={event} heading="h2" />, { user: aUser() }));
    await screen.findByText('Member23 Lovelace');
    expect(screen.getAllByRole('listitem')).toHaveLength(24);
    expect(screen.queryByText(/others?$/)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show all 130' }));
    await screen.findByText('Member124 Lovelace');
    screen.getByText('and 5 others');
    expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull();
    expect(requests.map(({ query }) => query.get('limit'))).toEqual(['24', null]);
  });
});

const FLOW = 'f'.repeat(22);
const TEXT = 'May I bring my dog?';
const event = anEvent();
const path = `/api/events/${event.id}/host-messages`;
const button = () => screen.queryByRole('button', { name: 'Contact the host' });

describe('The form to contact the host', () => {
  const open = async (user: User | null) => {
    const screens = renderScreen(<ContactHost event={event} />, { user });
    await userEvent.click(button()!);
    return { ...screens, form: within(await screen.findByRole('dialog')) };
  };
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

  it.each([
    ['the community has turned it off', event, { contactHost: false }],
    ['the event has been over for a month', anEvent({ endDate: '2020-01-01T12:00:00.000Z' }), {}],
    ['the reader manages the event', anEvent({ mayManage: true }), {}],
  ])('has no “Contact the host” button when %s', (_, shown, community) => {
    renderScreen(<ContactHost event={shown} />, { user: null, community });
    expect(button()).toBeNull();
  });

  it('sends a member’s message and shows the email address for replies', async () => {
    const requests = fakeApi({ [`POST ${path}`]: () => ({ status: 202, body: { message: '' } }) });
    const user = aUser();
    const { form, toasts } = await open(user);
    form.getByText(/gets your name and email address and can reply by email.*once they reply/);
    await press('Send message');
    form.getByText('Write at least 10 characters');
    await userEvent.type(form.getByLabelText('Your message'), TEXT);
    await press('Send message');
    await waitFor(() => expect(toasts).toMatchObject([{ description: `Replies will go to ${user.email}.` }]));
    const sent = requests.filter(({ method }) => method === 'POST');
    expect(sent).toMatchObject([{ path, body: { message: TEXT } }]);
    expect(sent[0]!.headers.get('idempotency-key')).toBeTruthy();
  });

  it('asks visitors for an emailed code and keeps their message', async () => {
    const answers = [refusal(400, 'CODE_INVALID', 'Invalid or expired code'), { status: 202, body: {} }];
    const requests = fakeApi({
      [`POST ${path}/code`]: () => ({ status: 202, body: { flow: FLOW } }),
      [`POST ${path}/visitor`]: () => answers.shift()!,
    });
    const { form, toasts } = await open(null);
    await userEvent.type(form.getByLabelText('Your message'), TEXT);
    await press('Send me the code');
    form.getByText('Name is required');
    form.getByText('Email is required');
    await userEvent.type(form.getByLabelText('Your name'), ' Vera ');
    await userEvent.type(form.getByLabelText('Email'), 'vera@example.org');
    await press('Send me the code');
    const code = await form.findByLabelText('6-digit code');
    await press('Change my message');
    expect(form.getByLabelText<HTMLTextAreaElement>('Your message').value).toBe(TEXT);
    await press('Send me the code');
    expect(code.isConnected).toBe(false);
    await userEvent.type(await form.findByLabelText('6-digit code'), '123 456');
    await press('Send message');
    await form.findByText('Invalid or expired code');
    await press('Send message');
    await waitFor(() =>
      expect(toasts).toMatchObject([{ description: 'Replies will go to vera@example.org.' }]),
    );
    const [asked, , sent] = requests.filter(({ method }) => method === 'POST');
    expect(asked!.body).toEqual({ email: 'vera@example.org' });
    expect(sent!.body).toEqual({ message: TEXT, name: 'Vera', flow: FLOW, code: '123456' });
  });

  it.each([
    [refusal(429, 'RATE_LIMITED', 'x', { retryAfter: 7_000 }), /Try again in 2 hours/],
    [refusal(404, 'NOT_FOUND', 'Not found'), 'You can no longer contact hosts here.'],
    [refusal(409, 'ADDRESS_UNPROVED', 'Confirm your email address'), 'Confirm your email address'],
  ])('keeps the typed message when it cannot be sent (case %#)', async (answer, words) => {
    fakeApi({ [`POST ${path}`]: () => answer });
    const { form } = await open(aUser());
    await userEvent.type(form.getByLabelText('Your message'), TEXT);
    await press('Send message');
    await form.findByText(words);
    expect(form.getByLabelText<HTMLTextAreaElement>('Your message').value).toBe(TEXT);
  });
});

const PATH = `/api/events/${anEvent().id}`;
const open = async (event: Event) => {
  const rendered = renderScreen(<EventMenu event={event} onDuplicate={jest.fn()} onDelete={jest.fn()} />, {
    user: aUser({ isAdmin: true }),
  });
  await userEvent.click(screen.getByRole('button', { name: `More: ${event.title}` }));
  await screen.findByRole('menu');
  return rendered;
};
const choose = async (item: string) => {
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
  return within(await screen.findByRole('dialog'));
};

describe('The event menu', () => {
  it.each([
    ['a draft', { status: 'draft' }, ['Publish', 'Preview link', 'Duplicate', 'Make a series', 'Delete']],
    ['a published event', { capacity: 10, seriesId: 's' }, ['Duplicate', 'Cancel event', 'Delete']],
    [
      'a running event',
      { registrationState: 'started' },
      ['Duplicate', 'Make a series', 'Cancel event', 'Delete'],
    ],
    ['a past event', { registrationState: 'ended' }, ['Duplicate', 'Make a series', 'Delete']],
    ['a cancelled event', { status: 'cancelled', registrationState: 'cancelled' }, ['Duplicate', 'Delete']],
  ] as const)('lists the actions for %s', async (_, given, items) => {
    fakeApi({});
    await open(anEvent(given));
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(items);
  });

  it('publishes a draft after confirmation, and can skip the announcement', async () => {
    const draft = anEvent({ status: 'draft', topics: TOPICS, announcement: 'planned', version: 4 });
    const requests = fakeApi({
      [`GET ${PATH}`]: () => ({ body: draft }),
      [`POST ${PATH}/publish`]: () => ({ body: anEvent() }),
    });
    const publish = async (event: Event, press: boolean) => {
      const { unmount, toasts } = await open(event);
      const dialog = await choose('Publish');
      const box = dialog.queryByRole<HTMLInputElement>('checkbox', { name: 'Announce it by email' });
      if (box) await waitFor(() => expect(box.checked).toBe(true));
      if (press) await userEvent.click(box!);
      await userEvent.click(dialog.getByRole('button', { name: 'Publish' }));
      const sent = () => requests.filter(({ method }) => method === 'POST');
      await waitFor(() => expect(toasts[0]?.description).toBe('Event published successfully'));
      unmount();
      const [{ body } = {}] = sent();
      requests.length = 0;
      return [box !== null, body];
    };
    expect(await publish(draft, false)).toEqual([true, { version: 4 }]);
    expect(await publish(draft, true)).toEqual([true, { version: 4, announce: false }]);
    expect(await publish({ ...draft, topics: [] }, false)).toEqual([false, { version: 4 }]);
    expect(await publish({ ...draft, visibility: 'unlisted' }, false)).toEqual([false, { version: 4 }]);
  });

  it('shows how many people are notified, then cancels the event with a reason', async () => {
    const requests = fakeApi({ [`POST ${PATH}/cancel`]: () => ({ body: anEvent({ status: 'cancelled' }) }) });
    const { toasts } = await open(anEvent({ registrationCount: 23, waitingCount: 4 }));
    const dialog = await choose('Cancel event');
    dialog.getByText('27 people will be notified by email.');
    await userEvent.type(dialog.getByLabelText('Reason (optional)'), 'Our speaker is ill.');
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel Event' }));
    await waitFor(() => expect(toasts[0]?.description).toBe('Event cancelled successfully'));
    expect(requests[0]?.body).toEqual({ version: 1, reason: 'Our speaker is ill.' });
  });

  it('keeps the typed reason when the event cannot be cancelled', async () => {
    fakeApi({ [`POST ${PATH}/cancel`]: () => refusal(409, 'EDIT_CONFLICT', 'This has been changed') });
    const { toasts } = await open(anEvent());
    const dialog = await choose('Cancel event');
    dialog.getByText('Nobody is registered, so nobody gets an email.');
    await userEvent.type(dialog.getByLabelText('Reason (optional)'), 'Ill.');
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel Event' }));
    await waitFor(() => expect(toasts[0]?.description).toBe('This has been changed'));
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Reason (optional)').value).toBe('Ill.');
  });

  it('creates and ends a preview link', async () => {
    const made = { createdAt: '2030-05-01T10:00:00.000Z', madeBy: 'Ada Lovelace' };
    let preview: PreviewLink | null = { ...made, works: false };
    fakeApi({
      [`GET ${PATH}/preview`]: () => ({ body: preview }),
      [`POST ${PATH}/preview`]: () => ({ status: 201, body: { token: 'abc' } }),
      [`DELETE ${PATH}/preview`]: () => ({ status: 204 }),
    });
    await open(anEvent({ status: 'draft' }));
    const dialog = await choose('Preview link');
    await dialog.findByText(/^The current link doesn’t work, because Ada Lovelace/);
    preview = { ...made, works: true };
    await userEvent.click(dialog.getByRole('button', { name: 'Make a link' }));
    await dialog.findByText(/^Ada Lovelace made the current link on May 1, 2030/);
    const link = await dialog.findByLabelText<HTMLInputElement>('Link to the draft');
    expect(new URL(link.value).pathname).toBe('/events/preview/abc');
    preview = null;
    await userEvent.click(dialog.getByRole('button', { name: 'End the link' }));
    await dialog.findByRole('button', { name: 'Make a link' });
    await waitFor(() => expect(dialog.queryByText(/Ada Lovelace/)).toBeNull());
  });

  it('refuses invalid series lengths, then creates a series of six events', async () => {
    const requests = fakeApi({
      [`POST ${PATH}/series`]: () => ({ status: 201, body: Array(5).fill(anEvent()) }),
    });
    const { toasts } = await open(anEvent());
    const dialog = await choose('Make a series');
    const count = dialog.getByLabelText('Number of events');
    for (const refused of ['13', '1,2']) {
      await userEvent.clear(count);
      await userEvent.type(count, refused);
      await userEvent.click(dialog.getByRole('button', { name: 'Make drafts' }));
      dialog.getByText('A series has 2 to 12 events');
    }
    await userEvent.clear(count);
    await userEvent.type(count, '6');
    await userEvent.click(dialog.getByRole('radio', { name: 'Two weeks' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Make drafts' }));
    await waitFor(() => expect(toasts[0]?.description).toBe('5 drafts made'));
    expect(requests.map(({ body }) => body)).toEqual([{ every: 'two-weeks', count: 6 }]);
  });
});

describe('The venue on the event page', () => {
  const { content } = anEvent();
  const venue = { name: 'Town hall', address: '1 High Street', note: null, mapUrl: null };
  const shown = async (hasMaps: boolean, given: Partial<EventPage> = {}) => {
    fakeApi({});
    const event = anEvent({ content: { ...content, venue }, ...given });
    const community = { hasMaps };
    await act(async () => void renderScreen(<EventDetails event={event} />, { user: null, community }));
    return screen.queryByRole('img', { name: 'Map of 1 High Street' });
  };

  it('links its map to the same page as the directions', async () => {
    const map = await shown(true);
    expect(map!.getAttribute('src')).toMatch(/^\/media\/maps\/[0-9a-f-]{36}\.webp\?version=\d+$/);
    const directions = screen.getByRole('link', { name: 'Directions to Town hall' });
    expect(map!.closest('a')!.href).toBe((directions as HTMLAnchorElement).href);
  });

  it('hides the map but keeps the address when the image fails to load', async () => {
    const map = await shown(true);
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
    expect(await shown(hasMaps, given)).toBeNull();
  });
});
