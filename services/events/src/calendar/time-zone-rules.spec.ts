import { zoneNames } from '@meetmark/contracts/zone-names';
import ICAL from 'ical.js';
import { createEntry, createWriter, parseEvents } from '../testing/calendar-entries.js';
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

const writer = createWriter('UTC');
const writeEntry = (moment: number, timeZone: string) =>
  writer.entry(createEntry({ startDate: new Date(moment), endDate: new Date(moment), timeZone }));
const parseStarts = (document: { ics: string }) =>
  parseEvents(document).map(({ startDate }) => startDate.toJSDate().getTime());

it('writes starts that a third-party parser reads correctly, for every set of rules and season', () => {
  const zones = new Map(
    zoneNames().map((zone) => [timeZoneRules(zone)?.component.replace(`TZID:${zone}`, ''), zone]),
  );
  zones.delete(undefined);
  const differing = [...zones.values()].filter((zone) => {
    const document = writer.document(SEASONS.map((moment) => writeEntry(moment, zone)));
    expect(document.ics.match(/^DTSTART;TZID=.*$/gm)).toHaveLength(SEASONS.length);
    return String(parseStarts(document)) !== String(SEASONS);
  });
  expect(differing).toEqual([]);
});
