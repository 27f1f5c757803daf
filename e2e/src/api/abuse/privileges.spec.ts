import type { Attendee, Event } from '@meetmark/contracts';
import { createdEvent } from '../../support/api-client.js';
import { aMember, type Person, theAdministrator, visitor } from '../support/people.js';

let member: Person;
let victim: Person;
let event: Event;
beforeAll(async () => {
  [member, victim] = [await aMember('Mallory'), await aMember('Victor')];
  event = await createdEvent(await theAdministrator());
}, 60_000);

describe('the API', () => {
  beforeAll(async () => void (await victim.client.post(`/api/events/${event.id}/register`)));

  it('keeps a registration when another member tries to cancel it', async () => {
    await member.client.delete(`/api/events/${event.id}/register`);
    const { body } = await victim.client.get<Event[]>('/api/my-events');
    expect(body.map(({ id }) => id)).toEqual([event.id]);
    expect((await member.client.get<Event[]>('/api/my-events')).body).toEqual([]);
  });

  it('omits other registered members from event responses', async () => {
    for (const path of ['/api/events', `/api/events/${event.id}`, '/api/my-events']) {
      const { text } = await member.client.get(path);
      expect([path, text.includes(victim.user.id), text.includes('@')]).toEqual([path, false, false]);
    }
  });

  it('exposes five fields of an attendee, but no email address', async () => {
    const { body, text } = await member.client.get<Attendee[]>(`/api/events/${event.id}/attendees`);
    expect(body.map((attendee) => Object.keys(attendee).toSorted())).toEqual([
      ['firstName', 'id', 'lastName', 'linkedInUrl', 'profileImageUrl'],
    ]);
    expect(text).not.toContain('@');
  });

  it('omits registered members from responses to visitors', async () => {
    for (const path of ['/api/events/public', `/api/events/${event.id}`, '/api/events/calendar.ics', '/']) {
      const { text } = await visitor().get(path);
      expect([path, text.includes(victim.person.email), text.includes(victim.user.id)]).toEqual([
        path,
        false,
        false,
      ]);
    }
  });
});
