import { render } from '@testing-library/react';
import { Avatar, type AvatarPerson } from './marks';

it.each<[AvatarPerson, string]>([
  [{ firstName: 'Ada', lastName: 'Lovelace' }, 'AL'],
  [{ firstName: 'e\u0301ric', lastName: '🇬🇧' }, 'E\u0301🇬🇧'],
  [{ email: 'ada@example.org' }, 'AD'],
  [{}, 'U'],
])('shows the initials of %j as %s', (person, initials) => {
  expect(render(<Avatar person={person} />).container.textContent).toBe(initials);
});
