import type * as Contract from '@meetmark/contracts';
import { CHECKED_IN_BY, type CheckedInBy, REGISTRATION_STATUSES } from '@meetmark/contracts';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ANSWERS, ID, ID_OR_NULL, MOMENT, MOMENT_OR_NULL, OR_NULL, PICTURE } from '../openapi/answers.js';

@ApiSchema({ description: 'A member, or somebody without an account, on the guest list of an event' })
export class Guest implements Contract.Guest {
  @ApiProperty({ ...ID, description: 'Of the registration' }) id!: string;
  @ApiProperty() name!: string;
  @ApiProperty(OR_NULL) email!: string | null;
  @ApiProperty({
    ...ID_OR_NULL,
    description: 'Null of somebody whom an organiser added, whether or not the address has an account',
  })
  userId!: string | null;
  @ApiProperty(PICTURE) profileImageUrl!: string | null;
  @ApiProperty({ enum: REGISTRATION_STATUSES }) state!: Contract.RegistrationStatus;
  @ApiProperty(MOMENT) registeredAt!: string;
  @ApiProperty({ ...OR_NULL, description: 'Of the organisers, for the organisers' }) note!: string | null;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'When somebody was marked as having paid' })
  paidAt!: string | null;
  @ApiProperty(MOMENT_OR_NULL) checkedInAt!: string | null;
  @ApiProperty({ enum: CHECKED_IN_BY, nullable: true, description: 'At the door, or by the own phone' })
  checkedInBy!: CheckedInBy | null;
  @ApiProperty({ description: 'Had a place at an event that is over, and did not come' }) noShow!: boolean;
  @ApiProperty({ ...ANSWERS, description: 'To the questions of the event, by their ids' })
  answers!: Contract.Answers;
}
