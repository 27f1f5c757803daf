import type { Community } from '@meetmark/contracts';
import { zoneNames } from '@meetmark/contracts/zone-names';
import ICAL from 'ical.js';
import { DateTime } from 'luxon';
import { EventsConfig } from '../events.config.js';
import { type CalendarEntry, CalendarWriter } from './calendar-writer.js';
import { timeZoneRules } from './time-zone-rules.js';

const listObservances = (zone: string) => {
  const { component } = timeZoneRules(zone)!;
  return [...component.matchAll(/BEGIN:(DAYLIGHT|STANDARD)\r\n([^]*?)END:/g)].map(([, kind, lines]) => [
    kind,
    ...lines!.trim().split('\r\n'),
  ]);
};

describe('timeZoneRules', () => {
  it('writes yearly clock changes as rules without an end', () => {
    expect(listObservances('Europe/London')).toEqual([
      [
        ...['DAYLIGHT', 'DTSTART:20150329T010000', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'],
        ...['TZOFFSETFROM:+0000', 'TZOFFSETTO:+0100'],
      ],
      [
        ...['STANDARD', 'DTSTART:20151025T020000', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'],
        ...['TZOFFSETFROM:+0100', 'TZOFFSETTO:+0000'],
      ],
    ]);
    expect(timeZoneRules('Europe/London')!.until).toBe(Infinity);
  });

  it.each([
    ['America/New_York', 'BYMONTH=3;BYDAY=2SU', 'BYMONTH=11;BYDAY=1SU'],
    ['Asia/Jerusalem', 'BYMONTH=3;BYMONTHDAY=23,24,25,26,27,28,29;BYDAY=FR', 'BYMONTH=10;BYDAY=-1SU'],
  ])('names the weekday of a clock change in %s', (zone, ...rules) => {
    const found = listObservances(zone).flatMap((lines) =>
      lines.filter((line) => line!.startsWith('RRULE:')),
    );
    expect(found).toEqual(rules.map((rule) => `RRULE:FREQ=YEARLY;${rule}`));
  });

  it('writes one observance for a zone whose clocks never change', () => {
    expect(listObservances('Asia/Kathmandu')).toEqual([
      ['STANDARD', 'DTSTART:20150101T054500', 'TZOFFSETFROM:+0545', 'TZOFFSETTO:+0545'],
    ]);
  });

  it('lists irregular clock changes one by one until 2036', () => {
    const { component, until } = timeZoneRules('Africa/Casablanca')!;
    expect(component).toMatch(/RDATE:20270207T030000\r\nRDATE:2028/);
    expect(component).not.toContain('RRULE');
    expect(until).toBe(Date.UTC(2037));
  });

  it('returns null for UTC', () => expect(timeZoneRules('UTC')).toBeNull());
});

const YEAR = new Date().getUTCFullYear();
const SEASONS = [1, 2, 3].flatMap((later) =>
  [0, 3, 6, 9].map((month) => Date.UTC(YEAR + later, month, 15, 18)),
);

const writer = new CalendarWriter(
  Object.assign(new EventsConfig(), { publicUrl: 'https://nomads.example' }),
  {
    ...({ name: 'Nomads', supportEmail: 'hello@nomads.example', timeZone: 'UTC' } as Community),
  },
);
const entryAt = (startDate: Date, timeZone: string): string => {
  const entry: CalendarEntry = {
    ...{ id: '0197f000-0000-7000-8000-000000000000', title: 'Camp', description: null, location: null },
    ...{ sequence: 0, createdAt: new Date(0), changedAt: new Date(0), cancelled: false, deleted: false },
    ...{ startDate, endDate: startDate, isAllDay: false, timeZone },
  };
  return writer.entry(entry);
};

function parsed(ics: string): number[] {
  const calendar = new ICAL.Component(ICAL.parse(ics));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  return calendar
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component).startDate.toJSDate().getTime());
}

/**
 * Reads the starts of events. The last observance before a local time gives its offset (RFC 5545, 3.6.5).
 * Local times are stored as if they were UTC.
 */
function readByTheStandard(ics: string): number[] {
  const onsets = observances(ics);
  return localStarts(ics).map((local) => {
    const last = onsets.filter(({ at }) => at <= local).at(-1)!;
    return local - last.offset;
  });
}

const localStarts = (ics: string) =>
  Array.from(ics.matchAll(/^DTSTART;TZID=[^:]+:(\d{8}T\d{6})\r$/gm), ([, local]) => asUtc(local!));
const asUtc = (local: string) => DateTime.fromFormat(local, "yyyyLLdd'T'HHmmss", { zone: 'utc' }).toMillis();

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

function observances(ics: string): { at: number; offset: number }[] {
  const components = ics.replaceAll('\r\n ', '').matchAll(/BEGIN:(?:DAYLIGHT|STANDARD)\r\n([^]*?)END:/g);
  return Array.from(components, ([, text]) => {
    const lines = text!.split('\r\n').map((line) => line.split(':'));
    const listValues = (name: string) => lines.flatMap(([given, value]) => (given === name ? [value!] : []));
    const start = asUtc(listValues('DTSTART')[0]!);
    const onsets = [start, ...listValues('RDATE').map(asUtc)];
    onsets.push(...listValues('RRULE').flatMap((rule) => recurring(rule, start)));
    const [, sign, hours, minutes] = /(.)(..)(..)/.exec(listValues('TZOFFSETTO')[0]!)!;
    const offset = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
    return onsets.map((at) => ({ at, offset }));
  })
    .flat()
    .toSorted((one, other) => one.at - other.at);
}

function recurring(rule: string, start: number): number[] {
  const { BYMONTH, BYMONTHDAY, BYDAY } = Object.fromEntries(
    rule.split(';').map((part) => part.split('=')),
  ) as Record<string, string>;
  const month = Number(BYMONTH) - 1;
  const [, nth, weekday] = /(-?\d)?(..)/.exec(BYDAY!)!;
  return [0, 1, 2, 3].map((later) => {
    const days = Array.from({ length: 31 }, (_, index) => new Date(Date.UTC(YEAR + later, month, index + 1)))
      .filter((day) => day.getUTCMonth() === month && DAYS[day.getUTCDay()] === weekday)
      .filter((day) => !BYMONTHDAY || BYMONTHDAY.split(',').includes(String(day.getUTCDate())));
    const day = days.at(Number(nth ?? 1) - (nth === '-1' ? 0 : 1))!;
    return day.getTime() + (start % 86_400_000);
  });
}

it('writes starts that two independent parsers read correctly, in every zone and season', () => {
  const differing = zoneNames()
    .filter((zone) => zone !== 'UTC')
    .filter((zone) => {
      const { ics } = writer.document(SEASONS.map((moment) => entryAt(new Date(moment), zone)));
      expect(ics.match(/^DTSTART;TZID=.*$/gm)).toHaveLength(SEASONS.length);
      return [parsed(ics), readByTheStandard(ics)].some((read) => String(read) !== String(SEASONS));
    });
  expect(differing).toEqual([]);
});
