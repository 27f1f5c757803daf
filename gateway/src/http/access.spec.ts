import { DomainError, MayManage } from '@meetmark/contracts';
import { played } from '@meetmark/platform/testing/play-services';
import { CALLERS, type CallerKind, MAY } from '@meetmark/testing/access';
import type { Answer, ApiClient } from '@meetmark/testing/http-client';
import { Controller, Get } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ACCESS_TABLE } from '../testing/access-table.js';
import { gatewayForTests } from '../testing/open-test-gateway.js';
import { Access, routeTraits } from './access.js';
import { RouteInventory } from './routes.js';

const ID = '01999999-0000-7000-8000-000000000000';
const SAMPLES: Record<string, string> = {
  ':id': ID,
  ':userId': ID,
  ':file': 'none',
  ':token': 'none',
  '*': 'none',
};
const address = (path: string) => path.replaceAll(/:\w+|\*/g, (name) => SAMPLES[name]!);
let visitor: ApiClient;
let member: ApiClient;
let administrator: ApiClient;
let callers: Record<CallerKind, ApiClient>;
const managers = new Set<string>();
const mayManage = played(MayManage, (_, { identity }) => {
  if (!managers.has(identity!.sub)) throw new DomainError('FORBIDDEN');
});
const stack = gatewayForTests({ events: [mayManage as never] });
beforeAll(async () => {
  const own = await stack.signedIn({ isOrganiser: true });
  const coHost = await stack.signedIn();
  managers.add(own.user.id).add(coHost.user.id);
  callers = {
    visitor: stack.browser(),
    member: (await stack.signedIn()).browser,
    'other organiser': (await stack.signedIn({ isOrganiser: true })).browser,
    'own organiser': own.browser,
    'co-host': coHost.browser,
    owner: (await stack.signedIn({ isAdmin: true })).browser,
  };
  ({ visitor, member, owner: administrator } = callers);
});

const call = (
  who: ApiClient,
  method: string,
  path: string,
): Promise<Answer<{ message: string; code: string }>> =>
  who.send(method, path, undefined, { accept: 'application/json' });
const getAccess = ({ status, body }: Answer<{ code: string }>) => {
  if (status === 401 && body.code === 'UNAUTHORIZED') return 'UNAUTHORIZED';
  return status === 403 && body.code === 'FORBIDDEN' ? 'FORBIDDEN' : 'yes';
};

describe('the access table', () => {
  const line = ({ method, path, access }: { method: string; path: string; access: string }) =>
    `${method} ${path} ${access}`;

  it('lists every route of the running gateway and no other', () => {
    const routes = stack.gateway.inventory.routes.filter(({ method }) => method !== 'HEAD').map(line);
    expect(routes.toSorted()).toEqual(ACCESS_TABLE.map(line).toSorted());
  });

  it('applies the access rules of GET to HEAD', () => {
    const heads = stack.gateway.inventory.routes.filter(({ method }) => method === 'HEAD');
    const gets = ACCESS_TABLE.filter(({ method }) => method === 'GET');
    const asGets = heads.map((route) => line({ ...route, method: 'GET' }));
    expect(asGets.toSorted()).toEqual(gets.map(line).toSorted());
  });

  it.each(ACCESS_TABLE.filter(({ path }) => path !== '/api/logout'))(
    '$method $path admits only the roles that may call it',
    async ({ method, path, access }) => {
      const expected = access === 'public' ? { visitor: MAY.public.visitor } : MAY[access];
      const answers = Object.keys(expected).map(async (caller) => {
        const answer = await call(callers[caller as CallerKind], method, address(path));
        return [caller, getAccess(answer)];
      });
      expect(Object.fromEntries(await Promise.all(answers))).toEqual(expected);
    },
  );

  it('checks on each call whether the caller manages the event', async () => {
    const path = address('/api/events/:id/waitlist');
    const of = async () => (await call(callers['co-host'], 'GET', path)).status;
    const { id } = (await callers['co-host'].get<{ id: string }>('/api/user')).body;
    expect(await of()).not.toBe(403);
    managers.delete(id);
    expect(await of()).toBe(403);
    managers.add(id);
  });

  it('checks only the role when the event id is malformed', async () => {
    const answers = CALLERS.map((caller) => call(callers[caller], 'GET', '/api/events/none/waitlist'));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 403, 400, 400, 403, 400]);
  });

  const CLOSED = ACCESS_TABLE.filter(({ access }) => access !== 'public');
  /** A read and a change per access rule, because the checks apply to every matched route. */
  const EXAMPLES = CLOSED.filter(({ method, access }, at) => {
    const isAlike = (other: (typeof CLOSED)[number]) =>
      other.access === access && (other.method === 'GET') === (method === 'GET');
    return CLOSED.findIndex(isAlike) === at;
  });
  it.each<[string, (path: string) => string]>([
    ['with a trailing slash', (path) => `${path}/`],
    ['in upper case', (path) => path.toUpperCase()],
    ['with one upper-case letter', (path) => path.replace('/api', '/Api')],
    ['with two slashes', (path) => path.replace('/api/', '/api//')],
    ['with two leading slashes', (path) => `/${path}`],
    ['with an encoded letter', (path) => path.replace('/api/', '/%61pi/')],
    ['with an encoded slash', (path) => path.replace('/api/', '/api%2F')],
    ['with a dot segment', (path) => path.replace('/api/', '/api/./')],
    ['through the path of a public call', (path) => path.replace('/api/', '/api/config/..%2f')],
    ['with path parameters', (path) => `${path};public`],
    ['with a question mark', (path) => `${path}?`],
    ['with an encoded fragment', (path) => `${path}%23/api/config`],
  ])('enforces access rules on a path %s', async (_, respell) => {
    for (const { method, path, access } of EXAMPLES) {
      const spelling = respell(address(path));
      const asVisitor = await call(visitor, method, spelling);
      expect([spelling, [401, 404, 405].includes(asVisitor.status)]).toEqual([spelling, true]);
      if (access === 'member') continue;
      const asMember = await call(member, method, spelling);
      expect([spelling, [403, 404, 405].includes(asMember.status)]).toEqual([spelling, true]);
    }
  });

  it('refuses HEAD requests like GET requests', async () => {
    for (const { path, access } of EXAMPLES.filter(({ method }) => method === 'GET')) {
      expect([path, (await call(visitor, 'HEAD', address(path))).status]).toEqual([path, 401]);
      if (access !== 'member')
        expect([path, (await call(member, 'HEAD', address(path))).status]).toEqual([path, 403]);
    }
  });

  it('refuses changes requested by a page on another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    for (const { method, path } of ACCESS_TABLE) {
      if (method === 'GET' || path === '/api/unsubscribe/:token') continue;
      const { status, body } = await administrator.send<{ code: string }>(method, address(path), {}, headers);
      expect([method, path, status, body.code]).toEqual([method, path, 403, 'CROSS_SITE']);
    }
    expect((await administrator.get('/api/user')).status).toBe(200);
  });

  it('checks access before it parses the body, and does not reveal the required role', async () => {
    const post = (who: ApiClient) => who.send<{ message: string }>('POST', '/api/events', '{broken');
    expect((await post(visitor)).status).toBe(401);
    const message = 'Forbidden: your account isn’t allowed to do this';
    expect(await post(member)).toMatchObject({ status: 403, body: { message } });
    expect((await post(administrator)).status).toBe(400);
  });
});

@Controller()
class Unbounded {
  @Get('unbounded')
  @Access('public')
  @routeTraits({ anonymous: true })
  read(): string {
    return 'anything';
  }
}

@Controller()
class Forgetful {
  @Get('forgotten')
  read(): string {
    return 'secret';
  }
}

it.each([
  ['an anonymous route without a limit', Unbounded, 'GET /unbounded has no limit per network'],
  ['a route without an access rule', Forgetful, 'GET /forgotten has no access rule'],
])('a gateway does not start with %s', async (_, controller, reason) => {
  const adapter = new FastifyAdapter();
  new RouteInventory().watch(adapter.getInstance());
  const root = { module: class Root {}, controllers: [controller] };
  const app = await NestFactory.create(root, adapter, { logger: false, abortOnError: false });
  await expect(app.init()).rejects.toThrow(reason);
  await app.close();
});
