import { anEvent } from '../../../testing/samples';
import { eventFormErrors, fieldsOf, isRangeValid, payloadOf } from './event-fields';

const complete = {
  ...fieldsOf(),
  title: 'Attribution breakfast',
  startDate: '2026-12-01',
  startTime: '09:00',
  endDate: '2026-12-01',
  endTime: '11:00',
};

describe('The event form', () => {
  it('asks for the title, the dates and the times', () => {
    expect(eventFormErrors(fieldsOf())).toEqual({
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
    expect(payloadOf({ ...complete, price: '12.50' })).toEqual({
      title: 'Attribution breakfast',
      description: null,
      startDate: new Date(2026, 11, 1, 9).toISOString(),
      endDate: new Date(2026, 11, 1, 11).toISOString(),
      format: 'in_person',
      location: null,
      bannerImageUrl: null,
      price: null,
      capacity: null,
    });
  });

  it('sends what was typed', () => {
    expect(payloadOf({ ...complete, isFree: false, price: '12.50', capacity: '40' })).toMatchObject({
      price: '12.50',
      capacity: 40,
    });
  });

  it('is free for an event without a price, and gives back what an event holds', () => {
    expect(fieldsOf(anEvent()).isFree).toBe(true);
    const event = anEvent({ price: '15', capacity: 30, description: 'Coffee', format: 'hybrid' });
    const { title, description, startDate, format, price, capacity } = payloadOf(fieldsOf(event));
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
    const fields = fieldsOf(event);
    expect(payloadOf({ ...fields, title: 'Another' }, event)).toMatchObject({
      startDate: event.startDate,
      endDate: event.endDate,
    });
    expect(payloadOf({ ...fields, endDate: '2026-12-02' }, event).endDate).toMatch(
      /^2026-12-02T.*:00\.000Z$/,
    );
  });
});
