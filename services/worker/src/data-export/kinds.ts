import { MAIL_LISTS, ROLES } from '@meetmark/contracts';

type Schema = Readonly<Record<string, unknown>>;

const TEXT = { type: 'string' };
const FLAG = { type: 'boolean' };
const WHOLE = { type: 'integer' };
const ID = { type: 'string', format: 'uuid' };
const TIME = { type: 'string', format: 'date-time' };
const TEXTS = { type: 'array', items: TEXT };
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
const oneOf = (...values: readonly string[]): Schema => ({ enum: values });
const list = (items: Schema): Schema => ({ type: 'array', items });
const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const EVENT_NAME = object({ id: ID, title: TEXT });
const TIMES = { startDate: TIME, endDate: TIME, isAllDay: FLAG, timeZone: orNull(TEXT) };
const PLACE = { format: oneOf('in_person', 'online', 'hybrid'), location: orNull(TEXT) };
const EVENT_STATUS = oneOf('draft', 'published', 'cancelled');

interface Kind {
  /** Database functions that return a JSON object per row. */
  from: string[];
  schema: Schema;
  /** The file contains an object instead of a list. */
  isSingle?: true;
}

/**
 * JSON files of an export. Add a kind of personal data here, with a function like
 * `services/auth/src/database/export_profile.sql`.
 */
export const KINDS: Record<string, Kind> = {
  'profile.json': {
    from: ['auth.export_profile'],
    isSingle: true,
    schema: object({
      ...{ id: ID, email: TEXT, emailVerifiedAt: orNull(TIME) },
      ...{ pendingEmail: orNull(TEXT), pendingEmailSince: orNull(TIME) },
      previousEmails: list(object({ email: TEXT, changedAt: TIME })),
      ...{ firstName: TEXT, lastName: TEXT, description: orNull(TEXT), linkedInUrl: orNull(TEXT) },
      ...{ photo: orNull(TEXT), role: oneOf(...ROLES), hasPassword: FLAG, hasSecondFactor: FLAG },
      ...{ locale: orNull(TEXT), showMe: oneOf('no', 'name', 'linkedin') },
      emails: object(Object.fromEntries(MAIL_LISTS.map((name) => [name, FLAG]))),
      ...{ createdAt: TIME, updatedAt: TIME },
    }),
  },
  'profile-edits.json': {
    from: ['auth.export_profile_edits'],
    schema: object({ at: TIME, changed: TEXTS, byYou: FLAG }),
  },
  'consents.json': {
    from: ['auth.export_consents'],
    schema: object({ page: oneOf('terms', 'privacy'), version: TEXT, acceptedAt: TIME }),
  },
  'second-factors.json': {
    from: ['auth.export_second_factors'],
    schema: object({
      ...{ kind: oneOf('totp', 'passkey'), name: TEXT, createdAt: TIME, lastUsedAt: orNull(TIME) },
    }),
  },
  'sessions.json': {
    from: ['gateway.export_sessions'],
    schema: object({
      ...{ startedAt: TIME, lastUsedAt: orNull(TIME), expiresAt: TIME },
      ...{ device: orNull(TEXT), network: orNull(TEXT) },
    }),
  },
  'security-events.json': {
    from: ['gateway.export_security_events'],
    schema: object({ kind: TEXT, at: TIME }),
  },
  'audit-log.json': {
    from: ['admin.export_audit_entries'],
    schema: object({
      ...{ action: TEXT, at: TIME, byYou: FLAG, aboutYou: FLAG, subject: orNull(TEXT), changed: TEXTS },
    }),
  },
  'registrations.json': {
    from: ['events.export_registrations'],
    schema: object({
      ...{ id: ID, state: oneOf('registered', 'waitlisted', 'cancelled'), registeredAt: TIME },
      ...{ date: orNull(TIME), showMe: oneOf('no', 'name', 'linkedin', 'public') },
      ...{ addedAs: orNull(TEXT), addedWithEmail: orNull(TEXT), paidAt: orNull(TIME) },
      ...{ checkedInAt: orNull(TIME), checkedInBy: orNull(oneOf('door', 'self', 'organiser')) },
      ...{ endedAs: orNull(oneOf('cancelled', 'removed')), endedAt: orNull(TIME) },
      answers: list(object({ question: TEXT, answer: { anyOf: [TEXT, FLAG] } })),
      event: object({
        ...{ id: ID, slug: orNull(TEXT), title: TEXT, ...TIMES, ...PLACE },
        ...{ status: EVENT_STATUS, sequence: WHOLE },
      }),
    }),
  },
  'deleted-events.json': {
    from: ['events.export_deleted_events'],
    schema: object({ id: ID, title: TEXT, location: orNull(TEXT), ...TIMES, deletedAt: TIME }),
  },
  'calendar-feed.json': {
    from: ['events.export_calendar_feed'],
    schema: object({ createdAt: TIME }),
  },
  'topics.json': {
    from: ['events.export_topics'],
    schema: object({ slug: TEXT, name: TEXT, followedAt: TIME }),
  },
  'proposals.json': {
    from: ['events.export_proposals'],
    schema: object({
      ...{ id: ID, title: TEXT, description: orNull(TEXT), startDate: TIME, endDate: TIME },
      ...{ proposedAt: TIME, decidedAt: orNull(TIME), reply: orNull(TEXT), eventId: orNull(ID) },
    }),
  },
  'events.json': {
    from: ['events.export_events'],
    schema: object({
      ...{ id: ID, slug: orNull(TEXT), title: TEXT, description: orNull(TEXT) },
      ...{ descriptionFormat: oneOf('plain', 'markdown'), ...TIMES, ...PLACE },
      ...{ price: orNull({ type: 'number' }), capacity: orNull(WHOLE), status: EVENT_STATUS },
      ...{ visibility: oneOf('public', 'unlisted'), image: orNull(TEXT), createdAt: TIME, updatedAt: TIME },
    }),
  },
  'event-edits.json': {
    from: ['events.export_event_edits'],
    schema: object({ event: EVENT_NAME, at: TIME, changed: TEXTS }),
  },
  'event-roles.json': {
    from: ['events.export_event_roles'],
    schema: object({
      ...{ event: EVENT_NAME, role: oneOf('host', 'speaker'), title: orNull(TEXT), bio: orNull(TEXT) },
      ...{ notifiedAt: orNull(TIME), agreedAt: orNull(TIME), manages: FLAG, managesAgreedAt: orNull(TIME) },
    }),
  },
  'messages.json': {
    from: ['events.export_messages'],
    schema: object({
      ...{ event: EVENT_NAME, to: TEXT, subject: TEXT, body: TEXT, state: TEXT },
      ...{ sendAt: orNull(TIME), createdAt: TIME },
    }),
  },
  'received-messages.json': {
    from: ['events.export_received_messages'],
    schema: object({ event: EVENT_NAME, subject: TEXT, body: TEXT, state: TEXT, at: orNull(TIME) }),
  },
  'host-messages.json': {
    from: ['events.export_host_messages'],
    schema: object({
      ...{ event: EVENT_NAME, name: orNull(TEXT), email: orNull(TEXT), body: orNull(TEXT), writtenAt: TIME },
    }),
  },
  'emails.json': {
    from: ['auth.export_emails', 'events.export_event_emails'],
    schema: object({
      ...{ kind: TEXT, queuedAt: TIME, endedAt: orNull(TIME) },
      outcome: oneOf('waiting', 'sent', 'not-needed', 'failed'),
    }),
  },
};

/** Functions that return the name and the bytes of each image. */
export const PICTURES = ['auth.export_picture', 'events.export_pictures'];

/** Each property describes the JSON file of that name. */
export const DATA_EXPORT_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Meetmark data export',
  ...object(
    Object.fromEntries(
      Object.entries(KINDS).map(([file, { schema, isSingle }]) => [file, isSingle ? schema : list(schema)]),
    ),
  ),
};
