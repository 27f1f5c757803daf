import { emptyFields, type EventFieldName, type EventPage } from '@meetmark/contracts';
import { type ApiClient, createdEvent, eventFields } from '../support/api-client.js';
import { theAdministrator, visitor } from './support/people.js';

let administrator: ApiClient;
let existing: string;
beforeAll(async () => {
  administrator = await theAdministrator();
  ({ id: existing } = await createdEvent(administrator));
});

const letters = (length: number) => 'x'.repeat(length);
const lines = (length: number) => `a\n${letters(length - 2)}`;
const link = (length: number) => 'https://x.example/'.padEnd(length, 'x');
const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

type Elsewhere =
  | 'bannerImageUrl'
  | 'coverSquare'
  | 'coverWide'
  | 'hosts'
  | 'coHosts'
  | 'topics'
  | 'publishAt';
type Fields = Record<Exclude<EventFieldName, Elsewhere>, unknown>;

const NOBODY = { hosts: null, coHosts: null };
const AT = { startDate: '2031-05-01T17:00:00.000Z', endDate: '2031-05-01T19:00:00.000Z' };
const SEEN = { userId: null, profileImageUrl: null, agreed: true };
const SPEAKER = { name: letters(100), role: letters(150), bio: letters(1_000), linkUrl: link(1_000) };
const [startsAt, endsAt] = [AT.startDate, AT.endDate];
const item = (title: string, note: string | null) => ({ startsAt, endsAt, title, note });

const MOST: Fields = {
  ...{ title: letters(255), description: letters(10_000), descriptionFormat: 'plain' },
  ...{
    ...AT,
    isAllDay: true,
    timeZone: 'America/North_Dakota/New_Salem',
    location: letters(255),
    format: 'hybrid',
    visibility: 'unlisted',
  },
  ...{ price: '1000000.00', paymentNote: letters(300), capacity: 1_000_000, waitlistEnabled: false },
  ...{ registrationOpensAt: '2031-04-01T08:00:00.000Z', registrationClosesAt: AT.endDate },
  coverPattern: 8,
  venue: { name: letters(150), address: letters(255), note: lines(500), mapUrl: link(1_000) },
  ...{ onlineUrl: link(1_000), onlineNote: lines(500), accessibility: lines(500) },
  agenda: times(50, () => item(letters(150), lines(500))),
  speakers: times(30, () => ({ ...SPEAKER, ...SEEN })),
  resources: times(20, () => ({ title: letters(150), url: link(1_000) })),
  recap: letters(10_000),
  questions: times(10, (n) => ({
    id: `0197f000-0000-7000-8000-00000000000${n}`,
    ...{ kind: 'choice', label: letters(150), required: n % 2 === 0 },
    options: times(10, (option) => `${option}`.padEnd(100, 'x')),
  })),
};
const MOST_SPEAKERS = times(30, () => SPEAKER);
/** Values of the fields that may be null. */
const EMPTY = Object.fromEntries(
  Object.entries(emptyFields(() => true)).filter(
    ([name, empty]) => name in MOST && typeof empty === 'object',
  ),
);
const nullOf = (fields: object) => Object.fromEntries(Object.keys(fields).map((name) => [name, null]));

const shown = ({ content, ...event }: EventPage) => ({ ...content, ...event });

it.each([
  ['a new event', () => ['POST', '/api/events', 201] as const],
  ['a changed event', () => ['PUT', `/api/events/${existing}`, 200] as const],
])('%s stores and shows the longest values, and null values as empty', async (_what, call) => {
  const [method, path, status] = call();
  const page = async (client: ApiClient, id: string) =>
    shown((await client.get<EventPage>(`/api/events/${id}`)).body);
  const fields = { ...eventFields(), ...MOST, ...NOBODY, speakers: MOST_SPEAKERS };
  const { status: answered, body } = await administrator.send<EventPage>(method, path, fields);
  expect([answered, shown(body)]).toMatchObject([status, MOST]);
  expect(await page(administrator, body.id)).toMatchObject(MOST);
  // People without a registration don't see the joining link.
  const forAll = { ...MOST, hosts: [], onlineUrl: null, onlineNote: null };
  expect(await page(visitor(), body.id)).toMatchObject(forAll);

  await administrator.expect(200, 'PUT', `/api/events/${body.id}`, nullOf(EMPTY));
  expect(await page(visitor(), body.id)).toMatchObject(EMPTY);
});
