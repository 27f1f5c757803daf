import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';
import type { Answer, ApiClient } from '@meetmark/testing/http-client';
import { Access } from './access.js';
import { ACCESS_TABLE } from './access-table.js';
import { RouteInventory } from '../http/routes.js';

const ID = '01999999-0000-7000-8000-000000000000';
const SAMPLES: Record<string, string> = { ':id': ID, ':file': 'none', ':token': 'none', '*': 'none' };
const address = (path: string) => path.replaceAll(/:\w+|\*/g, (name) => SAMPLES[name]!);

let stack: TestGateway;
let visitor: ApiClient;
let member: ApiClient;
let administrator: ApiClient;
beforeAll(async () => {
  stack = await openTestGateway();
  visitor = stack.browser();
  member = (await stack.signedIn()).browser;
  administrator = (await stack.signedIn({ isAdmin: true })).browser;
});
afterAll(() => stack.close());

const call = (
  who: ApiClient,
  method: string,
  path: string,
): Promise<Answer<{ message: string; code: string }>> =>
  who.send(method, path, undefined, { accept: 'application/json' });
const isRefusedAccess = ({ status, body }: Answer<{ code: string }>) =>
  (status === 401 && body.code === 'UNAUTHORIZED') || (status === 403 && body.code === 'FORBIDDEN');

describe('the access table', () => {
  const line = ({ method, path, access }: { method: string; path: string; access: string }) =>
    `${method} ${path} ${access}`;

  it('lists every route of the running gateway, and no other', () => {
    const routes = stack.gateway.inventory.routes.filter(({ method }) => method !== 'HEAD').map(line);
    expect(routes.toSorted()).toEqual(ACCESS_TABLE.map(line).toSorted());
  });

  it('holds for HEAD as for GET', () => {
    const heads = stack.gateway.inventory.routes.filter(({ method }) => method === 'HEAD');
    const gets = ACCESS_TABLE.filter(({ method }) => method === 'GET');
    expect(heads.map((route) => line({ ...route, method: 'GET' })).toSorted()).toEqual(
      gets.map(line).toSorted(),
    );
  });

  it.each(ACCESS_TABLE.filter(({ access }) => access !== 'public'))(
    '$method $path refuses visitors with the word that clients look for',
    async ({ method, path }) => {
      const reply = await call(visitor, method, address(path));
      expect(reply.status).toBe(401);
      expect(reply.body.message).toContain('Unauthorized');
    },
  );

  it.each(ACCESS_TABLE.filter(({ access }) => access === 'admin'))(
    '$method $path refuses members',
    async ({ method, path }) => {
      expect(await call(member, method, address(path))).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      });
    },
  );

  it.each(ACCESS_TABLE.filter(({ path }) => path !== '/api/logout'))(
    '$method $path lets those in who may',
    async ({ method, path, access }) => {
      const who = { public: visitor, member, admin: administrator }[access];
      expect(isRefusedAccess(await call(who, method, address(path)))).toBe(false);
    },
  );

  it('lets nobody round it by another spelling', async () => {
    const spellings = ['/API/admin/users', '/api//admin/users', '/api/admin/Users', '/api/admin/users%2F'];
    for (const spelling of spellings) expect((await call(member, 'GET', spelling)).status).toBe(404);
    expect((await call(member, 'GET', '/api/admin/users/')).status).toBe(403);
    expect((await call(member, 'HEAD', '/api/admin/users')).status).toBe(403);
    expect((await call(visitor, 'HEAD', '/api/admin/users')).status).toBe(401);
    expect((await call(administrator, 'PATCH', `/api/events/${ID}`)).status).toBe(405);
  });

  it('is asked before the body is looked at', async () => {
    const post = (who: ApiClient) => who.send('POST', '/api/events', '{broken');
    expect((await post(visitor)).status).toBe(401);
    expect((await post(member)).status).toBe(403);
    expect((await post(administrator)).status).toBe(400);
  });
});

describe('a route that does not say who may call it', () => {
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

  it('stops the start', async () => {
    const adapter = new FastifyAdapter();
    new RouteInventory().watch(adapter.getInstance());
    const app = await NestFactory.create(ForgetfulModule, adapter, { logger: false, abortOnError: false });
    await expect(app.init()).rejects.toThrow('GET /forgotten does not say who may call it');
    await app.close();
  });
});
