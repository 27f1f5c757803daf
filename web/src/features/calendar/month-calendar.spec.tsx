import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent } from '../../testing/samples';
import { weeksOf } from './month';
import { MonthCalendar } from './month-calendar';

const at = (day: number) => new Date(2030, 4, day, 12).toISOString();
const tap = (day: RegExp) => screen.findByRole('button', { name: day }).then(userEvent.click);

describe('The month', () => {
  it('leads to the list of the day that is chosen; of one without events it says that the day has none, not the month', async () => {
    fakeApi({
      'GET /api/events/public': () => ({ body: [anEvent({ startDate: at(9), endDate: at(9) })] }),
    });
    renderScreen(<MonthCalendar />, { user: null, path: '/events?month=2030-05' });
    await tap(/May 9, 2030: 1 event$/);
    expect(screen.getAllByText('Attribution breakfast')).toHaveLength(2);
    await tap(/May 10, 2030: no events$/);
    expect(document.activeElement?.textContent).toBe('Friday, May 10, 2030No events on this day');
  });

  it.each([
    [0, 'Sun Apr 28 2030', 'Sat Jun 01 2030'],
    [1, 'Mon Apr 29 2030', 'Sun Jun 02 2030'],
    [6, 'Sat Apr 27 2030', 'Fri May 31 2030'],
  ])('whose weeks begin with day %i is from %s to %s', (firstDay, first, last) => {
    const days = weeksOf(new Date(2030, 4, 1), firstDay).flat();
    expect([days[0], days.at(-1)].map((day) => day?.start.toDateString())).toEqual([first, last]);
  });
});
