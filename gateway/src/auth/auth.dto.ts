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
  @ApiProperty(COUNT) recoveryCodesLeft!: number;
  @ApiProperty() required!: boolean;
}

export class AddedFactor implements Contract.AddedFactor {
  @ApiProperty() factor!: SecondFactor;
  @ApiProperty({ type: [String], nullable: true, description: 'With the first factor; shown once' })
  recoveryCodes!: string[] | null;
}

export class RecoveryCodes {
  @ApiProperty({ type: [String] }) recoveryCodes!: string[];
}

export class TotpSetup {
  @ApiProperty() secret!: string;
  @ApiProperty() uri!: string;
}

@ApiSchema({ description: 'Options of the Web Authentication API' })
export class PasskeyOptions {}

export class OwnSession implements Contract.OwnSession {
  @ApiProperty(ID) id!: string;
  @ApiProperty() current!: boolean;
  @ApiProperty(OR_NULL) device!: string | null;
  @ApiProperty(OR_NULL) network!: string | null;
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty(MOMENT) lastUsedAt!: string;
}

/** With the outcome where a registration was wanted. */
export class Confirmation extends PartialType(PlaceOutcome) implements Contract.Confirmation {
  @ApiProperty({ enum: FLOW_PURPOSES }) purpose!: FlowPurpose;
  @ApiProperty({
    type: User,
    nullable: true,
    description: 'Null when this browser is not signed in to the account',
  })
  user!: User | null;
  @ApiProperty({
    enum: ['new-address'],
    nullable: true,
    description: 'A code is on its way to the new address',
  })
  next!: Contract.Confirmation['next'];
  @ApiProperty({ description: 'The password and the sessions set before have ended' })
  passwordEnded!: boolean;
}

export class FlowState implements Contract.FlowState {
  @ApiProperty({ enum: ['open', 'confirmed', 'none'] }) status!: Contract.FlowState['status'];
}

export class RevertedEmail implements Contract.RevertedEmail {
  @ApiProperty() email!: string;
  @ApiProperty({ description: 'Chooses the new password, as the token of POST /api/confirm/link' })
  resetToken!: string;
}

/** The user, and what became of a registration that the first step of the sign-in was taken for. */
export class SignedIn extends User implements Contract.SignedIn {
  @ApiPropertyOptional({ type: PlaceOutcome }) rsvp?: PlaceOutcome;
}
