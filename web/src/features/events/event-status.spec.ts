import { statusOf } from './event-status';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const event = (startDate: string, endDate: string, registrationCount = 0) => ({
  startDate,
  endDate,
  capacity: 5,
  registrationCount,
});

describe('The status of an event', () => {
  it('is past when its end has passed, even if it was full', () => {
    expect(statusOf(event('2026-11-21T09:00:00Z', '2026-11-21T11:00:00Z', 5), NOW)).toBe('past');
  });

  it('is full when as many are registered as there are places', () => {
    expect(statusOf(event('2026-11-22T09:00:00Z', '2026-11-22T11:00:00Z', 5), NOW)).toBe('full');
  });

  it('is under way between start and end', () => {
    expect(statusOf(event('2026-11-21T11:00:00Z', '2026-11-21T13:00:00Z'), NOW)).toBe('now');
  });

  it('is open for registration before that', () => {
    expect(statusOf(event('2026-11-22T09:00:00Z', '2026-11-22T11:00:00Z', 4), NOW)).toBe('open');
  });
});
