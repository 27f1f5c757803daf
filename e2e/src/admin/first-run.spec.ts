import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommunitySettings } from '@meetmark/contracts';
import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import { until } from '@meetmark/testing';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { faultsInBothSchemes } from '../support/accessibility.js';
import { DESKTOP, openBrowser, PHONE, visit } from '../support/browser.js';
import type { Mail } from '../support/mailbox.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const { SCREENSHOTS } = process.env;
/** Presses and fields from the link to the published event. */
const AT_MOST = 20;

const demo = JSON.parse(
  readFileSync(path.join(ROOT, 'config/demo/community.json'), 'utf8'),
) as CommunitySettings;
/** What belongs to the demo community, and to no other. */
const DEMO_WORDS = [
  ...[demo.name, demo.headline, demo.tagline, demo.supportEmail, demo.linkedInUrl!],
  ...demo.sponsors.flatMap(({ name, logoUrl, url }) => [name, logoUrl, url]),
];
const foundIn = (text: string) => DEMO_WORDS.filter((word) => text.includes(word));

/** Every file below, but what only a debugger or the build reads, and what says the same compressed. */
function* filesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (statSync(file).isDirectory()) yield* filesBelow(file);
    else if (!/\.(map|br|gz|png|woff2?)$/.test(name)) yield file;
  }
}

it('is compiled into nothing: no built file has a word of the demo community', () => {
  const built = ['web', 'gateway', 'services/auth', 'services/events', 'services/admin', 'services/worker'];
  const files = built.flatMap((folder) => [...filesBelow(path.join(ROOT, folder, 'dist'))]);
  expect(files.length).toBeGreaterThan(300);
  const found = files
    .filter((file) => !file.includes('/help/')) // the handbook shows it
    .flatMap((file) => foundIn(readFileSync(file, 'utf8')).map((word) => [path.relative(ROOT, file), word]));
  expect(found).toEqual([]);
});

describe('An installation that nobody owns', () => {
  let stack: TestStack;
  let browser: Browser;
  beforeAll(async () => {
    if (SCREENSHOTS) await mkdir(SCREENSHOTS, { recursive: true });
    [stack, browser] = await Promise.all([startTestStack({ unowned: true }), openBrowser()]);
  }, 120_000);
  afterAll(() => Promise.all([stack.stop(), browser.close()]));

  /** What is wrong with a screen in either scheme, as it stands on this page. */
  async function faultsOf(page: Page, name: string): Promise<string[]> {
    const width = page.viewportSize()!.width;
    const picture = async (scheme: string) => {
      if (SCREENSHOTS)
        await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}-${scheme}.png`, fullPage: true });
    };
    const faults = await faultsInBothSchemes(page, picture);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    return [...faults, ...(sideways > 0 ? [`scrolls ${sideways} px sideways`] : [])];
  }

  it('becomes Rust Porto with a published event, in at most 20 presses and fields', async () => {
    const visitor = await visit(browser, stack.url, { viewport: PHONE });
    await visitor.page.goto('/events');
    await visitor.page.getByRole('heading', { name: 'This site is not open yet' }).waitFor();
    expect(await faultsOf(visitor.page, 'setup-closed')).toEqual([]);

    const owner = await visit(browser, stack.url, { timezoneId: 'Europe/Lisbon', locale: 'pt-PT' });
    const { page } = owner;
    let done = 0;
    const fill = (label: string, value: string) => {
      done += 1;
      return page.getByLabel(label, { exact: true }).fill(value);
    };
    const press = (name: string) => {
      done += 1;
      return page.getByRole('button', { name, exact: true }).click();
    };
    const looked: [name: string, faults: string[]][] = [];
    const look = async (name: string) => {
      // the wide ones are for who looks at the pictures
      for (const size of SCREENSHOTS ? [DESKTOP, PHONE] : [PHONE]) {
        await page.setViewportSize(size);
        looked.push([name, await faultsOf(page, name)]);
      }
    };

    await page.goto('/setup#' + 'A'.repeat(22));
    await fill('First Name', 'Ola');
    await fill('Last Name', 'Silva');
    await fill('Email Address', 'ola@rust.example');
    await fill('Password', 'short');
    await press('Continue');
    await page.getByText('Enter at least 6 characters').waitFor();
    await fill('Password', 'correct horse');
    await press('Continue');
    await page.getByText('This link does not work any more: ask the operator for another').waitFor();
    await look('setup-refused');

    done = 0;
    await page.goto('about:blank');
    await page.goto(stack.setupUrl!);
    await fill('First Name', 'Ola');
    await fill('Last Name', 'Silva');
    await fill('Email Address', 'ola@rust.example');
    await fill('Password', 'correct horse');
    await press('Continue');

    await page.getByRole('heading', { name: 'Community' }).waitFor();
    await fill('Name of the community', 'Rust Porto');
    await fill('Headline', 'Fearless people by the river');
    await fill('Brand color', '#ffee00');
    const nearest = page.getByRole('button', { name: /the nearest that is not/ });
    await nearest.waitFor();
    await look('setup-colour');
    await fill('Brand color', '#8a1c4a');
    await page.getByRole('group', { name: 'How it looks' }).waitFor();
    done += 1;
    const logo = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#8a1c4a' } })
      .png()
      .toBuffer();
    await page
      .getByLabel('Choose a logo')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
    await page.getByRole('button', { name: 'Choose another' }).waitFor();
    await look('setup-community');
    await press('Continue');

    await page.getByRole('heading', { name: 'Place and language' }).waitFor();
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Lisbon');
    done += 1;
    await page.getByLabel('Language', { exact: true }).selectOption('en-GB');
    await look('setup-region');
    await press('Continue');

    await page.getByRole('heading', { name: 'First event' }).waitFor();
    await fill('What is it called?', 'Ownership for beginners');
    await fill('Where', 'Rua das Flores 1');
    await look('setup-event');
    await press('Publish');
    await page.getByRole('heading', { name: 'Organisers' }).waitFor();
    expect(done).toBeLessThanOrEqual(AT_MOST);

    const [first] = await page.getByRole('group', { name: 'Organiser 1' }).all();
    await first!.getByLabel('First Name').fill('Rui');
    await first!.getByLabel('Last Name').fill('Costa');
    await first!.getByLabel('Email Address').fill('rui@rust.example');
    await first!.getByRole('button', { name: 'Invite' }).click();
    await first!.getByText('Invited', { exact: true }).waitFor();
    await look('setup-organisers');
    await press('Finish');
    await page.getByRole('heading', { name: 'Rust Porto is ready' }).waitFor();
    await look('setup-ready');

    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Version 2' }).or(page.getByText('Version 2')).waitFor();
    await page.getByLabel('Line below the headline').fill('Rust, in the North of Portugal.');
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await page.getByText('Version 4').waitFor();
    await look('settings');
    expect(looked.filter(([, faults]) => faults.length > 0)).toEqual([]);

    await visitor.page.goto('/');
    await visitor.page.getByRole('heading', { name: 'Fearless people by the river' }).waitFor();
    await visitor.page.getByRole('link', { name: 'Ownership for beginners' }).first().waitFor();
    expect(await visitor.page.getByRole('heading', { name: 'not open' }).count()).toBe(0);
    expect([...visitor.errors, ...owner.errors]).toEqual([]);
    await Promise.all([visitor.context.close(), owner.context.close()]);
  }, 240_000);

  it('shows no word of the demo community on any page, in any mail, feed, or picture', async () => {
    const of = async (address: string) => {
      const answer = await fetch(stack.url + address, { headers: { accept: '*/*' } });
      return `${answer.status} ${await answer.text()}`;
    };
    const list = JSON.parse((await of('/api/events/public')).slice('200 '.length)) as { id: string }[];
    const event = `/events/${list[0]!.id}`;
    const shown = [
      ...['/', '/events', event, '/setup', '/api/config', '/manifest.webmanifest', '/favicon.svg'],
      ...['/api/events/public', '/api/events/calendar.ics', `/api${event}/calendar.ics`, '/robots.txt'],
      ...['/sitemap.xml', '/feeds/events.rss'],
    ];
    const mails = async () => {
      const read = async <T>(suffix: string) =>
        (await (await fetch(`${stack.mailboxUrl}/api/messages${suffix}`)).json()) as T;
      return Promise.all((await read<{ id: string }[]>('')).map(({ id }) => read<Mail>(`/${id}`)));
    };
    await until('a mail to the organiser', 20_000, async () =>
      (await mails()).some(({ to }) => to.includes('rui@rust.example')),
    );
    for (const mail of await mails()) {
      expect([mail.subject, foundIn(JSON.stringify(mail))]).toEqual([mail.subject, []]);
      expect(mail.html + mail.from).toContain('Rust Porto');
    }
    for (const address of shown) expect([address, foundIn(await of(address))]).toEqual([address, []]);
    const page = await of(event);
    expect(page).toContain('Rust Porto');
    expect(page).toContain('lang="en-GB"');
    expect(page).toContain('--primary:#8a1c4a');
  });
});
