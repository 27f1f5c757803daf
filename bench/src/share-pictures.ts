import type { Event } from '@meetmark/contracts';
import { startTestStack } from '@meetmark/scripts/stack/test-stack';
import { median, milliseconds, quantile, type Effort, type Row } from './support/results.js';

/** Milliseconds in which each is made, and bytes that it may have. */
const GOAL = { time: 150, bytes: 300 * 1024 };
/** Told apart: the process that draws starts with the first. */
const WARM_UP = 3;

/** The share pictures of the demo community's events, one at a time: made, and asked for again. */
export async function sharePictures({ quick }: Effort): Promise<Row[]> {
  const stack = await startTestStack({ seeded: true });
  try {
    const list = await fetch(`${stack.url}/api/events/public?limit=${quick ? 20 : 100}`);
    const made: number[] = [];
    const kept: number[] = [];
    let largest = 0;
    for (const { id, version } of (await list.json()) as Event[]) {
      const ask = async (times: number[]) => {
        const began = performance.now();
        const answer = await fetch(`${stack.url}/media/share/${id}-${version}.jpg`, { redirect: 'error' });
        if (!answer.ok) throw new Error(`the share picture of ${id} is answered ${answer.status}`);
        largest = Math.max(largest, (await answer.arrayBuffer()).byteLength);
        times.push(performance.now() - began);
      };
      await ask(made);
      await ask(kept);
    }
    const [first = NaN] = made;
    const counted = made.slice(WARM_UP);
    const [p50, slowest] = [median(counted), quantile(counted, 1)];
    return [
      {
        path: `a share picture that is made, of ${counted.length}`,
        ours: `p50 ${milliseconds(p50)}, at most ${milliseconds(slowest)}, ${Math.ceil(largest / 1024)} kB`,
        beside: `asked for again: ${milliseconds(median(kept))}`,
        ratio: (p50 / median(kept)).toFixed(2),
        goal: `< ${GOAL.time} ms, ≤ ${GOAL.bytes / 1024} kB`,
        met: slowest < GOAL.time && largest <= GOAL.bytes,
      },
      {
        path: 'the first share picture of a gateway, with the start of the process that draws',
        ours: milliseconds(first),
        beside: `later: ${milliseconds(p50)}`,
        ratio: (first / p50).toFixed(2),
        goal: `< ${GOAL.time} ms`,
        met: first < GOAL.time,
      },
    ];
  } finally {
    await stack.stop();
  }
}
