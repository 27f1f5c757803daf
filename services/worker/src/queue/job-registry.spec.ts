import { CleanUp, PlanReminders } from '@meetmark/contracts';
import { HandlesJob } from './job-handler.js';
import { JobRegistry } from './job-registry.js';

class FirstCleaner {
  @HandlesJob(CleanUp)
  async clean(): Promise<void> {}
}

class SecondCleaner {
  @HandlesJob(CleanUp)
  async clean(): Promise<void> {}
}

class Unmarked {
  async clean(): Promise<void> {}
}

describe('the job registry', () => {
  it.each([
    ['a job without a handler', [new FirstCleaner()], `no handler for the job ${PlanReminders.name}`],
    ['two handlers for one job', [new FirstCleaner(), new SecondCleaner()], 'has two handlers'],
    ['a class without a handler', [new Unmarked()], 'no method with @HandlesJob'],
  ])('rejects %s', (_, handlers, problem) => {
    expect(() => new JobRegistry(handlers, [CleanUp, PlanReminders])).toThrow(problem);
  });
});
