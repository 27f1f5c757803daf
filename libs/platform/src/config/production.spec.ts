import { randomBytes } from 'node:crypto';
import { isLoopback, isWeakSecret, warningsAbout } from './production.js';

describe('isLoopback', () => {
  it.each(['http://localhost:1', 'redis://127.0.0.1:6379', 'postgres://[::1]/x', 'https://a.localhost'])(
    'accepts %s as a loopback address',
    (address) => {
      expect(isLoopback(address)).toBe(true);
    },
  );
  it.each([
    'http://localhost.example',
    'http://128.0.0.1',
    'redis://redis:6379',
    'http://127.0.0.1.example',
    'x',
  ])('rejects %s as a loopback address', (address) => {
    expect(isLoopback(address)).toBe(false);
  });
});

describe('isWeakSecret', () => {
  it.each([
    'a'.repeat(32),
    'ab'.repeat(20),
    'secretpassword!'.repeat(3),
    '0123456789'.repeat(4),
    '1234567'.repeat(5),
  ])('reports a weak secret: %s', (secret) => {
    expect(isWeakSecret(secret)).toBe(true);
  });

  it('does not report randomly generated secrets as weak', () => {
    for (let n = 0; n < 1_000; n += 1) {
      expect(isWeakSecret(randomBytes(16).toString('hex'))).toBe(false);
      expect(isWeakSecret(randomBytes(32).toString('base64url'))).toBe(false);
    }
  });
});

describe('warningsAbout', () => {
  const warnings = (databaseUrl: string, redisUrl: string, nodeEnv = 'production') =>
    warningsAbout({ nodeEnv, databaseUrl, redisUrl }).map((line) => line.split(' ')[0]);

  it('warns about unencrypted connections in production without showing passwords', () => {
    expect(warnings('postgres://a:pw@db/x', 'redis://:pw@redis')).toEqual(['REDIS_URL', 'DATABASE_URL']);
    expect(warnings('postgres://a:pw@db/x?sslmode=prefer', 'rediss://:pw@redis')).toEqual(['DATABASE_URL']);
    expect(
      JSON.stringify(warningsAbout({ nodeEnv: 'production', databaseUrl: 'postgres://a:pw@db/x' })),
    ).not.toContain('pw');
  });

  it('does not warn about localhost, encrypted connections or tests', () => {
    expect(warnings('postgres://a:pw@localhost/x', 'redis://127.0.0.1')).toEqual([]);
    expect(warnings('postgres://a:pw@db/x?sslmode=verify-full', 'rediss://redis')).toEqual([]);
    expect(warnings('postgres://a:pw@db/x', 'redis://redis', 'test')).toEqual([]);
  });
});
