import type { Community } from '@meetmark/contracts';
import ICAL from 'ical.js';
import { DateTime } from 'luxon';
import { EventsConfig } from '../events.config.js';
import { CalendarWriter, timeZoneRules } from './calendar-writer.js';

describe('time zone rules', () => {
  it.each(['Europe/London', 'America/New_York', 'Australia/Sydney', 'Asia/Kolkata'])(
    'are known for %s',
    (zone) => {
      expect(timeZoneRules(zone)).toContain(`TZID:${zone}`);
    },
  );

  it.each(['UTC', 'Nowhere/Town'])('are left out for %s, whose times are written in UTC', (zone) => {
    expect(timeZoneRules(zone)).toBeNull();
  });
});

describe.each(['Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kathmandu'])('in %s', (timeZone) => {
  const community = { name: 'Nomads', supportEmail: 'hello@nomads.example', timeZone } as Community;
  const config = Object.assign(new EventsConfig(), { publicUrl: 'https://nomads.example' });
  const writer = new CalendarWriter(config, community);
  const local = (text: string) => DateTime.fromISO(text, { zone: timeZone }).toJSDate();
  const entryFor = (from: string, to: string, isAllDay: boolean) => {
    const { ics } = writer.document([
      writer.entry({
        id: '0197f000-0000-7000-8000-000000000000',
        title: 'Camp',
        description: null,
        location: null,
        sequence: 0,
        createdAt: new Date(0),
        changedAt: new Date(0),
        cancelled: false,
        deleted: false,
        startDate: local(from),
        endDate: local(to),
        isAllDay,
      }),
    ]);
    const calendar = new ICAL.Component(ICAL.parse(ics));
    for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
    return new ICAL.Event(calendar.getFirstSubcomponent('vevent')!);
  };

  it.each([
    ['one day', '2027-06-11T00:00', '2027-06-12T00:00', ['2027-06-11', '2027-06-12']],
    ['one day to its last minute', '2027-06-11T00:00', '2027-06-11T23:59', ['2027-06-11', '2027-06-12']],
    ['three days', '2027-03-12T00:00', '2027-03-14T23:59', ['2027-03-12', '2027-03-15']],
    [
      'three days over an autumn change',
      '2027-11-06T00:00',
      '2027-11-09T00:00',
      ['2027-11-06', '2027-11-09'],
    ],
  ])('%s, all day, are the days of the community', (_, from, to, days) => {
    const entry = entryFor(from, to, true);
    expect([entry.startDate.toString(), entry.endDate.toString()]).toEqual(days);
  });

  it('three days with hours begin and end at their instants', () => {
    const entry = entryFor('2027-03-12T18:00', '2027-03-14T12:00', false);
    expect([entry.startDate.toJSDate(), entry.endDate.toJSDate()]).toEqual([
      local('2027-03-12T18:00'),
      local('2027-03-14T12:00'),
    ]);
  });
});

describe('an entry', () => {
  const community = { name: 'Nomads', supportEmail: 'hello@nomads.example', timeZone: 'Europe/London' };
  const config = Object.assign(new EventsConfig(), { publicUrl: 'https://nomads.example' });
  const writer = new CalendarWriter(config, community as Community);
  const ENTRY = {
    id: '0197f000-0000-7000-8000-000000000000',
    title: 'Camp',
    description: null as string | null,
    location: null,
    sequence: 0,
    createdAt: new Date(0),
    changedAt: new Date(0),
    cancelled: false,
    deleted: false,
    startDate: new Date('2027-06-11T17:00:00Z'),
    endDate: new Date('2027-06-11T19:00:00Z'),
    isAllDay: false,
    timeZone: null as string | null,
  };
  const written = (given: Partial<typeof ENTRY> = {}) =>
    writer.document([writer.entry({ ...ENTRY, ...given })]).ics;
  const lineOf = (ics: string, name: string) =>
    ics
      .slice(ics.indexOf('BEGIN:VEVENT'))
      .split('\r\n')
      .find((line) => line.startsWith(name));

  it.each([
    ['in the hour that comes twice', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'],
    ['that begins before it and ends in it', '2026-10-24T22:00:00Z', '2026-10-25T01:30:00Z'],
    ['that begins in it', '2026-10-25T00:30:00Z', '2026-10-25T09:00:00Z'],
  ])('%s is written in UTC, as one time of the wall means two moments', (_, start, end) => {
    const ics = written({ startDate: new Date(start), endDate: new Date(end) });
    const inUtc = (text: string) => text.replaceAll(/[-:]/g, '');
    expect([lineOf(ics, 'DTSTART'), lineOf(ics, 'DTEND')]).toEqual([
      `DTSTART:${inUtc(start)}`,
      `DTEND:${inUtc(end)}`,
    ]);
  });

  it('stands after all that is said of its calendar, and after the rules of its zone', () => {
    const names = written()
      .split('\r\n')
      .map((line) => line.split(/[:;]/, 1)[0]);
    const [zone, entry] = ['BEGIN:VTIMEZONE', 'BEGIN:VEVENT'].map((line) =>
      written().split('\r\n').indexOf(line),
    );
    expect(names.indexOf('REFRESH-INTERVAL')).toBeLessThan(zone!);
    expect(names.indexOf('X-PUBLISHED-TTL')).toBeLessThan(zone!);
    expect(zone).toBeLessThan(entry!);
  });

  it('stands in the zone of its place, whose rules its calendar has beside the community’s, each once', () => {
    const there = { timeZone: 'America/New_York', description: 'DTSTART;TZID=Asia/Tokyo:20270611T130000' };
    const { ics } = writer.document([
      writer.entry({ ...ENTRY, ...there }),
      writer.entry(ENTRY),
      writer.entry({ ...ENTRY, ...there }),
    ]);
    expect(ics.match(/^TZID:.*$/gm)).toEqual(['TZID:Europe/London', 'TZID:America/New_York']);
    expect(ics.match(/^DTSTART;.*$/gm)).toEqual([
      'DTSTART;TZID=America/New_York:20270611T130000',
      'DTSTART;TZID=Europe/London:20270611T180000',
      'DTSTART;TZID=America/New_York:20270611T130000',
    ]);
    const calendar = new ICAL.Component(ICAL.parse(ics));
    for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
    for (const entry of calendar.getAllSubcomponents('vevent'))
      expect(new ICAL.Event(entry).startDate.toJSDate()).toEqual(ENTRY.startDate);
  });

  it('of whole days has those of its place', () => {
    const [startDate, endDate] = [new Date('2027-06-11T04:00:00Z'), new Date('2027-06-12T04:00:00Z')];
    const ics = written({ startDate, endDate, isAllDay: true, timeZone: 'America/New_York' });
    expect(lineOf(ics, 'DTSTART')).toBe('DTSTART;VALUE=DATE:20270611');
    expect(lineOf(ics, 'DTEND')).toBe('DTEND;VALUE=DATE:20270612');
  });

  it('has the words of the mail for a title that is read from the right', () => {
    expect(lineOf(written({ title: 'مؤتمر \u202eevil' }), 'SUMMARY')).toBe('SUMMARY:\u2068مؤتمر evil\u2069');
  });

  it.each(['x'.repeat(9_990), '集'.repeat(3_000), '👩🏽‍💻 and a; '.repeat(500), 'é, \\ '.repeat(900)])(
    'is folded at 75 octets, within no letter: %#',
    (description) => {
      const ics = written({ description });
      for (const line of ics.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      const [event] = new ICAL.Component(ICAL.parse(ics)).getAllSubcomponents('vevent');
      expect(event!.getFirstPropertyValue('description')).toBe(description);
    },
  );

  it('leaves out characters that no text may have', () => {
    const ics = written({ title: 'a\u0000b', description: 'one\u0007\ntwo\u001b' });
    expect([lineOf(ics, 'SUMMARY'), lineOf(ics, 'DESCRIPTION')]).toEqual([
      'SUMMARY:a b',
      'DESCRIPTION:one\\ntwo',
    ]);
  });
});
