import type { Checklist, ChecklistName } from '@meetmark/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { getHrefs } from '../../../testing/actions';
import { fakeApi } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { aUser, anEvent } from '../../../testing/samples';
import { FirstMonth } from './first-month';
import { activityFigures, averageText, daysIn } from './activity-card';
import { summaryFigures } from './summary-cards';

const NEEDED: Record<ChecklistName, number> = {
  ...{ mail: 4, legalPages: 2, secondFactor: 3, members: 10 },
  ...{ topics: 1, firstEvent: 1, firstEvening: 1, backup: 1 },
};
const checklist = (
  counts: Partial<Record<ChecklistName, number>>,
  lastBackup: string | null = null,
): Checklist => ({
  items: (Object.keys(NEEDED) as ChecklistName[]).map((name) => {
    const [count, needed] = [counts[name] ?? 0, NEEDED[name]];
    return { name, count, needed, done: count >= needed };
  }),
  ...{ mailArrived: false, mailCheck: null, lastBackup },
});
const shown = (answer: Checklist) => {
  const requests = fakeApi({ 'GET /api/admin/checklist': () => ({ body: answer }) });
  renderScreen(<FirstMonth />, { user: aUser({ isAdmin: true }) });
  return requests;
};
const list = () => screen.findByRole('region', { name: 'The first month' });
const getItemText = (panel: HTMLElement, name: string) =>
  within(panel).getByRole('link', { name }).closest('li')?.textContent;

describe('The first-month checklist', () => {
  it('shows a collapsed line that opens the steps with their progress and links', async () => {
    shown(checklist({ mail: 2, secondFactor: 2, members: 12, topics: 5 }));
    const panel = await list();
    const line = panel.querySelector('details')!;
    expect(line.open).toBe(false);
    expect(line.querySelector('summary')!.textContent).toBe('The first month2 of 8 done');
    await userEvent.click(line.querySelector('summary')!);
    expect(line.open).toBe(true);
    expect(getItemText(panel, 'Email checked')).toContain('2 of 4 email checks passed');
    expect(getItemText(panel, 'Second factor')).toContain('Admins with a second factor: 2 of 3');
    expect(getItemText(panel, 'Ten members')).toBe('Ten membersDone');
    expect(getItemText(panel, 'Topics')).toBe('TopicsDone');
    expect(getItemText(panel, 'First event held')).toContain('No event with attendees has ended yet');
    expect(getItemText(panel, 'Recent backup')).toContain('hasn’t made one yet');
    const places = getHrefs(within(panel).getAllByRole('link'));
    expect(places.slice(0, 3)).toEqual(['/admin/system#mail-check', '/admin/settings', '/profile/security']);
  });

  it.each([
    ['this week', 1, '2026-01-14T03:00:00.000Z', /Last made .*14/],
    ['earlier', 0, '2026-01-02T03:00:00.000Z', /Last made .*2.*more than a week ago/],
  ])('says when the last backup was made: %s', async (_, backup, at, words) => {
    shown(checklist({ backup }, at));
    expect(getItemText(await list(), 'Recent backup')).toMatch(words);
  });

  it('hides the checklist when every step is done', async () => {
    const requests = shown(checklist(NEEDED, '2026-01-14T03:00:00.000Z'));
    await waitFor(() => expect(requests).toHaveLength(1));
    await act(() => new Promise((resolve) => setTimeout(resolve)));
    expect(screen.queryByRole('region')).toBeNull();
  });
});

const NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const week = (...registrations: number[]) =>
  registrations.map((count, index) => ({ name: NAMES[index] ?? '', registrations: count }));
const written = (figure: number) =>
  new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }).format(figure);
it.each([
  ['de-DE', ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So']],
  ['en-GB', NAMES],
])('The registration activity names its days in %s', (locale, names) => {
  const days = week(4, 0, 11, 7, 16, 9, 3);
  expect(daysIn(locale, days)).toEqual(days.map((day, index) => ({ ...day, name: names[index] })));
});

describe('The footer of the registration activity', () => {
  it.each([
    [[4, 0, 11, 7, 16, 9, 3], 'Average: 8.3/active day (7.1/day overall)'],
    [[1, 2, 3, 4, 5, 6, 7], 'Average: 4/day'],
    [[0, 0, 0, 0, 0, 0, 0], 'Average: 0/day'],
  ])('shows the average of %j per active day and overall, if they differ', (registrations, average) => {
    expect(averageText(activityFigures(week(...registrations)), written)).toBe(average);
  });
});

describe('The dashboard summary', () => {
  it('shows totals, and averages per week and month', () => {
    const summary = {
      ...{ totalEvents: 120, eventsThisMonth: 9, upcomingEvents: 18, totalUsers: 400, newUsers: 43 },
      nextEvents: [anEvent()],
    };
    expect(summaryFigures(summary, 5)).toEqual({
      ...{ totalEvents: 120, eventsPerMonth: 9, activeUsers: 400, usersPerWeek: expect.closeTo(10) },
      ...{ upcomingEvents: 18, eventsPerWeek: 2.5, eventsThisMonth: 9 },
    });
  });
});
