import { monthSpan, zonedRange, getZone } from './zones.js';

const HOURS = { hour: 'numeric', minute: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short', year: 'numeric', ...HOURS } as const;

describe('zonedRange', () => {
  it.each([
    ['2026-10-25T00:30Z', '2026-10-25T01:30Z', 'en-US', HOURS, '1:30 AM BST – 1:30 AM GMT'],
    ['2026-10-25T00:30Z', '2026-10-25T01:30Z', 'de', HOURS, '1:30 GMT+1 – 1:30 GMT'],
    ['2026-10-25T00:30Z', '2026-10-25T01:45Z', 'en-US', HOURS, '1:30 AM BST – 1:45 AM GMT'],
    ['2026-11-25T18:00Z', '2026-11-25T20:00Z', 'en-US', HOURS, '6:00 – 8:00 PM GMT'],
    ['2026-11-25T18:00:00Z', '2026-11-25T18:00:30Z', 'en-US', DAY, 'Nov 25, 2026, 6:00 PM – 6:00 PM GMT'],
    [
      '2026-11-25T18:00Z',
      '2026-11-26T18:00Z',
      'en-US',
      DAY,
      'Nov 25, 2026, 6:00 PM – Nov 26, 2026, 6:00 PM GMT',
    ],
  ] as const)('shows what differs between %s and %s in %s', (from, to, locale, options, text) => {
    const zone = { locale, timeZone: 'Europe/London' };
    const range = zonedRange(new Date(from), new Date(to), zone, options);
    expect(range.replaceAll(/\s/g, ' ')).toBe(text);
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
