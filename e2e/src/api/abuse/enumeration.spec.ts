import type { ErrorBody } from '@meetmark/contracts';
import { createdEvent, newcomer } from '../../support/api-client.js';
import { mailsTo } from '../../support/mailbox.js';
import { aMember, theAdministrator, visitor } from '../support/people.js';

async function told(path: string, body: object) {
  const { status, text, headers } = await visitor().post<ErrorBody>(path, body);
  const names = [...headers.keys()].filter((name) => name !== 'date').toSorted();
  const same = text.replace(/"requestId":"[^"]+"/, '').replace(/"flow":"[\w-]{22}"/, '');
  const cookies = headers
    .getSetCookie()
    .map((line) => line.replace(/=[\w-]{22}\.[\w-]{22};/, '=;').replace(/Expires=[^;]+/, ''));
  return { status, names, length: headers.get('content-length'), text: same, cookies };
}

let rsvp: string;
beforeAll(async () => {
  rsvp = `/api/events/${(await createdEvent(await theAdministrator())).id}/rsvp`;
});

it.each<[string, () => string, object, number]>([
  ['signing in', () => '/api/login', { password: 'wrong horse' }, 401],
  ['requesting a reset code', () => '/api/forgot-password', {}, 202],
  ['requesting a sign-in code', () => '/api/sign-in-code', {}, 202],
  ['entering a reset code', () => '/api/reset-password', { token: '000000', newPassword: 'new horse' }, 400],
  ['requesting a registration', () => rsvp, { firstName: 'Nora', lastName: 'Newcomer' }, 202],
])('%s does not reveal whether an email address has an account', async (what, path, body, status) => {
  const [{ person }, stranger] = [await aMember(), newcomer()];
  const known = await told(path(), { ...body, email: person.email });
  expect(known).toEqual(await told(path(), { ...body, email: stranger.email }));
  expect(known.status).toBe(status);
  if (path() !== rsvp) expect([what, await mailsTo(stranger.email)]).toEqual([what, []]);
});
