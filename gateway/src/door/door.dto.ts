import type * as Contract from '@meetmark/contracts';
import { DOOR_REFUSAL_REASONS, DOOR_RESULTS, REGISTRATION_STATUSES } from '@meetmark/contracts';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { COUNT, ID, ID_OR_NULL, MOMENT, MOMENT_OR_NULL, OR_NULL } from '../openapi/answers.js';

class DoorCounts implements Contract.DoorCounts {
  @ApiProperty(COUNT) registered!: number;
  @ApiProperty(COUNT) checkedIn!: number;
}

export class DoorLink implements Contract.DoorLink {
  @ApiProperty(ID) id!: string;
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'Null while it works' }) revokedAt!: string | null;
  @ApiProperty({ ...MOMENT, description: '12 hours after the end of the event' }) expiresAt!: string;
}

@ApiSchema({
  description: 'The token is shown once: it follows /door/ in the address of the page for phones',
})
export class NewDoorLink extends DoorLink implements Contract.NewDoorLink {
  @ApiProperty() token!: string;
}

class DoorRefusal implements Contract.DoorRefusal {
  @ApiProperty(ID) linkId!: string;
  @ApiProperty({ ...OR_NULL, description: 'Null of a code that no guest has' }) name!: string | null;
  @ApiProperty({ description: 'Somebody who was not on the list, as the phone typed them' }) walkIn!: boolean;
  @ApiProperty({ ...OR_NULL, description: 'Of a walk-in who gave one' }) email!: string | null;
  @ApiProperty({ ...MOMENT, description: 'When they came' }) at!: string;
  @ApiProperty(MOMENT) receivedAt!: string;
  @ApiProperty({ enum: ['revoked', 'expired'] }) reason!: Contract.DoorRefusal['reason'];
}

export class Door implements Contract.Door {
  @ApiProperty({ type: [DoorLink], description: 'First those that nobody ended; of each the newest first' })
  links!: DoorLink[];
  @ApiProperty({ type: [DoorRefusal], description: 'Check-ins that came once their link had ended' })
  refusals!: DoorRefusal[];
  @ApiProperty({ description: 'For the QR at the venue, by which guests check themselves in' })
  venueCode!: string;
  @ApiProperty() counts!: DoorCounts;
}

class DoorEvent {
  @ApiProperty(ID) id!: string;
  @ApiProperty() title!: string;
  @ApiProperty(MOMENT) startDate!: string;
  @ApiProperty(MOMENT) endDate!: string;
  @ApiProperty() cancelled!: boolean;
}

class DoorGuest implements Contract.DoorGuest {
  @ApiProperty({ ...ID, description: 'Of the registration' }) id!: string;
  @ApiProperty() name!: string;
  @ApiProperty({ enum: REGISTRATION_STATUSES }) state!: Contract.RegistrationStatus;
  @ApiProperty(MOMENT_OR_NULL) checkedInAt!: string | null;
  @ApiProperty({
    description: "SHA-256 of the guest's code, base64url: what a phone compares a scanned code with, offline",
  })
  codeDigest!: string;
}

@ApiSchema({ description: 'What a phone at the door keeps, to go on without a network' })
export class DoorSnapshot implements Contract.DoorSnapshot {
  @ApiProperty() event!: DoorEvent;
  @ApiProperty({ ...MOMENT, description: 'When the link ends by itself' }) expiresAt!: string;
  @ApiProperty() counts!: DoorCounts;
  @ApiProperty({ type: [DoorGuest] }) guests!: DoorGuest[];
}

export class DoorResult implements Contract.DoorResult {
  @ApiProperty(ID) key!: string;
  @ApiProperty({ enum: DOOR_RESULTS }) result!: Contract.DoorResult['result'];
  @ApiPropertyOptional({ ...ID, description: 'Of a guest of this event' }) guestId?: string;
  @ApiPropertyOptional() name?: string;
  @ApiPropertyOptional({
    ...MOMENT_OR_NULL,
    description: 'With ok and already: when the guest came in first, null once that was taken back',
  })
  at?: string | null;
  @ApiPropertyOptional({ enum: REGISTRATION_STATUSES, description: 'With not-registered' })
  state?: Contract.RegistrationStatus;
  @ApiPropertyOptional({ description: 'With wrong-event: the title of that event' }) title?: string;
  @ApiPropertyOptional({ enum: DOOR_REFUSAL_REASONS, description: 'With refused' })
  reason?: Contract.DoorResult['reason'];
}

@ApiSchema({ description: 'For a QR: the address, which says nothing about anybody, or the code alone' })
export class OwnCode implements Contract.GuestCode {
  @ApiProperty() code!: string;
  @ApiProperty() url!: string;
}

export class ScannedCode implements Contract.ScannedCode {
  @ApiProperty({ ...ID_OR_NULL, description: 'Null of any code but that of a venue' }) eventId!:
    | string
    | null;
}

export class SelfCheckIn implements Contract.SelfCheckIn {
  @ApiProperty(MOMENT) checkedInAt!: string;
}
