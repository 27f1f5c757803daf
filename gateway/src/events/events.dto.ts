import type * as Contract from '@meetmark/contracts';
import { EVENT_FORMATS, EventChangeFields, EventFields, type EventFormat } from '@meetmark/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { COUNT, ID, MOMENT, OR_NULL, PICTURE, VERSION } from '../openapi/answers.js';
import { Registration } from '../registrations/registrations.dto.js';

/** POST /api/events. */
export class EventBody extends EventFields {
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
  @ApiProperty(COUNT) registrationCount!: number;
  @ApiProperty({ type: [Registration], description: "The caller's own, if any" })
  registrations!: Registration[];
}
