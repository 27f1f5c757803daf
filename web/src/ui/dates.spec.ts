import {
  calendarLeaf,
  dayOfEvent,
  endOfWeek,
  eventSpan,
  eventStart,
  firstDayOfWeek,
  shortMoment,
  timeOfDay,
  timeUntil,
  eventWhen,
  viewerZone,
} from './dates';
import { momentAt } from './zoned-time';

// The viewer's zone is the machine's: what is expected is worked out from it, so that the tests hold anywhere.
const viewer = Intl.DateTimeFormat().resolvedOptions().timeZone;
const here = { locale: 'en-US', timeZone: viewer };
/** A zone whose clock is never the viewer's. */
const elsewhere = {
  locale: 'en-US',
  timeZone: viewer === 'Pacific/Kiritimati' ? 'UTC' : 'Pacific/Kiritimati',
};
const at = (hour: number, minute = 0) => new Date(2026, 10, 21, hour, minute).toISOString();

describe('A date', () => {
  it('has short weekday, short month, day and two-digit time in the banner; AM stays in the line of its time', () => {
    expect(shortMoment(at(9), here)).toBe('Sat, Nov 21, 09:00\u00a0AM');
  });

  it('names the zone when the clock of the community shows another time', () => {
    expect(shortMoment(at(9), elsewhere)).toMatch(/^Sat, Nov 21, 09:00\u00a0AM .+/);
    expect(timeOfDay(at(18, 30), elsewhere)).toMatch(/^6:30\u00a0PM .+/);
    expect(viewerZone(elsewhere)).toBe(viewer);
  });

  it('does not name the zone when the clocks agree', () => {
    expect(timeOfDay(at(18, 30), here)).toBe('6:30\u00a0PM');
    expect(viewerZone(here)).toBeNull();
  });
});

describe('The time until an event', () => {
  const now = new Date(2026, 10, 21, 22, 30);
  it.each([
    [new Date(2026, 10, 21, 22, 50), 'in 20 minutes'],
    [new Date(2026, 10, 21, 23, 59), 'in 1 hour'],
    [new Date(2026, 10, 22, 8), 'tomorrow'],
    [new Date(2026, 10, 23, 8), 'in 2 days'],
  ])('until %s is %s', (moment, words) => {
    expect(timeUntil(moment, here, now)).toBe(words);
  });
});

describe('A week', () => {
  it.each([
    ['en-US', 0],
    ['en-GB', 1],
    ['de-DE', 1],
    ['ar-AE', 6],
  ])('in %s begins with day %i, whether or not the browser knows', (locale, day) => {
    expect(firstDayOfWeek(locale)).toBe(day);
    const prototype = Intl.Locale.prototype as { getWeekInfo?: unknown };
    const known = prototype.getWeekInfo;
    delete prototype.getWeekInfo;
    try {
      expect(firstDayOfWeek(locale)).toBe(day);
    } finally {
      if (known) prototype.getWeekInfo = known;
    }
  });

  it('ends at the midnight before its first day comes again', () => {
    const saturday = new Date(2026, 10, 21, 15);
    expect(endOfWeek(saturday, 'en-US')).toEqual(new Date(2026, 10, 22));
    expect(endOfWeek(saturday, 'en-GB')).toEqual(new Date(2026, 10, 23));
    expect(endOfWeek(new Date(2026, 10, 22), 'en-US')).toEqual(new Date(2026, 10, 29));
  });
});

describe('The span of an event', () => {
  it('says the day once when it ends on the day it starts', () => {
    const event = { startDate: at(9), endDate: at(11, 30), isAllDay: false };
    expect(eventSpan(event, here)).toBe('Sat, Nov 21, 2026, 9:00 – 11:30\u00a0AM');
  });

  it('leaves out the year that is now, unless one end is in another', () => {
    const event = { startDate: at(9), endDate: at(11), isAllDay: false };
    expect(eventSpan(event, here, new Date(2026, 0, 1))).toBe('Sat, Nov 21, 9:00 – 11:00\u00a0AM');
    expect(eventSpan(event, here, new Date(2027, 0, 1))).toContain('2026');
    const long = { ...event, endDate: new Date(2027, 0, 1, 12).toISOString() };
    expect(eventSpan(long, here, new Date(2026, 0, 1))).toContain('2027');
  });

  it('has no time when the event lasts all day', () => {
    const event = { startDate: at(0), endDate: at(23, 59), isAllDay: true };
    expect(eventSpan(event, here)).toBe('Sat, Nov 21, 2026');
  });

  it.each(['Pacific/Kiritimati', 'America/Los_Angeles', 'Europe/London'])(
    'for whole days has the dates of the community in %s, wherever it is read',
    (timeZone) => {
      const start = momentAt('2026-11-21', '00:00', timeZone);
      const event = {
        startDate: start.toISOString(),
        endDate: momentAt('2026-11-24', '00:00', timeZone).toISOString(),
        isAllDay: true,
      };
      const community = { locale: 'en-US', timeZone };
      expect(eventSpan(event, community)).toBe('Sat, Nov 21 – Mon, Nov 23, 2026');
      expect(eventStart(event, community)).toBe('Sat, Nov 21');
      expect(calendarLeaf(event.startDate, true, community)).toEqual({ month: 'Nov', day: '21' });
      const days = [20, 21, 22, 23, 24].map((day) =>
        dayOfEvent(event, { start: new Date(2026, 10, day), end: new Date(2026, 10, day + 1) }, community),
      );
      expect(days).toEqual([null, { day: 1, of: 3 }, { day: 2, of: 3 }, { day: 3, of: 3 }, null]);
    },
  );

  it('is not on the day that begins when it ends', () => {
    const event = { startDate: at(20), endDate: at(24), isAllDay: false };
    const on = (day: number) =>
      dayOfEvent(event, { start: new Date(2026, 10, day), end: new Date(2026, 10, day + 1) }, here);
    expect([on(21), on(22)]).toEqual([{ day: 1, of: 1 }, null]);
  });

  it('takes two lines on the page of an event: the days, and the hours with their zone', () => {
    const when = (startDate: string, endDate: string, now = new Date(2026, 5, 1)) =>
      eventWhen({ startDate, endDate, isAllDay: false }, here, now);
    const zone = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' })
      .formatToParts(new Date(at(9)))
      .find(({ type }) => type === 'timeZoneName')!.value;
    expect(when(at(18), at(20))).toEqual({
      days: 'Saturday, November 21',
      hours: `6:00 – 8:00\u00a0PM ${zone}`,
    });
    expect(when(at(18), at(20), new Date(2025, 5, 1)).days).toBe('Saturday, November 21, 2026');
    expect(when(at(18), new Date(2026, 10, 22, 1, 30).toISOString())).toEqual({
      days: 'Sat, Nov 21 – Sun, Nov 22',
      hours: `6:00\u00a0PM – 1:30\u00a0AM ${zone}`,
    });
    // one that ends at midnight is not on the day that begins then
    expect(when(at(18), new Date(2026, 10, 22).toISOString()).days).toBe('Saturday, November 21');
  });

  it('of whole days is the community’s, wherever it is read', () => {
    const days = (from: string, to: string) =>
      eventWhen(
        {
          startDate: momentAt(from, '00:00', 'Pacific/Kiritimati').toISOString(),
          endDate: momentAt(to, '00:00', 'Pacific/Kiritimati').toISOString(),
          isAllDay: true,
        },
        { locale: 'en-US', timeZone: 'Pacific/Kiritimati' },
        new Date(2026, 5, 1),
      );
    expect(days('2026-11-21', '2026-11-22')).toEqual({ days: 'Saturday, November 21', hours: null });
    expect(days('2026-11-21', '2026-11-24').days).toBe('Sat, Nov 21 – Mon, Nov 23');
  });
});
