import 'reflect-metadata';
import { ConfigError, environmentName, loadConfig } from './load-config.js';
import { SampleConfig, TEST_KEYS } from '../testing/test-keys.js';

const SECRET = 'a-secret-for-tests-with-enough-length';
const complete = {
  DATABASE_URL: 'postgres://auth:pw@db/meetmark',
  REDIS_URL: 'redis://redis:6379',
  IDENTITY_PUBLIC_KEYS: TEST_KEYS.identityPublicKeys.join(','),
  GATEWAY_EVENTS_SECRETS: SECRET,
};

function problems(environment: Record<string, string>): string[] {
  try {
    loadConfig(SampleConfig, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('the configuration of a process', () => {
  it('is read from the environment, with defaults for what is absent or empty', () => {
    const config = loadConfig(SampleConfig, { ...complete, DATABASE_POOL_SIZE: ' 4 ', RPC_BATCH: '' });
    expect(config).toBeInstanceOf(SampleConfig);
    expect(config).toMatchObject({
      databasePoolSize: 4,
      rpcBatch: 4,
      logLevel: 'info',
      nodeEnv: 'production',
    });
  });

  it('takes several secrets, the first of which signs', () => {
    const config = loadConfig(SampleConfig, {
      ...complete,
      GATEWAY_EVENTS_SECRETS: `${SECRET}-new, ${SECRET}`,
    });
    expect(config.gatewayEventsSecrets).toEqual([`${SECRET}-new`, SECRET]);
  });

  it('names everything that is missing or wrong, at once', () => {
    const wrong = { DATABASE_POOL_SIZE: 'many', LOG_LEVEL: 'loud', REDIS_URL: 'http://redis' };
    expect(problems(wrong).sort()).toEqual([
      'DATABASE_POOL_SIZE must be a whole number from 1 to 100',
      'DATABASE_URL must be an address that begins with postgres:// or postgresql://',
      'GATEWAY_EVENTS_SECRETS must hold at least one secret',
      'IDENTITY_PUBLIC_KEYS must hold at least one public key',
      'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent',
      'REDIS_URL must be an address that begins with redis:// or rediss://',
    ]);
  });

  it.each([
    ['short', /at least 32 characters/],
    [`change-me-${SECRET}`, /placeholder/],
    [`${SECRET},short`, /at least 32 characters/],
  ])('does not take %j for a secret, nor print it', (secret, reason) => {
    const [problem] = problems({ ...complete, GATEWAY_EVENTS_SECRETS: secret });
    expect(problem).toMatch(reason);
    expect(problem).not.toContain(SECRET);
  });

  it('takes public keys, several to rotate them, and nothing else for one', () => {
    const [key = ''] = TEST_KEYS.identityPublicKeys;
    expect(problems({ ...complete, IDENTITY_PUBLIC_KEYS: `${key}, ${key}` })).toEqual([]);
    for (const wrong of ['nonsense', TEST_KEYS.identityPrivateKey, `${key},x`])
      expect(problems({ ...complete, IDENTITY_PUBLIC_KEYS: wrong }).join()).toMatch(
        /^IDENTITY_PUBLIC_KEYS must hold public keys/,
      );
  });

  it('names variables as environments do', () => {
    expect(environmentName('rpcMaxQueue')).toBe('RPC_MAX_QUEUE');
  });
});
