import { daysLater, momentAt, wallClock } from './zoned-time';

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

  it('passes over the hour that it skips', () => {
    const skipped = momentAt('2026-03-29', '01:30', 'Europe/London');
    expect(wallClock(skipped, 'Europe/London')).toEqual({ date: '2026-03-29', time: '02:30' });
  });

  it('knows no moment for what is no time', () => {
    expect(momentAt('', '09:00', 'Europe/London').getTime()).toBeNaN();
  });

  it('counts days over the end of a month and changes of the clock', () => {
    expect(daysLater('2026-03-28', 4)).toBe('2026-04-01');
    expect(daysLater('2026-01-01', -1)).toBe('2025-12-31');
  });
});
