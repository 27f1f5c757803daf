import type {
  Event,
  EventContentFields,
  EventPage,
  ListedEventFields,
  Registration,
  User,
} from '@meetmark/contracts';
import { EMPTY_CONTENT, emptyFields } from '@meetmark/contracts/events/event-fields';

// Sample values of the API, for tests without a database and tests of the browser's code.

const HOUR = 3_600_000;
const TWO_WEEKS = 14 * 24 * HOUR;
const THEN = '2026-01-15T12:00:00.000Z';
const newId = () => crypto.randomUUID();

/** Returns a person with an email address that no other test uses. */
export function newcomer(firstName = 'Nora', lastName = 'Newcomer') {
  const email = `${firstName}.${newId()}@example.org`.toLowerCase();
  return { firstName, lastName, email, password: 'correct horse' };
}

export const aUser = (given: Partial<User> = {}): User => ({
  id: '0190a000-0000-7000-8000-000000000001',
  email: 'ada@example.org',
  firstName: 'Ada',
  lastName: 'Lovelace',
  profileImageUrl: null,
  description: null,
  linkedInUrl: null,
  role: given.isAdmin ? 'owner' : 'member',
  isAdmin: given.role === 'owner',
  hasSecondFactor: false,
  emailVerifiedAt: THEN,
  pendingEmail: null,
  hasPassword: true,
  showMe: 'name',
  locale: null,
  createdAt: THEN,
  updatedAt: THEN,
  version: 1,
  ...given,
});

/** Returns a valid body of POST /api/events. By default, the event starts in two weeks. */
export function eventFields(
  overrides: Omit<Partial<Event>, 'topics'> &
    Partial<EventContentFields> & { startsIn?: number; announce?: boolean } = {},
) {
  const { startsIn = TWO_WEEKS, ...fields } = overrides;
  const start = Date.now() + startsIn;
  return {
    title: `Story ${newId()}`,
    description: null,
    startDate: new Date(start).toISOString(),
    endDate: new Date(start + 2 * HOUR).toISOString(),
    location: 'Leeds',
    bannerImageUrl: null,
    price: null,
    capacity: null,
    ...fields,
  };
}

export const anEvent = (given: Partial<Event> = {}): Event => ({
  ...(emptyFields(({ on }) => on === 'lists') as unknown as ListedEventFields),
  ...eventFields({ title: 'Attribution breakfast' }),
  startDate: '2030-05-01T09:00:00.000Z',
  endDate: '2030-05-01T11:00:00.000Z',
  id: newId(),
  slug: null,
  createdById: newId(),
  createdAt: THEN,
  updatedAt: THEN,
  version: 1,
  status: 'published',
  cancelledAt: null,
  cancelReason: null,
  topics: [],
  seriesId: null,
  hasQuestions: false,
  registrationCount: 0,
  waitingCount: 0,
  registrationState: 'open',
  registrations: [],
  waiting: null,
  ...given,
});

export const anEventPage = (given: Partial<EventPage> = {}): EventPage => ({
  mayManage: false,
  pastRegistration: null,
  content: EMPTY_CONTENT,
  ...anEvent(given),
});

export const anEventBody = eventFields({ title: 'SEO breakfast' });

export const aRegistration = (given: Partial<Registration> = {}): Registration => ({
  id: newId(),
  userId: newId(),
  selectedDate: null,
  registeredAt: THEN,
  status: 'registered',
  showMe: 'name',
  ...given,
});
