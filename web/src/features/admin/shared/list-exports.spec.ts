import { anEvent, aUser } from '../../../testing/samples';
import { eventsCsv } from '../events/admin-events-page';
import { usersCsv, usersFileName } from '../users/users-page';

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

describe('The export of events', () => {
  it('has moments as they are, figures, and nothing that a spreadsheet would calculate', () => {
    const event = anEvent({
      id: '1',
      title: '=cmd()',
      startDate: '2031-05-01T17:00:00.000Z',
      endDate: '2031-05-01T19:00:00.000Z',
      location: 'Leeds',
      price: null,
      registrationCount: 4,
      waitingCount: 1,
      capacity: 4,
    });
    expect(eventsCsv([event]).slice(1).split('\r\n')).toEqual([
      'ID,Title,Status,Starts,Ends,Location,Price,Registered,Waiting,Capacity',
      '1,"\'=cmd()",published,2031-05-01T17:00:00.000Z,2031-05-01T19:00:00.000Z,Leeds,,4,1,4',
    ]);
  });
});
