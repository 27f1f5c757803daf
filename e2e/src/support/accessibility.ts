import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const OPTIONS = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // Experimental, and it takes the initials in an avatar, which stand for a picture, for the label of its button.
  rules: { 'label-content-name-mismatch': { enabled: false } },
  // What is right needs no selectors, and no rule here needs the style sheets fetched once more.
  resultTypes: ['violations'],
  preload: false,
};

/** What the colours alone decide: all that differs between the schemes. */
const COLOURS = { ...OPTIONS, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** What axe-core finds wrong on the page as it stands (WCAG 2.2 A and AA): the rule, and the elements. Empty is good. */
export const accessibilityFaults = (page: Page) => faults(page, OPTIONS);

/**
 * As `accessibilityFaults`, in the light scheme and in the dark one, without opening the page again. `look` is called in each. `coloured`: no more
 * than what colours decide, of a screen that is searched elsewhere for the rest.
 */
export async function faultsInBothSchemes(
  page: Page,
  look: (scheme: 'light' | 'dark') => Promise<unknown> = () => Promise.resolve(),
  { coloured = false } = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await stillIn(page, scheme);
    await look(scheme);
    const wrong = await faults(page, scheme === 'light' && !coloured ? OPTIONS : COLOURS);
    found.push(...wrong.map((fault) => `${scheme}: ${fault}`));
  }
  return found;
}

/** Dialogs and lists fade in even when motion is reduced to an instant. */
const stillIn = (page: Page, scheme: string) =>
  page.waitForFunction(
    (wanted) =>
      // pages without a script follow the system by themselves
      [wanted, undefined].includes(document.documentElement.dataset.theme) &&
      document.getAnimations().every(({ playState }) => playState !== 'running'),
    scheme,
  );

async function faults(page: Page, options: object): Promise<string[]> {
  // Evaluated, not added as a script: the page's Content-Security-Policy stays as it is.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE);
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${String(target)} ${failureSummary ?? ''}`),
  );
}
