import type { Event } from '@meetmark/contracts';
import { type ApiClient, createdEvent, eventFields } from '../support/api-client.js';
import { theAdministrator, visitor } from './support/people.js';

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
});
