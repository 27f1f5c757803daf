import type * as Contract from '@meetmark/contracts';
import { FLOW_PURPOSES, type FlowPurpose } from '@meetmark/contracts';
import { ApiProperty, ApiPropertyOptional, ApiSchema, PartialType } from '@nestjs/swagger';
import { COUNT, ID, MOMENT, MOMENT_OR_NULL, OR_NULL } from '../openapi/answers.js';
import { PlaceOutcome } from '../registrations/registrations.dto.js';
import { User } from '../users/users.dto.js';

export class SecondFactor implements Contract.SecondFactor {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ enum: ['totp', 'passkey'] }) kind!: Contract.SecondFactor['kind'];
  @ApiProperty() name!: string;
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty(MOMENT_OR_NULL) lastUsedAt!: string | null;
}

export class SecondFactors implements Contract.SecondFactors {
  @ApiProperty({ type: [SecondFactor] }) factors!: SecondFactor[];
  @ApiProperty({ ...COUNT, description: 'Unused recovery codes' }) recoveryCodesLeft!: number;
  @ApiProperty({ description: 'Whether you need a second factor to use your rights as an owner' })
  required!: boolean;
}

export class AddedFactor implements Contract.AddedFactor {
  @ApiProperty() factor!: SecondFactor;
  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'Returned only with the first factor, and only once',
  })
  recoveryCodes!: string[] | null;
}

export class RecoveryCodes {
  @ApiProperty({ type: [String], description: 'Shown only once. Each works once' }) recoveryCodes!: string[];
}

export class TotpSetup {
  @ApiProperty({ description: 'Base32' }) secret!: string;
  @ApiProperty({ description: '`otpauth:` URI for a QR code' }) uri!: string;
}

@ApiSchema({ description: 'Options for the Web Authentication API, as JSON' })
export class PasskeyOptions {}

export class OwnSession implements Contract.OwnSession {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ description: 'Whether this request uses the session' }) current!: boolean;
  @ApiProperty({ ...OR_NULL, description: 'Browser and system, such as `Firefox on Windows`' }) device!:
    | string
    | null;
  @ApiProperty({ ...OR_NULL, description: 'Network of the sign-in: /24 for IPv4, /48 for IPv6' }) network!:
    | string
    | null;
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty({ ...MOMENT, description: 'Accurate to the hour' }) lastUsedAt!: string;
}

export class Confirmation extends PartialType(PlaceOutcome) implements Contract.Confirmation {
  @ApiProperty({ enum: FLOW_PURPOSES, description: 'What was confirmed' }) purpose!: FlowPurpose;
  @ApiProperty({
    type: User,
    nullable: true,
    description: 'null if this client is not signed in to the account',
  })
  user!: User | null;
  @ApiProperty({
    enum: ['new-address'],
    nullable: true,
    description: '`new-address`: the change also needs the code that was sent to the new address',
  })
  next!: Contract.Confirmation['next'];
  @ApiProperty({ description: 'Whether the previous password and sessions were ended' })
  passwordEnded!: boolean;
}

export class FlowState implements Contract.FlowState {
  @ApiProperty({ enum: ['open', 'confirmed', 'none'] }) status!: Contract.FlowState['status'];
}

export class RevertedEmail implements Contract.RevertedEmail {
  @ApiProperty({ description: 'The restored email address' }) email!: string;
  @ApiProperty({ description: 'Sets a new password: send it as `token` to `POST /api/confirm/link`' })
  resetToken!: string;
}

export class SignedIn extends User implements Contract.SignedIn {
  @ApiPropertyOptional({ type: PlaceOutcome }) rsvp?: PlaceOutcome;
}
