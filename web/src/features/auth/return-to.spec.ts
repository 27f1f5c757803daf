import fc from 'fast-check';
import { loginPath, safeReturnTo } from './return-to';

describe('The address that one returns to after signing in', () => {
  it.each(['/', '/dashboard', '/?event=1', '/my-events?x=1#y'])('may be %p', (path) => {
    expect(safeReturnTo(path)).toBe(path);
  });

  it.each([
    null,
    '',
    'dashboard',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/a\\b',
    'https://evil.example/',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/a/%2E%2E//evil.example',
    '/./\\evil.example',
    '/.\t.//evil.example',
  ])('may not be %p', (path) => {
    expect(safeReturnTo(path)).toBeNull();
  });

  it('stays on this site whatever it is made of, and is the same when it is judged again', () => {
    const pieces = [
      '/',
      '//',
      '\\',
      '.',
      '..',
      '%2e',
      '%2F',
      '%5c',
      '\t',
      '\n',
      ':',
      '@',
      '?',
      '#',
      'a',
      'evil.example',
      'https:',
    ];
    const typed = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 8 });
    fc.assert(
      fc.property(typed, (parts) => {
        const path = safeReturnTo(`/${parts.join('')}`);
        if (path === null) return;
        expect(new URL(path, window.location.href).origin).toBe(window.location.origin);
        expect(safeReturnTo(path)).toBe(path);
      }),
      { numRuns: 2_000 },
    );
  });

  it('travels encoded to the login', () => {
    expect(loginPath('/?event=1&x=2')).toBe('/api/login?returnTo=%2F%3Fevent%3D1%26x%3D2');
  });
});
