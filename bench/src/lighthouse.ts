import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startTestStack } from '@meetmark/scripts/stack/test-stack';
import chromium from '@sparticuz/chromium';
import { median, type Row } from './support/results.js';

/** Fetched when it is asked for, and by `npx`: only a measurement installs its two hundred packages. */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const ROUNDS = 3;
const GOALS = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 95 };
const FORMS = [
  ['a phone', []],
  ['a desktop', ['--preset=desktop']],
] as const;
const CHROME =
  '--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-background-networking';

type Category = keyof typeof GOALS;

interface Report {
  categories: Record<Category, { score: number }>;
  audits: Record<string, { displayValue?: string }>;
  /** How fast Lighthouse found the machine; its slowed-down phone takes one of 1,500 to 2,000 for granted. */
  environment: { benchmarkIndex: number };
}

/** What Lighthouse says of the two pages that strangers come to, as a phone and as a desktop: the median of three. */
export async function lighthouse(): Promise<Row[]> {
  const stack = await startTestStack({ seeded: true });
  const folder = await mkdtemp(join(tmpdir(), 'lighthouse-'));
  try {
    const [event] = (await (await fetch(`${stack.url}/api/events/public?time=upcoming&limit=1`)).json()) as {
      slug: string;
    }[];
    const pages = [
      ['landing page', '/'],
      ['event page', `/e/${event?.slug}`],
    ] as const;
    const rows: Row[] = [];
    for (const [page, path] of pages)
      for (const [form, options] of FORMS) {
        const reports: Report[] = [];
        for (let round = 0; round < ROUNDS; round += 1)
          reports.push(await reportOf(stack.url + path, [...options], join(folder, 'report.json')));
        rows.push(rowOf(`Lighthouse: ${page} on ${form}`, reports));
      }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
    await stack.stop();
  }
}

async function reportOf(url: string, options: string[], file: string): Promise<Report> {
  const only = `--only-categories=${Object.keys(GOALS).join(',')}`;
  await promisify(execFile)(
    'npx',
    [
      '--yes',
      LIGHTHOUSE,
      url,
      ...options,
      only,
      '--quiet',
      '--output=json',
      `--output-path=${file}`,
      `--chrome-flags=${CHROME}`,
    ],
    { env: { ...process.env, CHROME_PATH: await chromium.executablePath() } },
  );
  return JSON.parse(await readFile(file, 'utf8')) as Report;
}

function rowOf(path: string, reports: Report[]): Row {
  const scores = Object.entries(GOALS).map(([category, goal]) => {
    const score = median(reports.map(({ categories }) => categories[category as Category].score * 100));
    return { category, goal, score: Math.round(score) };
  });
  const speeds = reports.map(({ environment }) => Math.round(environment.benchmarkIndex)).join(', ');
  const said = (audit: string) => reports.map(({ audits }) => audits[audit]?.displayValue ?? '–').join(', ');
  return {
    path,
    ours: scores.map(({ category, score }) => `${category} ${score}`).join(', '),
    beside: `LCP ${said('largest-contentful-paint')}; blocked ${said('total-blocking-time')}; benchmark index ${speeds}`,
    ratio: '–',
    goal: scores.map(({ goal }) => `≥ ${goal}`).join(', '),
    met: scores.every(({ score, goal }) => score >= goal),
  };
}
