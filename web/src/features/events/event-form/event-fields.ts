import type {
  CoHostState,
  CoverCrop,
  EventFormat,
  EventPage,
  EventVisibility,
  QuestionKind,
} from '@meetmark/contracts';
import { CONTENT_TEXTS, type ContentText, eventFields } from '@meetmark/contracts/event-fields';
import { LIMITS } from '@meetmark/contracts/limits';
import { eventFormText as text } from '@meetmark/contracts/texts/event-form';
import { questionsText } from '@meetmark/contracts/texts/questions';
import { venueLine } from '@meetmark/contracts/venue';
import { zoneOf } from '@meetmark/contracts/zones';
import { isFree } from '../../../ui/price';
import type { FieldErrors } from '../../../ui/use-form';
import { wallClock } from '../../../ui/wall-clock';
import { daysLater, momentAt, momentOfInput } from '../../../ui/zoned-time';
import type { EventPayload } from '../shared/events.api';

/** A member who hosts the event, and perhaps manages it. */
export interface ChosenHost {
  id: string;
  name: string;
  /** Whether the form asks the member to manage the event. */
  manages: boolean;
  /** What the server has; absent until a save has named the member. */
  saved?: { agreed: boolean; coHost?: CoHostState };
}

type TextField = ContentText | 'paymentNote' | 'timeZone';
/** What is typed and sent as it is. */
const TEXTS: TextField[] = [...CONTENT_TEXTS, 'paymentNote', 'timeZone'];

const eachText = <T>(valueOf: (name: TextField) => T) =>
  Object.fromEntries(TEXTS.map((name) => [name, valueOf(name)])) as Record<TextField, T>;

/** The text of the form's inputs, on the clock of the event's place: its own `timeZone`, or the community's while that is empty. */
export interface EventFormFields extends Record<TextField, string> {
  title: string;
  description: string;
  startDate: string;
  startTime: string;
  endDate: string;
  endTime: string;
  isAllDay: boolean;
  /** '2026-11-21T09:00', or empty. */
  registrationOpensAt: string;
  registrationClosesAt: string;
  format: EventFormat;
  location: string;
  capacity: string;
  waitlistEnabled: boolean;
  bannerImageUrl: string | null;
  /** From 1; none beside a picture. */
  coverPattern: number | null;
  /** Null: the middle. */
  coverSquare: CoverCrop | null;
  coverWide: CoverCrop | null;
  isFree: boolean;
  price: string;
  venueAddress: string;
  venueNote: string;
  venueMapUrl: string;
  hosts: ChosenHost[];
  /** Moments as of `registrationOpensAt`. */
  agenda: { startsAt: string; endsAt: string; title: string; note: string }[];
  /** `userId` of members only. */
  speakers: { name: string; role: string; bio: string; linkUrl: string; userId: string }[];
  resources: { title: string; url: string }[];
  /** Ids of the community's. */
  topics: string[];
  /** The questions to people who register. A choice has one option in each line of `options`. */
  questions: { id?: string; kind: QuestionKind; label: string; required: boolean; options: string }[];
  visibility: EventVisibility;
  /** The moment at which a draft publishes itself. */
  publishAt: string;
}

export type EventFormErrors = FieldErrors<EventFormFields>;

const DAY_START = '00:00';

/**
 * The fields of an event that is edited, or the empty ones of a new event.
 * @param communityZone as everywhere here, that of an event without one of its own
 */
export function fieldsOf(communityZone: string, event?: EventPage): EventFormFields {
  const timeZone = zoneOf(event ?? {}, { timeZone: communityZone });
  const input = (moment: string | null) => {
    if (moment === null) return '';
    const { date, time } = wallClock(moment, timeZone);
    return `${date}T${time}`;
  };
  const start = event && wallClock(event.startDate, timeZone);
  // Whole days end at the midnight after the last.
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
    hosts: (content?.hosts ?? []).map(({ id, firstName, lastName, agreed, coHost }) => ({
      id,
      name: `${firstName} ${lastName}`,
      manages: coHost !== undefined,
      saved: { agreed, coHost },
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
    waitlistEnabled: event?.waitlistEnabled ?? true,
    bannerImageUrl: event?.bannerImageUrl ?? null,
    coverPattern: event?.coverPattern ?? null,
    coverSquare: event?.coverSquare ?? null,
    coverWide: event?.coverWide ?? null,
    isFree: isFree(event?.price ?? null),
    price: event?.price ?? '',
    visibility: event?.visibility ?? 'public',
    publishAt: input(event?.publishAt ?? null),
  };
}

/** The fields of a new event like another one: no dates. */
export const copyOf = (timeZone: string, event: EventPage): EventFormFields => ({
  ...fieldsOf(timeZone, event),
  hosts: fieldsOf(timeZone, event).hosts.map(({ saved: _, ...host }) => host),
  title: text.copyOf({ title: event.title }).slice(0, LIMITS.title),
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

/** The error of each field; empty when all are valid. */
export function eventFormErrors(fields: EventFormFields): EventFormErrors {
  const errors: EventFormErrors = {};
  if (!fields.title.trim()) errors.title = text.titleRequired;
  else if (fields.title.trim().length > LIMITS.title) errors.title = text.titleTooLong;
  if (!fields.startDate) errors.startDate = text.startDateRequired;
  if (!fields.startTime && !fields.isAllDay) errors.startTime = text.startTimeRequired;
  if (!fields.endDate) errors.endDate = text.endDateRequired;
  if (!fields.endTime && !fields.isAllDay) errors.endTime = text.endTimeRequired;
  if (fields.capacity && !/^[1-9]\d*$/.test(fields.capacity)) errors.capacity = text.capacityInvalid;
  if (!fields.isFree && fields.price && !/^\d+(\.\d{1,2})?$/.test(fields.price))
    errors.price = text.priceInvalid;
  if (fields.format !== 'in_person' && fields.onlineUrl && !isHttps(fields.onlineUrl))
    errors.onlineUrl = text.onlineUrlInvalid;
  if (fields.venueMapUrl && !URL.canParse(fields.venueMapUrl)) errors.venueMapUrl = text.urlInvalid;
  if (fields.agenda.some(({ startsAt, title }) => !startsAt || !title.trim()))
    errors.agenda = text.agendaIncomplete;
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
  // texts of one form sort as their moments
  if (opens && closes && closes <= opens) errors.registrationClosesAt = text.closesBeforeOpens;
  else if (closes && closes > endOf(fields)) errors.registrationClosesAt = text.closesAfterEnd;
  return errors;
}

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

const endOf = ({ endDate, endTime, isAllDay }: EventFormFields) =>
  !endDate ? '9' : isAllDay ? `${daysLater(endDate, 1)}T${DAY_START}` : `${endDate}T${endTime}`;

/** Whether the end is later than the start; of whole days not earlier. */
export const isRangeValid = (fields: EventFormFields) =>
  endOf(fields) > `${fields.startDate}T${fields.isAllDay ? DAY_START : fields.startTime}`;

/** Whether both ends are filled in. */
export const hasDates = ({ startDate, startTime, endDate, endTime, isAllDay }: EventFormFields) =>
  [startDate, endDate, ...(isAllDay ? [] : [startTime, endTime])].every(Boolean);

const MINUTE = 60_000;
/** Milliseconds that a new event lasts until its end was chosen. */
const USUAL_LENGTH = 120 * MINUTE;

const onPaper = (date: string, time: string) => Date.parse(`${date}T${time || DAY_START}Z`);

type Dates = Pick<EventFormFields, 'startDate' | 'startTime' | 'endDate' | 'endTime' | 'isAllDay'>;

/** Milliseconds between the ends as typed; null when one is missing or they are the wrong way round. */
export function lengthOf({ startDate, startTime, endDate, endTime }: Dates): number | null {
  if (!endDate && !endTime) return USUAL_LENGTH;
  const length = onPaper(endDate, endTime) - onPaper(startDate, startTime);
  return length >= 0 ? length : null;
}

/** The end that follows a new start, so that the event stays as long as it was; nothing while the start is incomplete. */
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
 * The payload: moments in UTC, no price for a free event, null for empty fields. What is typed stays when the time zone is changed, and is
 * meant there. A moment of the `opened` event whose inputs were not touched is sent unchanged: the inputs show whole minutes only.
 */
export function payloadOf(fields: EventFormFields, communityZone: string, opened?: EventPage): EventPayload {
  const before = opened && fieldsOf(communityZone, opened);
  const timeZone = zoneOf(fields, { timeZone: communityZone });
  const isSameClock = opened && zoneOf(opened, { timeZone: communityZone }) === timeZone;
  const untouched = (...names: (keyof EventFormFields)[]) =>
    before !== undefined && names.every((name) => before[name] === fields[name]);
  const sentMoment = (end: 'start' | 'end') => {
    const [date, time] = [`${end}Date`, `${end}Time`] as const;
    if (opened && isSameClock && untouched(date, time, 'isAllDay')) return opened[date];
    if (!fields.isAllDay) return momentAt(fields[date], fields[time], timeZone).toISOString();
    const day = end === 'end' ? daysLater(fields.endDate, 1) : fields.startDate;
    return momentAt(day, DAY_START, timeZone).toISOString();
  };
  const moment = (given: string) => momentOfInput(given, timeZone).toISOString();
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
    // a venue says the line by itself
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
    price: fields.isFree ? null : fields.price || null,
    capacity: fields.capacity ? Number(fields.capacity) : null,
    waitlistEnabled: fields.waitlistEnabled,
    visibility: fields.visibility,
    ...((!opened || opened.status === 'draft') && { publishAt: optionalMoment('publishAt') }),
  };
}

/** What a service of the version before may not know. */
const LEFT_OUT = [...TEXTS, 'coverPattern', 'coverSquare', 'coverWide'] as const;

/**
 * What is sent of a payload: all but what may be unknown, is empty and was so. During an upgrade a service of the version before refuses a
 * field that it does not know.
 */
export function sentOf(payload: EventPayload, opened?: EventPage): Partial<EventPayload> {
  const before: Partial<Record<string, unknown>> = { ...opened, ...opened?.content };
  const isLeftOut = (name: string) =>
    LEFT_OUT.some((field) => field === name && payload[field] === null && (before[field] ?? null) === null);
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !isLeftOut(name)));
}

/** A mail to registered people is about a change of these, unless the organiser decides: the server's rule. */
const TOLD = eventFields(({ told }) => told !== null && told !== 'details');

/** The line of where people meet, without the venue's note and map. */
const placeOf = ({ venue, location }: EventPayload) => (venue ? venueLine(venue) : location);

/** As a mail shows it. */
const shownOf = (payload: EventPayload, name: (typeof TOLD)[number]) =>
  name === 'location' || name === 'venue'
    ? placeOf(payload)
    : name === 'price'
      ? Number(payload.price ?? 0)
      : payload[name];

export const isTold = (payload: EventPayload, before: EventPayload): boolean =>
  TOLD.some((name) => shownOf(payload, name) !== shownOf(before, name));
