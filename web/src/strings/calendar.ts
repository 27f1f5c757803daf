import english from './catalogues/en-US/calendar.json' with { type: 'json' };
import { said } from './say';

/** Months and days of events, and one's own list of them. */
export const { calendarText, myEventsText } = said<
  typeof english,
  {
    calendarText: {
      dayOf: [day: number, of: number];
      more: [count: number];
      eventsOn: [day: string, count: number];
      zone: [zone: string];
    };
  }
>(english);
