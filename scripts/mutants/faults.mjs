import { readFileSync } from 'node:fs';

/**
 * A small fault of the product, and the test that catches it.
 * @typedef {object} Fault
 * @property {string} what description
 * @property {string} file source file with the fault
 * @property {string} from code to replace, which occurs exactly once and within one line
 * @property {string} to replacement
 * @property {string} spec file of a unit or integration test
 * @property {string} test pattern for Jest that matches the names of the failing tests
 */

/**
 * Faults from faults.txt. Each has four lines: `# what`, `file → spec = test`, `- from`, `+ to`.
 * @type {Fault[]}
 */
export const FAULTS = readFileSync(new URL('faults.txt', import.meta.url), 'utf8')
  .split(/^# /m)
  .slice(1)
  .map((text) => {
    const [what, places, from, to] = text.split('\n');
    const [, file, spec, test] = /^(.+) → (.+?) = (.+)$/.exec(places);
    return { what, file, from: from.slice(2), to: to.slice(2), spec, test };
  });
