import { Redis } from 'ioredis';
import { refusedByRedis, startRedis, type PrivateRedis, type RedisUser } from '@meetmark/testing';
import { PROCESSES } from './processes.js';
import { DANGEROUS, OTHERS_WORK, OWN_WORK } from './redis-work.js';
import { urlForRole } from './environment.js';

const USERS: RedisUser[] = ['operator', ...PROCESSES];
const passwords = Object.fromEntries(USERS.map((name) => [name, `of-${name}`])) as Record<RedisUser, string>;

describe('the users of Redis', () => {
  let server: PrivateRedis;
  const clients = new Map<string, Redis>();
  const clientOf = (name: string, url = urlForRole(server.ownerUrl, name, passwords[name as RedisUser])) => {
    const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
    client.on('error', () => undefined); // the refusals are what is tested: each command throws its own
    clients.set(name, client);
    return client;
  };
  /** What Redis answers: 'ok', or the first word of its refusal. */
  const tried = async (name: string, line: string): Promise<string> => {
    const [command = '', ...args] = line.split(' ');
    // a connection that has subscribed can do nothing else
    const client = clientOf(name);
    const answer = await client.call(command, ...args).then(
      () => 'ok',
      (error: Error) => (/NOPERM|permission|can't access/i.test(error.message) ? 'refused' : error.message),
    );
    client.disconnect();
    return answer;
  };

  beforeAll(async () => {
    server = await startRedis({ refuses: true, passwords });
  });
  afterAll(() => server.stop());

  describe.each(PROCESSES)('%s', (name) => {
    it.each(OWN_WORK[name])('may %s', async (line) => {
      expect(await tried(name, line)).toBe('ok');
    });

    it.each(OTHERS_WORK[name])('may not %s', async (line) => {
      expect(await tried(name, line)).toBe('refused');
    });

    it.each(DANGEROUS)('may not %s', async (line) => {
      expect(await tried(name, line)).toBe('refused');
    });
  });

  it.each(PROCESSES)('do not let %s debug, where the server itself would', async (name) => {
    const operator = clientOf('operator');
    expect(await operator.call('ACL', 'DRYRUN', name, 'debug', 'sleep', '0')).toMatch(/no permissions/);
    operator.disconnect();
  });

  it("are refused with another user's password, and nobody enters without one", async () => {
    const stranger = clientOf('stranger', urlForRole(server.ownerUrl, '', ''));
    await expect(stranger.ping()).rejects.toThrow(/NOAUTH/);
    const nobody = clientOf('default', urlForRole(server.ownerUrl, 'default', 'any'));
    await expect(nobody.connect()).rejects.toThrow(/WRONGPASS|closed/);
    const wrong = clientOf('wrong', urlForRole(server.ownerUrl, 'auth', passwords.gateway));
    await expect(wrong.connect()).rejects.toThrow(/WRONGPASS|closed/);
  });

  it('leave everything to the operator, whose refusals are seen', async () => {
    const operator = clientOf('operator');
    const url = urlForRole(server.ownerUrl, 'operator', passwords.operator);
    expect(await refusedByRedis(url)).toContain('gateway: command flushall, by flushall');
    expect(await refusedByRedis(url)).toContain('gateway: key user:1, by set');
    await operator.call('ACL', 'LOG', 'RESET');
    for (const line of ['config get maxmemory', 'keys *', 'flushall'])
      expect(await tried('operator', line)).toBe('ok');
    expect(await refusedByRedis(url)).toEqual([]);
    operator.disconnect();
  });

  it('find again what a transaction wrote, when the server starts anew', async () => {
    const worker = clientOf('worker');
    await worker.multi().hset('jobs:mail:2', 'name', 'mail').set('jobs:mail:id', '2').exec();
    worker.disconnect();
    await server.restart();
    const operator = clientOf('operator');
    expect(await operator.hget('jobs:mail:2', 'name')).toBe('mail');
    expect(await operator.get('jobs:mail:id')).toBe('2');
    operator.disconnect();
    expect(await refusedByRedis(server.ownerUrl)).toEqual([]);
  });
});
