import { allJobs, CleanUp, type Job, PlanReminders } from '@meetmark/contracts';
import { jobHandlers } from '../worker.module.js';
import { handledBy, HandlesJob, type JobContext } from './job-handler.js';
import { JobRegistry } from './job-registry.js';

class FirstCleaner {
  cleaned: object[] = [];

  @HandlesJob(CleanUp)
  async clean(payload: object): Promise<void> {
    this.cleaned.push(payload);
  }
}

class SecondCleaner {
  @HandlesJob(CleanUp)
  async clean(): Promise<void> {}
}

class Unmarked {
  async clean(): Promise<void> {}
}

describe('the job registry', () => {
  it('finds the method that handles a job', async () => {
    const cleaner = new FirstCleaner();
    const { handler } = new JobRegistry([cleaner], [CleanUp]).find(CleanUp.name);
    const payload = {};
    await handler.handle(payload, {} as JobContext);
    expect(cleaner.cleaned).toEqual([payload]);
  });

  it('rejects a job without a handler', () => {
    expect(() => new JobRegistry([new FirstCleaner()], [CleanUp, PlanReminders])).toThrow(
      `no handler for the job ${PlanReminders.name}`,
    );
  });

  it('rejects two handlers for one job and a class without a handler', () => {
    expect(() => new JobRegistry([new FirstCleaner(), new SecondCleaner()], [])).toThrow('has two handlers');
    expect(() => new JobRegistry([new Unmarked()], [])).toThrow('no method with @HandlesJob');
  });

  it('has a handler for every job', () => {
    const handled = jobHandlers.flatMap((type) => handledBy(type).map(([, { job }]) => job.name));
    expect(handled.sort()).toEqual(
      allJobs()
        .map((job: Job) => job.name)
        .sort(),
    );
  });
});
