import { HANDBOOK_LANGUAGES, HANDBOOK_PARTS, HELP } from '@meetmark/contracts/handbook';
import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const NOT_OURS = ['node_modules', 'dist', '.git', '.nx', '.local', 'screenshots'];
/** Files that builds or running processes create. */
const MADE = [
  'sbom.cdx.json',
  '.local/run.json',
  '.local/secrets.json',
  '.vite/translations.json',
  '.vite/wordless.json',
  'dist/main.js',
];

const filesBelow = (folder: string): string[] =>
  fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.includes(entry.name) ? [] : filesBelow(file);
    return [path.relative(ROOT, file)];
  });
const files = filesBelow(ROOT);
const documents = files.filter((file) => file.endsWith('.md'));

function namedIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([\w@.{},/-]+\.(?:tsx?|[cm]?js|json|ya?ml|css|md|acl|sh))`/g)];
  return quoted.flatMap(([, name = '']) => {
    const [, before = '', choices, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? [];
    return choices === undefined ? [name] : choices.split(',').map((choice) => before + choice + after);
  });
}

const exists = (name: string) => files.some((file) => file === name || file.endsWith(`/${name}`));
const linksIn = (text: string) =>
  [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].flatMap(([, link = '']) =>
    link.includes(':') ? [] : [link],
  );

describe.each(documents)('%s', (document) => {
  const text = fs.readFileSync(path.join(ROOT, document), 'utf8');

  it('names only files that exist', () => {
    const missing = namedIn(text).filter(
      (name) => !name.startsWith('/') && !MADE.includes(name) && !exists(name),
    );
    expect(missing).toEqual([]);
  });

  it('links only to files that exist', () => {
    const folder = path.join(ROOT, path.dirname(document));
    expect(linksIn(text).filter((link) => !fs.existsSync(path.join(folder, link)))).toEqual([]);
  });
});

describe('the handbook', () => {
  type Texts = Record<string, string>;
  const getFilePath = (language: string, part: string) =>
    path.join('docs/handbook', language === 'en' ? '' : language, `${part}.md`);
  const textsIn = (language: string): Texts =>
    Object.fromEntries(
      HANDBOOK_PARTS.map((part) => [
        part,
        fs.readFileSync(path.join(ROOT, getFilePath(language, part)), 'utf8'),
      ]),
    );
  /**
   * Returns the anchors of all sections. In English, they follow from the headings. Other languages set the
   * English anchors explicitly.
   */
  const sectionsIn = (texts: Texts, language: string) =>
    Object.entries(texts).flatMap(([part, text]) =>
      [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
        const id =
          language === 'en'
            ? heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
            : (/ <a id="([\w-]+)"><\/a>$/.exec(heading)?.[1] ?? `without an id: ${heading}`);
        return `${part}#${id}`;
      }),
    );
  const linesIn = (language: string) => {
    const text = fs.readFileSync(path.join(ROOT, getFilePath(language, 'README')), 'utf8');
    return [...text.matchAll(/^- \[.*\]\((\w+)\.md\): /gm)].map(([, part]) => part);
  };
  const english = sectionsIn(textsIn('en'), 'en');

  it.each(HANDBOOK_LANGUAGES)('has the same sections in %s, and lists its pages', (language) => {
    expect(sectionsIn(textsIn(language), language)).toEqual(english);
    expect(new Set(english).size).toBe(english.length);
    expect(linesIn(language)).toEqual([...HANDBOOK_PARTS]);
  });

  it.each(HANDBOOK_LANGUAGES)('links to existing sections in %s', (language) => {
    const links = Object.entries(textsIn(language)).flatMap(([part, text]) =>
      [...text.matchAll(/\]\((?:(\w+)\.md)?(#[\w-]+)\)/g)].map(([, other = part, id]) => `${other}${id}`),
    );
    expect(links.filter((link) => !english.includes(link))).toEqual([]);
  });

  it('has a section for each help button', () => {
    expect(Object.values<string>(HELP).filter((section) => !english.includes(section))).toEqual([]);
  });
});
