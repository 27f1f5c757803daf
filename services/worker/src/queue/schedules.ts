import {
  CleanUp,
  DeleteClosedAccounts,
  EnforceRetention,
  type Job,
  PlanDigest,
  PlanReminders,
  PublishDue,
  RollUpActivity,
} from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { JobQueues, redisAnswer } from './job-queues.js';
import { Repeating } from './repeating.js';

interface Schedule {
  job: Job;
  /** Milliseconds between runs. */
  every: number;
}

const MINUTE = 60_000;
const SCHEDULES: Schedule[] = [
  { job: RollUpActivity, every: 2 * MINUTE },
  { job: PlanReminders, every: 5 * MINUTE },
  { job: PlanDigest, every: 5 * MINUTE },
  { job: PublishDue, every: MINUTE / 2 },
  { job: CleanUp, every: 60 * MINUTE },
  { job: DeleteClosedAccounts, every: 60 * MINUTE },
  { job: EnforceRetention, every: 60 * MINUTE },
];
/** Milliseconds between checks that Redis still has the schedules. */
const ASSERT_INTERVAL = MINUTE;
const FAILURES_KEPT = 20;

/** Every worker writes the schedules. Writing them again changes nothing. */
@Injectable()
export class Schedules extends Repeating {
  constructor(private readonly queues: JobQueues) {
    super(ASSERT_INTERVAL, 'the schedules could not be asserted');
    // Redis may have lost the schedules during an outage.
    queues.redis.on('ready', this.wake);
  }

  protected work(): Promise<void> {
    return this.assert();
  }

  async assert(): Promise<void> {
    if (!this.queues.connected) return;
    for (const { job, every } of SCHEDULES) {
      const opts = { removeOnComplete: true, removeOnFail: { count: FAILURES_KEPT } };
      const asserted = this.queues
        .get(job.queue)
        .upsertJobScheduler(job.name, { every }, { name: job.name, data: {}, opts });
      await redisAnswer(asserted, `asserting ${job.name}`);
    }
  }
}
