export interface TimeZoneRules {
  /** VTIMEZONE component. Its lines end in CRLF and aren't folded. */
  component: string;
  /** Start and end of the period that the rules cover, in milliseconds since 1970. */
  from: number;
  until: number;
}

const FIRST_YEAR = 2015;
const LAST_YEAR = 2036;
const [START, END] = [Date.UTC(FIRST_YEAR), Date.UTC(LAST_YEAR + 1)];
const MINUTE = 60_000;
/** Milliseconds between checks for clock changes. No zone changes its clocks twice within four weeks. */
const STEP = 28 * 24 * 60 * MINUTE;
const DAYS_OF_WEEK = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;
/** Days between the earliest and the latest date of a yearly change. A last Sunday is the 25th to 31st. */
const WEEK = 6;

interface Change {
  at: number;
  /** Minutes ahead of UTC, before and after the change. */
  before: number;
  after: number;
  /** Local time just before the change, stored as if it were UTC. */
  clock: Date;
}

/**
 * Returns a VTIMEZONE (RFC 5545, 3.6.5), or null for UTC. Yearly clock changes become endless rules. Others
 * are listed until 2036.
 */
export function timeZoneRules(zone: string): TimeZoneRules | null {
  if (zone === 'UTC') return null;
  const changes = findChanges(zone);
  const yearly = groupChanges(changes, getRuleKey)
    .map(yearlyPart)
    .filter((group) => group.length > 0);
  const regular = new Set(yearly.flat());
  const others = changes.filter((change) => !regular.has(change));
  const lists = groupChanges(others, ({ before, after }) => `${before} ${after}`);
  const observances =
    changes.length > 0
      ? [
          ...lists.map((list) => observance(list, dates(list))),
          ...yearly.map((group) => observance(group, recurrence(group))),
        ]
      : [observance([unchanged(zone)], [])];
  return {
    component: ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...observances.flat(), 'END:VTIMEZONE', ''].join('\r\n'),
    from: changes[0]?.at ?? START,
    until: others.some(({ clock }) => clock.getUTCFullYear() === LAST_YEAR) ? END : Infinity,
  };
}

/** Returns the local time, stored as if it were UTC. The offset is in minutes. */
const clockAt = (at: number, offset: number) => new Date(at + offset * MINUTE);

/** Returns a function that gives the zone's UTC offset in minutes, ten times as fast as luxon. */
function offsetIn(timeZone: string): (at: number) => number {
  const formatter = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (at) => {
    const [, sign, hours, minutes] = /GMT(?:(.)(\d\d):(\d\d))?/.exec(formatter.format(at))!;
    return sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  };
}

function findChanges(name: string): Change[] {
  const offset = offsetIn(name);
  const changes: Change[] = [];
  for (let start = START; start < END; start += STEP) {
    let [low, high] = [start, start + STEP];
    const [before, after] = [offset(low), offset(high)];
    if (before === after) continue;
    while (high - low > MINUTE) {
      const middle = low + Math.floor((high - low) / MINUTE / 2) * MINUTE;
      if (offset(middle) === before) low = middle;
      else high = middle;
    }
    changes.push({ at: high, before, after, clock: clockAt(high, before) });
  }
  return changes;
}

function unchanged(name: string): Change {
  const offset = offsetIn(name)(START);
  return { at: START, before: offset, after: offset, clock: clockAt(START, offset) };
}

function groupChanges(changes: Change[], key: (change: Change) => string): Change[][] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) groups.set(key(change), [...(groups.get(key(change)) ?? []), change]);
  return [...groups.values()];
}

const getRuleKey = ({ before, after, clock }: Change) =>
  [before, after, clock.getUTCMonth(), clock.getUTCDay(), clock.getUTCHours(), clock.getUTCMinutes()].join();

/** Returns the changes of a yearly rule. Only dates that span a whole week of a month prove such a rule. */
function yearlyPart(group: Change[]): Change[] {
  const last = group.length - 1;
  const isYearly = (index: number) =>
    group[index]!.clock.getUTCFullYear() === LAST_YEAR - (last - index) &&
    computeSpan(group.slice(index)) <= WEEK;
  const yearly = group.slice(group.findLastIndex((_, index) => !isYearly(index)) + 1);
  return computeSpan(yearly) === WEEK ? yearly : [];
}

function daysOfMonth(group: Change[]): [first: number, last: number] {
  const days = group.map(({ clock }) => clock.getUTCDate());
  return [Math.min(...days), Math.max(...days)];
}

function computeSpan(group: Change[]): number {
  const [first, last] = daysOfMonth(group);
  return last - first;
}

function recurrence(group: Change[]): string[] {
  const { clock } = group[0]!;
  const month = clock.getUTCMonth() + 1;
  const lastOfMonth = new Date(Date.UTC(clock.getUTCFullYear(), month, 0)).getUTCDate();
  const [from, to] = daysOfMonth(group);
  const day = DAYS_OF_WEEK[clock.getUTCDay()]!;
  const inMonth =
    to === lastOfMonth && month !== 2
      ? `BYDAY=-1${day}`
      : to % 7 === 0
        ? `BYDAY=${to / 7}${day}`
        : `BYMONTHDAY=${Array.from({ length: 7 }, (_, index) => from + index).join(',')};BYDAY=${day}`;
  return [`RRULE:FREQ=YEARLY;BYMONTH=${month};${inMonth}`];
}

/** Writes one property per date, because some clients read only the first value of a property. */
const dates = ([, ...others]: Change[]) => others.map(({ clock }) => `RDATE:${stamp(clock)}`);

const stamp = (clock: Date) => clock.toISOString().replaceAll(/[-:]|\.\d+Z/g, '');

function observance(group: Change[], more: string[]): string[] {
  const { before, after, clock } = group[0]!;
  const kind = after > before ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${kind}`,
    `DTSTART:${stamp(clock)}`,
    ...more,
    `TZOFFSETFROM:${utcOffset(before)}`,
    `TZOFFSETTO:${utcOffset(after)}`,
    `END:${kind}`,
  ];
}

function utcOffset(minutes: number): string {
  const digits = (part: number) => String(Math.floor(part)).padStart(2, '0');
  const ahead = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${digits(ahead / 60)}${digits(ahead % 60)}`;
}
