import { randomBytes } from 'node:crypto';
import { isLoopback, isWeakSecret, warningsAbout } from './production.js';

describe('isLoopback', () => {
  it.each([
    ['http://localhost:1', true],
    ['redis://127.0.0.1:6379', true],
    ['postgres://[::1]/x', true],
    ['https://a.localhost', true],
    ['http://localhost.example', false],
    ['http://128.0.0.1', false],
    ['redis://redis:6379', false],
    ['http://127.0.0.1.example', false],
    ['x', false],
  ])('judges the address %s: %s', (address, expected) => expect(isLoopback(address)).toBe(expected));
});

describe('isWeakSecret', () => {
  it('reports repeated and predictable secrets', () => {
    const repeated = ['a'.repeat(32), 'ab'.repeat(20), 'secretpassword!'.repeat(3)];
    for (const secret of [...repeated, '0123456789'.repeat(4), '1234567'.repeat(5)])
      expect([secret, isWeakSecret(secret)]).toEqual([secret, true]);
  });

  it('does not report randomly generated secrets as weak', () => {
    const generate = [() => randomBytes(16).toString('hex'), () => randomBytes(32).toString('base64url')];
    const generated = generate.flatMap((make) => Array.from({ length: 1_000 }, make));
    expect(generated.filter(isWeakSecret)).toEqual([]);
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
