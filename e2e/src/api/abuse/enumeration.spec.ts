import type { ErrorBody, User } from '@meetmark/contracts';
import { newcomer } from '../../support/api-client.js';
import { mailTo, mailsTo, resetCodeOf } from '../../support/mailbox.js';
import { aMember, type Person, visitor } from '../support/people.js';
import { row } from '../support/rows.js';

let member: Person;
beforeAll(async () => {
  member = await aMember();
}, 60_000);

/** What an answer tells, but for what differs in any two answers. */
async function told(path: string, body: object) {
  const { status, text, headers } = await visitor().post<ErrorBody>(path, body);
  const names = [...headers.keys()].filter((name) => name !== 'date').toSorted();
  return { status, names, text: text.replace(/"requestId":"[^"]+"/, ''), cookies: cookiesOf(headers) };
}

/** Milliseconds between two medians that count as the same. */
const ALIKE = 5;
const PAIRS = 25;
const ROUNDS = 4;
const median = (values: number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

/** Without what is random in them. */
const cookiesOf = (headers: Headers) =>
  headers.getSetCookie().map((line) => line.replace(/=[\w-]{22};/, '=;').replace(/Expires=[^;]+/, ''));

describe('somebody who asks whether an address has an account', () => {
  it('learns nothing by signing in', async () => {
    const known = await told('/api/login', { email: member.person.email, password: 'wrong horse' });
    const unknown = await told('/api/login', { email: newcomer().email, password: 'wrong horse' });
    expect(known).toEqual(unknown);
    expect(known.status).toBe(401);
  });

  it('learns nothing by asking for a code, which nobody else is mailed', async () => {
    const stranger = newcomer();
    const known = await told('/api/forgot-password', { email: member.person.email });
    const unknown = await told('/api/forgot-password', { email: stranger.email });
    expect(known).toEqual(unknown);
    expect(known.status).toBe(202);
    await mailTo(member.person.email, /reset code/i);
    expect(await mailsTo(stranger.email)).toEqual([]);
  });

  it('learns nothing by asking for a code to sign in with', async () => {
    const known = await told('/api/sign-in-code', { email: member.person.email });
    const unknown = await told('/api/sign-in-code', { email: newcomer().email });
    expect(known).toEqual(unknown);
    expect(known.cookies).toHaveLength(1);
  });

  it('learns nothing from how long that takes', async () => {
    const timed = async (email: string) => {
      const began = performance.now();
      await visitor().post('/api/sign-in-code', { email });
      return performance.now() - began;
    };
    const { person } = await aMember();
    // what the address decides shows in every round; what else the machine does shows in some
    let apart = Infinity;
    for (let round = 0; round < ROUNDS && apart >= ALIKE; round += 1) {
      const [known, unknown]: [number[], number[]] = [[], []];
      for (let pair = 0; pair < PAIRS; pair += 1) {
        known.push(await timed(person.email));
        unknown.push(await timed(newcomer().email));
      }
      apart = Math.abs(median(known) - median(unknown));
    }
    expect(apart).toBeLessThan(ALIKE);
  });

  it('learns nothing by giving the address to the own account', async () => {
    const [{ client }, { client: other }] = [await aMember(), await aMember()];
    const wanted = (by: typeof client, email: string) =>
      by.put<User>('/api/user/profile', {
        email,
        firstName: 'Eve',
        lastName: 'Example',
        currentPassword: 'correct horse',
      });
    const stranger = newcomer().email;
    const answers = [await wanted(client, member.person.email), await wanted(other, stranger)];
    expect(answers.map(({ status, body }) => [status, body.pendingEmail])).toEqual([
      [200, member.person.email],
      [200, stranger],
    ]);
    expect((await mailTo(member.person.email, /You have an account/)).text).not.toContain('Eve');
    const { text, html } = await mailTo(stranger, /Confirm your new address/);
    expect(text + html).not.toMatch(/Eve|Example/); // what others type does not reach a stranger
  });

  it('learns nothing by trying a code', async () => {
    const attempt = { token: '000000', newPassword: 'new horse' };
    await visitor().post('/api/forgot-password', { email: member.person.email });
    const known = await told('/api/reset-password', { ...attempt, email: member.person.email });
    const unknown = await told('/api/reset-password', { ...attempt, email: newcomer().email });
    expect(known).toEqual(unknown);
    expect(known.status).toBe(400);
  });

  it('is told by signing up, as every site that signs in at once must; the account stays as it was', async () => {
    const before = await row('SELECT version, password_hash FROM auth.users WHERE id = $1', [member.user.id]);
    const { email } = member.person;
    const { status, body } = await visitor().post<ErrorBody>('/api/register', { ...newcomer(), email });
    expect([status, body.message]).toEqual([409, 'A user with this email address already exists']);
    const after = await row('SELECT version, password_hash FROM auth.users WHERE id = $1', [member.user.id]);
    expect(after).toEqual(before);
  });
});

describe('a reset code', () => {
  it('is good for one address, in any letter case of it', async () => {
    const [owner, other] = [await aMember(), await aMember()];
    const browser = visitor();
    await browser.post('/api/forgot-password', { email: owner.person.email });
    const token = await resetCodeOf(owner.person.email);
    const reset = (email: string) =>
      browser.post('/api/reset-password', { email, token, newPassword: 'new horse' });
    expect((await reset(other.person.email)).status).toBe(400);
    expect((await reset(owner.person.email.toUpperCase())).status).toBe(200);
  });

  it('is nowhere but in the mail', async () => {
    const { person } = await aMember();
    await visitor().post('/api/forgot-password', { email: person.email });
    const code = await resetCodeOf(person.email);
    const stored = await row<{ tokens: string; jobs: string }>(
      `SELECT (SELECT string_agg(t::text, ' ') FROM auth.code_flows t WHERE email = $1) AS tokens,
              (SELECT string_agg(payload::text, ' ') FROM auth.outbox WHERE job = 'mail.code') AS jobs`,
      [person.email],
    );
    // ids are hexadecimal and could hold any digits: what would betray the code is the code as a value of its own
    expect(stored?.tokens).not.toMatch(new RegExp(`[(,"]${code}[),"]`));
    expect(stored?.jobs).not.toContain(`"${code}"`);
  });
});
