import { PUBLIC_EVENTS_VERSION, PublishDue } from '@meetmark/contracts';
import { ModuleRef } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { HandlesJob, type JobHandler } from '../queue/job-handler.js';
import { JobQueues, redisAnswer } from '../queue/job-queues.js';

/**
 * Publishes the drafts whose moment has come. A function of events decides which; it is all that the worker may do with events. Cached public
 * answers become invalid afterwards; should that fail, none lives longer than ten seconds anyway.
 */
@HandlesJob(PublishDue)
export class PublishDueJob implements JobHandler {
  constructor(
    private readonly dataSource: DataSource,
    /** The queues know every handler, so this one meets them when it works. */
    private readonly modules: ModuleRef,
  ) {}

  async handle(): Promise<void> {
    const [{ published }] = await this.dataSource.query<[{ published: number }]>(
      'SELECT events.publish_due() AS published',
    );
    if (published === 0) return;
    const { redis } = this.modules.get(JobQueues);
    await redisAnswer(redis.incr(PUBLIC_EVENTS_VERSION), 'raising the version of the public answers');
  }
}
