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
    const { ics } = writer.write([
      {
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
      },
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
