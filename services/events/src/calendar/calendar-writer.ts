import { Injectable } from '@nestjs/common';
import {
  CALENDAR_PRODUCT,
  type CalendarDocument,
  calendarUid,
  endedLines,
  formatLocation,
  type Community,
  getLastTime,
  type Span,
  getZone,
} from '@meetmark/contracts';
import { shortenText } from '@meetmark/contracts/cut-text';
import { eventPath } from '@meetmark/contracts/events/event-path';
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
import { EventsConfig } from '../events.config.js';
import type { EventEntity } from '../events/core/event.entity.js';
import type { DeletedEventEntity } from './calendar.entities.js';
import { type TimeZoneRules, timeZoneRules } from './time-zone-rules.js';

const REFRESH_SECONDS = 3_600;

/** Writes iCalendar documents (RFC 5545), each entry in the time zone of its event. */
@Injectable()
export class CalendarWriter {
  private readonly zones = new Map<string, TimeZoneRules | null>();

  constructor(
    private readonly config: EventsConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  private getRules(zone: string): TimeZoneRules | null {
    const known = this.zones.get(zone);
    if (known !== undefined) return known;
    const rules = timeZoneRules(zone);
    this.zones.set(zone, rules);
    return rules;
  }

  /** RFC 5546 (3.2.1) requires an organizer in published entries. Replies to invitations go there. */
  private get organizer(): ICalOrganizer {
    // replaces quotes, because a quote would end the parameter that contains the name
    return { name: this.community.name.replaceAll('"', "'"), email: this.community.supportEmail };
  }

  /** Settings on which the entries depend, for use in cache keys. */
  get settings(): string {
    const { name, supportEmail, timeZone } = this.community;
    return JSON.stringify([name, supportEmail, timeZone]);
  }

  /** Calendar properties must precede the components (RFC 5545, 3.6). */
  document(entries: string[]): CalendarDocument {
    const calendar = new ICalCalendar({
      prodId: CALENDAR_PRODUCT,
      method: ICalCalendarMethod.PUBLISH,
      name: this.community.name.replaceAll(CONTROLS, ' '),
      ttl: REFRESH_SECONDS,
    });
    const head = calendar.toString().slice(0, -END.length);
    const body = entries.join('');
    // each zone requires a VTIMEZONE (RFC 5545, 3.6.5); continued lines start with a space, so ^ skips them
    const zones = new Set([
      this.community.timeZone,
      ...Array.from(body.matchAll(/^DT(?:START|END);TZID=([^:\r]+):/gm), ([, zone]) => zone!),
    ]);
    const rules = Array.from(zones, (zone) => this.getRules(zone)).filter((known) => known !== null);
    const written = rules.map(({ component }) => folded(component));
    return { ics: endedLines(head + written.join('') + body + END) };
  }

  /** Uses a temporary calendar without a time zone, so that timestamps are written in UTC. */
  entry(entry: CalendarEntry): string {
    const event = new ICalEvent(this.data(entry), new ICalCalendar());
    return folded(event.toString().replaceAll(CONTROLS, ''));
  }

  private data(entry: CalendarEntry): ICalEventData {
    const [start, end] = this.span(entry);
    const zone = getZone(entry, this.community);
    const rules = this.getRules(zone);
    const isLocal =
      rules !== null && (entry.isAllDay || [start, end].every((moment) => isClear(moment, rules)));
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

  /** An all-day event ends on the day after its last day (RFC 5545, 3.6.1). */
  private span(entry: CalendarEntry): [DateTime, DateTime] {
    const zone = getZone(entry, this.community);
    const start = DateTime.fromJSDate(entry.startDate, { zone });
    const end = DateTime.fromJSDate(getLastTime(entry), { zone });
    return entry.isAllDay ? [start.startOf('day'), end.startOf('day').plus({ days: 1 })] : [start, end];
  }
}

const END = 'END:VCALENDAR';
// oxlint-disable-next-line no-control-regex -- what the standard forbids in a text (RFC 5545, 3.1); line ends are escaped or end a line
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Whether the rules cover the time, and its local time is unambiguous. */
const isClear = (moment: DateTime, { from, until }: TimeZoneRules) =>
  moment.toMillis() >= from && moment.toMillis() < until && moment.getPossibleOffsets().length === 1;

/** Maximum octets of a line, without its line break (RFC 5545, 3.1). */
const LINE = 75;

/** Folds lines 100 times as fast as ical-generator, which creates an encoder for each letter. */
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
      [from, octets] = [at, 1];
    }
    octets += size;
    at += code < 0x10000 ? 1 : 2;
  }
  return [...parts, line.slice(from)].join('\r\n ');
}

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
  deleted: boolean;
}

/** Joining link and note, which only registered people may see. */
export interface Joining {
  onlineUrl: string;
  onlineNote: string | null;
}

/** Characters. */
const FEED_DESCRIPTION = 2_000;

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

/** @param more `text` is the stored plain-text description, if there is one */
export const toEntry = (
  event: EntryEvent,
  locale: string,
  { joining, text }: { joining?: Joining; text?: string } = {},
): CalendarEntry => ({
  ...event,
  description: describedWith(event, locale, { joining, text }),
  location: formatLocation(event, whereWords(locale)),
  changedAt: event.updatedAt,
  cancelled: event.status === 'cancelled',
  deleted: false,
});

export const shortened = ({ description, ...entry }: CalendarEntry): CalendarEntry => ({
  ...entry,
  description: description && shortenText(description, FEED_DESCRIPTION),
});

/** Converts Markdown to plain text, because calendars show no Markdown. */
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

export const toCancelledEntry = (event: DeletedEventEntity): CalendarEntry => ({
  ...event,
  description: null,
  changedAt: event.deletedAt,
  cancelled: true,
  deleted: true,
});
