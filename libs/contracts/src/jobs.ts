import type { AuditAction, AuditValues } from './admin/audit.js';
import type { EventRoleName } from './events/event-content.js';
import type { RepliesTo } from './events/event-messages.js';
import type { Event } from './events/events.js';
import type { NotifiedChange, ShownState } from './events/notified-changes.js';

/** Bulk email has its own queues, so that it doesn't delay email that people wait for. */
export const QUEUES = ['mail', 'messages', 'announcements', 'activity', 'housekeeping', 'audit'] as const;
export type QueueName = (typeof QUEUES)[number];

export interface Job<Payload extends object = object> {
  readonly queue: QueueName;
  readonly name: string;
  /** Exists only as a type and is never set. */
  readonly payload?: Payload;
}

const registry = new Map<string, Job>();

function defineJob<Payload extends object>(queue: QueueName, name: string): Job<Payload> {
  const job = { queue, name };
  if (registry.has(name)) throw new Error(`job ${name} is declared twice`);
  registry.set(name, job);
  return job;
}

/** The worker doesn't start unless each job has a handler. */
export const allJobs = (): Job[] => [...registry.values()];

export type PayloadOf<J> = J extends Job<infer P> ? P : never;

interface UserPayload {
  userId: string;
}
interface RegistrationPayload {
  registrationId: string;
  /** The job is obsolete if the person has registered again after this time. */
  registeredAt: string;
}

export const WelcomeMail = defineJob<UserPayload & { passwordEnded?: boolean }>('mail', 'mail.welcome');
export const SecondFactorMail = defineJob<
  UserPayload & {
    change: 'added' | 'removed' | 'all-removed' | 'recovery-code-used';
    factor: string | null;
    at: string;
  }
>('mail', 'mail.secondFactor');
/** The payload contains no code. The worker decrypts the code when it writes the email. */
export const CodeMail = defineJob<{ flowId: string }>('mail', 'mail.code');
export const PasswordChangedMail = defineJob<
  UserPayload & { at: string; why?: 'email-reverted' | 'email-verified' }
>('mail', 'mail.passwordChanged');
/** Sent to the previous email address. With `revertId`, the email offers to restore that address. */
export const EmailChangedMail = defineJob<UserPayload & { oldEmail: string; revertId?: string }>(
  'mail',
  'mail.emailChanged',
);
/**
 * Someone entered an email address that already has an account. Its owner gets this email instead of a code.
 */
export const AddressTakenMail = defineJob<UserPayload & { flowId: string }>('mail', 'mail.addressTaken');
/** Confirms that the member's account is closed, and says until when they can restore it. */
export const AccountClosedMail = defineJob<UserPayload>('mail', 'mail.accountClosed');
/** Sends the registration confirmations that waited until the email address was verified. */
export const HeldConfirmations = defineJob<UserPayload>('housekeeping', 'housekeeping.heldConfirmations');
/**
 * `own`: the member registered themselves, so no email limit applies. Omitted for all other registrations.
 */
export const RegistrationConfirmedMail = defineJob<RegistrationPayload & { own?: boolean }>(
  'mail',
  'mail.registrationConfirmed',
);
export const PromotedMail = defineJob<RegistrationPayload>('mail', 'mail.promoted');
export const WaitlistJoinedMail = defineJob<RegistrationPayload>('mail', 'mail.waitlistJoined');
export const WaitlistDismissedMail = defineJob<{ eventId: string; userId: string }>(
  'mail',
  'mail.waitlistDismissed',
);
/** Contains a cancelled calendar entry. Obsolete if the member has registered again. */
export const UnregisteredMail = defineJob<RegistrationPayload>('mail', 'mail.unregistered');
export const PlaceRemovedMail = defineJob<RegistrationPayload & { reason: string | null; waited: boolean }>(
  'mail',
  'mail.placeRemoved',
);
export const ReminderMail = defineJob<{ registrationId: string; startDate: string }>('mail', 'mail.reminder');
/**
 * One job combines edits in quick succession. `changed` lists the fields that differ after the last edit.
 * `edited` lists all edited fields, for people who registered after the first edit (`since`).
 */
export const EventChanged = defineJob<{
  eventId: string;
  sequence: number;
  changed: NotifiedChange[];
  /** Rows of earlier versions have no `edited`, `since` and `before`. */
  edited?: NotifiedChange[];
  since?: string;
  before?: Partial<Record<NotifiedChange, string>>;
  notes?: string[];
}>('mail', 'mail.eventChangedFanOut');
export const EventChangedMail = defineJob<{
  eventId: string;
  userId?: string;
  registrationId?: string;
  sequence: number;
  changed: NotifiedChange[];
  before?: Partial<ShownState>;
  notes?: string[];
}>('mail', 'mail.eventChanged');
/** Copy of the event, which may already be deleted when the email is written. */
export interface CancelledEvent {
  id: string;
  slug?: string | null;
  title: string;
  /** If the row has no `format`, this is the result of `formatLocation`. */
  location: string | null;
  format?: Event['format'];
  startDate: string;
  endDate: string;
  isAllDay?: boolean;
  timeZone?: string | null;
  sequence: number;
  page?: true;
  reason?: string;
}
/**
 * `waiting`: the recipient has no calendar entry. `guest`: the recipient has no account. The job contains
 * this data, because deleting an event also deletes its registrations.
 */
export const EventCancelledMail = defineJob<{
  event: CancelledEvent;
  userId?: string;
  guest?: { name: string; email: string };
  waiting?: true;
}>('mail', 'mail.eventCancelled');
/** Sent once per role in a published event. The database creates the job. */
export const NamedInEventMail = defineJob<{ eventId: string; userId: string; role: EventRoleName }>(
  'mail',
  'mail.namedInEvent',
);
/** Obsolete if the message was rescheduled. */
export const SendMessage = defineJob<{ messageId: string; sendAt: string }>('messages', 'messages.send');
/** Database triggers depend on this job's name to record the outcome in `events.messages`. */
export const MessageMail = defineJob<{ messageId: string; registrationId: string }>(
  'messages',
  'messages.mail',
);
export const SubscriptionConfirmMail = defineJob<{ requestId: string }>('mail', 'mail.subscriptionConfirm');
type ReaderPayload = UserPayload | { userId?: undefined; subscriptionId: string };
/** The database creates this job once per event. */
export const SendAnnouncement = defineJob<{ eventId: string }>('announcements', 'announcements.send');
export const AnnouncementMail = defineJob<ReaderPayload & { eventId: string }>(
  'announcements',
  'announcements.mail',
);
/** `week`: date of the week's Monday, which is the key of `events.digests`. */
export const DigestMail = defineJob<ReaderPayload & { week: string }>(
  'announcements',
  'announcements.digest',
);
/** Contains the text, because the test email may be sent before the message is stored. */
export const MessageTestMail = defineJob<
  UserPayload & { eventId: string; subject: string; body: string; replyTo: RepliesTo }
>('mail', 'mail.messageTest');
export const ProposalDecidedMail = defineJob<UserPayload & { proposalId: string }>(
  'mail',
  'mail.proposalDecided',
);
export const HostMessageMail = defineJob<{ messageId: string }>('mail', 'mail.hostMessage');
export const TestMail = defineJob<UserPayload>('mail', 'mail.test');
/** Prepares the file first, unless an earlier attempt did. So it has no place among the emails. */
export const DataExportMail = defineJob<UserPayload & { exportId: string }>(
  'housekeeping',
  'mail.dataExport',
);
export const CheckMailRecords = defineJob<{ selector: string | null }>(
  'housekeeping',
  'housekeeping.checkMailRecords',
);

export const RollUpActivity = defineJob<Record<string, never>>('activity', 'activity.rollUp');

/** Invalidates cached public responses again, in case the message AccountDeleted was lost. */
export const FollowDeletedAccount = defineJob<Record<string, never>>(
  'housekeeping',
  'housekeeping.followDeletedAccount',
);

export const RecordAudit = defineJob<{
  action: AuditAction;
  actorId: string;
  subjectId: string | null;
  /** Null for a person, because the account contains the name. */
  subjectName: string | null;
  changed: string[];
  values?: AuditValues;
  at: string;
}>('audit', 'audit.record');

/** Deletes accounts that their owners closed long enough ago. */
export const DeleteClosedAccounts = defineJob<Record<string, never>>(
  'housekeeping',
  'housekeeping.deleteClosedAccounts',
);
export const CleanUp = defineJob<Record<string, never>>('housekeeping', 'housekeeping.cleanUp');
/** Once a night in the community's time zone. */
export const EnforceRetention = defineJob<Record<string, never>>(
  'housekeeping',
  'housekeeping.enforceRetention',
);
export const PlanReminders = defineJob<Record<string, never>>('housekeeping', 'housekeeping.planReminders');
/** Once a week, on Monday from 8:00 in the community's time zone. */
export const PlanDigest = defineJob<Record<string, never>>('housekeeping', 'housekeeping.planDigest');
export const PublishDue = defineJob<Record<string, never>>('housekeeping', 'housekeeping.publishDue');
