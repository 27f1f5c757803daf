import type { User } from '@meetmark/contracts';
import { ApiClient } from '../../support/api-client.js';
import { sharedStack } from '../../support/shared-stack.js';
import { aMember, theAdministrator } from '../support/people.js';

const { gatewayUrls } = sharedStack();
let administrator: ApiClient;
beforeAll(async () => {
  administrator = await theAdministrator();
}, 60_000);

const everywhere = (client: ApiClient, path = '/api/user') =>
  Promise.all(gatewayUrls.map(async (url) => (await client.at(url).get(path)).status));

const promote = (user: User, isAdmin: boolean) =>
  administrator.put(`/api/admin/users/${user.id}/toggle-admin`, { isAdmin });

describe('every gateway', () => {
  it('applies a promotion or demotion from the next request', async () => {
    const { client, user } = await aMember();
    for (let round = 0; round < 10; round++) {
      expect((await promote(user, true)).status).toBe(200);
      expect(await everywhere(client, '/api/admin/summary')).toEqual([200, 200]);
      expect((await promote(user, false)).status).toBe(200);
      expect(await everywhere(client, '/api/admin/summary')).toEqual([403, 403]);
      expect(await everywhere(client)).toEqual([200, 200]);
    }
  }, 60_000);
});

it('a password change ends only the member’s other sessions, at every gateway', async () => {
  const { client, person } = await aMember();
  const elsewhere = new ApiClient(sharedStack().url);
  await elsewhere.signIn(person);
  const passwords = { currentPassword: person.password, newPassword: 'new horse' };
  expect((await elsewhere.put('/api/user/change-password', passwords)).status).toBe(200);
  expect(await everywhere(client)).toEqual([401, 401]);
  expect(await everywhere(elsewhere)).toEqual([200, 200]);
});
