import type { RetentionSetting } from '../retention.js';
import type { Event } from '../events/events.js';
import { messagesTo, Nothing } from '../message.js';
import type { SettingName } from './settings.js';

const admin = messagesTo('admin');
const auth = messagesTo('auth');

export interface Summary {
  totalEvents: number;
  /** Created in the last 30 days. */
  eventsThisMonth: number;
  upcomingEvents: number;
  nextEvents: Event[];
  totalUsers: number;
  /** Created in the last 30 days. */
  newUsers: number;
}

export interface ActivityDay {
  name: string;
  registrations: number;
}

/** Returns exactly 7 days, oldest first and today last. */
export const GetRegistrationActivity = admin.admin('activity.get', Nothing)<ActivityDay[]>();

export interface ProcessStatus {
  name: string;
  replicas: number;
  /** Number of gateways whose image decoder doesn't start. Absent if zero. */
  withoutPictures?: number;
}

export interface QueueStatus {
  name: string;
  waiting: number;
  active: number;
  delayed: number;
  failed: number;
  /** Seconds. Null if no job is waiting. */
  oldestWaiting: number | null;
}

export interface MailStatus {
  id: string;
  kind: string;
  /**
   * `skipped`: the email was unwanted or obsolete. `refused`: the email was rejected permanently, or not
   * accepted within 24 hours.
   */
  state: 'waiting' | 'sent' | 'skipped' | 'failing' | 'refused';
  createdAt: string;
  sentAt: string | null;
  attempts: number;
  nextAttemptAt: string | null;
  recipient: string | null;
  lastError: string | null;
}

export const SYSTEM_KEYS = {
  /**
   * Sorted set of replicas. Each score is the time until which the replica counts as live, in milliseconds
   * since 1970.
   */
  replicas: (process: 'worker' | 'gateway') => `system:replicas:${process}`,
  withoutPictures: 'system:withoutPictures',
  /** QueueStatus[] as JSON, written by the worker. Expires after WORKER_STATUS_LIFETIME. */
  queues: 'system:queues',
  lastSchedulerTick: 'system:lastSchedulerTick',
} as const;

/** Milliseconds. */
export const WORKER_STATUS_LIFETIME = 30_000;

/** An unusable setting from the file or the database. Responses with the settings omit it. */
export interface LeftOutSetting {
  name: SettingName;
  sponsor: string | null;
  value: string;
}

/** The latest nightly deletion of old data. Settings that were off are absent from `removed`. */
export interface RetentionRun {
  ranAt: string;
  removed: Partial<Record<RetentionSetting, number>>;
}

export interface SystemStatus {
  processes: ProcessStatus[];
  queues: QueueStatus[];
  lastMails: MailStatus[];
  refusedMails: MailStatus[];
  lastSchedulerTick: string | null;
  /** Absent in responses of an older admin service. */
  leftOutSettings?: LeftOutSetting[];
  /** Null before the first backup. Absent in responses of an older admin service. */
  lastBackup?: string | null;
  /** Null before the first run. Absent in responses of an older admin service. */
  lastRetention?: RetentionRun | null;
}

export const GetSystemStatus = admin.admin('system.status', Nothing)<SystemStatus>();

export const SendTestMail = auth.admin('system.sendTestMail', Nothing)<void>();
