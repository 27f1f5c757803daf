import { anyFreePort, testDatabase, testRedis } from '@meetmark/testing';
import { checkDatabase, checkRedis } from './given-servers.js';

describe('checkDatabase and checkRedis', () => {
  it('accept reachable servers', async () => {
    const database = await testDatabase();
    await checkDatabase(database.url);
    await checkRedis((await testRedis()).ownerUrl);
    await database.drop();
  });

  it('name the variable, the reason and a fix for an unreachable server', async () => {
    const port = await anyFreePort();
    const wayOut = (variable: string) =>
      new RegExp(`^${variable}: .*ECONNREFUSED.*unset ${variable} to start one automatically`);
    await expect(checkDatabase(`postgres://me@localhost:${port}/x`)).rejects.toThrow(wayOut('DATABASE_URL'));
    await expect(checkRedis(`redis://localhost:${port}`)).rejects.toThrow(wayOut('REDIS_URL'));
  });
});
