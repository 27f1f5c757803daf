import { until } from '@meetmark/testing';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { collectWhenIdle } from './idle-collection.js';

describe('collectWhenIdle', () => {
  it('collects garbage when the process is idle, not while it is busy', async () => {
    let collections = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries() as (PerformanceEntry & { detail: { flags: number } })[])
        if (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) collections += 1;
    });
    observer.observe({ entryTypes: ['gc'] });
    collectWhenIdle(100);
    const end = performance.now() + 500;
    while (performance.now() < end) {
      const busy = performance.now() + 30;
      while (performance.now() < busy);
      await pause(1);
    }
    expect(collections).toBe(0);
    await until('a collection', 60_000, () => Promise.resolve(collections > 0));
    observer.disconnect();
  });
});
