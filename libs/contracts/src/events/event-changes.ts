import { IsBoolean, IsIn, IsInt, Matches, Max, Min } from 'class-validator';
import { EVENT_STATUSES, EventFields } from './event-form.js';
import type { EventPage } from './event-page.js';
import { EventIdRequest, type Event } from './events.js';
import { LIMITS } from '../limits.js';
import { messagesTo } from '../message.js';
import { PictureChange } from '../pictures.js';
import {
  About,
  ADDRESS_TOKEN,
  toChangesClass,
  EmptyAsNull,
  IfGiven,
  IsEventSlug,
  IsId,
  IsVersion,
  PlainText,
  withIds,
  withObjects,
} from '../validation.js';

const events = messagesTo('events');

const FIRST_STATUSES = [EVENT_STATUSES[0], EVENT_STATUSES[1]] as const;

export class NewEventFields extends EventFields {
  @About('Default: `published`')
  @IfGiven()
  @IsIn(FIRST_STATUSES)
  status?: (typeof FIRST_STATUSES)[number];

  @About(
    'When the event is published, email the followers of its topics. For a draft, needs `publishAt`. Default: false',
  )
  @IfGiven()
  @IsBoolean()
  announce?: boolean;
}

const EDIT_SCOPES = ['this', 'later'] as const;

export class EventChangeFields extends toChangesClass(EventFields) {
  @About(
    'The `version` that you read. 409 `EDIT_CONFLICT` if there is a newer one. If left out, the last change wins',
    3,
  )
  @IsVersion()
  version?: number;

  @About('For a draft with `publishAt`: email the followers of its topics when it is published')
  @IfGiven()
  @IsBoolean()
  announce?: boolean;

  @About(
    'Email people who are registered. Default: if title, time, place, format, accessibility, price or joining link change',
  )
  @IfGiven()
  @IsBoolean()
  notify?: boolean;

  @About('Text to add to the email about the change')
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  note?: string | null = null;

  @About(
    '`later`: make the same change to the later events of the series that aren’t cancelled. Default: `this`',
  )
  @IfGiven()
  @IsIn(EDIT_SCOPES)
  scope?: (typeof EDIT_SCOPES)[number];

  @About(
    'Required to turn off the waiting list while people are on it (otherwise 409 `WAITLIST_NOT_EMPTY`). `promote` registers all of them and raises the capacity if needed, until the event starts. `dismiss` removes and emails them',
  )
  @IfGiven()
  @IsIn(['promote', 'dismiss'])
  waitlistOff?: 'promote' | 'dismiss';
}

export class CreateEventRequest extends withObjects(NewEventFields, { banner: PictureChange }) {
  /** The gateway creates this id, so a repeated request creates only one event. */
  @IfGiven()
  @IsId()
  id?: string;
}

export const CreateEvent = events.organiser('events.create', CreateEventRequest)<EventPage>();

export class UpdateEventRequest extends withObjects(withIds(EventChangeFields, 'eventId'), {
  banner: PictureChange,
}) {}

/**
 * Repeating a request has no further effect.
 * @throws EVENT_NOT_FOUND
 * @throws EVENT_CANCELLED
 * @throws EDIT_CONFLICT
 * @throws WAITLIST_NOT_EMPTY
 * @throws CAPACITY_BELOW_REGISTERED
 * @throws REGISTRATION_CLOSED
 * @throws DATE_RANGE_INVALID
 * @throws QUESTION_ANSWERED
 * @throws VALIDATION_FAILED
 */
export const UpdateEvent = events.manager('events.update', UpdateEventRequest, { heavy: true })<EventPage>();

export class EventSlugFields {
  @About('The page of the event is `/e/{slug}`', 'seo-breakfast')
  @IsEventSlug()
  slug!: string;
}

export class ChangeEventSlugRequest extends withIds(EventSlugFields, 'eventId') {}

/**
 * Previous slugs redirect to the new one. For an unlisted event, 8 random characters are added to the new
 * slug.
 * @throws SLUG_TAKEN
 * @throws EVENT_NOT_PUBLISHED
 */
export const ChangeEventSlug = events.manager('events.changeSlug', ChangeEventSlugRequest)<EventPage>();

export class PublishFields {
  @About('The `version` that you read. 409 `EDIT_CONFLICT` if there is a newer one')
  @IsVersion()
  version?: number;

  @About('Email the followers of the event’s topics. Default: the value stored with the draft')
  @IfGiven()
  @IsBoolean()
  announce?: boolean;
}

export class PublishEventRequest extends withIds(PublishFields, 'eventId') {}

/**
 * Does nothing if the event is already published.
 * @throws EDIT_CONFLICT
 * @throws EVENT_CANCELLED
 */
export const PublishEvent = events.manager('events.publish', PublishEventRequest)<EventPage>();

export class CancelFields {
  @About('The `version` that you read. 409 `EDIT_CONFLICT` if there is a newer one')
  @IsVersion()
  version?: number;

  @About('Shown on the page and in the email')
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  reason?: string | null = null;
}

export class CancelEventRequest extends withIds(CancelFields, 'eventId') {}

/**
 * A cancellation can't be undone. Does nothing if the event is already cancelled.
 * @throws EDIT_CONFLICT
 * @throws EVENT_IS_DRAFT
 */
export const CancelEvent = events.manager('events.cancel', CancelEventRequest, { heavy: true })<EventPage>();

const SERIES_STEPS = ['week', 'two-weeks', 'month'] as const;
export type SeriesStep = (typeof SERIES_STEPS)[number];
const SERIES_LENGTH = { least: 2, most: 12 };

export class SeriesFields {
  @About(
    '`month`: the same weekday of the month, such as the second Tuesday. If the event is on the last one, always the last one',
    'month',
  )
  @IsIn(SERIES_STEPS)
  every!: SeriesStep;

  @About('Number of events in the series, including this one', 6)
  @IsInt()
  @Min(SERIES_LENGTH.least)
  @Max(SERIES_LENGTH.most)
  count!: number;
}

export class MakeSeriesRequest extends withIds(SeriesFields, 'eventId') {}

/**
 * Copies the event into a series of drafts with the same local time.
 * @throws EVENT_CANCELLED
 * @throws SERIES_EXISTS
 * @throws DRAFT_LIMIT
 */
export const MakeSeries = events.manager('events.makeSeries', MakeSeriesRequest)<Event[]>();

export interface EventPreview {
  token: string;
  createdAt: string;
}

export interface PreviewLink {
  createdAt: string;
  madeBy: string;
  /** False while the link's creator can't manage the event. */
  works: boolean;
}

export const GetEventPreviewLink = events.manager(
  'events.getPreviewLink',
  EventIdRequest,
)<PreviewLink | null>();

export const CreateEventPreview = events.manager('events.createPreview', EventIdRequest)<EventPreview>();

export const RevokeEventPreview = events.manager('events.revokePreview', EventIdRequest)<void>();

export class EventPreviewRequest {
  @Matches(ADDRESS_TOKEN)
  token!: string;
}

/** @throws EVENT_NOT_FOUND if the token was replaced or revoked, or its creator can't manage the event */
export const GetEventPreview = events.public('events.getPreview', EventPreviewRequest)<EventPage>();

export const DeleteEvent = events.manager('events.delete', EventIdRequest, { heavy: true })<void>();
