import type { ErrorBody } from '@meetmark/contracts';
import { newcomer } from '@meetmark/testing/factories/samples';
import { installationForTests } from './open-installation.js';

const installation = installationForTests();

async function fetchAnswer(path: string, body: object) {
  const { status, text, headers } = await installation.visitor().post<ErrorBody>(path, body);
  const names = [...headers.keys()].filter((name) => name !== 'date').toSorted();
  const same = text.replace(/"requestId":"[^"]+"/, '').replace(/"flow":"[\w-]{22}"/, '');
  const cookies = headers
    .getSetCookie()
    .map((line) => line.replace(/=[\w-]{22}\.[\w-]{22};/, '=;').replace(/Expires=[^;]+/, ''));
  return { status, names, length: headers.get('content-length'), text: same, cookies };
}

it.each<[string, path: string, object, number]>([
  ['signing in', '/api/login', { password: 'wrong horse' }, 401],
  ['requesting a reset code', '/api/forgot-password', {}, 202],
  ['requesting a sign-in code', '/api/sign-in-code', {}, 202],
  ['entering a reset code', '/api/reset-password', { token: '000000', newPassword: 'new horse' }, 400],
  ['requesting a registration', '/api/events/:id/rsvp', { firstName: 'Nora', lastName: 'Newcomer' }, 202],
])('%s does not reveal whether an email address has an account', async (_what, template, body, status) => {
  const [{ person }, { id }] = [await installation.addMember(), await installation.createEvent()];
  const path = template.replace(':id', id);
  const known = await fetchAnswer(path, { ...body, email: person.email });
  expect(known).toEqual(await fetchAnswer(path, { ...body, email: newcomer().email }));
  expect(known.status).toBe(status);
});
