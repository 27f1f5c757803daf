import { DomainError, MayManage } from '@meetmark/contracts';
import { played } from '@meetmark/platform/testing/play-services';
import { CALLERS, type CallerKind, MAY } from '@meetmark/testing/access';
import type { Answer, ApiClient } from '@meetmark/testing/http-client';
import { Controller, Get, Module } from '@nestjs/common';
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
    expect(heads.map((route) => line({ ...route, method: 'GET' })).toSorted()).toEqual(
      gets.map(line).toSorted(),
    );
  });

  it.each(ACCESS_TABLE.filter(({ access }) => access !== 'public'))(
    '$method $path refuses visitors with the text that clients match on',
    async ({ method, path }) => {
      const reply = await call(visitor, method, address(path));
      expect(reply.status).toBe(401);
      expect(reply.body.message).toContain('Unauthorized');
    },
  );

  it.each(ACCESS_TABLE.filter(({ path }) => path !== '/api/logout'))(
    '$method $path admits only the roles that may call it',
    async ({ method, path, access }) => {
      const answers: [string, string][] = [];
      for (const caller of CALLERS)
        answers.push([caller, getAccess(await call(callers[caller], method, address(path)))]);
      expect(Object.fromEntries(answers)).toEqual(MAY[access]);
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
    const answers: number[] = [];
    for (const caller of CALLERS)
      answers.push((await call(callers[caller], 'GET', '/api/events/none/waitlist')).status);
    expect(answers).toEqual([401, 403, 400, 400, 403, 400]);
  });

  const CLOSED = ACCESS_TABLE.filter(({ access }) => access !== 'public');
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
    for (const { method, path, access } of CLOSED) {
      const spelling = respell(address(path));
      const asVisitor = await call(visitor, method, spelling);
      expect([spelling, [401, 404, 405].includes(asVisitor.status)]).toEqual([spelling, true]);
      if (access === 'member') continue;
      const asMember = await call(member, method, spelling);
      expect([spelling, [403, 404, 405].includes(asMember.status)]).toEqual([spelling, true]);
    }
  });

  it('refuses HEAD requests like GET requests', async () => {
    for (const { path, access } of CLOSED.filter(({ method }) => method === 'GET')) {
      expect([path, (await call(visitor, 'HEAD', address(path))).status]).toEqual([path, 401]);
      if (access !== 'member')
        expect([path, (await call(member, 'HEAD', address(path))).status]).toEqual([path, 403]);
    }
  });

  const CHANGES = ACCESS_TABLE.filter(
    ({ method, path }) => method !== 'GET' && path !== '/api/unsubscribe/:token',
  );
  it.each<[string, Record<string, string>]>([
    ['a script or form on another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    [
      'a sibling site on the same domain',
      { 'sec-fetch-site': 'same-site', origin: 'https://forum.localhost' },
    ],
    ['an old browser', { 'sec-fetch-site': 'none', origin: 'https://evil.example' }],
    ['a sandboxed frame', { 'sec-fetch-site': 'none', origin: 'null' }],
  ])('refuses changes requested by %s', async (_, headers) => {
    for (const { method, path } of CHANGES) {
      const { status, body } = await administrator.send<{ code: string }>(method, address(path), {}, headers);
      expect([method, path, status, body.code]).toEqual([method, path, 403, 'CROSS_SITE']);
    }
    expect((await administrator.get('/api/user')).status).toBe(200);
  });

  it('does not reveal the required role in the error of a forbidden call', async () => {
    const { body } = await member.send<{ message: string }>('POST', '/api/events', {});
    expect(body.message).toBe('Forbidden: your account isn’t allowed to do this');
  });

  it('checks access before it parses the body', async () => {
    const post = (who: ApiClient) => who.send('POST', '/api/events', '{broken');
    expect((await post(visitor)).status).toBe(401);
    expect((await post(member)).status).toBe(403);
    expect((await post(administrator)).status).toBe(400);
  });
});

describe('an anonymous route without a limit per network', () => {
  @Controller()
  class Unbounded {
    @Get('unbounded')
    @Access('public')
    @routeTraits({ anonymous: true })
    read(): string {
      return 'anything';
    }
  }
  @Module({ controllers: [Unbounded] })
  class UnboundedModule {}

  it('prevents the start of a gateway with an unlimited anonymous route', async () => {
    const adapter = new FastifyAdapter();
    new RouteInventory().watch(adapter.getInstance());
    const app = await NestFactory.create(UnboundedModule, adapter, { logger: false, abortOnError: false });
    await expect(app.init()).rejects.toThrow('GET /unbounded has no limit per network');
    await app.close();
  });
});

describe('a route without an access rule', () => {
  @Controller()
  class Forgetful {
    @Get('forgotten')
    read(): string {
      return 'secret';
    }

    @Get('marked')
    @Access('public')
    marked(): string {
      return 'public';
    }
  }
  @Module({ controllers: [Forgetful] })
  class ForgetfulModule {}

  it('prevents the start of a gateway with a route without an access rule', async () => {
    const adapter = new FastifyAdapter();
    new RouteInventory().watch(adapter.getInstance());
    const app = await NestFactory.create(ForgetfulModule, adapter, { logger: false, abortOnError: false });
    await expect(app.init()).rejects.toThrow('GET /forgotten has no access rule');
    await app.close();
  });
});
