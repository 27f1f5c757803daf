import { ERRORS, EVENT_FORMATS, FLOW_PURPOSES } from '@meetmark/contracts';
import type {
  ActivityDay,
  AddedFactor,
  Attendee,
  AuditEntry,
  CalendarFeed,
  Edit,
  Community,
  Confirmation,
  ErrorBody,
  ErrorDetails,
  Event,
  FlowState,
  MailList,
  MailListState,
  MailPreferences,
  MailStatus,
  OwnSession,
  ProcessStatus,
  QueueStatus,
  SecurityEvent,
  Registration,
  RegistrationAnswer,
  RegistrationCount,
  RegistrationWithMember,
  SecondFactor,
  SecondFactors,
  RevertedEmail,
  Sponsor,
  Summary,
  SystemStatus,
  User,
} from '@meetmark/contracts';
import type { JsonSchema } from './request-schema.js';

/** An object with exactly the properties of its TypeScript type: a property that is added there and not here does not compile. */
const object = <T>(
  properties: { [Name in keyof Required<T>]: JsonSchema },
  optional: (keyof T)[] = [],
): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name as keyof T)),
});

const text: JsonSchema = { type: 'string' };
const textOrNull: JsonSchema = { type: ['string', 'null'] };
const id: JsonSchema = { type: 'string', format: 'uuid' };
const idOrNull: JsonSchema = { type: ['string', 'null'], format: 'uuid' };
const moment: JsonSchema = { type: 'string', format: 'date-time' };
const momentOrNull: JsonSchema = { type: ['string', 'null'], format: 'date-time' };
const count: JsonSchema = { type: 'integer', minimum: 0 };
const version: JsonSchema = {
  type: 'integer',
  minimum: 1,
  description: 'Raised by every change; sent back with a change',
};
const flag: JsonSchema = { type: 'boolean' };
const picture: JsonSchema = {
  type: ['string', 'null'],
  description: 'Immutable address on this site, or null',
};
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

const person = { id, firstName: text, lastName: text, profileImageUrl: picture };
const secondFactor = {
  id,
  kind: { type: 'string', enum: ['totp', 'passkey'] },
  name: text,
  createdAt: moment,
  lastUsedAt: momentOrNull,
};
const registration = {
  id,
  userId: id,
  selectedDate: momentOrNull,
  registeredAt: moment,
  status: { type: 'string', enum: ['registered', 'cancelled'] },
};

/** Every shape that an answer can have. */
export const ANSWER_SCHEMAS = {
  User: object<User>({
    ...person,
    email: text,
    description: textOrNull,
    linkedInUrl: textOrNull,
    isAdmin: flag,
    hasSecondFactor: flag,
    emailVerifiedAt: {
      ...momentOrNull,
      description: 'Null until somebody has shown that the address is theirs',
    },
    pendingEmail: { ...textOrNull, description: 'The address that the account has once it is confirmed' },
    hasPassword: flag,
    createdAt: moment,
    updatedAt: moment,
    version,
  }),
  SecondFactor: object<SecondFactor>(secondFactor),
  SecondFactors: object<SecondFactors>({
    factors: list(ref('SecondFactor')),
    recoveryCodesLeft: count,
    required: flag,
  }),
  AddedFactor: object<AddedFactor>({
    factor: ref('SecondFactor'),
    recoveryCodes: { type: ['array', 'null'], items: text, description: 'With the first factor; shown once' },
  }),
  RecoveryCodes: object<{ recoveryCodes: string[] }>({ recoveryCodes: list(text) }),
  TotpSetup: object<{ secret: string; uri: string }>({ secret: text, uri: text }),
  PasskeyOptions: {
    type: 'object',
    additionalProperties: true,
    description: 'Options of the Web Authentication API',
  },
  OwnSession: object<OwnSession>({
    id,
    current: flag,
    device: textOrNull,
    network: textOrNull,
    createdAt: moment,
    lastUsedAt: moment,
  }),
  Confirmation: object<Confirmation>({
    purpose: { type: 'string', enum: FLOW_PURPOSES },
    user: {
      oneOf: [ref('User'), { type: 'null' }],
      description: 'Null when this browser is not signed in to the account',
    },
    next: {
      type: ['string', 'null'],
      enum: ['new-address', null],
      description: 'A code is on its way to the new address',
    },
    passwordEnded: { ...flag, description: 'The password and the sessions set before have ended' },
  }),
  FlowState: object<FlowState>({ status: { type: 'string', enum: ['open', 'confirmed', 'none'] } }),
  RevertedEmail: object<RevertedEmail>({
    email: text,
    resetToken: { ...text, description: 'Chooses the new password, as the token of POST /api/confirm/link' },
  }),
  MailPreferences: object<MailPreferences>({ eventUpdates: flag, reminders: flag }),
  MailListState: object<MailListState>({
    list: { type: 'string', enum: ['eventUpdates', 'reminders'] satisfies MailList[] },
    subscribed: flag,
  }),
  Event: object<Event>({
    id,
    title: text,
    description: textOrNull,
    startDate: moment,
    endDate: moment,
    location: textOrNull,
    format: { type: 'string', enum: EVENT_FORMATS },
    isAllDay: flag,
    bannerImageUrl: picture,
    price: { type: ['string', 'null'], description: "Decimal such as '12.50'; null is free" },
    capacity: { type: ['integer', 'null'], minimum: 1 },
    createdById: id,
    createdAt: moment,
    updatedAt: moment,
    version,
    registrationCount: count,
    registrations: { ...list(ref('Registration')), description: "The caller's own, if any" },
  }),
  Registration: object<Registration>(registration),
  RegistrationAnswer: object<RegistrationAnswer>({ message: text, registration: ref('Registration') }),
  RegistrationWithMember: object<RegistrationWithMember>({
    ...registration,
    member: object<RegistrationWithMember['member']>({ ...person, email: text }),
  }),
  RegistrationCount: object<RegistrationCount>({ count }),
  Attendee: object<Attendee>({ ...person, linkedInUrl: textOrNull }),
  CalendarFeed: {
    ...object<CalendarFeed & { url?: string }>({ createdAt: moment, url: text }, ['url']),
    description: 'The address is shown once, when the feed is made',
  },
  Summary: object<Summary>({
    totalEvents: count,
    eventsThisMonth: count,
    upcomingEvents: count,
    nextEvents: list(ref('Event')),
    totalUsers: count,
    newUsers: count,
  }),
  ActivityDay: object<ActivityDay>({ name: text, registrations: count }),
  AuditEntry: object<AuditEntry>({
    id,
    action: text,
    actorId: id,
    actorName: text,
    subjectId: idOrNull,
    subjectName: textOrNull,
    changed: list(text),
    at: moment,
  }),
  SecurityEvent: object<SecurityEvent>({
    id,
    kind: text,
    account: textOrNull,
    network: text,
    requestId: text,
    at: moment,
  }),
  SystemStatus: object<SystemStatus>({
    processes: list(object<ProcessStatus>({ name: text, replicas: count })),
    queues: list(
      object<QueueStatus>({
        name: text,
        waiting: count,
        active: count,
        delayed: count,
        failed: count,
        oldestWaiting: { type: ['number', 'null'] },
      }),
    ),
    lastMails: list(
      object<MailStatus>({
        id,
        kind: text,
        state: { type: 'string', enum: ['waiting', 'sent', 'skipped', 'failing'] },
        createdAt: moment,
        sentAt: momentOrNull,
        attempts: count,
        recipient: textOrNull,
        lastError: textOrNull,
      }),
    ),
    lastSchedulerTick: momentOrNull,
  }),
  Community: object<Community>({
    name: text,
    tagline: text,
    supportEmail: text,
    linkedInUrl: text,
    sponsors: list(object<Sponsor>({ name: text, logoUrl: text, url: text })),
    copyrightYear: { type: 'integer' },
    currency: text,
    timeZone: text,
    locale: text,
  }),
  Notice: object<{ message: string }>({ message: text }),
  Error: object<ErrorBody>(
    {
      statusCode: { type: 'integer' },
      code: { type: 'string', enum: Object.keys(ERRORS) },
      message: text,
      details: object<ErrorDetails>(
        {
          fields: { type: 'object', additionalProperties: list(text) },
          registered: count,
          retryAfter: { type: 'integer', minimum: 1 },
          allow: list(text),
          present: { anyOf: [ref('Event'), ref('User')] },
          edits: list(
            object<Edit>({
              by: { ...textOrNull, description: 'Null: an administrator' },
              own: flag,
              at: moment,
              changed: list(text),
            }),
          ),
          outcome: { type: 'string', enum: ['not-started', 'unknown'] },
          methods: { type: 'array', items: { type: 'string', enum: ['totp', 'passkey', 'recovery'] } },
        },
        ['fields', 'registered', 'retryAfter', 'allow', 'present', 'edits', 'outcome', 'methods'],
      ),
      requestId: text,
    },
    ['details'],
  ),
} satisfies Record<string, JsonSchema>;

export type AnswerName = keyof typeof ANSWER_SCHEMAS;
