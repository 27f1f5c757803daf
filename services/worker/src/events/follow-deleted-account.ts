import { FollowDeletedAccount, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { HandlesJob } from '../queue/job-handler.js';
import { JobQueues, redisAnswer } from '../queue/job-queues.js';

/**
 * Invalidates public answers, because the gateway may have failed to notify the events service. Doesn't
 * recount the registration activity, because that happens every two minutes anyway.
 */
@Injectable()
export class FollowDeletedAccountJob {
  /**
   * For looking up the queues in `handle`. The constructor would be too early, because they depend on all
   * handlers.
   */
  constructor(private readonly modules: ModuleRef) {}

  @HandlesJob(FollowDeletedAccount)
  async handle(): Promise<void> {
    const { redis } = this.modules.get(JobQueues, { strict: false });
    await redisAnswer(redis.incr(PUBLIC_EVENTS_VERSION), 'raising the version of the public answers');
  }
}
