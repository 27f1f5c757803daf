import 'reflect-metadata';
import { findProblems } from '../testing/find-problems.js';
import { loadConfig } from './load-config.js';
import { TEST_KEYS } from '../testing/test-keys.js';
import { ServiceConfig } from './service.config.js';

const SECRET = 'a-secret-for-tests-with-enough-length';
const complete = {
  DATABASE_URL: 'postgres://auth:pw@db/meetmark',
  REDIS_URL: 'redis://redis:6379',
  IDENTITY_PUBLIC_KEYS: TEST_KEYS.identityPublicKeys.join(','),
  RPC_SECRETS: SECRET,
};

const problems = (environment: Record<string, string>) =>
  findProblems(() => loadConfig(ServiceConfig, environment));

describe('process configuration', () => {
  it('reads the environment, with defaults for missing or empty variables', () => {
    const given = { DATABASE_POOL_SIZE: ' 4 ', RPC_BATCH: '', RPC_SECRETS: `${SECRET}-new, ${SECRET}` };
    const config = loadConfig(ServiceConfig, { ...complete, ...given });
    expect(config).toBeInstanceOf(ServiceConfig);
    expect(config).toMatchObject({
      ...{ databasePoolSize: 4, rpcBatch: 4, rpcSecrets: [`${SECRET}-new`, SECRET] },
      ...{ logLevel: 'info', nodeEnv: 'production' },
    });
  });

  it('reports all missing and invalid variables together', () => {
    const wrong = { DATABASE_POOL_SIZE: 'many', LOG_LEVEL: 'loud', REDIS_URL: 'http://redis' };
    expect(problems(wrong).sort()).toEqual([
      'DATABASE_POOL_SIZE must be a whole number from 1 to 100',
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql://',
      'IDENTITY_PUBLIC_KEYS must contain at least one public key',
      'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent',
      'REDIS_URL must be a URL that starts with redis:// or rediss://',
      'RPC_SECRETS must contain at least one secret',
    ]);
  });

  it.each([
    ['short', /at least 32 characters/],
    [`change-me-${SECRET}`, /placeholder/],
    [`${SECRET},short`, /at least 32 characters/],
  ])('rejects the secret %j without printing it', (secret, reason) => {
    const [problem] = problems({ ...complete, RPC_SECRETS: secret });
    expect(problem).toMatch(reason);
    expect(problem).not.toContain(SECRET);
  });

  it('accepts several public keys, but no other values', () => {
    const [key = ''] = TEST_KEYS.identityPublicKeys;
    expect(problems({ ...complete, IDENTITY_PUBLIC_KEYS: `${key}, ${key}` })).toEqual([]);
    for (const wrong of ['nonsense', TEST_KEYS.identityPrivateKey, `${key},x`])
      expect(problems({ ...complete, IDENTITY_PUBLIC_KEYS: wrong }).join()).toMatch(
        /^IDENTITY_PUBLIC_KEYS must contain public keys/,
      );
  });
});
