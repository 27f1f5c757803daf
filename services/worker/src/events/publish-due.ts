import { PUBLIC_EVENTS_VERSION, PublishDue } from '@meetmark/contracts';
import { ModuleRef } from '@nestjs/core';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { HandlesJob } from '../queue/job-handler.js';
import { JobQueues, redisAnswer } from '../queue/job-queues.js';

/**
 * Calls a database function, because the worker may not change events. Invalidates public answers before and
 * after the commit.
 */
@Injectable()
export class PublishDueJob {
  constructor(
    private readonly dataSource: DataSource,
    /**
     * For looking up the queues in `invalidate`. The constructor would be too early, because they depend on
     * all handlers.
     */
    private readonly modules: ModuleRef,
  ) {}

  @HandlesJob(PublishDue)
  async handle(): Promise<void> {
    const published = await this.dataSource.transaction(async (manager) => {
      const [due] = await manager.query<[{ published: number }]>('SELECT events.publish_due() AS published');
      if (due.published > 0) await this.invalidate();
      return due.published;
    });
    if (published > 0) await this.invalidate();
  }

  private async invalidate(): Promise<void> {
    const { redis } = this.modules.get(JobQueues, { strict: false });
    await redisAnswer(redis.incr(PUBLIC_EVENTS_VERSION), 'raising the version of the public answers');
  }
}
