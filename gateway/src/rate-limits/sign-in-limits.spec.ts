import { DomainError } from '@meetmark/contracts';
import { createClient } from 'redis';
import { openTestGateway, type TestGateway } from '../testing/open-test-gateway.js';

describe('passwords that auth is looking at', () => {
  let stack: TestGateway;
  let letGo: () => void;
  beforeAll(async () => {
    const held = new Promise<void>((resolve) => (letGo = resolve));
    stack = await openTestGateway({
      signIn: async () => {
        await held;
        throw new DomainError('CREDENTIALS_INCORRECT');
      },
    });
  });
  afterAll(() => stack.close());

  it('are forty at a time for one gateway; what comes beyond is refused without waiting for them', async () => {
    const codes: unknown[] = [];
    const attempts = Array.from({ length: 50 }, async (_, n) => {
      const fields = { email: `someone-${n}@example.com`, password: 'wrong' };
      const { body } = await stack.browser().post('/api/login', fields);
      codes.push((body as { code: string }).code);
      if (codes.length === 10) letGo();
    });
    await Promise.all(attempts);
    expect(codes.slice(0, 10)).toEqual(Array(10).fill('SERVICE_OVERLOADED'));
    expect(codes.slice(10)).toEqual(Array(40).fill('CREDENTIALS_INCORRECT'));
  });
});

it('what is counted against an account names nobody in Redis', async () => {
  const stack = await openTestGateway({
    config: { rateLimitProfile: 'standard', rateLimits: 'sign-in-failures-anywhere=1/900' },
  });
  const redis = createClient({ url: stack.redisOwnerUrl });
  await redis.connect();
  try {
    const email = `counted-${Date.now()}@people.example`;
    for (let attempt = 0; attempt < 3; attempt += 1)
      await stack.browser().post('/api/login', { email, password: 'wrong' });
    const keys = await redis.keys('limit:*');
    expect(keys.filter((key) => /^limit:(sign-in-failures|turn)/.test(key)).length).toBeGreaterThan(2);
    expect(keys.filter((key) => key.includes('@'))).toEqual([]);
  } finally {
    redis.destroy();
    await stack.close();
  }
});
