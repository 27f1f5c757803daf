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

  it('travels encoded to the login', () => {
    expect(loginPath('/?event=1&x=2')).toBe('/api/login?returnTo=%2F%3Fevent%3D1%26x%3D2');
  });
});
