import {
  CleanUp,
  type Job,
  LapsePlaces,
  PlanDigest,
  PlanReminders,
  PublishDue,
  RollUpActivity,
} from '@meetmark/contracts';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { JobQueues, redisAnswer } from './job-queues.js';
import { Repeating } from './repeating.js';

interface Schedule {
  job: Job;
  /** Milliseconds. */
  every: number;
}

const MINUTE = 60_000;
const SCHEDULES: Schedule[] = [
  { job: RollUpActivity, every: 2 * MINUTE },
  { job: PlanReminders, every: 5 * MINUTE },
  { job: PlanDigest, every: 5 * MINUTE },
  { job: LapsePlaces, every: MINUTE / 2 },
  { job: PublishDue, every: MINUTE / 2 },
  { job: CleanUp, every: 60 * MINUTE },
];
/** Milliseconds. An emptied Redis has lost the schedules: they are missing for at most this long. */
const ASSERT_INTERVAL = MINUTE;
const FAILURES_KEPT = 20;

/** Keeps the schedules of regular jobs in Redis. Writing them again changes nothing, so every worker does. */
@Injectable()
export class Schedules implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Schedules.name);
  private readonly asserts = new Repeating(
    ASSERT_INTERVAL,
    () => this.assert(),
    (error) => this.logger.warn({ msg: 'the schedules could not be asserted', err: error }),
  );

  constructor(private readonly queues: JobQueues) {}

  onApplicationBootstrap(): void {
    this.asserts.start();
    this.queues.redis.on('ready', this.wake);
  }

  async onModuleDestroy(): Promise<void> {
    this.queues.redis.off('ready', this.wake);
    await this.asserts.stop();
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

  // a Redis that returns may be empty
  private readonly wake = () => this.asserts.wake();
}
