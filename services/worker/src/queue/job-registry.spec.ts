import { allJobs, CleanUp, type Job, PlanReminders } from '@meetmark/contracts';
import { jobHandlers } from '../worker.module.js';
import { handledBy, HandlesJob, type JobHandler } from './job-handler.js';
import { JobRegistry } from './job-registry.js';

@HandlesJob(CleanUp)
class FirstCleaner implements JobHandler {
  async handle(): Promise<void> {}
}

@HandlesJob(CleanUp)
class SecondCleaner extends FirstCleaner {}

class Unmarked implements JobHandler {
  async handle(): Promise<void> {}
}

describe('the job registry', () => {
  it('finds the handler of a job', () => {
    const cleaner = new FirstCleaner();
    expect(new JobRegistry([cleaner], [CleanUp]).find(CleanUp.name).handler).toBe(cleaner);
  });

  it('refuses to be made with a job that nobody handles', () => {
    expect(() => new JobRegistry([new FirstCleaner()], [CleanUp, PlanReminders])).toThrow(
      `no handler for the job ${PlanReminders.name}`,
    );
  });

  it('refuses two handlers of one job, and a class that handles none', () => {
    expect(() => new JobRegistry([new FirstCleaner(), new SecondCleaner()], [])).toThrow('has two handlers');
    expect(() => new JobRegistry([new Unmarked()], [])).toThrow('not marked');
  });

  it('has a handler for every job that there is', () => {
    const handled = jobHandlers.map((type) => handledBy(type).job.name);
    expect(handled.sort()).toEqual(
      allJobs()
        .map((job: Job) => job.name)
        .sort(),
    );
  });
});
