import type { Event, EventFormat } from '@meetmark/contracts';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventFormText as text } from '../../../strings/event-form';
import { isFree } from '../../../ui/price';
import type { FieldErrors } from '../../../ui/use-form';
import type { EventPayload } from '../events.api';

/** The text of the form's inputs, on the viewer's clock. */
export interface EventFormFields {
  title: string;
  description: string;
  startDate: string;
  startTime: string;
  endDate: string;
  endTime: string;
  format: EventFormat;
  location: string;
  capacity: string;
  bannerImageUrl: string | null;
  isFree: boolean;
  price: string;
}

export type EventFormErrors = FieldErrors<EventFormFields>;

const two = (figure: number) => String(figure).padStart(2, '0');
const dateInput = (date: Date) =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
const timeInput = (date: Date) => `${two(date.getHours())}:${two(date.getMinutes())}`;

/** The fields of an event that is edited, or the empty ones of a new event. */
export function fieldsOf(event?: Event): EventFormFields {
  const start = event && new Date(event.startDate);
  const end = event && new Date(event.endDate);
  return {
    title: event?.title ?? '',
    description: event?.description ?? '',
    startDate: start ? dateInput(start) : '',
    startTime: start ? timeInput(start) : '',
    endDate: end ? dateInput(end) : '',
    endTime: end ? timeInput(end) : '',
    format: event?.format ?? 'in_person',
    location: event?.location ?? '',
    capacity: event?.capacity?.toString() ?? '',
    bannerImageUrl: event?.bannerImageUrl ?? null,
    isFree: isFree(event?.price ?? null),
    price: event?.price ?? '',
  };
}

/** The error of each field; empty when all are valid. */
export function eventFormErrors(fields: EventFormFields): EventFormErrors {
  const errors: EventFormErrors = {};
  if (!fields.title.trim()) errors.title = text.titleRequired;
  else if (fields.title.trim().length > LIMITS.title) errors.title = text.titleTooLong;
  if (!fields.startDate) errors.startDate = text.startDateRequired;
  if (!fields.startTime) errors.startTime = text.startTimeRequired;
  if (!fields.endDate) errors.endDate = text.endDateRequired;
  if (!fields.endTime) errors.endTime = text.endTimeRequired;
  if (fields.capacity && !/^[1-9]\d*$/.test(fields.capacity)) errors.capacity = text.capacityInvalid;
  if (!fields.isFree && fields.price && !/^\d+(\.\d{1,2})?$/.test(fields.price))
    errors.price = text.priceInvalid;
  return errors;
}

const moment = (date: string, time: string) => new Date(`${date}T${time}`);

/** Whether the end is later than the start. */
export const isRangeValid = ({ startDate, startTime, endDate, endTime }: EventFormFields) =>
  moment(endDate, endTime) > moment(startDate, startTime);

/** Whether both ends are filled in. */
export const hasDates = ({ startDate, startTime, endDate, endTime }: EventFormFields) =>
  [startDate, startTime, endDate, endTime].every(Boolean);

/**
 * The payload: moments in UTC, no price for a free event, null for empty fields. A moment of the `opened` event whose inputs were
 * not touched is sent unchanged: the inputs show whole minutes only.
 */
export function payloadOf(fields: EventFormFields, opened?: Event): EventPayload {
  const before = opened && fieldsOf(opened);
  const sentMoment = (end: 'start' | 'end') => {
    const [date, time] = [`${end}Date`, `${end}Time`] as const;
    if (before && before[date] === fields[date] && before[time] === fields[time]) return opened[date];
    return moment(fields[date], fields[time]).toISOString();
  };
  return {
    title: fields.title.trim(),
    description: fields.description.trim() || null,
    startDate: sentMoment('start'),
    endDate: sentMoment('end'),
    format: fields.format,
    location: fields.location.trim() || null,
    bannerImageUrl: fields.bannerImageUrl,
    price: fields.isFree ? null : fields.price || null,
    capacity: fields.capacity ? Number(fields.capacity) : null,
  };
}
