import type { AuditAction, AuditValues } from './audit.js';
import type { Span } from './calendar.js';
import type { EventContent, EventRoleName } from './event-content.js';
import type { RepliesTo } from './event-messages.js';
import type { Event } from './events.js';
import { venueLine } from './venue.js';

/** `messages` and `announcements`: what goes to many, so that mails that somebody waits for never stand behind it. */
export const QUEUES = ['mail', 'messages', 'announcements', 'activity', 'housekeeping', 'audit'] as const;
export type QueueName = (typeof QUEUES)[number];

/** One kind of background work. Payloads carry ids, never secrets; what they need is read when the job runs. */
export interface Job<Payload extends object = object> {
  readonly queue: QueueName;
  /** Unique, `<queue>.<what happened>`. */
  readonly name: string;
  /** Never set: carries the payload type. */
  readonly payload?: Payload;
}

const registry = new Map<string, Job>();

function defineJob<Payload extends object>(queue: QueueName, name: string): Job<Payload> {
  const job = { queue, name };
  if (registry.has(name)) throw new Error(`job ${name} is declared twice`);
  registry.set(name, job);
  return job;
}

/** Every job that the worker has to run: it refuses to start on a gap. */
export const allJobs = (): Job[] => [...registry.values()];

export type PayloadOf<J> = J extends Job<infer P> ? P : never;

interface UserPayload {
  userId: string;
}
interface RegistrationPayload {
  registrationId: string;
  /** The registration's `registeredAt`: a later one makes this job stale. */
  registeredAt: string;
}

/** Welcomes the user of an account whose address is verified. `passwordEnded`: with the verification the password set before ended. */
export const WelcomeMail = defineJob<UserPayload & { passwordEnded?: boolean }>('mail', 'mail.welcome');
/** A second factor was added, removed or used up: the owner of the account always gets a mail. */
export const SecondFactorMail = defineJob<
  UserPayload & {
    change: 'added' | 'removed' | 'all-removed' | 'recovery-code-used';
    factor: string | null;
    at: string;
  }
>('mail', 'mail.secondFactor');
/** The code itself is read, unsealed, from the row when the mail is made. `removal`: the account goes in seven days unless its address is verified. */
export const CodeMail = defineJob<{ flowId: string; removal?: boolean }>('mail', 'mail.code');
/** `why`: what ended the password, when it was not its owner who chose another. */
export const PasswordChangedMail = defineJob<
  UserPayload & { at: string; why?: 'email-reverted' | 'email-verified' }
>('mail', 'mail.passwordChanged');
/** To the old address, which is no longer in the row. With `revertId` it offers the way back, whose link is read from that row. */
export const EmailChangedMail = defineJob<UserPayload & { oldEmail: string; revertId?: string }>(
  'mail',
  'mail.emailChanged',
);
/** To the holder of an address that somebody wants to give to another account. */
export const AddressTakenMail = defineJob<UserPayload>('mail', 'mail.addressTaken');
/** Writes the confirmations that were held back while the member's address was not verified. */
export const HeldConfirmations = defineJob<UserPayload>('housekeeping', 'housekeeping.heldConfirmations');
export const RegistrationConfirmedMail = defineJob<RegistrationPayload>('mail', 'mail.registrationConfirmed');
/** To somebody who waited and got a place. The database writes it where a place becomes free. */
export const PromotedMail = defineJob<RegistrationPayload>('mail', 'mail.promoted');
/** To somebody who has joined a waiting list: their number, and the way to leave. */
export const WaitlistJoinedMail = defineJob<RegistrationPayload>('mail', 'mail.waitlistJoined');
/** To somebody whom an organiser took off a waiting list, or who was on one that has ended. */
export const WaitlistDismissedMail = defineJob<{ eventId: string; userId: string }>(
  'mail',
  'mail.waitlistDismissed',
);
/** With the entry that leaves the calendar; stale once the member has registered again. */
export const UnregisteredMail = defineJob<RegistrationPayload>('mail', 'mail.unregistered');
/** To somebody whom an organiser took off the guest list. `waited`: for a place, and had none. */
export const PlaceRemovedMail = defineJob<RegistrationPayload & { reason: string | null; waited: boolean }>(
  'mail',
  'mail.placeRemoved',
);
export const ReminderMail = defineJob<{ registrationId: string; startDate: string }>('mail', 'mail.reminder');
/** What a mail about a change says, in its order. `details` is everything else, and is mailed only when the organiser asks for it. */
export const NOTIFIED_CHANGES = [
  'time',
  'location',
  'online',
  'accessibility',
  'price',
  'title',
  'details',
] as const;
export type NotifiedChange = (typeof NOTIFIED_CHANGES)[number];

/** What a mail shows beside what it was, each as one text to compare and to read again. */
export type ShownState = Record<Exclude<NotifiedChange, 'details'>, string>;

/** @param online a digest of the joining link, which is secret and stands in no job; empty without a link */
export function shownState(
  event: Span &
    Pick<Event, 'title' | 'format' | 'location' | 'price'> &
    Pick<EventContent, 'venue' | 'accessibility'>,
  online: string,
): ShownState {
  const { startDate, endDate, isAllDay, format, location, venue, accessibility } = event;
  const place = venue === null ? location : venueLine(venue);
  return {
    title: event.title,
    time: JSON.stringify([startDate, endDate, isAllDay]),
    location: JSON.stringify(place === location ? [format, location] : [format, location, place]),
    online,
    accessibility: accessibility ?? '',
    price: JSON.stringify(event.price),
  };
}

/**
 * Fans out into one EventChangedMail for each person registered. Several edits within a pause are one notice: `changed` is how
 * the event differs from what it was before the first of them, which may be nothing; `edited` is everything that one of them
 * touched, for those who registered after `since`, the first edit, and saw it on its way.
 */
export const EventChanged = defineJob<{
  eventId: string;
  sequence: number;
  changed: NotifiedChange[];
  /** Absent, as the next two, in rows of versions that did not say it. */
  edited?: NotifiedChange[];
  since?: string;
  /** Before the first edit. */
  before?: Partial<Record<NotifiedChange, string>>;
  /** What the organisers wrote, edit by edit. */
  notes?: string[];
}>('mail', 'mail.eventChangedFanOut');
export const EventChangedMail = defineJob<{
  eventId: string;
  /** Absent of a guest without an account, whom `registrationId` names. */
  userId?: string;
  registrationId?: string;
  sequence: number;
  changed: NotifiedChange[];
  /** What the recipient knew; absent where that is uncertain. */
  before?: Partial<ShownState>;
  notes?: string[];
}>('mail', 'mail.eventChanged');
/** The event may be deleted by then, so what the mail says travels with it; the recipients' addresses do not. */
export interface CancelledEvent {
  id: string;
  /** Absent in rows of versions that did not say it. */
  slug?: string | null;
  title: string;
  /** What the organiser wrote; in words of `whereOf` in rows without a `format`. */
  location: string | null;
  /** Absent in rows of versions that did not say it. */
  format?: Event['format'];
  startDate: string;
  endDate: string;
  /** Absent in rows of versions that did not say it. */
  isAllDay?: boolean;
  timeZone?: string | null;
  sequence: number;
  /** Set when the event still has its page: it was cancelled, not deleted. */
  page?: true;
  /** What the organiser wrote. */
  reason?: string;
}
/**
 * `waiting`: the recipient had no place and no calendar entry, but waited for one. `guest`: without an account, whose registration goes with
 * a deleted event.
 */
export const EventCancelledMail = defineJob<{
  event: CancelledEvent;
  userId?: string;
  guest?: { name: string; email: string };
  waiting?: true;
}>('mail', 'mail.eventCancelled');
/** To a member whom somebody else has named in an event that has a page. The database writes it, once for each naming. */
export const NamedInEventMail = defineJob<{ eventId: string; userId: string; role: EventRoleName }>(
  'mail',
  'mail.namedInEvent',
);
/** Fixes the recipients of an organiser's message and fans out into one MessageMail for each. Stale once the message is to be sent at another time. */
export const SendMessage = defineJob<{ messageId: string; sendAt: string }>('messages', 'messages.send');
/** The triggers of `events.messages` know its name: what became of it stands with the recipient. */
export const MessageMail = defineJob<{ messageId: string; registrationId: string }>(
  'messages',
  'messages.mail',
);
/** To an address that somebody without an account signs up with. */
export const SubscriptionConfirmMail = defineJob<{ requestId: string }>('mail', 'mail.subscriptionConfirm');
/** A member, or somebody without an account who signed up. */
type ReaderPayload = UserPayload | { userId?: undefined; subscriptionId: string };
/** Fans out into one AnnouncementMail for each follower of the event's topics. The database writes it, once for each event. */
export const SendAnnouncement = defineJob<{ eventId: string }>('announcements', 'announcements.send');
export const AnnouncementMail = defineJob<ReaderPayload & { eventId: string }>(
  'announcements',
  'announcements.mail',
);
/** `week`: the Monday, as the key of `events.digests`. */
export const DigestMail = defineJob<ReaderPayload & { week: string }>(
  'announcements',
  'announcements.digest',
);
/** To the author alone, before it is sent; it may never be stored. */
export const MessageTestMail = defineJob<
  UserPayload & { eventId: string; subject: string; body: string; replyTo: RepliesTo }
>('mail', 'mail.messageTest');
/** To the proposer, once organisers have accepted or declined what they proposed. */
export const ProposalDecidedMail = defineJob<UserPayload & { proposalId: string }>(
  'mail',
  'mail.proposalDecided',
);
/** To the host of an event, from somebody who wants to know something. */
export const HostMessageMail = defineJob<{ messageId: string }>('mail', 'mail.hostMessage');
export const TestMail = defineJob<UserPayload>('mail', 'mail.test');
/** Looks up SPF, DMARC and, with a selector, DKIM of the domain that mails come from. */
export const CheckMailRecords = defineJob<{ selector: string | null }>(
  'housekeeping',
  'housekeeping.checkMailRecords',
);

/** Something changed among the registrations of the last days: roll the activity up. */
export const RollUpActivity = defineJob<Record<string, never>>('activity', 'activity.rollUp');

/** Repeats what AccountDeleted does to public answers, should that message be lost. Without a name: the account is gone. */
export const FollowDeletedAccount = defineJob<Record<string, never>>(
  'housekeeping',
  'housekeeping.followDeletedAccount',
);

export const RecordAudit = defineJob<{
  action: AuditAction;
  actorId: string;
  subjectId: string | null;
  /** An event's title; null for a person, whose name stands with the account. */
  subjectName: string | null;
  changed: string[];
  values?: AuditValues;
  at: string;
}>('audit', 'audit.record');

/** Expired sessions, codes and idempotency keys, unused pictures, finished outbox rows. */
export const CleanUp = defineJob<Record<string, never>>('housekeeping', 'housekeeping.cleanUp');
/** Finds registrations whose event starts within 24 hours and writes their reminders. */
export const PlanReminders = defineJob<Record<string, never>>('housekeeping', 'housekeeping.planReminders');
/** On Mondays from 8:00 on the community's clocks writes the week's DigestMails, once. */
export const PlanDigest = defineJob<Record<string, never>>('housekeeping', 'housekeeping.planDigest');
/** Ends places whose members have not verified their address in time. */
export const LapsePlaces = defineJob<Record<string, never>>('housekeeping', 'housekeeping.lapsePlaces');
/** Publishes the drafts whose moment has come. */
export const PublishDue = defineJob<Record<string, never>>('housekeeping', 'housekeeping.publishDue');
