import type * as Contract from '@meetmark/contracts';
import { IfGiven, IsAnswers, IsMoment, PLACE_SHOWS } from '@meetmark/contracts';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { Registration, Waiting } from '../events/events.dto.js';
import { COUNT, ID, MOMENT } from '../openapi/answers.js';
import { Person, User } from '../users/users.dto.js';

/** POST /api/events/{id}/register: empty, or the moment for which the member comes, and whether to wait at a full event. */
export class RegisterBody {
  @IsOptional()
  @IsMoment()
  selectedDate?: string;

  @IsOptional()
  @IsBoolean()
  waitlist?: boolean;

  @IfGiven()
  @IsIn(PLACE_SHOWS)
  showMe?: Contract.PlaceShows;

  @IfGiven()
  @IsAnswers()
  answers?: Contract.GivenAnswers;
}

/** POST /api/events/{id}/waitlist/{userId}/promote: empty, or whether to add a place for the person when none is free. */
export class PromotionBody {
  @IsOptional()
  @IsBoolean()
  raiseCapacity?: boolean;
}

class AnswerCount {
  @ApiProperty({ oneOf: [{ type: 'string' }, { type: 'boolean' }] }) answer!: string | boolean;
  @ApiProperty({ ...COUNT, description: 'Of those who have a place' }) count!: number;
}

export class AnswerSummary implements Contract.AnswerSummary {
  @ApiProperty(ID) questionId!: string;
  @ApiProperty({
    ...COUNT,
    description: 'Also by people who wait or gave up; from one on the question is locked',
  })
  answered!: number;
  @ApiProperty({ type: [AnswerCount], description: 'Of each possible answer; none of a text' })
  counts!: AnswerCount[];
}

export class RegistrationAnswer implements Contract.RegistrationAnswer {
  @ApiProperty() message!: string;
  @ApiProperty() registration!: Registration;
  @ApiPropertyOptional({ type: Waiting, description: 'Of a registration that waits' }) waiting?: Waiting;
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
  @ApiProperty({ ...ID, description: 'Of the registration' }) id!: string;
  @ApiProperty(ID) userId!: string;
  @ApiProperty(MOMENT) joinedAt!: string;
  @ApiProperty({ ...COUNT, description: 'From 1' }) position!: number;
  @ApiProperty() member!: RegisteredMember;
}

export class EventFaces implements Contract.EventFaces {
  @ApiProperty(ID) eventId!: string;
  @ApiProperty({ type: [Person], description: 'In the order of arrival' }) faces!: Person[];
}

/** POST /api/events/{id}/rsvp. */
export class RequestedRsvp implements Contract.RequestedRsvp {
  @ApiProperty({ description: 'Goes with the code to POST /api/rsvp/confirm; useless without the cookie' })
  flow!: string;
}

class Refusal {
  @ApiProperty({ type: String }) code!: Contract.ErrorCode;
  @ApiProperty() message!: string;
}

/** What became of a registration that was asked for by address. */
export class PlaceOutcome implements Contract.PlaceOutcome {
  @ApiProperty(ID) eventId!: string;
  @ApiProperty({ type: Registration, nullable: true, description: 'Null when it was refused' })
  registration!: Registration | null;
  @ApiPropertyOptional({ type: Waiting, description: 'Of a registration that waits' }) waiting?: Waiting;
  @ApiPropertyOptional({ type: Refusal, description: 'Why there is no registration' }) refusal?: Refusal;
}

export class ConfirmedRsvp extends PlaceOutcome implements Contract.ConfirmedRsvp {
  @ApiProperty() user!: User;
  @ApiProperty({ description: 'The password and the sessions set before have ended' })
  passwordEnded!: boolean;
}
