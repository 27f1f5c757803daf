interface ErrorEntry {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 421 | 422 | 429 | 500 | 503;
  readonly message: string;
}

/** The OpenAPI document is generated from this list. */
export const ERRORS = {
  VALIDATION_FAILED: { status: 400, message: 'Some fields are not valid' },
  MALFORMED_JSON: { status: 400, message: 'The body is not valid JSON' },
  MALFORMED_TEXT: {
    status: 400,
    message: 'The request cannot be read: it is not valid HTTP, or contains invalid UTF-8 or a NUL character',
  },
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
    message: 'This link no longer works. Ask the operator for a new one.',
  },
  SETTINGS_UNUSABLE: {
    status: 400,
    message: 'The site can’t be shown with these settings, so nothing was changed',
  },
  DATE_RANGE_INVALID: { status: 400, message: 'End date and time must be after start date and time' },
  SECOND_FACTOR_INVALID: {
    status: 400,
    message: 'This couldn’t be confirmed. Please start again.',
  },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized: sign in to continue' },
  DOOR_LINK_ENDED: {
    status: 401,
    message: 'This door link no longer works. Ask the organisers for a new one.',
  },
  CREDENTIALS_INCORRECT: { status: 401, message: 'Incorrect email or password' },
  SECOND_FACTOR_REQUIRED: { status: 401, message: 'A second step is needed to sign in' },
  SECOND_FACTOR_INCORRECT: { status: 401, message: 'That didn’t work. Please try again.' },
  SECOND_FACTOR_EXPIRED: { status: 401, message: 'This sign-in has expired. Please start again.' },
  SECOND_FACTOR_SETUP_REQUIRED: {
    status: 403,
    message: 'Set up a second factor to use your admin rights',
  },
  CONSENT_REQUIRED: { status: 403, message: 'Accept the current legal pages to continue' },
  FRESH_SIGN_IN_REQUIRED: { status: 403, message: 'Confirm that it’s you to continue' },
  FORBIDDEN: { status: 403, message: 'Forbidden: your account isn’t allowed to do this' },
  CROSS_SITE: { status: 403, message: 'Forbidden: the request came from another site' },
  ACCOUNT_CLOSED: { status: 403, message: 'This account is closed and will be deleted soon' },
  OWN_ACCOUNT: { status: 403, message: 'You cannot do this to your own account' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  EVENT_NOT_FOUND: { status: 404, message: 'Event not found' },
  ROLE_NOT_FOUND: { status: 404, message: 'You’re not listed as a host or speaker of this event' },
  MESSAGE_NOT_FOUND: { status: 404, message: 'Message not found' },
  NOT_WAITING: { status: 404, message: 'This person is not on the waiting list' },
  NOT_REGISTERED: { status: 404, message: 'You are not registered for this event' },
  DOOR_LINK_NOT_FOUND: { status: 404, message: 'Door link not found' },
  GUEST_NOT_FOUND: { status: 404, message: 'This person is not on the guest list' },
  PROPOSAL_NOT_FOUND: { status: 404, message: 'Open proposal not found' },
  IMPORT_NOT_FOUND: { status: 404, message: 'Import not found' },
  IMPORT_URLS_OFF: { status: 404, message: 'Importing from URLs is turned off on this site' },
  TOPIC_NOT_FOUND: { status: 404, message: 'Topic not found' },
  USER_NOT_FOUND: { status: 404, message: 'User not found' },
  PICTURE_NOT_FOUND: { status: 404, message: 'Image not found' },
  CALENDAR_NOT_FOUND: { status: 404, message: 'Calendar not found' },
  DATA_EXPORT_NOT_FOUND: {
    status: 404,
    message: 'There’s no download. It may have expired: ask for your data again.',
  },
  UNSUBSCRIBE_LINK_INVALID: {
    status: 404,
    message: 'This link is incomplete or no longer valid. You can choose your emails in your settings.',
  },
  SUBSCRIPTION_LINK_INVALID: {
    status: 404,
    message: 'This link is incomplete or no longer valid. Please sign up again.',
  },
  SECOND_FACTOR_NOT_FOUND: { status: 404, message: 'Second factor not found' },
  SESSION_NOT_FOUND: { status: 404, message: 'Session not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This URL doesn’t support this HTTP method' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time' },
  LEGAL_PAGE_CHANGED: { status: 409, message: 'This page has just changed. Please read it again.' },
  SECOND_FACTOR_LIMIT: { status: 409, message: 'An account can have at most 10 second factors' },
  ALREADY_SIGNED_IN: { status: 409, message: 'You’re signed in. Register with your account.' },
  EMAIL_EXISTS: { status: 409, message: 'A user with this email address already exists' },
  EMAIL_TAKEN: { status: 409, message: 'This email address is already taken' },
  EMAIL_VERIFIED: { status: 409, message: 'This email address is already verified' },
  EMAIL_PROOF_REQUIRED: {
    status: 409,
    message: 'Confirm your email address before you add a second factor',
  },
  ADDRESS_NOT_VERIFIED: {
    status: 409,
    message: 'Confirm your email address to register for this event',
  },
  ADDRESS_UNPROVED: { status: 409, message: 'Confirm your email address to write to the host' },
  HOST_NOT_REACHABLE: { status: 409, message: 'The host of this event no longer accepts messages' },
  EVENT_FULL: { status: 409, message: 'This event is at full capacity' },
  REGISTRATION_CLOSED: { status: 409, message: 'Registration is closed: this event has already started' },
  REGISTRATION_NOT_OPEN: { status: 409, message: 'Registration for this event has not opened yet' },
  REGISTRATION_ENDED: { status: 409, message: 'Registration for this event has closed' },
  CHECK_IN_CLOSED: { status: 409, message: 'Check-in is open from 2 hours before the start until the end' },
  EVENT_CANCELLED: { status: 409, message: 'This event has been cancelled' },
  EVENT_NOT_PUBLISHED: { status: 409, message: 'This event has not been published yet' },
  GUEST_EXISTS: { status: 409, message: 'Someone with this email address is already on the guest list' },
  MESSAGE_WITHOUT_RECIPIENTS: { status: 409, message: 'There’s nobody in this group to message' },
  DOOR_MAIL_LIMIT: {
    status: 409,
    message:
      '20 email addresses have been entered with this door link today. Add this guest without an email address.',
  },
  DOOR_LINK_LIMIT: { status: 409, message: 'This event has 20 door links. End one to make another.' },
  MESSAGE_LIMIT: { status: 409, message: 'You can send at most 3 messages per event within 24 hours' },
  MESSAGE_SENT: { status: 409, message: 'This message has been sent or cancelled, so it can’t be changed' },
  DRAFT_LIMIT: {
    status: 409,
    message: 'An organiser can have at most 200 drafts. Publish or delete one to add another.',
  },
  PROPOSAL_LIMIT: { status: 409, message: 'You can have at most three open proposals at a time' },
  IMPORT_STARTED: {
    status: 409,
    message: 'This import has already started. Start a new one to import other rows.',
  },
  IMPORT_UNDONE: { status: 409, message: 'This import was undone. Start a new one to import the file.' },
  TOPIC_LIMIT: { status: 409, message: 'A community can have at most 12 topics' },
  TOPIC_EXISTS: { status: 409, message: 'A topic with this name or URL already exists' },
  SLUG_TAKEN: { status: 409, message: 'Another event uses this link, or used it before' },
  SERIES_EXISTS: { status: 409, message: 'This event is already part of a series' },
  EVENT_IS_DRAFT: { status: 409, message: 'A draft can’t be cancelled. Delete it instead.' },
  WAITLIST_NOT_EMPTY: {
    status: 409,
    message:
      'People are on the waiting list. Choose whether they get a place or are notified that the list has ended.',
  },
  CAPACITY_BELOW_REGISTERED: {
    status: 409,
    message: 'Capacity can’t be below the number of people registered',
  },
  NOT_SET_UP: { status: 409, message: 'Nobody can sign up yet because this community hasn’t been set up' },
  SETTING_LOCKED: {
    status: 409,
    message: 'This setting is set by the installation and can’t be changed here',
  },
  QUESTION_ANSWERED: {
    status: 409,
    message: 'Someone has answered this question, so you can’t remove it or change its type or options',
  },
  EDIT_CONFLICT: { status: 409, message: 'This has been changed since you opened it' },
  LAST_ADMINISTRATOR: { status: 409, message: 'At least one admin must remain' },
  IDEMPOTENCY_CONFLICT: { status: 409, message: 'This Idempotency-Key was used with a different request' },
  REQUEST_IN_PROGRESS: { status: 409, message: 'A request with this Idempotency-Key is still in progress' },
  BODY_TOO_LARGE: { status: 413, message: 'The body is too large' },
  PICTURE_TOO_LARGE: {
    status: 413,
    message:
      'The image is too large: at most 5 MB, 16 megapixels (4 as AVIF, interlaced PNG or progressive JPEG) and 64 MB unpacked',
  },
  NOT_JSON: { status: 415, message: 'The body must be JSON' },
  PICTURE_TYPE: { status: 415, message: 'The image must be a PNG, JPEG, WebP, GIF or AVIF file' },
  PICTURE_BROKEN: { status: 422, message: 'The image couldn’t be read' },
  IMPORT_URL_UNREADABLE: {
    status: 422,
    message: 'We couldn’t load this URL. It must link directly to a public file of up to 5 MB.',
  },
  HOST_UNKNOWN: { status: 421, message: 'The host name in the URL doesn’t belong to this site' },
  RATE_LIMITED: { status: 429, message: 'Too many requests: try again later' },
  INTERNAL: { status: 500, message: 'Something went wrong on our side' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service is not available at the moment: try again shortly',
  },
  SERVICE_OVERLOADED: { status: 503, message: 'The service is busy: try again shortly' },
  DEADLINE_EXCEEDED: { status: 503, message: 'The service took too long to answer: try again shortly' },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** Error messages by field name. Names of nested fields contain dots. */
export type FieldErrors = Record<string, string[]>;

export interface FieldRule {
  /** Stable name, such as `required`, `unknown`, `isEmail` or `maxLength`. */
  rule: string;
  limit?: number;
  values?: string[];
}

export interface Edit {
  /** Null for a deleted account, or for an administrator whose name the reader may not see. */
  by: string | null;
  own: boolean;
  at: string;
  changed: string[];
}

export interface ErrorDetails {
  /** With SLUG_TAKEN: the message for the field `slug`. */
  fields?: FieldErrors;
  rules?: Record<string, FieldRule>;
  registered?: number;
  /** With WAITLIST_NOT_EMPTY, and with EVENT_FULL for organisers. */
  waiting?: number;
  question?: string;
  /** With EDIT_CONFLICT: changes since the given version, latest first, at most a month old. */
  edits?: Edit[];
  /** With EDIT_CONFLICT: the current version, in the format of its route. */
  present?: object;
  locked?: string[];
  /** Seconds. With status 429 or 503. */
  retryAfter?: number;
  allow?: string[];
  /** With status 503: whether the request may have been executed. */
  outcome?: 'not-started' | 'unknown';
  methods?: ('totp' | 'passkey' | 'recovery')[];
  /** With ACCOUNT_CLOSED: when the account will be deleted. */
  deletedAt?: string;
}

/**
 * An error that clients may see. Processes send it to each other as `{code, details}`. For any other error,
 * clients get INTERNAL.
 */
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

/** Each `rule` completes a sentence that starts with the field's name, such as 'cannot be empty'. */
export const invalidFields = (...problems: [field: string, rule: string][]): DomainError =>
  new DomainError('VALIDATION_FAILED', {
    fields: Object.fromEntries(problems.map(([field, rule]) => [field, [`${field} ${rule}`]])),
  });

export interface ErrorBody {
  statusCode: number;
  code: ErrorCode;
  message: string;
  details?: ErrorDetails;
  requestId: string;
}
