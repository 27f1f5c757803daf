import { IMPORTS } from '@meetmark/contracts/import-limits';
import fc from 'fast-check';
import { batches } from './imports.api';
import { isCalendar, readCalendar } from './read-calendar';
import { type FileRow, orderOf, readRows, readTable } from './read-csv';
import { decodeText, ImportFileError } from './read-file';

const ZONE = 'Europe/London';
const encode = (text: string) => new TextEncoder().encode(text);

function readFile(bytes: Uint8Array): FileRow[] {
  const text = decodeText(bytes);
  if (isCalendar(text)) return readCalendar(text, ZONE);
  const table = readTable(text);
  return readRows(table, {
    mapping: table.mapping,
    order: orderOf(table, table.mapping) ?? 'dayFirst',
    zone: ZONE,
  });
}
const readText = (text: string) => readFile(encode(text));
const faultOf = (bytes: Uint8Array) => {
  try {
    readFile(bytes);
    return null;
  } catch (error) {
    if (error instanceof ImportFileError) return error.fault;
    throw error;
  }
};

const calendar = (...events: string[]) => {
  const parts = events.flatMap((event) => ['BEGIN:VEVENT', event, 'END:VEVENT']);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...parts, 'END:VCALENDAR'].join('\r\n');
};

describe('the calendar reader', () => {
  const first = (...lines: string[]) => readText(calendar(lines.join('\r\n')))[0]!;

  it('reads title, place, times and key of an event', () => {
    expect(
      first(
        'UID:abc@example.org',
        'SUMMARY:SEO\\, and\r\n  more',
        'DTSTART;TZID=America/New_York:20260304T180000',
        'DURATION:PT90M',
        'LOCATION:Granary Hall',
        'DESCRIPTION:<p>Bring a <b>pencil</b></p>',
      ),
    ).toEqual({
      ...{ key: 'calendar abc@example.org', assumedEnd: false, repeats: false, cancelled: false },
      fields: {
        ...{ title: 'SEO, and more', description: 'Bring a **pencil**', isMarkdown: true, isAllDay: false },
        ...{ startDate: '2026-03-04T23:00:00.000Z', endDate: '2026-03-05T00:30:00.000Z' },
        ...{ timeZone: 'America/New_York', location: 'Granary Hall', onlineUrl: null, format: 'in_person' },
      },
    });
  });

  it('reads UTC, floating, Windows, described and all-day times', () => {
    const starts = (...lines: string[]) => first('UID:a', 'SUMMARY:A', ...lines).fields.startDate;
    expect(starts('DTSTART:20260704T180000Z')).toBe('2026-07-04T18:00:00.000Z');
    expect(starts('DTSTART:20260704T180000')).toBe('2026-07-04T17:00:00.000Z');
    expect(starts('DTSTART;TZID=W. Europe Standard Time:20260704T180000')).toBe('2026-07-04T16:00:00.000Z');
    expect(starts('DTSTART;TZID=Nowhere:20260704T180000')).toBe('2026-07-04T18:00:00 Nowhere');
    const described = `BEGIN:VTIMEZONE\r\nTZID:Ours\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0300\r\nTZOFFSETTO:+0300\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n`;
    const file = calendar('UID:a\r\nSUMMARY:A\r\nDTSTART;TZID=Ours:20260704T180000').replace(
      'BEGIN:VEVENT',
      `${described}BEGIN:VEVENT`,
    );
    expect(readText(file)[0]!.fields.startDate).toBe('2026-07-04T15:00:00.000Z');
    expect(first('UID:a', 'SUMMARY:A', 'DTSTART;VALUE=DATE:20260704').fields).toMatchObject({
      startDate: '2026-07-03T23:00:00.000Z',
      endDate: '2026-07-04T23:00:00.000Z',
      isAllDay: true,
    });
  });

  it('uses the calendar’s own zone', () => {
    const file = calendar('UID:a\r\nSUMMARY:A\r\nDTSTART:20260704T180000').replace(
      'VERSION',
      'X-WR-TIMEZONE:Asia/Tokyo\r\nVERSION',
    );
    const fields = { startDate: '2026-07-04T09:00:00.000Z', timeZone: 'Asia/Tokyo' };
    expect(readText(file)[0]!.fields).toMatchObject(fields);
  });

  it('marks repeating, cancelled and open-ended events, and keeps moved dates apart', () => {
    const event = 'UID:a\r\nSUMMARY:A\r\nDTSTART:20260704T180000Z';
    const moved = `${event}\r\nRECURRENCE-ID:20260711T180000Z\r\nSTATUS:CANCELLED`;
    const [one, two] = readText(calendar(`${event}\r\nRRULE:FREQ=WEEKLY`, moved));
    expect(one).toMatchObject({ key: 'calendar a', repeats: true, cancelled: false, assumedEnd: true });
    expect(one!.fields.endDate).toBe('2026-07-04T20:00:00.000Z');
    expect(two).toMatchObject({ key: 'calendar a 2026-07-11T18:00:00Z', cancelled: true });
  });

  it('keeps the readable properties of a broken event, and takes a link as the joining link', () => {
    const [broken, whole] = readText(
      calendar(
        'UID:a\r\nno property\r\nSUMMARY:A\r\nDTSTART:20269904T180000Z',
        'UID:b\r\nSUMMARY:B\r\nDTSTART:20260704T180000Z\r\nLOCATION:https://meet.example.org/b',
      ),
    );
    expect(broken!.fields).toMatchObject({
      title: 'A',
      startDate: expect.not.stringMatching(/Z$.*\d{4}-\d\d-/) as string,
    });
    const online = { onlineUrl: 'https://meet.example.org/b', location: null, format: 'online' };
    expect(whole!.fields).toMatchObject(online);
  });
});

describe('the CSV reader', () => {
  const EXPORTS = {
    meetup:
      'Group Name,Event Name,Event ID,Event Date,Event Start Time,Venue Name\nUX,Talk,7,2026-03-04,6:00 PM,Hall',
    luma: 'event_api_id,name,start_at,end_at,timezone,venue\n7,Talk,2026-03-04T18:00:00.000Z,2026-03-04T20:00:00.000Z,Europe/London,Hall',
    eventbrite:
      'Event ID,Event Name,Event Start Date,Event Start Time,Event End Date,Event End Time,Venue Name,Event Status\n7,Talk,"Mar 4, 2026",18:00,"Mar 4, 2026",20:00,Hall,Completed',
  };

  it.each(Object.entries(EXPORTS))('recognises the export of %s', (source, text) => {
    expect(readTable(text).source).toBe(source);
    const times = { startDate: '2026-03-04T18:00:00.000Z', endDate: '2026-03-04T20:00:00.000Z' };
    const fields = { title: 'Talk', location: 'Hall', ...times };
    expect(readText(text)).toMatchObject([{ key: `${source} 7`, fields }]);
  });

  it.each([',', ';', '\t'])('reads cells separated by %j', (sign) => {
    const text = [
      ['Title', 'Start', 'Price', 'Capacity', 'Venue', 'Address'],
      ['Tea', '2026-03-04', '1.250,50 €', '1 200', 'Hall', 'Hall, 1 Lane'],
    ];
    const [row] = readText(text.map((cells) => cells.map((cell) => `"${cell}"`).join(sign)).join('\r\n'));
    const days = { startDate: '2026-03-04T00:00:00.000Z', endDate: '2026-03-05T00:00:00.000Z' };
    const numbers = { price: '1250.50', capacity: '1200' };
    const fields = { title: 'Tea', ...days, isAllDay: true, ...numbers, location: 'Hall, 1 Lane' };
    expect(row!.fields).toMatchObject(fields);
  });

  it.each([
    ['12:30 AM', '00:30'],
    ['12:30 PM', '12:30'],
    ['11:05 p.m.', '23:05'],
  ])('reads the time %s as %s', (text, time) => {
    const [row] = readText(`Title,Start\nTea,2026-03-04 ${text}`);
    expect(row!.fields.startDate).toBe(`2026-03-04T${time}:00.000Z`);
  });

  it('asks for the order of day and month only if the dates leave it open', () => {
    const orderIn = (...dates: string[]) => {
      const table = readTable(['Title;Start', ...dates.map((date) => `A;${date}`)].join('\n'));
      return orderOf(table, table.mapping);
    };
    expect(orderIn('03/04/2026')).toBeNull();
    expect(orderIn('03/04/2026', '13/04/2026 18:00')).toBe('dayFirst');
    expect(orderIn('03/04/2026', '04/13/2026')).toBe('monthFirst');
    expect(orderIn('03.04.2026', '2026-04-03')).toBe('monthFirst');
  });

  it('keeps text that is no date or number, so that the server can report it', () => {
    expect(readText('Title,Start,Price,Capacity\nA,soon,ask us,many')[0]!.fields).toMatchObject({
      startDate: 'soon',
      price: 'ask us',
      capacity: 'many',
    });
  });

  it('keeps formulas as text', () => {
    const rows = readText(`Title,Start\n"=HYPERLINK(""x"")",2026-03-04\n'+1 talks,2026-03-04`);
    expect(rows.map(({ fields }) => fields.title)).toEqual(['=HYPERLINK("x")', '+1 talks']);
  });
});

describe('the encoding of a file', () => {
  const TEXT = 'Title,Start\nCafé,2026-03-04';
  const utf16 = (text: string, isLittle: boolean) => {
    const bytes = new Uint8Array(2 * text.length);
    const view = new DataView(bytes.buffer);
    [...text].forEach((letter, at) => view.setUint16(2 * at, letter.charCodeAt(0), isLittle));
    return bytes;
  };
  it.each([
    ['UTF-8', encode(TEXT)],
    ['UTF-8 with a byte order mark', encode(`\ufeff${TEXT}`)],
    ['UTF-16 LE', utf16(`\ufeff${TEXT}`, true)],
    ['UTF-16 BE', utf16(`\ufeff${TEXT}`, false)],
    ['Windows-1252', Uint8Array.from(TEXT, (letter) => letter.charCodeAt(0))],
  ])('reads %s', (_, bytes) => {
    expect(readFile(bytes)).toMatchObject([{ fields: { title: 'Café' } }]);
  });
});

describe('files that can’t be imported', () => {
  const many = (count: number) => `Title,Start\n${'A,2026-03-04\n'.repeat(count)}`;
  const nested = (depth: number) =>
    calendar('BEGIN:VALARM\r\n'.repeat(depth) + 'END:VALARM\r\n'.repeat(depth).trim());

  it.each([
    ['a file that is too large', new Uint8Array(IMPORTS.file + 1), 'tooLarge'],
    ['binary data', Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0), 'unreadable'],
    ['an empty file', encode(' \n'), 'empty'],
    ['a table without rows', encode('Title,Start\n'), 'empty'],
    ['a calendar without events', encode(calendar()), 'empty'],
    ['too many rows', encode(many(IMPORTS.rows + 1)), 'tooMany'],
    ['too many entries', encode(calendar(...Array(IMPORTS.rows + 1).fill('UID:a'))), 'tooMany'],
    ['deep nesting', encode(nested(5_000)), 'unreadable'],
    ['too many columns', encode(`${'a,'.repeat(600)}\n1`), 'unreadable'],
  ])('refuses %s', (_, bytes, fault) => {
    expect(faultOf(bytes)).toBe(fault);
  });

  const WHOLE = [
    calendar(
      'UID:a\r\nSUMMARY:A\r\nDTSTART;TZID=Europe/Paris:20260704T180000\r\nDESCRIPTION:Text\\nmore\r\nRRULE:FREQ=DAILY',
    ),
    'Event ID,Event Name,Event Start Date,Event Status\n1,"Quoted ""name""",03/04/2026 18:00,Live\n2,B,2026-03-04,',
  ];
  const HOSTILE = [
    '\u202e',
    '\ud800',
    '""',
    ';',
    '\r\n',
    '\n ',
    'BEGIN:VEVENT\r\n',
    'END:VCALENDAR\r\n',
    '<p>'.repeat(500),
    'x'.repeat(30_000),
    '__proto__',
    '\ufeff',
    'P99999999999W',
    '99999999T999999Z',
  ];
  const isStorable = ({ key, fields }: FileRow) =>
    [key, ...Object.values(fields)].every(
      (text) =>
        typeof text !== 'string' ||
        // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
        (text.length <= IMPORTS.text && !/[\u0000-\u0008\u000b-\u001f\p{Surrogate}]/u.test(text)),
    ) &&
    key.length <= IMPORTS.key &&
    key.trim() !== '' &&
    !key.includes('\n');

  const inZone = (rule: string, count = 1) => {
    const offsets = 'TZOFFSETFROM:+0300\r\nTZOFFSETTO:+0300';
    const part = `BEGIN:STANDARD\r\nDTSTART:00010101T000000\r\nRRULE:${rule}\r\n${offsets}\r\nEND:STANDARD\r\n`;
    return calendar('UID:a\r\nSUMMARY:A\r\nDTSTART;TZID=Ours:20260704T180000').replace(
      'BEGIN:VEVENT',
      `BEGIN:VTIMEZONE\r\nTZID:Ours\r\n${part.repeat(count)}END:VTIMEZONE\r\nBEGIN:VEVENT`,
    );
  };

  // Without the limits, each file keeps the reader busy for minutes or hours.
  it.each([
    ['quotation marks before a long gap', `Title,Start\n"${'"x'.repeat(400_000)}${' '.repeat(400_000)},1`],
    ['a property with a million parameters', calendar(`UID:a\r\nX${';A=1'.repeat(1_000_000)}:b`)],
    ['a zone whose clocks change each second', inZone('FREQ=SECONDLY')],
    ['a zone with thousands of clock changes', inZone('FREQ=YEARLY', 5_000)],
  ])('reads %s', (_, text) => {
    expect(readText(text)).toHaveLength(1);
  });

  it('stores no deep lists, control characters or longer text than the server accepts', () => {
    const ofHtml = (html: string) => readText(calendar(`UID:a\r\nSUMMARY:A\r\nDESCRIPTION:${html}`))[0]!;
    expect(ofHtml('<ul><li>a'.repeat(500)).fields).toMatchObject({ isMarkdown: false });
    expect(isStorable(ofHtml('<p>&#1;A</p>'))).toBe(true);
    expect(isStorable(ofHtml(`<p>${'*'.repeat(15_000)}</p>`))).toBe(true);
  });

  it('gives rows that the server accepts, or a reason, for 200 malformed files', () => {
    const malformed = fc
      .tuple(
        fc.constantFrom(...WHOLE),
        fc.array(
          fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(...HOSTILE), fc.nat(40)),
          { minLength: 1, maxLength: 4 },
        ),
        fc.boolean(),
      )
      .map(([whole, damages, isCut]) => {
        let text = whole;
        for (const [place, added, removed] of damages) {
          const at = Math.floor(place * text.length);
          text = text.slice(0, at) + added + text.slice(at + removed);
        }
        return isCut ? text.slice(0, text.length / 2) : text;
      });
    fc.assert(
      fc.property(malformed, (text) => {
        try {
          const rows = readText(text);
          expect(rows.filter((row) => !isStorable(row))).toEqual([]);
          for (const batch of batches(rows)) expect(JSON.stringify(batch).length).toBeLessThan(512 * 1024);
        } catch (error) {
          if (!(error instanceof ImportFileError)) throw error;
        }
      }),
      { numRuns: 200 },
    );
  });
});
