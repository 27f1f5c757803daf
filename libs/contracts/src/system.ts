import { defineMessage, Nothing } from './message.js';

export interface ProcessStatus {
  /** 'auth', 'events', 'admin', 'worker', 'gateway'. */
  name: string;
  /** Replicas whose heartbeat is fresh. */
  replicas: number;
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
  state: 'waiting' | 'sent' | 'failing';
  createdAt: string;
  sentAt: string | null;
  attempts: number;
  lastError: string | null;
}

/** What the administrator's System page shows. */
export interface SystemStatus {
  processes: ProcessStatus[];
  queues: QueueStatus[];
  lastMails: MailStatus[];
  /** When the worker's schedulers last ran, or null before the first time. */
  lastSchedulerTick: string | null;
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
