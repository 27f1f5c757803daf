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

/** Fetched when it is asked for, and by `npx`: only a measurement installs its two hundred packages. */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const ROUNDS = 3;
const GOALS = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 95 };
/** Milliseconds until the largest part of a page is painted, in the simulation of a phone. */
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
  /** How fast Lighthouse found the machine; its slowed-down phone takes one of 1,500 to 2,000 for granted. */
  environment: { benchmarkIndex: number };
}

/** Communities of other colours than the demo's, which change every page's styles, and of another language. */
const COMMUNITIES: { name: string; changes: Record<string, unknown> }[] = [
  { name: 'the demo community', changes: {} },
  { name: 'a yellow one, in German', changes: { brandColour: '#ffd500', locale: 'de', languages: ['de'] } },
  { name: 'a red one', changes: { brandColour: '#d0021b' } },
  { name: 'a black one', changes: { brandColour: '#000000' } },
];

/**
 * What Lighthouse says of the two pages that strangers come to, in communities of several colours: the median of three. Of the demo as a phone
 * and as a desktop, of others as a phone. A phone has neither Lighthouse nor servers on it: here they share the machine, and leave the browser
 * the processors that it wants. Of a phone also what it says of the same loads when the page's thread is taken to have had a processor whenever
 * it wanted one: it counts what the page waits for them, four times over.
 */
export async function lighthouse(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lighthouse-'));
  try {
    const rows: Row[] = [];
    for (const community of COMMUNITIES) rows.push(...(await rowsOf(community, folder)));
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function rowsOf({ name, changes }: (typeof COMMUNITIES)[number], folder: string): Promise<Row[]> {
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
          loads.push(await reportOf(stack.url + path, [...options, `-GA=${artifacts}`], folder));
          if (!isPhone) continue;
          await withoutWaiting(join(artifacts, 'defaultPass.trace.json'));
          alone.push(await reportOf(stack.url + path, [...options, `-A=${artifacts}`], folder));
        }
        const what = `Lighthouse: ${page} on ${form}, ${name}`;
        rows.push(rowOf(what, loads, isPhone));
        if (isPhone) rows.push(rowOf(`${what}, by processor time`, alone, isPhone));
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
  /** Microseconds, as the next two. */
  ts: number;
  dur?: number;
  /** Of the thread's processor time. */
  tdur?: number;
}

/** Makes each task of a trace as long as its processor time, and what happens in it shorter by the same share. */
async function withoutWaiting(file: string): Promise<void> {
  const trace = JSON.parse(await readFile(file, 'utf8')) as { traceEvents: TraceEvent[] };
  /** The present one of each thread. */
  const tasks = new Map<string, { from: number; until: number; share: number }>();
  // of those that begin at one moment, the outer one first
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

/** A process that has just ended has nothing to yield. */
function yieldToBrowser(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch (error) {
    if ((error as { info?: { code: string } }).info?.code !== 'ESRCH') throw error;
  }
}

/** Opens a browser of the report's own, which Lighthouse, having less priority, cannot start itself. */
async function reportOf(url: string, options: string[], folder: string): Promise<Report> {
  const file = join(folder, 'report.json');
  const profile = await mkdtemp(join(folder, 'profile-'));
  const browser = spawn(await chromium.executablePath(), [...CHROME, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(browser, 'exit');
  try {
    const reported = promisify(execFile)('npx', [
      ...['--yes', LIGHTHOUSE, url, ...options],
      ...[`--only-categories=${Object.keys(GOALS).join(',')}`, `--port=${await portOf(browser.stderr)}`],
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

/** Where the browser is told what to do, as it says itself. */
async function portOf(said: Readable): Promise<string> {
  for await (const line of createInterface(said)) {
    const port = /^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port !== undefined) {
      said.resume(); // it says more, and waits where nobody reads
      return port;
    }
  }
  throw new Error('the browser ended before it listened');
}

function rowOf(path: string, reports: Report[], isPhone: boolean): Row {
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
