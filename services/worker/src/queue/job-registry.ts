import { allJobs, type Job } from '@meetmark/contracts';
import { handledBy, type JobHandler, type JobOptions } from './job-handler.js';

interface Entry {
  job: Job;
  options: JobOptions;
  handler: JobHandler;
}

/** Maps jobs to handlers. It refuses a job without a handler, or with two. */
export class JobRegistry {
  private readonly entries = new Map<string, Entry>();

  /** @param expected every job of the contracts, unless a test says otherwise */
  constructor(handlers: JobHandler<never>[], expected: Job[] = allJobs()) {
    for (const handler of handlers) {
      const { job, ...options } = handledBy(handler.constructor);
      if (this.entries.has(job.name)) throw new Error(`the job ${job.name} has two handlers`);
      // OutboxWriter.add takes job and payload together, so a row's payload has the job's type
      this.entries.set(job.name, { job, options, handler: handler as JobHandler });
    }
    const missing = expected.filter((job) => !this.entries.has(job.name)).map((job) => job.name);
    if (missing.length > 0) throw new Error(`no handler for the job ${missing.join(', ')}`);
  }

  get jobs(): Job[] {
    return [...this.entries.values()].map(({ job }) => job);
  }

  /** @throws Error for a job of another version of the system */
  find(name: string): Entry {
    const entry = this.entries.get(name);
    if (entry === undefined) throw new Error(`unknown job ${name}`);
    return entry;
  }
}
