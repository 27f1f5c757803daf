import type * as Contract from '@meetmark/contracts';
import {
  About,
  ANNOUNCEMENT_STATES,
  CO_HOST_STATES,
  CONTENT_TEXTS,
  EmptyAsNull,
  EVENT_FORMATS,
  EVENT_ROLES,
  EVENT_STATUSES,
  EventChangeFields,
  EventFields,
  EventSlugFields,
  NewEventFields,
  type EventFormat,
  type EventRoleName,
  type EventStatus,
  GalleryFields,
  GalleryWords,
  IsVersion,
  LIMITS,
  LISTED_FIELDS,
  MAX_ZOOM,
  PlainText,
  QUESTION_KINDS,
  REGISTRATION_ENDINGS,
  SeriesFields,
  REGISTRATION_STATES,
  REGISTRATION_STATUSES,
  type RegistrationState,
  PLACE_SHOWS,
} from '@meetmark/contracts';
import { PATTERNS } from '@meetmark/contracts/cover-pattern';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsBoolean, IsOptional } from 'class-validator';
import {
  ANSWERS,
  COUNT,
  ID,
  ID_OR_NULL,
  MOMENT,
  MOMENT_OR_NULL,
  OR_NULL,
  PICTURE,
  VERSION,
} from '../openapi/answers.js';
import { answeredFields } from '../openapi/request-schema.js';
import { IsPicture } from '../media/pictures.js';
import { Person } from '../users/users.dto.js';

/** POST /api/events. */
export class EventBody extends NewEventFields {
  /** A data URL, the address of the banner of another event, or null. */
  @IsOptional()
  @IsPicture()
  bannerImageUrl?: string | null;
}

/** PUT /api/events/{id}. */
export class EventChangesBody extends EventChangeFields {
  /** A data URL, the present address of the banner, or null. */
  @IsOptional()
  @IsPicture()
  bannerImageUrl?: string | null;
}

/** POST /api/events/{id}/publish. */
export class PublishBody {
  @IsVersion()
  version?: number;

  /** Whether those who follow its topics are mailed. Absent: as the draft says. */
  @IsOptional()
  @IsBoolean()
  announce?: boolean;
}

/** POST /api/events/{id}/cancel. */
export class CancelBody {
  @IsVersion()
  version?: number;

  /** For everybody who is registered or waits, and for the event's page. */
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  reason?: string | null = null;
}

/** PUT /api/events/{id}/slug. */
export class EventSlugBody extends EventSlugFields {}

/** POST /api/events/{id}/gallery. */
export class GalleryPictureBody extends GalleryWords {
  @About('As a data URL')
  @IsPicture()
  picture!: string;
}

/** PUT /api/events/{id}/gallery. */
export class GalleryBody extends GalleryFields {}

/** PUT /api/event-roles/{id}/{role}. */
export class EventRoleBody {
  /** Whether the caller is shown, and manages the event where they are asked to. */
  @IsBoolean()
  agreed!: boolean;
}

/** POST /api/events/{id}/series. */
export class SeriesBody extends SeriesFields {}

@ApiSchema({ description: 'The token is shown once: it follows /events/preview/ in the address' })
export class EventPreview implements Contract.EventPreview {
  @ApiProperty() token!: string;
  @ApiProperty(MOMENT) createdAt!: string;
}

export class Topic implements Contract.Topic {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ description: 'In addresses' }) slug!: string;
  @ApiProperty() name!: string;
}

export class Registration implements Contract.Registration {
  @ApiProperty(ID) id!: string;
  @ApiProperty(ID) userId!: string;
  @ApiProperty(MOMENT_OR_NULL) selectedDate!: string | null;
  @ApiProperty(MOMENT) registeredAt!: string;
  @ApiProperty({ enum: REGISTRATION_STATUSES }) status!: Contract.Registration['status'];
  @ApiProperty({ enum: PLACE_SHOWS, description: 'What others learn of the member' })
  showMe!: Contract.PlaceShows;
  @ApiPropertyOptional({
    ...MOMENT,
    description: 'When the place is lost unless the address is verified before',
  })
  lapsesAt?: string;
  @ApiPropertyOptional({
    ...ANSWERS,
    description: 'To the questions; only in the answer about the event itself',
  })
  answers?: Contract.Answers;
}

/** The caller's own place on a waiting list. */
export class Waiting implements Contract.Waiting {
  @ApiProperty(MOMENT) joinedAt!: string;
  @ApiPropertyOptional({
    ...COUNT,
    description: 'From 1; in the answer about the event itself, among my events and when joining',
  })
  position?: number;
}

const SLUG = { description: 'Its page is /e/{slug}', example: 'seo-breakfast' };

export class FoundEvent implements Contract.FoundEvent {
  @ApiProperty(ID) id!: string;
  @ApiProperty(SLUG) slug!: string;
}

export class RegistrationCount implements Contract.RegistrationCount {
  @ApiProperty(COUNT) count!: number;
}

class CoverCrop implements Contract.CoverCrop {
  @ApiProperty({ minimum: 0, maximum: 1, description: 'How much of the way it has gone to the right' })
  x!: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'How much of the way it has gone down' }) y!: number;
  @ApiProperty({ minimum: 1, maximum: MAX_ZOOM, description: 'How many times it is enlarged' }) zoom!: number;
}
const CROP = { type: CoverCrop, nullable: true } as const;

export class Event
  extends answeredFields<Contract.ListedEventFields>(EventFields, LISTED_FIELDS)
  implements Contract.Event
{
  @ApiProperty(ID) id!: string;
  @ApiProperty({ ...OR_NULL, ...SLUG, description: 'Its page is /e/{slug}; null of a draft' }) slug!:
    | string
    | null;
  @ApiProperty({
    ...PICTURE,
    description: 'The whole picture, at an immutable address on this site, or null',
  })
  bannerImageUrl!: string | null;
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: PATTERNS,
    nullable: true,
    description:
      'The pattern that was chosen; null beside a picture, and where the pattern follows from the id',
  })
  declare coverPattern: number | null;
  @ApiProperty({ ...CROP, description: "The part that the page's column and mails show; null: the middle" })
  declare coverSquare: Contract.CoverCrop | null;
  @ApiProperty({
    ...CROP,
    description: 'The part that is shared, 1.91 times as wide as high; null: the middle',
  })
  declare coverWide: Contract.CoverCrop | null;
  @ApiProperty({ ...OR_NULL, description: "Decimal such as '12.50'; null is free" })
  declare price: string | null;
  @ApiProperty(ID) createdById!: string;
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty(MOMENT) updatedAt!: string;
  @ApiProperty(VERSION) version!: number;
  @ApiProperty({ enum: EVENT_STATUSES }) status!: EventStatus;
  @ApiProperty(MOMENT_OR_NULL) cancelledAt!: string | null;
  @ApiProperty(OR_NULL) cancelReason!: string | null;
  @ApiProperty({ type: [Topic], description: 'What it is about, three at most' }) topics!: Topic[];
  @ApiProperty({ ...ID_OR_NULL, description: 'Events of one series share it' })
  seriesId!: string | null;
  @ApiProperty({ description: 'Whether those who register are asked something' }) hasQuestions!: boolean;
  @ApiProperty(COUNT) registrationCount!: number;
  @ApiProperty(COUNT) waitingCount!: number;
  @ApiProperty({ enum: REGISTRATION_STATES }) registrationState!: RegistrationState;
  @ApiProperty({ type: [Registration], description: "The caller's own place, if any" })
  registrations!: Registration[];
  @ApiProperty({ type: Waiting, nullable: true, description: "The caller's own place on the waiting list" })
  waiting!: Waiting | null;
}

export class Venue implements Contract.Venue {
  @ApiProperty() name!: string;
  @ApiProperty(OR_NULL) address!: string | null;
  @ApiProperty(OR_NULL) note!: string | null;
  @ApiProperty(OR_NULL) mapUrl!: string | null;
}

export class Attendee extends Person implements Contract.Attendee {
  @ApiProperty({ ...OR_NULL, description: 'Of those who show it' }) linkedInUrl!: string | null;
}

const AGREED = { description: 'Only those who manage the event are answered those who have not' };
const CO_HOST = {
  enum: CO_HOST_STATES,
  required: false,
  description: 'Of a host who is to manage the event; effective once agreed',
};

class Host extends Attendee implements Contract.Host {
  @ApiProperty(AGREED) agreed!: boolean;
  @ApiProperty(CO_HOST) coHost?: Contract.CoHostState;
}

class Speaker implements Contract.Speaker {
  @ApiProperty() name!: string;
  @ApiProperty(OR_NULL) role!: string | null;
  @ApiProperty(OR_NULL) bio!: string | null;
  @ApiProperty(OR_NULL) linkUrl!: string | null;
  @ApiProperty({ ...ID_OR_NULL, description: 'Null: no member' }) userId!: string | null;
  @ApiProperty(PICTURE) profileImageUrl!: string | null;
  @ApiProperty(AGREED) agreed!: boolean;
}

class AgendaItem implements Contract.AgendaItem {
  @ApiProperty(MOMENT) startsAt!: string;
  @ApiProperty(MOMENT_OR_NULL) endsAt!: string | null;
  @ApiProperty() title!: string;
  @ApiProperty(OR_NULL) note!: string | null;
}

class EventResource implements Contract.EventResource {
  @ApiProperty() title!: string;
  @ApiProperty() url!: string;
}

class Question implements Contract.Question {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ enum: QUESTION_KINDS }) kind!: Contract.QuestionKind;
  @ApiProperty() label!: string;
  @ApiProperty() required!: boolean;
  @ApiProperty({ type: [String], description: 'Of a choice' }) options!: string[];
}

class EventContent
  extends answeredFields<Pick<Contract.EventContent, Contract.ContentText>>(EventFields, CONTENT_TEXTS)
  implements Contract.EventContent
{
  @ApiProperty({ type: Venue, nullable: true }) venue!: Venue | null;
  @ApiProperty() hasOnlineUrl!: boolean;
  @ApiProperty({ type: [Host] }) hosts!: Host[];
  @ApiProperty({ type: [AgendaItem] }) agenda!: AgendaItem[];
  @ApiProperty({ type: [Speaker] }) speakers!: Speaker[];
  @ApiProperty({ type: [EventResource] }) resources!: EventResource[];
  @ApiProperty({ type: [Question], description: 'Asked of those who register' }) questions!: Question[];
}

export class PastRegistration implements Contract.PastRegistration {
  @ApiProperty({
    enum: REGISTRATION_ENDINGS,
    description:
      'Given up by the caller, taken away by an organiser, or lost: the address was not verified in time',
  })
  status!: Contract.PastRegistration['status'];
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'Null of one that ended before this was noted' }) at!:
    | string
    | null;
  @ApiProperty({ ...ANSWERS, nullable: true, description: 'To the questions' })
  answers!: Contract.Answers | null;
}

class EventHtml implements Contract.EventHtml {
  @ApiProperty(OR_NULL) description!: string | null;
  @ApiProperty(OR_NULL) recap!: string | null;
}

export class PublicAttendee implements Contract.PublicAttendee {
  @ApiProperty() firstName!: string;
  @ApiProperty() lastName!: string;
  @ApiProperty(PICTURE) profileImageUrl!: string | null;
}

export class GalleryPicture implements Contract.GalleryPicture {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ description: 'Without the host; an <img> may ask for `?width=480`, `800` or `1200` of it' })
  url!: string;
  @ApiProperty({ description: 'What it shows, for people who cannot see it' }) alt!: string;
}

export class EventPage extends Event implements Contract.EventPage {
  @ApiProperty({
    type: EventHtml,
    nullable: true,
    required: false,
    description: 'What Markdown became, safe to show; null while it is made',
  })
  html?: EventHtml | null;
  @ApiProperty({ description: 'Whether the caller may change it and see its guests' }) mayManage!: boolean;
  @ApiProperty({
    enum: ANNOUNCEMENT_STATES,
    required: false,
    description: 'For those who manage it: whether followers of its topics are mailed',
  })
  announcement?: Contract.AnnouncementState;
  @ApiProperty({
    type: PastRegistration,
    nullable: true,
    description: "The caller's own place, or waiting for one, that has ended",
  })
  pastRegistration!: PastRegistration | null;
  @ApiProperty({
    type: [PublicAttendee],
    required: false,
    description: 'Twelve at most of those who come and let visitors see it, where the community lets them',
  })
  publicAttendees?: PublicAttendee[];
  @ApiProperty({ type: [GalleryPicture], required: false, description: 'Pictures for afterwards' })
  gallery?: GalleryPicture[];
  @ApiProperty() content!: EventContent;
}

export class EventRole implements Contract.EventRole {
  @ApiProperty(ID) eventId!: string;
  @ApiProperty() title!: string;
  @ApiProperty(MOMENT) startDate!: string;
  @ApiProperty(MOMENT) endDate!: string;
  @ApiProperty() isAllDay!: boolean;
  @ApiProperty({ enum: EVENT_FORMATS, required: false }) format?: EventFormat;
  @ApiProperty({ ...OR_NULL, required: false, description: 'As that of the event' }) timeZone?: string | null;
  @ApiProperty({ enum: EVENT_ROLES }) role!: EventRoleName;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'Null: the caller is not shown' }) agreedAt!: string | null;
  @ApiProperty(CO_HOST) coHost?: Contract.CoHostState;
}
