import { FollowDeletedAccount, LapsePlaces, PUBLIC_EVENTS_VERSION } from '@meetmark/contracts';
import { ModuleRef } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { HandlesJob, type JobHandler } from '../queue/job-handler.js';
import { JobQueues, redisAnswer } from '../queue/job-queues.js';

/**
 * Ends the places whose members have not verified their address in time. A function of events decides which, one event at a time, so that
 * none is locked for long; several workers at once end each place once. Cached public answers become invalid afterwards, as when a draft
 * is published.
 */
@HandlesJob(LapsePlaces)
export class LapsePlacesJob implements JobHandler {
  constructor(
    private readonly dataSource: DataSource,
    /** The queues know every handler, so this one meets them when it works. */
    private readonly modules: ModuleRef,
  ) {}

  async handle(): Promise<void> {
    let all = 0;
    for (let lapsed = await this.lapse(); lapsed > 0; lapsed = await this.lapse()) all += lapsed;
    if (all === 0) return;
    const { redis } = this.modules.get(JobQueues);
    await redisAnswer(redis.incr(PUBLIC_EVENTS_VERSION), 'raising the version of the public answers');
  }

  private async lapse(): Promise<number> {
    const [{ lapsed }] = await this.dataSource.query<[{ lapsed: number }]>(
      'SELECT events.lapse_places() AS lapsed',
    );
    return lapsed;
  }
}

/**
 * Cached public answers become invalid once more after the deletion of an account, should the gateway not have been able to tell events of
 * it. The activity is rolled up every two minutes anyway.
 */
@HandlesJob(FollowDeletedAccount)
export class FollowDeletedAccountJob implements JobHandler {
  constructor(private readonly modules: ModuleRef) {}

  async handle(): Promise<void> {
    const { redis } = this.modules.get(JobQueues);
    await redisAnswer(redis.incr(PUBLIC_EVENTS_VERSION), 'raising the version of the public answers');
  }
}
