import type { Door as DoorOfEvent, EventPage } from '@meetmark/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { anEvent, aUser } from '../../../testing/samples';
import Door from './door';

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
