import { pngOf, withPicture } from '@meetmark/testing/factories/pictures';
import type { ErrorBody, Event, User } from '@meetmark/contracts';
import { type ApiClient, createdEvent, eventFields } from '../support/api-client.js';
import { aMember, theAdministrator, visitor } from './support/people.js';

let administrator: ApiClient;
let existing: Event;
beforeAll(async () => {
  administrator = await theAdministrator();
  existing = await createdEvent(administrator);
}, 60_000);

const letters = (length: number) => 'x'.repeat(length);

/** What a field may be, and what is then stored. */
const TAKEN: [field: keyof Event, what: string, value: unknown, stored: unknown][] = [
  ['title', '1 character', 'x', 'x'],
  ['title', '255 characters', letters(255), letters(255)],
  ['title', '255 four-byte characters', '🎉'.repeat(127), '🎉'.repeat(127)],
  ['title', 'spaces around', '  Meetup ', 'Meetup'],
  ['location', '255 characters', letters(255), letters(255)],
  ['location', 'nothing', '', null],
  ['description', '10,000 characters', letters(10_000), letters(10_000)],
  ['description', 'line breaks', 'one\ntwo\r\n\tthree', 'one\ntwo\r\n\tthree'],
  ['description', 'nothing', '', null],
  ['format', 'in person', 'in_person', 'in_person'],
  ['format', 'online', 'online', 'online'],
  ['format', 'hybrid', 'hybrid', 'hybrid'],
  ['capacity', '1', 1, 1],
  ['capacity', 'a million', 1_000_000, 1_000_000],
  ['capacity', 'null', null, null],
  ['price', '0', '0', null],
  ['price', '0.00', '0.00', null],
  ['price', 'the number 0', 0, null],
  ['price', 'nothing', '', null],
  ['price', 'null', null, null],
  ['price', '0.01', '0.01', '0.01'],
  ['price', 'the number 12.5', 12.5, '12.50'],
  ['price', 'a million', '1000000', '1000000.00'],
];

describe.each([
  ['a new event', () => ['POST', '/api/events', 201] as const],
  ['an event that is changed', () => ['PUT', `/api/events/${existing.id}`, 200] as const],
])('%s', (_, call) => {
  it.each(TAKEN)('takes %s: %s', async (field, _what, value, stored) => {
    const [method, path, status] = call();
    const answer = await administrator.send<Event>(method, path, { ...eventFields(), [field]: value });
    expect([answer.status, answer.body[field]]).toEqual([status, stored]);
    const { body } = await visitor().get<Event>(`/api/events/${answer.body.id}`);
    expect(body[field]).toEqual(stored);
  });

  it.each([
    ['the start', 0, 400],
    ['a millisecond before the start', -1, 400],
    ['a millisecond after the start', 1, 'taken'],
  ])('with its end at %s', async (_what, offset, outcome) => {
    const [method, path, status] = call();
    const { startDate } = eventFields();
    const endDate = new Date(Date.parse(startDate) + Number(offset)).toISOString();
    const answer = await administrator.send<ErrorBody>(method, path, eventFields({ startDate, endDate }));
    expect(answer.status).toBe(outcome === 'taken' ? status : outcome);
    if (outcome === 400)
      expect(answer.body.message).toBe('End date and time must be after start date and time');
  });
});

describe('a change that names one field', () => {
  it('keeps every other one of an event, the banner included', async () => {
    const full = await createdEvent(administrator, {
      description: 'Bring a laptop',
      location: 'Town hall',
      format: 'hybrid',
      price: '10',
      capacity: 50,
      bannerImageUrl: withPicture(pngOf(10, 10)),
    });
    const answer = await administrator.put<Event>(`/api/events/${full.id}`, { title: 'Renamed' });
    expect([answer.status, answer.body]).toEqual([
      200,
      { ...full, title: 'Renamed', updatedAt: expect.any(String), version: 2 },
    ]);
    const other = await createdEvent(administrator);
    const taken = { bannerImageUrl: full.bannerImageUrl };
    expect((await administrator.put(`/api/events/${other.id}`, taken)).status).toBe(400);
  });

  it('keeps every other one of a profile and of an account', async () => {
    const { client, user } = await aMember();
    const full = { description: 'Analyst', linkedInUrl: 'https://linkedin.com/in/ada' };
    const picture = { profileImageUrl: withPicture(pngOf(10, 10)) };
    const { body: before } = await client.put<User>('/api/user/profile', { ...full, ...picture });
    const { body: renamed } = await client.put<User>('/api/user/profile', { firstName: 'Augusta' });
    expect(renamed).toEqual({
      ...before,
      firstName: 'Augusta',
      updatedAt: expect.any(String),
      version: before.version + 1,
    });
    const { body: again } = await administrator.put<User>(`/api/admin/users/${user.id}`, {
      lastName: 'King',
    });
    expect(again).toEqual({
      ...renamed,
      lastName: 'King',
      updatedAt: expect.any(String),
      version: renamed.version + 1,
    });
  });
});
