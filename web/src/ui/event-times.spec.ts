import type { EventFormat } from '@meetmark/contracts';
import fc from 'fast-check';
import { eventDay, eventDays, eventMonth, partOnDay, timeUntil } from './event-days';
import { calendarLeaf, eventHours, eventMoment, eventSpan, eventStart, eventWhen } from './event-times';
import { momentAt, daysLater } from './zoned-time';
import { shortMoment, timeOfDay, viewerZone } from './dates';
import { firstDayOfWeek } from './weeks';
import { wallClock } from './wall-clock';
import { formatPrice } from './price';

const KÖLN = 'Europe/Berlin';
const LONDON = 'Europe/London';
const NEW_YORK = 'America/New_York';
const AUCKLAND = 'Pacific/Auckland';

const between = (from: [date: string, time: string], to: [date: string, time: string], zone: string) => ({
  startDate: momentAt(...from, zone).toISOString(),
  endDate: momentAt(...to, zone).toISOString(),
  isAllDay: false,
});

const EVENING = between(['2026-11-21', '18:30'], ['2026-11-21', '20:30'], KÖLN);

it.each<[format: EventFormat, zone: string, viewer: string, locale: string, span: string, leaf: string]>([
  ['in_person', KÖLN, KÖLN, 'en-US', 'Sat, Nov 21, 2026, 6:30 – 8:30 PM', '21'],
  ['hybrid', KÖLN, KÖLN, 'de', 'Sa., 21. Nov. 2026, 18:30–20:30 Uhr', '21'],
  ['hybrid', KÖLN, NEW_YORK, 'en-GB', 'Sat, 21 Nov 2026, 18:30–20:30 CET (12:30–14:30 EST)', '21'],
  ['online', KÖLN, NEW_YORK, 'en-US', 'Sat, Nov 21, 2026, 12:30 – 2:30 PM EST (6:30 – 8:30 PM CET)', '21'],
  ['in_person', KÖLN, LONDON, 'de', 'Sa., 21. Nov. 2026, 18:30–20:30 Uhr MEZ (17:30–19:30 Uhr GMT)', '21'],
  [
    'in_person',
    NEW_YORK,
    KÖLN,
    'en-US',
    'Sat, Nov 21, 2026, 6:30 – 8:30 PM EST (Sun, Nov 22, 12:30 – 2:30 AM CET)',
    '21',
  ],
  ['hybrid', NEW_YORK, NEW_YORK, 'en-US', 'Sat, Nov 21, 2026, 6:30 – 8:30 PM', '21'],
  [
    'online',
    NEW_YORK,
    KÖLN,
    'en-US',
    'Sun, Nov 22, 2026, 12:30 – 2:30 AM CET (Sat, Nov 21, 6:30 – 8:30 PM EST)',
    '22',
  ],
])('shows an evening (%s) in %s, read in %s with locale %s, as %s on day %s', (...given) => {
  const [format, zone, viewerZone, locale, span, leaf] = given;
  const times = between(['2026-11-21', '18:30'], ['2026-11-21', '20:30'], zone);
  const event = { ...times, format, timeZone: zone === KÖLN ? null : zone };
  const context = { locale, timeZone: KÖLN, viewerZone };
  const plain = (text: string) => text.replaceAll('\u00a0', ' ');
  expect(plain(eventSpan(event, context))).toBe(span);

  expect(calendarLeaf(event, context).day).toMatch(new RegExp(`^${leaf}\\.?$`));
  expect(eventDays(event, context)).toEqual({ first: `2026-11-${leaf}`, last: `2026-11-${leaf}` });
  expect(eventDay(event, event.startDate, context)).toContain(leaf);
  expect(eventWhen(event, context, new Date(times.startDate)).days).toContain(leaf);

  const hours = span.slice(span.indexOf('2026, ') + '2026, '.length);
  expect(plain(eventHours(event, event.startDate, event.endDate, context))).toBe(hours);
  const zones = (text: string) =>
    text.match(/\b(?:GMT|[A-Z]{3,4})(?![\w+-])/g)?.filter((w) => w !== 'Uhr') ?? [];
  expect(zones(eventStart(event, context))).toEqual(zones(span));
  expect(zones(eventMoment(event, event.startDate, context))).toEqual(zones(span));
});

describe('An event with its own time zone', () => {
  it('names the zone next to the time as that of the reader or of the venue', () => {
    const context = { locale: 'en-US', timeZone: KÖLN, viewerZone: KÖLN };
    const other = (format: EventFormat) =>
      eventWhen({ ...EVENING, timeZone: NEW_YORK, format }, context).beside;
    expect([other('in_person')?.of, other('online')?.of]).toEqual(['viewer', 'place']);
  });

  it('shows whole days in the event’s own time zone', () => {
    const days = between(['2026-11-21', '00:00'], ['2026-11-22', '00:00'], NEW_YORK);
    const event = { ...days, isAllDay: true, format: 'online' as const, timeZone: NEW_YORK };
    expect(eventSpan(event, { locale: 'en-US', timeZone: KÖLN, viewerZone: KÖLN })).toBe('Sat, Nov 21, 2026');
  });
});

const ours = { locale: 'en-US', timeZone: KÖLN, viewerZone: NEW_YORK };
const here = { ...ours, viewerZone: KÖLN };

describe('The start of an event', () => {
  it('shows weekday, day and time, with a no-break space before AM/PM', () => {
    const event = { ...EVENING, format: 'in_person' as const };
    expect(eventStart(event, here)).toBe('Sat, Nov 21, 06:30\u00a0PM');
    expect(eventStart(event, ours)).toBe('Sat, Nov 21, 06:30\u00a0PM CET (12:30\u00a0PM EST)');
  });

  it('determines the event’s month in the displayed time zone', () => {
    const times = between(['2026-12-01', '00:30'], ['2026-12-01', '02:00'], KÖLN);
    expect(eventMonth({ ...times, format: 'in_person' }, ours)).toBe('December 2026');
    expect(eventMonth({ ...times, format: 'online' }, ours)).toBe('November 2026');
  });

  const now = momentAt('2026-11-21', '22:30', KÖLN);

  it.each([
    ['2026-11-21', '22:50', 'in 20 minutes'],
    ['2026-11-21', '23:59', 'in 1 hour'],
    ['2026-11-22', '08:00', 'tomorrow'],
    ['2026-11-23', '08:00', 'in 2 days'],
  ])('shows a start on %s at %s as “%s”', (date, time, words) => {
    const event = { ...between([date, time], [date, '23:59'], KÖLN), format: 'in_person' as const };
    expect(timeUntil(event, ours, now)).toBe(words);
  });
});

describe('The span of an event', () => {
  const inPerson = { format: 'in_person' as const };

  it('omits the year if the event starts and ends in the current one', () => {
    const event = { ...EVENING, ...inPerson };
    expect(eventSpan(event, here, new Date(2026, 0, 2))).toBe('Sat, Nov 21, 6:30 – 8:30\u00a0PM');
    expect(eventSpan(event, here, new Date(2027, 0, 2))).toContain('2026');
    const long = { ...event, endDate: '2027-01-01T12:00:00Z' };
    expect(eventSpan(long, here, new Date(2026, 0, 2))).toContain('2027');
  });

  it('shows both CEST and CET when the clock changes during the event', () => {
    const night = between(['2026-10-24', '22:00'], ['2026-10-25', '11:00'], KÖLN);
    expect(eventSpan({ ...night, ...inPerson }, { ...ours, viewerZone: 'UTC' })).toBe(
      'Sat, Oct 24, 2026, 10:00\u00a0PM CEST – Sun, Oct 25, 2026, 11:00\u00a0AM CET (Sat, Oct 24, 8:00\u00a0PM – Sun, Oct 25, 10:00\u00a0AM UTC)',
    );
    expect(eventWhen({ ...night, ...inPerson }, here).hours).toBe('10:00\u00a0PM CEST – 11:00\u00a0AM CET');
  });

  it.each(['Pacific/Kiritimati', 'America/Los_Angeles', LONDON])(
    'shows whole days in %s on the same dates to every reader',
    (timeZone) => {
      const times = between(['2026-11-21', '00:00'], ['2026-11-24', '00:00'], timeZone);
      for (const format of ['in_person', 'online'] as const) {
        const event = { ...times, isAllDay: true, format };
        const community = { locale: 'en-US', timeZone, viewerZone: AUCKLAND };
        expect(eventSpan(event, community)).toBe('Sat, Nov 21 – Mon, Nov 23, 2026');
        expect(eventStart(event, community)).toBe('Sat, Nov 21');
        expect(calendarLeaf(event, community)).toEqual({ month: 'Nov', day: '21' });
        expect(eventWhen(event, community, new Date(2026, 5, 1))).toEqual({
          days: 'Sat, Nov 21 – Mon, Nov 23',
          hours: null,
          beside: null,
        });
        const days = eventDays(event, community);
        const parts = [20, 21, 22, 23, 24].map((day) => partOnDay(days, { start: new Date(2026, 10, day) }));
        expect(parts).toEqual([null, { day: 1, of: 3 }, { day: 2, of: 3 }, { day: 3, of: 3 }, null]);
      }
    },
  );

  it('does not include the next day when the event ends at midnight', () => {
    const event = { ...between(['2026-11-21', '20:00'], ['2026-11-22', '00:00'], KÖLN), ...inPerson };
    expect(eventDays(event, ours)).toEqual({ first: '2026-11-21', last: '2026-11-21' });
    const { days, hours } = eventWhen(event, here, new Date(2026, 5, 1));
    expect([days, hours]).toEqual(['Saturday, November 21', '8:00\u00a0PM – 12:00\u00a0AM CET']);
  });

  it('returns days, hours and a differing time zone separately', () => {
    const now = new Date(2026, 5, 1);
    const event = { ...EVENING, ...inPerson };
    const days = 'Saturday, November 21';
    expect(eventWhen(event, here, now)).toEqual({ days, hours: '6:30 – 8:30\u00a0PM CET', beside: null });
    expect(eventWhen(event, ours, now).beside).toEqual({ of: 'viewer', hours: '12:30 – 2:30\u00a0PM EST' });
    expect(eventWhen({ ...event, format: 'online' }, ours, now)).toEqual({
      days,
      hours: '12:30 – 2:30\u00a0PM EST',
      beside: { of: 'community', hours: '6:30 – 8:30\u00a0PM CET' },
    });
    expect(eventWhen(event, here, new Date(2025, 5, 1)).days).toBe('Saturday, November 21, 2026');
    const late = between(['2026-11-21', '18:00'], ['2026-11-22', '01:30'], KÖLN);
    expect(eventWhen({ ...late, ...inPerson }, here, now)).toMatchObject({
      days: 'Sat, Nov 21 – Sun, Nov 22',
      hours: '6:00\u00a0PM – 1:30\u00a0AM CET',
    });
  });
});

describe('Dates', () => {
  // uses the machine's time zone, so that the tests pass everywhere
  const viewer = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const here = { locale: 'en-US', timeZone: viewer };
  /** A time zone whose clock always differs from the viewer's. */
  const elsewhere = {
    locale: 'en-US',
    timeZone: viewer === 'Pacific/Kiritimati' ? 'UTC' : 'Pacific/Kiritimati',
  };
  const at = (hour: number, minute = 0) => new Date(2026, 10, 21, hour, minute).toISOString();

  it('names the time zone only if the community’s clock differs from the reader’s', () => {
    // a no-break space precedes AM and PM
    expect(shortMoment(at(9), here)).toBe('Sat, Nov 21, 09:00\u00a0AM');
    expect(timeOfDay(at(18, 30), here)).toBe('6:30\u00a0PM');
    expect(viewerZone(here)).toBeNull();
    expect(shortMoment(at(9), elsewhere)).toMatch(/^Sat, Nov 21, 09:00\u00a0AM .+/);
    expect(timeOfDay(at(18, 30), elsewhere)).toMatch(/^6:30\u00a0PM .+/);
    expect(viewerZone(elsewhere)).toBe(viewer);
  });

  it.each([
    ['en-US', 0],
    ['en-GB', 1],
    ['de-DE', 1],
    ['ar-AE', 6],
  ])('shows weeks in %s that begin on weekday %i, with and without browser support', (locale, day) => {
    expect(firstDayOfWeek(locale)).toBe(day);
    const prototype = Intl.Locale.prototype as { getWeekInfo?: unknown };
    const known = prototype.getWeekInfo;
    delete prototype.getWeekInfo;
    try {
      expect(firstDayOfWeek(locale)).toBe(day);
    } finally {
      if (known) prototype.getWeekInfo = known;
    }
  });
});

const MINUTE = 60_000;
const RUNS = 1_000;

describe('The local time of a time zone', () => {
  it.each([
    ['2026-11-21', '09:00', 'Europe/London', '2026-11-21T09:00:00.000Z'],
    ['2026-07-01', '18:30', 'Europe/London', '2026-07-01T17:30:00.000Z'],
    ['2026-01-01', '00:00', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
    ['2026-03-29', '03:30', 'Europe/London', '2026-03-29T02:30:00.000Z'],
  ])('converts %s %s in %s to %s and back', (date, time, zone, moment) => {
    expect(momentAt(date, time, zone).toISOString()).toBe(moment);
    expect(wallClock(moment, zone)).toEqual({ date, time });
  });

  it.each([
    ['Europe/London', '2026-03-29', '01:30', '2026-03-29', '02:30'],
    ['America/New_York', '2026-03-08', '02:30', '2026-03-08', '03:30'],
    ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-04', '02:45'],
    ['Pacific/Apia', '2011-12-30', '12:00', '2011-12-31', '12:00'],
  ])('moves a time that the clock skips in %s forward', (zone, date, time, laterDate, laterTime) => {
    expect(wallClock(momentAt(date, time, zone), zone)).toEqual({ date: laterDate, time: laterTime });
  });

  it.each([['Europe/London', '2026-10-25', '01:30', '2026-10-25T00:30:00.000Z']])(
    'takes the earlier time when a local time in %s occurs twice',
    (zone, date, time, moment) => {
      expect(momentAt(date, time, zone).toISOString()).toBe(moment);
    },
  );

  describe('in any time zone', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const minutes = fc
      .date({ min: new Date('1990-01-01T00:00Z'), max: new Date('2037-12-31T00:00Z'), noInvalidDate: true })
      .map((date) => Math.floor(date.getTime() / MINUTE) * MINUTE);
    const anywhere = fc.tuple(zones, minutes);
    const nearChange = fc
      .tuple(
        fc.constantFrom(
          ['Europe/London', '2026-03-29'],
          ['Europe/London', '2026-10-25'],
          ['America/Havana', '2026-03-08'],
          ['Australia/Lord_Howe', '2026-10-04'],
          ['Pacific/Chatham', '2026-04-05'],
          ['Pacific/Apia', '2011-12-30'],
        ),
        fc.integer({ min: -24 * 60, max: 48 * 60 }),
      )
      .map(([[zone = '', date], minute]) => [zone, Date.parse(`${date}T00:00Z`) + minute * MINUTE] as const);
    const generated = fc.oneof(anywhere, nearChange);

    it('converts an existing local time to a timestamp and back', () => {
      fc.assert(
        fc.property(generated, ([zone, moment]) => {
          const shown = wallClock(moment, zone);
          expect(wallClock(momentAt(shown.date, shown.time, zone), zone)).toEqual(shown);
        }),
        { numRuns: RUNS },
      );
    });

    it('moves a local time forward by at most a day, never backward', () => {
      fc.assert(
        fc.property(generated, ([zone, typed]) => {
          const [date = '', time = ''] = new Date(typed).toISOString().split(/[TZ]/);
          const shown = wallClock(momentAt(date, time.slice(0, 5), zone), zone);
          const later = Date.parse(`${shown.date}T${shown.time}Z`) - typed;
          expect(later).toBeGreaterThanOrEqual(0);
          expect(later).toBeLessThanOrEqual(24 * 60 * MINUTE);
        }),
        { numRuns: RUNS },
      );
    });
  });

  it('converts an empty date to an invalid timestamp', () => {
    expect(momentAt('', '09:00', 'Europe/London').getTime()).toBeNaN();
  });

  it('adds and subtracts days across month ends and clock changes', () => {
    expect(daysLater('2026-03-28', 4)).toBe('2026-04-01');
    expect(daysLater('2026-01-01', -1)).toBe('2025-12-31');
  });
});

const community = { locale: 'en-US', currency: 'GBP' };

describe('A price', () => {
  it.each([null, '0', '0.00', ''])('shows %p as Free', (price) => {
    expect(formatPrice(price, community)).toBe('Free');
  });

  it.each([
    ['10', '£10'],
    ['10.00', '£10'],
    ['12.5', '£12.50'],
    ['12.50', '£12.50'],
    ['1250', '£1,250'],
  ])('shows %p as %p', (price, written) => {
    expect(formatPrice(price, community)).toBe(written);
  });

  it('uses the currency of the community', () => {
    expect(formatPrice('12.50', { locale: 'en-US', currency: 'EUR' })).toBe('€12.50');
  });
});
