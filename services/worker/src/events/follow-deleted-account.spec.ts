import { FollowDeletedAccount, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { workersForTests } from '../testing/test-worker.js';

describe('a deleted account', () => {
  const workers = workersForTests();

  it('invalidates cached answers without a notification from the gateway', async () => {
    await workers.start();
    const version = async () => Number((await workers.redis.get(PUBLIC_EVENTS_VERSION)) ?? 0);
    const before = await version();
    await workers.ask('auth', FollowDeletedAccount, {});
    await workers.eventually('the new version', async () => (await version()) > before);
  });
});
