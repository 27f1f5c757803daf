import { jest } from '@jest/globals';
import type { EventPage, GalleryPicture, Door as DoorOfEvent, Guest } from '@meetmark/contracts';
import type { RegistrationState } from '@meetmark/contracts/registration-state';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { fakeApi, refusal } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { anAskingEvent, anEvent, aUser, DIET, TRACK, FIRST } from '../../../testing/samples';
import AdminScreen from '../admin-screen';
import { stepsFor } from './overview';
import Door from './door';
import { Guests } from './guests';

const PATH = `/api/events/${anEvent().id}`;
const WORKSPACE = `/admin/events/${anEvent().id}`;
const DAYS = Array.from({ length: 14 }, (_, n) => ({
  day: `2030-04-${String(n + 10)}`,
  registrations: n % 3,
}));
const aDoor = (checkedIn = 0) => ({
  ...{ links: [], refusals: [], venueCode: 'v'.repeat(22), counts: { registered: 36, checkedIn } },
});
const open = (
  event: EventPage,
  part = '',
  calls: Parameters<typeof fakeApi>[0] = {},
  user = aUser({ isAdmin: true }),
) => {
  const requests = fakeApi({
    [`GET ${PATH}`]: () => ({ body: event }),
    [`GET /api${WORKSPACE}/activity`]: () => ({ body: DAYS }),
    [`GET /api${WORKSPACE}/door`]: () => ({ body: aDoor() }),
    ...calls,
  });
  const routes = (
    <Routes>
      <Route path="admin/events/:eventId/:tab?" element={<AdminScreen />} />
      <Route path="admin/:view" element={<AdminScreen />} />
    </Routes>
  );
  return { requests, ...renderScreen(routes, { user, path: WORKSPACE + part }) };
};
const button = (name: string) => screen.findByRole('button', { name });

describe('The workspace of an event', () => {
  it('names the event, leads to its page, and keeps its parts in the address', async () => {
    open(anEvent({ capacity: 60, registrationCount: 41, waitingCount: 0 }));
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(anEvent().title);
    expect(screen.getByRole('link', { name: 'Preview' }).getAttribute('href')).toBe(
      `/events/${anEvent().id}`,
    );
    screen.getByText('of 60');
    screen.getByText('19 places left');
    await screen.findByText('13 registrations');
    expect(
      within(screen.getByRole('region', { name: 'The last 14 days' })).getAllByRole('listitem'),
    ).toHaveLength(14);
    const parts = within(screen.getByRole('navigation', { name: 'Parts of the workspace' }));
    expect(parts.getByRole('link', { current: 'page' }).textContent).toBe('Overview');
    await userEvent.click(parts.getByRole('link', { name: 'Settings' }));
    expect(parts.getByRole('link', { current: 'page' }).textContent).toBe('Settings');
    await screen.findByRole('heading', { name: 'Cancel or delete' });
  });

  it.each([
    ['overview', '', ['Next steps']],
    ['settings', '/settings', ['Registration', 'Who sees it', 'The event’s address', 'Cancel or delete']],
  ])('explains the panels of its %s beside their headings', async (_, part, panels) => {
    open(anEvent({ slug: 'seo-breakfast' }), part);
    for (const panel of panels) await button(`Help: ${panel}`);
  });

  it('says when there is no such event', async () => {
    open(anEvent(), '', { [`GET ${PATH}`]: () => refusal(404, 'EVENT_NOT_FOUND', 'Event not found') });
    await screen.findByText('This event does not exist any more');
  });

  it.each([
    ['a co-host, who manages it', true, 'Attribution breakfast'],
    ['a member who does not', false, 'You do not manage this event'],
  ])('is open to %s: %s', async (_, mayManage, heading) => {
    open(anEvent({ mayManage }), '', {}, aUser());
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(heading);
  });

  it('offers no Edit for a cancelled event, whose settings do not change', async () => {
    open(anEvent({ status: 'cancelled', registrationState: 'cancelled' }), '/settings');
    await screen.findByText('This event is cancelled: its settings do not change any more.');
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Save settings' })).toBeNull();
  });
});

describe('The pictures of an event', () => {
  const gallery = [
    { id: '0197f000-0000-7000-8000-0000000000c1', url: '/media/gallery/x.webp', alt: 'The hall' },
  ];
  const past = { startDate: '2024-05-01T17:00:00.000Z', endDate: '2024-05-01T19:00:00.000Z' };

  it.each<[string, Partial<EventPage>]>([
    ['is over', { ...past, registrationState: 'ended' }],
    ['is cancelled', { status: 'cancelled', registrationState: 'cancelled' }],
    ['has some', { gallery }],
  ])('are added where it %s', async (_, given) => {
    open(anEvent(given));
    await screen.findByRole('heading', { level: 2, name: 'Pictures' });
  });

  it('are not before', async () => {
    open(anEvent());
    await screen.findByRole('heading', { level: 2, name: 'Next steps' });
    expect(screen.queryByRole('heading', { level: 2, name: 'Pictures' })).toBeNull();
  });

  it('have words, which are saved when they are others, and never taken away', async () => {
    const { requests } = open(anEvent({ gallery }), '', {
      [`PUT ${PATH}/gallery`]: () => ({ body: anEvent({ gallery }) }),
    });
    const field = await screen.findByRole('textbox', { name: 'What picture 1 shows' });
    const save = await button('Save pictures');
    expect(save.getAttribute('aria-disabled')).toBe('true');
    const user = userEvent.setup();
    await user.clear(field);
    await user.click(save);
    await screen.findByText('Say what the picture shows.');
    expect(requests.filter(({ method }) => method === 'PUT')).toEqual([]);
    await user.type(field, ' The hall at noon ');
    await user.click(save);
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({
        pictures: [{ id: gallery[0]!.id, alt: 'The hall at noon', was: 'The hall' }],
      }),
    );
  });
});

describe('Several pictures of an event', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((alt, at) => ({
    id: `0197f000-0000-7000-8000-0000000000d${at}`,
    url: `/media/gallery/${at}.webp`,
    alt,
  }));
  const ids = (...pictures: (typeof one)[]) => pictures.map((item) => ({ id: item!.id }));
  const all = [one!, two!, three!];
  /** What others have made of the gallery meanwhile is answered to the first of the saves. */
  const opened = (meanwhile?: (event: EventPage) => ReturnType<typeof refusal>) => {
    let gallery = all;
    let isFirst = true;
    let isKnown = false;
    return open(anEvent({ gallery }), '', {
      // after a refusal it never answers: the panel shows what the refusal says itself
      [`GET ${PATH}`]: () => (isKnown ? new Promise(() => {}) : { body: anEvent({ gallery }) }),
      [`PUT ${PATH}/gallery`]: ({ body }) => {
        if (meanwhile && isFirst) {
          isFirst = false;
          const event = anEvent({ gallery: [{ ...one!, alt: 'theirs' }, two!] });
          ({ gallery = [] } = event);
          const answer = meanwhile(event);
          isKnown = answer.status === 409;
          return answer;
        }
        const { pictures } = body as { pictures: Partial<GalleryPicture>[] };
        const inOrder = pictures.length === gallery.length ? pictures : gallery;
        gallery = inOrder.map(({ id }) => ({
          ...all.find((item) => item.id === id)!,
          ...pictures.find((item) => item.id === id),
        }));
        return { body: anEvent({ gallery }) };
      },
    });
  };
  const words = () =>
    screen.getAllByRole<HTMLInputElement>('textbox', { name: /^What picture/ }).map(({ value }) => value);
  const sent = ({ requests }: ReturnType<typeof opened>) =>
    requests.filter(({ method }) => method === 'PUT').map(({ body }) => body);

  it('are moved by keys, with the focus, and saved in the order that they have then', async () => {
    const screens = opened();
    const user = userEvent.setup();
    (await button('Move picture 3 up')).focus();
    await user.keyboard('{Enter}');
    expect(words()).toEqual(['one', 'three', 'two']);
    expect(document.activeElement).toBe(await button('Move picture 2 up'));
    await user.keyboard('{Enter}');
    expect(words()).toEqual(['three', 'one', 'two']);
    expect(document.activeElement).toBe(await button('Move picture 1 down'));
    expect((await button('Move picture 1 up')).hasAttribute('disabled')).toBe(true);
    expect((await button('Move picture 3 down')).hasAttribute('disabled')).toBe(true);
    const save = await button('Save pictures');
    await user.click(save);
    await waitFor(() => expect(sent(screens)).toEqual([{ pictures: ids(three, one, two) }]));
  });

  it('stay where they are when one gets other words, and moved back there is nothing to save', async () => {
    const screens = opened();
    const user = userEvent.setup();
    await user.click(await button('Move picture 2 down'));
    expect(words()).toEqual(['one', 'three', 'two']);
    await user.click(await button('Move picture 3 up'));
    const save = await button('Save pictures');
    expect(save.getAttribute('aria-disabled')).toBe('true');
    await user.type(screen.getByRole('textbox', { name: 'What picture 2 shows' }), '!');
    await user.click(save);
    const reworded = { id: two!.id, alt: 'two!', was: 'two' };
    await waitFor(() => expect(sent(screens)).toEqual([{ pictures: [reworded] }]));
  });

  it('keep what one wrote where others changed the same words, and show theirs before they are replaced', async () => {
    const screens = opened((present) => refusal(409, 'EDIT_CONFLICT', 'Changed', { present }));
    const user = userEvent.setup();
    await user.type(await screen.findByRole('textbox', { name: 'What picture 1 shows' }), ' by me');
    await user.type(screen.getByRole('textbox', { name: 'What picture 3 shows' }), ' by me');
    const save = await button('Save pictures');
    await user.click(save);
    await screen.findByText(/Somebody wrote meanwhile: “theirs”/);
    expect(words()).toEqual(['one by me', 'two']);
    const field = screen.getByRole('textbox', { name: 'What picture 1 shows' });
    expect(document.activeElement).toBe(field);
    screen.getByText(/A picture is no longer there. You had written of it: “three by me”/);
    await user.type(field, ' and them');
    await user.click(save);
    await waitFor(() => expect(screens.toasts).toMatchObject([{ kind: 'success' }]));
    expect(sent(screens)).toEqual([
      {
        pictures: [
          { id: one!.id, alt: 'one by me', was: 'one' },
          { id: three!.id, alt: 'three by me', was: 'three' },
        ],
      },
      { pictures: [{ id: one!.id, alt: 'one by me and them', was: 'theirs' }] },
    ]);
    expect(screen.queryByText(/no longer there/)).toBeNull();
    expect(save.getAttribute('aria-disabled')).toBe('true');
  });

  it('have the order of others, and show their words before anything is sent, once the panel knows them', async () => {
    let gallery = all;
    const { requests } = open(anEvent({ gallery }), '', {
      [`GET ${PATH}`]: () => ({ body: anEvent({ gallery }) }),
      [`PUT ${PATH}/gallery`]: () => ({ body: anEvent({ gallery }) }),
      [`DELETE ${PATH}/gallery/${three!.id}`]: () => {
        gallery = [two!, { ...one!, alt: 'theirs' }];
        return { status: 204 };
      },
    });
    const user = userEvent.setup();
    await user.type(await screen.findByRole('textbox', { name: 'What picture 1 shows' }), ' by me');
    await user.type(screen.getByRole('textbox', { name: 'What picture 3 shows' }), ' by me');
    // and back again, which is no order of one's own
    await user.click(await button('Move picture 1 down'));
    await user.click(await button('Move picture 2 up'));
    await user.click(await button('Remove picture 3'));
    await user.click(
      await within(await screen.findByRole('dialog')).findByRole('button', { name: 'Remove' }),
    );
    await waitFor(() => expect(words()).toEqual(['two', 'one by me']));
    expect(screen.queryByText(/no longer there/)).toBeNull();
    const puts = () => requests.filter(({ method }) => method === 'PUT').map(({ body }) => body);
    const save = await button('Save pictures');
    await user.click(save);
    await screen.findByText(/Somebody wrote meanwhile: “theirs”/);
    expect(puts()).toEqual([]);
    await user.click(save);
    await waitFor(() =>
      expect(puts()).toEqual([{ pictures: [{ id: one!.id, alt: 'one by me', was: 'theirs' }] }]),
    );
  });

  it('are as they are now where one is gone that was moved, and what one wrote of it is told', async () => {
    const screens = opened(() =>
      refusal(400, 'VALIDATION_FAILED', 'No', { fields: { 'pictures[2].id': ['is no picture'] } }),
    );
    const user = userEvent.setup();
    await user.type(await screen.findByRole('textbox', { name: 'What picture 2 shows' }), ' by me');
    await user.type(screen.getByRole('textbox', { name: 'What picture 3 shows' }), ' by me');
    await user.click(await button('Move picture 3 up'));
    const save = await button('Save pictures');
    await user.click(save);
    await screen.findByText(/You had written of it: “three by me”/);
    expect(screens.toasts).toMatchObject([{ kind: 'error', description: 'Changed while you were editing' }]);
    expect(words()).toEqual(['theirs', 'two by me']);
    await user.click(save);
    await waitFor(() => expect(sent(screens)).toHaveLength(2));
    expect(sent(screens)[1]).toEqual({ pictures: [{ id: two!.id, alt: 'two by me', was: 'two' }] });
  });

  it('take no words while they are saved, and have those of others once they are', async () => {
    const later = { ...one!, alt: 'theirs, later' };
    let isSaved = false;
    let answer = () => {};
    open(anEvent({ gallery: all }), '', {
      [`GET ${PATH}`]: () => ({ body: anEvent({ gallery: isSaved ? [later] : all }) }),
      [`PUT ${PATH}/gallery`]: async () => {
        await new Promise<void>((resolve) => (answer = resolve));
        isSaved = true;
        return { body: anEvent({ gallery: [{ ...one!, alt: 'mine' }] }) };
      },
    });
    const user = userEvent.setup();
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'What picture 1 shows' });
    await user.clear(field);
    await user.type(field, 'mine');
    const save = await button('Save pictures');
    await user.click(save);
    await user.type(field, ' and lost');
    expect(words()).toEqual(['mine', 'two', 'three']);
    answer();
    await waitFor(() => expect(words()).toEqual(['theirs, later']));
    expect(save.getAttribute('aria-disabled')).toBe('true');
  });

  it('are explained beside their heading', async () => {
    opened();
    await button('Help: Pictures');
  });
});

describe('The address of an event', () => {
  const address = `${window.location.origin}/events/${anEvent().id}`;

  it('is copied as a whole, which is said', async () => {
    const user = userEvent.setup();
    const { toasts } = open(anEvent());
    await user.click(await button('Copy link'));
    await waitFor(() => expect(toasts).toMatchObject([{ kind: 'success', title: 'Link copied' }]));
    expect(await navigator.clipboard.readText()).toBe(address);
  });

  it('can be selected by hand where the browser refuses to copy', async () => {
    const user = userEvent.setup();
    const { toasts } = open(anEvent());
    jest
      .spyOn(navigator.clipboard, 'writeText')
      .mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
    await user.click(await button('Copy link'));
    await waitFor(() =>
      expect(toasts).toMatchObject([
        { kind: 'error', title: 'The link could not be copied. Select it in the field.' },
      ]),
    );
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Link' });
    await user.click(field);
    expect(field.value.slice(field.selectionStart!, field.selectionEnd!)).toBe(address);
  });
});

describe('The short address of an event', () => {
  const named = anEvent({ slug: 'seo-breakfast', version: 3 });
  const change = async (answer: () => ReturnType<typeof refusal>, event = named) => {
    const user = userEvent.setup();
    const opened = open(event, '/settings', { [`PUT ${PATH}/slug`]: answer });
    const field = await screen.findByRole('textbox', { name: 'Short address' });
    expect(screen.getByRole('button', { name: 'Change address' }).getAttribute('aria-disabled')).toBe('true');
    await user.clear(field);
    await user.type(field, 'Bacon & Eggs');
    return {
      ...opened,
      user,
      field,
      press: () => user.click(screen.getByRole('button', { name: 'Change address' })),
    };
  };

  it('is where the event is shared from', async () => {
    open(named);
    const link = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Link' });
    expect(link.value).toBe(`${window.location.origin}/e/seo-breakfast`);
    expect(screen.getByRole('link', { name: 'Preview' }).getAttribute('href')).toBe('/e/seo-breakfast');
  });

  it('is changed beside what it will be as a whole, and the field says what it has become', async () => {
    const { requests, toasts, field, press } = await change(() => ({
      body: { ...named, slug: 'bacon-eggs' },
    }));
    screen.getByText(`${window.location.origin}/e/bacon-&-eggs`);
    await press();
    await waitFor(() =>
      expect(toasts).toMatchObject([{ kind: 'success', title: 'The address was changed' }]),
    );
    expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({ slug: 'bacon-&-eggs' });
    expect((field as HTMLInputElement).value).toBe('bacon-eggs');
  });

  it.each([
    [
      'is another’s',
      () => refusal(409, 'SLUG_TAKEN', 'Another event has, or had, this address'),
      'Another event has',
    ],
    [
      'is none',
      () =>
        refusal(400, 'VALIDATION_FAILED', 'No', {
          fields: { slug: ['slug must be'] },
          rules: { slug: { rule: 'isEventSlug' } },
        }),
      '3 to 80 of a–z',
    ],
  ])('says beside the field that what is typed %s', async (_, answer, words) => {
    const { field, press } = await change(answer);
    await press();
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect((await screen.findByRole('alert')).textContent).toContain(words);
    expect((field as HTMLInputElement).value).toBe('bacon-&-eggs');
  });

  it('is none of a draft', async () => {
    open(anEvent({ status: 'draft' }), '/settings');
    await screen.findByRole('button', { name: 'Save settings' });
    expect(screen.queryByRole('textbox', { name: 'Short address' })).toBeNull();
  });

  it('is saved as a code to print', async () => {
    const made: Blob[] = [];
    URL.createObjectURL = (file) => `blob:${made.push(file as Blob)}`;
    const saved: string[] = [];
    const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(`${this.download} ${this.href}`);
    });
    open(named);
    await userEvent.click(await button('QR code (SVG)'));
    click.mockRestore();
    expect([saved, made[0]!.type]).toEqual([['seo-breakfast.svg blob:1'], 'image/svg+xml']);
  });
});

describe('What comes next for an event', () => {
  const { content } = anEvent();
  const titles = (given: Partial<EventPage>, state: RegistrationState) =>
    stepsFor(anEvent({ description: 'Words', location: 'Leeds', ...given }), state, true).map(
      ({ title }) => title,
    );

  it.each<[string, Partial<EventPage>, RegistrationState, string[]]>([
    ['with everything', {}, 'open', []],
    [
      'as a draft without words',
      { status: 'draft', description: ' ' },
      'open',
      ['Publish the event', 'Describe the event'],
    ],
    ['without a place', { location: null }, 'open', ['Say where it is']],
    ['online without a link', { format: 'online', location: null }, 'open', ['Add the joining link']],
    [
      'with a host who has not agreed',
      { content: { ...content, hosts: [{ ...aUser(), agreed: false }] as never } },
      'open',
      ['Confirm the hosts'],
    ],
    ['with somebody who waits', { waitingCount: 1 }, 'open', ['Look at the waiting list']],
    ['that is under way', { location: null }, 'started', ['Open the door']],
    ['that is over', { location: null }, 'ended', ['Add slides or a recap']],
    ['that is cancelled', { status: 'cancelled', location: null }, 'cancelled', []],
    ['that is online and under way', { format: 'online' }, 'started', []],
  ])('%s', (_, given, state, expected) => expect(titles(given, state)).toEqual(expected));

  it.each<[string, Partial<EventPage>, boolean, string[]]>([
    ['in a room', {}, false, ['Prepare the door']],
    [
      'in a room and online',
      { format: 'hybrid', content: { ...content, hasOnlineUrl: true } },
      false,
      ['Prepare the door'],
    ],
    ['with a link for phones', {}, true, []],
    ['online', { format: 'online', content: { ...content, hasOnlineUrl: true } }, false, []],
    ['as a draft', { status: 'draft' }, false, ['Publish the event']],
  ])('has a door before it begins: %s', (_, given, hasDoor, expected) => {
    const event = anEvent({ description: 'Words', location: 'Leeds', ...given });
    expect(stepsFor(event, 'open', hasDoor).map(({ title }) => title)).toEqual(expected);
  });
});

describe('The overview of an event', () => {
  const HOUR = 3_600_000;
  const at = (start: number, end: number, given: Partial<EventPage> = {}) =>
    anEvent({
      ...{ capacity: 60, registrationCount: 36, waitingCount: 2, waitlistEnabled: true },
      startDate: new Date(Date.now() + start * HOUR).toISOString(),
      endDate: new Date(Date.now() + end * HOUR).toISOString(),
      ...given,
    });
  const shows = async (event: EventPage, checkedIn: number) => {
    open(event, '', { [`GET /api${WORKSPACE}/door`]: () => ({ body: aDoor(checkedIn) }) });
    await screen.findByRole('textbox', { name: 'Link' });
    await screen.findByText('13 registrations');
    return document.body.textContent;
  };

  it('counts places before it begins, and offers the door', async () => {
    const words = await shows(at(24, 26, { registrationState: 'open' }), 0);
    for (const said of ['24 places left', 'Everybody who opens it can register.', 'Prepare the door'])
      expect(words).toContain(said);
    expect(words).not.toContain('Came');
  });

  it('counts who is in while it is under way', async () => {
    const words = await shows(at(-1, 1, { registrationState: 'started' }), 12);
    for (const said of ['Registration is closed', 'Came12 of 36', 'Checked in so far', 'Open the door'])
      expect(words).toContain(said);
    expect(words).not.toMatch(/places left|can register/);
  });

  it.each([
    [31, ['Came31 of 36', 'The event is over', 'Got no place', 'It goes on showing the event']],
    [0, ['Came– of 36', 'who came is not known']],
  ])('says who came once it is over: %i', async (checkedIn, expected) => {
    const words = await shows(at(-26, -24, { registrationState: 'ended' }), checkedIn);
    for (const said of expected) expect(words).toContain(said);
    expect(words).not.toMatch(/places left|can register|First come/);
  });
});

describe('The settings of an event', () => {
  it('sends only what was changed, with the version that was read', async () => {
    const { requests, toasts } = open(anEvent({ version: 4 }), '/settings', {
      [`PUT ${PATH}`]: () => ({ body: anEvent({ version: 5, visibility: 'unlisted' }) }),
    });
    await userEvent.click(await screen.findByRole('radio', { name: 'Unlisted' }));
    await userEvent.click(await button('Save settings'));
    await waitFor(() => expect(toasts.at(-1)?.description).toBe('Event updated successfully'));
    expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({
      visibility: 'unlisted',
      version: 4,
    });
  });

  it('asks what happens to those who wait before the list is turned off', async () => {
    const { requests } = open(anEvent({ capacity: 1, waitingCount: 2, waitlistEnabled: true }), '/settings', {
      [`PUT ${PATH}`]: () => ({ body: anEvent({ version: 2, waitlistEnabled: false }) }),
    });
    await userEvent.click(await screen.findByRole('switch', { name: 'Waiting list' }));
    await userEvent.click(await button('Save settings'));
    await screen.findByText('Choose what happens to who waits');
    expect(requests.filter(({ method }) => method === 'PUT')).toEqual([]);
    await userEvent.click(screen.getByRole('radio', { name: 'They get a place' }));
    await userEvent.click(await button('Save settings'));
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({
        waitlistEnabled: false,
        waitlistOff: 'promote',
        version: 1,
      }),
    );
  });

  it('shows what another administrator saved meanwhile, and keeps what was chosen', async () => {
    const theirs = anEvent({ version: 9, registrationOpensAt: '2030-01-01T10:00:00.000Z' });
    open(anEvent(), '/settings', {
      [`PUT ${PATH}`]: () => ({
        status: 409,
        body: {
          code: 'EDIT_CONFLICT',
          message: 'This has been changed',
          details: { edits: [], present: theirs },
        },
      }),
    });
    await userEvent.click(await screen.findByRole('radio', { name: 'Unlisted' }));
    await userEvent.click(await button('Save settings'));
    await button('Save my changes');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Unlisted' }).checked).toBe(true);
  });

  it('counts what people answered', async () => {
    open(anAskingEvent(), '', {
      [`GET /api${WORKSPACE}/answers`]: () => ({
        body: [
          { questionId: DIET, answered: 2, counts: [] },
          {
            questionId: TRACK,
            answered: 3,
            counts: [
              { answer: 'Search', count: 1 },
              { answer: 'Social', count: 2 },
            ],
          },
        ],
      }),
    });
    const answers = within(await screen.findByRole('region', { name: 'Answers' }));
    await answers.findByText('2 answers');
    expect(answers.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      '2 answers',
      'Search 1',
      'Social 2',
    ]);
  });
});

describe('The panel of the door', () => {
  const PATH = `/api/admin/events/${anEvent().id}`;
  const TOKEN = 't'.repeat(43);
  const link = (id: string, given: object = {}) => ({
    ...{ id, createdAt: '2030-05-01T10:00:00.000Z', revokedAt: null, expiresAt: '2099-05-02T10:00:00.000Z' },
    ...given,
  });
  const aDoor = (given: Partial<DoorOfEvent> = {}): DoorOfEvent => ({
    ...{ links: [], refusals: [], venueCode: 'v'.repeat(22), counts: { registered: 60, checkedIn: 41 } },
    ...given,
  });
  const open = (
    door: DoorOfEvent,
    calls: Parameters<typeof fakeApi>[0] = {},
    event: Partial<EventPage> = {},
  ) => {
    const shown = { now: door };
    const requests = fakeApi({ [`GET ${PATH}/door`]: () => ({ body: shown.now }), ...calls });
    const rendered = renderScreen(<Door event={anEvent(event)} />, { user: aUser({ isAdmin: true }) });
    return { shown, requests, ...rendered };
  };
  const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

  it('counts who is in, and shows a new link once, as text and as a code, with its end', async () => {
    const made = link('1', { token: TOKEN });
    const { shown } = open(aDoor(), { [`POST ${PATH}/door-links`]: () => ({ status: 201, body: made }) });
    await screen.findByText('41');
    screen.getByText('of 60');
    screen.getByText('No link has been made yet.');
    shown.now = aDoor({ links: [link('1')] });
    await press('Make a door link');
    const shownLink = within(await screen.findByRole('group', { name: 'Door link' }));
    shownLink.getByRole('img', { name: 'QR code of the door link' });
    const field = shownLink.getByRole<HTMLInputElement>('textbox', { name: 'Door link' });
    expect(new URL(field.value).pathname).toBe(`/door/${TOKEN}`);
    shownLink.getByText(/^Valid until .*2099/);
    await screen.findByRole('button', { name: /^End the link made/ });
    await press('Done');
    expect(screen.queryByDisplayValue(new RegExp(TOKEN))).toBeNull();
  });

  it('ends a link once that is confirmed, and hides its address', async () => {
    const made = link('1', { token: TOKEN });
    const { shown, requests, toasts } = open(aDoor(), {
      [`POST ${PATH}/door-links`]: () => ({ status: 201, body: made }),
      [`DELETE ${PATH}/door-links/1`]: () => ({ status: 204 }),
    });
    shown.now = aDoor({ links: [link('1')] });
    await press('Make a door link');
    await press(/^End the link made/);
    expect(requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
    shown.now = aDoor({ links: [link('1', { revokedAt: '2030-05-01T18:00:00.000Z' })] });
    await press('End the door link');
    await waitFor(() => expect(toasts.at(-1)?.title).toBe('The link was ended'));
    await screen.findByText(/^Ended /);
    expect(screen.queryByDisplayValue(new RegExp(TOKEN))).toBeNull();
    expect(screen.queryByRole('button', { name: /^End the link made/ })).toBeNull();
  });

  it('names who was scanned too late, when and why', async () => {
    const late = {
      linkId: '1',
      walkIn: false,
      email: null,
      at: '2030-05-01T18:00:00.000Z',
      receivedAt: '2030-05-01T18:30:00.000Z',
    };
    open(
      aDoor({
        links: [link('1', { expiresAt: '2020-01-01T00:00:00.000Z' })],
        refusals: [
          { ...late, name: 'Ben Brown', reason: 'revoked' },
          { ...late, name: null, reason: 'expired' },
          { ...late, name: 'Wanda', walkIn: true, email: 'wanda@example.org', reason: 'revoked' },
        ],
      }),
    );
    const list = within(await screen.findByRole('region', { name: 'Not accepted' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Ben BrownScanned May 1, 2030, 7:00\sPM.* · The link was ended$/),
      expect.stringMatching(/^An unknown codeScanned .* · The link had expired$/),
      expect.stringMatching(/^WandaWalk-in .* · wanda@example\.org · The link was ended$/),
    ]);
    screen.getByText(/^Expired /);
  });

  it('has a poster for the venue, which is printed without the page', async () => {
    open(aDoor());
    await screen.findByRole('button', { name: 'Print the poster' });
    const poster = within(document.querySelector<HTMLElement>('body > div:last-child')!);
    poster.getByText('Scan to check in');
    poster.getByText(anEvent().title);
    const codes = screen.getAllByRole('img', { name: 'QR code for checking in at the venue' });
    expect(codes.map((code) => code.querySelector('path')?.getAttribute('d'))).toEqual([
      codes[0]?.querySelector('path')?.getAttribute('d'),
      codes[0]?.querySelector('path')?.getAttribute('d'),
    ]);
  });

  it.each([
    ['a short address', 'seo-breakfast', ['localhost/e/seo-breakfast']],
    ['none', null, []],
  ])('has the event’s address on the poster, to be typed: %s', async (_, slug, addresses) => {
    open(aDoor(), {}, { slug });
    await screen.findByRole('button', { name: 'Print the poster' });
    const poster = within(document.querySelector<HTMLElement>('body > div:last-child')!);
    expect(poster.queryAllByText(/localhost/).map(({ textContent }) => textContent)).toEqual(addresses);
  });

  it.each<[EventPage['status'], string]>([
    ['draft', 'Publish the event first: a draft has no door.'],
    ['cancelled', 'This event is cancelled: nobody is let in any more.'],
  ])('makes no link for an event that is %s', async (status, words) => {
    open(aDoor(), {}, { status });
    await screen.findByText(words);
    expect(screen.queryByRole('button', { name: 'Make a door link' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Print the poster' })).toBeNull();
  });

  it('says that the door is closed when the event has been over for too long', async () => {
    open(aDoor(), { [`POST ${PATH}/door-links`]: () => refusal(401, 'DOOR_LINK_ENDED', 'Ended') });
    await press('Make a door link');
    await screen.findByText(/^The event has been over for more than 12 hours/);
  });
});

describe('The panel of the guests', () => {
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
});
