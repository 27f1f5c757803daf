import { eventsInTime } from './my-events-screen';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const events = ['2026-11-25', '2026-11-20', '2026-11-22', '2026-11-10'].map((day) => ({
  startDate: `${day}T09:00:00Z`,
}));
const days = (time: 'upcoming' | 'past' | 'all') =>
  eventsInTime(events, time, NOW).map(({ startDate }) => startDate.slice(8, 10));

describe('My Events', () => {
  it('shows upcoming events soonest first', () => expect(days('upcoming')).toEqual(['22', '25']));
  it('shows past events latest first', () => expect(days('past')).toEqual(['20', '10']));
  it('shows all events soonest first', () => expect(days('all')).toEqual(['10', '20', '22', '25']));
});
