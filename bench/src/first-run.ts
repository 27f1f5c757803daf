import { startTestStack } from '@meetmark/scripts/stack/test-stack';
import { openBrowser } from '@meetmark/testing/browser/open-browser';
import type { Page } from 'playwright-core';
import type { Row } from './support/results.js';

/** Seconds that a person is given for each press and each field: to read, to think and to type. */
const FOR_EACH = 10;
const SECONDS_GOAL = 300;

/** The first owner's way from a start without a community to its first published event, in a browser. */
export async function firstRun(): Promise<Row[]> {
  const began = performance.now();
  const stack = await startTestStack({ unowned: true, durable: true });
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ locale: 'en-US', timezoneId: 'Europe/Lisbon' });
    await page.goto(stack.setupUrl!);
    const presses = await setUp(page);
    const seconds = (performance.now() - began) / 1_000;
    const withPerson = seconds + presses * FOR_EACH;
    return [
      {
        path: 'from an empty start to the first published event',
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

/** @returns how many presses and fields it took */
async function setUp(page: Page): Promise<number> {
  let done = 0;
  const fill = (label: string, value: string) => {
    done += 1;
    return page.getByLabel(label, { exact: true }).fill(value);
  };
  const press = (name: string) => {
    done += 1;
    return page.getByRole('button', { name, exact: true }).click();
  };
  await fill('First Name', 'Ola');
  await fill('Last Name', 'Silva');
  await fill('Email Address', 'ola@rust.example');
  await fill('Password', 'correct horse');
  await press('Continue');
  await fill('Name of the community', 'Rust Porto');
  await fill('Headline', 'Fearless people by the river');
  await fill('Brand color', '#8a1c4a');
  await page.getByRole('group', { name: 'How it looks' }).waitFor();
  await press('Continue');
  await page.getByRole('heading', { name: 'Place and language' }).waitFor();
  await press('Continue');
  await fill('What is it called?', 'Ownership for beginners');
  await fill('Where', 'Rua das Flores 1');
  await press('Publish');
  await page.getByRole('heading', { name: 'Organisers' }).waitFor();
  return done;
}
