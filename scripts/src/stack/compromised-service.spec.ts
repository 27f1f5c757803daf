import { randomUUID } from 'node:crypto';
import type { Identity, Message, ServiceName } from '@meetmark/contracts';
import {
  Handles,
  IdentityIssuer,
  IdentityKey,
  MessageSigner,
  RedisClock,
  RequestSender,
  type Call,
  type MessageSecrets,
} from '@meetmark/platform';
import {
  openCaller,
  openTestService,
  testConfig,
  type OpenedService,
  type TestCaller,
} from '@meetmark/platform/testing/open-service';
import type { LeadingMessage } from '@meetmark/platform/testing/gateway-of-1.0.0';
import { makeIdentityKeys, TEST_KEYS } from '@meetmark/platform/testing/test-keys';
import { startRedis, until, type PrivateRedis, type RedisUser } from '@meetmark/testing';
import { Controller, Module } from '@nestjs/common';
import { IsInt } from 'class-validator';
import { Redis } from 'ioredis';
import { urlForRole } from './environment.js';
import { PROCESSES } from './processes.js';

// An attacker who has taken over one service has its user in Redis and its keys, and nothing else.

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
const RaiseByAdmin: LeadingMessage<Raise, void> = {
  ...message<Raise, void>('admin', 'test.raise', Raise),
  onward: ({ by }) => [{ service: 'auth', name: RaiseAuth.name, data: { by } }],
};
/** What the services were made to do, in whose name. */
const done: string[] = [];
/** What came with the last message to admin. */
let caught: { token?: string; grants?: Record<string, string[]>; requestId: string };

@Controller()
class AuthService {
  @Handles(RaiseAuth)
  raise({ by }: Raise, call: Call): number {
    return done.push(`auth ${by} for ${call.identity?.sub}`);
  }
}
@Controller()
class EventsService {
  @Handles(RaiseEvents)
  raise({ by }: Raise, call: Call): number {
    return done.push(`events ${by} for ${call.identity?.sub}`);
  }
}
@Controller()
class AdminService {
  /** Keeps what came, instead of using it as it was meant. */
  @Handles(RaiseByAdmin)
  raise(_request: Raise, call: Call & { token?: string }): void {
    const { token, grants, requestId } = call;
    caught = { token, grants, requestId };
  }
}
@Module({ controllers: [AuthService] })
class AuthModule {}
@Module({ controllers: [EventsService] })
class EventsModule {}
@Module({ controllers: [AdminService] })
class AdminModule {}

const administrator: Identity = { sub: 'the-administrator', isAdmin: true, epoch: 1 };
const USERS: RedisUser[] = ['operator', ...PROCESSES];
const passwords = Object.fromEntries(USERS.map((name) => [name, `of-${name}`])) as Record<RedisUser, string>;
const { adminAuthSecrets, adminEventsSecrets, gatewayAdminSecrets, gatewayEventsSecrets } = TEST_KEYS;
/** The secrets that each service has. */
const SECRETS = {
  events: { gatewayEventsSecrets, adminEventsSecrets },
  admin: { gatewayAdminSecrets, adminAuthSecrets, adminEventsSecrets },
} satisfies Record<string, MessageSecrets>;

describe('whoever has taken over a service', () => {
  let server: PrivateRedis;
  let caller: TestCaller;
  const services: OpenedService[] = [];
  const clients: Redis[] = [];
  const redisOf = (name: RedisUser) => urlForRole(server.ownerUrl, name, passwords[name]);
  const as = (name: RedisUser) => {
    const client = new Redis(redisOf(name), { maxRetriesPerRequest: 0 });
    clients.push(client);
    return client;
  };
  const start = async (name: ServiceName, module: new () => object, messages: Message[]) =>
    services.push(await openTestService(name, module, messages, testConfig({ redisUrl: redisOf(name) })));
  const refused = { message: expect.stringMatching(/NOPERM|permission/) as string };

  beforeAll(async () => {
    server = await startRedis({ refuses: true, passwords });
    await start('auth', AuthModule, [RaiseAuth]);
    await start('events', EventsModule, [RaiseEvents]);
    await start('events', EventsModule, [RaiseEvents]);
    await start('admin', AdminModule, [RaiseByAdmin]);
    caller = await openCaller(testConfig({ redisUrl: redisOf('gateway') }));
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
  /** The message that waits in a queue without a consumer; its replicas count as alive. */
  const waiting = async (service: ServiceName) => {
    const operator = as('operator');
    let text: string | null = null;
    await until('a message', 5_000, async () => (text = await operator.lindex(`rpc:${service}`, 0)) !== null);
    return String(text);
  };
  const replyChannels = async () => (await as('operator').pubsub('CHANNELS', 'rpc:replies:*')) as string[];
  const channelOf = async (begin: string) =>
    (await replyChannels()).find((channel) => channel.startsWith(begin)) ?? '';
  /** Sends as admin does, with nothing but admin's user and secrets. */
  const sentByAdmin = async (token: string | undefined, given: { by?: number; requestId?: string } = {}) => {
    const signer = new MessageSigner('admin', SECRETS.admin);
    const clock = new RedisClock();
    const options = { redisUrl: redisOf('admin'), prefix: 'rpc', maxQueue: 100, clock, signer };
    const sender = new RequestSender(options);
    await sender.open();
    const headers = { requestId: given.requestId ?? caught.requestId, token };
    const outgoing = { pattern: RaiseAuth.name, data: { by: given.by ?? 1 }, headers, timeLeft: 2_000 };
    return sender.request('auth', outgoing).finally(() => sender.close());
  };
  /** What comes with an administrator's request to raise by 1. */
  const catchGrant = async () => {
    await caller.rpc.call(RaiseByAdmin, { by: 1 }, { identity: administrator });
    return caught.grants?.[RaiseAuth.name]?.[0] ?? '';
  };

  describe("cannot hear another's answers", () => {
    it.each<[RedisUser, string]>([
      ['events', 'rpc:replies:gateway:auth:'],
      ['events', 'rpc:replies:gateway:events:'],
      ['auth', 'rpc:replies:admin:auth:'],
      ['admin', 'rpc:replies:gateway:admin:'],
      ['worker', 'rpc:replies:gateway:auth:'],
    ])('%s those on %s', async (name, begin) => {
      await raise(1);
      const channel = await channelOf(begin);
      expect(channel).not.toBe('');
      await expect(as(name).subscribe(channel)).rejects.toMatchObject(refused);
      await expect(as(name).psubscribe(`${begin}*`)).rejects.toMatchObject(refused);
      await expect(as(name).psubscribe('*')).rejects.toMatchObject(refused);
    });

    it("nor read the messages, or the large answers, of another one's queue", async () => {
      await expect(as('events').lindex('rpc:auth', 0)).rejects.toMatchObject(refused);
      await expect(as('admin').lrange('rpc:auth', 0, -1)).rejects.toMatchObject(refused);
      await expect(as('admin').getdel('rpc:blob:gateway:auth:1')).rejects.toMatchObject(refused);
    });
  });

  describe('cannot forge an answer', () => {
    it('on the channel of another service', async () => {
      const channel = await channelOf('rpc:replies:gateway:auth:');
      for (const name of ['events', 'admin'] as const)
        await expect(as(name).publish(channel, '{}')).rejects.toMatchObject(refused);
      await expect(as('events').set('rpc:blob:gateway:auth:1', 'x')).rejects.toMatchObject(refused);
    });

    it("on its own channel, to another one's call, even if it knew the nonce", async () => {
      const auth = services.shift()!;
      await auth.stop();
      // as if it were about to come back, so that the call waits in the queue
      await as('operator').zadd('rpc:auth:replicas', Date.now() + 60_000, 'auth');
      await caller.replicas('auth', 1);
      const answer = raise(2);
      const { nonce } = JSON.parse((await waiting('auth')).split('.').slice(2).join('.')) as {
        nonce: string;
      };
      const channel = await channelOf('rpc:replies:gateway:events:');
      expect(await as('events').publish(channel, JSON.stringify({ nonce, value: 'forged' }))).toBe(1);
      await start('auth', AuthModule, [RaiseAuth]);
      expect(await answer).toBe(1);
      await as('operator').zrem('rpc:auth:replicas', 'auth');
    });

    it('by guessing, nor bring down who waits for one', async () => {
      const channel = await channelOf('rpc:replies:gateway:events:');
      const events = as('events');
      for (const text of [
        '',
        'null',
        '[]',
        '{',
        '{"nonce":{}}',
        `{"nonce":"${randomUUID()}","value":"forged"}`,
      ])
        expect(await events.publish(channel, text)).toBe(1);
      expect(await raise(3, 'events')).toBe(1);
    });
  });

  describe('cannot mint an identity', () => {
    const forged = () => {
      const own = new IdentityIssuer(
        new IdentityKey(makeIdentityKeys().identityPrivateKey),
        new RedisClock(),
      );
      return own.tokenFor(administrator, 'auth');
    };

    it('with keys of its own', async () => {
      await catchGrant();
      await expect(sentByAdmin(forged())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      await expect(sentByAdmin(undefined)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      expect(done).toEqual([]);
    });

    it('nor have a message believed that it may not send', async () => {
      await expect(as('events').rpush('rpc:auth', 'x')).rejects.toMatchObject(refused);
      // even where Redis would let it through: with its own secrets it can sign for itself alone
      const body = JSON.stringify({
        ...{ nonce: randomUUID(), pattern: RaiseAuth.name, data: { by: 1 }, deadline: Date.now() + 60_000 },
        headers: { requestId: 'x', token: caller.issuer.tokenFor(administrator, 'auth') },
      });
      const signed = new MessageSigner('gateway', SECRETS.events).sign('events', body);
      const genuine = new MessageSigner('gateway', TEST_KEYS).sign('auth', body);
      const [id] = genuine.split('.');
      const changed = genuine.replace('"by":1', '"by":1000');
      const renamed = signed.replace(/^\w+/, String(id));
      await as('operator').rpush('rpc:auth', signed, changed, renamed, `${id}..${body}`, body, 'x.y.z', '');
      await raise(9); // the queue is in order
      expect(done).toEqual(['auth 9 for the-administrator']);
    });
  });

  describe('cannot replay an identity', () => {
    it('that came with a message, to another service', async () => {
      await catchGrant();
      await expect(sentByAdmin(caught.token)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      // nor one that was meant for the other service, should it get hold of it
      const token = caller.issuer.tokenFor(administrator, 'auth');
      await expect(sentByAdmin(token)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      expect(done).toEqual([]);
    });

    it('with other data, or for another request, than was granted', async () => {
      const grant = await catchGrant();
      await expect(sentByAdmin(grant, { by: 1_000 })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      await expect(sentByAdmin(grant, { requestId: 'another' })).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      });
      expect(done).toEqual([]);
    });

    it('twice', async () => {
      const grant = await catchGrant();
      await expect(sentByAdmin(grant)).resolves.toBe(1);
      await expect(sentByAdmin(grant)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
      expect(done).toEqual(['auth 1 for the-administrator']);
    });

    it('with a copy of a message, whichever replica takes it', async () => {
      const stopped = services.filter((_, index) => index === 0 || index === 1);
      services.splice(0, 2);
      await Promise.all(stopped.map((service) => service.stop()));
      await as('operator').zadd('rpc:events:replicas', Date.now() + 60_000, 'events');
      await caller.replicas('events', 1);
      const answer = caller.rpc.call(RaiseEvents, { by: 5 }, { identity: administrator, deadlineMs: 3_000 });
      const copy = await waiting('events');
      await start('events', EventsModule, [RaiseEvents]);
      await start('events', EventsModule, [RaiseEvents]);
      expect(await answer).toBe(1);
      for (let time = 0; time < 8; time += 1) await as('operator').rpush('rpc:events', copy);
      await Promise.all(Array.from({ length: 8 }, () => raise(6, 'events')));
      expect(done.filter((each) => each.startsWith('events 5'))).toHaveLength(1);
    });
  });
});
