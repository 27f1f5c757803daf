import { anEvent } from '../../../testing/samples';
import { summaryFigures } from './summary-cards';

const summary = {
  totalEvents: 120,
  eventsThisMonth: 9,
  upcomingEvents: 18,
  nextEvents: [anEvent({ id: '1' }), anEvent({ id: '2' }), anEvent({ id: '3' })],
  totalUsers: 400,
  newUsers: 43,
};

describe('The summary cards', () => {
  it('divide the new users of 30 days by 4.3 weeks', () => {
    expect(summaryFigures(summary, 3).usersPerWeek).toBeCloseTo(10);
  });

  it('count all upcoming events, and divide those of the next 2 weeks by 2', () => {
    expect(summaryFigures(summary, 5)).toMatchObject({ upcomingEvents: 18, eventsPerWeek: 2.5 });
  });

  it('count all events, and those of the last 30 days as the rate of a month', () => {
    expect(summaryFigures(summary, 3)).toMatchObject({
      totalEvents: 120,
      eventsPerMonth: 9,
      eventsThisMonth: 9,
      activeUsers: 400,
    });
  });
});
