import { findMissingRefusals } from '@meetmark/platform';
import { Redis } from 'ioredis';
import { refusedByRedis, startRedis, type PrivateRedis, type RedisUser } from '@meetmark/testing';
import { PROCESSES, type ProcessName } from './processes.js';
import { urlForRole } from './environment.js';

const USERS: RedisUser[] = ['operator', ...PROCESSES];
const passwords = Object.fromEntries(USERS.map((name) => [name, `of-${name}`])) as Record<RedisUser, string>;

/** Commands that Redis must refuse, by process. Tests of the whole system cover the allowed commands. */
const OTHERS_WORK: Record<ProcessName, string> = {
  gateway: `blmpop 0.01 1 rpc:events LEFT COUNT 4 ; lrange rpc:events 0 -1 ; set user:1 {"isAdmin":true} ; incr events:version ;
    publish rpc:replies:gateway:auth:1 x ; psubscribe rpc:replies:* ; psubscribe rpc:replies:gateway:* ; hgetall jobs:mail:1 ;
    zadd rpc:events:replicas 1 x ; eval return(redis.call("GET",ARGV[1])) 1 session:1 jobs:mail:id`,
  auth: `blmpop 0.01 1 rpc:events LEFT COUNT 4 ; get session:1 ; rpush rpc:events x ; getdel rpc:blob:gateway:auth:1 ;
    subscribe rpc:replies:gateway:auth:1 ; subscribe rpc:replies:gateway:events:1 ; publish rpc:replies:gateway:events:1 x ;
    publish rpc:replies:gateway:admin:1 x ; set rpc:blob:gateway:events:1 x ; rpush rpc:auth x ; del limit:sign-in:1 ; psubscribe * ;
    eval return(redis.call("GET",ARGV[1])) 1 user:1 session:1`,
  events: `get session:1 ; get user:1 ; blmpop 0.01 1 rpc:auth LEFT COUNT 4 ; rpush rpc:auth x ; get rpc:blob:gateway:events:1 ;
    subscribe rpc:replies:gateway:events:1 ; subscribe rpc:replies:gateway:auth:1 ; psubscribe rpc:* ;
    publish rpc:replies:gateway:auth:1 x ; publish rpc:replies:1 x ; set rpc:blob:gateway:auth:1 x ; rpush rpc:events x`,
  admin: `blmpop 0.01 1 rpc:auth LEFT COUNT 4 ; get session:1 ; set user:1 x ; del jobs:mail:1 ; subscribe rpc:replies:gateway:admin:1 ;
    subscribe rpc:replies:gateway:auth:1 ; publish rpc:replies:gateway:auth:1 x ; getdel rpc:blob:gateway:auth:1 ; lrange rpc:auth 0 -1 ;
    rpush rpc:admin x ; rpush rpc:auth x ; set system:queues []`,
  worker: `get session:1 ; get user:1 ; rpush rpc:auth x ; rpush rpc:events x ; rpush rpc:admin x ; publish rpc:replies:gateway:auth:1 x ; subscribe rpc:replies:gateway:auth:1 ;
    get events:version ; scan 0 ; randomkey ; eval return(redis.call("GET",ARGV[1])) 1 jobs:mail:1 session:1`,
};

const DANGEROUS = `flushall ; flushdb ; config get * ; config set maxmemory 1 ; keys * ; scan 0 ; acl list ; acl setuser gateway allkeys ;
  client list ; client kill type normal ; monitor ; shutdown nosave ; replicaof 127.0.0.1 1 ; script flush ; function flush ; module list ;
  pubsub channels ; dbsize ; swapdb 0 1`;

describe('the Redis permissions', () => {
  let server: PrivateRedis;
  const clients = new Map<string, Redis>();
  const createClient = (
    name: string,
    url = urlForRole(server.ownerUrl, name, passwords[name as RedisUser]),
  ) => {
    const client = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
    client.on('error', () => undefined); // ignored, because each command throws its own error
    clients.set(name, client);
    return client;
  };
  const tried = async (name: string, line: string): Promise<string> => {
    const [command = '', ...args] = line.split(' ');
    // Each command gets a new connection, because a connection with a subscription accepts no other commands.
    const client = createClient(name);
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

  it.each(
    PROCESSES.flatMap((name) =>
      `${OTHERS_WORK[name]} ; ${DANGEROUS}`.split(/\s;\s+/).map((line) => [name, line]),
    ),
  )('deny %s the command %s', async (name, line) => {
    expect(await tried(name, line)).toBe('refused');
  });

  it.each(PROCESSES)('deny %s access to the queues of other services', async (name) => {
    const redisUrl = urlForRole(server.ownerUrl, name, passwords[name]);
    expect(await findMissingRefusals({ process: name, redisUrl, prefix: 'rpc' })).toEqual([]);
  });

  it('findMissingRefusals reports each queue that a user may read or empty', async () => {
    const redisUrl = urlForRole(server.ownerUrl, 'operator', passwords.operator);
    const missing = (process: string) => findMissingRefusals({ process, redisUrl, prefix: 'rpc' });
    const may = (command: string, service: string) =>
      `REDIS_URL must name a Redis user that may not run ${command} on rpc:${service}: use the users of config/redis/users.acl`;
    expect(await missing('admin')).toEqual([
      ...[may('LINDEX', 'auth'), may('LREM', 'auth'), may('LINDEX', 'events'), may('LREM', 'events')],
    ]);
    expect(await missing('gateway')).toEqual(['auth', 'events', 'admin'].map((each) => may('LINDEX', each)));
  });

  it.each(PROCESSES)('deny %s the DEBUG command', async (name) => {
    const operator = createClient('operator');
    expect(await operator.call('ACL', 'DRYRUN', name, 'debug', 'sleep', '0')).toMatch(/no permissions/);
    operator.disconnect();
  });

  it('deny access without a password or with another user’s password', async () => {
    const stranger = createClient('stranger', urlForRole(server.ownerUrl, '', ''));
    await expect(stranger.ping()).rejects.toThrow(/NOAUTH/);
    const nobody = createClient('default', urlForRole(server.ownerUrl, 'default', 'any'));
    await expect(nobody.connect()).rejects.toThrow(/WRONGPASS|closed/);
    const wrong = createClient('wrong', urlForRole(server.ownerUrl, 'auth', passwords.gateway));
    await expect(wrong.connect()).rejects.toThrow(/WRONGPASS|closed/);
  });

  it('let the operator run every command and list denied commands', async () => {
    const operator = createClient('operator');
    const url = urlForRole(server.ownerUrl, 'operator', passwords.operator);
    expect(await refusedByRedis(url)).toContain('gateway: command flushall, by flushall');
    expect(await refusedByRedis(url)).toContain('gateway: key user:1, by set');
    await operator.call('ACL', 'LOG', 'RESET');
    for (const line of ['config get maxmemory', 'keys *', 'flushall'])
      expect(await tried('operator', line)).toBe('ok');
    expect(await refusedByRedis(url)).toEqual([]);
    operator.disconnect();
  });

  it('let data that the worker wrote in a transaction survive a restart', async () => {
    const worker = createClient('worker');
    await worker.multi().hset('jobs:mail:2', 'name', 'mail').set('jobs:mail:id', '2').exec();
    worker.disconnect();
    await server.restart();
    const operator = createClient('operator');
    expect(await operator.hget('jobs:mail:2', 'name')).toBe('mail');
    expect(await operator.get('jobs:mail:id')).toBe('2');
    operator.disconnect();
    expect(await refusedByRedis(server.ownerUrl)).toEqual([]);
  });
});
