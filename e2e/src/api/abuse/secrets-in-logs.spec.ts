import type { GuestCode } from '@meetmark/contracts';
import { ApiClient, createdEvent, newcomer } from '../../support/api-client.js';
import { sharedStack } from '../../support/shared-stack.js';
import { codeIn, mailTo, resetCodeOf } from '../../support/mailbox.js';
import { logs } from '../support/logs.js';
import { aMember, theAdministrator, visitor } from '../support/people.js';

describe('the logs', () => {
  it('know the member, and none of their secrets, whatever went right or wrong', async () => {
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
    await administrator.put(`/api/admin/users/${user.id}/reset-password`, { newPassword: password });
    await client.post('/api/login', { email, password: wrong });
    await client.signIn({ email, password });
    await client.put('/api/user/change-password', { currentPassword: wrong, newPassword: changed });
    await client.put('/api/user/change-password', { currentPassword: password, newPassword: changed });
    const cookies = [...cookiesOf(client), ...cookiesOf(administrator)];
    await visitor().sendBytes('POST', '/api/login', `{"password":"${wrong}"`, {
      'content-type': 'application/json',
    });
    const browser = visitor();
    await browser.post('/api/forgot-password', { email });
    const code = await resetCodeOf(email);
    await browser.post('/api/reset-password', { email, token: code, newPassword: reset });
    await browser.post('/api/sign-in-code', { email });
    const mailed = await mailTo(email, /sign-in code/);
    const link = /#sign-in\.([\w-]{22})/.exec(mailed.text)![1]!;
    await browser.post('/api/confirm/link', { token: link });
    cookies.push(...cookiesOf(browser));
    const guest = visitor();
    const { id: eventId, title } = await createdEvent(administrator);
    const invited = newcomer();
    const rsvp = { email: invited.email, firstName: 'Nora', lastName: 'Newcomer' };
    const { flow } = (await guest.post<{ flow: string }>(`/api/events/${eventId}/rsvp`, rsvp)).body;
    const invitation = await mailTo(invited.email, new RegExp(title));
    const rsvpCode = codeIn(invitation);
    const rsvpLink = /#rsvp\.([\w-]{22})/.exec(invitation.text)![1]!;
    await guest.post('/api/rsvp/confirm', { flow, code: rsvpCode });
    await visitor().post('/api/confirm/link', { token: rsvpLink });
    cookies.push(...cookiesOf(guest));
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
    await visitor().post('/api/register', { ...newcomer(), password, unknown: wrong });

    const text = await logs();
    expect(text).toContain(user.id); // so these are the logs of what was just done
    const secrets = {
      password,
      wrong,
      changed,
      reset,
      token: token.replace('.ics', ''),
      link,
      rsvpLink,
      preview: preview.body.token,
      place: place.code,
      door: door.body.token,
      ...Object.fromEntries(cookies.map((cookie, index) => [`cookie ${index}`, valueOf(cookie)])),
      ...Object.fromEntries(
        cookies.map((cookie, index) => [`session ${index}`, valueOf(cookie).split('.')[0]!]),
      ),
    };
    for (const [name, secret] of Object.entries(secrets))
      expect([name, text.includes(secret)]).toEqual([name, false]);
    // six digits stand in many numbers: what would betray the code is the code as a value
    expect(text).not.toMatch(new RegExp(`["' :](${code}|${rsvpCode})["' ]`));
    expect(text).not.toContain('$argon2');
    expect(text).not.toMatch(/"(cookie|set-cookie|authorization|password)":"(?!\[)/i);
  });

  it('hold nobody’s address, name or text, those of the database included', async () => {
    const { client, person, user } = await aMember(`Name-${crypto.randomUUID()}`);
    const administrator = await theAdministrator();
    // each is refused by a constraint, with the whole row in what the database says of it
    await visitor().post('/api/register', person);
    const taken = await aMember();
    await administrator.put(`/api/admin/users/${user.id}`, { email: taken.person.email });
    const description = `About-${crypto.randomUUID()}`;
    await client.put('/api/user/profile', {
      firstName: person.firstName,
      lastName: person.lastName,
      description,
    });

    const text = await logs();
    expect(text).toContain('users_email_key');
    for (const personal of [person.email, taken.person.email, person.firstName, description])
      expect([personal, text.includes(personal)]).toEqual([personal, false]);
  });

  it('are lines of JSON, each with its level and time', async () => {
    for (const line of (await logs()).split('\n').filter((one) => one.startsWith('{')))
      expect(Object.keys(JSON.parse(line))).toEqual(expect.arrayContaining(['level', 'time']));
  });

  it('of every process are written down by one request id', async () => {
    const administrator = await theAdministrator();
    const { headers } = await administrator.post('/api/admin/users', newcomer());
    const id = headers.get('x-request-id')!;
    expect((await logs()).split('\n').filter((line) => line.includes(id)).length).toBeGreaterThan(0);
  });
});

const cookiesOf = ({ session }: ApiClient) => session.split('; ');
const valueOf = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);
