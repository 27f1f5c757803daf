import type * as Contract from '@meetmark/contracts';
import {
  About,
  ANNOUNCEMENT_STATES,
  CancelFields,
  CO_HOST_STATES,
  CONTENT_TEXTS,
  EVENT_FORMATS,
  EVENT_ROLES,
  EventRoleFields,
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
  LISTED_FIELDS,
  MAX_ZOOM,
  PublishFields,
  QUESTION_KINDS,
  REGISTRATION_ENDINGS,
  SeriesFields,
  REGISTRATION_STATES,
  REGISTRATION_STATUSES,
  type RegistrationState,
  PLACE_SHOWS,
} from '@meetmark/contracts';
import { PATTERNS } from '@meetmark/contracts/events/cover-pattern';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
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

export class EventBody extends NewEventFields {
  @About('A data URL, the `bannerImageUrl` of another event, or null')
  @IsOptional()
  @IsPicture()
  bannerImageUrl?: string | null;
}

export class EventChangesBody extends EventChangeFields {
  @About('A data URL, the current `bannerImageUrl` to keep it, or null to remove it')
  @IsOptional()
  @IsPicture()
  bannerImageUrl?: string | null;
}

export class PublishBody extends PublishFields {}

export class CancelBody extends CancelFields {}

export class EventSlugBody extends EventSlugFields {}

export class GalleryPictureBody extends GalleryWords {
  @About('The image, as a data URL')
  @IsPicture()
  picture!: string;
}

export class GalleryBody extends GalleryFields {}

export class EventRoleBody extends EventRoleFields {}

export class SeriesBody extends SeriesFields {}

@ApiSchema({ description: 'The token is returned only once. The link is `/events/preview/{token}`' })
export class EventPreview implements Contract.EventPreview {
  @ApiProperty() token!: string;
  @ApiProperty(MOMENT) createdAt!: string;
}

export class PreviewLink implements Contract.PreviewLink {
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty({ description: 'Name of the person who created it' }) madeBy!: string;
  @ApiProperty({ description: "false while the link's creator can't manage the event" }) works!: boolean;
}

export class Topic implements Contract.Topic {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ description: 'Name in URLs' }) slug!: string;
  @ApiProperty() name!: string;
}

export class Registration implements Contract.Registration {
  @ApiProperty(ID) id!: string;
  @ApiProperty(ID) userId!: string;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'Time during the event, if one was chosen' }) selectedDate!:
    | string
    | null;
  @ApiProperty(MOMENT) registeredAt!: string;
  @ApiProperty({ enum: REGISTRATION_STATUSES, description: '`waitlisted`: on the waiting list' })
  status!: Contract.Registration['status'];
  @ApiProperty({ enum: PLACE_SHOWS, description: 'What other people see of the registration' })
  showMe!: Contract.PlaceShows;
  @ApiPropertyOptional({
    ...ANSWERS,
    description: 'Your answers. Only in responses about a single event',
  })
  answers?: Contract.Answers;
}

export class Waiting implements Contract.Waiting {
  @ApiProperty(MOMENT) joinedAt!: string;
  @ApiPropertyOptional({
    ...COUNT,
    description:
      'Position, from 1. Only in responses about a single event, in `GET /api/my-events` and when you join',
  })
  position?: number;
}

const SLUG = { description: 'The page of the event is `/e/{slug}`', example: 'seo-breakfast' };

export class FoundEvent implements Contract.FoundEvent {
  @ApiProperty(ID) id!: string;
  @ApiProperty(SLUG) slug!: string;
}

export class RegistrationCount implements Contract.RegistrationCount {
  @ApiProperty(COUNT) count!: number;
}

class CoverCrop implements Contract.CoverCrop {
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Horizontal position: 0 is left, 1 is right' })
  x!: number;
  @ApiProperty({ minimum: 0, maximum: 1, description: 'Vertical position: 0 is top, 1 is bottom' })
  y!: number;
  @ApiProperty({ minimum: 1, maximum: MAX_ZOOM, description: 'Enlargement' }) zoom!: number;
}
const CROP = { type: CoverCrop, nullable: true } as const;

export class Event
  extends answeredFields<Contract.ListedEventFields>(EventFields, LISTED_FIELDS)
  implements Contract.Event
{
  @ApiProperty(ID) id!: string;
  @ApiProperty({ ...OR_NULL, ...SLUG, description: 'The page of the event is `/e/{slug}`. null for a draft' })
  slug!: string | null;
  @ApiProperty({
    ...PICTURE,
    description: 'The full image: a path on this site, or null. The image at a path never changes',
  })
  bannerImageUrl!: string | null;
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: PATTERNS,
    nullable: true,
    description:
      'Number of the chosen pattern. null if there is an image, or if the pattern is chosen by the ID',
  })
  declare coverPattern: number | null;
  @ApiProperty({
    ...CROP,
    description: 'Square part of the image, for the page and emails. null: the middle',
  })
  declare coverSquare: Contract.CoverCrop | null;
  @ApiProperty({
    ...CROP,
    description: 'Part of the image for cards and sharing, 1.91 : 1. null: the middle',
  })
  declare coverWide: Contract.CoverCrop | null;
  @ApiProperty({
    ...OR_NULL,
    description: "Decimal such as `12.50`, in the community's currency. null: free",
  })
  declare price: string | null;
  @ApiProperty(ID) createdById!: string;
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty(MOMENT) updatedAt!: string;
  @ApiProperty(VERSION) version!: number;
  @ApiProperty({ enum: EVENT_STATUSES }) status!: EventStatus;
  @ApiProperty(MOMENT_OR_NULL) cancelledAt!: string | null;
  @ApiProperty({ ...OR_NULL, description: 'Message of the organiser who cancelled the event' })
  cancelReason!: string | null;
  @ApiProperty({ type: [Topic], description: 'Up to three' }) topics!: Topic[];
  @ApiProperty({ ...ID_OR_NULL, description: 'The same for all events of a series' })
  seriesId!: string | null;
  @ApiProperty({
    description: 'Whether registering asks questions. `GET /api/events/{id}` has them in `content.questions`',
  })
  hasQuestions!: boolean;
  @ApiProperty({ ...COUNT, description: 'Number of registrations, without the waiting list' })
  registrationCount!: number;
  @ApiProperty({ ...COUNT, description: 'Length of the waiting list' }) waitingCount!: number;
  @ApiProperty({
    enum: REGISTRATION_STATES,
    description:
      '`open`: you can register. `waitlist`: full, you can join the waiting list. `full`: no waiting list. `scheduled`: not open yet. `closed`: registration has closed, but the event hasn’t started. `started`, `ended`, `cancelled`: you can no longer register',
  })
  registrationState!: RegistrationState;
  @ApiProperty({ type: [Registration], description: 'Your registration, or empty' })
  registrations!: Registration[];
  @ApiProperty({ type: Waiting, nullable: true, description: 'Your place on the waiting list' })
  waiting!: Waiting | null;
}

export class Venue implements Contract.Venue {
  @ApiProperty() name!: string;
  @ApiProperty(OR_NULL) address!: string | null;
  @ApiProperty(OR_NULL) note!: string | null;
  @ApiProperty(OR_NULL) mapUrl!: string | null;
}

export class Attendee extends Person implements Contract.Attendee {
  @ApiProperty({ ...OR_NULL, description: 'Only if the attendee shows it' }) linkedInUrl!: string | null;
}

const AGREED = {
  description: 'Whether the person agreed to be shown. Only people who manage the event see the others',
};
const CO_HOST = {
  enum: CO_HOST_STATES,
  required: false,
  description: 'For a co-host. They manage the event once they agree',
};

class RoleInvitation implements Contract.RoleInvitation {
  @ApiProperty({
    ...OR_NULL,
    description: 'Name of the person who sent the invitation. null if the account was deleted',
  })
  by!: string | null;
  @ApiProperty({
    description: "false while the sender can't manage the event. The member can't accept then",
  })
  works!: boolean;
}

const INVITATION = {
  required: false,
  description: 'Present until the member agrees. Only people who manage the event see it',
};

class Host extends Attendee implements Contract.Host {
  @ApiProperty(AGREED) agreed!: boolean;
  @ApiProperty(CO_HOST) coHost?: Contract.CoHostState;
  @ApiProperty(INVITATION) invitation?: RoleInvitation;
}

class Speaker implements Contract.Speaker {
  @ApiProperty() name!: string;
  @ApiProperty(OR_NULL) role!: string | null;
  @ApiProperty(OR_NULL) bio!: string | null;
  @ApiProperty(OR_NULL) linkUrl!: string | null;
  @ApiProperty({ ...ID_OR_NULL, description: 'null: not a member' }) userId!: string | null;
  @ApiProperty(PICTURE) profileImageUrl!: string | null;
  @ApiProperty(AGREED) agreed!: boolean;
  @ApiProperty(INVITATION) invitation?: RoleInvitation;
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
  @ApiProperty({ type: [String], description: 'Options of a `choice`' }) options!: string[];
}

class EventContent
  extends answeredFields<Pick<Contract.EventContent, Contract.ContentText>>(EventFields, CONTENT_TEXTS)
  implements Contract.EventContent
{
  @ApiProperty({ type: Venue, nullable: true }) venue!: Venue | null;
  @ApiProperty({ description: 'Whether there is a joining link, even if you can’t see it' })
  hasOnlineUrl!: boolean;
  @ApiProperty({ type: [Host] }) hosts!: Host[];
  @ApiProperty({ type: [AgendaItem] }) agenda!: AgendaItem[];
  @ApiProperty({ type: [Speaker] }) speakers!: Speaker[];
  @ApiProperty({ type: [EventResource] }) resources!: EventResource[];
  @ApiProperty({ type: [Question], description: 'Questions for people who register' }) questions!: Question[];
}

export class PastRegistration implements Contract.PastRegistration {
  @ApiProperty({
    enum: REGISTRATION_ENDINGS,
    description: 'Cancelled by you, or removed by an organiser',
  })
  status!: Contract.PastRegistration['status'];
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'When it ended. null for old registrations' }) at!:
    | string
    | null;
  @ApiProperty({ ...ANSWERS, nullable: true, description: 'Your answers' })
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
  @ApiProperty({ description: 'Path on this site. `?width=480`, `800` or `1200` returns a smaller image' })
  url!: string;
  @ApiProperty({ description: 'Alternative text for people who can’t see the image' }) alt!: string;
}

export class EventPage extends Event implements Contract.EventPage {
  @ApiProperty({
    type: EventHtml,
    nullable: true,
    required: false,
    description: 'Sanitised HTML of the Markdown texts. null while it is being rendered',
  })
  html?: EventHtml | null;
  @ApiProperty({ description: 'Whether you manage the event' }) mayManage!: boolean;
  @ApiProperty({
    enum: ANNOUNCEMENT_STATES,
    required: false,
    description: 'Whether followers of its topics are emailed. Only for people who manage the event',
  })
  announcement?: Contract.AnnouncementState;
  @ApiProperty({
    type: PastRegistration,
    nullable: true,
    description: 'Your registration that ended, or null',
  })
  pastRegistration!: PastRegistration | null;
  @ApiProperty({
    type: [PublicAttendee],
    required: false,
    description:
      'Up to 12 attendees who chose to be shown to visitors, if the setting `publicAttendees` is on',
  })
  publicAttendees?: PublicAttendee[];
  @ApiProperty({ type: [GalleryPicture], required: false, description: 'Images from the event' })
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
  @ApiProperty({
    ...OR_NULL,
    required: false,
    description: 'IANA time zone of the event. null: the community’s',
  })
  timeZone?: string | null;
  @ApiProperty({ enum: EVENT_ROLES }) role!: EventRoleName;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'null: you are not shown' }) agreedAt!: string | null;
  @ApiProperty(CO_HOST) coHost?: Contract.CoHostState;
}
