import { PUBLIC_EVENTS_VERSION, QUEUES, SYSTEM_KEYS } from '@meetmark/contracts';
import { daysFromNow, insertEvent, insertRegistration } from '@meetmark/testing/factories/events';
import { insertUser } from '@meetmark/testing/factories/users';
import type { INestApplicationContext } from '@nestjs/common';
import { workersForTests } from '../testing/test-worker.js';
import { JobQueues } from './job-queues.js';
import { Schedules } from './schedules.js';

const EVERYTHING = [
  'activity.rollUp',
  'housekeeping.cleanUp',
  'housekeeping.deleteClosedAccounts',
  'housekeeping.enforceRetention',
  'housekeeping.planDigest',
  'housekeeping.planReminders',
  'housekeeping.publishDue',
];

describe('the schedules', () => {
  const workers = workersForTests();
  let running: INestApplicationContext[];

  beforeAll(async () => {
    const { id: eventId } = await insertEvent(workers.owner);
    const { id: userId } = await insertUser(workers.owner);
    await insertRegistration(workers.owner, { eventId, userId });
    await insertEvent(workers.owner, { status: 'draft', publishAt: daysFromNow(-0.0001) });
    running = [await workers.start(), await workers.start()];
  });

  const queue = (name: (typeof QUEUES)[number]) => running[0]!.get(JobQueues).get(name);
  const scheduled = async (): Promise<string[]> => {
    const all = await Promise.all(QUEUES.map((name) => queue(name).getJobSchedulers()));
    return all
      .flat()
      .map(({ key }) => key)
      .sort();
  };

  it('run the roll-up and publish due drafts when a worker starts, and record the time', async () => {
    await workers.eventually('the roll-up', async () => {
      const days: unknown[] = await workers.owner.query('SELECT FROM admin.registration_activity');
      return days.length === 1;
    });
    const { redis } = workers;
    const version = () => redis.get(PUBLIC_EVENTS_VERSION);
    await workers.eventually('the publication', async () => (await version()) === '2');
    const tick = () => redis.get(SYSTEM_KEYS.lastSchedulerTick);
    await workers.eventually('the tick', async () => (await tick()) !== null);
    expect(Date.parse((await tick())!)).toBeLessThanOrEqual(Date.now());
  });

  it('create no duplicate jobs when several workers write the schedules repeatedly', async () => {
    for (let time = 0; time < 5; time += 1)
      await Promise.all(running.map((worker) => worker.get(Schedules).assert()));
    expect(await scheduled()).toEqual(EVERYTHING);
    const count = (name: (typeof QUEUES)[number]) =>
      queue(name).getJobCountByTypes('delayed', 'wait', 'active');
    await workers.eventually('one next job each', async () => {
      const counts = await Promise.all(QUEUES.map(count));
      return counts.reduce((sum, each) => sum + each) === EVERYTHING.length;
    });
  });

  it('restore all scheduled jobs after Redis was emptied', async () => {
    await workers.redis.flushdb();
    expect(await scheduled()).toEqual([]);
    await running[0]!.get(Schedules).assert();
    expect(await scheduled()).toEqual(EVERYTHING);
    await workers.eventually(
      'a tick',
      async () => (await workers.redis.exists(SYSTEM_KEYS.lastSchedulerTick)) === 1,
    );
  });
});
