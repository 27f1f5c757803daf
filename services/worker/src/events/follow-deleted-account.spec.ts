import { FollowDeletedAccount, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { handlersForTests } from '../testing/test-worker.js';

describe('a deleted account', () => {
  const workers = handlersForTests();

  it('invalidates cached answers without a notification from the gateway', async () => {
    await workers.run('auth', FollowDeletedAccount, {});
    expect(await workers.redis.get(PUBLIC_EVENTS_VERSION)).toBe('1');
  });
});
