import { Matches, MinLength, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { Asker, FLOW_SECRET, IsCode } from './codes.js';
import { LIMITS } from './limits.js';
import { defineMessage } from './message.js';
import { IsEmailAddress, IsId, IsName, RequiredText } from './validation.js';

// What somebody writes to the host of an event. The host gets a mail, and answers to the writer's own address.

/** POST /api/events/{id}/host-messages. */
export class HostMessageFields {
  /** Plain text. */
  @RequiredText(LIMITS.hostMessage, 'Message is required')
  @MinLength(LIMITS.hostMessageMin)
  message!: string;
}

/** POST /api/events/{id}/host-messages/code. */
export class HostMessageCodeFields {
  @IsEmailAddress()
  email!: string;
}

/** POST /api/events/{id}/host-messages/visitor. */
export class VisitorMessageFields extends HostMessageFields {
  @IsName('Name is required')
  name!: string;

  @Matches(FLOW_SECRET, { message: 'The flow is not complete', context: { rule: 'isFlow' } })
  flow!: string;

  @IsCode()
  code!: string;
}

export class RequestContactRequest extends HostMessageCodeFields {
  @IsId()
  eventId!: string;

  @ValidateNested()
  @Type(() => Asker)
  asker!: Asker;
}

/** Answers and works alike whether or not the address has an account. */
export const RequestContact = defineMessage({
  service: 'auth',
  name: 'codes.requestContact',
  access: 'public',
  request: RequestContactRequest,
})<{ flow: string }>();

export class ConfirmContactRequest {
  @Matches(FLOW_SECRET)
  flow!: string;

  @IsCode()
  code!: string;

  @ValidateNested()
  @Type(() => Asker)
  asker!: Asker;
}

/** CODE_INVALID whatever the reason. Signs in nowhere. Safe to repeat in the same browser for as long as the code lives. */
export const ConfirmContact = defineMessage({
  service: 'auth',
  name: 'codes.confirmContact',
  access: 'public',
  request: ConfirmContactRequest,
})<{ proof: string }>();

export class WriteToHostRequest extends HostMessageFields {
  @IsId()
  eventId!: string;

  /** From the gateway, which repeats a request with the same one. */
  @IsId()
  id!: string;
}

/**
 * NOT_FOUND where the community has turned it off; EVENT_NOT_FOUND; HOST_NOT_REACHABLE; ADDRESS_UNPROVED; RATE_LIMITED with the seconds until
 * the writer, or somebody, may write again.
 */
export const WriteToHost = defineMessage({
  service: 'events',
  name: 'hostMessages.write',
  access: 'member',
  request: WriteToHostRequest,
})<void>();

export class WriteToHostAsVisitorRequest extends HostMessageFields {
  @IsId()
  eventId!: string;

  /** Of ConfirmContact. One proof is one message. */
  @IsId()
  proof!: string;

  @IsName('Name is required')
  name!: string;
}

/** As WriteToHost; CODE_INVALID where the proof is not one of this event. */
export const WriteToHostAsVisitor = defineMessage({
  service: 'events',
  name: 'hostMessages.writeAsVisitor',
  access: 'public',
  request: WriteToHostAsVisitorRequest,
})<void>();
