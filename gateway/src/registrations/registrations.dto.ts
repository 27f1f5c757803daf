import type * as Contract from '@meetmark/contracts';
import { PlaceFields, RegisterFields } from '@meetmark/contracts';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Registration, Waiting } from '../events/events.dto.js';
import { COUNT, ID, MOMENT } from '../openapi/answers.js';
import { Person, User } from '../users/users.dto.js';

export class RegisterBody extends RegisterFields {}

export class PromotionBody extends PlaceFields {}

class AnswerCount {
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'boolean' }] }) answer!: string | boolean;
  @ApiProperty({ ...COUNT, description: 'Registered people who gave this answer' }) count!: number;
}

export class AnswerSummary implements Contract.AnswerSummary {
  @ApiProperty(ID) questionId!: string;
  @ApiProperty({
    ...COUNT,
    description:
      'Includes the waiting list and cancelled registrations. If it is 1 or more, the question is locked',
  })
  answered!: number;
  @ApiProperty({ type: [AnswerCount], description: 'For each possible answer. Empty for text questions' })
  counts!: AnswerCount[];
}

export class RegistrationAnswer implements Contract.RegistrationAnswer {
  @ApiProperty({ description: 'What happened, in English' }) message!: string;
  @ApiProperty() registration!: Registration;
  @ApiPropertyOptional({ type: Waiting, description: 'Only if the registration is on the waiting list' })
  waiting?: Waiting;
}

export class EventActivityDay implements Contract.EventActivityDay {
  @ApiProperty({ format: 'date' }) day!: string;
  @ApiProperty(COUNT) registrations!: number;
}

class RegisteredMember extends Person {
  @ApiProperty() email!: string;
}

export class RegistrationWithMember extends Registration implements Contract.RegistrationWithMember {
  @ApiProperty() member!: RegisteredMember;
}

export class WaitingMember implements Contract.WaitingMember {
  @ApiProperty({ ...ID, description: 'ID of the registration' }) id!: string;
  @ApiProperty(ID) userId!: string;
  @ApiProperty(MOMENT) joinedAt!: string;
  @ApiProperty({ ...COUNT, description: 'Position on the waiting list, from 1' }) position!: number;
  @ApiProperty() member!: RegisteredMember;
}

export class EventFaces implements Contract.EventFaces {
  @ApiProperty(ID) eventId!: string;
  @ApiProperty({ type: [Person], description: 'In order of registration' }) faces!: Person[];
}

export class RequestedRsvp implements Contract.RequestedRsvp {
  @ApiProperty({
    description:
      'Send it with the code to `POST /api/rsvp/confirm`. Works only with the cookie of this response',
  })
  flow!: string;
}

class Refusal {
  @ApiProperty({ type: String }) code!: Contract.ErrorCode;
  @ApiProperty() message!: string;
}

export class PlaceOutcome implements Contract.PlaceOutcome {
  @ApiProperty(ID) eventId!: string;
  @ApiProperty({ type: Registration, nullable: true, description: 'null if the registration failed' })
  registration!: Registration | null;
  @ApiPropertyOptional({ type: Waiting, description: 'Only if the registration is on the waiting list' })
  waiting?: Waiting;
  @ApiPropertyOptional({ type: Refusal, description: 'Why it failed' }) refusal?: Refusal;
}

export class ConfirmedRsvp extends PlaceOutcome implements Contract.ConfirmedRsvp {
  @ApiProperty() user!: User;
  @ApiProperty({ description: 'Whether the previous password and sessions were ended' })
  passwordEnded!: boolean;
}
