import { jest } from '@jest/globals';
import { performance as eventLoop } from 'node:perf_hooks';
import { IDLE_TICK, noteWork, TICK } from '../redis/clock.js';
import { collectProcessMetrics, registry } from './metrics.js';

describe('the lag of the event loop', () => {
  let utilization = 0.01;
  let heldUp = 0;
  beforeAll(() => {
    jest.useFakeTimers({ now: 1_800_000_000_000 });
    const now = performance.now.bind(performance);
    performance.now = () => now() + heldUp;
    eventLoop.eventLoopUtilization = () => ({ idle: 0, active: 0, utilization });
    collectProcessMetrics();
  });
  const { eventLoopUtilization } = eventLoop;
  afterAll(() => {
    eventLoop.eventLoopUtilization = eventLoopUtilization;
    jest.useRealTimers();
  });

  const reading = async (kind: string) =>
    Number(
      new RegExp(`^nodejs_eventloop_lag_${kind}_seconds (\\S+)`, 'm').exec(await registry.metrics())?.[1],
    ).toFixed(2);
  const pass = (milliseconds: number) => jest.advanceTimersByTime(milliseconds);

  it('is sampled with the ticks while the process is quiet, and wakes it for nothing', async () => {
    pass(10 * TICK);
    expect(jest.getTimerCount()).toBe(1);
    expect([await reading('min'), await reading('p99')]).toEqual(['0.05', '0.05']);
    heldUp += 200;
    pass(IDLE_TICK);
    expect([await reading('max'), await reading('max')]).toEqual(['0.25', '0.25']);
  });

  it('is sampled twenty times a second while it works', async () => {
    utilization = 0.06;
    noteWork();
    pass(TICK);
    expect(jest.getTimerCount()).toBe(2);
    await registry.metrics();
    pass(TICK / 2);
    heldUp += 300;
    pass(TICK / 4);
    expect([await reading('p50'), await reading('max')]).toEqual(['0.05', '0.35']);
    utilization = 0.01;
    pass(TICK);
    expect(jest.getTimerCount()).toBe(1);
  });
});
