import { anEvent } from '../../../testing/samples';
import {
  toCopy,
  endAfter,
  eventFormErrors,
  toFormFields,
  hasDates,
  isRangeValid,
  isTold,
  getDuration,
  toPayload,
} from './event-fields';
import { LIMITS } from '@meetmark/contracts/limits';

const ZONE = 'Europe/London';

const complete = {
  ...toFormFields(ZONE),
  title: 'Attribution breakfast',
  startDate: '2026-12-01',
  startTime: '09:00',
  endDate: '2026-12-01',
  endTime: '11:00',
};

describe('The event form', () => {
  it('requires the title, the dates and the times', () => {
    expect(eventFormErrors(toFormFields(ZONE))).toEqual({
      title: 'Title is required',
      startDate: 'Start date is required',
      startTime: 'Start time is required',
      endDate: 'End date is required',
      endTime: 'End time is required',
    });
  });

  it('refuses a title of more than 255 characters', () => {
    expect(eventFormErrors({ ...complete, title: 'x'.repeat(256) })).toEqual({ title: 'Title is too long' });
    expect(eventFormErrors({ ...complete, title: 'x'.repeat(255) })).toEqual({});
  });

  it.each(['0', '-1', '1.5'])('refuses %p as a capacity', (capacity) => {
    expect(eventFormErrors({ ...complete, capacity })).toHaveProperty('capacity');
  });

  it.each([
    ['startDate', '20271-12-01'],
    ['endDate', '20271-12-01'],
    ['registrationOpensAt', '20271-12-01T09:00'],
    ['registrationClosesAt', 'incomplete'],
    ['publishAt', '0202-12-01T09:00'],
    ['agenda', [{ startsAt: '2026-12-01T09:00', endsAt: '20271-12-01T09:00', title: 'Talk', note: '' }]],
    ['agenda', [{ startsAt: '20271-12-01T09:00', endsAt: '', title: 'Talk', note: '' }]],
  ])('refuses %s set to %j, and toPayload does not throw', (name, value) => {
    for (const isAllDay of [false, true]) {
      const fields = { ...complete, isAllDay, [name]: value };
      expect(eventFormErrors(fields)).toEqual({
        [name]: 'Fill in the whole date, with a year from 1900 to 2999',
      });
      expect(hasDates(fields)).toBe(!['startDate', 'endDate'].includes(name));
      expect(() => toPayload(fields, ZONE)).not.toThrow();
    }
  });

  it('sends a price and a capacity as plain numbers, and refuses ambiguous ones', () => {
    const paid = { ...complete, isFree: false, price: '12,50', capacity: '1,250' };
    expect(eventFormErrors(paid)).toEqual({});
    expect(toPayload(paid, ZONE)).toMatchObject({ price: '12.50', capacity: 1250 });
    expect(eventFormErrors({ ...paid, price: '12 50', capacity: '1.2.3' })).toEqual({
      price: 'Write this number without a thousands separator, such as 1250.50',
      capacity: 'Write this number without a thousands separator, such as 1250',
    });
    expect(eventFormErrors({ ...paid, price: '12.505', capacity: '1.50' })).toEqual({
      price: 'Price must be 0 or more, with at most 2 decimals',
      capacity: 'Capacity must be a whole number of at least 1',
    });
  });

  it('requires the end to be after the start', () => {
    expect(isRangeValid(complete)).toBe(true);
    expect(isRangeValid({ ...complete, endTime: '09:00' })).toBe(false);
    expect(isRangeValid({ ...complete, endDate: '2026-11-30' })).toBe(false);
  });

  it('sends null for empty fields and for the price of a free event', () => {
    expect(toPayload({ ...complete, price: '12.50' }, ZONE)).toEqual({
      title: 'Attribution breakfast',
      startDate: '2026-12-01T09:00:00.000Z',
      endDate: '2026-12-01T11:00:00.000Z',
      ...{ isAllDay: false, waitlistEnabled: false },
      ...{ format: 'in_person', descriptionFormat: 'markdown', visibility: 'public' },
      ...{ hosts: [], coHosts: [], agenda: [], speakers: [], resources: [], questions: [], topics: [] },
      ...{ description: null, location: null, timeZone: null, accessibility: null, recap: null },
      ...{ registrationOpensAt: null, registrationClosesAt: null, publishAt: null },
      ...{ onlineUrl: null, onlineNote: null, paymentNote: null, price: null, capacity: null },
      ...{ bannerImageUrl: null, coverPattern: null, coverSquare: null, coverWide: null },
    });
  });

  it.each(['Pacific/Kiritimati', 'America/Los_Angeles', 'Europe/London'])(
    'sends whole days from midnight to midnight in %s, and reads them back',
    (zone) => {
      const days = { startDate: '2026-12-01', endDate: '2026-12-03', isAllDay: true };
      const payload = toPayload({ ...complete, ...days, startTime: '', endTime: '' }, zone);
      const { startDate, endDate } = payload;
      expect(Date.parse(endDate) - Date.parse(startDate)).toBe(3 * 24 * 3_600_000);
      const event = anEvent({ ...payload, topics: [] });
      const fields = toFormFields(zone, event);
      expect(fields).toMatchObject(days);
      expect(toPayload(fields, zone, event)).toMatchObject({ startDate, endDate });
    },
  );

  describe('when the time zone is changed', () => {
    const event = anEvent({
      startDate: '2026-12-01T09:00:10.000Z',
      endDate: '2026-12-01T11:00:10.000Z',
      registrationClosesAt: '2026-11-30T18:00:00.000Z',
    });
    const fields = toFormFields(ZONE, event);

    it('saves typed times in the chosen zone and shows them unchanged later', () => {
      const payload = toPayload({ ...fields, timeZone: 'America/New_York' }, ZONE, event);
      expect(payload).toMatchObject({
        timeZone: 'America/New_York',
        startDate: '2026-12-01T14:00:00.000Z',
        endDate: '2026-12-01T16:00:00.000Z',
        registrationClosesAt: '2026-11-30T23:00:00.000Z',
      });
      const saved = anEvent({ ...payload, topics: [] });
      expect(toFormFields(ZONE, saved)).toMatchObject({ startTime: '09:00', endTime: '11:00' });
      expect(toPayload({ ...toFormFields(ZONE, saved), timeZone: '' }, ZONE, saved)).toMatchObject({
        timeZone: null,
        startDate: '2026-12-01T09:00:00.000Z',
      });
    });

    it('keeps timestamps when set to the community’s zone, and copies other zones', () => {
      const payload = toPayload({ ...fields, timeZone: ZONE }, ZONE, event);
      expect(payload).toMatchObject({ timeZone: ZONE, startDate: event.startDate, endDate: event.endDate });
      expect(toCopy(ZONE, anEvent({ timeZone: 'Asia/Tokyo' })).timeZone).toBe('Asia/Tokyo');
    });
  });

  it('cuts the title of a copy to its limit without splitting a character', () => {
    const prefix = toCopy(ZONE, anEvent({ title: '' })).title;
    const room = LIMITS.title - prefix.length;
    const title = `${'x'.repeat(room - 1)}😀`;
    expect(toCopy(ZONE, anEvent({ title })).title).toBe(prefix + 'x'.repeat(room - 1));
  });

  it('requires registration to close after it opens and before the event ends', () => {
    const window = (registrationOpensAt: string, registrationClosesAt: string) =>
      eventFormErrors({ ...complete, registrationOpensAt, registrationClosesAt }).registrationClosesAt;
    expect(window('2026-11-01T09:00', '2026-11-30T09:00')).toBeUndefined();
    expect(window('2026-11-01T09:00', '2026-11-01T09:00')).toBe('Registration must close after it opens');
    expect(window('', '2026-12-01T11:00')).toBeUndefined();
    expect(window('', '2026-12-01T11:01')).toBe('Registration must close before the event ends');
  });

  it('moves the end with the start, keeping the default or current duration', () => {
    const empty = toFormFields(ZONE);
    const usual = getDuration(empty) ?? 0;
    expect(endAfter({ ...empty, startDate: '2026-12-01' }, usual)).toEqual({ endDate: '2026-12-01' });
    const night = endAfter({ ...empty, startDate: '2026-12-01', startTime: '23:00' }, usual);
    expect(night).toEqual({ endDate: '2026-12-02', endTime: '01:00' });
    const length = getDuration({ ...complete, endDate: '2026-12-02' }) ?? 0;
    const twoDays = endAfter({ ...complete, startDate: '2026-12-30' }, length);
    expect(twoDays).toEqual({ endDate: '2026-12-31', endTime: '11:00' });
    expect(getDuration({ ...complete, endTime: '08:00' })).toBeNull();
  });

  it('copies an event without its dates', () => {
    const dates = { startDate: '', endTime: '', registrationOpensAt: '' };
    const event = anEvent({ title: 'Clinic', capacity: 12, registrationOpensAt: '2026-11-01T09:00:00Z' });
    expect(toCopy(ZONE, event)).toMatchObject({ title: 'Copy of Clinic', capacity: '12', ...dates });
  });

  const VENUE = { name: 'Platform', address: 'Leeds', note: null, mapUrl: null };
  const AT_VENUE = { location: undefined, venue: VENUE };
  const toVenue = (given: Partial<Record<keyof typeof VENUE, string | null>>) => ({
    location: undefined,
    venue: { ...VENUE, ...given },
  });
  it.each([
    [{}, { description: 'A typing error less' }, false],
    [{}, { capacity: 12 }, false],
    [{}, { bannerImageUrl: '/media/x.webp' }, false],
    [{}, { agenda: [] }, false],
    [{}, { title: 'Another' }, true],
    [{}, { startDate: '2026-12-01T10:00:00.000Z' }, true],
    [{}, { location: 'York' }, true],
    [{}, { format: 'online' as const }, true],
    [{}, { price: '5' }, true],
    [{ price: '5.00' }, { price: '5' }, false],
    [{}, { onlineUrl: 'https://meet.example' }, true],
    [{}, { accessibility: 'Step-free' }, true],
    [AT_VENUE, toVenue({ note: 'Ring twice' }), false],
    [AT_VENUE, toVenue({ mapUrl: 'https://map.example' }), false],
    [AT_VENUE, toVenue({ address: 'York' }), true],
    [AT_VENUE, toVenue({ name: 'Guildhall' }), true],
    [{ location: 'Leeds' }, toVenue({ name: 'Leeds', address: null, note: 'Ring twice' }), false],
  ])(
    'of an event with %j, decides whether to suggest a notification about %j: %s',
    (given, changed, told) => {
      const before = { ...toPayload(complete, ZONE), ...(given as object) };
      expect(isTold({ ...before, ...(changed as object) }, before)).toBe(told);
    },
  );

  it('marks an event without a price as free, and keeps stored values unchanged', () => {
    expect(toFormFields(ZONE, anEvent()).isFree).toBe(true);
    const event = anEvent({ price: '15', capacity: 30, description: 'Coffee', format: 'hybrid' });
    const { title, description, startDate, format, price, capacity } = event;
    const stored = { title, description, startDate, format, price, capacity };
    expect(toPayload(toFormFields(ZONE, event), ZONE)).toMatchObject(stored);
  });

  it('keeps the seconds of times that were not edited', () => {
    const event = anEvent({ startDate: '2026-12-01T09:00:41.123Z', endDate: '2026-12-01T11:00:41.123Z' });
    const fields = toFormFields(ZONE, event);
    const { startDate, endDate } = event;
    expect(toPayload({ ...fields, title: 'Another' }, ZONE, event)).toMatchObject({ startDate, endDate });
    const moved = toPayload({ ...fields, endDate: '2026-12-02' }, ZONE, event);
    expect(moved.endDate).toMatch(/^2026-12-02T.*:00\.000Z$/);
  });
});
