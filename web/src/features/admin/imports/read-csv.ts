import type { ImportRowFields } from '@meetmark/contracts';
import { cutText } from '@meetmark/contracts/cut-text';
import { IMPORTS } from '@meetmark/contracts/import-limits';
import { LIMITS } from '@meetmark/contracts/limits';
import Papa from 'papaparse';
import { readDescription } from './html-text';
import { dateOrder, type DateOrder, endOfDay, parseMoment, parseZone } from './moments';
import { cleanLine, cleanText, ImportFileError } from './read-file';

export type FileRow = Omit<ImportRowFields, 'number'>;

/** Names of columns, without spaces and punctuation. The first that a file has counts. */
const NAMES = {
  title: 'eventname eventtitle title name summary subject titel titre titulo titolo',
  start:
    'startat eventstartdate eventstart startdatetime startdate start starts eventdate datetime date datum',
  startTime: 'eventstarttime starttime eventtime time',
  end: 'endat eventenddate eventend enddatetime enddate end ends',
  endTime: 'eventendtime endtime',
  timeZone: 'eventtimezone timezone tz',
  description: 'eventdescription description details beschreibung',
  venue: 'venuename venue location eventlocation place ort',
  address: 'venueaddress fulladdress address geoaddress addressline1',
  city: 'venuecity city',
  onlineUrl: 'meetingurl onlineurl joinurl zoommeetingurl onlineeventurl',
  price: 'ticketprice price fee cost amount',
  capacity: 'eventcapacity capacity rsvplimit maxattendees totalcapacity',
  status: 'eventstatus status',
  key: 'eventid eventapiid apiid uid eventurl url link',
} as const;
export type CsvField = keyof typeof NAMES;
export const CSV_FIELDS = Object.keys(NAMES) as CsvField[];

/** Index of the column of each field. */
export type Mapping = Partial<Record<CsvField, number>>;

/** Columns that only the exports of these sites have together. */
const SOURCES = {
  meetup: ['groupname', 'eventname', 'eventdate'],
  luma: ['eventapiid', 'name', 'startat'],
  eventbrite: ['eventid', 'eventname', 'eventstartdate'],
} as const;
type Source = keyof typeof SOURCES;

export interface Table {
  source: Source | null;
  columns: string[];
  rows: string[][];
  mapping: Mapping;
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const LONGEST_GAP = 100;

/** Cuts long gaps, because papaparse reads the gap before a separator again for each quotation mark before it. */
const cutGaps = (text: string) =>
  text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\S\n]+/g, (gap) => gap.slice(0, LONGEST_GAP));

/** @throws ImportFileError */
export function readTable(text: string): Table {
  const { data } = Papa.parse<string[]>(cutGaps(text), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t'],
  });
  const [head = [], ...rows] = data;
  if (rows.length === 0) throw new ImportFileError('empty');
  if (rows.length > IMPORTS.rows) throw new ImportFileError('tooMany');
  if (head.length > MOST_COLUMNS) throw new ImportFileError('unreadable');
  const names = head.map(plain);
  const [source = null] = (Object.keys(SOURCES) as Source[]).filter((each) =>
    SOURCES[each].every((name) => names.includes(name)),
  );
  const mapping: Mapping = {};
  for (const field of CSV_FIELDS) {
    const found = NAMES[field].split(' ').find((name) => names.includes(name));
    if (found !== undefined) mapping[field] = names.indexOf(found);
  }
  const columns = head.map((name, index) => cleanLine(cutText(name, LIMITS.title)) ?? `${index + 1}`);
  return { source, columns, rows, mapping };
}

const MOST_COLUMNS = 500;

/** Undoes what exports do to keep a cell from running as a formula. */
const unescaped = (cell: string) => cell.replace(/^'(?=[=+\-@])/, '');

const getCell = (row: string[], column: number | undefined) =>
  column === undefined ? null : cleanText(unescaped(row[column] ?? ''));

/** Returns the order of day and month, or null if someone has to choose it. */
export const orderOf = ({ rows }: Pick<Table, 'rows'>, { start, end }: Mapping): DateOrder | null =>
  dateOrder(rows.flatMap((row) => [getCell(row, start) ?? '', getCell(row, end) ?? '']));

interface CsvOptions {
  mapping: Mapping;
  order: DateOrder;
  zone: string;
}

const HOURS = 2;
const HOUR = 3_600_000;

export function readRows({ source, rows }: Table, { mapping, order, zone: usual }: CsvOptions): FileRow[] {
  return rows.map((row) => {
    const cell = (field: CsvField) => getCell(row, mapping[field]);
    const line = (field: CsvField) => cleanLine(cell(field) ?? '');
    const zoneName = line('timeZone');
    const zone = zoneName === null ? null : parseZone(zoneName);
    const at = (text: string | null, time: string | null) =>
      text === null ? null : parseMoment(text, time, zone ?? usual, order);
    const start = at(cell('start'), cell('startTime'));
    const end = at(cell('end') ?? (cell('endTime') && cell('start')), cell('endTime'));
    const days =
      start?.day !== undefined && (end === null || end.day !== undefined)
        ? [start.day, end?.day ?? start.day]
        : null;
    const title = line('title');
    return {
      key: getKey(line('key'), source, title, start?.moment ?? null),
      fields: {
        title,
        ...readDescription(cell('description')),
        startDate: start?.moment ?? null,
        endDate: days === null ? (end?.moment ?? later(start?.moment)) : endOfDay(days[1]!, zone ?? usual),
        isAllDay: days !== null,
        timeZone: zone ?? zoneName,
        ...readPlace([line('venue'), line('address'), line('city')], line('onlineUrl')),
        price: readPrice(line('price')),
        capacity: readCapacity(line('capacity')),
      },
      assumedEnd: days === null && start !== null && end === null,
      cancelled: /^cancell?ed$/i.test(line('status') ?? ''),
    };
  });
}

export function later(start: string | undefined): string | null {
  const time = Date.parse(start ?? '');
  return Number.isNaN(time) ? null : new Date(time + HOURS * HOUR).toISOString();
}

/** Files without ids identify an event by title and start. */
export function getKey(
  id: string | null,
  source: string | null,
  title: string | null,
  start: string | null,
): string {
  return cutText(`${source ?? 'file'} ${id ?? `${title ?? ''} ${start ?? ''}`}`.trim(), IMPORTS.key);
}

const isAddress = (text: string | null) => text !== null && /^https:\/\/\S+$/i.test(text);

/** A venue that is a link is the joining link. */
export function readPlace(
  parts: (string | null)[],
  online: string | null,
): Pick<FileRow['fields'], 'location' | 'onlineUrl' | 'format'> {
  const onlineUrl = online ?? parts.find(isAddress) ?? null;
  const [...places] = new Set(parts.filter((part): part is string => part !== null && part !== onlineUrl));
  const line = places
    .filter((place, at) => !places.some((other, n) => n !== at && other.includes(place)))
    .join(', ');
  const location = line === '' || /^online( event)?$/i.test(line) ? null : cutText(line, LIMITS.location);
  const isOnline = onlineUrl !== null || /^online( event)?$/i.test(line);
  return { location, onlineUrl, format: !isOnline ? 'in_person' : location === null ? 'online' : 'hybrid' };
}

function readPrice(text: string | null): string | null {
  if (text === null || /^(free|gratis|kostenlos|gratuit|-)$/i.test(text)) return null;
  const amount = text.replaceAll(/[^\d.,-]/g, '');
  const number = /[.,]\d{1,2}$/.test(amount)
    ? `${amount.slice(0, amount.search(/[.,]\d{1,2}$/)).replaceAll(/[.,]/g, '')}.${/\d{1,2}$/.exec(amount)![0]}`
    : amount.replaceAll(/[.,](?=\d{3})/g, '');
  return number === '' ? text : number;
}

const readCapacity = (text: string | null) =>
  text === null || text === '0' || /^(unlimited|no limit|-)$/i.test(text)
    ? null
    : text.replaceAll(/[.,\s](?=\d{3}\b)/g, '');
