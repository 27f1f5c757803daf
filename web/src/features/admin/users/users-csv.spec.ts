import { aUser } from '../../../testing/samples';
import { usersCsv, usersFileName } from './users-page';

describe('The export of users', () => {
  it('has the specified columns, Yes and No, and the date in the community’s way', () => {
    const csv = usersCsv(
      [
        aUser({ id: '1', isAdmin: true }),
        aUser({ id: '2', email: 'eve@example.org', firstName: '=cmd()', lastName: 'O, Neil' }),
      ],
      'en-US',
    );
    expect(csv.slice(1).split('\r\n')).toEqual([
      'ID,Email,First Name,Last Name,Admin,Created At',
      '1,ada@example.org,Ada,Lovelace,Yes,1/15/2026',
      '2,eve@example.org,"\'=cmd()","O, Neil",No,1/15/2026',
    ]);
  });

  it('is named by its day', () => {
    expect(usersFileName('2026-11-21')).toBe('users-export-2026-11-21.csv');
  });
});
