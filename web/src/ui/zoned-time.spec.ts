import fc from 'fast-check';
import { wallClock } from './wall-clock';
import { daysLater, momentAt } from './zoned-time';

const MINUTE = 60_000;
const RUNS = 1_000;

describe('The clock of a zone', () => {
  it.each([
    ['2026-11-21', '09:00', 'Europe/London', '2026-11-21T09:00:00.000Z'],
    ['2026-07-01', '18:30', 'Europe/London', '2026-07-01T17:30:00.000Z'],
    ['2026-07-01', '00:00', 'America/New_York', '2026-07-01T04:00:00.000Z'],
    ['2026-01-01', '00:00', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
    // the evening before and after the clocks change
    ['2026-03-28', '23:30', 'Europe/London', '2026-03-28T23:30:00.000Z'],
    ['2026-03-29', '03:30', 'Europe/London', '2026-03-29T02:30:00.000Z'],
    ['2026-10-25', '03:30', 'Europe/London', '2026-10-25T03:30:00.000Z'],
  ])('shows %s %s in %s at %s', (date, time, zone, moment) => {
    expect(momentAt(date, time, zone).toISOString()).toBe(moment);
    expect(wallClock(moment, zone)).toEqual({ date, time });
  });

  it.each([
    ['Europe/London', '2026-03-29', '01:30', '2026-03-29', '02:30'],
    ['America/New_York', '2026-03-08', '02:30', '2026-03-08', '03:30'],
    ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-04', '02:45'],
    ['Pacific/Apia', '2011-12-30', '12:00', '2011-12-31', '12:00'],
  ])('of %s passes over what it skips', (zone, date, time, laterDate, laterTime) => {
    expect(wallClock(momentAt(date, time, zone), zone)).toEqual({ date: laterDate, time: laterTime });
  });

  it.each([
    ['Europe/London', '2026-10-25', '01:30', '2026-10-25T00:30:00.000Z'],
    ['America/New_York', '2026-11-01', '01:30', '2026-11-01T05:30:00.000Z'],
  ])('of %s means the first of two', (zone, date, time, moment) => {
    expect(momentAt(date, time, zone).toISOString()).toBe(moment);
  });

  describe('of any zone', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const minutes = fc
      .date({ min: new Date('1990-01-01T00:00Z'), max: new Date('2037-12-31T00:00Z'), noInvalidDate: true })
      .map((date) => Math.floor(date.getTime() / MINUTE) * MINUTE);
    const anywhere = fc.tuple(zones, minutes);
    /** Within a day of a change of the clock. */
    const nearChange = fc
      .tuple(
        fc.constantFrom(
          ['Europe/London', '2026-03-29'],
          ['Europe/London', '2026-10-25'],
          ['America/New_York', '2026-03-08'],
          ['America/New_York', '2026-11-01'],
          ['America/Havana', '2026-03-08'],
          ['Africa/Cairo', '2026-04-24'],
          ['Australia/Lord_Howe', '2026-10-04'],
          ['Pacific/Chatham', '2026-04-05'],
          ['Pacific/Apia', '2011-12-30'],
        ),
        fc.integer({ min: -24 * 60, max: 48 * 60 }),
      )
      .map(([[zone = '', date], minute]) => [zone, Date.parse(`${date}T00:00Z`) + minute * MINUTE] as const);
    const generated = fc.oneof(anywhere, nearChange);

    it('a time that it shows means a moment at which it is shown', () => {
      fc.assert(
        fc.property(generated, ([zone, moment]) => {
          const shown = wallClock(moment, zone);
          expect(wallClock(momentAt(shown.date, shown.time, zone), zone)).toEqual(shown);
        }),
        { numRuns: RUNS },
      );
    });

    it('a time that it does not show means a later one, by a day at most', () => {
      fc.assert(
        fc.property(generated, ([zone, typed]) => {
          const [date = '', time = ''] = new Date(typed).toISOString().split(/[TZ]/);
          const shown = wallClock(momentAt(date, time.slice(0, 5), zone), zone);
          const later = Date.parse(`${shown.date}T${shown.time}Z`) - typed;
          expect(later).toBeGreaterThanOrEqual(0);
          expect(later).toBeLessThanOrEqual(24 * 60 * MINUTE);
        }),
        { numRuns: RUNS },
      );
    });
  });

  it('knows no moment for what is no time', () => {
    expect(momentAt('', '09:00', 'Europe/London').getTime()).toBeNaN();
  });

  it('counts days over the end of a month and changes of the clock', () => {
    expect(daysLater('2026-03-28', 4)).toBe('2026-04-01');
    expect(daysLater('2026-01-01', -1)).toBe('2025-12-31');
  });
});
