import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent } from '../../testing/samples';
import { buildWeeks } from './month';
import { MonthCalendar } from './month-calendar';

const at = (day: number) => new Date(2030, 4, day, 12).toISOString();
const tap = (day: RegExp) => screen.findByRole('button', { name: day }).then(userEvent.click);

describe('The month calendar', () => {
  it('lists the events of the chosen day, or says that it has none', async () => {
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
    ['whole days', { isAllDay: true, startDate: '2030-05-13T23:00:00Z', endDate: '2030-05-16T23:00:00Z' }],
    ['hours', { isAllDay: false, startDate: '2030-05-14T12:00:00Z', endDate: '2030-05-16T12:00:00Z' }],
  ])('numbers the days of a multi-day event with dates in %s', async (_, dates) => {
    fakeApi({ 'GET /api/events/public': () => ({ body: [anEvent({ title: 'Summit', ...dates })] }) });
    renderScreen(<MonthCalendar />, { user: null, path: '/events?month=2030-05' });
    const grid = await screen.findByRole('table');
    const links = await within(grid).findAllByRole('link', { name: /Summit/ });
    const parts = links.map(({ textContent }) => /day \d of \d/.exec(textContent ?? '')?.[0]);
    expect(parts).toEqual(['day 1 of 3', 'day 2 of 3', 'day 3 of 3']);
  });

  it.each([
    [0, 'Sun Apr 28 2030', 'Sat Jun 01 2030'],
    [1, 'Mon Apr 29 2030', 'Sun Jun 02 2030'],
    [6, 'Sat Apr 27 2030', 'Fri May 31 2030'],
  ])('with weeks starting on day %i, shows the days from %s to %s', (firstDay, first, last) => {
    const days = buildWeeks(new Date(2030, 4, 1), firstDay).flat();
    expect([days[0], days.at(-1)].map((day) => day?.start.toDateString())).toEqual([first, last]);
  });
});
