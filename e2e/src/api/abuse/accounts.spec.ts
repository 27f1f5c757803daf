import type { User } from '@meetmark/contracts';
import { type ApiClient, createdEvent, newcomer } from '../../support/api-client.js';
import { mailsTo, mailTo, resetCodeOf } from '../../support/mailbox.js';
import { aMember, signedIn, theAdministrator, visitor } from '../support/people.js';

const wrong = (code: string, by: number) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

describe('somebody who wants into an account, or to speak for it', () => {
  const wantAddress = (client: ApiClient, email: string, firstName: string) =>
    client.put<User>('/api/user/profile', { email, firstName, lastName: 'Example' });

  it('writes nothing of their own to strangers by giving the account their addresses', async () => {
    const { client } = await aMember();
    const strangers = [newcomer().email, newcomer().email, newcomer().email];
    const words = `Win-${crypto.randomUUID()}`;
    for (const stranger of strangers) await wantAddress(client, stranger, words);
    // a mail that is asked for later has come: so has each that was asked for before
    await client.post('/api/forgot-password', { email: (await client.get<User>('/api/user')).body.email });
    await resetCodeOf((await client.get<User>('/api/user')).body.email);
    const mails = (await Promise.all(strangers.map(mailsTo))).flat();
    expect(
      mails.filter(({ text, html, headers }) => JSON.stringify([text, html, headers]).includes(words)),
    ).toEqual([]);
  });

  it('does not take it over with a stolen session', async () => {
    const { client, person } = await aMember();
    const thief = newcomer().email;
    await wantAddress(client, thief, 'Nora');
    await visitor().post('/api/forgot-password', { email: thief });
    const owner = await signedIn(person);
    expect((await owner.get<User>('/api/user')).body.email).toBe(person.email);
  });

  it('reads nothing by the secret calendar address after the password was reset', async () => {
    const { client, person } = await aMember();
    const { body } = await client.post<{ url: string }>('/api/user/calendar-feed');
    const path = new URL(body.url).pathname;
    expect((await visitor().get(path)).status).toBe(200);
    const browser = visitor();
    await browser.post('/api/forgot-password', { email: person.email });
    const token = await resetCodeOf(person.email);
    await browser.post('/api/reset-password', { email: person.email, token, newPassword: 'new horse' });
    expect((await visitor().get(path)).status).toBe(404);
    expect((await mailTo(person.email, /password was changed/)).text).toContain('calendar address');
    const owner = await signedIn({ ...person, password: 'new horse' });
    const renewed = await owner.post<{ url: string }>('/api/user/calendar-feed');
    expect((await visitor().get(new URL(renewed.body.url).pathname)).status).toBe(200);
  });

  it('uses up neither the tries nor the codes of its owner', async () => {
    const { person } = await aMember();
    const owner = visitor();
    await owner.post('/api/forgot-password', { email: person.email });
    const token = await resetCodeOf(person.email);
    const reset = (by: ApiClient, code: string) =>
      by.post('/api/reset-password', { email: person.email, token: code, newPassword: 'new horse' });
    for (let n = 1; n <= 6; n += 1) expect((await reset(visitor(), wrong(token, n))).status).toBe(400);
    const attacker = visitor();
    await attacker.post('/api/forgot-password', { email: person.email });
    expect((await reset(attacker, token)).status).toBe(400);
    expect((await reset(owner, token)).status).toBe(200);
  });

  it('learns no name of who has not shown that the address is theirs', async () => {
    const [squatter, onlooker] = [newcomer('Hidden'), await aMember()];
    const client = visitor();
    await client.post('/api/register', squatter);
    const event = await createdEvent(await theAdministrator());
    expect((await client.post(`/api/events/${event.id}/register`)).status).toBe(201);
    const { status, text } = await onlooker.client.get(`/api/events/${event.id}/attendees`);
    expect([status, text]).toEqual([200, '[]']);
  });

  it('keeps no way in by having signed up first with the address of another', async () => {
    const person = newcomer();
    const squatter = visitor();
    await squatter.post('/api/register', person);
    const { text } = await mailTo(person.email, /Confirm your email address/);
    const [, token] = /#verify\.([\w-]{22})/.exec(text)!;
    const owner = visitor();
    const { body } = await owner.post<{ user: User }>('/api/confirm/link', { token });
    expect(body.user).toMatchObject({ email: person.email, hasPassword: false });
    expect((await squatter.get('/api/user')).status).toBe(401);
    await expect(signedIn(person)).rejects.toThrow(/401/);
    expect((await owner.get('/api/user')).status).toBe(200);
  });
});

describe('a scanner that opens every link of every mail', () => {
  it('changes nothing', async () => {
    const person = newcomer();
    const client = visitor();
    await client.post('/api/register', person);
    const { text, html } = await mailTo(person.email, /Confirm your email address/);
    for (const [link] of `${text} ${html}`.matchAll(/https?:\/\/localhost[^\s"<]+/g)) await fetch(link);
    expect((await client.get<User>('/api/user')).body.emailVerifiedAt).toBeNull();
  });
});
