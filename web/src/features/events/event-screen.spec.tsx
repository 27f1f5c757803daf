import type { Event, Attendee, User, EventPage } from '@meetmark/contracts';
import { screen, waitFor, within, act, fireEvent } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import userEvent from '@testing-library/user-event';
import { jest } from '@jest/globals';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aUser, TOPICS } from '../../testing/samples';
import EventScreen from './event-screen';
import './attendee-list';
// loaded before it is waited for
import './public-faces';
import { Attendees } from './attendees';
import ContactHost from './contact-host';
import { EventMenu } from './event-menu';
import { EventDetails } from './event-details';
import './programme';

describe('The page of an event', () => {
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
    ['its short address', '/e/seo-breakfast', 1],
    ['an earlier one', '/e/first-name', 1],
    ['its id', `/events/${event.id}`, 0],
  ])('opens by %s', async (_, path, lookUps) => {
    const requests = open(path);
    await screen.findByRole('heading', { level: 1, name: event.title });
    expect(requests.filter(({ path: asked }) => asked.startsWith('/api/event-slugs/'))).toHaveLength(lookUps);
  });

  it('says that there is none at an address that nobody has', async () => {
    open('/e/nobodys');
    await screen.findByRole('heading', { level: 1, name: 'This event does not exist any more' });
  });
});

describe('The facts, pills and agenda of an event', () => {
  const item = (hour: string, title: string) => ({
    ...{ startsAt: `2030-05-01T${hour}:00.000Z`, endsAt: null, title, note: null },
  });
  const event = anEvent({
    price: '25.00',
    timeZone: 'UTC',
    content: { ...anEvent().content, agenda: [item('09:00', 'Coffee'), item('10:00', 'Talk')] },
  });

  it('say the state, the price, the day and the zone once each to who reads on the clock of the place', async () => {
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

describe('The page of an event of a series', () => {
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

  it('shows its next three dates, each with a title of its own', async () => {
    open([event, ...dates]);
    const heading = await screen.findByRole('heading', { level: 2, name: 'Next dates' });
    const links = within(heading.parentElement!).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual(
      [0, 1, 2].map((at) => `/e/breakfast-${at}`),
    );
    expect(screen.getAllByText('SEO Breakfast: with a guest')).toHaveLength(1);
  });

  it('says nothing of dates where none is announced', async () => {
    const requests = open([event]);
    await screen.findByRole('heading', { level: 1, name: event.title });
    await waitFor(() => expect(requests.some(({ query }) => query.has('series'))).toBe(true));
    expect(screen.queryByRole('heading', { name: 'Next dates' })).toBeNull();
  });
});

describe('The page of an event that is gone', () => {
  it('says so in its heading and in the browser’s tab, and leads on', async () => {
    fakeApi({ 'GET /api/events/gone': () => refusal(404, 'EVENT_NOT_FOUND', 'Event not found') });
    renderScreen(
      <Routes>
        <Route path="events/:eventId" element={<EventScreen />} />
      </Routes>,
      { user: null, path: '/events/gone' },
    );
    await screen.findByRole('heading', { level: 1, name: 'This event does not exist any more' });
    expect(document.title).toBe('This event does not exist any more · Meetmark');
    expect(screen.getByRole('link', { name: 'See what else is planned' })).toBeTruthy();
  });
});

describe('Who is coming', () => {
  const shown = async (count: number, names: string[]) => {
    const event = anEvent({ registrationCount: count });
    const body = names.map((firstName, id) => ({
      ...{ id: String(id), firstName, lastName: 'Lovelace', profileImageUrl: null, linkedInUrl: null },
    }));
    fakeApi({ [`GET /api/events/${event.id}/attendees`]: () => ({ body }) });
    await act(async () => void renderScreen(<Attendees event={event} heading="h2" />, { user: aUser() }));
  };

  it('counts those who are not named', async () => {
    await shown(3, ['Ada']);
    await screen.findByText('and 2 others');
  });

  it('is nobody only when nobody comes', async () => {
    await shown(1, []);
    await screen.findByText('1 person is coming');
    expect(screen.queryByText('No attendees yet')).toBeNull();
  });

  it.each([
    ['open', 'a visitor', null],
    ['open', 'a member', aUser()],
    ['closed', 'a visitor', null],
  ] as const)('is nobody yet where registration is %s, for %s too', async (registrationState, _, user) => {
    fakeApi({});
    const event = anEvent({ registrationCount: 0, registrationState });
    await act(async () => void renderScreen(<Attendees event={event} heading="h2" />, { user }));
    screen.getByText('No attendees yet');
    expect(screen.queryByText('Be the first to register!') !== null).toBe(registrationState === 'open');
  });

  it('is for visitors whoever lets them see it, counting the others', async () => {
    const publicAttendees = ['Ada', 'Grace'].map((firstName) => ({
      ...{ firstName, lastName: 'Lovelace', profileImageUrl: null },
    }));
    fakeApi({});
    const shownOf = async (registrationCount: number) => {
      const event = anEvent({ registrationCount, publicAttendees });
      let rendered!: ReturnType<typeof renderScreen>;
      await act(
        async () => void (rendered = renderScreen(<Attendees event={event} heading="h2" />, { user: null })),
      );
      return rendered;
    };
    const { unmount } = await shownOf(7);
    await screen.findByText('Ada Lovelace, Grace Lovelace and 5 others');
    screen.getByRole('link', { name: 'Sign in to see who is coming' });
    unmount();
    await shownOf(2);
    await screen.findByText('Ada Lovelace and Grace Lovelace');
  });

  it('is a number alone for who has not confirmed their address, with the way to do so', async () => {
    const event = anEvent({ registrationCount: 3 });
    const requests = fakeApi({});
    renderScreen(<Attendees event={event} heading="h2" />, { user: aUser({ emailVerifiedAt: null }) });
    screen.getByRole('heading', { name: 'Attendees (3)' });
    screen.getByText('Confirm your address to see who is coming');
    screen.getByRole('button', { name: 'Confirm my address' });
    expect(requests).toEqual([]);
  });

  it('is asked for page by page, as far as it is wanted', async () => {
    const event = anEvent({ registrationCount: 30 });
    const everybody = Array.from({ length: event.registrationCount }, (_, n): Attendee => ({
      id: String(n),
      firstName: 'Member',
      lastName: String(n),
      profileImageUrl: null,
      linkedInUrl: null,
    }));
    const path = `/api/events/${event.id}/attendees`;
    const requests = fakeApi({
      [`GET ${path}`]: ({ query }) => {
        const from = Number(query.get('cursor') ?? 0);
        const to = from + Number(query.get('limit'));
        const next = `<${path}?limit=24&cursor=${to}>; rel="next"`;
        return {
          body: everybody.slice(from, to),
          headers: { 'x-total-count': '30', ...(to < everybody.length ? { link: next } : {}) },
        };
      },
    });
    await act(async () => void renderScreen(<Attendees event={event} heading="h2" />, { user: aUser() }));
    await screen.findByText('and 24 others');
    expect(screen.getAllByRole('listitem')).toHaveLength(6);
    screen.getByText('Member 5');
    expect(screen.queryByText('Member 6')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Show names' }));
    await screen.findByText('Member 23');
    expect(screen.queryByText('Member 24')).toBeNull();
    expect(requests.map(({ query }) => query.get('limit'))).toEqual(['24']);
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
    await screen.findByText('Member 29');
    expect(screen.getAllByRole('listitem')).toHaveLength(30);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull());
  });
});

const FLOW = 'f'.repeat(22);
const TEXT = 'May I bring my dog?';
const event = anEvent();
const path = `/api/events/${event.id}/host-messages`;
const button = () => screen.queryByRole('button', { name: 'Contact the host' });

describe('The form to the host', () => {
  const open = async (user: User | null) => {
    const screens = renderScreen(<ContactHost event={event} />, { user });
    await userEvent.click(button()!);
    return { ...screens, form: within(await screen.findByRole('dialog')) };
  };
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

  it.each([
    ['the community has turned it off', event, { contactHost: false }],
    ['the event has been over for a month', anEvent({ endDate: '2020-01-01T12:00:00.000Z' }), {}],
    ['one manages the event', anEvent({ mayManage: true }), {}],
  ])('is not offered where %s', (_, shown, community) => {
    renderScreen(<ContactHost event={shown} />, { user: null, community });
    expect(button()).toBeNull();
  });

  it('sends what a member writes at once, and says where the answer comes', async () => {
    const requests = fakeApi({ [`POST ${path}`]: () => ({ status: 202, body: { message: '' } }) });
    const user = aUser();
    const { form, toasts } = await open(user);
    form.getByText(/gets your name and email address and answers you by mail.*not shown/);
    await press('Send message');
    form.getByText('Write at least 10 characters');
    await userEvent.type(form.getByLabelText('Your message'), TEXT);
    await press('Send message');
    await waitFor(() =>
      expect(toasts).toMatchObject([{ description: `The answer comes to ${user.email}.` }]),
    );
    const sent = requests.filter(({ method }) => method === 'POST');
    expect(sent).toMatchObject([{ path, body: { message: TEXT } }]);
    expect(sent[0]!.headers.get('idempotency-key')).toBeTruthy();
  });

  it('asks a visitor for the code that was mailed, and keeps what they typed', async () => {
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
    await press('Change what I typed');
    expect(form.getByLabelText<HTMLTextAreaElement>('Your message').value).toBe(TEXT);
    await press('Send me the code');
    expect(code.isConnected).toBe(false);
    await userEvent.type(await form.findByLabelText('6-digit code'), '123 456');
    await press('Send message');
    await form.findByText('Invalid or expired code');
    await press('Send message');
    await waitFor(() =>
      expect(toasts).toMatchObject([{ description: 'The answer comes to vera@example.org.' }]),
    );
    const [asked, , sent] = requests.filter(({ method }) => method === 'POST');
    expect(asked!.body).toEqual({ email: 'vera@example.org' });
    expect(sent!.body).toEqual({ message: TEXT, name: 'Vera', flow: FLOW, code: '123456' });
  });

  it.each([
    [refusal(429, 'RATE_LIMITED', 'x', { retryAfter: 7_000 }), /Try again in 2 hours/],
    [refusal(404, 'NOT_FOUND', 'Not found'), 'Hosts cannot be written to here any more.'],
    [refusal(409, 'ADDRESS_UNPROVED', 'Confirm your email address'), 'Confirm your email address'],
  ])('stays open with what was typed when it is refused: %#', async (answer, words) => {
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

describe('What an organiser does with an event', () => {
  it.each([
    ['a draft', { status: 'draft' }, ['Publish', 'Preview link', 'Duplicate', 'Make a series', 'Delete']],
    ['what is published', { capacity: 10, seriesId: 's' }, ['Duplicate', 'Cancel event', 'Delete']],
    ['what is over', { registrationState: 'ended' }, ['Duplicate', 'Make a series', 'Delete']],
    ['what is cancelled', { status: 'cancelled', registrationState: 'cancelled' }, ['Duplicate', 'Delete']],
  ] as const)('of %s', async (_, given, items) => {
    fakeApi({});
    await open(anEvent(given));
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(items);
  });

  it('publishes after a question, and announces only where the organiser says so', async () => {
    const draft = anEvent({ status: 'draft', topics: TOPICS, announcement: 'planned', version: 4 });
    const requests = fakeApi({
      [`GET ${PATH}`]: () => ({ body: draft }),
      [`POST ${PATH}/publish`]: () => ({ body: anEvent() }),
    });
    const publish = async (event: Event, press: boolean) => {
      const { unmount, toasts } = await open(event);
      const dialog = await choose('Publish');
      const box = dialog.queryByRole<HTMLInputElement>('checkbox', { name: 'Announce it by email' });
      // as the draft says
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

  it('cancels with a reason, after reading how many are told', async () => {
    const requests = fakeApi({ [`POST ${PATH}/cancel`]: () => ({ body: anEvent({ status: 'cancelled' }) }) });
    const { toasts } = await open(anEvent({ registrationCount: 23, waitingCount: 4 }));
    const dialog = await choose('Cancel event');
    dialog.getByText('27 people are told by mail.');
    await userEvent.type(dialog.getByLabelText('Reason (optional)'), 'Our speaker is ill.');
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel Event' }));
    await waitFor(() => expect(toasts[0]?.description).toBe('Event cancelled successfully'));
    expect(requests[0]?.body).toEqual({ version: 1, reason: 'Our speaker is ill.' });
  });

  it('keeps the dialog, and what was typed in it, when cancelling is refused', async () => {
    fakeApi({ [`POST ${PATH}/cancel`]: () => refusal(409, 'EDIT_CONFLICT', 'This has been changed') });
    const { toasts } = await open(anEvent());
    const dialog = await choose('Cancel event');
    dialog.getByText('Nobody is registered, so nobody gets a mail.');
    await userEvent.type(dialog.getByLabelText('Reason (optional)'), 'Ill.');
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel Event' }));
    await waitFor(() => expect(toasts[0]?.description).toBe('This has been changed'));
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Reason (optional)').value).toBe('Ill.');
  });

  it('makes a preview link, which can be copied and ended', async () => {
    fakeApi({
      [`POST ${PATH}/preview`]: () => ({ status: 201, body: { token: 'abc' } }),
      [`DELETE ${PATH}/preview`]: () => ({ status: 204 }),
    });
    await open(anEvent({ status: 'draft' }));
    const dialog = await choose('Preview link');
    await userEvent.click(dialog.getByRole('button', { name: 'Make a link' }));
    const link = await dialog.findByLabelText<HTMLInputElement>('Link to the draft');
    expect(new URL(link.value).pathname).toBe('/events/preview/abc');
    await userEvent.click(dialog.getByRole('button', { name: 'End the link' }));
    await dialog.findByRole('button', { name: 'Make a link' });
  });

  it('makes a series of six, and refuses a number that no series has', async () => {
    const requests = fakeApi({
      [`POST ${PATH}/series`]: () => ({ status: 201, body: Array(5).fill(anEvent()) }),
    });
    const { toasts } = await open(anEvent());
    const dialog = await choose('Make a series');
    const count = dialog.getByLabelText('Events in all');
    await userEvent.clear(count);
    await userEvent.type(count, '13');
    await userEvent.click(dialog.getByRole('button', { name: 'Make drafts' }));
    dialog.getByText('A series has 2 to 12 events');
    await userEvent.clear(count);
    await userEvent.type(count, '6');
    await userEvent.click(dialog.getByRole('radio', { name: 'Two weeks' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Make drafts' }));
    await waitFor(() => expect(toasts[0]?.description).toBe('5 drafts made'));
    expect(requests.map(({ body }) => body)).toEqual([{ every: 'two-weeks', count: 6 }]);
  });
});

// loaded before it is waited for

describe('The map of a venue', () => {
  const { content } = anEvent();
  const venue = { name: 'Town hall', address: '1 High Street', note: null, mapUrl: null };
  const shown = async (hasMaps: boolean, given: Partial<EventPage> = {}) => {
    fakeApi({});
    const event = anEvent({ content: { ...content, venue }, ...given });
    const community = { hasMaps };
    await act(
      async () => void renderScreen(<EventDetails event={event} heading="h1" />, { user: null, community }),
    );
    return screen.queryByRole('img', { name: 'Map of 1 High Street' });
  };

  it('stands below the address, and leads where the directions do', async () => {
    const map = await shown(true);
    expect(map!.getAttribute('src')).toMatch(/^\/media\/maps\/[0-9a-f-]{36}\.webp\?version=\d+$/);
    const directions = screen.getByRole('link', { name: 'Directions to Town hall' });
    expect(map!.closest('a')!.href).toBe((directions as HTMLAnchorElement).href);
  });

  it('is gone when there is no picture, and leaves the address', async () => {
    const map = await shown(true);
    fireEvent.error(map!);
    expect(screen.queryByRole('img', { name: 'Map of 1 High Street' })).toBeNull();
    screen.getByText('1 High Street');
  });

  it.each<[string, boolean, Partial<EventPage>]>([
    ['the community has no maps', false, {}],
    ['one takes part online', true, { format: 'online' }],
    ['visitors are not answered the event', true, { status: 'draft' }],
    ['no address is known', true, { content: { ...content, venue: { ...venue, address: null } } }],
  ])('is not asked for where %s', async (_, hasMaps, given) => {
    expect(await shown(hasMaps, given)).toBeNull();
  });
});
