import type { ErrorBody } from '@meetmark/contracts';
import { newcomer } from '../../support/api-client.js';
import { mailsTo } from '../../support/mailbox.js';
import { aMember, visitor } from '../support/people.js';

/** What an answer tells, but for what differs in any two answers. */
async function told(path: string, body: object) {
  const { status, text, headers } = await visitor().post<ErrorBody>(path, body);
  const names = [...headers.keys()].filter((name) => name !== 'date').toSorted();
  return { status, names, text: text.replace(/"requestId":"[^"]+"/, ''), cookies: cookiesOf(headers) };
}

/** Without what is random in them. */
const cookiesOf = (headers: Headers) =>
  headers.getSetCookie().map((line) => line.replace(/=[\w-]{22};/, '=;').replace(/Expires=[^;]+/, ''));

it.each([
  ['signing in', '/api/login', { password: 'wrong horse' }, 401],
  ['asking for a reset code', '/api/forgot-password', {}, 202],
  ['asking for a code to sign in with', '/api/sign-in-code', {}, 202],
  ['trying a code', '/api/reset-password', { token: '000000', newPassword: 'new horse' }, 400],
])('by %s nobody learns whether an address has an account', async (_, path, body, status) => {
  const [{ person }, stranger] = [await aMember(), newcomer()];
  const known = await told(path, { ...body, email: person.email });
  expect(known).toEqual(await told(path, { ...body, email: stranger.email }));
  expect(known.status).toBe(status);
  expect(await mailsTo(stranger.email)).toEqual([]);
});
