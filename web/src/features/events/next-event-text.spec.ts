import { nextEventText } from './next-event-text';

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
