import { jest } from '@jest/globals';
import { type PrivateRedis, startRedis, until } from '@meetmark/testing';
import { Redis } from 'ioredis';
import { ASK_GENERATION, generationIn, RedisGeneration } from './generation.js';

const NO_PRIMARY = ['127.0.0.1', 1] as const;
/** Part of a primary's answer to INFO. */
const INFO = 'run_id:1\nrole:master\nmaster_replid:2';

describe('the Redis generation', () => {
  let server: PrivateRedis;
  let replica: PrivateRedis;
  const clients: Redis[] = [];
  const connect = ({ ownerUrl }: PrivateRedis) => {
    const client = new Redis(ownerUrl, { retryStrategy: () => 20 });
    client.on('error', () => undefined);
    clients.push(client);
    return client;
  };
  const generation = async (client: Redis) => generationIn(await client.info(...ASK_GENERATION));
  beforeAll(async () => {
    [server, replica] = await Promise.all([startRedis(), startRedis()]);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    clients.splice(0).forEach((client) => client.disconnect());
  });
  afterAll(() => Promise.all([server.stop(), replica.stop()]));

  it('stays the same until Redis restarts', async () => {
    const before = await generation(connect(server));
    expect(before).toMatch(/^[0-9a-f]{12}$/);
    expect(await generation(connect(server))).toBe(before);
    await server.kill('SIGKILL');
    await server.restart();
    const after = await generation(connect(server));
    expect(after).toMatch(/^[0-9a-f]{12}$/);
    expect(after).not.toBe(before);
  });

  it('is undefined on a replica and changes after its promotion', async () => {
    const { hostname, port } = new URL(server.ownerUrl);
    const [first, second] = [connect(server), connect(replica)];
    await second.replicaof(hostname, Number(port));
    await until('the replica', 60_000, async () => (await second.info()).includes('master_link_status:up'));
    expect(await generation(second)).toBeUndefined();
    const before = await generation(first);
    await second.replicaof('NO', 'ONE');
    const after = await generation(second);
    expect(after).toBeDefined();
    expect(after).not.toBe(before);
  });

  it('changes after the connected server was a replica for a while', async () => {
    const client = connect(server);
    const others: string[] = [];
    const known = new RedisGeneration(
      () => client.info(...ASK_GENERATION),
      () => others.push('another'),
    );
    const before = await known.current();
    await client.replicaof(...NO_PRIMARY);
    await expect(known.learn()).rejects.toThrow('no primary');
    expect(known.known).toBeUndefined();
    await expect(known.current()).rejects.toThrow('no primary');
    await client.replicaof('NO', 'ONE');
    expect(await known.current()).not.toBe(before);
    expect(others).toEqual(['another']);
  });

  it('is read from Redis at most once per interval', async () => {
    const ask = jest.fn(() => Promise.resolve(INFO));
    const known = new RedisGeneration(ask);
    const now = jest.spyOn(performance, 'now');
    const counts: number[] = [];
    for (const moment of [1_000, 1_499, 1_500]) {
      now.mockReturnValue(moment);
      await Promise.all([known.within(500), known.within(500)]);
      counts.push(ask.mock.calls.length);
    }
    expect(counts).toEqual([1, 1, 2]);
  });

  it('ignores an answer from a lost connection', async () => {
    let answer: (info: string) => void;
    const known = new RedisGeneration(() => new Promise((resolve) => (answer = resolve)));
    const asked = known.current();
    known.forget();
    answer!(INFO);
    await expect(asked).rejects.toThrow('lost');
    expect(known.known).toBeUndefined();
  });
});
