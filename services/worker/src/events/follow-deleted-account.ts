import { FollowDeletedAccount, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { HandlesJob } from '../queue/job-handler.js';
import { JobQueues, redisAnswer } from '../queue/job-queues.js';

/**
 * Invalidates public answers in case the gateway couldn't notify the events service. Activity needs no such
 * repetition, because it is counted every two minutes.
 */
@Injectable()
export class FollowDeletedAccountJob {
  /** Looked up when needed, because the queues depend on all handlers. */
  constructor(private readonly modules: ModuleRef) {}

  @HandlesJob(FollowDeletedAccount)
  async handle(): Promise<void> {
    const { redis } = this.modules.get(JobQueues, { strict: false });
    await redisAnswer(redis.incr(PUBLIC_EVENTS_VERSION), 'raising the version of the public answers');
  }
}
