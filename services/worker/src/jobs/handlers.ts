import { AddressTakenMailJob } from './address-taken-mail.js';
import { CleanUpJob } from './clean-up.js';
import { CodeMailJob } from './code-mail.js';
import { EmailChangedMailJob } from './email-changed-mail.js';
import { EventCancelledMailJob } from './event-cancelled-mail.js';
import { EventChangedMailJob } from './event-changed-mail.js';
import { EventChangedJob } from './event-changed.js';
import { HeldConfirmationsJob } from './held-confirmations.js';
import { PasswordChangedMailJob } from './password-changed-mail.js';
import { PlanRemindersJob } from './plan-reminders.js';
import { RecordAuditJob } from './record-audit.js';
import { RegistrationConfirmedMailJob } from './registration-confirmed-mail.js';
import { ReminderMailJob } from './reminder-mail.js';
import { RollUpActivityJob } from './roll-up-activity.js';
import { SecondFactorMailJob } from './second-factor-mail.js';
import { TestMailJob } from './test-mail.js';
import { UnregisteredMailJob } from './unregistered-mail.js';
import { WelcomeMailJob } from './welcome-mail.js';

/** Every handler; the worker refuses to start when a job of the contracts has none. */
export const jobHandlers = [
  AddressTakenMailJob,
  CleanUpJob,
  CodeMailJob,
  EmailChangedMailJob,
  EventCancelledMailJob,
  EventChangedMailJob,
  EventChangedJob,
  HeldConfirmationsJob,
  PasswordChangedMailJob,
  PlanRemindersJob,
  RecordAuditJob,
  RegistrationConfirmedMailJob,
  ReminderMailJob,
  RollUpActivityJob,
  SecondFactorMailJob,
  TestMailJob,
  UnregisteredMailJob,
  WelcomeMailJob,
];
