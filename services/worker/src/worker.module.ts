import { CommunityModule, DatabaseModule, OutboxReader } from '@meetmark/platform';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { CheckMailRecordsJob, resolver } from './admin/check-mail-records.js';
import { CleanUpJob } from './admin/clean-up.js';
import { EnforceRetentionJob } from './admin/enforce-retention.js';
import { RecordAuditJob } from './admin/record-audit.js';
import { RegistrationActivity } from './admin/roll-up-activity.js';
import { AccountMails } from './auth/account-mails.js';
import { CodeMailJob } from './auth/code-mail.js';
import { EmailChangedMailJob } from './auth/email-changed-mail.js';
import { DataExportJob } from './data-export/data-export.js';
import { BookingMails } from './events/booking-mails.js';
import { Announcements } from './events/announcements.js';
import { DigestMailJob, PlanDigestJob } from './events/digest.js';
import { SubscriptionConfirmMailJob } from './events/subscription-mail.js';
import { EventChangedJob } from './events/event-changed.js';
import { EventMails } from './events/event-mails.js';
import { NoticeMails } from './events/notice-mails.js';
import { MessageMails, SendMessageJob } from './events/organiser-messages.js';
import { HostMessageMailJob } from './events/host-messages.js';
import { PlanRemindersJob } from './events/plan-reminders.js';
import { ProposalDecidedMailJob } from './events/proposal-mails.js';
import { DeleteClosedAccountsJob } from './auth/delete-closed-accounts.js';
import { FollowDeletedAccountJob } from './events/follow-deleted-account.js';
import { PublishDueJob } from './events/publish-due.js';
import { Links } from '@meetmark/platform/mail/links';
import { MailBounds } from './mail/mail-bounds.js';
import { Mailer } from './mail/mailer.js';
import { Recipients } from './mail/recipients.js';
import { Sender } from './mail/sender.js';
import { type MailTransport, mailTransport } from './mail/transport.js';
import { JobQueues } from './queue/job-queues.js';
import { JobRegistry } from './queue/job-registry.js';
import { JobRunner } from './queue/job-runner.js';
import { QueueWorkers } from './queue/queue-workers.js';
import { OutboxRelay } from './queue/relay.js';
import { Schedules } from './queue/schedules.js';
import { StatusReporter } from './queue/status-reporter.js';
import { OutboxSweeper } from './queue/sweeper.js';
import { WorkerLiveness } from './queue/worker-liveness.js';
import { WorkerConfig } from './worker.config.js';

const jobHandlers = [
  AccountMails,
  Announcements,
  BookingMails,
  CheckMailRecordsJob,
  CleanUpJob,
  CodeMailJob,
  DataExportJob,
  DigestMailJob,
  EmailChangedMailJob,
  EnforceRetentionJob,
  EventChangedJob,
  DeleteClosedAccountsJob,
  FollowDeletedAccountJob,
  HostMessageMailJob,
  MessageMails,
  NoticeMails,
  PlanDigestJob,
  PlanRemindersJob,
  ProposalDecidedMailJob,
  PublishDueJob,
  RecordAuditJob,
  RegistrationActivity,
  SendMessageJob,
  SubscriptionConfirmMailJob,
];

const providers = [
  ...jobHandlers,
  {
    provide: JobRegistry,
    inject: jobHandlers,
    useFactory: (...handlers: object[]) => new JobRegistry(handlers),
  },
  {
    provide: Links,
    inject: [WorkerConfig],
    useFactory: (config: WorkerConfig) => new Links(config.publicUrl),
  },
  resolver,
  EventMails,
  Mailer,
  MailBounds,
  Recipients,
  Sender,
  OutboxReader,
  JobRunner,
];

@Module({})
export class JobsModule {
  static sendingBy(transport: Provider<MailTransport>): DynamicModule {
    return {
      module: JobsModule,
      // The worker owns no tables, so every statement names a schema.
      imports: [DatabaseModule.forOwner({ schema: 'worker', entities: [] }), CommunityModule],
      providers: [transport, ...providers],
      exports: [JobRegistry, JobRunner, OutboxReader],
    };
  }
}

@Module({
  imports: [JobsModule.sendingBy(mailTransport)],
  providers: [JobQueues, OutboxRelay, OutboxSweeper, QueueWorkers, Schedules, StatusReporter, WorkerLiveness],
})
export class WorkerModule {}
