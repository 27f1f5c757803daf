import { formatWhen } from '@meetmark/contracts';
import ICAL from 'ical.js';
import { DateTime } from 'luxon';
import { invitation, withdrawal } from './calendar-entry.js';

describe.each(['Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kathmandu'] as const)(
  'event dates in %s',
  (timeZone) => {
    const local = (text: string) => DateTime.fromISO(text, { zone: timeZone }).toJSDate();
    const span = (from: string, to: string, isAllDay: boolean) => ({
      startDate: local(from),
      endDate: local(to),
      isAllDay,
    });
    const words = (from: string, to: string, isAllDay: boolean) =>
      formatWhen(span(from, to, isAllDay), { timeZone, locale: 'en-US' });
    const context = {
      organizer: { name: 'Nomads', email: 'hello@nomads.example' },
      attendee: { name: 'Ada', email: 'ada@example.org' },
      stamp: new Date(0),
      timeZone,
      url: 'https://nomads.example/events/1',
      location: null,
      description: null,
    };

    it.each([
      ['2027-06-11T00:00', '2027-06-12T00:00', 'Friday, June 11, 2027', ['2027-06-11', '2027-06-12']],
      [
        '2027-03-12T00:00',
        '2027-03-14T23:59',
        'Friday, March 12 – Sunday, March 14, 2027',
        ['2027-03-12', '2027-03-15'],
      ],
      [
        '2027-11-06T00:00',
        '2027-11-09T00:00',
        'Saturday, November 6 – Monday, November 8, 2027',
        ['2027-11-06', '2027-11-09'],
      ],
    ])('show an all-day event from %s to %s as days', (from, to, expected, days) => {
      expect(words(from, to, true)).toMatchObject({ text: expected, days: expected, hours: null });
      for (const make of [invitation, withdrawal]) {
        const event = { id: '1', title: 'Camp', location: null, sequence: 0, ...span(from, to, true) };
        const calendar = new ICAL.Component(ICAL.parse(make(event, context).content));
        const entry = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!);
        expect([entry.startDate.toString(), entry.endDate.toString()]).toEqual(days);
      }
    });

    it('use the event’s own time zone for its days', () => {
      const at = (text: string) => DateTime.fromISO(text, { zone: 'Europe/Berlin' }).toJSDate();
      const days = { startDate: at('2027-06-11'), endDate: at('2027-06-12'), isAllDay: true };
      const event = { id: '1', title: 'Camp', location: null, sequence: 0, ...days };
      const there = { ...event, timeZone: 'Europe/Berlin' };
      expect(formatWhen(there, { timeZone, locale: 'en-US' }).text).toBe('Friday, June 11, 2027');
      const calendar = new ICAL.Component(ICAL.parse(invitation(there, context).content));
      const entry = new ICAL.Event(calendar.getFirstSubcomponent('vevent')!);
      expect(entry.startDate.toString()).toBe('2027-06-11');
    });

    it('show date and time of both start and end for a multi-day event', () => {
      const { text, days, hours } = words('2027-03-12T18:00', '2027-03-14T12:00', false);
      // The start shows its zone name only if the clocks change before the end.
      const [first, last] = {
        'Pacific/Auckland': ['', ' NZDT'],
        'America/Los_Angeles': [' PST', ' PDT'],
        'Asia/Kathmandu': ['', ' GMT+5:45'],
      }[timeZone];
      expect(text).toBe(
        `Friday, March 12, 2027 at 6:00 PM${first} – Sunday, March 14, 2027 at 12:00 PM${last}`,
      );
      expect([days, hours]).toEqual([text, null]);
    });

    it('show the hours of a one-day event separately from its date', () => {
      const when = words('2027-11-06T18:00', '2027-11-06T20:30', false);
      expect(when).toMatchObject({ days: 'Saturday, November 6, 2027', month: 'Nov', day: '6' });
      expect(when.hours).toMatch(/^6:00 – 8:30 PM ./);
    });
  },
);

describe('the date of an event with its own time zone', () => {
  const london = { timeZone: 'Europe/London', locale: 'en-GB' };
  const evening = {
    startDate: new Date('2026-10-30T23:30Z'),
    endDate: new Date('2026-10-31T01:30Z'),
    isAllDay: false,
  };

  it.each([
    // In this week, London has changed its clocks and New York hasn't.
    ['America/New_York', 'Friday, 30 October 2026, 19:30–21:30 EDT', '30'],
    ['Europe/Berlin', 'Saturday, 31 October 2026, 00:30–02:30 CET', '31'],
    [null, 'Friday, 30 October 2026 at 23:30 – Saturday, 31 October 2026 at 01:30 GMT', '30'],
  ])('shows the day, hours and zone name of %s', (timeZone, text, day) => {
    const when = formatWhen({ ...evening, timeZone }, london);
    expect([when.text, when.day]).toEqual([text, day]);
  });
});
