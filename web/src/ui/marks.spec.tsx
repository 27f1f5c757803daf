import { render } from '@testing-library/react';
import { Avatar, type AvatarPerson } from './marks';

describe('An avatar without a picture', () => {
  it.each<[string, AvatarPerson]>([
    ['AL', { firstName: 'ada', lastName: 'Lovelace', email: 'countess@example.org' }],
    ['CO', { firstName: 'Ada', email: 'countess@example.org' }],
    ['U', {}],
  ])('is %s for %j', (letters, person) => {
    expect(render(<Avatar person={person} />).container.textContent).toBe(letters);
  });
});
