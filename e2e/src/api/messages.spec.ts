import type { ErrorBody, Event } from '@meetmark/contracts';
import { type ApiClient, createdEvent, eventFields, newcomer } from '../support/api-client.js';
import { aMember, type Person, theAdministrator, visitor } from './support/people.js';

let administrator: ApiClient;
let member: Person;
let other: Person;
let event: Event;
let full: Event;
beforeAll(async () => {
  administrator = await theAdministrator();
  member = await aMember();
  other = await aMember('Otto');
  event = await createdEvent(administrator);
  full = await createdEvent(administrator, { capacity: 1 });
  await other.client.post(`/api/events/${full.id}/register`);
}, 60_000);

describe('the API', () => {
  it('returns errors with exactly five properties', async () => {
    const { body, headers } = await visitor().post<ErrorBody>('/api/register', {
      ...newcomer(),
      firstName: '',
    });
    expect(body).toEqual({
      statusCode: 400,
      code: 'VALIDATION_FAILED',
      message: 'Some fields are not valid: First name is required',
      details: {
        fields: { firstName: ['First name is required'] },
        rules: { firstName: { rule: 'required' } },
      },
      requestId: headers.get('x-request-id'),
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('reports the number of registrations when the new capacity is too low', async () => {
    await administrator.put(`/api/events/${full.id}`, { ...eventFields(), capacity: 2 });
    await member.client.post(`/api/events/${full.id}/register`);
    const { status, body } = await administrator.put<ErrorBody>(`/api/events/${full.id}`, {
      ...eventFields(),
      capacity: 1,
    });
    expect([status, body.details, body.message]).toEqual([
      409,
      { registered: 2 },
      'Capacity can’t be below the number of people registered (2)',
    ]);
  });
});

describe('a repeated request', () => {
  it('reports an existing registration when a member registers again', async () => {
    const register = () => member.client.post<{ message: string }>(`/api/events/${event.id}/register`);
    const [first, second] = [await register(), await register()];
    expect([first.status, first.body.message]).toEqual([201, 'Successfully registered for event']);
    expect([second.status, second.body.message]).toEqual([200, 'You are already registered for this event']);
    expect(second.body.message).toContain('already registered');
  });

  it('accepts any number of cancellations of a registration', async () => {
    for (const { client } of [member, member, other])
      expect((await client.delete(`/api/events/${event.id}/register`)).status).toBe(204);
  });

  it('accepts any number of sign-outs', async () => {
    const { client } = await aMember();
    expect((await client.post('/api/logout')).status).toBe(204);
    expect((await client.post('/api/logout')).status).toBe(204);
    expect((await client.get('/api/user')).status).toBe(401);
  });
});
