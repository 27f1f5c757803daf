import type { User } from '@meetmark/contracts';
import { type ApiClient } from '../../support/api-client.js';
import { sharedStack } from '../../support/shared-stack.js';
import { resetCodeOf } from '../../support/mailbox.js';
import { aMember, anAdministrator, signedIn, theAdministrator, visitor } from '../support/people.js';

const { gatewayUrls } = sharedStack();
let administrator: ApiClient;
beforeAll(async () => {
  administrator = await theAdministrator();
}, 60_000);

/** What a session is still good for at each gateway. */
const everywhere = (client: ApiClient, path = '/api/user') =>
  Promise.all(gatewayUrls.map(async (url) => (await client.at(url).get(path)).status));

const promote = (user: User, isAdmin: boolean) =>
  administrator.put(`/api/admin/users/${user.id}/toggle-admin`, { isAdmin });

describe('a right that changes', () => {
  it('is there, and gone again, at the next request, at every gateway', async () => {
    const { client, user } = await aMember();
    for (let round = 0; round < 10; round++) {
      expect((await promote(user, true)).status).toBe(200);
      expect(await everywhere(client, '/api/admin/summary')).toEqual([200, 200]);
      expect((await promote(user, false)).status).toBe(200);
      expect(await everywhere(client, '/api/admin/summary')).toEqual([403, 403]);
      expect(await everywhere(client)).toEqual([200, 200]);
    }
  }, 60_000);

  it('is gone in the services too, whoever still believes in it', async () => {
    const { client, user } = await anAdministrator();
    const working = Array.from({ length: 20 }, (_, index) =>
      client.at(gatewayUrls[index % gatewayUrls.length]!).get('/api/admin/users?limit=1'),
    );
    const demoted = await promote(user, false);
    expect(demoted.status).toBe(200);
    for (const { status } of await Promise.all(working)) expect([200, 403]).toContain(status);
    expect(await everywhere(client, '/api/admin/users')).toEqual([403, 403]);
  });
});

describe('an old cookie is dead at every gateway once', () => {
  it('its owner signed out', async () => {
    const { client } = await aMember();
    const thief = client.at(gatewayUrls[1]!);
    await client.post('/api/logout');
    expect(await everywhere(thief)).toEqual([401, 401]);
  });

  it('its owner signed in again', async () => {
    const { client, person } = await aMember();
    const thief = client.at(gatewayUrls[1]!);
    await client.signIn(person);
    expect(await everywhere(thief)).toEqual([401, 401]);
    expect(await everywhere(client)).toEqual([200, 200]);
  });

  it('the password was changed elsewhere, whose own session goes on', async () => {
    const { client, person } = await aMember();
    const elsewhere = await signedIn(person);
    const passwords = { currentPassword: person.password, newPassword: 'new horse' };
    expect((await elsewhere.put('/api/user/change-password', passwords)).status).toBe(200);
    expect(await everywhere(client)).toEqual([401, 401]);
    expect(await everywhere(elsewhere)).toEqual([200, 200]);
  });

  it('an administrator set the password', async () => {
    const { client, user, person } = await aMember();
    await administrator.put(`/api/admin/users/${user.id}/reset-password`, { newPassword: 'Abcd1234' });
    expect(await everywhere(client)).toEqual([401, 401]);
    expect((await visitor().post('/api/login', { email: person.email, password: 'Abcd1234' })).status).toBe(
      200,
    );
  });

  it('the password was reset by code, which signs nobody in', async () => {
    const { client, person } = await aMember();
    const browser = visitor();
    await browser.post('/api/forgot-password', { email: person.email });
    const reset = { email: person.email, token: await resetCodeOf(person.email), newPassword: 'new horse' };
    const answer = await browser.post('/api/reset-password', reset);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
    expect(await everywhere(client)).toEqual([401, 401]);
    expect((await browser.post('/api/reset-password', reset)).status).toBe(400);
  });

  it('the account was deleted', async () => {
    const { client, user } = await aMember();
    await administrator.delete(`/api/admin/users/${user.id}`);
    expect(await everywhere(client)).toEqual([401, 401]);
  });
});

describe('a session id', () => {
  it('that nobody gave out is not taken over', async () => {
    const planted = 'meetmark_session=planted.signature';
    const answer = await visitor().post(
      '/api/login',
      { email: sharedStack().member.email, password: sharedStack().member.password },
      { cookie: planted },
    );
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^meetmark_session=[^;]{40,};.*HttpOnly; SameSite=Lax/i);
    expect(cookie).not.toContain('planted');
  });

  it('is new at each sign-in', async () => {
    const sessions = [];
    for (let round = 0; round < 3; round++) sessions.push((await signedIn(sharedStack().member)).session);
    expect(new Set(sessions).size).toBe(3);
  });

  it('cannot be made up from another by changing a character', async () => {
    const { client } = await aMember();
    const at = client.session.indexOf('=') + 3;
    const forged =
      client.session.slice(0, at) + (client.session[at] === 'A' ? 'B' : 'A') + client.session.slice(at + 1);
    expect((await visitor().send('GET', '/api/user', undefined, { cookie: forged })).status).toBe(401);
  });
});
