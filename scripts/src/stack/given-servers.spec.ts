import { anyFreePort, testDatabase, testRedis } from '@meetmark/testing';
import { checkDatabase, checkRedis } from './given-servers.js';

describe('DATABASE_URL and REDIS_URL', () => {
  it('are accepted when their servers are reachable', async () => {
    const database = await testDatabase();
    await checkDatabase(database.url);
    await checkRedis((await testRedis()).ownerUrl);
    await database.drop();
  });

  it('are refused with the variable name, the reason and a fix', async () => {
    const port = await anyFreePort();
    const wayOut = (variable: string) =>
      new RegExp(`^${variable}: .*ECONNREFUSED.*unset ${variable} to start one automatically`);
    await expect(checkDatabase(`postgres://me@localhost:${port}/x`)).rejects.toThrow(wayOut('DATABASE_URL'));
    await expect(checkRedis(`redis://localhost:${port}`)).rejects.toThrow(wayOut('REDIS_URL'));
  });
});
