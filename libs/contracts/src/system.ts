import type { Event } from './events.js';
import { defineMessage, Nothing } from './message.js';
import type { SettingName } from './settings.js';

/** GET /api/admin/summary: AccountFigures and EventFigures in one. */
export interface Summary {
  totalEvents: number;
  /** Events created in the last 30 days. */
  eventsThisMonth: number;
  upcomingEvents: number;
  /** The 3 nearest. */
  nextEvents: Event[];
  totalUsers: number;
  /** Users created in the last 30 days. */
  newUsers: number;
}

/** Registrations of one day in the community's time zone. */
export interface ActivityDay {
  /** Short English name of the day: 'Mon'. */
  name: string;
  registrations: number;
}

/** Exactly 7 items, oldest first, today last, zero days included. */
export const GetRegistrationActivity = defineMessage({
  service: 'admin',
  access: 'admin',
  name: 'activity.get',
  request: Nothing,
})<ActivityDay[]>();

export interface ProcessStatus {
  /** 'auth', 'events', 'admin', 'worker', 'gateway'. */
  name: string;
  /** Replicas whose heartbeat is fresh. */
  replicas: number;
  /** How many gateways can take and draw no picture, because their decoder does not start. Absent where there is none. */
  withoutPictures?: number;
}

export interface QueueStatus {
  name: string;
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  /** Seconds the oldest waiting job has waited, or null. */
  oldestWaiting: number | null;
}

export interface MailStatus {
  id: string;
  /** The job's name, such as 'mail.registrationConfirmed'. */
  kind: string;
  /**
   * Skipped: done without a mail, because the member does not want it or there was nothing to tell any more. Failing: is tried again.
   * Refused: is not, because the mail server refused the address or the mail for good.
   */
  state: 'waiting' | 'sent' | 'skipped' | 'failing' | 'refused';
  createdAt: string;
  sentAt: string | null;
  /** How often it was handed to the mail server. */
  attempts: number;
  /** The address; null once the account is gone, or where no account has the address that was asked for. */
  recipient: string | null;
  lastError: string | null;
}

/** Redis keys that processes write for the System page. */
export const SYSTEM_KEYS = {
  /** Sorted set of a process's replicas; the score is the moment (milliseconds since 1970) until which one counts as alive. */
  replicas: (process: 'worker' | 'gateway') => `system:replicas:${process}`,
  /** Such a set of the gateways at which the process that decodes pictures does not start. */
  withoutPictures: 'system:withoutPictures',
  /** The worker's JSON of QueueStatus[]; expires WORKER_STATUS_LIFETIME after it was last written. */
  queues: 'system:queues',
  /** ISO 8601 moment at which a scheduled job last ran. */
  lastSchedulerTick: 'system:lastSchedulerTick',
} as const;

/** Milliseconds. */
export const WORKER_STATUS_LIFETIME = 30_000;

/** A setting that is stored and cannot be used: every answer is made without it. */
export interface LeftOutSetting {
  name: SettingName;
  /** The name of the sponsor that is left out; null for a setting as a whole. */
  sponsor: string | null;
  /** What is stored, at most 200 characters of it. */
  value: string;
}

/** What the administrator's System page shows. */
export interface SystemStatus {
  processes: ProcessStatus[];
  queues: QueueStatus[];
  lastMails: MailStatus[];
  /** The newest of the last seven days that were refused for good, with address and reason. */
  refusedMails: MailStatus[];
  /** When the worker's schedulers last ran, or null before the first time. */
  lastSchedulerTick: string | null;
  /** Absent in the answer of an older admin service. */
  leftOutSettings?: LeftOutSetting[];
  /** When the product's own command last made a backup, or null before the first time. Absent as above. */
  lastBackup?: string | null;
}

export const GetSystemStatus = defineMessage({
  service: 'admin',
  name: 'system.status',
  access: 'admin',
  request: Nothing,
})<SystemStatus>();

/** Sends a mail to the caller's own address through the whole path. */
export const SendTestMail = defineMessage({
  service: 'auth',
  name: 'system.sendTestMail',
  access: 'admin',
  request: Nothing,
})<void>();
