import { ERRORS, type ErrorBody, type ErrorCode } from '@meetmark/contracts';
import { type ApiClient, createdEvent, eventFields, newcomer, type Answer } from '../support/api-client.js';
import { ACCOUNT_REFUSALS } from './support/account-refusals.js';
import { EVENT_REFUSALS } from './support/event-refusals.js';
import type { Stage } from './support/refusal.js';
import { REQUEST_REFUSALS } from './support/request-refusals.js';
import { aMember, anAdministrator, theAdministrator, visitor } from './support/people.js';

const REFUSALS = [...REQUEST_REFUSALS, ...ACCOUNT_REFUSALS, ...EVENT_REFUSALS];
/** Said only when something is broken, away, in a hurry or for the hundredth time: shown where that is brought about. */
const SHOWN_ELSEWHERE: ErrorCode[] = [
  'OUT_OF_RANGE',
  'SETUP_LINK_INVALID',
  'SETTINGS_UNUSABLE',
  'SECOND_FACTOR_REQUIRED',
  'SECOND_FACTOR_INCORRECT',
  'SECOND_FACTOR_SETUP_REQUIRED',
  'FRESH_SIGN_IN_REQUIRED',
  'REQUEST_TIMEOUT',
  'SECOND_FACTOR_LIMIT',
  'EMAIL_UNVERIFIED',
  'ADDRESS_NOT_VERIFIED',
  'ADDRESS_UNPROVED',
  'DOOR_MAIL_LIMIT',
  'MESSAGE_LIMIT',
  'PROPOSAL_LIMIT',
  'TOPIC_LIMIT',
  'NOT_SET_UP',
  'SETTING_LOCKED',
  'USER_HAS_EVENTS',
  'LAST_ADMINISTRATOR',
  'REQUEST_IN_PROGRESS',
  'HOST_UNKNOWN',
  'RATE_LIMITED',
  'INTERNAL',
  'SERVICE_UNAVAILABLE',
  'SERVICE_OVERLOADED',
  'DEADLINE_EXCEEDED',
];

let stage: Stage;
let administrator: ApiClient;
beforeAll(async () => {
  administrator = await theAdministrator();
  const member = await aMember();
  stage = {
    visitor: visitor(),
    member,
    administrator: await anAdministrator(),
    other: await aMember('Otto'),
    event: await createdEvent(administrator),
    started: await createdEvent(administrator, { startsIn: -60_000 }),
    full: await createdEvent(administrator, { capacity: 1 }),
  };
  await stage.other.client.post(`/api/events/${stage.full.id}/register`);
}, 60_000);

describe('a refusal', () => {
  it.each(REFUSALS)('$code: $when', async ({ code, words, act }) => {
    const answer = (await act(stage)) as Answer<ErrorBody>;
    const { status, message } = ERRORS[code];
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.message).toContain(message);
    if (words !== undefined) expect(answer.body.message).toContain(words);
  });

  it('of every kind is reached above, or needs something to be broken', () => {
    const reached = new Set(REFUSALS.map(({ code }) => code));
    const missing = Object.keys(ERRORS).filter((code) => !reached.has(code as ErrorCode));
    expect(missing).toEqual(SHOWN_ELSEWHERE);
  });

  it('has these five properties and no more', async () => {
    const { body, headers } = await stage.visitor.post<ErrorBody>('/api/register', {
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

  it('says with which number of people a capacity collides', async () => {
    const { full } = stage;
    await administrator.put(`/api/events/${full.id}`, { ...eventFields(), capacity: 2 });
    await stage.member.client.post(`/api/events/${full.id}/register`);
    const { status, body } = await administrator.put<ErrorBody>(`/api/events/${full.id}`, {
      ...eventFields(),
      capacity: 1,
    });
    expect([status, body.details, body.message]).toEqual([
      409,
      { registered: 2 },
      'Capacity cannot be below the number of people registered (2)',
    ]);
  });
});

describe('what is no refusal', () => {
  it('tells who registers again that they are registered already', async () => {
    const { member, event } = stage;
    const register = () => member.client.post<{ message: string }>(`/api/events/${event.id}/register`);
    const [first, second] = [await register(), await register()];
    expect([first.status, first.body.message]).toEqual([201, 'Successfully registered for event']);
    expect([second.status, second.body.message]).toEqual([200, 'You are already registered for this event']);
    expect(second.body.message).toContain('already registered');
  });

  it('is giving up a place twice, or one that nobody had', async () => {
    const { member, other, event } = stage;
    for (const { client } of [member, member, other])
      expect((await client.delete(`/api/events/${event.id}/register`)).status).toBe(204);
  });

  it('is signing out twice', async () => {
    const { client } = await aMember();
    expect((await client.post('/api/logout')).status).toBe(204);
    expect((await client.post('/api/logout')).status).toBe(204);
    expect((await client.get('/api/user')).status).toBe(401);
  });
});
