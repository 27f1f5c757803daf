import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@meetmark/testing';
import { collectProcessMetrics, registry } from './metrics.js';

const LOOKED = 100;
/** Seconds between two samples, which each of them includes. */
const SAMPLED = 0.05;
/** Seconds. */
const REST = 2;

it('the lag of the event loop is sampled while the process works, and is none while it is idle', async () => {
  collectProcessMetrics(LOOKED);
  const lag = async (figure: string) => {
    const metrics = await registry.metrics();
    return Number(new RegExp(`^nodejs_eventloop_lag_${figure}_seconds (\\S+)$`, 'm').exec(metrics)?.[1]);
  };
  const idle = () => until('rest', 10_000, async () => (await pause(3 * LOOKED), (await lag('p99')) === 0));
  await idle();
  const work = () =>
    setInterval(() => {
      for (const end = performance.now() + SAMPLED * 1_000; performance.now() < end;);
    }, 1);
  let working = work();
  await until('samples', 10_000, async () => (await pause(LOOKED), (await lag('p50')) > SAMPLED / 2));
  clearInterval(working);
  await pause(REST * 1_000);
  working = work();
  await pause(5 * LOOKED);
  clearInterval(working);
  const max = await lag('max');
  expect(max).toBeGreaterThan(0);
  expect(max).toBeLessThan(REST / 4);
});
