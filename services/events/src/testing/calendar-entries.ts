import type { Community } from '@meetmark/contracts';
import ICAL from 'ical.js';
import { type CalendarEntry, CalendarWriter } from '../calendar/calendar-writer.js';
import { EventsConfig } from '../events.config.js';

/** Parses with a third-party parser that takes time zones from the document alone. */
export function parseEvents({ ics }: { ics: string }): ICAL.Event[] {
  const calendar = new ICAL.Component(ICAL.parse(ics));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  return calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
}

export const createEntry = (given: Partial<CalendarEntry> = {}): CalendarEntry => ({
  id: '0197f000-0000-7000-8000-000000000000',
  title: 'Camp',
  description: null,
  location: null,
  sequence: 0,
  createdAt: new Date(0),
  changedAt: new Date(0),
  cancelled: false,
  deleted: false,
  startDate: new Date('2027-06-11T17:00:00Z'),
  endDate: new Date('2027-06-11T19:00:00Z'),
  isAllDay: false,
  timeZone: null,
  ...given,
});

/** Creates the writer of a community in this time zone. */
export function createWriter(timeZone: string): CalendarWriter {
  const community = { name: 'Nomads', supportEmail: 'hello@nomads.example', timeZone } as Community;
  const config = Object.assign(new EventsConfig(), { publicUrl: 'https://nomads.example' });
  return new CalendarWriter(config, community);
}
