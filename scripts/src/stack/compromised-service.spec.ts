import { randomUUID } from 'node:crypto';
import { type Message, Nothing } from '@meetmark/contracts';
import { Handles, RpcCipher } from '@meetmark/platform';
import {
  openCaller,
  openTestService,
  testConfig,
  type OpenedService,
  type TestCaller,
} from '@meetmark/platform/testing/open-service';
import { TEST_KEYS } from '@meetmark/platform/testing/test-keys';
import { startRedis, until, type PrivateRedis, type RedisUser } from '@meetmark/testing';
import { Controller, Module } from '@nestjs/common';
import { Redis } from 'ioredis';
import { urlForRole } from './environment.js';
import { PROCESSES } from './processes.js';

// These tests assume that an attacker who controls a service has only this service's Redis user and keys.

const message = (service: 'auth' | 'events'): Message<Nothing, string> => ({
  ...{ service, name: `test.${service}`, access: 'public', request: Nothing },
});
const [AskAuth, AskEvents] = [message('auth'), message('events')];

function createModule(handled: Message<Nothing, string>) {
  @Controller()
  class Service {
    @Handles(handled)
    answer(): string {
      return 'genuine';
    }
  }
  @Module({ controllers: [Service] })
  class ServiceModule {}
  return ServiceModule;
}

const USERS: RedisUser[] = ['operator', ...PROCESSES];
const passwords = Object.fromEntries(USERS.map((name) => [name, `of-${name}`])) as Record<RedisUser, string>;
const cipher = new RpcCipher(TEST_KEYS.rpcSecrets);

describe('a compromised service', () => {
  let server: PrivateRedis;
  let caller: TestCaller;
  let operator: Redis;
  let events: Redis;
  let channel: string;
  const services: OpenedService[] = [];
  const getRedisUrl = (name: RedisUser) => urlForRole(server.ownerUrl, name, passwords[name]);
  const start = async (handled: Message<Nothing, string>) => {
    const config = testConfig({ redisUrl: getRedisUrl(handled.service) });
    services.push(await openTestService(handled.service, createModule(handled), [handled], config));
  };

  beforeAll(async () => {
    server = await startRedis({ refuses: true, passwords });
    await start(AskEvents);
    caller = await openCaller(testConfig({ redisUrl: getRedisUrl('gateway') }));
    await caller.replicas('events', 1);
    [operator, events] = [new Redis(getRedisUrl('operator')), new Redis(getRedisUrl('events'))];
    [channel = ''] = (await operator.pubsub('CHANNELS', 'rpc:replies:gateway:events:*')) as string[];
  });
  afterAll(async () => {
    caller.close();
    for (const client of [operator, events]) client.disconnect();
    await Promise.all(services.map((service) => service.stop()));
    await server.stop();
  });

  it('cannot use its own channel to answer another service’s call', async () => {
    // Pretends that auth has a live replica, so that the gateway sends the call and waits for a reply.
    await operator.zadd('rpc:auth:replicas', Date.now() + 60_000, 'auth');
    await caller.replicas('auth', 1);
    const answer = caller.rpc.call(AskAuth, {});
    let sent: Buffer | null = null;
    await until(
      'a message',
      60_000,
      async () => (sent = await operator.lindexBuffer('rpc:auth', 0)) !== null,
    );
    const { nonce } = JSON.parse(cipher.decrypt(sent!, 'rpc:auth')!) as { nonce: string };
    const forged = cipher.encrypt(JSON.stringify({ nonce, value: 'forged' }), channel);
    expect(await events.publish(channel, forged)).toBe(1);
    await start(AskAuth);
    expect(await answer).toBe('genuine');
  });

  it('cannot guess a nonce or crash the caller with malformed replies', async () => {
    const guess = JSON.stringify({ nonce: randomUUID(), value: 'forged' });
    for (const text of ['', 'null', '[]', '{', '{"nonce":{}}', guess])
      for (const sent of [text, cipher.encrypt(text, channel)])
        expect(await events.publish(channel, sent)).toBe(1);
    expect(await caller.rpc.call(AskEvents, {})).toBe('genuine');
  });
});
