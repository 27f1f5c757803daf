import type { EventFormat } from '@meetmark/contracts';
import { nextEventText, placeOf, statusOf } from './event';

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

describe('Where an event is', () => {
  it.each<[EventFormat, string | null, string | null]>([
    ['in_person', 'Leeds', 'Leeds'],
    ['in_person', null, null],
    ['online', null, 'Online'],
    ['online', 'https://meet.example/seo', 'Online · https://meet.example/seo'],
    ['hybrid', 'Leeds', 'Hybrid · Leeds'],
    ['hybrid', null, 'Hybrid'],
  ])('%s at %j reads %j', (format, location, words) => {
    expect(placeOf({ format, location })).toBe(words);
  });
});

describe('The text of the upcoming-event banner', () => {
  const written = { date: 'Sat, Nov 21, 09:00 AM', price: '£12.50' };

  it('names title, date, location and price', () => {
    expect(nextEventText({ title: 'SEO Breakfast', location: 'Leeds' }, written)).toBe(
      'Next Event: SEO Breakfast • Sat, Nov 21, 09:00 AM • Leeds • £12.50 • Register Now!',
    );
  });

  it('leaves the location out when there is none', () => {
    expect(nextEventText({ title: 'SEO Breakfast', location: null }, { ...written, price: 'Free' })).toBe(
      'Next Event: SEO Breakfast • Sat, Nov 21, 09:00 AM • Free • Register Now!',
    );
  });
});
