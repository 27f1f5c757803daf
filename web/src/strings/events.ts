import type { ErrorCode, EventFormat } from '@meetmark/contracts';

export const browseText = {
  title: 'Browse Events',
  search: 'Search events',
  searchPlaceholder: 'Search events...',
  timeFilter: 'Time',
  timeOptions: { upcoming: 'Upcoming', past: 'Past', all: 'All' },
  /** Where nothing beside them says what they are about. */
  appliedTimes: { past: 'Past events', all: 'Past and upcoming' },
  filters: 'Filters',
  applied: 'Applied filters',
  removeFilter: (filter: string) => `Remove filter: ${filter}`,
  thisWeek: 'This week',
  laterIn: (month: string) => `Later in ${month}`,
  refresh: 'Refresh',
  refreshed: 'Refreshed',
  refreshedDetail: 'Event data has been updated',
  refreshFailed: 'Refresh Failed',
  refreshFailedDetail: 'Failed to update event data. Please try again.',
  found: (count: number) => (count === 1 ? '1 event found' : `${count} events found`),
  empty: 'No events found',
  emptyHint: 'Nothing matches this search and these filters. Try other words, or look at past events too.',
  clearFilters: 'Clear search and filters',
  noneYet: {
    upcoming: 'Nothing is planned at the moment. New events appear here as soon as they are announced.',
    past: 'No event has taken place yet.',
    all: 'The community has not announced an event yet.',
  },
  seePast: 'See past events',
  loading: 'Loading events',
} as const;

export const priceFilterText = {
  label: 'Price',
  options: { all: 'All prices', free: 'Free', paid: 'Paid' },
} as const;

export const eventText = {
  viewDetails: 'View Details',
  viewDetailsOf: (title: string) => `View Details of ${title}`,
  places: (registered: number, capacity: number) => `${registered} of ${capacity} places taken`,
  going: (registered: number) => (registered === 1 ? '1 person is going' : `${registered} people are going`),
  noneGoing: 'Nobody has registered yet',
  pastEvent: 'Past Event',
  fullyBooked: 'Fully Booked',
  /** On the cover of a card. */
  full: 'Full',
  fullWithList: 'Full · waiting list',
  cancelled: 'Cancelled',
  draft: 'Draft',
  unlisted: 'Unlisted',
  openForRegistration: 'Open for Registration',
  happeningNow: 'Happening Now',
  opensLater: 'Registration opens later',
  freeEvent: 'Free Event',
} as const;

export const registrationText = {
  ended: 'Event Ended',
  cancelled: 'Cancelled',
  login: 'Login to Register',
  registered: 'Registered',
  full: 'Event Full',
  closed: 'Registration closed',
  opens: (moment: string) => `Registration opens ${moment}`,
  join: 'Join the waiting list',
  joining: 'Joining...',
  number: (position: number | undefined) =>
    position === undefined ? 'You are on the waiting list' : `You are number ${position}`,
  waitingHint: 'As soon as a place is free it is yours, and we write to you.',
  /** For who does not wait. */
  othersWaiting: (count: number) => (count === 1 ? '1 person is waiting' : `${count} people are waiting`),
  register: 'Register',
  /** The visible label first, so that voice control finds the button by it. */
  of: (label: string, title: string) => `${label}: ${title}`,
  registering: 'Registering...',
  /** After the button was pressed: what is there now, and whether it had been before. */
  outcomes: {
    registered: {
      now: 'Successfully registered for event',
      before: 'You are already registered for this event',
    },
    waiting: { now: 'You are on the waiting list', before: 'You are already on the waiting list' },
  },
  fullMeanwhile: 'Somebody else took the last place. You can join the waiting list.',
  failedTitle: 'Registration Failed',
  failed: 'Failed to register for event',
  /** What the member reads instead of the server's sentence. */
  failures: {
    EVENT_FULL: 'This event is at full capacity. Registration is no longer available.',
    EVENT_NOT_FOUND: 'This event is no longer available for registration.',
  } as Partial<Record<ErrorCode, string>>,
  unregister: 'Unregister',
  unregisterTitle: 'Unregister from this event?',
  unregisterQuestion: (title: string) => `You give up your place at “${title}”.`,
  unregistering: 'Unregistering...',
  keep: 'Keep my place',
  unregistered: 'Successfully unregistered from event',
  unregisterFailed: 'Failed to unregister from event',
  leave: 'Leave the waiting list',
  leaveTitle: 'Leave the waiting list?',
  leaveQuestion: (title: string) =>
    `You no longer wait for a place at “${title}”. If you come back, you begin at the end of the list.`,
  leaving: 'Leaving...',
  keepWaiting: 'Keep waiting',
  left: 'You have left the waiting list',
  leaveFailed: 'Failed to leave the waiting list',
} as const;

export const myEventsText = {
  title: 'My Events',
  intro: 'The events that you registered for, and those where you wait for a place.',
  filter: 'Show',
  filters: { upcoming: 'Upcoming', past: 'Past', all: 'All' },
  upcoming: 'Upcoming',
  completed: 'Completed',
  waiting: 'Waiting list',
  cancelled: 'Cancelled',
  empty: {
    upcoming: 'No upcoming events',
    past: 'No past events',
    all: 'You have not registered for an event yet',
  },
  emptyHint: 'Find something that you would like to go to.',
  browse: 'Browse Events',
} as const;

export const calendarText = {
  title: 'Events',
  intro: 'Everything that is planned, by month or as a list.',
  view: 'View',
  month: 'Month',
  agenda: 'Agenda',
  createEvent: 'Create Event',
  subscribe: 'Subscribe to the calendar',
  previousMonth: 'Previous month',
  nextMonth: 'Next month',
  today: 'Today',
  dayOf: (day: number, of: number) => `day ${day} of ${of}`,
  more: (count: number) => `+${count} more`,
  eventsOn: (day: string, count: number) =>
    count === 0 ? `${day}: no events` : `${day}: ${count === 1 ? '1 event' : `${count} events`}`,
  noEventsInMonth: 'No events in this month',
  noEventsOnDay: 'No events on this day',
  noEventsAhead: 'No upcoming events',
  noEventsAheadHint: 'New events appear here as soon as they are announced.',
  onlyOrganisers: 'Only organisers can create events',
  onlyOrganisersHint: 'Have an idea for one? Write to the organisers.',
  zone: (zone: string) => `Times are shown in your time zone, ${zone}.`,
} as const;

const names: Record<EventFormat, string> = {
  in_person: 'In person',
  online: 'Online',
  hybrid: 'Hybrid',
};

/** In the form, on cards, in filters: one word each, everywhere. */
export const formatText = {
  label: 'Format',
  names,
  filter: { all: 'All formats', ...names },
} as const;
