import { createHash } from 'node:crypto';
import {
  AccountClosedMail,
  AddressTakenMail,
  AnnouncementMail,
  CodeMail,
  DataExportMail,
  DigestMail,
  EmailChangedMail,
  EventCancelledMail,
  EventChangedMail,
  HostMessageMail,
  toMailbox,
  MessageMail,
  MessageTestMail,
  NamedInEventMail,
  PasswordChangedMail,
  PlaceRemovedMail,
  PromotedMail,
  ProposalDecidedMail,
  RegistrationConfirmedMail,
  ReminderMail,
  SecondFactorMail,
  SubscriptionConfirmMail,
  TestMail,
  UnregisteredMail,
  WaitlistDismissedMail,
  WaitlistJoinedMail,
  WelcomeMail,
} from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { JobContext } from '../queue/job-handler.js';
import type { Recipient } from './recipients.js';

/**
 * Limit of emails that one person can cause for another.
 * - `own`: no limit, because the recipient's own action led to the email
 * - `once`: no limit, because the cause happens only once
 * - `source`: no limit here, because the request itself is limited
 * - `event`: EVENT_MAILS limits emails per address, event and kind; further ones wait, and are sent if still
 *   true
 * - `event-once`: one email per address and event
 */
type MailBound = 'own' | 'once' | 'source' | 'event' | 'event-once';

export const MAIL_BOUNDS: Readonly<Record<string, MailBound>> = {
  [WelcomeMail.name]: 'own',
  [AccountClosedMail.name]: 'own',
  // An administrator can only remove factors that the member has set up.
  [SecondFactorMail.name]: 'own',
  // CodeFlows limits the codes per mailbox.
  [CodeMail.name]: 'source',
  // Sent instead of a code. CodeFlows limits both together.
  [AddressTakenMail.name]: 'source',
  // An attacker in the account must not be able to suppress this security notice.
  [PasswordChangedMail.name]: 'own',
  // Neither an attacker in the account nor an administrator must be able to suppress this security notice.
  [EmailChangedMail.name]: 'own',
  [TestMail.name]: 'own',
  // An account has one export at a time.
  [DataExportMail.name]: 'own',
  [MessageTestMail.name]: 'own',
  // No limit applies if members register themselves.
  [RegistrationConfirmedMail.name]: 'event',
  // Organisers can add and remove a guest again and again.
  [PlaceRemovedMail.name]: 'event',
  // Organisers can edit an event again and again. A later email replaces a waiting one.
  [EventChangedMail.name]: 'event',
  // Each start time has its own reminder.
  [ReminderMail.name]: 'event',
  // People can be named and removed again and again.
  [NamedInEventMail.name]: 'event-once',
  [EventCancelledMail.name]: 'once',
  // The recipient gets another one only after joining the waiting list again.
  [PromotedMail.name]: 'own',
  [WaitlistJoinedMail.name]: 'own',
  // The recipient gets another one only after joining the waiting list again.
  [WaitlistDismissedMail.name]: 'own',
  [UnregisteredMail.name]: 'own',
  // messages.repository.ts allows three messages per event within 24 hours, each with one email per mailbox.
  [MessageMail.name]: 'source',
  [AnnouncementMail.name]: 'once',
  [DigestMail.name]: 'once',
  [ProposalDecidedMail.name]: 'once',
  // host-messages.repository.ts limits the messages per host within 24 hours.
  [HostMessageMail.name]: 'source',
  // subscriptions.repository.ts allows five emails per mailbox within 24 hours.
  [SubscriptionConfirmMail.name]: 'source',
};

export interface MailSubject {
  eventId: string;
  startsAt: Date;
  /** The recipient caused this email, so no limit applies. */
  own?: boolean;
}

@Injectable()
export class MailBounds {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns null if the email may be sent now, 'skipped' if never, otherwise when to try next. All attempts
   * to send an email count as one.
   * @throws Error if the job isn't in MAIL_BOUNDS or lacks its event
   */
  async take(job: JobContext, recipient: Recipient, about?: MailSubject): Promise<Date | 'skipped' | null> {
    const bound = MAIL_BOUNDS[job.name];
    if (bound === undefined) throw new Error(`no bound in MAIL_BOUNDS for the email of the job ${job.name}`);
    if ((bound !== 'event' && bound !== 'event-once') || about?.own === true) return null;
    if (about === undefined) throw new Error(`the email of the job ${job.name} has no event`);
    const [row] = await this.dataSource.query<[{ until: Date | number | null }]>(
      'SELECT events.take_mail_slot($1, $2, $3, $4, $5, $6) AS until',
      [job.id, about.eventId, getKey(recipient), job.name, about.startsAt, bound === 'event-once'],
    );
    // The function returns 'infinity' for an email that is never sent. pg parses that as a number.
    return typeof row.until === 'number' ? 'skipped' : row.until;
  }
}

/** Counts people without an account by mailbox, because organisers can enter any email address. */
const getKey = ({ id, email }: Recipient): string =>
  id === '' ? createHash('sha256').update(toMailbox(email)).digest('base64url') : id;
