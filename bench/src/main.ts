import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { addresses } from './addresses.js';
import { cost } from './cost.js';
import { dataExport } from './data-export.js';
import { digest } from './digest.js';
import { door } from './door.js';
import { firstRun } from './first-run.js';
import { imports } from './imports.js';
import { lighthouse } from './lighthouse.js';
import { messages } from './messages.js';
import { overload } from './overload.js';
import { guestList, pages } from './pages.js';
import { profile } from './profile.js';
import { publicList } from './public-list.js';
import { registrations } from './registrations.js';
import { screens } from './screens.js';
import { start } from './start.js';
import { loadAverage, machine, pace, table, type Effort, type Group, type Row } from './support/results.js';
import { transport } from './transport.js';
import { waitingList } from './waiting-list.js';

const BENCHES: Record<string, (effort: Effort) => Promise<Row[]>> = {
  public: publicList,
  registrations,
  'waiting-list': waitingList,
  messages,
  digest,
  'data-export': dataExport,
  imports,
  door,
  transport,
  addresses,
  pages,
  guests: guestList,
  screens,
  lighthouse,
  overload,
  start,
  'first-run': firstRun,
  cost,
};
const WHOLE: Effort = { rounds: 7, seconds: 5, quick: false };
const QUICK: Effort = { rounds: 3, seconds: 2, quick: true };
const RESULTS = new URL('../RESULTS.md', import.meta.url);

/**
 * `npm run bench` measures everything and writes bench/RESULTS.md. `-- registrations` prints only that
 * measurement, and `--quick` runs few rounds. `-- profile user` shows where a request's processor time goes.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
if (positionals[0] === 'profile') {
  await profile(positionals.slice(1));
  process.exit();
}
const about = machine();
const loadBefore = loadAverage();
const groups: Group[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHES)) {
  const bench = BENCHES[name];
  if (!bench) throw new Error(`there is no bench '${name}': ${Object.keys(BENCHES).join(', ')}`);
  const before = pace();
  try {
    const rows = await bench(values.quick ? QUICK : WHOLE);
    groups.push({ rows, paces: [before, pace()] });
    for (const row of rows) process.stdout.write(`${Object.values(row).join(' | ')}\n`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${name} could not be measured:`, error);
  }
}
const report = [
  '# Measured',
  '',
  'Written by `npm run bench`. Ours and what it is measured beside run in turn; medians, and the range of the ratio. Machine: how fast it was before and after, of the fastest in this run.',
  '',
  ...about.map((line) => `- ${line}`),
  `- load average when it began: ${loadBefore}; when it ended: ${loadAverage()}`,
  `- ${new Date().toISOString()}${values.quick ? ', quick' : ''}`,
  '',
  table(groups),
  '',
].join('\n');
process.stdout.write(`\n${report}`);
if (positionals.length === 0 && process.exitCode === undefined) writeFileSync(RESULTS, report);
process.exit();
