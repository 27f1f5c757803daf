import { Matches, MinLength } from 'class-validator';
import { AddressFields, Asker, ConfirmRsvpFields, FLOW_SECRET, IsCode } from '../auth/codes.js';
import { LIMITS } from '../limits.js';
import { messagesTo } from '../message.js';
import { About, IsName, RequiredText, withIds, withObjects } from '../validation.js';

const auth = messagesTo('auth');
const events = messagesTo('events');

// The host gets an email and replies directly to the writer.

export class HostMessageFields {
  @About('Plain text, 10 to 2,000 characters')
  @RequiredText(LIMITS.hostMessage, 'Message is required')
  @MinLength(LIMITS.hostMessageMin)
  message!: string;
}

export class HostMessageCodeFields extends AddressFields {}

export class VisitorMessageFields extends HostMessageFields {
  @About('Your name')
  @IsName('Name is required')
  name!: string;

  @About('`flow` of the response to the request for the code')
  @Matches(FLOW_SECRET, { message: 'The flow is incomplete', context: { rule: 'isFlow' } })
  flow!: string;

  @About('The six digits in the email', '123456')
  @IsCode()
  code!: string;
}

export class RequestContactRequest extends withObjects(withIds(HostMessageCodeFields, 'eventId'), {
  asker: Asker,
}) {}

/** The response is the same whether or not the address has an account. */
export const RequestContact = auth.public('codes.requestContact', RequestContactRequest)<{ flow: string }>();

export class ConfirmContactRequest extends withObjects(ConfirmRsvpFields, { asker: Asker }) {}

/**
 * Verifies an email address without signing in. The browser can repeat the request until the code expires.
 * @throws CODE_INVALID whatever the reason
 */
export const ConfirmContact = auth.public('codes.confirmContact', ConfirmContactRequest)<{ proof: string }>();

/** The gateway creates `id`, so a repeated request sends only one message. */
export class WriteToHostRequest extends withIds(HostMessageFields, 'eventId', 'id') {}

/**
 * @throws NOT_FOUND if the community doesn't allow messages to hosts
 * @throws EVENT_NOT_FOUND
 * @throws HOST_NOT_REACHABLE
 * @throws ADDRESS_UNPROVED
 * @throws RATE_LIMITED with the seconds to wait
 */
export const WriteToHost = events.member('hostMessages.write', WriteToHostRequest)<void>();

/** `proof` comes from ConfirmContact and is valid for one message. */
export class WriteToHostAsVisitorRequest extends withIds(HostMessageFields, 'eventId', 'proof') {
  @IsName('Name is required')
  name!: string;
}

/**
 * Like WriteToHost, for visitors.
 * @throws CODE_INVALID if the proof isn't valid for this event
 */
export const WriteToHostAsVisitor = events.public(
  'hostMessages.writeAsVisitor',
  WriteToHostAsVisitorRequest,
)<void>();
