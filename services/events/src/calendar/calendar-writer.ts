import { Injectable } from '@nestjs/common';
import {
  CALENDAR_PRODUCT,
  type CalendarDocument,
  calendarUid,
  endedLines,
  whereOf,
  type Community,
  lastMomentOf,
  type Span,
  zoneOf,
} from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/event-path';
import { InjectCommunity } from '@meetmark/platform';
import { plain } from '@meetmark/platform/mail/plain';
import { frameWords, whereWords } from '@meetmark/platform/mail/words';
import { textOfMarkdown } from '@meetmark/platform/text/markdown';
import {
  ICalCalendar,
  ICalCalendarMethod,
  ICalEvent,
  type ICalEventData,
  ICalEventStatus,
  type ICalOrganizer,
} from 'ical-generator';
import { DateTime } from 'luxon';
import { tzlib_get_ical_block, tzlib_get_timezones } from 'timezones-ical-library';
import { EventsConfig } from '../events.config.js';
import type { EventEntity } from '../events/event.entity.js';
import type { DeletedEventEntity } from './calendar.entities.js';

/** Refresh interval suggested to subscribers. */
const REFRESH_SECONDS = 3_600;

/** Writes iCalendar documents (RFC 5545), each entry in the time zone of its place. */
@Injectable()
export class CalendarWriter {
  /** The rules of zones that were written, by their names. */
  private readonly zones = new Map<string, string | null>();

  constructor(
    private readonly config: EventsConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  private rulesOf(zone: string): string | null {
    const known = this.zones.get(zone);
    if (known !== undefined) return known;
    const rules = timeZoneRules(zone);
    this.zones.set(zone, rules);
    return rules;
  }

  /** Required in published entries (RFC 5546, 3.2.1): the address that also receives replies to mails. */
  private get organizer(): ICalOrganizer {
    // a quote would end the parameter that contains the name
    return { name: this.community.name.replaceAll('"', "'"), email: this.community.supportEmail };
  }

  /** What of the settings an entry shows: another one is another entry. */
  get settings(): string {
    const { name, supportEmail, timeZone } = this.community;
    return JSON.stringify([name, supportEmail, timeZone]);
  }

  /** A document of such entries. What is said of the calendar stands before its components (RFC 5545, 3.6). */
  document(entries: string[]): CalendarDocument {
    const calendar = new ICalCalendar({
      prodId: CALENDAR_PRODUCT,
      method: ICalCalendarMethod.PUBLISH,
      name: this.community.name.replaceAll(CONTROLS, ' '),
      ttl: REFRESH_SECONDS,
    });
    const head = calendar.toString().slice(0, -END.length);
    const body = entries.join('');
    // of each zone that an entry names (RFC 5545, 3.6.5); a letter of a description never begins a line
    const zones = new Set([
      this.community.timeZone,
      ...Array.from(body.matchAll(/^DT(?:START|END);TZID=([^:\r]+):/gm), ([, zone]) => zone!),
    ]);
    const rules = Array.from(zones, (zone) => this.rulesOf(zone)).filter((block) => block !== null);
    const written = rules.map((block) => `${folded(block.trim().replaceAll(/\r?\n/g, '\r\n'))}\r\n`);
    return { ics: endedLines(head + written.join('') + body + END) };
  }

  /** The lines of one entry. Its calendar says nothing of it: written with the zone of one, time stamps would not be in UTC as the standard requires. */
  entry(entry: CalendarEntry): string {
    const event = new ICalEvent(this.data(entry), new ICalCalendar());
    return folded(event.toString().replaceAll(CONTROLS, ''));
  }

  private data(entry: CalendarEntry): ICalEventData {
    const [start, end] = this.span(entry);
    const zone = zoneOf(entry, this.community);
    const isLocal = this.rulesOf(zone) !== null && (entry.isAllDay || ![start, end].some(happensTwice));
    return {
      id: calendarUid(entry.id),
      sequence: entry.sequence,
      start,
      end,
      allDay: entry.isAllDay,
      timezone: isLocal ? zone : null,
      stamp: entry.changedAt,
      created: entry.createdAt,
      lastModified: entry.changedAt,
      summary: plain(entry.title),
      description: entry.description,
      location: entry.location === null ? null : plain(entry.location),
      url: entry.deleted ? null : new URL(eventPath(entry), this.config.publicUrl).href,
      organizer: this.organizer,
      status: entry.cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    };
  }

  /** Days of an all-day event are those of its place; an entry ends on the day after the last (RFC 5545, 3.6.1). */
  private span(entry: CalendarEntry): [DateTime, DateTime] {
    const zone = zoneOf(entry, this.community);
    const start = DateTime.fromJSDate(entry.startDate, { zone });
    const end = DateTime.fromJSDate(lastMomentOf(entry), { zone });
    return entry.isAllDay ? [start.startOf('day'), end.startOf('day').plus({ days: 1 })] : [start, end];
  }
}

const END = 'END:VCALENDAR';
// oxlint-disable-next-line no-control-regex -- what the standard forbids in a text (RFC 5545, 3.1); line ends are escaped or end a line
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Whether the moment lies in the hour that clocks repeat, when one local time means two moments. */
const happensTwice = (moment: DateTime) => moment.getPossibleOffsets().length > 1;

/** Octets of a line without its end (RFC 5545, 3.1). */
const LINE = 75;

/** The library folds too, at a cost a hundred times as high: it makes an encoder for each letter. */
const folded = (lines: string) =>
  lines
    .split('\r\n')
    .map((line) => (Buffer.byteLength(line) <= LINE ? line : foldedLine(line)))
    .join('\r\n');

function foldedLine(line: string): string {
  const parts: string[] = [];
  let [from, octets] = [0, 0];
  for (let at = 0; at < line.length;) {
    const code = line.codePointAt(at)!;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (octets + size > LINE) {
      parts.push(line.slice(from, at));
      // the space with which the next line begins
      [from, octets] = [at, 1];
    }
    octets += size;
    at += code < 0x10000 ? 1 : 2;
  }
  return [...parts, line.slice(from)].join('\r\n ');
}

/** An event as a calendar shows it. */
export interface CalendarEntry extends Span {
  id: string;
  slug?: string | null;
  title: string;
  description: string | null;
  location: string | null;
  sequence: number;
  createdAt: Date;
  changedAt: Date;
  cancelled: boolean;
  /** It has no page. */
  deleted: boolean;
}

/** How one joins from afar: for those who have a place. */
export interface Joining {
  onlineUrl: string;
  onlineNote: string | null;
}

/** Characters of a description in a document of many events. */
const FEED_DESCRIPTION = 2_000;

/** What the entry of an event is made of. */
export type EntryEvent = Pick<EventEntity, (typeof ENTRY_COLUMNS)[number]>;
export const ENTRY_COLUMNS = [
  ...(['id', 'slug', 'title', 'description', 'descriptionFormat', 'location', 'format', 'status'] as const),
  ...([
    'startDate',
    'endDate',
    'isAllDay',
    'timeZone',
    'sequence',
    'version',
    'createdAt',
    'updatedAt',
  ] as const),
] as const satisfies (keyof EventEntity)[];

/**
 * @param locale of whose calendar it is
 * @param more `text`: the description as text, where it is kept
 */
export const entryOf = (
  event: EntryEvent,
  locale: string,
  { joining, text }: { joining?: Joining; text?: string } = {},
): CalendarEntry => ({
  ...event,
  description: describedWith(event, locale, { joining, text }),
  location: whereOf(event, whereWords(locale)),
  changedAt: event.updatedAt,
  cancelled: event.status === 'cancelled',
  deleted: false,
});

const HALF_A_LETTER = /[\ud800-\udbff]$/;

/** Shortens an entry for a document of many events, whose size is bounded: the rest is on the event's page. */
export const shortened = ({ description, ...entry }: CalendarEntry): CalendarEntry => ({
  ...entry,
  description:
    description !== null && description.length > FEED_DESCRIPTION
      ? `${description
          .slice(0, FEED_DESCRIPTION - 1)
          .replace(HALF_A_LETTER, '')
          .trimEnd()}…`
      : description,
});

/** The description as text, which is all that calendars show. */
function describedWith(
  { description, descriptionFormat }: EntryEvent,
  locale: string,
  { joining, text: kept }: { joining?: Joining; text?: string },
): string | null {
  const isMarkdown = description !== null && descriptionFormat === 'markdown';
  const text = isMarkdown ? (kept ?? textOfMarkdown(description)) : description;
  if (joining === undefined) return text;
  const { onlineUrl: url, onlineNote } = joining;
  const join = [frameWords(locale).event.joinAt({ url }), onlineNote, text];
  return join.filter((part) => part !== null).join('\n\n');
}

export const cancelledEntryOf = (event: DeletedEventEntity): CalendarEntry => ({
  ...event,
  description: null,
  changedAt: event.deletedAt,
  cancelled: true,
  deleted: true,
});

/**
 * The VTIMEZONE block of a zone, or null when the library lacks the zone under this name (an alias, or newer than the library): times are
 * then written in UTC.
 */
export function timeZoneRules(zone: string): string | null {
  if (!tzlib_get_timezones().includes(zone)) return null;
  const [block = ''] = [tzlib_get_ical_block(zone)].flat();
  return block.includes(`TZID:${zone}\r\n`) ? block : null;
}
