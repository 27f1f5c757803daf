import { attendeesFileName } from './attendees-csv';

describe('The file of an event’s attendees', () => {
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
