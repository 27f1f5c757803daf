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
  @ApiProperty({
    ...OR_NULL,
    description: 'Name of the person who created it. null if the account was deleted',
  })
  madeBy!: string | null;
  @ApiProperty({
    description: "false once it was revoked or has expired, and while its creator can't manage the event",
  })
  works!: boolean;
  @ApiProperty(MOMENT_OR_NULL) revokedAt!: string | null;
  @ApiProperty({ ...MOMENT, description: '12 hours after the end of the event' }) expiresAt!: string;
}

@ApiSchema({
  description: 'The token is returned only once. The page for phones is `/door/{token}`',
})
export class NewDoorLink extends DoorLink implements Contract.NewDoorLink {
  @ApiProperty() token!: string;
}

class DoorRefusal implements Contract.DoorRefusal {
  @ApiProperty(ID) linkId!: string;
  @ApiProperty({ ...OR_NULL, description: 'null for a code that no guest has' }) name!: string | null;
  @ApiProperty({ description: 'Whether it was a walk-in' }) walkIn!: boolean;
  @ApiProperty({ ...OR_NULL, description: 'Email address of a walk-in, if given' }) email!: string | null;
  @ApiProperty({ ...MOMENT, description: 'Time of the check-in' }) at!: string;
  @ApiProperty(MOMENT) receivedAt!: string;
  @ApiProperty({ enum: ['revoked', 'expired'] }) reason!: Contract.DoorRefusal['reason'];
}

export class Door implements Contract.Door {
  @ApiProperty({
    type: [DoorLink],
    description: 'Links that weren’t revoked first, then the others. Newest first',
  })
  links!: DoorLink[];
  @ApiProperty({ type: [DoorRefusal], description: 'Check-ins that arrived after their link had ended' })
  refusals!: DoorRefusal[];
  @ApiProperty({ description: 'For a QR code at the venue, so that guests can check themselves in' })
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
  @ApiProperty({ ...ID, description: 'ID of the registration' }) id!: string;
  @ApiProperty() name!: string;
  @ApiProperty({ enum: REGISTRATION_STATUSES }) state!: Contract.RegistrationStatus;
  @ApiProperty(MOMENT_OR_NULL) checkedInAt!: string | null;
  @ApiProperty({
    description:
      "SHA-256 of the guest's code in base64url. A phone compares scanned codes with it, even offline",
  })
  codeDigest!: string;
}

@ApiSchema({ description: 'What a phone needs to check guests in without a network' })
export class DoorSnapshot implements Contract.DoorSnapshot {
  @ApiProperty() event!: DoorEvent;
  @ApiProperty({ ...MOMENT, description: 'When the link expires' }) expiresAt!: string;
  @ApiProperty() counts!: DoorCounts;
  @ApiProperty({ type: [DoorGuest] }) guests!: DoorGuest[];
}

export class DoorResult implements Contract.DoorResult {
  @ApiProperty(ID) key!: string;
  @ApiProperty({
    enum: DOOR_RESULTS,
    description:
      '`ok`: checked in. `already`: checked in before. `wrong-event`: a code of another event. `not-registered`: see `state`. `unknown`: no such guest or code. `refused`: see `reason`',
  })
  result!: Contract.DoorResult['result'];
  @ApiPropertyOptional({ ...ID, description: 'Only for a guest of this event' }) guestId?: string;
  @ApiPropertyOptional() name?: string;
  @ApiPropertyOptional({
    ...MOMENT_OR_NULL,
    description: 'With `ok` and `already`: time of the first check-in. null if it was taken back',
  })
  at?: string | null;
  @ApiPropertyOptional({
    enum: REGISTRATION_STATUSES,
    description: 'With `not-registered`: state of the registration',
  })
  state?: Contract.RegistrationStatus;
  @ApiPropertyOptional({ description: 'With `wrong-event`: title of the other event' }) title?: string;
  @ApiPropertyOptional({ enum: DOOR_REFUSAL_REASONS, description: 'With `refused`: the reason' })
  reason?: Contract.DoorResult['reason'];
}

@ApiSchema({ description: 'For a QR code: encode `url`, or `code` alone. Neither contains personal data' })
export class OwnCode implements Contract.GuestCode {
  @ApiProperty() code!: string;
  @ApiProperty() url!: string;
}

export class ScannedCode implements Contract.ScannedCode {
  @ApiProperty({ ...ID_OR_NULL, description: 'null for any code that is not a venue code' }) eventId!:
    | string
    | null;
}

export class SelfCheckIn implements Contract.SelfCheckIn {
  @ApiProperty(MOMENT) checkedInAt!: string;
}
