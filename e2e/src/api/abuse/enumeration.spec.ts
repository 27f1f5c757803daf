import type { ErrorBody } from '@meetmark/contracts';
import { createdEvent, newcomer } from '../../support/api-client.js';
import { mailsTo, mailTo } from '../../support/mailbox.js';
import { aMember, theAdministrator, visitor } from '../support/people.js';

async function told(path: string, body: object) {
  const { status, text, headers } = await visitor().post<ErrorBody>(path, body);
  const names = [...headers.keys()].filter((name) => name !== 'date').toSorted();
  const same = text.replace(/"requestId":"[^"]+"/, '').replace(/"flow":"[\w-]{22}"/, '');
  return { status, names, length: headers.get('content-length'), text: same, cookies: getCookies(headers) };
}

const getCookies = (headers: Headers) =>
  headers
    .getSetCookie()
    .map((line) => line.replace(/=[\w-]{22}\.[\w-]{22};/, '=;').replace(/Expires=[^;]+/, ''));

it.each([
  ['signing in', '/api/login', { password: 'wrong horse' }, 401],
  ['requesting a reset code', '/api/forgot-password', {}, 202],
  ['requesting a sign-in code', '/api/sign-in-code', {}, 202],
  ['entering a reset code', '/api/reset-password', { token: '000000', newPassword: 'new horse' }, 400],
])('%s does not reveal whether an email address has an account', async (_, path, body, status) => {
  const [{ person }, stranger] = [await aMember(), newcomer()];
  const known = await told(path, { ...body, email: person.email });
  expect(known).toEqual(await told(path, { ...body, email: stranger.email }));
  expect(known.status).toBe(status);
  expect(await mailsTo(stranger.email)).toEqual([]);
});

it('requesting a registration reveals an account only in the email', async () => {
  const { id, title } = await createdEvent(await theAdministrator());
  const [{ person }, stranger] = [await aMember(), newcomer()];
  const body = { firstName: 'Nora', lastName: 'Newcomer' };
  const asking = (email: string) => told(`/api/events/${id}/rsvp`, { ...body, email });
  const known = await asking(person.email);
  expect(known).toEqual(await asking(stranger.email));
  expect(known.status).toBe(202);
  const trying = { flow: 'x'.repeat(22), code: '000000' };
  expect(await told('/api/rsvp/confirm', trying)).toMatchObject({ status: 400 });
  const [toKnown, toStranger] = await Promise.all(
    [person, stranger].map(({ email }) => mailTo(email, new RegExp(title))),
  );
  expect([toKnown!, toStranger!].map(({ text }) => /sign in and register/i.test(text))).toEqual([
    true,
    false,
  ]);
});
