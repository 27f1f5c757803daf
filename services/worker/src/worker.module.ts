import { CommunityModule, DatabaseModule, OutboxReader } from '@meetmark/platform';
import { Module } from '@nestjs/common';
import { CheckMailRecordsJob, resolver } from './admin/check-mail-records.js';
import { CleanUpJob } from './admin/clean-up.js';
import { RecordAuditJob } from './admin/record-audit.js';
import { RegistrationActivity, RollUpActivityJob } from './admin/roll-up-activity.js';
import {
  AccountMails,
  AddressTakenMailJob,
  PasswordChangedMailJob,
  SecondFactorMailJob,
  TestMailJob,
  WelcomeMailJob,
} from './auth/account-mails.js';
import { CodeMailJob } from './auth/code-mail.js';
import { EmailChangedMailJob } from './auth/email-changed-mail.js';
import { UnverifiedAccounts } from './auth/unverified-accounts.js';
import {
  PlaceRemovedMailJob,
  PromotedMailJob,
  RegistrationConfirmedMailJob,
  ReminderMailJob,
  UnregisteredMailJob,
  WaitlistDismissedMailJob,
  WaitlistJoinedMailJob,
} from './events/booking-mails.js';
import { AnnouncementMailJob, SendAnnouncementJob } from './events/announcements.js';
import { DigestMailJob, PlanDigestJob } from './events/digest.js';
import { SubscriptionConfirmMailJob } from './events/subscription-mail.js';
import { EventChangedJob } from './events/event-changed.js';
import { EventMails } from './events/event-mails.js';
import { HeldConfirmationsJob } from './events/held-confirmations.js';
import { EventCancelledMailJob, EventChangedMailJob, NamedInEventMailJob } from './events/notice-mails.js';
import {
  MessageMailJob,
  MessageMails,
  MessageTestMailJob,
  SendMessageJob,
} from './events/organiser-messages.js';
import { HostMessageMailJob } from './events/host-messages.js';
import { PlanRemindersJob } from './events/plan-reminders.js';
import { ProposalDecidedMailJob } from './events/proposal-mails.js';
import { FollowDeletedAccountJob, LapsePlacesJob } from './events/lapse-places.js';
import { PublishDueJob } from './events/publish-due.js';
import { Links } from '@meetmark/platform/mail/links';
import { Mailer } from './mail/mailer.js';
import { Recipients } from './mail/recipients.js';
import { Sender } from './mail/sender.js';
import { mailTransport } from './mail/transport.js';
import type { JobHandler } from './queue/job-handler.js';
import { JobQueues } from './queue/job-queues.js';
import { JobRegistry } from './queue/job-registry.js';
import { JobRunner } from './queue/job-runner.js';
import { OutboxRelay } from './queue/relay.js';
import { Schedules } from './queue/schedules.js';
import { StatusReporter } from './queue/status-reporter.js';
import { OutboxSweeper } from './queue/sweeper.js';
import { WorkerLiveness } from './queue/worker-liveness.js';
import { WorkerConfig } from './worker.config.js';

/** Every handler; the worker refuses to start when a job of the contracts has none. */
export const jobHandlers = [
  AddressTakenMailJob,
  AnnouncementMailJob,
  CheckMailRecordsJob,
  CleanUpJob,
  CodeMailJob,
  DigestMailJob,
  EmailChangedMailJob,
  EventCancelledMailJob,
  EventChangedMailJob,
  EventChangedJob,
  FollowDeletedAccountJob,
  HeldConfirmationsJob,
  HostMessageMailJob,
  MessageMailJob,
  MessageTestMailJob,
  NamedInEventMailJob,
  PasswordChangedMailJob,
  PlaceRemovedMailJob,
  PlanDigestJob,
  PlanRemindersJob,
  ProposalDecidedMailJob,
  PromotedMailJob,
  LapsePlacesJob,
  PublishDueJob,
  RecordAuditJob,
  RegistrationConfirmedMailJob,
  ReminderMailJob,
  RollUpActivityJob,
  SendAnnouncementJob,
  SendMessageJob,
  SecondFactorMailJob,
  SubscriptionConfirmMailJob,
  TestMailJob,
  UnregisteredMailJob,
  WaitlistDismissedMailJob,
  WaitlistJoinedMailJob,
  WelcomeMailJob,
];

@Module({
  // the worker owns no table: every statement names the owner's schema
  imports: [DatabaseModule.forOwner({ schema: 'worker', entities: [] }), CommunityModule],
  providers: [
    ...jobHandlers,
    {
      provide: JobRegistry,
      inject: jobHandlers,
      useFactory: (...handlers: JobHandler<never>[]) => new JobRegistry(handlers),
    },
    {
      provide: Links,
      inject: [WorkerConfig],
      useFactory: (config: WorkerConfig) => new Links(config.publicUrl),
    },
    mailTransport,
    resolver,
    RegistrationActivity,
    UnverifiedAccounts,
    AccountMails,
    EventMails,
    MessageMails,
    Mailer,
    Recipients,
    Sender,
    OutboxReader,
    OutboxRelay,
    OutboxSweeper,
    WorkerLiveness,
    JobQueues,
    JobRunner,
    Schedules,
    StatusReporter,
  ],
})
export class WorkerModule {}
