import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = fileURLToPath(new URL('../..', import.meta.url));

/** Patterns for left and right sides, which don't follow the text direction. */
const PHYSICAL = [
  /(?:^|[\s;{])(?:left|right)\s*:[^;}]*/g,
  /[\w-]+-(?:left|right)(?:-[\w-]+)?\s*:[^;}]*/g,
  /(?:text-align|float|clear)\s*:\s*(?:left|right)\b/g,
];
/** Matches shorthands for up to four sides. The second value (right) must equal the fourth (left), if any. */
const FOUR = /(?:margin|padding|inset|border-width|scroll-margin|scroll-padding)\s*:\s*([^;}]+)/g;

/** Splits a shorthand into its values, ignoring spaces in brackets. */
function splitValues(shorthand: string): string[] {
  let rest = shorthand;
  while (/\([^()]*\)/.test(rest))
    rest = rest.replaceAll(/\(([^()]*)\)/g, (_, inner: string) => `[${inner.replaceAll(/\s+/g, '')}]`);
  return rest.trim().split(/\s+/);
}

function physicalSides(css: string): string[] {
  const plain = css.replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const unequal = [...plain.matchAll(FOUR)].filter(([, values = '']) => {
    const [, right, , left] = splitValues(values);
    return left !== undefined && left !== right;
  });
  return [...PHYSICAL.flatMap((side) => [...plain.matchAll(side)]), ...unequal].map(([found]) =>
    found.trim(),
  );
}

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.css'),
);

it('stylesheets have no pixel widths in media queries', () => {
  const found = files.filter((file) =>
    /@media[^{]*-width:\s*[\d.]+px/.test(readFileSync(path.join(SOURCES, file), 'utf8')),
  );
  expect(found).toEqual([]);
});

it('stylesheets use logical sides instead of left and right', () => {
  expect(files.length).toBeGreaterThan(20);
  const found = files.flatMap((file) =>
    physicalSides(readFileSync(path.join(SOURCES, file), 'utf8')).map((side) => `${file}: ${side}`),
  );
  expect(found).toEqual([]);
});
