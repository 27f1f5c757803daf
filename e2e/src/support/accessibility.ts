import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const OPTIONS = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // This experimental rule mistakes an avatar's initials for its button's label.
  rules: { 'label-content-name-mismatch': { enabled: false } },
  // Saves time. Only violations need selectors, and no rule needs axe to load the style sheets again.
  resultTypes: ['violations'],
  preload: false,
};

/** Rules whose results differ between the light and dark scheme. */
const COLOURS = { ...OPTIONS, runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

export const accessibilityFaults = (page: Page) => faults(page, OPTIONS);

/**
 * Checks the page in the dark and the light scheme without reopening it. Calls `look` in each scheme. With
 * `coloured`, checks only the rules that depend on colours.
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

/** Waits until the page uses the scheme and has ended its fade-ins, which run even with reduced motion. */
const stillIn = (page: Page, scheme: string) =>
  page.waitForFunction(
    (wanted) =>
      // A page without scripts follows the system's scheme and has no `data-theme`.
      [wanted, undefined].includes(document.documentElement.dataset.theme) &&
      document.getAnimations().every(({ playState }) => playState !== 'running'),
    scheme,
  );

async function faults(page: Page, options: object): Promise<string[]> {
  // Injects axe by `evaluate`, because the Content-Security-Policy forbids a script element.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(AXE);
  const violations = await page.evaluate<AxeResults['violations']>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${String(target)} ${failureSummary ?? ''}`),
  );
}
