import { cutText } from '@meetmark/contracts/cut-text';
import { IMPORTS } from '@meetmark/contracts/import-limits';
import ICAL from 'ical.js';
import { readDescription } from './html-text';
import { endOfDay, parseMoment, parseZone } from './moments';
import { type FileRow, getKey, later, readPlace } from './read-csv';
import { cleanLine, cleanText, ImportFileError } from './read-file';

/** Maximum depth of components. Calendars need three. */
const MOST_NESTED = 10;
/** Longer than any text. ical.js takes a time that grows with the square of the number of parameters. */
const LONGEST_LINE = 100_000;
/** Lines of all time zones together. Calendars need a few dozen. */
const MOST_ZONE_LINES = 2_000;
/** A yearly clock change. ical.js would expand a change for each second until the browser has no memory left. */
const CLOCK_CHANGE =
  /^RRULE:FREQ=YEARLY(?:;(?:BYMONTH=\d\d?|BYDAY=(?:[1-4]|-1)[A-Z]{2}|INTERVAL=1|UNTIL=[\dTZ]{8,16}|WKST=[A-Z]{2})){0,9}$/i;

export const isCalendar = (text: string) => /^\s*BEGIN:VCALENDAR\s*$/im.test(text.slice(0, 1_000));

/**
 * Reads each event by itself, so that a broken one doesn't spoil the others.
 * @throws ImportFileError
 */
export function readCalendar(text: string, communityZone: string): FileRow[] {
  const lines = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\n[ \t]/g, '')
    .split('\n');
  const zones = new Map<string, ICAL.Timezone>();
  const events: string[][] = [];
  let named: string | null = null;
  let zoneLines = 0;
  let open: { name: string; lines: string[]; depth: number } | null = null;
  for (const line of lines) {
    const [, edge, name] = /^(BEGIN|END):\s*([\w-]{1,50})\s*$/i.exec(line) ?? [];
    if (open === null) {
      named ??= /^X-WR-TIMEZONE(?:;[^:]{0,100})?:(.{1,100})$/i.exec(line)?.[1] ?? null;
      if (edge?.toUpperCase() === 'BEGIN' && /^(VEVENT|VTIMEZONE)$/i.test(name!))
        open = { name: name!.toUpperCase(), lines: [], depth: 1 };
      continue;
    }
    if (edge !== undefined) open.depth += edge.toUpperCase() === 'BEGIN' ? 1 : -1;
    if (open.depth > MOST_NESTED) throw new ImportFileError('unreadable');
    if (open.depth > 0) {
      // alarms and other parts of an event aren't imported
      if (open.name === 'VTIMEZONE' || (open.depth === 1 && edge === undefined))
        open.lines.push(cutText(line, LONGEST_LINE));
      continue;
    }
    if (open.name === 'VEVENT') events.push(open.lines);
    else if ((zoneLines += open.lines.length) <= MOST_ZONE_LINES) addZone(zones, open.lines);
    open = null;
    if (events.length > IMPORTS.rows) throw new ImportFileError('tooMany');
  }
  if (open?.name === 'VEVENT') events.push(open.lines);
  if (events.length === 0) throw new ImportFileError('empty');
  const own = named === null ? null : parseZone(named.trim());
  return events.map((event) => readEvent(event, { zones, own, usual: own ?? communityZone }));
}

const parse = (name: string, lines: string[]) =>
  new ICAL.Component(ICAL.parse([`BEGIN:${name}`, ...lines, `END:${name}`].join('\r\n')) as string);

function addZone(zones: Map<string, ICAL.Timezone>, lines: string[]): void {
  if (lines.some((line) => /^RRULE/i.test(line) && !CLOCK_CHANGE.test(line))) return;
  try {
    const component = parse('VTIMEZONE', lines);
    const tzid = String(component.getFirstPropertyValue('tzid'));
    zones.set(tzid, new ICAL.Timezone({ component, tzid }));
  } catch {
    // the events of this zone are reported, unless their zone has a known name
  }
}

const isProperty = (line: string) => {
  try {
    parse('VEVENT', [line]);
    return true;
  } catch {
    return false;
  }
};

interface CalendarZones {
  /** Zones that the file describes. */
  zones: Map<string, ICAL.Timezone>;
  own: string | null;
  usual: string;
}

function readEvent(lines: string[], zones: CalendarZones): FileRow {
  const { own, usual } = zones;
  const event = parse('VEVENT', lines.filter(isProperty));
  const text = (name: string) => {
    const value: unknown = event.getFirstProperty(name)?.toJSON()[3];
    return typeof value === 'string' ? value : null;
  };
  const moment = (name: string) => readMoment(event.getFirstProperty(name), zones);
  const start = moment('dtstart');
  const end = moment('dtend') ?? withDuration(start?.moment, text('duration'));
  const isAllDay = start?.day !== undefined && (end === null || end.day !== undefined);
  const title = cleanLine(text('summary') ?? '');
  const recurrence = text('recurrence-id');
  const id = text('uid') ?? text('url');
  const joining = text('x-google-conference') ?? text('conference');
  return {
    key: getKey(
      id && cleanLine(recurrence === null ? id : `${id} ${recurrence}`),
      'calendar',
      title,
      start?.moment ?? null,
    ),
    fields: {
      title,
      ...readDescription(cleanText(text('description') ?? '')),
      startDate: start?.moment ?? null,
      endDate: end?.moment ?? (isAllDay ? endOfDay(start.day!, usual) : later(start?.moment)),
      isAllDay,
      timeZone: start?.zone ?? own,
      ...readPlace([cleanLine(text('location') ?? '')], joining && cleanLine(joining)),
    },
    assumedEnd: !isAllDay && start !== null && end === null,
    repeats: event.hasProperty('rrule') || event.hasProperty('rdate'),
    cancelled: /^cancelled$/i.test(text('status') ?? ''),
  };
}

interface CalendarMoment {
  moment: string;
  day?: string;
  zone?: string;
}

function readMoment(property: ICAL.Property | null, { zones, usual }: CalendarZones): CalendarMoment | null {
  if (!property) return null;
  const value = String(property.toJSON()[3]);
  const tzid = property.getFirstParameter('tzid') as string | undefined;
  if (tzid === undefined) return parseMoment(value, null, usual, 'monthFirst');
  const zone = parseZone(tzid);
  if (zone !== null) return { ...parseMoment(value, null, zone, 'monthFirst'), zone };
  const described = zones.get(tzid);
  if (described === undefined) return { moment: `${value} ${tzid}`, zone: tzid };
  try {
    const time = ICAL.Time.fromString(value, property);
    time.zone = described;
    return { moment: new Date(time.toUnixTime() * 1_000).toISOString() };
  } catch {
    return { moment: value };
  }
}

function withDuration(start: string | undefined, text: string | null): CalendarMoment | null {
  const from = Date.parse(start ?? '');
  if (text === null || Number.isNaN(from)) return null;
  try {
    const to = new Date(from + ICAL.Duration.fromString(text).toSeconds() * 1_000);
    return { moment: to.toISOString() };
  } catch {
    return null;
  }
}
