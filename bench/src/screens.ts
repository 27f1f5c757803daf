import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import { openBrowser } from '@meetmark/testing/browser/open-browser';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { insertAuditLines, insertCopies, insertEvents, insertMembers } from './support/demo-rows.js';
import {
  milliseconds,
  alternate,
  median,
  formatRatio,
  spread,
  type Effort,
  type Row,
} from './support/results.js';

const FEW = { users: 10, events: 10 };
const MANY = { users: 10_000, events: 5_000 };
const GOAL = 1.3;
/**
 * Number of times that each screen is opened per round. A browser's times vary by a third, so the median
 * needs many.
 */
const OPENINGS = 3;
const PASSWORD = 'correct horse';
const PERSON = { firstName: 'Bench', lastName: 'Member', email: 'bench@example.org', password: PASSWORD };

/** Element that must be visible and clickable before a screen counts as interactive. */
const FIRST_ROW = 'main tbody tr:not([aria-hidden])';
const SCREENS: Screen[] = [
  { path: '/admin', selector: 'main p, main span, main div', text: 'a month' },
  { path: '/admin/users', selector: `${FIRST_ROW} button` },
  { path: '/admin/events', selector: `${FIRST_ROW} button` },
  { path: '/admin/audit', selector: `${FIRST_ROW} button` },
  { path: '/admin/system', selector: FIRST_ROW },
];

/** Measures how long each administrator's screen takes to become interactive, with many rows and with few. */
export async function screens({ rounds }: Effort): Promise<Row[]> {
  const browser = await openBrowser();
  const stacks: TestStack[] = [];
  try {
    const pages: Page[] = [];
    for (const amount of [MANY, FEW]) {
      const stack = await startTestStack();
      stacks.push(stack);
      pages.push(await openAsAdministrator(browser, stack, amount));
    }
    const [many, few] = pages as [Page, Page];
    const rows: Row[] = [];
    for (const screen of SCREENS) rows.push(await compare(many, few, screen, rounds * OPENINGS));
    return rows;
  } finally {
    await browser.close();
    for (const stack of stacks) await stack.stop();
  }
}

interface Screen {
  path: string;
  selector: string;
  text?: string;
}

async function compare(many: Page, few: Page, screen: Screen, rounds: number): Promise<Row> {
  for (const page of [many, few]) await open(page, screen);
  const pairs = await alternate(
    rounds,
    () => open(many, screen),
    () => open(few, screen),
  );
  const ratio = spread(pairs.map(({ ours, theirs }) => ours / theirs));
  return {
    path: `${screen.path} until it can be used, ${MANY.users.toLocaleString('en')} users, ${MANY.events.toLocaleString('en')} events`,
    ours: milliseconds(median(pairs.map(({ ours }) => ours))),
    beside: `${FEW.users} of each: ${milliseconds(median(pairs.map(({ theirs }) => theirs)))}`,
    ratio: formatRatio(ratio),
    goal: `≤ ${GOAL}`,
    met: ratio.median <= GOAL,
  };
}

/**
 * Opens a screen and returns the milliseconds until it is interactive. Checks on every animation frame,
 * because Playwright polls only every half second.
 */
async function open(page: Page, { path, selector, text = '' }: Screen): Promise<number> {
  await page.goto('about:blank');
  const began = performance.now();
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForFunction(
    (wanted) => {
      const all = Array.from(document.querySelectorAll(wanted.selector));
      const element = all.find(({ textContent }) => textContent?.toLowerCase().includes(wanted.text));
      element?.scrollIntoView({ block: 'nearest' });
      const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
      const there = width > 0 ? document.elementFromPoint(left + width / 2, top + height / 2) : null;
      return there !== null && element?.contains(there) === true;
    },
    { selector, text },
    { polling: 'raf' },
  );
  return performance.now() - began;
}

async function openAsAdministrator(
  browser: Browser,
  { url, databaseUrl }: TestStack,
  { users, events }: typeof FEW,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce' });
  const post = async (path: string, data: object) => {
    const answer = await context.request.post(path, { data });
    if (!answer.ok()) throw new Error(`${path} answers ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as { id: string };
  };
  const { id } = await post('/api/register', PERSON);
  const owner = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const [administrator] = await insertCopies(owner, id, 1, true);
  if (administrator === undefined) throw new Error('there is no administrator');
  await insertMembers(owner, users - 2);
  await insertEvents(owner, events, administrator.id);
  await insertAuditLines(owner, users, administrator.id);
  for (const table of ['auth.users', 'events.events', 'admin.audit_log'])
    await owner.query(`VACUUM ANALYZE ${table}`);
  await owner.end();
  await post('/api/login', { email: administrator.email, password: PASSWORD });
  return context.newPage();
}
