import { ACCESS_TABLE, type AccessRule } from '@meetmark/gateway/access/access-table';
import type { ApiClient } from '../support/api-client.js';
import { sharedStack } from '../support/shared-stack.js';
import { CALL_STORIES } from './support/calls.js';
import { aMember, anAdministrator, type Person, theAdministrator, visitor } from './support/people.js';

const PAGES = { headers: { accept: 'text/html' } };
const ROLES = ['a visitor', 'a member', 'an administrator'] as const;
const ID = '01999999-0000-7000-8000-000000000000';

let administrator: ApiClient;
let callers: (Person | null)[];
beforeAll(async () => {
  administrator = await theAdministrator();
  callers = [null, await aMember(), await anAdministrator()];
}, 60_000);

/** Somebody of this role whom nobody else needs any more. */
const ANOTHER = [async () => null, () => aMember(), () => anAdministrator()];

/** Answered to browsers, and no part of the API's description. */
const isPage = (path: string) => !path.startsWith('/api/') || /^\/api\/(docs|openapi)/.test(path);

describe('the access table', () => {
  describe.each(CALL_STORIES)('$call', ({ call, statuses, ownSession, prepare }) => {
    it.each(ROLES.map((role, index) => [statuses[index], role, index]))(
      'answers %s to %s',
      async (status, _, role) => {
        const caller = ownSession ? await ANOTHER[Number(role)]!() : callers[Number(role)]!;
        const [method = '', ownPath = ''] = call.split(' ');
        const { path = ownPath, body } = (await prepare?.(administrator, caller)) ?? {};
        const client = caller?.client ?? visitor();
        if (isPage(path)) {
          expect((await fetch(client.url + path, PAGES)).status).toBe(status);
          return;
        }
        const answer = await client.send<{ message?: string } | null>(method, path, body);
        expect(answer.status).toBe(status);
        if (status === 401 && !path.startsWith('/api/login'))
          expect(answer.body?.message).toContain('Unauthorized');
      },
    );
  });
});

describe('an address written another way', () => {
  const CLOSED = ACCESS_TABLE.filter(({ access }) => access !== 'public');
  const SPELLINGS: [string, (path: string) => string][] = [
    ['with a slash at its end', (path) => `${path}/`],
    ['in capitals', (path) => path.toUpperCase()],
    ['with a capital', (path) => path.replace('/api', '/Api')],
    ['with two slashes', (path) => path.replace('/api/', '/api//')],
    ['with two slashes in front', (path) => `/${path}`],
    ['with an encoded letter', (path) => path.replace('/api/', '/%61pi/')],
    ['with an encoded slash', (path) => path.replace('/api/', '/api%2F')],
    ['with a dot', (path) => path.replace('/api/', '/api/./')],
    ['by way of a public call', (path) => path.replace('/api/', '/api/config/..%2f')],
    ['with parameters in it', (path) => `${path};public`],
    ['with a question mark', (path) => `${path}?`],
    ['with a fragment of another', (path) => `${path}%23/api/config`],
  ];
  const refusal = (client: ApiClient, { method, path }: Pick<AccessRule, 'method' | 'path'>) =>
    fetch(client.url + path, {
      method,
      headers: { cookie: client.session, 'sec-fetch-site': 'same-origin', accept: 'application/json' },
    });

  it.each(SPELLINGS)(
    '%s opens nothing to visitors and members',
    async (_, respell) => {
      for (const rule of CLOSED) {
        const path = respell(rule.path.replace(':id', ID));
        const asVisitor = await refusal(visitor(), { ...rule, path });
        expect([rule.path, [401, 404, 405].includes(asVisitor.status)]).toEqual([rule.path, true]);
        if (rule.access !== 'admin') continue;
        const asMember = await refusal(callers[1]!.client, { ...rule, path });
        expect([rule.path, [403, 404, 405].includes(asMember.status)]).toEqual([rule.path, true]);
      }
    },
    60_000,
  );

  it('is refused by HEAD as by GET', async () => {
    for (const { path, access } of CLOSED.filter(({ method }) => method === 'GET')) {
      const address = path.replace(':id', ID);
      expect([path, (await visitor().send('HEAD', address)).status]).toEqual([path, 401]);
      if (access !== 'admin') continue;
      expect([path, (await callers[1]!.client.send('HEAD', address)).status]).toEqual([path, 403]);
    }
  });

  it.each(['PATCH', 'OPTIONS', 'PROPFIND'])('is no call by %s', async (method) => {
    for (const path of ['/api/admin/users', `/api/events/${ID}`])
      expect((await fetch(sharedStack().url + path, { method })).status).toBe(405);
  });
});
