import { Redis } from 'ioredis';
import { startRedis } from '../index.js';

describe('the test harness', () => {
  it('keeps the data of a private Redis after a kill and restart', async () => {
    const server = await startRedis();
    const client = new Redis(server.ownerUrl);
    client.on('error', () => {});
    await client.set('key', 'value');
    await server.kill('SIGKILL');
    await server.restart();
    expect(await client.get('key')).toBe('value');
    client.disconnect();
    await server.stop();
  });

  it('names the user, command and key if Redis rejected a command', async () => {
    const server = await startRedis();
    const gateway = new Redis(server.urlFor('gateway'));
    const script = "return redis.call('GET', KEYS[1])";
    await expect(gateway.eval(script, 1, 'user:1')).rejects.toThrow(/permission/);
    gateway.disconnect();
    const named = 'Redis refused its users: gateway: key user:1, by eval';
    await expect(server.kill('SIGKILL')).rejects.toThrow(named);
    await expect(server.stop()).rejects.toThrow(named);
  });
});
