import { formatWhen } from '@meetmark/contracts';
import { DateTime } from 'luxon';
import { parseCalendar } from '../testing/calendar.js';
import { invitation, withdrawal } from './calendar-entry.js';

const at = (text: string, zone: string) => DateTime.fromISO(text, { zone }).toJSDate();
const span = (from: string, to: string, zone: string, isAllDay = false) => ({
  ...{ startDate: at(from, zone), endDate: at(to, zone), isAllDay },
});

const CONTEXT = {
  organizer: { name: 'Nomads', email: 'hello@nomads.example' },
  attendee: { name: 'Ada', email: 'ada@example.org' },
  ...{ stamp: new Date(0), url: 'https://nomads.example/', location: null, description: null },
};

describe('event dates', () => {
  const daysInCalendar = (
    days: ReturnType<typeof span> & { timeZone?: string },
    timeZone: string,
    make = invitation,
  ) => {
    const event = { id: '1', title: 'Camp', location: null, sequence: 0, ...days };
    const { startDate, endDate } = parseCalendar(make(event, { ...CONTEXT, timeZone }).content).entry;
    return [startDate.toString(), endDate.toString()];
  };

  it.each<[string, string, string, string, string[]]>([
    [
      ...(['Asia/Kathmandu', '2027-06-11T00:00', '2027-06-12T00:00', 'Friday, June 11, 2027'] as const),
      ['2027-06-11', '2027-06-12'],
    ],
    // The clocks change during these events.
    [
      ...(['America/Los_Angeles', '2027-03-12T00:00', '2027-03-14T23:59'] as const),
      'Friday, March 12 – Sunday, March 14, 2027',
      ['2027-03-12', '2027-03-15'],
    ],
    [
      ...(['Pacific/Auckland', '2027-04-03T00:00', '2027-04-06T00:00'] as const),
      'Saturday, April 3 – Monday, April 5, 2027',
      ['2027-04-03', '2027-04-06'],
    ],
  ])('show an all-day event in %s from %s to %s as days', (timeZone, from, to, expected, days) => {
    const camp = span(from, to, timeZone, true);
    const when = formatWhen(camp, { timeZone, locale: 'en-US' });
    expect(when).toMatchObject({ text: expected, days: expected, hours: null });
    for (const make of [invitation, withdrawal]) expect(daysInCalendar(camp, timeZone, make)).toEqual(days);
  });

  it('show an all-day event on the days of its own time zone', () => {
    const [own, timeZone] = ['Europe/Berlin', 'Pacific/Auckland'];
    const camp = { ...span('2027-06-11', '2027-06-12', own, true), timeZone: own };
    expect(formatWhen(camp, { timeZone, locale: 'en-US' }).text).toBe('Friday, June 11, 2027');
    expect(daysInCalendar(camp, timeZone)).toEqual(['2027-06-11', '2027-06-12']);
  });

  it.each([
    // The start shows its zone name only if the clocks change before the end.
    ['Pacific/Auckland', '', ' NZDT'],
    ['America/Los_Angeles', ' PST', ' PDT'],
    ['Asia/Kathmandu', '', ' GMT+5:45'],
  ])('show date and time of both start and end for a multi-day event in %s', (timeZone, first, last) => {
    const camp = span('2027-03-12T18:00', '2027-03-14T12:00', timeZone);
    const { text, days, hours } = formatWhen(camp, { timeZone, locale: 'en-US' });
    expect(text).toBe(
      `Friday, March 12, 2027 at 6:00 PM${first} – Sunday, March 14, 2027 at 12:00 PM${last}`,
    );
    expect([days, hours]).toEqual([text, null]);
  });

  it('show the hours of a one-day event separately from its date', () => {
    const timeZone = 'Asia/Kathmandu';
    const evening = span('2027-11-06T18:00', '2027-11-06T20:30', timeZone);
    expect(formatWhen(evening, { timeZone, locale: 'en-US' })).toMatchObject({
      ...{ days: 'Saturday, November 6, 2027', month: 'Nov', day: '6' },
      hours: expect.stringMatching(/^6:00 – 8:30 PM ./),
    });
  });

  it.each([
    // In this week, London has changed its clocks and New York hasn't.
    ['America/New_York', 'Friday, 30 October 2026, 19:30–21:30 EDT', '30'],
    ['Europe/Berlin', 'Saturday, 31 October 2026, 00:30–02:30 CET', '31'],
    [null, 'Friday, 30 October 2026 at 23:30 – Saturday, 31 October 2026 at 01:30 GMT', '30'],
  ])('show the day, hours and zone name of %s for an event with that time zone', (timeZone, text, day) => {
    const evening = span('2026-10-30T23:30', '2026-10-31T01:30', 'UTC');
    const when = formatWhen({ ...evening, timeZone }, { timeZone: 'Europe/London', locale: 'en-GB' });
    expect([when.text, when.day]).toEqual([text, day]);
  });
});
