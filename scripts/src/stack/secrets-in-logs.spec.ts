import type { AddedFactor, GuestCode, User } from '@meetmark/contracts';
import { newcomer } from '@meetmark/testing/factories/samples';
import { redisContents } from '@meetmark/testing/harness/redis-contents';
import { ApiClient } from '@meetmark/testing/http-client';
import { extractCode, waitForMail } from '@meetmark/testing/mailbox/mailbox-client';
import { Redis } from 'ioredis';
import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { openPeople, type People } from '../installation/people.js';
import { beginRedisFiles, readFiles, readRedisFiles, readTables } from './stored-data.js';
import { startTestStack, type TestStack } from './test-stack.js';

let stack: TestStack;
let owner: pg.Pool;
let people: People;
beforeAll(async () => {
  stack = await startTestStack();
  owner = new pg.Pool({ connectionString: stack.databaseUrl, max: 2 });
  people = await openPeople(stack.url, owner);
});
afterAll(async () => {
  await owner.end();
  await stack.stop();
});

const readLogs = () => readFiles(stack.logDirectory);
const mailTo = (address: string, subject: RegExp) => waitForMail(stack.mailboxUrl, address, subject);
const generateCode = (key: string) => new TOTP({ secret: Secret.fromBase32(key) }).generate();

/** A user's secrets by name. Codes are separate, because their six digits need a stricter search. */
interface Secrets {
  user: User;
  secrets: Record<string, string>;
  codes: Record<string, string>;
}

const mark = (what: string) => `${what}-${crypto.randomUUID()}`;

async function useEverySecret(): Promise<Secrets> {
  const [password, wrong, changed, reset] = ['first', 'wrong', 'changed', 'reset'].map(mark) as [
    string,
    string,
    string,
    string,
  ];
  const { administrator, visitor, addMember, createEvent } = people;
  const { client, person, user } = await addMember();
  const { email } = person;
  const cookies: string[] = [];
  const keepCookies = (...clients: ApiClient[]) => cookies.push(...clients.flatMap(getCookies));
  keepCookies(client);
  await administrator.put(`/api/admin/users/${user.id}/reset-password`, { newPassword: password });
  await client.post('/api/login', { email, password: wrong });
  await client.signIn({ email, password });
  await client.put('/api/user/change-password', { currentPassword: wrong, newPassword: changed });
  await client.expect(200, 'PUT', '/api/user/change-password', {
    currentPassword: password,
    newPassword: changed,
  });
  keepCookies(client, administrator);
  const totp = (await client.expect<{ secret: string }>(200, 'POST', '/api/user/second-factors/totp')).secret;
  const factor = { name: 'Phone', code: generateCode(totp) };
  const { recoveryCodes } = await client.expect<AddedFactor>(
    201,
    'POST',
    '/api/user/second-factors/totp/confirm',
    factor,
  );
  const secondStep = visitor();
  await secondStep.post('/api/login', { email, password: changed });
  keepCookies(secondStep);
  await secondStep.expect(200, 'POST', '/api/login/second-factor', { recoveryCode: recoveryCodes![0] });
  keepCookies(secondStep);
  await visitor().sendBytes('POST', '/api/login', `{"password":"${wrong}"`, {
    'content-type': 'application/json',
  });
  const browser = visitor();
  await browser.post('/api/forgot-password', { email });
  keepCookies(browser);
  const code = extractCode(await mailTo(email, /reset code/i));
  await browser.expect(200, 'POST', '/api/reset-password', { email, token: code, newPassword: reset });
  const other = await addMember();
  await browser.post('/api/sign-in-code', { email: other.person.email });
  const mailed = await mailTo(other.person.email, /sign-in code/);
  const link = /#sign-in\.([\w-]{22})/.exec(mailed.text)![1]!;
  await browser.expect(200, 'POST', '/api/confirm/link', { token: link });
  keepCookies(browser);
  const guest = visitor();
  const { id: eventId, title } = await createEvent();
  const invited = newcomer();
  const rsvp = { email: invited.email, firstName: 'Nora', lastName: 'Newcomer' };
  const { flow } = (await guest.post<{ flow: string }>(`/api/events/${eventId}/rsvp`, rsvp)).body;
  const invitation = await mailTo(invited.email, new RegExp(title));
  const rsvpCode = extractCode(invitation);
  const rsvpLink = /#rsvp\.([\w-]{22})/.exec(invitation.text)![1]!;
  await guest.expect(200, 'POST', '/api/rsvp/confirm', { flow, code: rsvpCode });
  await visitor().post('/api/confirm/link', { token: rsvpLink });
  keepCookies(guest);
  const feed = await (await addMember()).client.post<{ url: string }>('/api/user/calendar-feed');
  const token = feed.body.url.split('/').at(-1)!;
  await visitor().get(`/api/calendar/${token}`);
  const { client: coming } = await addMember();
  await coming.post(`/api/events/${eventId}/register`);
  const place = await coming.expect<GuestCode>(200, 'GET', `/api/my-events/${eventId}/code`);
  for (const path of ['/c/', '/api/codes/']) await visitor().get(`${path}${place.code}`);
  const draft = await createEvent({ status: 'draft' });
  const preview = await administrator.post<{ token: string }>(`/api/events/${draft.id}/preview`);
  for (const path of ['/api/event-previews/', '/events/preview/'])
    await visitor().get(`${path}${preview.body.token}`);
  const door = await administrator.post<{ token: string }>(`/api/admin/events/${eventId}/door-links`);
  await visitor().get(`/door/${door.body.token}`);
  const phone = new ApiClient(stack.url, { authorization: `Bearer ${door.body.token}` });
  expect((await phone.get('/api/door')).status).toBe(200);
  await visitor().get(`/api/nothing?password=${wrong}`);
  const newest = newcomer();
  const chosen = mark('chosen');
  await visitor().post('/api/register', { ...newest, password, unknown: wrong });
  await visitor().expect(201, 'POST', '/api/register', { ...newest, password: chosen });

  const secrets = {
    ...{ password, wrong, changed, reset, chosen, link, rsvpLink, totp },
    ...{
      feed: token.replace('.ics', ''),
      preview: preview.body.token,
      place: place.code,
      door: door.body.token,
    },
    ...Object.fromEntries(recoveryCodes!.map((each, index) => [`recovery code ${index}`, each])),
    ...Object.fromEntries(cookies.map((cookie, index) => [`cookie ${index}`, getValue(cookie)])),
  };
  return { user, secrets, codes: { code, rsvpCode } };
}

const foundIn = (text: string, secrets: Record<string, string>) =>
  Object.entries(secrets)
    .filter(([, secret]) => text.includes(secret) || text.includes(Buffer.from(secret).toString('hex')))
    .map(([name]) => name);

/**
 * Returns the names of the codes that occur as a quoted string. Longer numbers may contain the same six
 * digits.
 */
const codesIn = (text: string, codes: Record<string, string>) =>
  Object.entries(codes)
    .filter(([, code]) => new RegExp(`"${code}\\\\?"`).test(text))
    .map(([name]) => name);

describe('Meetmark after the use of every secret', () => {
  const controls = { planted: `planted-${crypto.randomUUID()}` };
  const plantedCodes = { planted: '902168' };
  let used: Secrets;
  let inLogs: string;
  let stores: [store: string, contents: string][];

  beforeAll(async () => {
    const redis = new Redis(stack.redisUrl);
    await beginRedisFiles(redis);
    // Deletes the key, so that its value remains only in Redis's files.
    await redis.set('control', JSON.stringify({ text: controls.planted, code: plantedCodes.planted }));
    await redis.del('control');
    used = await useEverySecret();
    inLogs = await readLogs();
    stores = [
      ['PostgreSQL', await readTables(stack.databaseUrl)],
      ['Redis', (await redisContents(stack.redisUrl)).join('\n')],
      ["Redis' files", await readRedisFiles(redis)],
    ];
    redis.disconnect();
  });

  it('writes no secret to the logs', () => {
    expect(inLogs).toContain(used.user.id);
    const sessions = Object.entries(used.secrets)
      .filter(([name]) => name.startsWith('cookie'))
      .map(([name, value]) => [`session of ${name}`, value.split('.')[0]!]);
    expect(foundIn(inLogs, { ...used.secrets, ...Object.fromEntries(sessions) })).toEqual([]);
    expect(inLogs).not.toMatch(new RegExp(`["' :](${Object.values(used.codes).join('|')})["' ]`));
    expect(inLogs).not.toContain('$argon2');
    expect(inLogs).not.toMatch(/"(cookie|set-cookie|authorization|password)":"(?!\[)/i);
  });

  it('stores no readable secret in PostgreSQL, Redis or Redis’s files', () => {
    for (const [store, contents] of stores) {
      expect([store, foundIn(contents, used.secrets)]).toEqual([store, []]);
      expect([store, codesIn(contents, used.codes)]).toEqual([store, []]);
    }
  });

  it('stores the user’s id and planted secrets where the search finds them', () => {
    const holding = (text: string) =>
      stores.filter(([, contents]) => contents.includes(text)).map(([name]) => name);
    expect(holding(used.user.id)).toEqual(['PostgreSQL', 'Redis', "Redis' files"]);
    const files = stores.at(-1)![1];
    expect([foundIn(files, controls), codesIn(files, plantedCodes)]).toEqual([['planted'], ['planted']]);
  });
});

it('Meetmark logs no personal data or joining links, even from database errors', async () => {
  const { administrator, visitor, addMember, createEvent } = people;
  const { client, person, user } = await addMember(`Name-${crypto.randomUUID()}`);
  // These requests violate a constraint, and PostgreSQL's error contains the whole row.
  await visitor().post('/api/register', person);
  const taken = await addMember();
  await administrator.put(`/api/admin/users/${user.id}`, { email: taken.person.email });
  const [description, room, onlineNote] = ['about', 'room', 'passcode'].map(mark);
  const { firstName, lastName } = person;
  await client.put('/api/user/profile', { firstName, lastName, description });
  const { id } = await createEvent({ onlineUrl: `https://meet.example/${room}`, onlineNote });
  await client.expect(201, 'POST', `/api/events/${id}/register`);
  await client.get(`/api/events/${id}`);
  await mailTo(person.email, /^You are registered/);

  const text = await readLogs();
  expect(text).toContain('users_email_key');
  for (const personal of [person.email, taken.person.email, firstName, description, room, onlineNote])
    expect([personal, text.includes(personal!)]).toEqual([personal, false]);
  for (const line of text.split('\n').filter((one) => one.startsWith('{')))
    expect(Object.keys(JSON.parse(line))).toEqual(expect.arrayContaining(['level', 'time']));
});

it('Meetmark keeps nothing of a deleted member except an id in the logs', async () => {
  const { administrator, visitor, addMember, createEvent } = people;
  const { client, person, user } = await addMember(mark('name'));
  const { firstName, lastName, email } = person;
  const [description, answer] = ['about', 'allergy'].map(mark) as [string, string];
  await client.expect(200, 'PUT', '/api/user/profile', { firstName, lastName, description });
  const question = { id: crypto.randomUUID(), kind: 'text' as const, label: 'Any allergies?', options: [] };
  const { id } = await createEvent({ questions: [question] });
  await client.expect(201, 'POST', `/api/events/${id}/register`, { answers: { [question.id]: answer } });
  await visitor().post('/api/login', { email, password: 'wrong' });
  await visitor().post('/api/forgot-password', { email });
  await administrator.expect(204, 'DELETE', `/api/admin/users/${user.id}`);

  const [inTables, inRedis] = [await readTables(stack.databaseUrl), await redisContents(stack.redisUrl)];
  const inLogs = await readLogs();
  expect(inTables).toContain(question.id);
  expect([inTables.includes(user.id), inLogs.includes(user.id)]).toEqual([false, true]);
  for (const personal of [email, firstName, description, answer]) {
    const stores = [inTables, inRedis.join('\n'), inLogs];
    expect([personal, stores.map((store) => store.includes(personal))]).toEqual([
      personal,
      [false, false, false],
    ]);
  }
});

const getCookies = ({ session }: ApiClient) => session.split('; ');
const getValue = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);
