import { jest } from '@jest/globals';
import type { EventPage, GalleryPicture, Door as DoorOfEvent, Guest } from '@meetmark/contracts';
import type { RegistrationState } from '@meetmark/contracts/events/registration-state';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { Route, Routes } from 'react-router-dom';
import { fillFields, findRegion, getTexts, press } from '../../../testing/actions';
import { collectClickedLinks } from '../../../testing/clicked-links';
import { enterText } from '../../../testing/enter-text';
import { fakeApi, type Handlers, refusal } from '../../../testing/fake-api';
import { findToast, renderScreen } from '../../../testing/render-screen';
import { anAskingEvent, anEvent, aUser, DIET, TRACK, FIRST } from '../../../testing/samples';
import { EventLoader } from '../../events/shared/event-loader';
import AdminScreen from '../admin-screen';
import { Address, AddressForm } from './address';
import Door from './door';
import { Guests } from './guests';
import { Overview, stepsFor } from './overview';
import { Pictures } from './pictures';
import { Settings } from './settings';

const PATH = `/api/events/${anEvent().id}`;
const WORKSPACE = `/admin/events/${anEvent().id}`;
const DAYS = Array.from({ length: 14 }, (_, n) => ({
  day: `2030-04-${String(n + 10)}`,
  registrations: n % 3,
}));
const aDoor = (given: Partial<DoorOfEvent> = {}): DoorOfEvent => ({
  ...{ links: [], refusals: [], venueCode: 'v'.repeat(22), counts: { registered: 36, checkedIn: 0 } },
  ...given,
});
const user = aUser({ isAdmin: true });
const fakeEvent = (event: EventPage, calls: Handlers = {}) =>
  fakeApi({
    [`GET ${PATH}`]: () => ({ body: event }),
    [`GET /api${WORKSPACE}/activity`]: () => ({ body: DAYS }),
    [`GET /api${WORKSPACE}/door`]: () => ({ body: aDoor() }),
    ...calls,
  });
const openPage = (event: EventPage, part = '', who = user) => {
  fakeEvent(event);
  const route = <Route path="admin/events/:eventId/:tab?" element={<AdminScreen />} />;
  renderScreen(<Routes>{route}</Routes>, { user: who, path: WORKSPACE + part });
};
/** Renders one part of the workspace without the page around it. */
const open = (Part: ComponentType<{ event: EventPage }>, event: EventPage, calls: Handlers = {}) => {
  const requests = fakeEvent(event, calls);
  const part = <EventLoader eventId={event.id}>{(loaded) => <Part event={loaded} />}</EventLoader>;
  return { requests, ...renderScreen(part, { user }) };
};
const replace = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const findButton = (name: string) => screen.findByRole('button', { name });

describe('The event workspace', () => {
  it('shows the event’s figures and a link to its page, and switches sections', async () => {
    openPage(anEvent({ capacity: 60, registrationCount: 41, waitingCount: 0, slug: 'seo-breakfast' }));
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(anEvent().title);
    expect(screen.getByRole('link', { name: 'Preview' }).getAttribute('href')).toBe('/e/seo-breakfast');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Link' }).value).toBe(
      `${window.location.origin}/e/seo-breakfast`,
    );
    await findButton('Help: Next steps');
    screen.getByText('of 60');
    screen.getByText('19 places left');
    await screen.findByText('13 registrations');
    expect((await findRegion('The last 14 days')).getAllByRole('listitem')).toHaveLength(14);
    const parts = within(screen.getByRole('navigation', { name: 'Workspace sections' }));
    expect(parts.getByRole('link', { current: 'page' }).textContent).toBe('Overview');
    await userEvent.click(parts.getByRole('link', { name: 'Settings' }));
    expect(parts.getByRole('link', { current: 'page' }).textContent).toBe('Settings');
    await screen.findByRole('heading', { name: 'Cancel or delete' });
    for (const panel of ['Registration', 'Who can see it', 'Event link', 'Cancel or delete'])
      screen.getByRole('button', { name: `Help: ${panel}` });
  });

  it.each([
    ['a co-host who manages the event', true, 'Attribution breakfast'],
    ['a member who doesn’t manage the event', false, 'You don’t manage this event'],
  ])('shows the right heading to %s: “%s”', async (_, mayManage, heading) => {
    openPage(anEvent({ mayManage }), '', aUser());
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(heading);
  });

  it('hides Edit and Save settings for a cancelled event', async () => {
    openPage(anEvent({ status: 'cancelled', registrationState: 'cancelled' }), '/settings');
    await screen.findByText('This event was cancelled, so its settings can’t be changed.');
    expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Save settings' })).toBeNull();
  });
});

describe('The Images section of an event', () => {
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
    return open(Pictures, anEvent({ gallery }), {
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
  const findField = (at: number) =>
    screen.findByRole<HTMLInputElement>('textbox', { name: `Description of image ${at}` });

  const past = { startDate: '2024-05-01T17:00:00.000Z', endDate: '2024-05-01T19:00:00.000Z' };
  it.each<[string, Partial<EventPage>, isShown: boolean]>([
    ['is over', { ...past, registrationState: 'ended' }, true],
    ['is cancelled', { status: 'cancelled', registrationState: 'cancelled' }, true],
    ['has images', { gallery: all }, true],
    ['is upcoming and has no images', {}, false],
  ])('is shown only if useful: the event %s', async (_, given, isShown) => {
    open(Overview, anEvent(given));
    await screen.findByRole('heading', { level: 2, name: 'Next steps' });
    expect(screen.queryByRole('heading', { level: 2, name: 'Images' }) !== null).toBe(isShown);
  });

  it('saves only a changed image description, and rejects an empty one', async () => {
    const { requests } = opened();
    await press('Move image 2 down');
    expect(words()).toEqual(['one', 'three', 'two']);
    await press('Move image 3 up');
    expect((await findButton('Save images')).getAttribute('aria-disabled')).toBe('true');
    replace(await findField(1), '');
    screen.getByRole('button', { name: 'Help: Images' });
    await press('Save images');
    await screen.findByText('Describe this image.');
    expect(requests.bodies()).toEqual([]);
    replace(await findField(1), ' one at noon ');
    await press('Save images');
    const reworded = { id: one!.id, alt: 'one at noon', was: 'one' };
    await waitFor(() => expect(requests.bodies()).toEqual([{ pictures: [reworded] }]));
  });

  it('reorders images by keyboard and saves the new order', async () => {
    const { requests } = opened();
    const user = userEvent.setup();
    (await findButton('Move image 3 up')).focus();
    await user.keyboard('{Enter}');
    expect(words()).toEqual(['one', 'three', 'two']);
    expect(document.activeElement).toBe(await findButton('Move image 2 up'));
    await user.keyboard('{Enter}');
    expect(words()).toEqual(['three', 'one', 'two']);
    expect(document.activeElement).toBe(await findButton('Move image 1 down'));
    expect((await findButton('Move image 1 up')).hasAttribute('disabled')).toBe(true);
    expect((await findButton('Move image 3 down')).hasAttribute('disabled')).toBe(true);
    await press('Save images');
    await waitFor(() => expect(requests.bodies()).toEqual([{ pictures: ids(three, one, two) }]));
  });

  it('keeps your description after a conflict and shows the other person’s text', async () => {
    const { requests, toasts } = opened((present) => refusal(409, 'EDIT_CONFLICT', 'Changed', { present }));
    replace(await findField(1), 'one by me');
    replace(await findField(3), 'three by me');
    await press('Save images');
    await screen.findByText(/Someone else changed this to “theirs”/);
    expect(words()).toEqual(['one by me', 'two']);
    expect(document.activeElement).toBe(await findField(1));
    screen.getByText(/An image was removed. You had described it as “three by me”/);
    replace(await findField(1), 'one by me and them');
    await press('Save images');
    await waitFor(() => expect(toasts).toMatchObject([{ kind: 'success' }]));
    const [first, third] = [
      { id: one!.id, alt: 'one by me', was: 'one' },
      { id: three!.id, alt: 'three by me', was: 'three' },
    ];
    const merged = { id: one!.id, alt: 'one by me and them', was: 'theirs' };
    expect(requests.bodies()).toEqual([{ pictures: [first, third] }, { pictures: [merged] }]);
    expect(screen.queryByText(/An image was removed/)).toBeNull();
    expect((await findButton('Save images')).getAttribute('aria-disabled')).toBe('true');
  });

  it('adopts another person’s order and shows their text before saving', async () => {
    let gallery = all;
    const { requests } = open(Pictures, anEvent({ gallery }), {
      [`GET ${PATH}`]: () => ({ body: anEvent({ gallery }) }),
      [`PUT ${PATH}/gallery`]: () => ({ body: anEvent({ gallery }) }),
      [`DELETE ${PATH}/gallery/${three!.id}`]: () => {
        gallery = [two!, { ...one!, alt: 'theirs' }];
        return { status: 204 };
      },
    });
    replace(await findField(1), 'one by me');
    replace(await findField(3), 'three by me');
    // the second move restores the order, so only the texts have changed
    await press('Move image 1 down');
    await press('Move image 2 up');
    await press('Remove image 3');
    await press('Remove');
    await waitFor(() => expect(words()).toEqual(['two', 'one by me']));
    expect(screen.queryByText(/An image was removed/)).toBeNull();
    await press('Save images');
    await screen.findByText(/Someone else changed this to “theirs”/);
    const saved = () => requests.bodies(`PUT ${PATH}/gallery`);
    expect(saved()).toEqual([]);
    await press('Save images');
    const reworded = { id: one!.id, alt: 'one by me', was: 'theirs' };
    await waitFor(() => expect(saved()).toEqual([{ pictures: [reworded] }]));
  });

  it('drops a moved image that someone removed, and shows its unsaved description', async () => {
    const { requests, toasts } = opened(() =>
      refusal(400, 'VALIDATION_FAILED', 'No', { fields: { 'pictures[2].id': ['is no picture'] } }),
    );
    replace(await findField(2), 'two by me');
    replace(await findField(3), 'three by me');
    await press('Move image 3 up');
    await press('Save images');
    await screen.findByText(/You had described it as “three by me”/);
    expect(toasts).toMatchObject([{ kind: 'error', description: 'Changed while you were editing' }]);
    expect(words()).toEqual(['theirs', 'two by me']);
    await press('Save images');
    const reworded = { id: two!.id, alt: 'two by me', was: 'two' };
    await waitFor(() => expect(requests.bodies()[1]).toEqual({ pictures: [reworded] }));
  });

  it('ignores typing while saving, and shows other people’s changes afterwards', async () => {
    const later = { ...one!, alt: 'theirs, later' };
    let isSaved = false;
    let answer = () => {};
    open(Pictures, anEvent({ gallery: all }), {
      [`GET ${PATH}`]: () => ({ body: anEvent({ gallery: isSaved ? [later] : all }) }),
      [`PUT ${PATH}/gallery`]: async () => {
        await new Promise<void>((resolve) => (answer = resolve));
        isSaved = true;
        return { body: anEvent({ gallery: [{ ...one!, alt: 'mine' }] }) };
      },
    });
    const field = await findField(1);
    replace(field, 'mine');
    await press('Save images');
    await enterText(field, ' and lost');
    expect(words()).toEqual(['mine', 'two', 'three']);
    answer();
    await waitFor(() => expect(words()).toEqual(['theirs, later']));
    expect((await findButton('Save images')).getAttribute('aria-disabled')).toBe('true');
  });
});

describe('The Copy link button', () => {
  const address = `${window.location.origin}/events/${anEvent().id}`;

  it('copies the whole link and shows a success message', async () => {
    userEvent.setup();
    const { toasts } = renderScreen(<Address event={anEvent()} state="open" />, { user });
    await press('Copy link');
    await waitFor(() => expect(toasts).toMatchObject([{ kind: 'success', title: 'Link copied' }]));
    expect(await navigator.clipboard.readText()).toBe(address);
  });

  it('asks the user to select the link when the browser refuses to copy it', async () => {
    userEvent.setup();
    const { toasts } = renderScreen(<Address event={anEvent()} state="open" />, { user });
    jest
      .spyOn(navigator.clipboard, 'writeText')
      .mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
    await press('Copy link');
    const title = 'The link couldn’t be copied. Select it in the field and copy it.';
    await waitFor(() => expect(toasts).toMatchObject([{ kind: 'error', title }]));
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Link' });
    await userEvent.click(field);
    expect(field.value.slice(field.selectionStart!, field.selectionEnd!)).toBe(address);
  });
});

describe('The short link of an event', () => {
  const named = anEvent({ slug: 'seo-breakfast', version: 3 });
  const change = async (answer: () => ReturnType<typeof refusal>) => {
    const opened = open(AddressForm, named, { [`PUT ${PATH}/slug`]: answer });
    const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Short link' });
    const save = screen.getByRole('button', { name: 'Change link' });
    expect(save.getAttribute('aria-disabled')).toBe('true');
    replace(field, 'Bacon & Eggs');
    screen.getByText(`${window.location.origin}/e/bacon-&-eggs`);
    await userEvent.click(save);
    return { ...opened, field };
  };

  it('is shown as a full URL before saving, and as saved afterwards', async () => {
    const { requests, toasts, field } = await change(() => ({ body: { ...named, slug: 'bacon-eggs' } }));
    await waitFor(() => expect(toasts).toMatchObject([{ kind: 'success', title: 'Link changed' }]));
    expect(requests.bodies()).toEqual([{ slug: 'bacon-&-eggs' }]);
    expect(field.value).toBe('bacon-eggs');
  });

  const invalid = { fields: { slug: ['slug must be'] }, rules: { slug: { rule: 'isEventSlug' } } };
  it.each([
    ['is taken', refusal(409, 'SLUG_TAKEN', 'Another event uses this link'), 'Another event uses'],
    ['is invalid', refusal(400, 'VALIDATION_FAILED', 'No', invalid), '3 to 80 characters from a–z'],
  ])('shows an error at the field when the short link %s', async (_, answer, words) => {
    const { field } = await change(() => answer);
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect((await screen.findByRole('alert')).textContent).toContain(words);
    expect(field.value).toBe('bacon-&-eggs');
  });

  it('has no field in the settings of a draft', async () => {
    open(Settings, anEvent({ status: 'draft' }));
    await screen.findByRole('button', { name: 'Save settings' });
    expect(screen.queryByRole('textbox', { name: 'Short link' })).toBeNull();
  });

  it('appears in the file name of the QR code', async () => {
    const saved = collectClickedLinks();
    const made = jest.spyOn(URL, 'createObjectURL');
    renderScreen(<Address event={named} state="open" />, { user });
    await press('QR code (SVG)');
    expect(saved.map(({ download }) => download)).toEqual(['seo-breakfast.svg']);
    expect(made.mock.calls).toMatchObject([[{ type: 'image/svg+xml' }]]);
  });
});

describe('The next steps of an event', () => {
  const { content } = anEvent();
  const hybrid = { format: 'hybrid', content: { ...content, hasOnlineUrl: true } } as const;
  const unconfirmed = { ...content, hosts: [{ ...aUser(), agreed: false }] as never };

  it.each<[string, Partial<EventPage>, RegistrationState, hasDoor: boolean, string[]]>([
    ['with all details', {}, 'open', true, []],
    ['as a draft', { status: 'draft' }, 'open', false, ['Publish the event']],
    ['without a description', { description: ' ' }, 'open', true, ['Describe the event']],
    ['without a location', { location: null }, 'open', true, ['Add the location']],
    ['online without a link', { format: 'online', location: null }, 'open', false, ['Add the joining link']],
    ['with an unconfirmed host', { content: unconfirmed }, 'open', true, ['Confirm the hosts']],
    ['with someone on the waiting list', { waitingCount: 1 }, 'open', true, ['Check the waiting list']],
    ['without a door link', {}, 'open', false, ['Prepare check-in']],
    ['hybrid without a door link', hybrid, 'open', false, ['Prepare check-in']],
    ['that is running', { location: null }, 'started', true, ['Check guests in']],
    ['that is over', { location: null }, 'ended', true, ['Add slides or a recap']],
    ['that is cancelled', { status: 'cancelled', location: null }, 'cancelled', true, []],
    ['that is online and running', { format: 'online' }, 'started', true, []],
  ])('match the event: %s', (_, given, state, hasDoor, expected) => {
    const event = anEvent({ description: 'Words', location: 'Leeds', ...given });
    expect(stepsFor(event, state, hasDoor).map(({ title }) => title)).toEqual(expected);
  });
});

describe('The overview of an event', () => {
  const HOUR = 3_600_000;
  const CLOSED = /places left|can register|First come/;

  it.each<[RegistrationState, startsIn: number, checkedIn: number, shown: string[], hidden: RegExp]>([
    ['open', 24, 0, ['24 places left', 'this link can register.', 'Prepare check-in'], /Came/],
    ['started', -1, 12, ['is closed', 'Came12 of 36', 'Checked in so far', 'Check guests in'], CLOSED],
    ['ended', -26, 31, ['Came31 of 36', 'The event is over', 'Didn’t get a place', 'still shows'], CLOSED],
    ['ended', -26, 0, ['Came– of 36', 'we don’t know who came'], CLOSED],
  ])('shows figures of an event in state %s that starts in %i h, with %i checked in', async (...given) => {
    const [registrationState, startsIn, checkedIn, shown, hidden] = given;
    const event = anEvent({
      ...{ capacity: 60, registrationCount: 36, waitingCount: 2, waitlistEnabled: true, registrationState },
      startDate: new Date(Date.now() + startsIn * HOUR).toISOString(),
      endDate: new Date(Date.now() + (startsIn + 2) * HOUR).toISOString(),
    });
    open(Overview, event, {
      [`GET /api${WORKSPACE}/door`]: () => ({ body: aDoor({ counts: { registered: 36, checkedIn } }) }),
    });
    await screen.findByText('13 registrations');
    await waitFor(() => {
      for (const words of shown) expect(document.body.textContent).toContain(words);
    });
    expect(document.body.textContent).not.toMatch(hidden);
  });

  it('counts the answers to each question', async () => {
    const counts = Object.entries({ Search: 1, Social: 2 }).map(([answer, count]) => ({ answer, count }));
    const diet = { questionId: DIET, answered: 2, counts: [] };
    const summaries = [diet, { questionId: TRACK, answered: 3, counts }];
    open(Overview, anAskingEvent(), { [`GET /api${WORKSPACE}/answers`]: () => ({ body: summaries }) });
    const answers = await findRegion('Answers');
    await answers.findByText('2 answers');
    const shown = getTexts(answers.getAllByRole('definition'));
    expect(shown).toEqual(['2 answers', 'Search 1', 'Social 2']);
  });

  it('says that answers are no longer stored after the event', async () => {
    const ended = { registrationState: 'ended' as const, endDate: '2026-01-01T12:00:00.000Z' };
    const summaries = [{ questionId: DIET, answered: 0, counts: [] }];
    open(Overview, anAskingEvent(ended), { [`GET /api${WORKSPACE}/answers`]: () => ({ body: summaries }) });
    await screen.findByText('No answers are stored.');
  });
});

describe('The Settings section of an event', () => {
  it('sends only changed settings, with the loaded version', async () => {
    const { requests, toasts } = open(Settings, anEvent({ version: 4 }), {
      [`PUT ${PATH}`]: () => ({ body: anEvent({ version: 5, visibility: 'unlisted' }) }),
    });
    await userEvent.click(await screen.findByRole('radio', { name: 'Unlisted' }));
    await press('Save settings');
    await findToast(toasts, 'Event updated successfully');
    expect(requests.bodies()).toEqual([{ visibility: 'unlisted', version: 4 }]);
  });

  it('asks what happens to waiting people before it turns off the waiting list', async () => {
    const event = anEvent({ capacity: 1, waitingCount: 2, waitlistEnabled: true });
    const { requests } = open(Settings, event, {
      [`PUT ${PATH}`]: () => ({ body: anEvent({ version: 2, waitlistEnabled: false }) }),
    });
    await userEvent.click(await screen.findByRole('switch', { name: 'Waiting list' }));
    await press('Save settings');
    await screen.findByText('Choose what happens to people on the waiting list');
    expect(requests.bodies()).toEqual([]);
    await userEvent.click(screen.getByRole('radio', { name: 'They get a place' }));
    await press('Save settings');
    const settings = { waitlistEnabled: false, waitlistOff: 'promote', version: 1 };
    await waitFor(() => expect(requests.bodies()).toEqual([settings]));
  });

  it('keeps your choice when another administrator saves first', async () => {
    const theirs = anEvent({ version: 9, registrationOpensAt: '2030-01-01T10:00:00.000Z' });
    open(Settings, anEvent(), {
      [`PUT ${PATH}`]: () => refusal(409, 'EDIT_CONFLICT', 'Changed', { edits: [], present: theirs }),
    });
    await userEvent.click(await screen.findByRole('radio', { name: 'Unlisted' }));
    await press('Save settings');
    await findButton('Save my changes');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Unlisted' }).checked).toBe(true);
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
  const made = link('1', { token: TOKEN });
  const open = (door: DoorOfEvent, calls: Handlers = {}, event: Partial<EventPage> = {}) => {
    const shown = { now: door };
    const requests = fakeApi({
      [`GET ${PATH}/door`]: () => ({ body: shown.now }),
      [`POST ${PATH}/door-links`]: () => ({ status: 201, body: made }),
      ...calls,
    });
    const rendered = renderScreen(<Door event={anEvent(event)} />, { user });
    return { shown, requests, ...rendered };
  };

  it('shows the number of checked-in guests, and hides a new link after Done', async () => {
    const { shown } = open(aDoor({ counts: { registered: 60, checkedIn: 41 } }));
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

  it('ends a link after confirmation and hides its URL', async () => {
    const { shown, requests, toasts } = open(aDoor(), {
      [`DELETE ${PATH}/door-links/1`]: () => ({ status: 204 }),
    });
    shown.now = aDoor({ links: [link('1')] });
    await press('Make a door link');
    await press(/^End the link made/);
    expect(requests.sent(`DELETE ${PATH}/door-links/1`)).toEqual([]);
    shown.now = aDoor({ links: [link('1', { revokedAt: '2030-05-01T18:00:00.000Z' })] });
    await press('End the door link');
    await waitFor(() => expect(toasts.at(-1)?.title).toBe('The link was ended'));
    await screen.findByText(/ · Ended /);
    expect(screen.queryByDisplayValue(new RegExp(TOKEN))).toBeNull();
    expect(screen.queryByRole('button', { name: /^End the link made/ })).toBeNull();
  });

  it('lists door links with their makers, and rejected check-ins with reasons', async () => {
    const at = '2030-05-01T18:00:00.000Z';
    const late = { linkId: '1', walkIn: false, email: null, at, receivedAt: '2030-05-01T18:30:00.000Z' };
    const links = [
      link('1', { expiresAt: '2020-01-01T00:00:00.000Z' }),
      link('2'),
      link('3', { works: false }),
      link('4', { works: false, madeBy: null }),
    ];
    const refusals: DoorOfEvent['refusals'] = [
      { ...late, name: 'Ben Brown', reason: 'revoked' },
      { ...late, name: null, reason: 'expired' },
      { ...late, name: 'Wanda', walkIn: true, email: 'wanda@example.org', reason: 'revoked' },
    ];
    open(aDoor({ links, refusals }));
    const list = await findRegion('Not accepted');
    expect(getTexts(list.getAllByRole('listitem'))).toEqual([
      expect.stringMatching(/^Ben BrownScanned May 1, 2030, 7:00\sPM.* · The link was ended$/),
      expect.stringMatching(/^An unknown codeScanned .* · The link had expired$/),
      expect.stringMatching(/^WandaWalk-in .* · wanda@example\.org · The link was ended$/),
    ]);
    for (const words of [
      / · Expired /,
      /^Made by Ada Lovelace · Valid until/,
      /^Made by Ada Lovelace · This link doesn’t work, because the person who made it/,
      /^Made by a deleted account · This link doesn’t work/,
    ])
      screen.getByText(words);
  });

  it.each([
    ['and short link', 'seo-breakfast', ['localhost/e/seo-breakfast']],
    ['but no short link', null, []],
  ])('has a printable poster with the venue’s QR code %s', async (_, slug, addresses) => {
    open(aDoor(), {}, { slug });
    await screen.findByRole('button', { name: 'Print the poster' });
    const poster = within(document.querySelector<HTMLElement>('body > div:last-child')!);
    poster.getByText('Scan to check in');
    poster.getByText(anEvent().title);
    expect(getTexts(poster.queryAllByText(/localhost/))).toEqual(addresses);
    const [shown, printed] = screen.getAllByRole('img', { name: 'QR code for checking in at the venue' });
    const getModules = (code?: HTMLElement) => code?.querySelector('path')?.getAttribute('d');
    expect(getModules(printed)).toBe(getModules(shown));
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
  const PAID = '2030-05-01T18:00:00.000Z';
  const aGuest = (given: Partial<Guest> = {}): Guest => ({
    ...{ id: 'grace', name: 'Grace Hopper', email: 'grace@example.org', userId: null, unconfirmed: false },
    ...{ profileImageUrl: null, state: 'registered', registeredAt: '2030-04-01T10:00:00.000Z', note: null },
    ...{ paidAt: null, checkedInAt: null, checkedInBy: null, noShow: false, answers: {} },
    ...given,
  });
  const open = (guests: Guest[], calls: Handlers = {}, given = {}) => {
    const requests = fakeApi({
      [`GET ${PATH}`]: () => ({ body: guests, headers: { 'X-Total-Count': String(guests.length) } }),
      ...calls,
    });
    const event = anEvent({ price: '15', ...given });
    return { requests, ...renderScreen(<Guests event={event} />, { user }) };
  };
  /** Finds a dialog by its title, because antd's dialogs share an ID in tests. */
  const findDialogCalled = (title: string) =>
    waitFor(() => {
      const found = screen.getAllByText(title).map((words) => words.closest<HTMLElement>('[role=dialog]'));
      const dialog = found.find((parent) => parent !== null);
      if (!dialog) throw new Error(`no dialog is called ${title}`);
      return within(dialog);
    });
  const openGuest = async () => {
    await press('Grace Hopper');
    return findDialogCalled('Grace Hopper');
  };

  describe('The guest list', () => {
    it('shows the status, payment and note of each guest', async () => {
      open([
        aGuest(),
        aGuest({ id: '2', name: 'Ada', email: null, checkedInAt: '2030-05-01T18:07:00.000Z', paidAt: PAID }),
        aGuest({ id: '3', name: 'Alan', state: 'waitlisted' }),
        aGuest({ id: '4', name: 'Linus', noShow: true, note: 'A friend of the speaker' }),
      ]);
      await screen.findByText('Grace Hopper');
      const words = getTexts(screen.getAllByRole('row').slice(1));
      expect(words[1]).toMatch(/No email.*Came at 7:07\sPM.*Paid/);
      expect(words[2]).toContain('Waiting');
      expect(words[3]).toMatch(/Did not come.*A friend of the speaker/);
    });

    it('exports selected guests and clears the selection', async () => {
      const saved = collectClickedLinks();
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
      await waitFor(() => expect(saved).toHaveLength(1));
      expect(saved[0]?.download).toMatch(/^guests-\d{4}-\d\d-\d\d\.csv$/);
      expect(requests.changes()).toEqual([['POST', `${PATH}.csv`, { ids: ['ada', 'grace'] }]]);
      await press('Clear');
      expect(screen.queryByRole('region', { name: 'Selected: Guests' })).toBeNull();
    });

    it('shows the answers of a guest who cancelled, and offers no check-in', async () => {
      const guest = aGuest({ state: 'cancelled', answers: { [DIET]: 'Nuts', [FIRST]: true } });
      open([guest], {}, anAskingEvent());
      const drawer = await openGuest();
      const facts = getTexts(drawer.getAllByRole('definition'));
      expect(facts.slice(-2)).toEqual(['Nuts', 'Yes']);
      expect(drawer.queryByText('Which track?')).toBeNull();
      expect(drawer.queryByRole('switch', { name: 'Checked in' })).toBeNull();
    });

    it('says that a check-in is not recorded, instead of not yet, after the event', async () => {
      const ended = { registrationState: 'ended' as const, endDate: '2026-01-01T12:00:00.000Z' };
      open([aGuest()], {}, ended);
      (await openGuest()).getByText('Not recorded');
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
      const question = await findDialogCalled('Remove from the guest list');
      question.getByText(/^Remove 2 people\?/);
      await press('Remove', question);
      await findToast(toasts, '2 people were removed from the guest list');
      expect(requests.bodies()).toEqual([{ ids: ['grace', 'ada'], reason: null }]);
      expect(screen.queryByRole('region', { name: 'Selected: Guests' })).toBeNull();
    });

    it('distinguishes an empty list from a search without results', async () => {
      const { requests } = open([], {}, { status: 'draft' });
      await screen.findByText('Nobody has registered yet');
      expect(screen.queryByRole('button', { name: 'Add guest' })).toBeNull();
      replace(screen.getByRole('searchbox'), 'x');
      await screen.findByText('No matching guests');
      expect(Object.fromEntries(requests.at(-1)!.query)).toEqual({ q: 'x', limit: '20' });
    });
  });

  describe('Adding a guest', () => {
    const openForm = async () => {
      await press('Add guest');
      return findDialogCalled('Add a guest');
    };
    type Form = Awaited<ReturnType<typeof openForm>>;
    const add = (form: Form, name: string, email: string) => {
      fillFields({ Name: name, Email: email }, form);
      return press('Add guest', form);
    };

    it('asks before it adds a place to a full event', async () => {
      const full = refusal(409, 'EVENT_FULL', 'This event is full', { waiting: 4 });
      const answers = [full, { status: 201, body: aGuest() }];
      const { requests, toasts } = open([], { [`POST ${PATH}`]: () => answers.shift()! });
      await add(await openForm(), 'Grace Hopper', '');
      const question = await findDialogCalled('No places left');
      question.getByText(/4 other people stay on the waiting list/);
      await press('Add a place', question);
      await findToast(toasts, 'Grace Hopper is now registered');
      const guest = { name: 'Grace Hopper', email: null };
      expect(requests.bodies()).toEqual([guest, { ...guest, raiseCapacity: true }]);
    });

    it('requires a name and a valid email address that is not on the list', async () => {
      const { requests } = open([], {
        [`POST ${PATH}`]: () => refusal(409, 'GUEST_EXISTS', 'Somebody is on the list'),
      });
      const form = await openForm();
      await add(form, '', 'grace');
      form.getByText('Name is required');
      form.getByText('Invalid email address');
      expect(requests.changes()).toEqual([]);
      await add(form, 'Grace', 'grace@example.org');
      await form.findByText('Someone with this email address is already on the guest list');
    });
  });

  describe('The guest drawer', () => {
    it('removes the guest with a reason', async () => {
      const { requests, toasts } = open([aGuest()], { [`POST ${PATH}/remove`]: () => ({ status: 204 }) });
      await press('Remove', await openGuest());
      const question = await findDialogCalled('Remove from the guest list');
      fillFields({ 'Reason (optional)': 'Only 3 chairs' }, question);
      await press('Remove', question);
      await findToast(toasts, 'Grace Hopper is no longer on the guest list');
      expect(requests.bodies()).toEqual([{ ids: ['grace'], reason: 'Only 3 chairs' }]);
    });

    it('switches payment and check-in, and saves a note', async () => {
      let guest = aGuest();
      const { requests, toasts } = open([guest], {
        [`GET ${PATH}`]: () => ({ body: [guest], headers: { 'X-Total-Count': '1' } }),
        [`PATCH ${PATH}/grace`]: ({ body }) => {
          const { checkedIn } = body as { checkedIn?: boolean };
          guest = { ...guest, checkedInAt: checkedIn ? '2030-05-01T18:07:00.000Z' : null };
          return { body: guest };
        },
      });
      const drawer = await openGuest();
      const turn = async (name: string, isOn: boolean) =>
        userEvent.click(await drawer.findByRole('switch', { name, checked: !isOn }));
      await turn('Paid', true);
      await turn('Checked in', true);
      await drawer.findByText(/7:07\sPM/);
      await turn('Checked in', false);
      fillFields({ Note: 'Vegan' }, drawer);
      await press('Save note', drawer);
      await findToast(toasts, 'Note saved');
      const changes = [{ paid: true }, { checkedIn: true }, { checkedIn: false }, { note: 'Vegan' }];
      expect(requests.bodies()).toEqual(changes);
    });

    it('asks before a waiting guest gets a place at a full event', async () => {
      const waiting = aGuest({ state: 'waitlisted' });
      open([waiting], {
        [`POST ${PATH}/grace/place`]: () => refusal(409, 'EVENT_FULL', 'This event is full', { waiting: 2 }),
      });
      await press('Register: Grace Hopper');
      const question = await findDialogCalled('No places left');
      question.getByText(/One other person stays on the waiting list/);
    });
  });
});
