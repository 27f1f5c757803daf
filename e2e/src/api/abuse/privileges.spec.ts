import type { Attendee, ErrorBody, Event, User } from '@meetmark/contracts';
import { type ApiClient, createdEvent, eventFields, newcomer } from '../../support/api-client.js';
import { sharedStack } from '../../support/shared-stack.js';
import { aMember, anAdministrator, type Person, theAdministrator, visitor } from '../support/people.js';
import { population, row } from '../support/rows.js';

let administrator: ApiClient;
let member: Person;
let victim: Person;
let event: Event;
beforeAll(async () => {
  administrator = await theAdministrator();
  [member, victim] = [await aMember('Mallory'), await aMember('Victor')];
  event = await createdEvent(administrator);
}, 60_000);

const isAdmin = async (email: string) =>
  (await row<{ is_admin: boolean }>('SELECT is_admin FROM auth.users WHERE email = $1', [email]))?.is_admin;

describe('a member who tries what is for administrators', () => {
  it('changes nothing', async () => {
    const before = await population();
    const { id } = victim.user;
    const tries: [string, string, unknown?][] = [
      ['POST', '/api/events', eventFields()],
      ['PUT', `/api/events/${event.id}`, eventFields({ title: 'Taken over' })],
      ['DELETE', `/api/events/${event.id}`],
      ['POST', '/api/admin/users', { ...newcomer(), isAdmin: true }],
      ['PUT', `/api/admin/users/${id}/reset-password`, { newPassword: 'Abcd1234' }],
      ['PUT', `/api/admin/users/${member.user.id}/toggle-admin`, { isAdmin: true }],
      ['DELETE', `/api/admin/users/${id}`],
      ['POST', `/api/admin/users/${id}/send-reset-code`],
      ['POST', '/api/admin/system/test-mail'],
    ];
    for (const [method, path, body] of tries)
      expect([path, (await member.client.send(method, path, body)).status]).toEqual([path, 403]);
    expect(await population()).toEqual(before);
    expect((await visitor().get<Event>(`/api/events/${event.id}`)).body.title).toBe(event.title);
    expect(await isAdmin(member.person.email)).toBe(false);
    expect((await victim.client.get('/api/user')).status).toBe(200);
  });
});

describe('a property that nobody asked for', () => {
  const EXTRAS: [string, unknown][] = [
    ['isAdmin', true],
    ['id', '01999999-0000-7000-8000-000000000000'],
    ['createdById', '01999999-0000-7000-8000-000000000000'],
    ['passwordHash', 'x'],
    ['sessionEpoch', 0],
    ['registrationCount', 9],
    ['userId', '01999999-0000-7000-8000-000000000000'],
  ];
  const profile = ({ person: { email, firstName, lastName } }: Person) => ({ email, firstName, lastName });

  it.each(EXTRAS)('is refused by its name wherever it is slipped in: %s', async (name, value) => {
    const before = await population();
    const register = `/api/events/${event.id}/register`;
    const tries: [ApiClient, string, string, object][] = [
      [visitor(), 'POST', '/api/register', newcomer()],
      [visitor(), 'POST', '/api/login', { email: member.person.email, password: 'correct horse' }],
      [member.client, 'PUT', '/api/user/profile', profile(member)],
      [member.client, 'POST', register, {}],
      [administrator, 'POST', '/api/events', eventFields()],
      [administrator, 'PUT', `/api/events/${event.id}`, eventFields()],
    ];
    for (const [client, method, path, body] of tries) {
      const answer = await client.send<ErrorBody>(method, path, { ...body, [name]: value });
      expect([path, answer.status, answer.body.details?.fields]).toEqual([
        path,
        400,
        { [name]: [`property ${name} should not exist`] },
      ]);
    }
    expect(await population()).toEqual(before);
    expect(await isAdmin(member.person.email)).toBe(false);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('may not reach for a prototype: %s', async (name) => {
    const fields = JSON.stringify(profile(member)).slice(0, -1);
    const body = `${fields},"${name}":{"isAdmin":true}}`;
    const headers = { 'content-type': 'application/json' };
    expect((await member.client.sendBytes('PUT', '/api/user/profile', body, headers)).status).toBe(400);
    for (const url of sharedStack().gatewayUrls)
      expect((await member.client.at(url).get<User>('/api/user')).body.isAdmin).toBe(false);
  });
});

describe('what belongs to somebody else', () => {
  beforeAll(async () => void (await victim.client.post(`/api/events/${event.id}/register`)));

  it('cannot be given up in their place', async () => {
    await member.client.delete(`/api/events/${event.id}/register`);
    const { body } = await victim.client.get<Event[]>('/api/my-events');
    expect(body.map(({ id }) => id)).toEqual([event.id]);
    expect((await member.client.get<Event[]>('/api/my-events')).body).toEqual([]);
  });

  it('is not in what a member reads', async () => {
    for (const path of ['/api/events', `/api/events/${event.id}`, '/api/my-events']) {
      const { text } = await member.client.get(path);
      expect([path, text.includes(victim.user.id), text.includes('@')]).toEqual([path, false, false]);
    }
  });

  it('is five fields of who comes, and never an address', async () => {
    const { body, text } = await member.client.get<Attendee[]>(`/api/events/${event.id}/attendees`);
    expect(body.map((attendee) => Object.keys(attendee).toSorted())).toEqual([
      ['firstName', 'id', 'lastName', 'linkedInUrl', 'profileImageUrl'],
    ]);
    expect(text).not.toContain('@');
  });

  it('is nothing that visitors see', async () => {
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

describe('nobody', () => {
  it('ever reads a password or its hash, administrators neither', async () => {
    const other = await anAdministrator();
    for (const path of ['/api/admin/users', '/api/user', '/api/admin/audit'])
      expect((await other.client.get(path)).text).not.toMatch(/password_?hash|\$argon2|"password":/i);
  });
});
