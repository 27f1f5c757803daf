import { monthSpan, zonedRange, getZone } from './zones.js';

const HOURS = { hour: 'numeric', minute: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const plain = (text: string) => text.replaceAll(/\s/g, ' ');
const range = (from: string, to: string, locale: string, options: Intl.DateTimeFormatOptions = HOURS) =>
  plain(zonedRange(new Date(from), new Date(to), { locale, timeZone: 'Europe/London' }, options));

describe('zonedRange', () => {
  it.each([
    ['en-US', '1:30 AM BST – 1:30 AM GMT'],
    ['de', '1:30 GMT+1 – 1:30 GMT'],
  ])('shows both times of a range if the clock change repeats an hour: %s', (locale, text) => {
    expect(range('2026-10-25T00:30Z', '2026-10-25T01:30Z', locale)).toBe(text);
  });

  it('shows both zone names if the clock changes during the range', () => {
    expect(range('2026-10-25T00:30Z', '2026-10-25T01:45Z', 'en-US')).toBe('1:30 AM BST – 1:45 AM GMT');
  });

  it('shows start and end even if both are in the same minute', () => {
    expect(range('2026-11-25T18:00:00Z', '2026-11-25T18:00:30Z', 'en-US', { ...DAY, ...HOURS })).toBe(
      'Nov 25, 2026, 6:00 PM – 6:00 PM GMT',
    );
  });

  it('omits repeated parts of an ordinary time range', () => {
    expect(range('2026-11-25T18:00Z', '2026-11-25T20:00Z', 'en-US')).toBe('6:00 – 8:00 PM GMT');
    expect(range('2026-11-25T18:00Z', '2026-11-26T18:00Z', 'en-US', { ...DAY, ...HOURS })).toBe(
      'Nov 25, 2026, 6:00 PM – Nov 26, 2026, 6:00 PM GMT',
    );
  });
});

describe('getZone', () => {
  const london = { timeZone: 'Europe/London' };
  it.each([
    ['its own', { timeZone: 'America/New_York' }, 'America/New_York'],
    ["the community's if it has none", { timeZone: null }, 'Europe/London'],
    ["the community's if it is omitted", {}, 'Europe/London'],
    ["the community's if its own is unknown", { timeZone: 'Mars/Olympus' }, 'Europe/London'],
  ])('chooses the time zone of an event: %s', (_, event, zone) => expect(getZone(event, london)).toBe(zone));
});

describe('monthSpan', () => {
  it('covers the weeks of a month and an extra day in every time zone', () => {
    const hour = 3_600_000;
    for (let month = 0; month < 12; month += 1) {
      const { from, until } = monthSpan(2030, month);
      expect(Date.UTC(2030, month, 1 - 7) - Date.parse(from)).toBeGreaterThanOrEqual(14 * hour);
      expect(Date.parse(until) - Date.UTC(2030, month + 1, 1 + 7)).toBeGreaterThanOrEqual(12 * hour);
    }
    expect(monthSpan(2030, 11).until).toBe('2031-01-09T00:00:00.000Z');
  });
});
