import { anEvent } from '../../../testing/samples';
import {
  copyOf,
  endAfter,
  eventFormErrors,
  fieldsOf,
  isRangeValid,
  isTold,
  lengthOf,
  payloadOf,
  sentOf,
} from './event-fields';
import { EMPTY_CONTENT } from '@meetmark/contracts/event-fields';

const ZONE = 'Europe/London';

const complete = {
  ...fieldsOf(ZONE),
  title: 'Attribution breakfast',
  startDate: '2026-12-01',
  startTime: '09:00',
  endDate: '2026-12-01',
  endTime: '11:00',
};

describe('The event form', () => {
  it('asks for the title, the dates and the times', () => {
    expect(eventFormErrors(fieldsOf(ZONE))).toEqual({
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

  it('wants the end after the start', () => {
    expect(isRangeValid(complete)).toBe(true);
    expect(isRangeValid({ ...complete, endTime: '09:00' })).toBe(false);
    expect(isRangeValid({ ...complete, endDate: '2026-11-30' })).toBe(false);
  });

  it('sends what is empty, and the price of a free event, as null', () => {
    expect(payloadOf({ ...complete, price: '12.50' }, ZONE)).toEqual({
      title: 'Attribution breakfast',
      description: null,
      startDate: '2026-12-01T09:00:00.000Z',
      endDate: '2026-12-01T11:00:00.000Z',
      isAllDay: false,
      timeZone: null,
      registrationOpensAt: null,
      registrationClosesAt: null,
      format: 'in_person',
      location: null,
      descriptionFormat: 'markdown',
      onlineUrl: null,
      onlineNote: null,
      accessibility: null,
      hosts: [],
      coHosts: [],
      agenda: [],
      speakers: [],
      resources: [],
      questions: [],
      recap: null,
      paymentNote: null,
      bannerImageUrl: null,
      coverPattern: null,
      coverSquare: null,
      coverWide: null,
      price: null,
      capacity: null,
      waitlistEnabled: true,
      topics: [],
      visibility: 'public',
      publishAt: null,
    });
  });

  it.each(['Pacific/Kiritimati', 'America/Los_Angeles', 'Europe/London'])(
    'sends whole days from midnight to the midnight after the last in %s, and shows them again',
    (zone) => {
      const fields = { ...complete, isAllDay: true, startTime: '', endTime: '', endDate: '2026-12-03' };
      const payload = payloadOf(fields, zone);
      expect(Date.parse(payload.endDate) - Date.parse(payload.startDate)).toBe(3 * 24 * 3_600_000);
      expect(fieldsOf(zone, anEvent({ ...payload, topics: [] }))).toMatchObject({
        startDate: '2026-12-01',
        endDate: '2026-12-03',
        isAllDay: true,
      });
    },
  );

  describe('in another time zone', () => {
    const event = anEvent({
      startDate: '2026-12-01T09:00:10.000Z',
      endDate: '2026-12-01T11:00:10.000Z',
      registrationClosesAt: '2026-11-30T18:00:00.000Z',
    });
    const fields = fieldsOf(ZONE, event);

    it('means there what is typed, and shows it again as it was typed', () => {
      const payload = payloadOf({ ...fields, timeZone: 'America/New_York' }, ZONE, event);
      expect(payload).toMatchObject({
        timeZone: 'America/New_York',
        startDate: '2026-12-01T14:00:00.000Z',
        endDate: '2026-12-01T16:00:00.000Z',
        registrationClosesAt: '2026-11-30T23:00:00.000Z',
      });
      const saved = anEvent({ ...payload, topics: [] });
      expect(fieldsOf(ZONE, saved)).toMatchObject({ startTime: '09:00', endTime: '11:00' });
      // back to the community's
      expect(payloadOf({ ...fieldsOf(ZONE, saved), timeZone: '' }, ZONE, saved)).toMatchObject({
        timeZone: null,
        startDate: '2026-12-01T09:00:00.000Z',
      });
    });

    it('moves nothing by naming the zone that the community has, and a copy keeps it', () => {
      const payload = payloadOf({ ...fields, timeZone: ZONE }, ZONE, event);
      expect(payload).toMatchObject({ timeZone: ZONE, startDate: event.startDate, endDate: event.endDate });
      expect(copyOf(ZONE, anEvent({ timeZone: 'Asia/Tokyo' })).timeZone).toBe('Asia/Tokyo');
    });
  });

  it('does not move the last day when a stored event of whole days is saved again', () => {
    const event = anEvent({
      isAllDay: true,
      startDate: '2026-12-01T00:00:00.000Z',
      endDate: '2026-12-02T00:00:00.000Z',
    });
    expect(payloadOf(fieldsOf(ZONE, event), ZONE, event)).toMatchObject({
      startDate: event.startDate,
      endDate: event.endDate,
    });
  });

  it('wants the close of registration after its opening and before the end', () => {
    const window = (registrationOpensAt: string, registrationClosesAt: string) =>
      eventFormErrors({ ...complete, registrationOpensAt, registrationClosesAt }).registrationClosesAt;
    expect(window('2026-11-01T09:00', '2026-11-30T09:00')).toBeUndefined();
    expect(window('2026-11-01T09:00', '2026-11-01T09:00')).toBe('Registration must close after it opens');
    expect(window('', '2026-12-01T11:00')).toBeUndefined();
    expect(window('', '2026-12-01T11:01')).toBe('Registration must close before the event ends');
  });

  it('lets the end follow the start: two hours later at first, then as long as the event was', () => {
    const empty = fieldsOf(ZONE);
    const usual = lengthOf(empty) ?? 0;
    expect(endAfter({ ...empty, startDate: '2026-12-01' }, usual)).toEqual({ endDate: '2026-12-01' });
    expect(endAfter({ ...empty, startDate: '2026-12-01', startTime: '23:00' }, usual)).toEqual({
      endDate: '2026-12-02',
      endTime: '01:00',
    });
    const length = lengthOf({ ...complete, endDate: '2026-12-02' }) ?? 0;
    expect(endAfter({ ...complete, startDate: '2026-12-30' }, length)).toEqual({
      endDate: '2026-12-31',
      endTime: '11:00',
    });
    expect(lengthOf({ ...complete, endTime: '08:00' })).toBeNull();
  });

  it('copies everything but the dates', () => {
    const event = anEvent({
      title: 'Copy clinic',
      capacity: 12,
      registrationOpensAt: '2026-11-01T09:00:00Z',
    });
    expect(copyOf(ZONE, event)).toMatchObject({
      title: 'Copy of Copy clinic',
      capacity: '12',
      startDate: '',
      endTime: '',
      registrationOpensAt: '',
    });
  });

  it.each([
    [{ description: 'A typing error less' }, false],
    [{ capacity: 12 }, false],
    [{ bannerImageUrl: '/media/x.webp' }, false],
    [{ title: 'Another' }, true],
    [{ startDate: '2026-12-01T10:00:00.000Z' }, true],
    [{ location: 'York' }, true],
    [{ format: 'online' as const }, true],
    [{ price: '5' }, true],
    [{ onlineUrl: 'https://meet.example' }, true],
    [{ accessibility: 'Step-free' }, true],
    [{ agenda: [] }, false],
  ])('proposes to tell who is registered of %j: %s', (changed, told) => {
    const before = payloadOf(complete, ZONE);
    expect(isTold({ ...before, ...changed }, before)).toBe(told);
  });

  const VENUE = { name: 'Platform', address: 'Leeds', note: null, mapUrl: null };
  it.each([
    [{ ...VENUE, note: 'Ring twice' }, false],
    [{ ...VENUE, mapUrl: 'https://map.example' }, false],
    [{ ...VENUE, address: 'York' }, true],
    [{ ...VENUE, name: 'Guildhall' }, true],
  ])('proposes to tell of the venue %j: %s', (venue, told) => {
    const before = { ...payloadOf(complete, ZONE), location: undefined, venue: VENUE };
    expect(isTold({ ...before, venue }, before)).toBe(told);
  });

  it('does not propose to tell of a venue whose line is the location of before', () => {
    const before = { ...payloadOf(complete, ZONE), location: 'Leeds' };
    const venue = { name: 'Leeds', address: null, note: 'Ring twice', mapUrl: null };
    expect(isTold({ ...before, location: undefined, venue }, before)).toBe(false);
  });

  it('takes 5 and 5.00 for the same price', () => {
    const before = { ...payloadOf(complete, ZONE), price: '5.00' };
    expect(isTold({ ...before, price: '5' }, before)).toBe(false);
  });

  it('sends what was typed', () => {
    expect(
      payloadOf({ ...complete, isFree: false, price: '12.50', paymentNote: 'Cash', capacity: '40' }, ZONE),
    ).toMatchObject({
      price: '12.50',
      capacity: 40,
    });
  });

  it('is free for an event without a price, and gives back what an event holds', () => {
    expect(fieldsOf(ZONE, anEvent()).isFree).toBe(true);
    const event = anEvent({ price: '15', capacity: 30, description: 'Coffee', format: 'hybrid' });
    const { title, description, startDate, format, price, capacity } = payloadOf(fieldsOf(ZONE, event), ZONE);
    expect({ title, description, startDate, format, price, capacity }).toEqual({
      title: event.title,
      description: 'Coffee',
      startDate: event.startDate,
      format: 'hybrid',
      price: '15',
      capacity: 30,
    });
  });

  it('sends a moment as it was when its inputs were not touched: they show whole minutes only', () => {
    const event = anEvent({ startDate: '2026-12-01T09:00:41.123Z', endDate: '2026-12-01T11:00:41.123Z' });
    const fields = fieldsOf(ZONE, event);
    expect(payloadOf({ ...fields, title: 'Another' }, ZONE, event)).toMatchObject({
      startDate: event.startDate,
      endDate: event.endDate,
    });
    expect(payloadOf({ ...fields, endDate: '2026-12-02' }, ZONE, event).endDate).toMatch(
      /^2026-12-02T.*:00\.000Z$/,
    );
  });

  it('sends no empty text that was empty before, since a service of the version before may not know it', () => {
    const sent = (before: string | null, after: string) => {
      const event = anEvent();
      const opened = { ...event, content: { ...EMPTY_CONTENT, ...event.content, accessibility: before } };
      return sentOf(payloadOf({ ...fieldsOf(ZONE, opened), accessibility: after }, ZONE, opened), opened);
    };
    expect(sent(null, ' ')).not.toHaveProperty('accessibility');
    expect(sent(null, ' ')).toHaveProperty('capacity', null);
    expect(sent(null, 'Step-free')).toHaveProperty('accessibility', 'Step-free');
    expect(sent('Step-free', '')).toHaveProperty('accessibility', null);
    expect(sentOf(payloadOf(complete, ZONE))).not.toHaveProperty('accessibility');
    const chosen = { ...complete, coverPattern: 3 };
    expect(Object.keys(sentOf(payloadOf(chosen, ZONE))).filter((name) => name.startsWith('cover'))).toEqual([
      'coverPattern',
    ]);
  });
});
