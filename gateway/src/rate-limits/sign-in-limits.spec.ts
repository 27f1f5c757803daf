import { DomainError } from '@meetmark/contracts';
import { until } from '@meetmark/testing';
import { createClient } from 'redis';
import { openTestGateway, PASSWORD, type TestGateway } from '../testing/open-test-gateway.js';

describe('passwords that auth is looking at', () => {
  let stack: TestGateway;
  let letGo: () => void;
  let asked = 0;
  let held: Promise<void>;
  beforeEach(() => {
    held = new Promise((resolve) => (letGo = resolve));
  });
  beforeAll(async () => {
    stack = await openTestGateway({
      config: { trustedProxies: 1 },
      signIn: async () => {
        asked += 1;
        await held;
        throw new DomainError('CREDENTIALS_INCORRECT');
      },
    });
  });
  afterAll(() => stack.close());

  it('are four at a time for one network, and nobody else waits for them', async () => {
    const from = (ip: string, n: number) =>
      stack
        .browser()
        .post('/api/login', { email: `one-${n}@example.com`, password: 'wrong' }, { 'x-forwarded-for': ip });
    asked = 0;
    const crowd = Array.from({ length: 60 }, (_, n) => from('198.51.100.7', n));
    await until('the share of the network is used up', 5_000, async () => asked === 4);
    const other = from('203.0.113.9', 60);
    await until('another network has its own', 5_000, async () => asked === 5);
    letGo();
    // who waited too long for a turn, as on a slow machine, is refused (shared-budgets.spec.ts)
    const answers = (await Promise.all(crowd)).map(({ status }) => status);
    const looked = answers.filter((status) => status === 401).length;
    expect([looked, looked >= 4]).toEqual([asked - 1, true]);
    expect(answers.filter((status) => ![401, 503].includes(status))).toEqual([]);
    expect((await other).status).toBe(401);
  });

  it('are forty at a time for one gateway; what comes beyond is refused without waiting for them', async () => {
    const codes: unknown[] = [];
    const attempts = Array.from({ length: 50 }, async (_, n) => {
      const fields = { email: `someone-${n}@example.com`, password: 'wrong' };
      const from = { 'x-forwarded-for': `192.0.2.${n}` };
      const { body } = await stack.browser().post('/api/login', fields, from);
      codes.push((body as { code: string }).code);
      if (codes.length === 10) letGo();
    });
    await Promise.all(attempts);
    expect(codes.slice(0, 10)).toEqual(Array(10).fill('SERVICE_OVERLOADED'));
    expect(codes.slice(10)).toEqual(Array(40).fill('CREDENTIALS_INCORRECT'));
  });
});

it('what is counted against an account is taken back once a password was right, and names nobody in Redis', async () => {
  const stack = await openTestGateway({
    config: { rateLimitProfile: 'standard', rateLimits: 'sign-in-failures-anywhere=1/900' },
  });
  const redis = createClient({ url: stack.redisOwnerUrl });
  await redis.connect();
  try {
    const { email: owner } = await stack.addUser();
    for (let browser = 0; browser < 3; browser += 1)
      await stack.browser().post('/api/login', { email: owner, password: PASSWORD });
    const [failures, anywhere] = await Promise.all(
      ['sign-in-failures', 'sign-in-failures-anywhere'].map(async (name) => {
        const counted = await redis.keys(`limit:${name}:*`);
        return Promise.all(counted.map((key) => redis.get(key)));
      }),
    );
    expect([failures, anywhere]).toEqual([['0'], ['0']]);
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
