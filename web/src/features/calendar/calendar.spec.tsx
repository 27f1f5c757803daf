import { screen, within } from '@testing-library/react';
import { press } from '../../testing/actions';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent, aRunningEvent, aUser } from '../../testing/samples';
import { Agenda } from './agenda';
import { buildWeeks } from './month';
import { MonthCalendar } from './month-calendar';

const at = (day: number) => new Date(2030, 4, day, 12).toISOString();
const showMonth = (given: Parameters<typeof anEvent>[0]) => {
  fakeApi({ 'GET /api/events/public': () => ({ body: [anEvent(given)] }) });
  renderScreen(<MonthCalendar />, { user: null, path: '/events?month=2030-05' });
};

describe('The month calendar', () => {
  it('lists the events of the chosen day, or says that it has none', async () => {
    showMonth({ startDate: at(9), endDate: at(9) });
    await press(/May 9, 2030: 1 event$/);
    expect(screen.getAllByText('Attribution breakfast')).toHaveLength(2);
    await press(/May 10, 2030: no events$/);
    expect(document.activeElement?.textContent).toBe('Friday, May 10, 2030No events on this day');
  });

  it.each([
    ['whole days', { isAllDay: true, startDate: '2030-05-13T23:00:00Z', endDate: '2030-05-16T23:00:00Z' }],
    ['hours', { isAllDay: false, startDate: '2030-05-14T12:00:00Z', endDate: '2030-05-16T12:00:00Z' }],
  ])('numbers the days of a multi-day event with dates in %s', async (_, dates) => {
    showMonth({ title: 'Summit', ...dates });
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

describe('The agenda', () => {
  it('lists running events first, without calling them ended', async () => {
    const requests = fakeApi({
      'GET /api/events/public': () => ({
        body: [aRunningEvent({ title: 'Festival' }), anEvent({ id: '2', title: 'Breakfast' })],
      }),
      'GET /api/my-events': () => ({ body: [] }),
    });
    renderScreen(<Agenda />, { user: aUser() });
    const [running, upcoming] = await screen.findAllByRole('article');
    within(running!).getByText('Festival');
    within(running!).getByText('Happening Now');
    within(running!).getByRole('button', { name: 'Registration closed: Festival' });
    expect(within(upcoming!).queryByText('Happening Now')).toBeNull();
    within(upcoming!).getByRole('button', { name: 'Register: Breakfast' });
    const { query } = requests.find(({ path }) => path === '/api/events/public')!;
    expect(query.get('time')).toBe('notEnded');
  });
});
