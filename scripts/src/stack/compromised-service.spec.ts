import { randomUUID } from 'node:crypto';
import type { Identity, Message, ServiceName } from '@meetmark/contracts';
import { Handles, IdentityIssuer, IdentityKey, RedisClock, RpcCipher, type Call } from '@meetmark/platform';
import {
  openCaller,
  openTestService,
  testConfig,
  type OpenedService,
  type TestCaller,
} from '@meetmark/platform/testing/open-service';
import { makeIdentityKeys, TEST_KEYS } from '@meetmark/platform/testing/test-keys';
import { startRedis, until, type PrivateRedis, type RedisUser } from '@meetmark/testing';
import { Controller, Module } from '@nestjs/common';
import { IsInt } from 'class-validator';
import { Redis } from 'ioredis';
import { urlForRole } from './environment.js';
import { PROCESSES } from './processes.js';

// These tests assume that an attacker who controls a service has only this service's Redis user and keys.

class Raise {
  @IsInt()
  by!: number;
}

const message = <Req extends object, Res>(
  service: ServiceName,
  name: string,
  request: new () => Req,
): Message<Req, Res> => ({ service, name, access: 'admin', request });

const RaiseAuth = message<Raise, number>('auth', 'test.raiseAuth', Raise);
const RaiseEvents = message<Raise, number>('events', 'test.raiseEvents', Raise);
const RaiseAdmin = message<Raise, number>('admin', 'test.raiseAdmin', Raise);
const done: string[] = [];

function createModule(handled: Message<Raise, number>) {
  @Controller()
  class Service {
    @Handles(handled)
    raise({ by }: Raise, call: Call): number {
      return done.push(`${handled.service} ${by} for ${call.identity?.sub}`);
    }
  }
  @Module({ controllers: [Service] })
  class ServiceModule {}
  return ServiceModule;
}

const administrator: Identity = { sub: 'the-administrator', isAdmin: true, epoch: 1 };
const USERS: RedisUser[] = ['operator', ...PROCESSES];
const passwords = Object.fromEntries(USERS.map((name) => [name, `of-${name}`])) as Record<RedisUser, string>;
const cipher = new RpcCipher(TEST_KEYS.rpcSecrets);

describe('attacks from a compromised service', () => {
  let server: PrivateRedis;
  let caller: TestCaller;
  const services: OpenedService[] = [];
  const clients: Redis[] = [];
  const getRedisUrl = (name: RedisUser) => urlForRole(server.ownerUrl, name, passwords[name]);
  const as = (name: RedisUser) => {
    const client = new Redis(getRedisUrl(name), { maxRetriesPerRequest: 0 });
    clients.push(client);
    return client;
  };
  const start = async (handled: Message<Raise, number>) => {
    const config = testConfig({ redisUrl: getRedisUrl(handled.service) });
    services.push(await openTestService(handled.service, createModule(handled), [handled], config));
  };
  const refused = { message: expect.stringMatching(/NOPERM|permission/) as string };

  beforeAll(async () => {
    server = await startRedis({ refuses: true, passwords });
    for (const handled of [RaiseAuth, RaiseEvents, RaiseEvents, RaiseAdmin]) await start(handled);
    caller = await openCaller(testConfig({ redisUrl: getRedisUrl('gateway') }));
    await caller.replicas('events', 2);
  });
  afterAll(async () => {
    caller.close();
    clients.forEach((client) => client.disconnect());
    await Promise.all(services.map((service) => service.stop()));
    await server.stop();
  });
  beforeEach(() => {
    done.length = 0;
  });

  const raise = (by: number, service: 'auth' | 'events' = 'auth') =>
    caller.rpc.call(service === 'auth' ? RaiseAuth : RaiseEvents, { by }, { identity: administrator });
  /** Returns the first message that waits in a service's queue. */
  const waiting = async (service: ServiceName) => {
    const operator = as('operator');
    let bytes: Buffer | null = null;
    await until(
      'a message',
      60_000,
      async () => (bytes = await operator.lindexBuffer(`rpc:${service}`, 0)) !== null,
    );
    return bytes!;
  };
  const replyChannels = async () => (await as('operator').pubsub('CHANNELS', 'rpc:replies:*')) as string[];
  const findChannel = async (begin: string) =>
    (await replyChannels()).find((channel) => channel.startsWith(begin)) ?? '';
  describe('by reading other services’ messages', () => {
    it.each<[RedisUser, string]>([
      ['events', 'rpc:replies:gateway:auth:'],
      ['events', 'rpc:replies:gateway:events:'],
      ['admin', 'rpc:replies:gateway:admin:'],
      ['worker', 'rpc:replies:gateway:auth:'],
    ])('the Redis user %s cannot subscribe to %s', async (name, begin) => {
      await raise(1);
      const channel = await findChannel(begin);
      expect(channel).not.toBe('');
      await expect(as(name).subscribe(channel)).rejects.toMatchObject(refused);
      await expect(as(name).psubscribe(`${begin}*`)).rejects.toMatchObject(refused);
      await expect(as(name).psubscribe('*')).rejects.toMatchObject(refused);
    });

    it('a service cannot read another service’s queue or stored replies', async () => {
      await expect(as('events').lindex('rpc:auth', 0)).rejects.toMatchObject(refused);
      await expect(as('admin').lrange('rpc:auth', 0, -1)).rejects.toMatchObject(refused);
      await expect(as('admin').getdel('rpc:blob:gateway:auth:1')).rejects.toMatchObject(refused);
    });
  });

  describe('by forging a reply', () => {
    it('a service cannot publish or store a reply in the name of another service', async () => {
      const channel = await findChannel('rpc:replies:gateway:auth:');
      for (const name of ['events', 'admin'] as const)
        await expect(as(name).publish(channel, '{}')).rejects.toMatchObject(refused);
      await expect(as('events').set('rpc:blob:gateway:auth:1', 'x')).rejects.toMatchObject(refused);
    });

    it('a service cannot use its own channel to answer another service’s call', async () => {
      const auth = services.shift()!;
      await auth.stop();
      // Pretends that auth has a live replica, so that the gateway sends the call and waits for a reply.
      await as('operator').zadd('rpc:auth:replicas', Date.now() + 60_000, 'auth');
      await caller.replicas('auth', 1);
      const answer = raise(2);
      const { nonce } = JSON.parse(cipher.decrypt(await waiting('auth'), 'rpc:auth')!) as { nonce: string };
      const channel = await findChannel('rpc:replies:gateway:events:');
      const forged = cipher.encrypt(JSON.stringify({ nonce, value: 'forged' }), channel);
      expect(await as('events').publish(channel, forged)).toBe(1);
      await start(RaiseAuth);
      expect(await answer).toBe(1);
      await as('operator').zrem('rpc:auth:replicas', 'auth');
    });

    it('a service cannot guess a nonce or crash the caller with malformed replies', async () => {
      const channel = await findChannel('rpc:replies:gateway:events:');
      const events = as('events');
      for (const text of [
        '',
        'null',
        '[]',
        '{',
        '{"nonce":{}}',
        `{"nonce":"${randomUUID()}","value":"forged"}`,
      ])
        for (const sent of [text, cipher.encrypt(text, channel)])
          expect(await events.publish(channel, sent)).toBe(1);
      expect(await raise(3, 'events')).toBe(1);
    });
  });

  describe('by forging a request', () => {
    const forged = () => {
      const own = new IdentityIssuer(
        new IdentityKey(makeIdentityKeys().identityPrivateKey),
        new RedisClock(),
      );
      return own.tokenFor(administrator, 'auth');
    };

    it('a service cannot sign a request with its own identity keys', async () => {
      const call = caller.rpc.call(RaiseAuth, { by: 1 }, { identityToken: forged() });
      await expect(call).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      expect(done).toEqual([]);
    });

    it('a service cannot add a message to a queue', async () => {
      for (const name of ['auth', 'events', 'admin', 'worker'] as const)
        for (const service of ['auth', 'events', 'admin'] as const)
          await expect(as(name).rpush(`rpc:${service}`, 'x')).rejects.toMatchObject(refused);
    });
  });

  describe('by reusing an identity token', () => {
    it('a service cannot use an identity token issued for another service', async () => {
      const identityToken = caller.issuer.tokenFor(administrator, 'admin');
      const call = caller.rpc.call(RaiseAuth, { by: 1 }, { identityToken });
      await expect(call).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      expect(done).toEqual([]);
    });
  });
});
