import { userErrors } from './user-form';

const VALID = { email: 'ada@example.org', firstName: 'Ada', lastName: 'Lovelace', role: 'member' as const };

describe('The form of a user', () => {
  it('says what is wrong with each field, in the specification’s words', () => {
    expect(
      userErrors({ email: 'ada', firstName: ' ', lastName: '', password: '12345', role: 'member' }),
    ).toEqual({
      email: 'Invalid email address',
      firstName: 'First name is required',
      lastName: 'Last name is required',
      password: 'Password must be at least 6 characters',
    });
  });

  it('has nothing to say about a valid new user', () => {
    expect(userErrors({ ...VALID, password: '123456' })).toEqual({});
  });

  it('asks for no password when a user is edited', () => {
    expect(userErrors(VALID)).toEqual({});
  });

  it.each([
    'ada',
    'ada@',
    '@example.org',
    'ada@example',
    'a b@example.org',
    'ada@@example.org',
    'ada@example..org',
  ])('takes %j for no address', (email) => {
    expect(userErrors({ ...VALID, email }).email).toBe('Invalid email address');
  });
});
