import { aUser } from '../../../testing/samples';
import { attendeesCsv, attendeesFileName } from './attendees-drawer';

describe('The file of an event’s attendees', () => {
  it('says when they registered as every program reads it', () => {
    const registration = { id: '1', member: aUser(), registeredAt: '2026-01-15T12:00:00.000Z' };
    expect(attendeesCsv([registration as never]).split('\r\n')[1]).toBe(
      'Ada,Lovelace,ada@example.org,2026-01-15T12:00:00.000Z',
    );
  });

  it.each([
    ['SEO in the age of answers', 'attendees-seo-in-the-age-of-answers-2026-11-21.csv'],
    ['../../etc/passwd', 'attendees-etc-passwd-2026-11-21.csv'],
    ['Café & Croissants', 'attendees-cafe-croissants-2026-11-21.csv'],
    ['勉強会', 'attendees-勉強会-2026-11-21.csv'],
    ['!!!', 'attendees-event-2026-11-21.csv'],
  ])('of %j is named %j', (title, name) => {
    expect(attendeesFileName(title, '2026-11-21')).toBe(name);
  });
});
