import { jest } from '@jest/globals';
import type { EventPage, GalleryPicture, Door as DoorOfEvent, Guest } from '@meetmark/contracts';
import type { RegistrationState } from '@meetmark/contracts/events/registration-state';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router-dom';
import { enterText } from '../../../testing/enter-text';
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

describe('The event workspace', () => {
  it('shows the event’s figures and a link to its page, and switches sections', async () => {
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
    const parts = within(screen.getByRole('navigation', { name: 'Workspace sections' }));
    expect(parts.getByRole('link', { current: 'page' }).textContent).toBe('Overview');
    await userEvent.click(parts.getByRole('link', { name: 'Settings' }));
    expect(parts.getByRole('link', { current: 'page' }).textContent).toBe('Settings');
    await screen.findByRole('heading', { name: 'Cancel or delete' });
  });

  it.each([
    ['overview', '', ['Next steps']],
    ['settings', '/settings', ['Registration', 'Who can see it', 'Event link', 'Cancel or delete']],
  ])('has help buttons for the panels of the %s section', async (_, part, panels) => {
    open(anEvent({ slug: 'seo-breakfast' }), part);
    for (const panel of panels) await button(`Help: ${panel}`);
  });

  it('says that the event no longer exists', async () => {
    open(anEvent(), '', { [`GET ${PATH}`]: () => refusal(404, 'EVENT_NOT_FOUND', 'Event not found') });
    await screen.findByText('This event no longer exists');
  });

  it.each([
    ['a co-host who manages the event', true, 'Attribution breakfast'],
    ['a member who doesn’t manage the event', false, 'You don’t manage this event'],
  ])('shows the right heading to %s: “%s”', async (_, mayManage, heading) => {
    open(anEvent({ mayManage }), '', {}, aUser());
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(heading);
  });

  it('hides Edit and Save settings for a cancelled event', async () => {
    open(anEvent({ status: 'cancelled', registrationState: 'cancelled' }), '/settings');
    await screen.findByText('This event was cancelled, so its settings can’t be changed.');
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Save settings' })).toBeNull();
  });
});

describe('The Images section of an event', () => {
  const gallery = [
    { id: '0197f000-0000-7000-8000-0000000000c1', url: '/media/gallery/x.webp', alt: 'The hall' },
  ];
  const past = { startDate: '2024-05-01T17:00:00.000Z', endDate: '2024-05-01T19:00:00.000Z' };

  it.each<[string, Partial<EventPage>]>([
    ['is over', { ...past, registrationState: 'ended' }],
    ['is cancelled', { status: 'cancelled', registrationState: 'cancelled' }],
    ['has images', { gallery }],
  ])('shows the Images section when the event %s', async (_, given) => {
    open(anEvent(given));
    await screen.findByRole('heading', { level: 2, name: 'Images' });
  });

  it('hides the Images section for an upcoming event without images', async () => {
    open(anEvent());
    await screen.findByRole('heading', { level: 2, name: 'Next steps' });
    expect(screen.queryByRole('heading', { level: 2, name: 'Images' })).toBeNull();
  });

  it('saves a changed image description but rejects an empty one', async () => {
    const { requests } = open(anEvent({ gallery }), '', {
      [`PUT ${PATH}/gallery`]: () => ({ body: anEvent({ gallery }) }),
    });
    const field = await screen.findByRole('textbox', { name: 'Description of image 1' });
    const save = await button('Save images');
    expect(save.getAttribute('aria-disabled')).toBe('true');
    const user = userEvent.setup();
    await user.clear(field);
    await user.click(save);
    await screen.findByText('Describe this image.');
    expect(requests.filter(({ method }) => method === 'PUT')).toEqual([]);
    await enterText(field, ' The hall at noon ');
    await user.click(save);
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({
        pictures: [{ id: gallery[0]!.id, alt: 'The hall at noon', was: 'The hall' }],
      }),
    );
  });
});

describe('The Images section with several images', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((alt, at) => ({
    id: `0197f000-0000-7000-8000-0000000000d${at}`,
    url: `/media/gallery/${at}.webp`,
    alt,
  }));
  const ids = (...pictures: (typeof one)[]) => pictures.map((item) => ({ id: item!.id }));
  const all = [one!, two!, three!];
  /** `meanwhile` simulates another person's change. It returns the response to the first save. */
  const opened = (meanwhile?: (event: EventPage) => ReturnType<typeof refusal>) => {
    let gallery = all;
    let isFirst = true;
    let isKnown = false;
    return open(anEvent({ gallery }), '', {
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
    screen
      .getAllByRole<HTMLInputElement>('textbox', { name: /^Description of image/ })
      .map(({ value }) => value);
  const sent = ({ requests }: ReturnType<typeof opened>) =>
    requests.filter(({ method }) => method === 'PUT').map(({ body }) => body);

  it('reorders images by keyboard and saves the new order', async () => {
    const screens = opened();
    const user = userEvent.setup();
    (await button('Move image 3 up')).focus();
    await user.keyboard('{Enter}');
    expect(words()).toEqual(['one', 'three', 'two']);
    expect(document.activeElement).toBe(await button('Move image 2 up'));
    await user.keyboard('{Enter}');
    expect(words()).toEqual(['three', 'one', 'two']);
    expect(document.activeElement).toBe(await button('Move image 1 down'));
    expect((await button('Move image 1 up')).hasAttribute('disabled')).toBe(true);
    expect((await button('Move image 3 down')).hasAttribute('disabled')).toBe(true);
    const save = await button('Save images');
    await user.click(save);
    await waitFor(() => expect(sent(screens)).toEqual([{ pictures: ids(three, one, two) }]));
  });

  it('sends only the changed description when the order is restored', async () => {
    const screens = opened();
    const user = userEvent.setup();
    await user.click(await button('Move image 2 down'));
    expect(words()).toEqual(['one', 'three', 'two']);
    await user.click(await button('Move image 3 up'));
    const save = await button('Save images');
    expect(save.getAttribute('aria-disabled')).toBe('true');
    await user.type(screen.getByRole('textbox', { name: 'Description of image 2' }), '!');
    await user.click(save);
    const reworded = { id: two!.id, alt: 'two!', was: 'two' };
    await waitFor(() => expect(sent(screens)).toEqual([{ pictures: [reworded] }]));
  });

  it('keeps your description after a conflict and shows the other person’s text', async () => {
    const screens = opened((present) => refusal(409, 'EDIT_CONFLICT', 'Changed', { present }));
    const user = userEvent.setup();
    await enterText(await screen.findByRole('textbox', { name: 'Description of image 1' }), ' by me');
    await enterText(screen.getByRole('textbox', { name: 'Description of image 3' }), ' by me');
    const save = await button('Save images');
    await user.click(save);
    await screen.findByText(/Someone else changed this to “theirs”/);
    expect(words()).toEqual(['one by me', 'two']);
    const field = screen.getByRole('textbox', { name: 'Description of image 1' });
    expect(document.activeElement).toBe(field);
    screen.getByText(/An image was removed. You had described it as “three by me”/);
    await enterText(field, ' and them');
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
    expect(screen.queryByText(/An image was removed/)).toBeNull();
    expect(save.getAttribute('aria-disabled')).toBe('true');
  });

  it('adopts another person’s order and shows their text before saving', async () => {
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
    await enterText(await screen.findByRole('textbox', { name: 'Description of image 1' }), ' by me');
    await enterText(screen.getByRole('textbox', { name: 'Description of image 3' }), ' by me');
    // the second move restores the order, so only the texts have changed
    await user.click(await button('Move image 1 down'));
    await user.click(await button('Move image 2 up'));
    await user.click(await button('Remove image 3'));
    await user.click(
      await within(await screen.findByRole('dialog')).findByRole('button', { name: 'Remove' }),
    );
    await waitFor(() => expect(words()).toEqual(['two', 'one by me']));
    expect(screen.queryByText(/An image was removed/)).toBeNull();
    const puts = () => requests.filter(({ method }) => method === 'PUT').map(({ body }) => body);
    const save = await button('Save images');
    await user.click(save);
    await screen.findByText(/Someone else changed this to “theirs”/);
    expect(puts()).toEqual([]);
    await user.click(save);
    await waitFor(() =>
      expect(puts()).toEqual([{ pictures: [{ id: one!.id, alt: 'one by me', was: 'theirs' }] }]),
    );
  });

  it('drops a moved image that someone removed, and shows its unsaved description', async () => {
    const screens = opened(() =>
      refusal(400, 'VALIDATION_FAILED', 'No', { fields: { 'pictures[2].id': ['is no picture'] } }),
    );
    const user = userEvent.setup();
    await enterText(await screen.findByRole('textbox', { name: 'Description of image 2' }), ' by me');
    await enterText(screen.getByRole('textbox', { name: 'Description of image 3' }), ' by me');
    await user.click(await button('Move image 3 up'));
    const save = await button('Save images');
    await user.click(save);
    await screen.findByText(/You had described it as “three by me”/);
    expect(screens.toasts).toMatchObject([{ kind: 'error', description: 'Changed while you were editing' }]);
    expect(words()).toEqual(['theirs', 'two by me']);
    await user.click(save);
    await waitFor(() => expect(sent(screens)).toHaveLength(2));
    expect(sent(screens)[1]).toEqual({ pictures: [{ id: two!.id, alt: 'two by me', was: 'two' }] });
  });

  it('ignores typing while saving, and shows other people’s changes afterwards', async () => {
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
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Description of image 1' });
    await user.clear(field);
    await enterText(field, 'mine');
    const save = await button('Save images');
    await user.click(save);
    await enterText(field, ' and lost');
    expect(words()).toEqual(['mine', 'two', 'three']);
    answer();
    await waitFor(() => expect(words()).toEqual(['theirs, later']));
    expect(save.getAttribute('aria-disabled')).toBe('true');
  });

  it('has a help button', async () => {
    opened();
    await button('Help: Images');
  });
});

describe('The Copy link button', () => {
  const address = `${window.location.origin}/events/${anEvent().id}`;

  it('copies the whole link and shows a success message', async () => {
    const user = userEvent.setup();
    const { toasts } = open(anEvent());
    await user.click(await button('Copy link'));
    await waitFor(() => expect(toasts).toMatchObject([{ kind: 'success', title: 'Link copied' }]));
    expect(await navigator.clipboard.readText()).toBe(address);
  });

  it('asks the user to select the link when the browser refuses to copy it', async () => {
    const user = userEvent.setup();
    const { toasts } = open(anEvent());
    jest
      .spyOn(navigator.clipboard, 'writeText')
      .mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
    await user.click(await button('Copy link'));
    await waitFor(() =>
      expect(toasts).toMatchObject([
        { kind: 'error', title: 'The link couldn’t be copied. Select it in the field and copy it.' },
      ]),
    );
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Link' });
    await user.click(field);
    expect(field.value.slice(field.selectionStart!, field.selectionEnd!)).toBe(address);
  });
});

describe('The short link of an event', () => {
  const named = anEvent({ slug: 'seo-breakfast', version: 3 });
  const change = async (answer: () => ReturnType<typeof refusal>, event = named) => {
    const user = userEvent.setup();
    const opened = open(event, '/settings', { [`PUT ${PATH}/slug`]: answer });
    const field = await screen.findByRole('textbox', { name: 'Short link' });
    expect(screen.getByRole('button', { name: 'Change link' }).getAttribute('aria-disabled')).toBe('true');
    await user.clear(field);
    await enterText(field, 'Bacon & Eggs');
    return {
      ...opened,
      user,
      field,
      press: () => user.click(screen.getByRole('button', { name: 'Change link' })),
    };
  };

  it('replaces the event ID in the Link field and the Preview link', async () => {
    open(named);
    const link = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Link' });
    expect(link.value).toBe(`${window.location.origin}/e/seo-breakfast`);
    expect(screen.getByRole('link', { name: 'Preview' }).getAttribute('href')).toBe('/e/seo-breakfast');
  });

  it('is shown as a full URL before saving, and as saved afterwards', async () => {
    const { requests, toasts, field, press } = await change(() => ({
      body: { ...named, slug: 'bacon-eggs' },
    }));
    screen.getByText(`${window.location.origin}/e/bacon-&-eggs`);
    await press();
    await waitFor(() => expect(toasts).toMatchObject([{ kind: 'success', title: 'Link changed' }]));
    expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({ slug: 'bacon-&-eggs' });
    expect((field as HTMLInputElement).value).toBe('bacon-eggs');
  });

  it.each([
    [
      'is taken',
      () => refusal(409, 'SLUG_TAKEN', 'Another event uses this link, or used it before'),
      'Another event uses',
    ],
    [
      'is invalid',
      () =>
        refusal(400, 'VALIDATION_FAILED', 'No', {
          fields: { slug: ['slug must be'] },
          rules: { slug: { rule: 'isEventSlug' } },
        }),
      '3 to 80 characters from a–z',
    ],
  ])('shows an error at the field when the short link %s', async (_, answer, words) => {
    const { field, press } = await change(answer);
    await press();
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect((await screen.findByRole('alert')).textContent).toContain(words);
    expect((field as HTMLInputElement).value).toBe('bacon-&-eggs');
  });

  it('has no field in the settings of a draft', async () => {
    open(anEvent({ status: 'draft' }), '/settings');
    await screen.findByRole('button', { name: 'Save settings' });
    expect(screen.queryByRole('textbox', { name: 'Short link' })).toBeNull();
  });

  it('appears in the file name of the QR code', async () => {
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

describe('The next steps of an event', () => {
  const { content } = anEvent();
  const titles = (given: Partial<EventPage>, state: RegistrationState) =>
    stepsFor(anEvent({ description: 'Words', location: 'Leeds', ...given }), state, true).map(
      ({ title }) => title,
    );

  it.each<[string, Partial<EventPage>, RegistrationState, string[]]>([
    ['with all details', {}, 'open', []],
    [
      'as a draft without a description',
      { status: 'draft', description: ' ' },
      'open',
      ['Publish the event', 'Describe the event'],
    ],
    ['without a location', { location: null }, 'open', ['Add the location']],
    ['online without a link', { format: 'online', location: null }, 'open', ['Add the joining link']],
    [
      'with an unconfirmed host',
      { content: { ...content, hosts: [{ ...aUser(), agreed: false }] as never } },
      'open',
      ['Confirm the hosts'],
    ],
    ['with someone on the waiting list', { waitingCount: 1 }, 'open', ['Check the waiting list']],
    ['that is running', { location: null }, 'started', ['Check guests in']],
    ['that is over', { location: null }, 'ended', ['Add slides or a recap']],
    ['that is cancelled', { status: 'cancelled', location: null }, 'cancelled', []],
    ['that is online and running', { format: 'online' }, 'started', []],
  ])('match the event: %s', (_, given, state, expected) => expect(titles(given, state)).toEqual(expected));

  it.each<[string, Partial<EventPage>, boolean, string[]]>([
    ['in person', {}, false, ['Prepare check-in']],
    [
      'hybrid',
      { format: 'hybrid', content: { ...content, hasOnlineUrl: true } },
      false,
      ['Prepare check-in'],
    ],
    ['with a door link', {}, true, []],
    ['online', { format: 'online', content: { ...content, hasOnlineUrl: true } }, false, []],
    ['as a draft', { status: 'draft' }, false, ['Publish the event']],
  ])('include check-in preparation only if needed: %s', (_, given, hasDoor, expected) => {
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

  it('shows the places left and “Prepare check-in” before the start', async () => {
    const words = await shows(at(24, 26, { registrationState: 'open' }), 0);
    for (const said of ['24 places left', 'Anyone who opens this link can register.', 'Prepare check-in'])
      expect(words).toContain(said);
    expect(words).not.toContain('Came');
  });

  it('counts checked-in guests while the event is running', async () => {
    const words = await shows(at(-1, 1, { registrationState: 'started' }), 12);
    for (const said of ['Registration is closed', 'Came12 of 36', 'Checked in so far', 'Check guests in'])
      expect(words).toContain(said);
    expect(words).not.toMatch(/places left|can register/);
  });

  it.each([
    [31, ['Came31 of 36', 'The event is over', 'Didn’t get a place', 'The page still shows the event']],
    [0, ['Came– of 36', 'we don’t know who came']],
  ])('shows the attendance after the event: %i checked in', async (checkedIn, expected) => {
    const words = await shows(at(-26, -24, { registrationState: 'ended' }), checkedIn);
    for (const said of expected) expect(words).toContain(said);
    expect(words).not.toMatch(/places left|can register|First come/);
  });
});

describe('The Settings section of an event', () => {
  it('sends only changed settings, with the loaded version', async () => {
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

  it('asks what happens to waiting people before it turns off the waiting list', async () => {
    const { requests } = open(anEvent({ capacity: 1, waitingCount: 2, waitlistEnabled: true }), '/settings', {
      [`PUT ${PATH}`]: () => ({ body: anEvent({ version: 2, waitlistEnabled: false }) }),
    });
    await userEvent.click(await screen.findByRole('switch', { name: 'Waiting list' }));
    await userEvent.click(await button('Save settings'));
    await screen.findByText('Choose what happens to people on the waiting list');
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

  it('keeps your choice when another administrator saves first', async () => {
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

  it('counts the answers to each question', async () => {
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

describe('The door panel', () => {
  const PATH = `/api/admin/events/${anEvent().id}`;
  const TOKEN = 't'.repeat(43);
  const link = (id: string, given: object = {}) => ({
    ...{ id, createdAt: '2030-05-01T10:00:00.000Z', revokedAt: null, expiresAt: '2099-05-02T10:00:00.000Z' },
    ...{ madeBy: 'Ada Lovelace', works: true },
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

  it('shows the number of checked-in guests, and hides a new link after Done', async () => {
    const made = link('1', { token: TOKEN });
    const { shown } = open(aDoor(), { [`POST ${PATH}/door-links`]: () => ({ status: 201, body: made }) });
    await screen.findByText('41');
    screen.getByText('of 60');
    screen.getByText('No links yet.');
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

  it('shows who made each door link, and explains why a link doesn’t work', async () => {
    const links = [link('1'), link('2', { works: false }), link('3', { works: false, madeBy: null })];
    open(aDoor({ links }));
    await screen.findByText(/^Made by Ada Lovelace · Valid until/);
    screen.getByText(/^Made by Ada Lovelace · This link doesn’t work, because the person who made it/);
    screen.getByText(/^Made by a deleted account · This link doesn’t work/);
  });

  it('ends a link after confirmation and hides its URL', async () => {
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
    await screen.findByText(/ · Ended /);
    expect(screen.queryByDisplayValue(new RegExp(TOKEN))).toBeNull();
    expect(screen.queryByRole('button', { name: /^End the link made/ })).toBeNull();
  });

  it('lists rejected check-ins with time and reason', async () => {
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
    screen.getByText(/ · Expired /);
  });

  it('has a printable poster with the venue’s QR code', async () => {
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
    ['with a short link', 'seo-breakfast', ['localhost/e/seo-breakfast']],
    ['without a short link', null, []],
  ])('shows the short link on the poster, if there is one: %s', async (_, slug, addresses) => {
    open(aDoor(), {}, { slug });
    await screen.findByRole('button', { name: 'Print the poster' });
    const poster = within(document.querySelector<HTMLElement>('body > div:last-child')!);
    expect(poster.queryAllByText(/localhost/).map(({ textContent }) => textContent)).toEqual(addresses);
  });

  it.each<[EventPage['status'], string]>([
    ['draft', 'Publish the event first. You can’t check guests in to a draft.'],
    ['cancelled', 'This event was cancelled, so check-in is closed.'],
  ])('offers no door link or poster for a %s event', async (status, words) => {
    open(aDoor(), {}, { status });
    await screen.findByText(words);
    expect(screen.queryByRole('button', { name: 'Make a door link' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Print the poster' })).toBeNull();
  });

  it('explains why a door link can’t be made long after the event', async () => {
    open(aDoor(), { [`POST ${PATH}/door-links`]: () => refusal(401, 'DOOR_LINK_ENDED', 'Ended') });
    await press('Make a door link');
    await screen.findByText(/^The event ended more than 12 hours ago/);
  });
});

describe('The guest panel', () => {
  const PATH = `/api/admin/events/${anEvent().id}/guests`;
  const aGuest = (given: Partial<Guest> = {}): Guest => ({
    id: 'grace',
    name: 'Grace Hopper',
    email: 'grace@example.org',
    userId: null,
    unconfirmed: false,
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
  /** Finds a dialog by its title, because antd's dialogs share an ID in tests. */
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
    it('shows the status, payment and note of each guest', async () => {
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
      expect(words[1]).toMatch(/No email.*Came at 7:07\sPM.*Paid/);
      expect(words[2]).toContain('Waiting');
      expect(words[3]).toMatch(/Did not come.*A friend of the speaker/);
    });

    it('exports selected guests and clears the selection', async () => {
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

    it('shows a guest’s answers', async () => {
      open([aGuest({ answers: { [DIET]: 'Nuts', [FIRST]: true } })], {}, anAskingEvent());
      await press('Grace Hopper');
      const drawer = await dialogCalled('Grace Hopper');
      const facts = within(drawer)
        .getAllByRole('definition')
        .map(({ textContent }) => textContent);
      expect(facts.slice(-2)).toEqual(['Nuts', 'Yes']);
      expect(within(drawer).queryByText('Which track?')).toBeNull();
    });

    it('searches for guests on the server', async () => {
      const { requests } = open([aGuest()]);
      await screen.findByText('Grace Hopper');
      await userEvent.type(screen.getByRole('searchbox'), 'hop');
      await waitFor(() =>
        expect(Object.fromEntries(requests.at(-1)?.query ?? [])).toEqual({ q: 'hop', limit: '20' }),
      );
    });

    it('marks, filters and removes guests with an unconfirmed email address', async () => {
      const { requests, toasts } = open(
        [
          aGuest({ unconfirmed: true }),
          aGuest({ id: 'ada', name: 'Ada Lovelace', unconfirmed: true }),
          aGuest({ id: 'bob', name: 'Bob', state: 'cancelled' }),
        ],
        { [`POST ${PATH}/remove`]: () => ({ status: 204 }) },
      );
      await screen.findByText('Grace Hopper');
      expect(screen.getAllByText('Email not confirmed')).toHaveLength(2);
      await userEvent.click(screen.getByRole('combobox', { name: 'Email confirmed' }));
      await userEvent.click(await screen.findByText('Not confirmed'));
      await waitFor(() => expect(requests.at(-1)?.query.get('unconfirmed')).toBe('true'));
      await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
      await press('Remove (2)');
      const question = within(await dialogCalled('Remove from the guest list'));
      question.getByText(/^Remove 2 people\?/);
      await userEvent.click(question.getByRole('button', { name: 'Remove' }));
      await waitFor(() =>
        expect(toasts.at(-1)?.description).toBe('2 people were removed from the guest list'),
      );
      expect(sent(requests)).toEqual([['POST', `${PATH}/remove`, { ids: ['grace', 'ada'], reason: null }]]);
      expect(screen.queryByRole('region', { name: 'Selected: Guests' })).toBeNull();
    });

    it('distinguishes an empty list from a search without results', async () => {
      open([]);
      await screen.findByText('Nobody has registered yet');
      await userEvent.type(screen.getByRole('searchbox'), 'x');
      await screen.findByText('No matching guests');
    });

    it('offers no Add guest button for a draft', async () => {
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
      if (name) await enterText(dialog.getByLabelText('Name'), name);
      if (email) await enterText(dialog.getByLabelText('Email'), email);
      await userEvent.click(dialog.getByRole('button', { name: 'Add guest' }));
      return dialog;
    };

    it('asks before it adds a place to a full event', async () => {
      const answers = [
        () => refusal(409, 'EVENT_FULL', 'This event is full', { waiting: 4 }),
        () => ({ status: 201, body: aGuest() }),
      ];
      const { requests, toasts } = open([], { [`POST ${PATH}`]: () => answers.shift()!() });
      await fill('Grace Hopper', '');
      const question = await dialogCalled('No places left');
      expect(question.textContent).toContain('4 other people stay on the waiting list');
      await userEvent.click(within(question).getByRole('button', { name: 'Add a place' }));
      await waitFor(() => expect(toasts.at(-1)?.description).toBe('Grace Hopper is now registered'));
      expect(sent(requests)).toEqual([
        ['POST', PATH, { name: 'Grace Hopper', email: null }],
        ['POST', PATH, { name: 'Grace Hopper', email: null, raiseCapacity: true }],
      ]);
    });

    it('requires a name and a valid email address before sending', async () => {
      const { requests } = open([]);
      const dialog = await fill('', 'grace');
      dialog.getByText('Name is required');
      dialog.getByText('Invalid email address');
      expect(sent(requests)).toEqual([]);
    });

    it('shows an error when the email address is already on the list', async () => {
      open([], { [`POST ${PATH}`]: () => refusal(409, 'GUEST_EXISTS', 'Somebody is on the list') });
      const dialog = await fill('Grace', 'grace@example.org');
      await dialog.findByText('Someone with this email address is already on the guest list');
    });
  });

  describe('The guest drawer', () => {
    const openGuest = async () => {
      await press('Grace Hopper');
      await screen.findByRole('dialog');
      return within(await dialogCalled('Grace Hopper'));
    };

    it('removes the guest with a reason', async () => {
      const { requests, toasts } = open([aGuest()], { [`POST ${PATH}/remove`]: () => ({ status: 204 }) });
      await userEvent.click((await openGuest()).getByRole('button', { name: 'Remove' }));
      const question = within(await dialogCalled('Remove from the guest list'));
      await enterText(question.getByLabelText('Reason (optional)'), 'Only 3 chairs');
      await userEvent.click(question.getByRole('button', { name: 'Remove' }));
      await waitFor(() =>
        expect(toasts.at(-1)?.description).toBe('Grace Hopper is no longer on the guest list'),
      );
      expect(sent(requests)).toEqual([
        ['POST', `${PATH}/remove`, { ids: ['grace'], reason: 'Only 3 chairs' }],
      ]);
    });

    it('marks the guest as paid and saves a note', async () => {
      const { requests, toasts } = open([aGuest()], { [`PATCH ${PATH}/grace`]: () => ({ body: aGuest() }) });
      const drawer = await openGuest();
      await userEvent.click(drawer.getByRole('switch', { name: 'Paid' }));
      await enterText(drawer.getByLabelText('Note'), 'Vegan');
      await userEvent.click(drawer.getByRole('button', { name: 'Save note' }));
      await waitFor(() => expect(toasts.at(-1)?.description).toBe('Note saved'));
      expect(sent(requests).map(([, , body]) => body)).toEqual([{ paid: true }, { note: 'Vegan' }]);
    });

    it.each([
      ['2030-05-01T18:07:00.000Z', false],
      [null, true],
    ])('switches a guest with check-in time %s to checked in: %s', async (checkedInAt, checkedIn) => {
      const { requests } = open([aGuest({ checkedInAt })], {
        [`PATCH ${PATH}/grace`]: () => ({ body: aGuest() }),
      });
      const drawer = await openGuest();
      await userEvent.click(drawer.getByRole('switch', { name: 'Checked in', checked: !checkedIn }));
      expect(sent(requests)).toEqual([['PATCH', `${PATH}/grace`, { checkedIn }]]);
    });

    it('offers no check-in for a guest who cancelled', async () => {
      open([aGuest({ state: 'cancelled' })]);
      const drawer = await openGuest();
      expect(drawer.queryByRole('switch', { name: 'Checked in' })).toBeNull();
    });

    it('asks before a waiting guest gets a place at a full event', async () => {
      const waiting = aGuest({ state: 'waitlisted' });
      open([waiting], {
        [`POST ${PATH}/grace/place`]: () => refusal(409, 'EVENT_FULL', 'This event is full', { waiting: 2 }),
      });
      await press('Register: Grace Hopper');
      const question = await dialogCalled('No places left');
      expect(question.textContent).toContain('One other person stays on the waiting list');
    });
  });
});
