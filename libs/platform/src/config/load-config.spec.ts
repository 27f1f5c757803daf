import 'reflect-metadata';
import { ConfigError, environmentName, loadConfig } from './load-config.js';
import { ServiceConfig } from './service.config.js';

const SECRET = 'a-secret-for-tests-with-enough-length';
const complete = {
  DATABASE_URL: 'postgres://auth:pw@db/meetmark',
  REDIS_URL: 'redis://redis:6379',
  IDENTITY_SECRETS: SECRET,
};

function problems(environment: Record<string, string>): string[] {
  try {
    loadConfig(ServiceConfig, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('the configuration of a process', () => {
  it('is read from the environment, with defaults for what is absent or empty', () => {
    const config = loadConfig(ServiceConfig, { ...complete, DATABASE_POOL_SIZE: ' 4 ', RPC_BATCH: '' });
    expect(config).toBeInstanceOf(ServiceConfig);
    expect(config).toMatchObject({
      databasePoolSize: 4,
      rpcBatch: 4,
      logLevel: 'info',
      nodeEnv: 'production',
    });
  });

  it('takes several secrets, the first of which signs', () => {
    const config = loadConfig(ServiceConfig, { ...complete, IDENTITY_SECRETS: `${SECRET}-new, ${SECRET}` });
    expect(config.identitySecrets).toEqual([`${SECRET}-new`, SECRET]);
  });

  it('names everything that is missing or wrong, at once', () => {
    const wrong = { DATABASE_POOL_SIZE: 'many', LOG_LEVEL: 'loud', REDIS_URL: 'http://redis' };
    expect(problems(wrong).sort()).toEqual([
      'DATABASE_POOL_SIZE must be a whole number from 1 to 100',
      'DATABASE_URL must be an address that begins with postgres:// or postgresql://',
      'IDENTITY_SECRETS must hold at least one secret',
      'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent',
      'REDIS_URL must be an address that begins with redis:// or rediss://',
    ]);
  });

  it.each([
    ['short', /at least 32 characters/],
    [`change-me-${SECRET}`, /placeholder/],
    [`${SECRET},short`, /at least 32 characters/],
  ])('does not take %j for a secret, nor print it', (secret, reason) => {
    const [problem] = problems({ ...complete, IDENTITY_SECRETS: secret });
    expect(problem).toMatch(reason);
    expect(problem).not.toContain(SECRET);
  });

  it('names variables as environments do', () => {
    expect(environmentName('rpcMaxQueue')).toBe('RPC_MAX_QUEUE');
  });
});
