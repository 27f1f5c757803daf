import { Transform } from 'class-transformer';
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
} from 'class-validator';
import { type CoverCrop, MAX_ZOOM } from './cover-crop.js';
import { PATTERNS } from './cover-pattern.js';
import { LIMITS } from '../limits.js';
import { HAS_OWN_ID, QuestionFields } from './questions.js';
import {
  About,
  EmptyAsNull,
  IfGiven,
  IsFilled,
  IsHttpsUrl,
  IsId,
  IsMoment,
  IsWebUrl,
  IsZone,
  ListOf,
  ListOfIds,
  MarkdownText,
  ObjectOf,
  PlainText,
  SingleLine,
} from '../validation.js';

/** From schema.org, EventAttendanceModeEnumeration. */
export const EVENT_FORMATS = ['in_person', 'online', 'hybrid'] as const;
export type EventFormat = (typeof EVENT_FORMATS)[number];

/**
 * Only drafts can be published, and only published events can be cancelled. No other change of the status is
 * possible.
 */
export const EVENT_STATUSES = ['draft', 'published', 'cancelled'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** Unlisted events appear in no list, feed or sitemap. Anyone with the link can see them and register. */
export const EVENT_VISIBILITIES = ['public', 'unlisted'] as const;
export type EventVisibility = (typeof EVENT_VISIBILITIES)[number];

/** `markdown` supports bold, italic, links, lists and headings. Texts are stored and returned as entered. */
export const DESCRIPTION_FORMATS = ['plain', 'markdown'] as const;
export type DescriptionFormat = (typeof DESCRIPTION_FORMATS)[number];

export class Venue {
  @About('Name of the venue', 'Granary Hall')
  @SingleLine(LIMITS.venueName)
  @IsFilled('name is required')
  name!: string;

  @About('Postal address in one line', '12 Granary Wharf, Leeds')
  @EmptyAsNull()
  @SingleLine(LIMITS.location)
  address: string | null = null;

  @About('How to find the door')
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  note: string | null = null;

  @About('URL of a map. null: a search for the venue')
  @EmptyAsNull()
  @IsWebUrl(LIMITS.url)
  mapUrl: string | null = null;
}

export class AgendaItem {
  @About('Start, during the event', '2030-05-01T08:15:00.000Z')
  @IsMoment()
  startsAt!: string;

  @About('End, not before `startsAt` or after the end of the event', '2030-05-01T08:45:00.000Z')
  @EmptyAsNull()
  @IsMoment()
  endsAt: string | null = null;

  @About('Title of the item', 'Welcome')
  @SingleLine(LIMITS.agendaTitle)
  @IsFilled('title is required')
  title!: string;

  @About('Plain text')
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  note: string | null = null;
}

export class EventResource {
  @About('Text of the link', 'Slides')
  @SingleLine(LIMITS.agendaTitle)
  @IsFilled('title is required')
  title!: string;

  @About('https URL', 'https://slides.example.org/seo')
  @IsHttpsUrl(LIMITS.url)
  url!: string;
}

/** Either `name` or `userId`. The name and links of members come from their accounts. */
export class SpeakerFields {
  @About('Name of a speaker without an account. Give `name` or `userId`', 'Ada Lovelace')
  @EmptyAsNull()
  @SingleLine(LIMITS.name)
  name?: string | null = null;

  @About('What the speaker does', 'Head of Search')
  @EmptyAsNull()
  @SingleLine(LIMITS.agendaTitle)
  role?: string | null = null;

  @About('About the speaker, plain text')
  @EmptyAsNull()
  @PlainText(LIMITS.bio)
  bio?: string | null = null;

  @About('URL of a website or profile')
  @EmptyAsNull()
  @IsWebUrl(LIMITS.url)
  linkUrl?: string | null = null;

  @About('ID of a member. Name and photo are those of the account')
  @EmptyAsNull()
  @IsId()
  userId?: string | null = null;
}

const IS_NAMED = {
  holds: ({ name, userId }: SpeakerFields) => (name ?? userId ?? null) !== null,
  otherwise: 'needs a name or a userId',
};

/** Null and [] remove a value. */
export class EventContentFields {
  @About(
    'Where people meet. Sets `location` if you leave that out. Changing `location` alone removes the venue',
  )
  @IsOptional()
  @ObjectOf(Venue)
  venue?: Venue | null;

  @About(
    'Joining link. Only people who are registered and people who manage the event can see it',
    'https://meet.example.org/seo',
  )
  @EmptyAsNull()
  @IsHttpsUrl(LIMITS.url)
  onlineUrl?: string | null = null;

  @About('How to join, such as a passcode. Visible like `onlineUrl`', 'Passcode 4711')
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  onlineNote?: string | null = null;

  @About('Accessibility of the venue', 'Step-free entrance, induction loop')
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  accessibility?: string | null = null;

  @About('IDs of members. Each is shown once they agree')
  @IsOptional()
  @ListOfIds(LIMITS.hosts)
  hosts?: string[] | null;

  @About('IDs of those `hosts` who also manage the event once they agree')
  @IsOptional()
  @ListOfIds(LIMITS.hosts)
  coHosts?: string[] | null;

  @About('IDs of topics, up to 3')
  @IsOptional()
  @ListOfIds(LIMITS.eventTopics)
  topics?: string[] | null;

  @About('The programme, sorted by start')
  @IsOptional()
  @ListOf(AgendaItem, LIMITS.agenda)
  agenda?: AgendaItem[] | null;

  @About('Speakers. Members are shown once they agree')
  @IsOptional()
  @ListOf(SpeakerFields, LIMITS.speakers, IS_NAMED)
  speakers?: SpeakerFields[] | null;

  @About('Links to slides, recordings and so on. Can be changed after the event and if it is cancelled')
  @IsOptional()
  @ListOf(EventResource, LIMITS.resources)
  resources?: EventResource[] | null;

  @About(
    'Recap of the event, in Markdown. Can be changed after the event and if it is cancelled',
    'Thank you all for coming',
  )
  @EmptyAsNull()
  @MarkdownText(LIMITS.description)
  recap?: string | null = null;

  @About(
    'Questions for people who register, in this order. A question that someone has answered keeps its kind and options (otherwise 409 `QUESTION_ANSWERED`)',
  )
  @IsOptional()
  @ListOf(QuestionFields, LIMITS.questions, HAS_OWN_ID)
  questions?: QuestionFields[] | null;
}

type ContentLists = 'hosts' | 'coHosts' | 'topics' | 'agenda' | 'speakers' | 'resources' | 'questions';
export type ContentValue = Required<Omit<EventContentFields, ContentLists>>;

/** Decimal places of a crop's numbers: precise enough for any screen, and short to store. */
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

export class CoverCropFields implements CoverCrop {
  @About('Horizontal position: 0 is left, 1 is right', 0.5)
  @Within(0, 1)
  x!: number;

  @About('Vertical position: 0 is top, 1 is bottom', 0.5)
  @Within(0, 1)
  y!: number;

  @About('Enlargement', 1)
  @Within(1, MAX_ZOOM)
  zoom!: number;
}

/** See also EVENT_FIELDS. The gateway converts the banner's data URL to a PictureChange. */
export class EventFields extends EventContentFields {
  @About('Title of the event', 'SEO breakfast')
  @SingleLine(LIMITS.title)
  @MaxLength(LIMITS.title, { message: 'Title is too long' })
  @IsFilled('Title is required')
  title!: string;

  @About('Plain text or Markdown, by `descriptionFormat`', 'Coffee and three short talks')
  @EmptyAsNull()
  @MarkdownText(LIMITS.description, (event) => (event as EventFields).descriptionFormat === 'markdown')
  description: string | null = null;

  @About('Format of `description`. Default: `plain`', 'markdown')
  @IfGiven()
  @IsIn(DESCRIPTION_FORMATS)
  descriptionFormat?: DescriptionFormat;

  @About('Start', '2030-05-01T08:00:00.000Z')
  @IsMoment()
  startDate!: string;

  @About('End, after the start (otherwise `DATE_RANGE_INVALID`)', '2030-05-01T10:00:00.000Z')
  @IsMoment()
  endDate!: string;

  @About('Where people meet, in one line', 'Granary Hall, Leeds')
  @EmptyAsNull()
  @SingleLine(LIMITS.location)
  location: string | null = null;

  @About('How people take part. Default: `in_person`', 'hybrid')
  @IfGiven()
  @IsIn(EVENT_FORMATS)
  format?: EventFormat;

  @About("Decimal in the community's currency. 0, '' and null mean free", '12.50')
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

  @About('How to pay. null: the default of the community', 'Card at the door')
  @EmptyAsNull()
  @SingleLine(LIMITS.paymentNote)
  paymentNote?: string | null = null;

  @About('Number of places. null: no limit', 60)
  @EmptyAsNull()
  @IsInt({ message: 'capacity must be a whole number' })
  @Min(1, { message: 'capacity must be at least 1' })
  @Max(LIMITS.capacityMax)
  capacity: number | null = null;

  @About(
    'Number of the pattern shown if there is no image. null: chosen by the ID of the event. Must be null if there is an image',
    3,
  )
  @EmptyAsNull()
  @IsInt({ message: 'coverPattern must be a whole number' })
  @Min(1)
  @Max(PATTERNS)
  coverPattern?: number | null = null;

  @About('Square part of the image, for the page and emails. null: the middle')
  @IsOptional()
  @ObjectOf(CoverCropFields)
  coverSquare?: CoverCrop | null;

  @About('Part of the image for cards and sharing, 1.91 : 1. null: the middle')
  @IsOptional()
  @ObjectOf(CoverCropFields)
  coverWide?: CoverCrop | null;

  @About('Whether the event lasts whole days', false)
  @IfGiven()
  @IsBoolean()
  isAllDay?: boolean;

  @About(
    "IANA time zone of the venue. null: the community's. Changing it doesn't move `startDate` and `endDate`",
    'America/New_York',
  )
  @EmptyAsNull()
  @IsZone()
  timeZone?: string | null = null;

  @About('Whether people can join a waiting list if the event is full. Default: false', true)
  @IfGiven()
  @IsBoolean()
  waitlistEnabled?: boolean;

  @About('`public`: listed. `unlisted`: anyone with the link. Default: `public`', 'unlisted')
  @IfGiven()
  @IsIn(EVENT_VISIBILITIES)
  visibility?: EventVisibility;

  @About(
    'When registration opens, before `registrationClosesAt`. null: when the event is published',
    '2030-04-01T08:00:00.000Z',
  )
  @EmptyAsNull()
  @IsMoment()
  registrationOpensAt?: string | null = null;

  @About(
    'When registration closes. Must not be after the end of the event. Registration closes at the start at the latest. null: at the start',
    '2030-04-30T18:00:00.000Z',
  )
  @EmptyAsNull()
  @IsMoment()
  registrationClosesAt?: string | null = null;

  @About('When to publish a draft, before its end. null: not automatically', null)
  @EmptyAsNull()
  @IsMoment()
  publishAt?: string | null = null;
}

/** @param hasPicture undefined if unknown */
export function coverProblems(
  given: Pick<Partial<EventFields>, 'coverPattern' | 'coverSquare' | 'coverWide'>,
  hasPicture: boolean | undefined,
): [field: string, problem: string][] {
  const problems: [string, string][] = [];
  if (hasPicture === true && given.coverPattern != null)
    problems.push(['coverPattern', 'must be null if there is an image']);
  for (const field of ['coverSquare', 'coverWide'] as const)
    if (hasPicture === false && given[field] != null)
      problems.push([field, 'must be null if there is no image']);
  return problems;
}

export type ListedEventFields = Required<Omit<EventFields, keyof EventContentFields>>;
