import { Redis } from 'ioredis';
import { redisUsers, refusedByRedis, startRedis, type PrivateRedis, type RedisUser } from '@meetmark/testing';
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
    server = await startRedis({ refuses: true });
    const administrator = clientOf('default', server.ownerUrl);
    for (const line of redisUsers(passwords).trim().split('\n')) {
      const [, name = '', ...rules] = line.match(/\([^)]*\)|\S+/g) ?? [];
      if (name !== 'default') await administrator.call('ACL', 'SETUSER', name, ...rules);
    }
    await administrator.call('ACL', 'SETUSER', 'default', 'off');
    administrator.disconnect();
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
    const stranger = clientOf('stranger', server.ownerUrl);
    await expect(stranger.ping()).rejects.toThrow(/NOAUTH/);
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
});
