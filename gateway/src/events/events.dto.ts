import type * as Contract from '@meetmark/contracts';
import {
  EmptyAsNull,
  EVENT_FORMATS,
  EVENT_STATUSES,
  EVENT_VISIBILITIES,
  EventChangeFields,
  NewEventFields,
  type EventFormat,
  type EventStatus,
  type EventVisibility,
  IsVersion,
  LIMITS,
  PlainText,
  SeriesFields,
  REGISTRATION_STATES,
  type RegistrationState,
} from '@meetmark/contracts';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import {
  COUNT,
  ID,
  ID_OR_NULL,
  MOMENT,
  MOMENT_OR_NULL,
  OR_NULL,
  PICTURE,
  VERSION,
} from '../openapi/answers.js';
import { Registration, Waiting } from '../registrations/registrations.dto.js';

/** POST /api/events. */
export class EventBody extends NewEventFields {
  /** A data URL, the address of the banner of another event, or null. */
  @IsOptional()
  @IsString()
  bannerImageUrl?: string | null;
}

/** PUT /api/events/{id}. */
export class EventChangesBody extends EventChangeFields {
  /** A data URL, the present address of the banner, or null. */
  @IsOptional()
  @IsString()
  bannerImageUrl?: string | null;
}

/** POST /api/events/{id}/publish. */
export class PublishBody {
  @IsVersion()
  version?: number;
}

/** POST /api/events/{id}/cancel. */
export class CancelBody extends PublishBody {
  /** For everybody who is registered or waits, and for the event's page. */
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  reason?: string | null = null;
}

/** POST /api/events/{id}/series. */
export class SeriesBody extends SeriesFields {}

@ApiSchema({ description: 'The token is shown once: it follows /events/preview/ in the address' })
export class EventPreview implements Contract.EventPreview {
  @ApiProperty() token!: string;
  @ApiProperty(MOMENT) createdAt!: string;
}

export class Event implements Contract.Event {
  @ApiProperty(ID) id!: string;
  @ApiProperty() title!: string;
  @ApiProperty(OR_NULL) description!: string | null;
  @ApiProperty(MOMENT) startDate!: string;
  @ApiProperty(MOMENT) endDate!: string;
  @ApiProperty(OR_NULL) location!: string | null;
  @ApiProperty({ enum: EVENT_FORMATS }) format!: EventFormat;
  @ApiProperty() isAllDay!: boolean;
  @ApiProperty(PICTURE) bannerImageUrl!: string | null;
  @ApiProperty({ ...OR_NULL, description: "Decimal such as '12.50'; null is free" }) price!: string | null;
  @ApiProperty({ type: 'integer', nullable: true, minimum: 1 }) capacity!: number | null;
  @ApiProperty(ID) createdById!: string;
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty(MOMENT) updatedAt!: string;
  @ApiProperty(VERSION) version!: number;
  @ApiProperty({ enum: EVENT_STATUSES }) status!: EventStatus;
  @ApiProperty({ enum: EVENT_VISIBILITIES }) visibility!: EventVisibility;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'When a draft publishes itself' }) publishAt!: string | null;
  @ApiProperty(MOMENT_OR_NULL) cancelledAt!: string | null;
  @ApiProperty(OR_NULL) cancelReason!: string | null;
  @ApiProperty({ ...ID_OR_NULL, description: 'Events of one series share it' })
  seriesId!: string | null;
  @ApiProperty(MOMENT_OR_NULL) registrationOpensAt!: string | null;
  @ApiProperty(MOMENT_OR_NULL) registrationClosesAt!: string | null;
  @ApiProperty() waitlistEnabled!: boolean;
  @ApiProperty(COUNT) registrationCount!: number;
  @ApiProperty(COUNT) waitingCount!: number;
  @ApiProperty({ enum: REGISTRATION_STATES }) registrationState!: RegistrationState;
  @ApiProperty({ type: [Registration], description: "The caller's own, if any" })
  registrations!: Registration[];
  @ApiProperty({ type: Waiting, nullable: true, description: "The caller's own place on the waiting list" })
  waiting!: Waiting | null;
}
