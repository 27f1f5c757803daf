import type { Summary } from '@meetmark/contracts';

/** Section 9 of the specification: the weeks of a month, and the weeks that upcoming events are spread over. */
const WEEKS_PER_MONTH = 4.3;
const WEEKS_AHEAD = 2;

/** The four cards: what each counts, and its approximate rate. */
export const summaryFigures = (summary: Summary) => ({
  totalEvents: summary.totalEvents,
  eventsPerMonth: summary.eventsThisMonth,
  activeUsers: summary.totalUsers,
  usersPerWeek: summary.newUsers / WEEKS_PER_MONTH,
  /** Only the nearest few count here: the answer holds no more. */
  upcomingEvents: summary.nextEvents.length,
  eventsPerWeek: summary.nextEvents.length / WEEKS_AHEAD,
  eventsThisMonth: summary.eventsThisMonth,
});
