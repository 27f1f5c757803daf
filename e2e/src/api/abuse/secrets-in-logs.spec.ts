import type { AddedFactor, GuestCode, User } from '@meetmark/contracts';
import { ApiClient, createdEvent, newcomer } from '../../support/api-client.js';
import { sharedStack } from '../../support/shared-stack.js';
import { generateCode } from '../../support/second-factor.js';
import {
  beginRedisFiles,
  endRedisFiles,
  passThroughRedis,
  redisFiles,
  redisKeys,
  tables,
} from '../../support/stored-data.js';
import { codeIn, mailTo, readResetCode } from '../../support/mailbox.js';
import { logs } from '../support/logs.js';
import { aMember, theAdministrator, visitor } from '../support/people.js';

/** A user's secrets by name. Codes are separate, because their six digits need a stricter search. */
interface Secrets {
  user: User;
  secrets: Record<string, string>;
  codes: Record<string, string>;
}

async function useEverySecret(): Promise<Secrets> {
  const marked = (what: string) => `${what}-${crypto.randomUUID()}`;
  const [password, wrong, changed, reset] = ['first', 'wrong', 'changed', 'reset'].map(marked) as [
    string,
    string,
    string,
    string,
  ];
  const { client, person, user } = await aMember();
  const administrator = await theAdministrator();
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
  const code = await readResetCode(email);
  await browser.expect(200, 'POST', '/api/reset-password', { email, token: code, newPassword: reset });
  const other = await aMember();
  await browser.post('/api/sign-in-code', { email: other.person.email });
  const mailed = await mailTo(other.person.email, /sign-in code/);
  const link = /#sign-in\.([\w-]{22})/.exec(mailed.text)![1]!;
  await browser.expect(200, 'POST', '/api/confirm/link', { token: link });
  keepCookies(browser);
  const guest = visitor();
  const { id: eventId, title } = await createdEvent(administrator);
  const invited = newcomer();
  const rsvp = { email: invited.email, firstName: 'Nora', lastName: 'Newcomer' };
  const { flow } = (await guest.post<{ flow: string }>(`/api/events/${eventId}/rsvp`, rsvp)).body;
  const invitation = await mailTo(invited.email, new RegExp(title));
  const rsvpCode = codeIn(invitation);
  const rsvpLink = /#rsvp\.([\w-]{22})/.exec(invitation.text)![1]!;
  await guest.expect(200, 'POST', '/api/rsvp/confirm', { flow, code: rsvpCode });
  await visitor().post('/api/confirm/link', { token: rsvpLink });
  keepCookies(guest);
  const feed = await (await aMember()).client.post<{ url: string }>('/api/user/calendar-feed');
  const token = feed.body.url.split('/').at(-1)!;
  await visitor().get(`/api/calendar/${token}`);
  const { client: coming } = await aMember();
  await coming.post(`/api/events/${eventId}/register`);
  const place = await coming.expect<GuestCode>(200, 'GET', `/api/my-events/${eventId}/code`);
  for (const path of ['/c/', '/api/codes/']) await visitor().get(`${path}${place.code}`);
  const draft = await createdEvent(administrator, { status: 'draft' });
  const preview = await administrator.post<{ token: string }>(`/api/events/${draft.id}/preview`);
  for (const path of ['/api/event-previews/', '/events/preview/'])
    await visitor().get(`${path}${preview.body.token}`);
  const door = await administrator.post<{ token: string }>(`/api/admin/events/${eventId}/door-links`);
  await visitor().get(`/door/${door.body.token}`);
  const phone = new ApiClient(sharedStack().url, { authorization: `Bearer ${door.body.token}` });
  expect((await phone.get('/api/door')).status).toBe(200);
  await visitor().get(`/api/nothing?password=${wrong}`);
  const newest = newcomer();
  const chosen = marked('chosen');
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
    await beginRedisFiles();
    await passThroughRedis(JSON.stringify({ text: controls.planted, code: plantedCodes.planted }));
    used = await useEverySecret();
    inLogs = await logs();
    stores = [
      ['PostgreSQL', await tables()],
      ['Redis', await redisKeys()],
      ["Redis' files", await redisFiles()],
    ];
  });
  afterAll(endRedisFiles);

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

it('Meetmark logs no personal email address, name or text, even from database errors', async () => {
  const { client, person, user } = await aMember(`Name-${crypto.randomUUID()}`);
  const administrator = await theAdministrator();
  // These requests violate a constraint, and PostgreSQL's error contains the whole row.
  await visitor().post('/api/register', person);
  const taken = await aMember();
  await administrator.put(`/api/admin/users/${user.id}`, { email: taken.person.email });
  const description = `About-${crypto.randomUUID()}`;
  const { firstName, lastName } = person;
  await client.put('/api/user/profile', { firstName, lastName, description });

  const text = await logs();
  expect(text).toContain('users_email_key');
  for (const personal of [person.email, taken.person.email, firstName, description])
    expect([personal, text.includes(personal)]).toEqual([personal, false]);
  for (const line of text.split('\n').filter((one) => one.startsWith('{')))
    expect(Object.keys(JSON.parse(line))).toEqual(expect.arrayContaining(['level', 'time']));
});

const getCookies = ({ session }: ApiClient) => session.split('; ');
const getValue = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);
