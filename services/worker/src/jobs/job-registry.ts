import { allJobs, type Job } from '@meetmark/contracts';
import { handledBy, type JobHandler, type JobOptions } from './job-handler.js';

interface Entry {
  job: Job;
  options: JobOptions;
  handler: JobHandler;
}

/** Which handler does which job. Cannot be made with a job that nobody handles, or that two do. */
export class JobRegistry {
  private readonly entries = new Map<string, Entry>();

  /** @param expected every job that there is, unless a test says otherwise */
  constructor(handlers: JobHandler<never>[], expected: Job[] = allJobs()) {
    for (const handler of handlers) {
      const { job, ...options } = handledBy(handler.constructor);
      if (this.entries.has(job.name)) throw new Error(`the job ${job.name} has two handlers`);
      // the payload of a row was written by the job's own type: OutboxWriter.add takes both together
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
