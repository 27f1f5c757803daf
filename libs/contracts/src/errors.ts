import type { EventPage } from './event-content.js';
import type { Settings } from './settings.js';
import type { User } from './users.js';

interface ErrorEntry {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 421 | 422 | 429 | 500 | 503;
  /** For people, always the same; what differs from case to case stands in ErrorDetails. */
  readonly message: string;
}

/** Every refusal that a caller can meet. A code without a sentence does not compile; the OpenAPI document is made from this. */
export const ERRORS = {
  // 400
  VALIDATION_FAILED: { status: 400, message: 'Some fields are not valid' },
  MALFORMED_JSON: { status: 400, message: 'The body is not valid JSON' },
  MALFORMED_TEXT: { status: 400, message: 'The request contains text that is not valid UTF-8' },
  MALFORMED_ID: { status: 400, message: 'The id is not valid' },
  MALFORMED_CURSOR: { status: 400, message: 'The cursor is not valid' },
  BODY_TOO_DEEP: { status: 400, message: 'The body is nested too deeply' },
  OUT_OF_RANGE: { status: 400, message: 'A value is out of range' },
  ID_MISMATCH: { status: 400, message: 'The id in the body differs from the one in the path' },
  CURRENT_PASSWORD_INCORRECT: { status: 400, message: 'Current password is incorrect' },
  PASSWORD_UNCHANGED: { status: 400, message: 'New password must be different from the current password' },
  PASSWORD_TOO_SHORT: { status: 400, message: 'New password must be at least 6 characters long' },
  CODE_INVALID: { status: 400, message: 'Invalid or expired code' },
  RESET_CODE_INVALID: { status: 400, message: 'Invalid or expired reset code' },
  SETUP_LINK_INVALID: {
    status: 400,
    message: 'This link does not work any more: ask the operator for another',
  },
  SETTINGS_UNUSABLE: {
    status: 400,
    message: 'The site could not be shown with these settings: nothing was changed',
  },
  DATE_RANGE_INVALID: { status: 400, message: 'End date and time must be after start date and time' },
  SECOND_FACTOR_INVALID: {
    status: 400,
    message: 'This could not be confirmed: begin again and try once more',
  },
  // 401, 403
  UNAUTHORIZED: { status: 401, message: 'Unauthorized: sign in to continue' },
  DOOR_LINK_ENDED: {
    status: 401,
    message: 'This door link does not work any more: ask the organisers for another',
  },
  CREDENTIALS_INCORRECT: { status: 401, message: 'Incorrect email or password' },
  SECOND_FACTOR_REQUIRED: { status: 401, message: 'A second step is needed to sign in' },
  SECOND_FACTOR_INCORRECT: { status: 401, message: 'This is not right. Please try again.' },
  SECOND_FACTOR_EXPIRED: { status: 401, message: 'This sign-in has expired: begin again' },
  SECOND_FACTOR_SETUP_REQUIRED: {
    status: 403,
    message: 'Set up a second factor to use the rights of an admin',
  },
  FRESH_SIGN_IN_REQUIRED: { status: 403, message: 'Confirm that it is you to do this' },
  FORBIDDEN: { status: 403, message: 'Forbidden: your account does not have the right to do this' },
  CROSS_SITE: { status: 403, message: 'Forbidden: the request comes from another site' },
  OWN_ACCOUNT: { status: 403, message: 'You cannot do this to your own account' },
  // 404
  NOT_FOUND: { status: 404, message: 'Not found' },
  EVENT_NOT_FOUND: { status: 404, message: 'Event not found' },
  ROLE_NOT_FOUND: { status: 404, message: 'You are not named in this event' },
  MESSAGE_NOT_FOUND: { status: 404, message: 'Message not found' },
  NOT_WAITING: { status: 404, message: 'This person is not on the waiting list' },
  NOT_REGISTERED: { status: 404, message: 'You are not registered for this event' },
  DOOR_LINK_NOT_FOUND: { status: 404, message: 'Door link not found' },
  GUEST_NOT_FOUND: { status: 404, message: 'This person is not on the guest list' },
  PROPOSAL_NOT_FOUND: { status: 404, message: 'There is no such open proposal' },
  TOPIC_NOT_FOUND: { status: 404, message: 'There is no such topic' },
  USER_NOT_FOUND: { status: 404, message: 'User not found' },
  PICTURE_NOT_FOUND: { status: 404, message: 'Picture not found' },
  CALENDAR_NOT_FOUND: { status: 404, message: 'Calendar not found' },
  UNSUBSCRIBE_LINK_INVALID: {
    status: 404,
    message: 'This link is not complete or no longer valid. You can choose your mails in your settings.',
  },
  SUBSCRIPTION_LINK_INVALID: {
    status: 404,
    message: 'This link is not complete or no longer valid. Please sign up once more.',
  },
  SECOND_FACTOR_NOT_FOUND: { status: 404, message: 'Second factor not found' },
  SESSION_NOT_FOUND: { status: 404, message: 'Session not found' },
  // 405
  METHOD_NOT_ALLOWED: { status: 405, message: 'This address cannot be asked in this way' },
  // 408
  REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time' },
  // 409
  SECOND_FACTOR_LIMIT: { status: 409, message: 'An account can have at most 10 second factors' },
  ALREADY_SIGNED_IN: { status: 409, message: 'You are signed in: register with your account' },
  EMAIL_EXISTS: { status: 409, message: 'A user with this email address already exists' },
  EMAIL_TAKEN: { status: 409, message: 'This email address is already taken' },
  EMAIL_VERIFIED: { status: 409, message: 'This email address is verified already' },
  EMAIL_PROOF_REQUIRED: {
    status: 409,
    message: 'Confirm your email address before you add a second factor',
  },
  EMAIL_UNVERIFIED: {
    status: 409,
    message: 'Verify your email address to register for more than 5 upcoming events',
  },
  ADDRESS_NOT_VERIFIED: {
    status: 409,
    message: 'Confirm your email address to take a place at this event',
  },
  ADDRESS_UNPROVED: { status: 409, message: 'Confirm your email address to write to the host' },
  HOST_NOT_REACHABLE: { status: 409, message: 'The host of this event takes no messages any more' },
  EVENT_FULL: { status: 409, message: 'This event is at full capacity' },
  REGISTRATION_CLOSED: { status: 409, message: 'Registration is closed: this event has already started' },
  REGISTRATION_NOT_OPEN: { status: 409, message: 'Registration for this event has not opened yet' },
  REGISTRATION_ENDED: { status: 409, message: 'Registration for this event has closed' },
  CHECK_IN_CLOSED: { status: 409, message: 'Check-in is open from 2 hours before the start until the end' },
  EVENT_CANCELLED: { status: 409, message: 'This event has been cancelled' },
  EVENT_NOT_PUBLISHED: { status: 409, message: 'This event has not been published yet' },
  GUEST_EXISTS: { status: 409, message: 'Somebody with this email address is on the guest list already' },
  MESSAGE_WITHOUT_RECIPIENTS: { status: 409, message: 'There is nobody in this group to write to' },
  DOOR_MAIL_LIMIT: {
    status: 409,
    message: 'This door link has named 20 addresses today: let them in without an address',
  },
  DOOR_LINK_LIMIT: { status: 409, message: 'This event has 20 door links: end one to make another' },
  MESSAGE_LIMIT: { status: 409, message: 'At most 3 messages of an event can be sent within 24 hours' },
  MESSAGE_SENT: { status: 409, message: 'This message has been sent or cancelled: it cannot be changed' },
  PROPOSAL_LIMIT: { status: 409, message: 'At most three of your proposals can be open at a time' },
  TOPIC_LIMIT: { status: 409, message: 'A community can have at most 12 topics' },
  TOPIC_EXISTS: { status: 409, message: 'There is a topic with this name or address already' },
  SLUG_TAKEN: { status: 409, message: 'Another event has, or had, this address' },
  SERIES_EXISTS: { status: 409, message: 'This event is part of a series already' },
  EVENT_IS_DRAFT: { status: 409, message: 'A draft cannot be cancelled: delete it instead' },
  WAITLIST_NOT_EMPTY: {
    status: 409,
    message: 'People are on the waiting list: say whether they get a place or are told that it has ended',
  },
  CAPACITY_BELOW_REGISTERED: {
    status: 409,
    message: 'Capacity cannot be below the number of people registered',
  },
  NOT_SET_UP: { status: 409, message: 'Nobody can sign up yet: this community has not been set up' },
  SETTING_LOCKED: {
    status: 409,
    message: 'This setting is fixed by the installation and cannot be changed here',
  },
  QUESTION_ANSWERED: {
    status: 409,
    message: 'Somebody has answered this question: it cannot be removed, nor its kind or options',
  },
  EDIT_CONFLICT: { status: 409, message: 'This has been changed since you opened it' },
  /** Of auth of 1.0.0; this version's hands the events over. Goes when 1.1 is the version before. */
  USER_HAS_EVENTS: { status: 409, message: 'This user has events that must be handed over first' },
  LAST_ADMINISTRATOR: { status: 409, message: 'At least one admin must remain' },
  IDEMPOTENCY_CONFLICT: { status: 409, message: 'This Idempotency-Key was used with a different request' },
  REQUEST_IN_PROGRESS: { status: 409, message: 'A request with this Idempotency-Key is still in progress' },
  // 413, 415, 422
  BODY_TOO_LARGE: { status: 413, message: 'The body is too large' },
  PICTURE_TOO_LARGE: {
    status: 413,
    message:
      'The picture is too large: at most 5 MB, 16 megapixels (4 as AVIF, interlaced PNG or progressive JPEG) and 64 MB unpacked',
  },
  NOT_JSON: { status: 415, message: 'The body must be JSON' },
  PICTURE_TYPE: { status: 415, message: 'The picture must be a PNG, JPEG, WebP, GIF or AVIF file' },
  PICTURE_BROKEN: { status: 422, message: 'The picture could not be read' },
  // 421
  HOST_UNKNOWN: { status: 421, message: 'This site is not known by the name in the address' },
  // 429
  RATE_LIMITED: { status: 429, message: 'Too many requests: try again later' },
  // 500, 503
  INTERNAL: { status: 500, message: 'Something went wrong on our side' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service is not available at the moment: try again shortly',
  },
  SERVICE_OVERLOADED: { status: 503, message: 'The service is busy: try again shortly' },
  DEADLINE_EXCEEDED: { status: 503, message: 'The service took too long to answer: try again shortly' },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** Field name (dotted when nested) to what is wrong with it, in one sentence. */
export type FieldErrors = Record<string, string[]>;

/** The rule that a field breaks, for clients that word it themselves. */
export interface FieldRule {
  /** A stable name: `required`, `unknown`, `isEmail`, `maxLength`. */
  rule: string;
  /** The figure of the rule: characters, items, or the number itself. */
  limit?: number;
  /** The values that `isIn` allows. */
  values?: string[];
}

/** A change that was made since a form was opened. */
export interface Edit {
  /** Null: an administrator, whom the reader is not to know by name or whose account is gone. */
  by: string | null;
  /** Whether the reader made it, elsewhere. */
  own: boolean;
  at: string;
  /** Names of the fields, as the API calls them. */
  changed: string[];
}

export interface ErrorDetails {
  /** With VALIDATION_FAILED: each field that is wrong; with SLUG_TAKEN: the one that is taken. */
  fields?: FieldErrors;
  /** With VALIDATION_FAILED: the rules of those of them that a rule of their own refuses. */
  rules?: Record<string, FieldRule>;
  /** With CAPACITY_BELOW_REGISTERED: how many are registered. */
  registered?: number;
  /** With WAITLIST_NOT_EMPTY, and EVENT_FULL to organisers: how many wait. */
  waiting?: number;
  /** With QUESTION_ANSWERED: its label. */
  question?: string;
  /** With EDIT_CONFLICT: what was changed since the version that was sent, the latest first, as far back as a month. */
  edits?: Edit[];
  /** With EDIT_CONFLICT: the event, user or settings as they are now. */
  present?: EventPage | User | Settings;
  /** With SETTING_LOCKED: their names. */
  locked?: string[];
  /** With 429 and 503: seconds. */
  retryAfter?: number;
  /** With METHOD_NOT_ALLOWED: what the address takes. */
  allow?: string[];
  /** With 503: whether the request may have been carried out. */
  outcome?: 'not-started' | 'unknown';
  /** With SECOND_FACTOR_REQUIRED: how the second step can be taken. */
  methods?: ('totp' | 'passkey' | 'recovery')[];
}

/** A refusal that may be shown to the caller. Crosses processes as `{code, details}`; anything else thrown becomes INTERNAL. */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly details?: ErrorDetails,
    options?: ErrorOptions,
  ) {
    super(ERRORS[code].message, options);
    this.name = 'DomainError';
  }
}

/** The refusal of fields for what their own rules do not see; each problem reads after the name of its field. */
export const invalidFields = (...problems: [field: string, rule: string][]): DomainError =>
  new DomainError('VALIDATION_FAILED', {
    fields: Object.fromEntries(problems.map(([field, rule]) => [field, [`${field} ${rule}`]])),
  });

/** The body of every answer that is not a success. */
export interface ErrorBody {
  statusCode: number;
  code: ErrorCode;
  message: string;
  details?: ErrorDetails;
  requestId: string;
}
