import { Transform, Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { type CoverCrop, MAX_ZOOM } from './cover-crop.js';
import { PATTERNS } from './cover-pattern.js';
import { EVENT_PAGE_DEFAULTS, EventContentFields, type EventPage } from './event-content.js';
import {
  DESCRIPTION_FORMATS,
  type DescriptionFormat,
  EVENT_FORMATS,
  EVENT_STATUSES,
  EVENT_VISIBILITIES,
  EventIdRequest,
  type Event,
  type EventFormat,
  type EventVisibility,
} from './events.js';
import { LIMITS } from './limits.js';
import { defineMessage } from './message.js';
import { PictureChange } from './pictures.js';
import {
  About,
  ADDRESS_TOKEN,
  EmptyAsNull,
  IsEventSlug,
  IsFilled,
  IsId,
  IsMoment,
  IsVersion,
  IsZone,
  MarkdownText,
  ObjectOf,
  PlainText,
  SingleLine,
  changesOf,
} from './validation.js';

/** Of a position: more than any screen shows, and few enough that what is stored has a greatest length. */
const DECIMALS = 4;

const Within =
  (min: number, max: number): PropertyDecorator =>
  (target, name) => {
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'number' ? Number(value.toFixed(DECIMALS)) : value,
    )(target, name as string);
    IsNumber({}, { message: '$property must be a number' })(target, name as string);
    Min(min)(target, name as string);
    Max(max)(target, name as string);
  };

/** Which part of the event's picture is shown in one shape. */
export class CoverCropFields implements CoverCrop {
  @About('How much of the way it has gone to the right', 0.5)
  @Within(0, 1)
  x!: number;

  @About('How much of the way it has gone down', 0.5)
  @Within(0, 1)
  y!: number;

  @About('How many times it is enlarged', 1)
  @Within(1, MAX_ZOOM)
  zoom!: number;
}

/**
 * The fields of an event that lists show, too, each with its rules; EVENT_FIELDS has what else each is. The gateway turns the banner's data
 * URL into a PictureChange.
 */
export class EventFields extends EventContentFields {
  @About('What the event is called', 'SEO breakfast')
  @SingleLine(LIMITS.title)
  @MaxLength(LIMITS.title, { message: 'Title is too long' })
  @IsFilled('Title is required')
  title!: string;

  @About(
    'What happens there, as typed: text or Markdown, by `descriptionFormat`',
    'Coffee and three short talks',
  )
  @EmptyAsNull()
  @MarkdownText(LIMITS.description, (event) => (event as EventFields).descriptionFormat === 'markdown')
  description: string | null = null;

  @About('How the description is written; plain where it is left out', 'markdown')
  @IsOptional()
  @IsIn(DESCRIPTION_FORMATS)
  descriptionFormat?: DescriptionFormat;

  @About('When it begins', '2030-05-01T08:00:00.000Z')
  @IsMoment()
  startDate!: string;

  @About('When it ends: after it begins (DATE_RANGE_INVALID)', '2030-05-01T10:00:00.000Z')
  @IsMoment()
  endDate!: string;

  @About('Where people meet, in one line', 'Granary Hall, Leeds')
  @EmptyAsNull()
  @SingleLine(LIMITS.location)
  location: string | null = null;

  @About('Where people take part; in person where it is left out', 'hybrid')
  @IsOptional()
  @IsIn(EVENT_FORMATS)
  format?: EventFormat;

  @About("A decimal in the community's currency; 0, '' and null are free", '12.50')
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'number' ? String(value) : value === '' || value === undefined ? null : value,
  )
  @ValidateIf((_, value) => value !== null)
  @Matches(/^(\d{1,7}(\.\d{1,2})?)?$/, {
    message: 'price must be 0 or more, with at most 2 decimals',
    context: { rule: 'isPrice' },
  })
  @ValidateBy({
    name: 'isPayable',
    constraints: [LIMITS.priceMax],
    validator: {
      validate: (value) => !(Number(value) > LIMITS.priceMax),
      defaultMessage: () => `price must be at most ${LIMITS.priceMax}`,
    },
  })
  price: string | null = null;

  @About('How one pays; null: as the community says', 'Card at the door')
  @EmptyAsNull()
  @SingleLine(LIMITS.paymentNote)
  paymentNote?: string | null = null;

  @About('How many places there are; null: no limit', 60)
  @EmptyAsNull()
  @IsInt({ message: 'capacity must be a whole number' })
  @Min(1, { message: 'capacity must be at least 1' })
  @Max(LIMITS.capacityMax)
  capacity: number | null = null;

  @About(
    'The pattern that stands for a picture; null: one that follows from its id. None beside a picture',
    3,
  )
  @EmptyAsNull()
  @IsInt({ message: 'coverPattern must be a whole number' })
  @Min(1)
  @Max(PATTERNS)
  coverPattern?: number | null = null;

  @About("The part of the picture that the page's column and mails show; null: the middle")
  @IsOptional()
  @ObjectOf(CoverCropFields)
  coverSquare?: CoverCrop | null;

  @About('The part that is shown where the event is shared, and 1.91 times as wide as high; null: the middle')
  @IsOptional()
  @ObjectOf(CoverCropFields)
  coverWide?: CoverCrop | null;

  @About('Whether it lasts whole days, without hours', false)
  @IsOptional()
  @IsBoolean()
  isAllDay?: boolean;

  @About(
    "The zone of its place, by its IANA name; null: the community's. Moments stay where they are when it changes alone",
    'America/New_York',
  )
  @EmptyAsNull()
  @IsZone()
  timeZone?: string | null = null;

  @About('Whether a full event has a waiting list; it has where it is left out', true)
  @IsOptional()
  @IsBoolean()
  waitlistEnabled?: boolean;

  @About('Who finds it: everybody, or people who have its address; public where it is left out', 'unlisted')
  @IsOptional()
  @IsIn(EVENT_VISIBILITIES)
  visibility?: EventVisibility;

  @About(
    'From when one can register, before `registrationClosesAt`; null: from publishing on',
    '2030-04-01T08:00:00.000Z',
  )
  @EmptyAsNull()
  @IsMoment()
  registrationOpensAt?: string | null = null;

  @About('Until when one can register, not after its end; null: until it starts', '2030-04-30T18:00:00.000Z')
  @EmptyAsNull()
  @IsMoment()
  registrationClosesAt?: string | null = null;

  @About('When a draft publishes itself: before its end; null: by hand', null)
  @EmptyAsNull()
  @IsMoment()
  publishAt?: string | null = null;
}

/**
 * What of a cover contradicts itself, by the names of the fields.
 * @param hasPicture undefined where that is not known
 */
export function coverProblems(
  given: Pick<Partial<EventFields>, 'coverPattern' | 'coverSquare' | 'coverWide'>,
  hasPicture: boolean | undefined,
): [field: string, problem: string][] {
  const problems: [string, string][] = [];
  if (hasPicture === true && given.coverPattern != null)
    problems.push(['coverPattern', 'must be null beside a picture']);
  for (const field of ['coverSquare', 'coverWide'] as const)
    if (hasPicture === false && given[field] != null)
      problems.push([field, 'must be null without a picture']);
  return problems;
}

/** How an event begins. */
const FIRST_STATUSES = [EVENT_STATUSES[0], EVENT_STATUSES[1]] as const;

export class NewEventFields extends EventFields {
  /** Absent: published. */
  @IsOptional()
  @IsIn(FIRST_STATUSES)
  status?: (typeof FIRST_STATUSES)[number];

  /** Whether those who follow its topics are mailed once it is published; of a draft that has `publishAt`. Absent: they are not. */
  @IsOptional()
  @IsBoolean()
  announce?: boolean;
}

const EDIT_SCOPES = ['this', 'later'] as const;

/** A changed event, as the form sends it. */
export class EventChangeFields extends changesOf(EventFields) {
  /** What the change began from: refused (EDIT_CONFLICT) when there is a newer one. Left out: the last one wins. */
  @IsVersion()
  version?: number;

  /** Whether a draft that has `publishAt` is announced then. */
  @IsOptional()
  @IsBoolean()
  announce?: boolean;

  /** Whether those who are registered are mailed. Absent: when title, time, place, format, price or joining link changed. */
  @IsOptional()
  @IsBoolean()
  notify?: boolean;

  /** For that mail. */
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  note?: string | null = null;

  /** `later`: the same change of the later events of its series, as far as they are not cancelled. Absent: this one alone. */
  @IsOptional()
  @IsIn(EDIT_SCOPES)
  scope?: (typeof EDIT_SCOPES)[number];

  /**
   * Required with `waitlistEnabled: false` while people wait (else WAITLIST_NOT_EMPTY). `promote` gives each of them a place and raises
   * the capacity where it is too small, until the event starts (then REGISTRATION_CLOSED); `dismiss` ends their waiting and mails them.
   */
  @IsOptional()
  @IsIn(['promote', 'dismiss'])
  waitlistOff?: 'promote' | 'dismiss';
}

export class CreateEventRequest extends NewEventFields {
  /** Made by the gateway: the same request under the same id makes one event, however often it comes. */
  @IsOptional()
  @IsId()
  id?: string;

  @ValidateNested()
  @Type(() => PictureChange)
  banner!: PictureChange;
}

export const CreateEvent = defineMessage({
  service: 'events',
  name: 'events.create',
  access: 'organiser',
  defaults: EVENT_PAGE_DEFAULTS,
  request: CreateEventRequest,
})<EventPage>();

export class UpdateEventRequest extends EventChangeFields {
  @ValidateNested()
  @Type(() => PictureChange)
  banner!: PictureChange;

  @IsId()
  eventId!: string;
}

/** WAITLIST_NOT_EMPTY; CAPACITY_BELOW_REGISTERED when more people are registered than the new capacity. */
export const UpdateEvent = defineMessage({
  service: 'events',
  name: 'events.update',
  access: 'manager',
  defaults: EVENT_PAGE_DEFAULTS,
  request: UpdateEventRequest,
})<EventPage>();

/** The address of an event as its organisers write it. */
export class EventSlugFields {
  @IsEventSlug()
  slug!: string;
}

export class ChangeEventSlugRequest extends EventIdRequest {
  @IsEventSlug()
  slug!: string;
}

/**
 * Gives a published event another address; the earlier ones lead to it. That of an unlisted event gets an ending of 8 random characters
 * unless it keeps the present one. SLUG_TAKEN, EVENT_NOT_PUBLISHED.
 */
export const ChangeEventSlug = defineMessage({
  service: 'events',
  name: 'events.changeSlug',
  access: 'manager',
  defaults: EVENT_PAGE_DEFAULTS,
  request: ChangeEventSlugRequest,
})<EventPage>();

export class PublishEventRequest extends EventIdRequest {
  @IsVersion()
  version?: number;

  /** Whether those who follow its topics are mailed. Absent: as the draft says. */
  @IsOptional()
  @IsBoolean()
  announce?: boolean;
}

/** A draft becomes visible; an event that is published stays so. EDIT_CONFLICT, EVENT_CANCELLED. */
export const PublishEvent = defineMessage({
  service: 'events',
  name: 'events.publish',
  access: 'manager',
  defaults: EVENT_PAGE_DEFAULTS,
  request: PublishEventRequest,
})<EventPage>();

export class CancelEventRequest extends EventIdRequest {
  @IsVersion()
  version?: number;

  /** For everybody who is registered or waits, and for the event's page. */
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  reason?: string | null = null;
}

/** For good; a cancelled event stays as it is. EDIT_CONFLICT, EVENT_IS_DRAFT. */
export const CancelEvent = defineMessage({
  service: 'events',
  name: 'events.cancel',
  access: 'manager',
  defaults: EVENT_PAGE_DEFAULTS,
  request: CancelEventRequest,
})<EventPage>();

const SERIES_STEPS = ['week', 'two-weeks', 'month'] as const;
export type SeriesStep = (typeof SERIES_STEPS)[number];
const SERIES_LENGTH = { least: 2, most: 12 };

export class SeriesFields {
  /** `month`: on the same nth weekday, or the last one if the event is on a last one. */
  @IsIn(SERIES_STEPS)
  every!: SeriesStep;

  /** This event included. */
  @IsInt()
  @Min(SERIES_LENGTH.least)
  @Max(SERIES_LENGTH.most)
  count!: number;
}

export class MakeSeriesRequest extends SeriesFields {
  @IsId()
  eventId!: string;
}

/** Makes drafts like the event, at the same time on the clocks of its place. EVENT_CANCELLED, SERIES_EXISTS. */
export const MakeSeries = defineMessage({
  service: 'events',
  name: 'events.makeSeries',
  access: 'manager',
  request: MakeSeriesRequest,
})<Event[]>();

/** The secret address of a draft: people who have it see the draft. The organiser is shown it once, when it is made. */
export interface EventPreview {
  token: string;
  createdAt: string;
}

/** Replaces the event's earlier one. */
export const CreateEventPreview = defineMessage({
  service: 'events',
  name: 'events.createPreview',
  access: 'manager',
  request: EventIdRequest,
})<EventPreview>();

export const RevokeEventPreview = defineMessage({
  service: 'events',
  name: 'events.revokePreview',
  access: 'manager',
  request: EventIdRequest,
})<void>();

export class EventPreviewRequest {
  @Matches(ADDRESS_TOKEN)
  token!: string;
}

/** EVENT_NOT_FOUND when the token was replaced or revoked. */
export const GetEventPreview = defineMessage({
  service: 'events',
  name: 'events.getPreview',
  access: 'public',
  defaults: EVENT_PAGE_DEFAULTS,
  request: EventPreviewRequest,
})<EventPage>();

/** Deletes the event and every registration for it. */
export const DeleteEvent = defineMessage({
  service: 'events',
  name: 'events.delete',
  access: 'manager',
  request: EventIdRequest,
})<void>();
