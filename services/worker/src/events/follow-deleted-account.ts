import { FollowDeletedAccount, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { HandlesJob } from '../queue/job-handler.js';
import { JobQueues, redisAnswer } from '../queue/job-queues.js';

/**
 * Invalidates public answers, because the gateway may have failed to notify the events service. The
 * registration activity is recounted every two minutes anyway.
 */
@Injectable()
export class FollowDeletedAccountJob {
  /** Looks up the queues only when needed, because they depend on all handlers. */
  constructor(private readonly modules: ModuleRef) {}

  @HandlesJob(FollowDeletedAccount)
  async handle(): Promise<void> {
    const { redis } = this.modules.get(JobQueues, { strict: false });
    await redisAnswer(redis.incr(PUBLIC_EVENTS_VERSION), 'raising the version of the public answers');
  }
}
