import { setTimeout as pause } from 'node:timers/promises';
import { runInCall, StartedCall } from '../call/call.js';
import { Bulkhead } from './bulkhead.js';

function controlledTasks() {
  const finish: (() => void)[] = [];
  let most = 0;
  let running = 0;
  const task = async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => finish.push(resolve));
    running -= 1;
  };
  return { task, finish, most: () => most };
}

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

describe('the bulkhead', () => {
  it('runs two tasks at a time, queues twenty and refuses the next', async () => {
    const slots = new Bulkhead({ running: 2, waiting: 20 });
    const tasks = controlledTasks();
    const accepted = Array.from({ length: 22 }, () => slots.run(tasks.task));
    await expect(slots.run(tasks.task)).rejects.toMatchObject({ code: 'SERVICE_OVERLOADED' });
    expect(() => slots.refuseWhenFull()).toThrow(expect.objectContaining({ code: 'SERVICE_OVERLOADED' }));

    for (let done = 0; done < 22; done += 1) {
      while (tasks.finish.length === 0) await turnOfTheLoop();
      tasks.finish.shift()?.();
    }
    await Promise.all(accepted);
    expect(tasks.most()).toBe(2);
    const again = slots.run(() => Promise.resolve('free again'));
    await expect(again).resolves.toBe('free again');
    expect(() => slots.refuseWhenFull()).not.toThrow();
  });

  it('rests for three times a task’s duration when tasks have waited too long', async () => {
    const begun = async (restsAfter: number) => {
      const slots = new Bulkhead({ running: 1, waiting: 5, restsAfter });
      const began = performance.now();
      const starts: number[] = [];
      const task = async () => {
        starts.push(performance.now() - began);
        await pause(40);
      };
      await Promise.all(Array.from({ length: 4 }, () => slots.run(task)));
      return starts[3]!;
    };
    const resting = await begun(0);
    expect(resting).toBeGreaterThanOrEqual(470);
    expect(await begun(60_000)).toBeLessThan(resting);
  });

  it('runs the next task after a task fails', async () => {
    const slots = new Bulkhead({ running: 1, waiting: 1 });
    const failing = slots.run(() => Promise.reject(new Error('broken')));
    const next = slots.run(() => Promise.resolve('next'));
    await expect(failing).rejects.toThrow('broken');
    await expect(next).resolves.toBe('next');
  });

  it('does not run a task whose deadline has passed', async () => {
    const slots = new Bulkhead({ running: 1, waiting: 5 });
    const late = new StartedCall({ requestId: 'late', timeLeft: -1 });
    let done = false;
    const run = runInCall(late, () =>
      slots.run(() => {
        done = true;
        return Promise.resolve();
      }),
    );
    await expect(run).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      details: { outcome: 'not-started' },
    });
    expect(done).toBe(false);
  });

  it('refuses a task that waited too long and runs the next', async () => {
    const slots = new Bulkhead({ running: 1, waiting: 5, maxWait: 20 });
    const tasks = controlledTasks();
    const running = slots.run(tasks.task);
    await expect(slots.run(tasks.task)).rejects.toMatchObject({
      code: 'SERVICE_OVERLOADED',
      details: { outcome: 'not-started' },
    });
    const next = slots.run(() => Promise.resolve('next'));
    tasks.finish.shift()?.();
    await running;
    await expect(next).resolves.toBe('next');
    expect(tasks.most()).toBe(1);
  });
});
