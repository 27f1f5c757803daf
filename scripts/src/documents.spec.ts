import { HANDBOOK_LANGUAGES, HANDBOOK_PARTS, HELP } from '@meetmark/contracts/handbook';
import { INSTALL_HINTS } from '@meetmark/testing/embedded/redis-binary';
import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const NOT_OURS = ['node_modules', 'dist', '.git', '.nx', '.local', 'screenshots'];
/** Made by a build or a start, never in the repository. */
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

it('every picture of the handbook is shown in it, and light', () => {
  const folder = path.join(ROOT, 'docs/handbook');
  const texts = documents
    .filter((file) => file.startsWith('docs/handbook/'))
    .map((file) => fs.readFileSync(path.join(ROOT, file), 'utf8'));
  const pictures = fs.readdirSync(path.join(folder, 'pictures'));
  expect(pictures.length).toBeGreaterThan(5);
  const isShown = (name: string) => texts.some((text) => text.includes(`](pictures/${name})`));
  expect(pictures.filter((name) => !isShown(name))).toEqual([]);
  const size = (name: string) => fs.statSync(path.join(folder, 'pictures', name)).size;
  expect(pictures.filter((name) => size(name) > 100_000)).toEqual([]);
});

describe('the handbook', () => {
  type Texts = Record<string, string>;
  const fileOf = (language: string, part: string) =>
    path.join('docs/handbook', language === 'en' ? '' : language, `${part}.md`);
  const textsIn = (language: string): Texts =>
    Object.fromEntries(
      HANDBOOK_PARTS.map((part) => [part, fs.readFileSync(path.join(ROOT, fileOf(language, part)), 'utf8')]),
    );
  /** As addresses have them: an English heading in small letters, which another language names. */
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
    const text = fs.readFileSync(path.join(ROOT, fileOf(language, 'README')), 'utf8');
    return [...text.matchAll(/^- \[.*\]\((\w+)\.md\): /gm)].map(([, part]) => part);
  };
  const english = sectionsIn(textsIn('en'), 'en');

  it.each(HANDBOOK_LANGUAGES)('has the same sections in %s, and lists its pages', (language) => {
    expect(sectionsIn(textsIn(language), language)).toEqual(english);
    expect(new Set(english).size).toBe(english.length);
    expect(linesIn(language)).toEqual([...HANDBOOK_PARTS]);
  });

  it.each(HANDBOOK_LANGUAGES)('links to sections of it that exist in %s', (language) => {
    const links = Object.entries(textsIn(language)).flatMap(([part, text]) =>
      [...text.matchAll(/\]\((?:(\w+)\.md)?(#[\w-]+)\)/g)].map(([, other = part, id]) => `${other}${id}`),
    );
    expect(links.filter((link) => !english.includes(link))).toEqual([]);
  });

  it('has the section to which each panel’s help leads', () => {
    expect(Object.values<string>(HELP).filter((section) => !english.includes(section))).toEqual([]);
  });

  it('with a section that is missing in a language, or has no address there, is noticed', () => {
    const texts = { members: '# A <a id="a"></a>\n\n## B\n' };
    expect(sectionsIn(texts, 'de')).toEqual(['members#a', 'members#without an id: B']);
    expect(english).not.toContain('members#gone');
  });
});

describe('README.md', () => {
  const text = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8');

  it('names the command that brings Redis on each system where the start asks for it', () => {
    const commands = Object.values(INSTALL_HINTS).flatMap((hint) =>
      [...hint.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command),
    );
    expect(commands.length).toBeGreaterThan(2);
    // on Debian the start brings the package itself
    const missing = commands.filter((command) => !command.includes('apt ') && !text.includes(command));
    expect(missing).toEqual([]);
  });

  it('names no command that does not install first what it needs', () => {
    const { scripts } = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const [, table = ''] = text.split('\n## Commands\n');
    const named = [...table.matchAll(/^\| ([^|]*) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`(?:npm (?:run )?)?([\w:]+)[^`]*`/g)].map(([, name = '']) => name),
    );
    expect(named).toEqual(expect.arrayContaining(['start', 'lint', 'typecheck', 'mutants']));
    const installs = (script = '') => {
      const [, file = ''] = /^node (scripts\/[\w-]+\.mjs)/.exec(script) ?? [];
      return file !== '' && /^command\(/m.test(fs.readFileSync(path.join(ROOT, file), 'utf8'));
    };
    expect(named.filter((name) => !installs(scripts[name]))).toEqual([]);
  });

  it('says of no variable that it is honoured which npm start does not read', () => {
    const [, honoured = ''] = /((?:`[A-Z_]+(?:=[^`]*)?`(?:, | and )?)+) are honoured/.exec(text) ?? [];
    const variables = [...honoured.matchAll(/`([A-Z_]+)/g)].map(([, name]) => name);
    expect(variables).toContain('HOST');
    const settings = fs.readFileSync(path.join(ROOT, 'scripts/src/start/settings.ts'), 'utf8');
    expect(variables.filter((name) => !settings.includes(`value('${name}')`))).toEqual([]);
  });
});

it('the record of libraries names packages that are installed, and components of antd that are used', () => {
  const text = fs.readFileSync(path.join(ROOT, 'docs/adr/0007-libraries-and-our-own.md'), 'utf8');
  const [, table = ''] = /### Libraries do\n([\s\S]*?)\n### /.exec(text) ?? [];
  const rows = table
    .split('\n')
    .slice(3)
    .flatMap((line) => (/^\| /.test(line) ? [line.split('|').map((cell) => cell.trim())] : []));
  const dependencies = files
    .filter((file) => path.basename(file) === 'package.json')
    .flatMap((file) => {
      const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8')) as Record<string, object>;
      return ['dependencies', 'devDependencies'].flatMap((kind) => Object.keys(manifest[kind] ?? {}));
    });
  const named = rows.flatMap(([, , packages = '']) =>
    [...packages.replaceAll(/\(.*?\)/g, '').matchAll(/@?[a-z][\w./-]*/g)].map(([name]) => name),
  );
  // `@fastify/cookie, helmet, static` are three of one family
  const isInstalled = (name: string) =>
    dependencies.some((each) => each === name || each.endsWith(`/${name}`));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !isInstalled(name))).toEqual([]);

  const sources = files.filter((file) => file.startsWith('web/src') && file.endsWith('.tsx'));
  const imported = sources
    .map((file) => fs.readFileSync(path.join(ROOT, file), 'utf8'))
    .flatMap((source) => /import \{([^}]*)\} from 'antd'/.exec(source)?.[1]?.split(',') ?? [])
    .map((name) => name.trim());
  const [, said = ''] = rows.find(([, , packages]) => packages === 'antd') ?? [];
  const components: Record<string, string> = {
    button: 'Button',
    switch: 'Switch',
    select: 'Select',
    menu: 'Dropdown',
    dialog: 'Modal',
    drawer: 'Drawer',
    form: 'Form',
    table: 'Table',
  };
  const claimed = Object.entries(components).filter(([word]) => said.toLowerCase().includes(word));
  expect(claimed.length).toBeGreaterThan(3);
  expect(claimed.filter(([, component]) => !imported.includes(component))).toEqual([]);
});
