import { ConfigError, loadConfig } from '@meetmark/platform';
import { makeIdentityKeys } from '@meetmark/platform/testing/test-keys';
import { GatewayConfig } from './gateway.config.js';

const SECRET = 'a-secret-of-thirty-two-characters-at-least';
const { identityPrivateKey, identityPublicKeys } = makeIdentityKeys();
const valid = {
  DATABASE_URL: 'postgres://meetmark_gateway@localhost/meetmark',
  REDIS_URL: 'redis://localhost',
  IDENTITY_PRIVATE_KEY: identityPrivateKey,
  IDENTITY_PUBLIC_KEYS: identityPublicKeys.join(','),
  GATEWAY_AUTH_SECRETS: SECRET,
  GATEWAY_EVENTS_SECRETS: SECRET,
  GATEWAY_ADMIN_SECRETS: SECRET,
  SESSION_SECRETS: SECRET,
  LINK_SECRETS: SECRET,
  PUBLIC_URL: 'http://localhost:8080',
  COMMUNITY_CONFIG: 'config/community.json',
};
const problems = (changes: Record<string, string>) => {
  try {
    loadConfig(GatewayConfig, { ...valid, ...changes });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

describe('the configuration of the gateway', () => {
  it('has sensible values for what is not given', () => {
    expect(loadConfig(GatewayConfig, valid)).toMatchObject({
      port: 8080,
      host: '0.0.0.0',
      trustedProxies: 0,
      rateLimitProfile: 'standard',
    });
  });

  it.each([
    [{ PUBLIC_URL: 'localhost' }, /^PUBLIC_URL /],
    [{ PUBLIC_URL: 'ftp://localhost' }, /^PUBLIC_URL /],
    [{ PORT: '70000' }, /^PORT /],
    [{ IDENTITY_PRIVATE_KEY: SECRET }, /^IDENTITY_PRIVATE_KEY must be a private key/],
    [
      { IDENTITY_PRIVATE_KEY: makeIdentityKeys().identityPrivateKey },
      /^IDENTITY_PRIVATE_KEY must be the private part of one of IDENTITY_PUBLIC_KEYS/,
    ],
    [{ GATEWAY_AUTH_SECRETS: 'short' }, /^GATEWAY_AUTH_SECRETS /],
    [{ SESSION_SECRETS: 'short' }, /^SESSION_SECRETS /],
    [
      { SESSION_SECRETS: `${SECRET}, change-me-change-me-change-me-change-me` },
      /^SESSION_SECRETS .*placeholder/,
    ],
    [{ TRUSTED_PROXIES: 'true' }, /^TRUSTED_PROXIES /],
    [{ RATE_LIMIT_PROFILE: 'off' }, /^RATE_LIMIT_PROFILE /],
    [{ RATE_LIMITS: 'sign-up=many' }, /^RATE_LIMITS .*sign-up=many/],
    [{ COMMUNITY_CONFIG: '' }, /^COMMUNITY_CONFIG /],
  ])('is refused by name with %j', (changes, reason) => {
    expect(problems(changes as Record<string, string>).join('\n')).toMatch(reason);
  });
});
