import type { EventFormat } from '@meetmark/contracts';
import { PAYMENT_NOTE } from '@meetmark/contracts/community';
import german from '@meetmark/contracts/texts/de/common.json' with { type: 'json' };
import { layoutText } from '@meetmark/contracts/texts/common';
import { nextEventText, paymentNoteOf, placeOf } from './event';

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
  const written = { date: 'Sat, Nov 21, 09:00 AM', price: '£12.50', end: 'Register Now!' };

  it('names title, date, location, price and what can be done', () => {
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

describe('how one pays', () => {
  const community = { paymentNoteDefault: PAYMENT_NOTE };

  it('is what the event says, else the community, else the product in the reader’s language', () => {
    expect(paymentNoteOf({ paymentNote: 'Card at the door' }, community)).toBe('Card at the door');
    expect(paymentNoteOf({ paymentNote: null }, { paymentNoteDefault: 'By transfer' })).toBe('By transfer');
    expect(paymentNoteOf({ paymentNote: null }, community)).toBe(layoutText.paymentNote);
    expect(german.layoutText.paymentNote).toContain('bezahlen');
  });
});
