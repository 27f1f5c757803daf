import { anEvent } from '../../../testing/samples';
import { googleLink, outlookLink } from './calendar-links';

const parameters = (link: string) => new URL(link).searchParams;

describe('The links that add an event to a calendar', () => {
  it('carry moments', () => {
    const event = anEvent();
    expect(parameters(googleLink(event, 'https://x.example', 'Europe/London')).get('dates')).toBe(
      '20300501T090000Z/20300501T110000Z',
    );
    expect(parameters(outlookLink(event, 'https://x.example', 'Europe/London')).get('allday')).toBeNull();
  });

  it.each([
    ['Pacific/Kiritimati', '2030-04-30T10:00:00.000Z', '2030-05-03T10:00:00.000Z'],
    ['America/New_York', '2030-05-01T04:00:00.000Z', '2030-05-04T04:00:00.000Z'],
  ])('carry whole days of the community in %s, until the day after the last', (zone, startDate, endDate) => {
    const event = anEvent({ isAllDay: true, startDate, endDate });
    expect(parameters(googleLink(event, 'https://x.example', zone)).get('dates')).toBe('20300501/20300504');
    const outlook = parameters(outlookLink(event, 'https://x.example', zone));
    expect([outlook.get('startdt'), outlook.get('enddt'), outlook.get('allday')]).toEqual([
      '2030-05-01',
      '2030-05-04',
      'true',
    ]);
  });
});
