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

const REFUSED: [field: keyof Event, what: string, value: unknown][] = [
  ['title', 'nothing', ''],
  ['title', 'spaces alone', '   '],
  ['title', 'null', null],
  ['title', '256 characters', letters(256)],
  ['title', 'a line break', 'one\ntwo'],
  ['location', '256 characters', letters(256)],
  ['description', '10,001 characters', letters(10_001)],
  ['format', 'another word', 'remote'],
  ['format', 'capitals', 'Online'],
  ['format', 'two', ['online', 'hybrid']],
  ['capacity', '0', 0],
  ['capacity', '-1', -1],
  ['capacity', '1.5', 1.5],
  ['capacity', 'more than a million', 1_000_001],
  ['capacity', 'more than a database holds', 2 ** 31],
  ['capacity', 'text', 'many'],
  ['price', '-1', '-1'],
  ['price', 'the number -0.01', -0.01],
  ['price', 'three decimals', '1.005'],
  ['price', 'three decimals as a number', 1.005],
  ['price', 'more than a million', '1000000.01'],
  ['price', '51 characters', '1'.repeat(51)],
  ['price', 'an exponent', '1e3'],
  ['price', 'text', 'free'],
  ['startDate', 'nothing', ''],
  ['startDate', 'a day alone', '2031-05-01'],
  ['startDate', 'no zone', '2031-05-01T17:00:00'],
  ['startDate', 'the 30th of February', '2031-02-30T10:00:00Z'],
  ['startDate', 'infinity', 'infinity'],
  ['endDate', 'a number', 1_900_000_000_000],
  ['endDate', 'null', null],
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

  it.each(REFUSED)('refuses %s: %s', async (field, _what, value) => {
    const [method, path] = call();
    const answer = await administrator.send<ErrorBody>(method, path, { ...eventFields(), [field]: value });
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(Object.keys(answer.body.details?.fields ?? {})).toEqual([field]);
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

describe('a list', () => {
  it.each([
    ['limit=1', 200],
    ['limit=100', 200],
    ['limit=0', 400],
    ['limit=101', 400],
    ['limit=-1', 400],
    ['limit=1.5', 400],
    ['limit=ten', 400],
    ['limit=1&limit=2', 400],
    [`q=${letters(200)}`, 200],
    [`q=${letters(201)}`, 400],
    ['price=cheap', 400],
    ['format=hybrid', 200],
    ['format=remote', 400],
    ['format=online&format=hybrid', 400],
    ['time=later', 400],
    ['sort=title', 400],
    ['unknown=1', 400],
    ['from=yesterday', 400],
  ])('asked for by ?%s', async (query, status) => {
    for (const [client, path] of [
      [visitor(), '/api/events/public'],
      [administrator, '/api/events'],
    ] as const)
      expect((await client.get(`${path}?${query}`)).status).toBe(status);
  });
});
