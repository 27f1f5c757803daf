import { allJobs, type Job } from '@meetmark/contracts';
import type { Type } from '@nestjs/common';
import { type Handle, handledBy, type JobOptions } from './job-handler.js';

interface Entry {
  job: Job;
  options: JobOptions;
  handler: { handle: Handle };
}

export class JobRegistry {
  private readonly entries = new Map<string, Entry>();

  constructor(handlers: object[], expected: Job[] = allJobs()) {
    for (const handler of handlers)
      for (const [method, { job, options }] of handledBy(handler.constructor as Type<object>)) {
        if (this.entries.has(job.name)) throw new Error(`the job ${job.name} has two handlers`);
        const methods = handler as Record<string, Handle>;
        const handle: Handle = (payload, context) => methods[method]!(payload, context);
        this.entries.set(job.name, { job, options, handler: { handle } });
      }
    const missing = expected.filter((job) => !this.entries.has(job.name)).map((job) => job.name);
    if (missing.length > 0) throw new Error(`no handler for the job ${missing.join(', ')}`);
  }

  get jobs(): Job[] {
    return [...this.entries.values()].map(({ job }) => job);
  }

  /** @throws Error for an unknown job, for example one of a newer version */
  find(name: string): Entry {
    const entry = this.entries.get(name);
    if (entry === undefined) throw new Error(`unknown job ${name}`);
    return entry;
  }
}
