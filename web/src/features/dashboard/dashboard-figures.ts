import { dashboardEventsQuery } from '../events/events.api';

/** At most this many upcoming and recent events (section 9). */
const SHORTLIST = 3;

export const shortlistQuery = (time: 'upcoming' | 'past') => dashboardEventsQuery({ time, limit: SHORTLIST });

/** First moment of the month that is `offset` months after that of `now`, on the viewer's calendar. */
const monthStart = (now: Date, offset = 0) =>
  new Date(now.getFullYear(), now.getMonth() + offset, 1).toISOString();

// One event is asked for because none cannot be: only how many there are is wanted.
export const createdThisMonthQuery = (now: Date) =>
  dashboardEventsQuery({ createdSince: monthStart(now), limit: 1 });

export const eventsThisMonthQuery = (now: Date) =>
  dashboardEventsQuery({ from: monthStart(now), until: monthStart(now, 1), limit: 1 });
