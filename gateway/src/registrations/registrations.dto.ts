import {
  IsMoment,
  type Attendee as AttendeeOf,
  type Registration as RegistrationOf,
  type RegistrationAnswer as RegistrationAnswerOf,
  type RegistrationCount as RegistrationCountOf,
  type RegistrationWithMember as RegistrationWithMemberOf,
} from '@meetmark/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { COUNT, ID, MOMENT, MOMENT_OR_NULL, OR_NULL } from '../openapi/answers.js';
import { Person } from '../users/users.dto.js';

/** POST /api/events/{id}/register: empty, or the moment for which the member comes. */
export class RegisterBody {
  @IsOptional()
  @IsMoment()
  selectedDate?: string;
}

export class Registration implements RegistrationOf {
  @ApiProperty(ID) id!: string;
  @ApiProperty(ID) userId!: string;
  @ApiProperty(MOMENT_OR_NULL) selectedDate!: string | null;
  @ApiProperty(MOMENT) registeredAt!: string;
  @ApiProperty({ enum: ['registered', 'cancelled'] }) status!: RegistrationOf['status'];
}

export class RegistrationAnswer implements RegistrationAnswerOf {
  @ApiProperty() message!: string;
  @ApiProperty() registration!: Registration;
}

class RegisteredMember extends Person {
  @ApiProperty() email!: string;
}

export class RegistrationWithMember extends Registration implements RegistrationWithMemberOf {
  @ApiProperty() member!: RegisteredMember;
}

export class RegistrationCount implements RegistrationCountOf {
  @ApiProperty(COUNT) count!: number;
}

export class Attendee extends Person implements AttendeeOf {
  @ApiProperty(OR_NULL) linkedInUrl!: string | null;
}
