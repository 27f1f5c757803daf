import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const OPTIONS = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  // Experimental, and it takes the initials in an avatar, which stand for a picture, for the label of its button.
  rules: { 'label-content-name-mismatch': { enabled: false } },
};

/** What axe-core finds wrong on the page as it stands (WCAG 2.2 A and AA): the rule, and the elements. Empty is good. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Evaluated, not added as a script: the page's Content-Security-Policy stays as it is.
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(OPTIONS)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${String(target)} ${failureSummary ?? ''}`),
  );
}
