import { setTimeout as pause } from 'node:timers/promises';
import type { Import } from '@meetmark/contracts';
import { IMPORTS } from '@meetmark/contracts/import-limits';
import { ApiClient } from '@meetmark/testing/http-client';
import { milliseconds, quantile, type Row } from './support/results.js';
import { withStack } from './support/stack.js';

const EVENTS = 1_000;
const DAY = 86_400_000;
const [PREVIEW_GOAL, IMPORT_GOAL, DELAY_GOAL] = [10, 60, 1.2];
const P95 = 0.95;
const LEAST = 200;

/**
 * Measures how long checking and importing 1,000 events takes, and whether it delays visitors. Runs once,
 * because the import takes long.
 */
export async function imports(): Promise<Row[]> {
  return withStack({ durable: true, seeded: true }, async (stack) => {
    const client = new ApiClient(stack.url);
    await client.signIn(stack.administrator);
    const rows = Array.from({ length: EVENTS }, (_, index) => {
      const start = Date.now() - (index + 2) * DAY;
      const [startDate, endDate] = [start, start + DAY / 12].map((time) => new Date(time).toISOString());
      const fields = {
        title: `Meetup ${index}`,
        description: '**Bring** a pencil. '.repeat(50),
        isMarkdown: true,
      };
      return { number: index + 1, key: `bench ${index}`, fields: { ...fields, startDate, endDate } };
    });
    const whileAlone = () => visits(stack.url, (asked) => asked < LEAST);
    await whileAlone(); // fills caches
    const alone = await whileAlone();
    const began = performance.now();
    const path = `/api/admin/imports/${(await client.expect<Import>(201, 'POST', '/api/admin/imports', { fileName: 'a.csv' })).id}`;
    for (let at = 0; at < EVENTS; at += IMPORTS.batch)
      await client.expect(200, 'POST', `${path}/rows`, { rows: rows.slice(at, at + IMPORTS.batch) });
    const checked = (performance.now() - began) / 1_000;
    let state: Import['state'] = 'preview';
    const visiting = visits(stack.url, () => state !== 'done');
    while (state !== 'done') {
      const asked = performance.now();
      ({ state } = await client.expect<Import>(200, 'POST', `${path}/continue`));
      await pause((performance.now() - asked) * IMPORTS.rest); // as the browser does
    }
    const imported = (performance.now() - began) / 1_000 - checked;
    const during = await visiting;
    return [
      {
        path: `an import of ${EVENTS.toLocaleString('en')} events, until all are checked`,
        ours: `${checked.toFixed(1)} s`,
        beside: '–',
        ratio: '–',
        goal: `≤ ${PREVIEW_GOAL} s`,
        met: checked <= PREVIEW_GOAL,
      },
      {
        path: '…, until all are imported',
        ours: `${imported.toFixed(1)} s`,
        beside: '–',
        ratio: '–',
        goal: `≤ ${IMPORT_GOAL} s`,
        met: imported <= IMPORT_GOAL,
      },
      {
        path: 'GET /api/events/public, while they are imported',
        ours: `p95 ${milliseconds(during)}`,
        beside: `without it: p95 ${milliseconds(alone)}`,
        ratio: (during / alone).toFixed(2),
        goal: `≤ ${DELAY_GOAL.toFixed(2)}`,
        met: during / alone <= DELAY_GOAL,
      },
    ];
  });
}

/** Returns the 95th percentile of the time that a visitor waits for the list, in milliseconds. */
async function visits(url: string, isOpen: (asked: number) => boolean): Promise<number> {
  const waits: number[] = [];
  while (isOpen(waits.length)) {
    const asked = performance.now();
    await (await fetch(`${url}/api/events/public?limit=20`)).arrayBuffer();
    waits.push(performance.now() - asked);
  }
  return quantile(waits, P95);
}
