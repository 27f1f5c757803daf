import type { EventFormat } from '@meetmark/contracts';
import { placeOf } from './event-format';

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
