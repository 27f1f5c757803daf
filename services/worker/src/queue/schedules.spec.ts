import {
  CleanUp,
  PlanDigest,
  PlanReminders,
  PublishDue,
  QUEUES,
  RollUpActivity,
  SYSTEM_KEYS,
} from '@meetmark/contracts';
import { insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import { TestWorkers } from '../testing/test-worker.js';
import { JobQueues } from './job-queues.js';
import { Schedules } from './schedules.js';

describe('the schedules', () => {
  let workers: TestWorkers;

  beforeEach(async () => (workers = await TestWorkers.prepare()));
  afterEach(() => workers.close());

  const scheduled = async (queues: JobQueues): Promise<string[]> => {
    const all = await Promise.all(QUEUES.map((name) => queues.get(name).getJobSchedulers()));
    return all
      .flat()
      .map(({ key }) => key)
      .sort();
  };
  const EVERYTHING = [
    CleanUp.name,
    PlanDigest.name,
    PlanReminders.name,
    PublishDue.name,
    RollUpActivity.name,
  ].sort();

  it('run the activity roll-up when a worker starts, and record the time', async () => {
    const { id: eventId } = await insertEvent(workers.owner);
    const { id: userId } = await insertUser(workers.owner);
    await insertRegistration(workers.owner, { eventId, userId });
    await workers.start();
    await workers.eventually('the roll-up', async () => {
      const days: unknown[] = await workers.owner.query('SELECT FROM admin.registration_activity');
      return days.length === 1;
    });
    await workers.eventually(
      'the tick',
      async () => (await workers.redis.get(SYSTEM_KEYS.lastSchedulerTick)) !== null,
    );
    const tick = Date.parse((await workers.redis.get(SYSTEM_KEYS.lastSchedulerTick)) ?? '');
    expect(tick).toBeLessThanOrEqual(Date.now());
  });

  it('restore all scheduled jobs after Redis was emptied', async () => {
    const worker = await workers.start();
    const queues = worker.get(JobQueues);
    await workers.eventually(
      'the schedules',
      async () => (await scheduled(queues)).length === EVERYTHING.length,
    );
    await workers.redis.flushdb();
    expect(await scheduled(queues)).toEqual([]);
    await worker.get(Schedules).assert();
    expect(await scheduled(queues)).toEqual(EVERYTHING);
    await workers.eventually(
      'a tick',
      async () => (await workers.redis.exists(SYSTEM_KEYS.lastSchedulerTick)) === 1,
    );
  });

  it('create no duplicate jobs when several workers write the schedules repeatedly', async () => {
    const [first, second] = [await workers.start(), await workers.start()];
    for (let time = 0; time < 5; time += 1)
      await Promise.all([first, second].map((worker) => worker.get(Schedules).assert()));
    const queues = first.get(JobQueues);
    expect(await scheduled(queues)).toEqual(EVERYTHING);
    await workers.eventually('one next job each', async () => {
      const counts = await Promise.all(
        QUEUES.map((name) => queues.get(name).getJobCounts('delayed', 'wait', 'active')),
      );
      const open = counts.map(({ delayed = 0, wait = 0, active = 0 }) => delayed + wait + active);
      return open.reduce((sum, count) => sum + count) === EVERYTHING.length;
    });
  });
});
