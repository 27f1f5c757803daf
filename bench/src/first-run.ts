import { readCatalogues } from '@meetmark/i18n/catalogues';
import type EventPage from '@meetmark/i18n/texts/de/event-page.json';
import type Settings from '@meetmark/i18n/texts/de/settings.json';
import type Setup from '@meetmark/i18n/texts/de/setup.json';
import { startTestStack } from '@meetmark/scripts/stack/test-stack';
import { openBrowser } from '@meetmark/testing/browser/open-browser';
import type { Page } from 'playwright-core';
import type { Row } from './support/results.js';

/** Seconds per click or field to read, think and type. */
const FOR_EACH = 10;
const SECONDS_GOAL = 300;

interface Texts {
  setup: typeof Setup;
  settings: typeof Settings;
  'event-page': typeof EventPage;
}
const {
  setup: { setupText },
  settings: { settingsText },
  'event-page': { detailsText },
} = readCatalogues()['de'] as unknown as Texts;

/** Measures a new owner's path from the set-up link to the first event's link, in German, in a browser. */
export async function firstRun(): Promise<Row[]> {
  const began = performance.now();
  const stack = await startTestStack({ unowned: true, durable: true });
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({
      ...{ locale: 'de-DE', timezoneId: 'Europe/Lisbon' },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(stack.setupUrl!);
    const presses = await setUp(page);
    const shared = await page.evaluate(() => navigator.clipboard.readText());
    const seconds = (performance.now() - began) / 1_000;
    if (!shared.startsWith(`${stack.url}/e/`)) throw new Error(`${shared} is no address of an event`);
    const withPerson = seconds + presses * FOR_EACH;
    return [
      {
        path: 'from an empty start to the first shared link, in German',
        ours: `${seconds.toFixed(1)} s, ${presses} presses and fields`,
        beside: `with ${FOR_EACH} s for each: ${Math.round(withPerson)} s`,
        ratio: '–',
        goal: `≤ ${SECONDS_GOAL} s, ≤ 20`,
        met: withPerson <= SECONDS_GOAL && presses <= 20,
      },
    ];
  } finally {
    await browser.close();
    await stack.stop();
  }
}

async function setUp(page: Page): Promise<number> {
  let done = 0;
  const fill = (label: string, value: string) => {
    done += 1;
    return page.getByLabel(label, { exact: true }).fill(value);
  };
  const press = (name: string, role: 'button' | 'link' = 'button') => {
    done += 1;
    return page.getByRole(role, { name, exact: true }).click();
  };
  await fill(setupText.firstName, 'Ola');
  await fill(setupText.lastName, 'Silva');
  await fill(setupText.email, 'ola@rust.example');
  await fill(setupText.password, 'correct horse');
  await press(setupText.next);
  await fill(settingsText.fields.name, 'Rust Porto');
  await fill(settingsText.fields.headline, 'Fearless people by the river');
  await fill(settingsText.fields.brandColour, '#8a1c4a');
  await page.getByRole('group', { name: settingsText.preview }).waitFor();
  await press(setupText.next);
  await page.getByRole('heading', { name: setupText.steps.region }).waitFor();
  await press(setupText.next);
  await fill(setupText.eventTitle, 'Ownership for beginners');
  await fill(setupText.eventPlace, 'Rua das Flores 1');
  await press(setupText.publish);
  await press(setupText.finish);
  await press(setupText.openEvent, 'link');
  await press(detailsText.share);
  await page.getByText(detailsText.linkCopied).waitFor();
  return done;
}
