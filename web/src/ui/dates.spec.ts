import { shortMoment, timeOfDay, viewerZone } from './dates';
import { endOfWeek, firstDayOfWeek } from './weeks';

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
  it('has short weekday, short month, day and two-digit time; AM stays in the line of its time', () => {
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
