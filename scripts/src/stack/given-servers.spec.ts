import { anyFreePort, testDatabase, testRedis } from '@meetmark/testing';
import { checkDatabase, checkRedis } from './given-servers.js';

describe('servers of the user’s own', () => {
  it('are taken when they let us in', async () => {
    const database = await testDatabase();
    await checkDatabase(database.url);
    await checkRedis((await testRedis()).ownerUrl);
    await database.drop();
  });

  it('are refused by the name of their variable, with the reason and a way out', async () => {
    const port = await anyFreePort();
    const wayOut = (variable: string) =>
      new RegExp(`^${variable}: .*ECONNREFUSED.*unset ${variable} to have one started for you`);
    await expect(checkDatabase(`postgres://me@localhost:${port}/x`)).rejects.toThrow(wayOut('DATABASE_URL'));
    await expect(checkRedis(`redis://localhost:${port}`)).rejects.toThrow(wayOut('REDIS_URL'));
  });
});
