import { registry } from '@meetmark/platform';
import { Counter, Gauge, Histogram } from 'prom-client';

const registers = [registry];

export const jobSeconds = new Histogram({
  name: 'job_seconds',
  help: 'Jobs done by this worker; outcome is done, failed (will be tried again) or given-up',
  labelNames: ['job', 'outcome'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers,
});

export const mails = new Counter({
  name: 'mails_total',
  help: 'Emails by template; outcome is sent, failed, refused (for good), unwanted (turned off by the member), unverified (the address is not verified), demo (to a member of the demo community), deferred (too many about one event) or bounded (dropped for that reason)',
  labelNames: ['template', 'outcome'],
  registers,
});

export const queueJobs = new Gauge({
  name: 'queue_jobs',
  help: 'Jobs by queue and state; failed counts outbox rows whose last attempt failed',
  labelNames: ['queue', 'state'],
  registers,
});

export const oldestWaiting = new Gauge({
  name: 'queue_oldest_waiting_seconds',
  help: 'Seconds that the oldest job that is due has waited; 0 if none is waiting',
  labelNames: ['queue'],
  registers,
});

export const lastSchedulerTick = new Gauge({
  name: 'scheduler_last_tick_timestamp_seconds',
  help: 'Unix time at which this worker last ran a scheduled job',
  registers,
});
