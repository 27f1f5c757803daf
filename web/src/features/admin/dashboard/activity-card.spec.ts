import { activityFigures, averageText, daysIn } from './activity-card';

const NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const week = (...registrations: number[]) =>
  registrations.map((count, index) => ({ name: NAMES[index] ?? '', registrations: count }));
const written = (figure: number) =>
  new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }).format(figure);
const average = (...registrations: number[]) => averageText(activityFigures(week(...registrations)), written);

it.each([
  ['de-DE', ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So']],
  ['en-GB', NAMES],
])('The days of the registration activity have their names in %s', (locale, names) => {
  const days = week(4, 0, 11, 7, 16, 9, 3);
  expect(daysIn(locale, days)).toEqual(days.map((day, index) => ({ ...day, name: names[index] })));
});

describe('The footer of the registration activity', () => {
  it('adds up the seven days', () => {
    expect(activityFigures(week(4, 0, 11, 7, 16, 9, 3))).toEqual({ total: 50, activeDays: 6, days: 7 });
  });

  it('tells the average of the active days beside the overall one when some days were quiet', () => {
    expect(average(4, 0, 11, 7, 16, 9, 3)).toBe('Average: 8.3/active day (7.1/day overall)');
  });

  it('tells one average when somebody registered every day', () => {
    expect(average(1, 2, 3, 4, 5, 6, 7)).toBe('Average: 4/day');
  });

  it('tells one average when nobody registered', () => {
    expect(average(0, 0, 0, 0, 0, 0, 0)).toBe('Average: 0/day');
  });
});
