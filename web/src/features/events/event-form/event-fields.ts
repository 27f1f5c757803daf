import type {
  CoHostState,
  CoverCrop,
  EventFormat,
  EventPage,
  EventVisibility,
  QuestionKind,
  RoleInvitation,
} from '@meetmark/contracts';
import { cutText } from '@meetmark/contracts/cut-text';
import { CONTENT_TEXTS, type ContentText, eventFields } from '@meetmark/contracts/events/event-fields';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventFormText as text } from '@meetmark/i18n/texts/event-form';
import { fieldsText } from '@meetmark/i18n/texts/fields';
import { questionsText } from '@meetmark/i18n/texts/questions';
import { venueLine } from '@meetmark/contracts/events/venue';
import { getZone } from '@meetmark/contracts/zones';
import { dateError, isDateInput, toTimestamp } from '../../../ui/date-input';
import { readNumber, writeNumber } from '../../../ui/numbers';
import { isFree } from '../../../ui/price';
import type { FieldErrors } from '../../../ui/use-form';
import { wallClock } from '../../../ui/wall-clock';
import { daysLater } from '../../../ui/zoned-time';
import type { EventPayload } from '../shared/events.api';

export interface ChosenHost {
  id: string;
  name: string;
  manages: boolean;
  /** Undefined for a host who was added after the last save. */
  saved?: { agreed: boolean; coHost?: CoHostState; invitation?: RoleInvitation };
}

type TextField = ContentText | 'paymentNote' | 'timeZone';
const TEXTS: TextField[] = [...CONTENT_TEXTS, 'paymentNote', 'timeZone'];

const eachText = <T>(getValue: (name: TextField) => T) =>
  Object.fromEntries(TEXTS.map((name) => [name, getValue(name)])) as Record<TextField, T>;

/** Dates and times are local to `timeZone`, or to the community's time zone if that is empty. */
export interface EventFormFields extends Record<TextField, string> {
  title: string;
  description: string;
  startDate: string;
  startTime: string;
  endDate: string;
  endTime: string;
  isAllDay: boolean;
  registrationOpensAt: string;
  registrationClosesAt: string;
  format: EventFormat;
  location: string;
  capacity: string;
  waitlistEnabled: boolean;
  bannerImageUrl: string | null;
  /** Number of the cover pattern, counted from 1. Null if the event has a cover image. */
  coverPattern: number | null;
  coverSquare: CoverCrop | null;
  coverWide: CoverCrop | null;
  isFree: boolean;
  price: string;
  venueAddress: string;
  venueNote: string;
  venueMapUrl: string;
  hosts: ChosenHost[];
  agenda: { startsAt: string; endsAt: string; title: string; note: string }[];
  speakers: { name: string; role: string; bio: string; linkUrl: string; userId: string }[];
  resources: { title: string; url: string }[];
  topics: string[];
  /** A question of the kind `choice` has one option per line in `options`. */
  questions: { id?: string; kind: QuestionKind; label: string; required: boolean; options: string }[];
  visibility: EventVisibility;
  publishAt: string;
}

export type EventFormErrors = FieldErrors<EventFormFields>;

const DAY_START = '00:00';

export function toFormFields(communityZone: string, event?: EventPage): EventFormFields {
  const timeZone = getZone(event ?? {}, { timeZone: communityZone });
  const input = (moment: string | null) => {
    if (moment === null) return '';
    const { date, time } = wallClock(moment, timeZone);
    return `${date}T${time}`;
  };
  const start = event && wallClock(event.startDate, timeZone);
  // the stored end of an all-day event is the midnight after its last day
  const end = event && wallClock(Date.parse(event.endDate) - (event.isAllDay ? 1 : 0), timeZone);
  const timed = event && !event.isAllDay;
  const content = event?.content;
  const venue = content?.venue;
  return {
    title: event?.title ?? '',
    description: event?.description ?? '',
    startDate: start?.date ?? '',
    startTime: timed ? start!.time : '',
    endDate: end?.date ?? '',
    endTime: timed ? end!.time : '',
    isAllDay: event?.isAllDay ?? false,
    registrationOpensAt: input(event?.registrationOpensAt ?? null),
    registrationClosesAt: input(event?.registrationClosesAt ?? null),
    format: event?.format ?? 'in_person',
    location: venue?.name ?? event?.location ?? '',
    venueAddress: venue?.address ?? '',
    venueNote: venue?.note ?? '',
    venueMapUrl: venue?.mapUrl ?? '',
    ...eachText((name) => ({ ...event, ...content })[name] ?? ''),
    hosts: (content?.hosts ?? []).map(({ id, firstName, lastName, ...saved }) => ({
      id,
      name: `${firstName} ${lastName}`,
      manages: saved.coHost !== undefined,
      saved,
    })),
    agenda: (content?.agenda ?? []).map(({ startsAt, endsAt, title, note }) => ({
      startsAt: input(startsAt),
      endsAt: input(endsAt),
      title,
      note: note ?? '',
    })),
    speakers: (content?.speakers ?? []).map(({ name, role, bio, linkUrl, userId }) => ({
      name,
      role: role ?? '',
      bio: bio ?? '',
      linkUrl: linkUrl ?? '',
      userId: userId ?? '',
    })),
    resources: content?.resources ?? [],
    questions: (content?.questions ?? []).map(({ options, ...question }) => ({
      ...question,
      options: options.join('\n'),
    })),
    topics: (event?.topics ?? []).map(({ id }) => id),
    capacity: event?.capacity?.toString() ?? '',
    waitlistEnabled: event?.waitlistEnabled ?? false,
    bannerImageUrl: event?.bannerImageUrl ?? null,
    coverPattern: event?.coverPattern ?? null,
    coverSquare: event?.coverSquare ?? null,
    coverWide: event?.coverWide ?? null,
    isFree: isFree(event?.price ?? null),
    price: writeNumber(event?.price ?? ''),
    visibility: event?.visibility ?? 'public',
    publishAt: input(event?.publishAt ?? null),
  };
}

export const toCopy = (timeZone: string, event: EventPage): EventFormFields => ({
  ...toFormFields(timeZone, event),
  hosts: toFormFields(timeZone, event).hosts.map(({ saved: _, ...host }) => host),
  title: cutText(text.copyOf({ title: event.title }), LIMITS.title),
  startDate: '',
  startTime: '',
  endDate: '',
  endTime: '',
  registrationOpensAt: '',
  registrationClosesAt: '',
  publishAt: '',
  agenda: [],
  resources: [],
  recap: '',
});

export function eventFormErrors(fields: EventFormFields): EventFormErrors {
  const errors: EventFormErrors = {};
  if (!fields.title.trim()) errors.title = text.titleRequired;
  else if (fields.title.trim().length > LIMITS.title) errors.title = text.titleTooLong;
  if (!fields.startDate) errors.startDate = text.startDateRequired;
  if (!fields.startTime && !fields.isAllDay) errors.startTime = text.startTimeRequired;
  if (!fields.endDate) errors.endDate = text.endDateRequired;
  if (!fields.endTime && !fields.isAllDay) errors.endTime = text.endTimeRequired;
  const capacity = readNumber(fields.capacity);
  if (capacity === null) errors.capacity = fieldsText.numberUnclear({ example: '1250' });
  else if (capacity && !/^[1-9]\d*$/.test(capacity)) errors.capacity = text.capacityInvalid;
  const price = fields.isFree ? '' : readNumber(fields.price);
  if (price === null) errors.price = fieldsText.numberUnclear({ example: writeNumber('1250.50') });
  else if (price && !/^\d+(\.\d{1,2})?$/.test(price)) errors.price = text.priceInvalid;
  if (fields.format !== 'in_person' && fields.onlineUrl && !isHttps(fields.onlineUrl))
    errors.onlineUrl = text.onlineUrlInvalid;
  if (fields.venueMapUrl && !URL.canParse(fields.venueMapUrl)) errors.venueMapUrl = text.urlInvalid;
  if (fields.agenda.some(({ startsAt, title }) => !startsAt || !title.trim()))
    errors.agenda = text.agendaIncomplete;
  const wrongTime = fields.agenda.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]).find(dateError);
  if (wrongTime) errors.agenda = dateError(wrongTime);
  if (fields.speakers.some(({ name }) => !name.trim())) errors.speakers = text.speakerIncomplete;
  if (fields.resources.some(({ title, url }) => !title.trim() || !isHttps(url)))
    errors.resources = text.resourceIncomplete;
  if (
    fields.questions.some(
      ({ kind, label, options }) => !label.trim() || (kind === 'choice' && !areOptionsValid(options)),
    )
  )
    errors.questions = questionsText.editor.incomplete;
  const { registrationOpensAt: opens, registrationClosesAt: closes } = fields;
  for (const name of DATES) {
    const error = dateError(fields[name]);
    if (error) errors[name] = error;
  }
  if (errors.registrationOpensAt || errors.registrationClosesAt) return errors;
  if (opens && closes && closes <= opens) errors.registrationClosesAt = text.closesBeforeOpens;
  else if (closes && closes > getEnd(fields)) errors.registrationClosesAt = text.closesAfterEnd;
  return errors;
}

const DATES = ['startDate', 'endDate', 'registrationOpensAt', 'registrationClosesAt', 'publishAt'] as const;

const optionsIn = (lines: string) =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export function areOptionsValid(lines: string): boolean {
  const options = optionsIn(lines);
  return (
    options.length >= LIMITS.optionsMin &&
    options.length <= LIMITS.options &&
    new Set(options).size === options.length &&
    options.every(({ length }) => length <= LIMITS.optionLabel)
  );
}

const isHttps = (url: string) => /^https:\/\//i.test(url) && URL.canParse(url);

const getEnd = ({ endDate, endTime, isAllDay }: EventFormFields) =>
  !isDateInput(endDate) ? '9' : isAllDay ? `${daysLater(endDate, 1)}T${DAY_START}` : `${endDate}T${endTime}`;

export const isRangeValid = (fields: EventFormFields) =>
  getEnd(fields) > `${fields.startDate}T${fields.isAllDay ? DAY_START : fields.startTime}`;

export const hasDates = ({ startDate, startTime, endDate, endTime, isAllDay }: EventFormFields) =>
  [startDate, endDate].every(isDateInput) && (isAllDay || [startTime, endTime].every(Boolean));

const MINUTE = 60_000;
const USUAL_LENGTH = 120 * MINUTE;

const onPaper = (date: string, time: string) => Date.parse(`${date}T${time || DAY_START}Z`);

type Dates = Pick<EventFormFields, 'startDate' | 'startTime' | 'endDate' | 'endTime' | 'isAllDay'>;

/**
 * Returns the event's length in milliseconds. Without an end, this is `USUAL_LENGTH`. Returns null if a date
 * is missing or the end is before the start.
 */
export function getDuration({ startDate, startTime, endDate, endTime }: Dates): number | null {
  if (!endDate && !endTime) return USUAL_LENGTH;
  const length = onPaper(endDate, endTime) - onPaper(startDate, startTime);
  return length >= 0 ? length : null;
}

export function endAfter(
  { startDate, startTime, isAllDay }: Dates,
  length: number,
): Partial<Pick<EventFormFields, 'endDate' | 'endTime'>> {
  if (!startDate) return {};
  if (!isAllDay && !startTime) return length === USUAL_LENGTH ? { endDate: startDate } : {};
  const end = new Date(onPaper(startDate, isAllDay ? '' : startTime) + length);
  if (Number.isNaN(end.getTime())) return {};
  const [date = '', time = ''] = end.toISOString().split('T');
  return isAllDay ? { endDate: date } : { endDate: date, endTime: time.slice(0, 5) };
}

/**
 * Converts local times to UTC. An invalid time becomes '', which the server refuses. A new time zone doesn't
 * change the local times. An unchanged time is sent exactly as in `opened`, because inputs drop its seconds.
 */
export function toPayload(fields: EventFormFields, communityZone: string, opened?: EventPage): EventPayload {
  const before = opened && toFormFields(communityZone, opened);
  const timeZone = getZone(fields, { timeZone: communityZone });
  const isSameClock = opened && getZone(opened, { timeZone: communityZone }) === timeZone;
  const untouched = (...names: (keyof EventFormFields)[]) =>
    before !== undefined && names.every((name) => before[name] === fields[name]);
  const moment = (given: string) => toTimestamp(given, timeZone);
  const sentMoment = (end: 'start' | 'end') => {
    const [date, time] = [`${end}Date`, `${end}Time`] as const;
    if (opened && isSameClock && untouched(date, time, 'isAllDay')) return opened[date];
    if (!fields.isAllDay) return moment(`${fields[date]}T${fields[time]}`);
    const day = end === 'end' ? daysLater(fields.endDate, 1) : fields.startDate;
    return moment(`${day}T${DAY_START}`);
  };
  const optionalMoment = (name: 'registrationOpensAt' | 'registrationClosesAt' | 'publishAt') => {
    if (opened && isSameClock && untouched(name)) return opened[name];
    return fields[name] ? moment(fields[name]) : null;
  };
  const orNull = (given: string) => given.trim() || null;
  const remote = fields.format !== 'in_person';
  const atVenue =
    fields.format !== 'online' &&
    fields.location.trim() !== '' &&
    [fields.venueAddress, fields.venueNote, fields.venueMapUrl].some((given) => given.trim() !== '');
  return {
    title: fields.title.trim(),
    description: orNull(fields.description),
    startDate: sentMoment('start'),
    endDate: sentMoment('end'),
    isAllDay: fields.isAllDay,
    registrationOpensAt: optionalMoment('registrationOpensAt'),
    registrationClosesAt: optionalMoment('registrationClosesAt'),
    format: fields.format,
    ...(atVenue
      ? {
          venue: {
            name: fields.location.trim(),
            address: orNull(fields.venueAddress),
            note: orNull(fields.venueNote),
            mapUrl: orNull(fields.venueMapUrl),
          },
        }
      : { location: fields.location.trim() || null, ...(opened?.content?.venue && { venue: null }) }),
    descriptionFormat: opened && untouched('description') ? opened.descriptionFormat : 'markdown',
    ...eachText((name) => orNull(fields[name])),
    ...(!remote && { onlineUrl: null, onlineNote: null }),
    ...(fields.isFree && { paymentNote: null }),
    hosts: fields.hosts.map(({ id }) => id),
    coHosts: fields.hosts.filter(({ manages }) => manages).map(({ id }) => id),
    agenda: fields.agenda.map(({ startsAt, endsAt, title, note }) => ({
      startsAt: moment(startsAt),
      endsAt: endsAt ? moment(endsAt) : null,
      title: title.trim(),
      note: orNull(note),
    })),
    speakers: fields.speakers.map(({ name, role, bio, linkUrl, userId }) => ({
      ...(userId ? { userId } : { name: name.trim(), linkUrl: orNull(linkUrl) }),
      role: orNull(role),
      bio: orNull(bio),
    })),
    resources: fields.resources.map(({ title, url }) => ({ title: title.trim(), url: url.trim() })),
    questions: fields.questions.map(({ label, options, ...question }) => ({
      ...question,
      label: label.trim(),
      options: question.kind === 'choice' ? optionsIn(options) : [],
    })),
    topics: fields.topics,
    bannerImageUrl: fields.bannerImageUrl,
    coverPattern: fields.coverPattern,
    coverSquare: fields.coverSquare,
    coverWide: fields.coverWide,
    price: (!fields.isFree && readNumber(fields.price)) || null,
    capacity: Number(readNumber(fields.capacity)) || null,
    waitlistEnabled: fields.waitlistEnabled,
    visibility: fields.visibility,
    ...((!opened || opened.status === 'draft') && { publishAt: optionalMoment('publishAt') }),
  };
}

/** By default, registered people get an email about changes of these fields. The server has the same list. */
const TOLD = eventFields(({ told }) => told !== null && told !== 'details');

const formatLocation = ({ venue, location }: EventPayload) => (venue ? venueLine(venue) : location);

const getShownValue = (payload: EventPayload, name: (typeof TOLD)[number]) =>
  name === 'location' || name === 'venue'
    ? formatLocation(payload)
    : name === 'price'
      ? Number(payload.price ?? 0)
      : payload[name];

export const isTold = (payload: EventPayload, before: EventPayload): boolean =>
  TOLD.some((name) => getShownValue(payload, name) !== getShownValue(before, name));
