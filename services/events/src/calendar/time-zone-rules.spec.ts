import type { Community } from '@meetmark/contracts';
import { zoneNames } from '@meetmark/contracts/zone-names';
import ICAL from 'ical.js';
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

afterAll(() => ICAL.TimezoneService.reset());

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

it('writes starts that a third-party parser reads correctly, for every set of rules and season', () => {
  const zones = new Map(
    zoneNames().map((zone) => [timeZoneRules(zone)?.component.replace(`TZID:${zone}`, ''), zone]),
  );
  zones.delete(undefined);
  const differing = [...zones.values()].filter((zone) => {
    const { ics } = writer.document(SEASONS.map((moment) => entryAt(new Date(moment), zone)));
    expect(ics.match(/^DTSTART;TZID=.*$/gm)).toHaveLength(SEASONS.length);
    return String(parsed(ics)) !== String(SEASONS);
  });
  expect(differing).toEqual([]);
});
