import type { ErrorBody } from '@meetmark/contracts';
import { type Answer, type ApiClient, newcomer } from '../support/api-client.js';
import { aMember, type Person, theAdministrator, visitor } from './support/people.js';

let administrator: ApiClient;
let member: Person;
beforeAll(async () => {
  administrator = await theAdministrator();
  member = await aMember();
}, 60_000);

const letters = (length: number) => 'x'.repeat(length);
/** An address of exactly so many characters: at most 64 before the @, at most 63 between dots. */
function address(length: number): string {
  const random = newcomer().email.slice(0, 40).replaceAll('.', '-');
  const label = `.${letters(61)}`;
  const host = `${label.repeat(4).slice(1)}.org`;
  return `${random}@${host}`.length >= length
    ? `${random}@${host.slice(`${random}@${host}`.length - length)}`
    : `${random.padEnd(random.length + length - `${random}@${host}`.length, 'x')}@${host}`;
}
const linkedIn = (length: number) => 'https://www.linkedin.com/in/'.padEnd(length, 'x');

type Edge = [field: string, what: string, value: unknown, status: number];

/** Sends one field and says what came of it: the status, and with a refusal that the field is the one named. */
async function expectEdge([field, , , status]: Edge, answer: Answer): Promise<void> {
  expect(answer.status).toBe(status);
  if (status !== 400) return;
  const { code, details } = (answer as Answer<ErrorBody>).body;
  expect([code, Object.keys(details?.fields ?? {})]).toEqual(['VALIDATION_FAILED', [field]]);
}

const NAMES: Edge[] = (['firstName', 'lastName'] as const).flatMap((field): Edge[] => [
  [field, 'no character', '', 400],
  [field, 'spaces alone', '   ', 400],
  [field, '1 character', 'x', 201],
  [field, '100 characters', letters(100), 201],
  [field, '100 characters and spaces around', ` ${letters(100)} `, 201],
  [field, '101 characters', letters(101), 400],
  [field, 'null', null, 400],
  [field, 'a number', 7, 400],
]);
const EMAILS: Edge[] = [
  ['email', 'no @', 'nora', 400],
  ['email', 'no host', 'nora@', 400],
  ['email', 'two @', 'a@b@example.org', 400],
  ['email', 'nothing', '', 400],
  ['email', '255 characters', address(255), 201],
  ['email', '256 characters', address(256), 400],
];
const PASSWORDS: Edge[] = [
  ['password', 'no character', '', 400],
  ['password', '1 character', 'x', 201],
  ['password', '255 characters', letters(255), 201],
  ['password', '256 characters', letters(256), 400],
];
const LINKS: Edge[] = [
  ['linkedInUrl', 'nothing', '', 201],
  ['linkedInUrl', 'null', null, 201],
  ['linkedInUrl', '1000 characters', linkedIn(1_000), 201],
  ['linkedInUrl', '1001 characters', linkedIn(1_001), 400],
  ['linkedInUrl', 'no address', 'linkedin', 400],
];

describe('signing up', () => {
  it.each([...NAMES, ...EMAILS, ...PASSWORDS, ...LINKS])('with %s: %s', async (...edge) => {
    const [field, , value] = edge;
    await expectEdge(edge, await visitor().post('/api/register', { ...newcomer(), [field]: value }));
  });
});

describe('a password that is chosen later', () => {
  it.each([
    [5, 400],
    [6, 200],
    [255, 200],
    [256, 400],
  ])('with %i characters answers %i to its owner', async (length, status) => {
    const { client, person } = await aMember();
    const answer = await client.put('/api/user/change-password', {
      currentPassword: person.password,
      newPassword: letters(length),
    });
    expect(answer.status).toBe(status);
  });

  it.each<Edge>([
    ['newPassword', '5 characters', letters(5), 400],
    ['newPassword', '6 characters', letters(6), 200],
    ['newPassword', '255 characters', letters(255), 200],
    ['newPassword', '256 characters', letters(256), 400],
  ])('by an administrator with %s of %s', async (...edge) => {
    const path = `/api/admin/users/${member.user.id}/reset-password`;
    await expectEdge(edge, await administrator.put(path, { newPassword: edge[2] }));
  });

  it.each<Edge>([
    ['password', '5 characters', letters(5), 400],
    ['password', '6 characters', letters(6), 201],
  ])('for a new user with %s of %s', async (...edge) => {
    await expectEdge(
      edge,
      await administrator.post('/api/admin/users', { ...newcomer(), password: edge[2] }),
    );
  });

  it.each(['12345', '1234567', '12345a', '١٢٣٤٥٦', ' 12345', ''])(
    'needs a code of six digits, not %j',
    async (token) => {
      const answer = await visitor().post<ErrorBody>('/api/reset-password', {
        email: newcomer().email,
        token,
        newPassword: 'new horse',
      });
      expect([answer.status, answer.body.details?.fields]).toEqual([
        400,
        { token: ['Token must be 6 digits'] },
      ]);
    },
  );
});
