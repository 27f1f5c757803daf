import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startTestStack } from '@meetmark/scripts/stack/test-stack';
import chromium from '@sparticuz/chromium';
import { median, type Row } from './support/results.js';
import { withChildren } from './support/usage.js';

/** Version that `npx` installs on demand, because only these measurements need its two hundred packages. */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const ROUNDS = 3;
const GOALS = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 95 };
/** Maximum milliseconds to the largest contentful paint on a simulated phone. */
const PAINTED_WITHIN = 2_000;
const PHONE = ['a phone', []] as const;
const FORMS = [PHONE, ['a desktop', ['--preset=desktop']]] as const;
const DEMO = fileURLToPath(new URL('../../config/demo/', import.meta.url));
const CHROME = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
  ...['--disable-background-networking', '--remote-debugging-port=0'],
];

type Category = keyof typeof GOALS;

interface Report {
  categories: Record<Category, { score: number }>;
  audits: Record<string, { displayValue?: string; numericValue?: number }>;
  /** Lighthouse's rating of this machine's speed. Its simulation of a phone assumes 1,500 to 2,000. */
  environment: { benchmarkIndex: number };
}

/** The demo community, and others with different colours and languages. */
const COMMUNITIES: { name: string; changes: Record<string, unknown> }[] = [
  { name: 'the demo community', changes: {} },
  { name: 'a yellow one, in German', changes: { brandColour: '#ffd500', locale: 'de', languages: ['de'] } },
  { name: 'a red one', changes: { brandColour: '#d0021b' } },
  { name: 'a black one', changes: { brandColour: '#000000' } },
];

/**
 * Measures the landing page and an event's page with Lighthouse, as the median of three runs. The servers and
 * Lighthouse get a lower priority than the browser, which runs on the same machine. For phones, a second row
 * excludes waiting for a processor, which the simulation would multiply by four.
 */
export async function lighthouse(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lighthouse-'));
  try {
    const rows: Row[] = [];
    for (const community of COMMUNITIES) rows.push(...(await measureRows(community, folder)));
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureRows({ name, changes }: (typeof COMMUNITIES)[number], folder: string): Promise<Row[]> {
  const demo = JSON.parse(await readFile(join(DEMO, 'community.json'), 'utf8')) as object;
  const file = join(folder, 'community.json');
  await cp(join(DEMO, 'public'), join(folder, 'public'), { recursive: true });
  await writeFile(file, JSON.stringify({ ...demo, ...changes }));
  const isDemo = Object.keys(changes).length === 0;
  const environment = isDemo ? undefined : { COMMUNITY_CONFIG: file };
  const stack = await startTestStack({ seeded: true, environment });
  try {
    for (const pid of withChildren([process.pid]).slice(1)) yieldToBrowser(pid);
    const [event] = (await (await fetch(`${stack.url}/api/events/public?time=upcoming&limit=1`)).json()) as {
      slug: string;
    }[];
    const pages = [
      ['landing page', '/'],
      ['event page', `/e/${event?.slug}`],
    ] as const;
    const rows: Row[] = [];
    for (const [page, path] of pages)
      for (const [form, options] of isDemo ? FORMS : [PHONE]) {
        const isPhone = form === PHONE[0];
        const loads: Report[] = [];
        const alone: Report[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const artifacts = join(folder, 'artifacts');
          loads.push(await createReport(stack.url + path, [...options, `-GA=${artifacts}`], folder));
          if (!isPhone) continue;
          await withoutWaiting(join(artifacts, 'defaultPass.trace.json'));
          alone.push(await createReport(stack.url + path, [...options, `-A=${artifacts}`], folder));
        }
        const what = `Lighthouse: ${page} on ${form}, ${name}`;
        rows.push(buildRow(what, loads, isPhone));
        if (isPhone) rows.push(buildRow(`${what}, by processor time`, alone, isPhone));
      }
    return rows;
  } finally {
    await stack.stop();
  }
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
}

/** Shortens each task of a trace to its processor time, and the events inside it in proportion. */
async function withoutWaiting(file: string): Promise<void> {
  const trace = JSON.parse(await readFile(file, 'utf8')) as { traceEvents: TraceEvent[] };
  const tasks = new Map<string, { from: number; until: number; share: number }>();
  // Sorts each task before the first event inside it, which starts at the same time but is shorter.
  trace.traceEvents.sort((one, other) => one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0));
  for (const event of trace.traceEvents) {
    const { name, ph, ts, dur = 0, tdur = dur } = event;
    const thread = `${event.pid}:${event.tid}`;
    const before = tasks.get(thread);
    const begins = ph === 'X' && name.endsWith('RunTask') && ts >= (before?.until ?? 0);
    const share = Math.min(1, tdur / Math.max(dur, 1));
    const task = begins ? { from: ts, until: ts + dur, share } : before;
    if (task === undefined || ts >= task.until) continue;
    tasks.set(thread, task);
    event.ts = task.from + (ts - task.from) * task.share;
    if (event.dur !== undefined) event.dur = dur * task.share;
  }
  await writeFile(file, JSON.stringify(trace));
}

function yieldToBrowser(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch (error) {
    if ((error as { info?: { code: string } }).info?.code !== 'ESRCH') throw error;
  }
}

/**
 * Runs Lighthouse with a browser started here. A browser started by Lighthouse would inherit its lower
 * priority.
 */
async function createReport(url: string, options: string[], folder: string): Promise<Report> {
  const file = join(folder, 'report.json');
  const profile = await mkdtemp(join(folder, 'profile-'));
  const browser = spawn(await chromium.executablePath(), [...CHROME, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(browser, 'exit');
  try {
    const reported = promisify(execFile)('npx', [
      ...['--yes', LIGHTHOUSE, url, ...options],
      ...[`--only-categories=${Object.keys(GOALS).join(',')}`, `--port=${await readPort(browser.stderr)}`],
      ...['--quiet', '--output=json', `--output-path=${file}`],
    ]);
    yieldToBrowser(reported.child.pid!);
    await reported;
    return JSON.parse(await readFile(file, 'utf8')) as Report;
  } finally {
    browser.kill();
    await ended;
    await rm(profile, { recursive: true });
  }
}

async function readPort(said: Readable): Promise<string> {
  for await (const line of createInterface(said)) {
    const port = /^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port !== undefined) {
      said.resume(); // Keeps reading, because a full pipe would block the browser.
      return port;
    }
  }
  throw new Error('the browser ended before it listened');
}

function buildRow(path: string, reports: Report[], isPhone: boolean): Row {
  const scores = Object.entries(GOALS).map(([category, goal]) => {
    const score = median(reports.map(({ categories }) => categories[category as Category].score * 100));
    return { category, goal, score: Math.round(score) };
  });
  const speeds = reports.map(({ environment }) => Math.round(environment.benchmarkIndex)).join(', ');
  const said = (audit: string) => reports.map(({ audits }) => audits[audit]?.displayValue ?? '–').join(', ');
  const painted = median(
    reports.map(({ audits }) => audits['largest-contentful-paint']?.numericValue ?? Infinity),
  );
  return {
    path,
    ours: scores.map(({ category, score }) => `${category} ${score}`).join(', '),
    beside: `LCP ${said('largest-contentful-paint')}; blocked ${said('total-blocking-time')}; benchmark index ${speeds}`,
    ratio: '–',
    goal: `${scores.map(({ goal }) => `≥ ${goal}`).join(', ')}${isPhone ? `; LCP ≤ ${PAINTED_WITHIN / 1_000} s` : ''}`,
    met: scores.every(({ score, goal }) => score >= goal) && (!isPhone || painted <= PAINTED_WITHIN),
  };
}
