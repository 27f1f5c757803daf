import type { Event, EventContent, EventPage } from '@meetmark/contracts';
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
  ['descriptionFormat', 'plain', 'plain', 'plain'],
  ['descriptionFormat', 'Markdown', 'markdown', 'markdown'],
  ['paymentNote', '300 characters', letters(300), letters(300)],
  ['paymentNote', 'nothing', '', null],
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

const AT = { startDate: '2031-05-01T17:00:00.000Z', endDate: '2031-05-01T19:00:00.000Z' };
const at = (place: string) => ({ name: place, address: null, note: null, mapUrl: null });
const item = (title: string) => ({ ...{ startsAt: AT.startDate, endsAt: AT.endDate }, title, note: null });
const speaker = (name: string) => ({ name, role: letters(150), bio: letters(1_000), linkUrl: null });
const seen = { userId: null, profileImageUrl: null, agreed: true };
const many = <T>(count: number, each: T) => Array.from({ length: count }, () => each);
const option = (_: unknown, n: number) => `${n}`.padEnd(100, 'x');
const asked = (n: number) => ({
  id: `0197f000-0000-7000-8000-00000000000${n}`,
  ...{ kind: 'choice', label: letters(150), required: n % 2 === 0 },
  options: Array.from({ length: 10 }, option),
});
const link = (length: number) => 'https://x.example/'.padEnd(length, 'x');

/** The same of what an event is made of. */
const TAKEN_CONTENT: [field: keyof EventContent, what: string, value: unknown, stored?: unknown][] = [
  ['venue', 'a name of 150 characters alone', { name: letters(150) }, at(letters(150))],
  [
    'venue',
    'all of it',
    { name: 'x', address: letters(255), note: letters(500), mapUrl: 'http://map.example' },
  ],
  ['venue', 'spaces around', { name: ' x ', note: '' }, at('x')],
  ['onlineUrl', '1,000 characters', link(1_000)],
  ['onlineUrl', 'capitals', 'HTTPS://meet.example/1'],
  ['onlineNote', '500 characters in lines', `a\n${letters(498)}`],
  ['accessibility', '500 characters in lines', `a\n${letters(498)}`],
  ['agenda', '50 items', many(50, item(letters(150)))],
  ['agenda', 'an item with a note and no end', [{ ...item('x'), endsAt: null, note: letters(500) }]],
  ['agenda', 'another zone', [{ ...item('x'), startsAt: '2031-05-01T19:00:00+02:00' }], [item('x')]],
  [
    'speakers',
    '30 of them',
    many(30, speaker(letters(100))),
    many(30, { ...speaker(letters(100)), ...seen }),
  ],
  ['resources', '20 of them', many(20, { title: letters(150), url: link(1_000) })],
  ['recap', '10,000 characters', letters(10_000)],
  ['questions', '10 of them, as long as they may be', Array.from({ length: 10 }, (_, n) => asked(n))],
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

  it.each(TAKEN_CONTENT)('takes %s: %s', async (field, _what, value, stored = value) => {
    const [method, path, status] = call();
    const given = { ...eventFields(), ...AT, [field]: value };
    const answer = await administrator.send<EventPage>(method, path, given);
    expect([answer.status, answer.body.content[field]]).toEqual([status, stored]);
    const { body } = await administrator.get<EventPage>(`/api/events/${answer.body.id}`);
    expect(body.content[field]).toEqual(stored);
  });
});
