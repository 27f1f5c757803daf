import { UnverifiedAccounts } from './housekeeping/unverified-accounts.js';
import { DatabaseModule } from '@meetmark/platform';
import { Module } from '@nestjs/common';
import { RegistrationActivity } from './activity/registration-activity.js';
import { jobHandlers } from './jobs/handlers.js';
import type { JobHandler } from './jobs/job-handler.js';
import { JobRegistry } from './jobs/job-registry.js';
import { community } from './mail/community.js';
import { EventMails } from './mail/event-mails.js';
import { Links } from './mail/links.js';
import { Mailer } from './mail/mailer.js';
import { Recipients } from './mail/recipients.js';
import { RegisteredEvents } from './mail/registered-events.js';
import { Sender } from './mail/sender.js';
import { mailTransport } from './mail/transport.js';
import { StatusReporter } from './metrics/status-reporter.js';
import { CommitListener } from './outbox/commit-listener.js';
import { Outbox } from './outbox/outbox.js';
import { OutboxRelay } from './outbox/relay.js';
import { OutboxSweeper } from './outbox/sweeper.js';
import { Attention } from './queues/attention.js';
import { JobQueues } from './queues/job-queues.js';
import { JobRunner } from './queues/job-runner.js';
import { Schedules } from './queues/schedules.js';
import { WorkerConfig } from './worker.config.js';

@Module({
  // the worker owns no table: every statement names the owner's schema
  imports: [DatabaseModule.forOwner({ schema: 'worker', entities: [] })],
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
    community,
    mailTransport,
    RegistrationActivity,
    UnverifiedAccounts,
    EventMails,
    Mailer,
    Recipients,
    RegisteredEvents,
    Sender,
    CommitListener,
    Outbox,
    OutboxRelay,
    OutboxSweeper,
    Attention,
    JobQueues,
    JobRunner,
    Schedules,
    StatusReporter,
  ],
})
export class WorkerModule {}
