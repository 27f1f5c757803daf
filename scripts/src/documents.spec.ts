import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const NOT_OURS = ['node_modules', 'dist', '.git', '.nx', '.local', 'screenshots'];
/** Made by a build or a start, never in the repository. */
const MADE = ['sbom.cdx.json', '.local/run.json', '.local/secrets.json'];

const filesBelow = (folder: string): string[] =>
  fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.includes(entry.name) ? [] : filesBelow(file);
    return [path.relative(ROOT, file)];
  });
const files = filesBelow(ROOT);
const documents = files.filter((file) => file.endsWith('.md'));

/** What stands between backquotes and looks like a file of ours; `a-{b,c}.ts` is two. */
function namedIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([\w@.{},/-]+\.(?:tsx?|[cm]?js|json|ya?ml|css|md|acl|sh))`/g)];
  return quoted.flatMap(([, name = '']) => {
    const [, before = '', choices, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? [];
    return choices === undefined ? [name] : choices.split(',').map((choice) => before + choice + after);
  });
}

/** A name alone, or the end of a path, is enough: the sentence around it says where. */
const exists = (name: string) => files.some((file) => file === name || file.endsWith(`/${name}`));
const linksIn = (text: string) =>
  [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].flatMap(([, link = '']) =>
    link.includes(':') ? [] : [link],
  );

describe.each(documents)('%s', (document) => {
  const text = fs.readFileSync(path.join(ROOT, document), 'utf8');

  it('names files that exist', () => {
    const missing = namedIn(text).filter(
      (name) => !name.startsWith('/') && !MADE.includes(name) && !exists(name),
    );
    expect(missing).toEqual([]);
  });

  it('links to what exists', () => {
    const folder = path.join(ROOT, path.dirname(document));
    expect(linksIn(text).filter((link) => !fs.existsSync(path.join(folder, link)))).toEqual([]);
  });
});

it('a file that does not exist is noticed', () => {
  const text = 'See `gone.ts`, `event-{row,gone}.tsx` and [this](docs/gone.md).';
  expect(namedIn(text).filter((name) => !exists(name))).toEqual(['gone.ts', 'event-gone.tsx']);
  expect(linksIn(text)).toEqual(['docs/gone.md']);
});
