import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const BUILD = path.join(root, 'scripts/bootstrap/build.mjs');
const PACKAGES = ['gateway', 'web', 'e2e', 'bench', 'scripts'].concat(
  ...['services', 'libs'].map((folder) =>
    fs.readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`),
  ),
);
const LOCK = '{ "lockfileVersion": 3, "packages": {} }';

/** In the place of what runs specs, and of ESLint: writes down that it was asked to. */
const EXECUTOR = `
  import fs from 'node:fs';
  const done = ({ project, target }) => {
    fs.mkdirSync('.nx/specs/' + target + '/@meetmark', { recursive: true });
    fs.writeFileSync('.nx/specs/' + target + '/' + project + '.json', '{}');
    fs.appendFileSync('.nx/ran', project.replace('@meetmark/', '') + ':' + target + '\\n');
    return { success: true, terminalOutput: '' };
  };
  export const together = async ({ tasks }) =>
    Object.fromEntries(Object.values(tasks).map(({ id, target }) => [id, done(target)]));
  export const inTurn = async (options, { targetName, projectName }) =>
    done({ project: projectName, target: targetName });`;

describe('what the build of the web reads beside its package', () => {
  const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
  const sources = ['vite.config.ts', 'vite.door.config.ts'].concat(
    fs.readdirSync(path.join(root, 'web/scripts')).map((name) => `scripts/${name}`),
  );
  const beside = sources.flatMap((name) =>
    [...read(`web/${name}`).matchAll(/join\(root, '\.\.\/([^']+)'/g)].map(([, found = '']) => found),
  );

  it('is copied to where images are built', () => {
    const [, stage = ''] = /^FROM manifests AS build\n([^]*?)^FROM /m.exec(read('Dockerfile')) ?? [];
    const copied = [...stage.matchAll(/^COPY (.*) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
    expect(beside).not.toEqual([]);
    expect(beside.filter((file) => !copied.includes(file))).toEqual([]);
  });

  it('builds it anew when it changes', () => {
    const { nx } = JSON.parse(read('web/package.json')) as {
      nx: { targets: { build: { inputs: string[] } } };
    };
    const inputs = nx.targets.build.inputs.map((input) =>
      input.replace('{workspaceRoot}/', '').replace('/**/*', ''),
    );
    expect(beside.filter((file) => !inputs.includes(file))).toEqual([]);
  });
});

describe('each story', () => {
  interface Project {
    displayName: string;
    rootDir: string;
    testMatch?: string[];
    testRegex?: string;
    testPathIgnorePatterns?: string[];
  }
  const e2e = path.join(root, 'e2e');
  const stories = fs
    .readdirSync(path.join(e2e, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => path.join(e2e, 'src', file));
  let projects: Project[];
  beforeAll(async () => {
    const { href } = pathToFileURL(path.join(root, 'jest.config.js'));
    const config = (await import(href)) as { default: { projects: Project[] } };
    projects = config.default.projects.filter(({ rootDir }) => path.resolve(rootDir) === e2e);
  });
  const takes = ({ testMatch = [], testRegex, testPathIgnorePatterns = [] }: Project, story: string) =>
    (testRegex === undefined
      ? testMatch.some((glob) => story.startsWith(glob.replace('<rootDir>', e2e).replace(/\*.*/, '')))
      : new RegExp(testRegex).test(story)) &&
    !testPathIgnorePatterns.some((pattern) => new RegExp(pattern).test(story));

  it('is of one project of Jest, and each of those is run', () => {
    const of = (story: string) => projects.filter((each) => takes(each, story)).length;
    expect(stories.filter((story) => of(story) !== 1)).toEqual([]);
    const { nx } = JSON.parse(fs.readFileSync(path.join(e2e, 'package.json'), 'utf8')) as {
      nx: { targets: Record<string, { options: { runs: { projects: string[] }[][] } }> };
    };
    const run = Object.values(nx.targets).flatMap(({ options }) =>
      options.runs.flat().flatMap((each) => each.projects),
    );
    expect(run.sort()).toEqual(projects.map(({ displayName }) => displayName).sort());
  });

  it.each([
    ['starts a Meetmark of its own', 'shares none', /startTestStack\(/, ['installations', 'faults']],
    [
      ...['changes settings of the community', 'has it alone'],
      ...[/'PUT', '\/api\/admin\/settings'/, ['installations', 'alone']],
    ],
    ['counts all members', 'has the community alone', /count\(\*\) FROM auth\.users\)/, ['alone']],
    [
      ...['asks more than others have room beside', 'has the community alone'],
      ...[/\bcrowd\(|FUZZ_REQUESTS/, ['alone']],
    ],
  ] as [string, string, RegExp, string[]][])('that %s is in a project that %s', (_, __, does, where) => {
    const own = stories.filter((story) => does.test(fs.readFileSync(story, 'utf8')));
    const others = projects.filter(({ displayName }) => !where.includes(displayName));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((story) => others.some((each) => takes(each, story)))).toEqual([]);
  });
});

describe('the cache of tests and stories', () => {
  let folder: string;
  const write = (file: string, text: string) => {
    fs.mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), text);
  };

  /** Runs the targets of some packages; which of them ran, and did not come from the cache. */
  function ran(): string[] {
    write('.nx/ran', '');
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        'node_modules/nx/dist/bin/nx.js',
        ...[
          'run-many',
          '-t',
          'test',
          'rehearsals',
          'stories',
          '--output-style=static',
          '--exclude-task-dependencies',
        ],
        '-p=@meetmark/auth,@meetmark/web,@meetmark/scripts,@meetmark/e2e',
      ],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: os.homedir(), NX_DAEMON: 'false', NX_TUI: 'false' },
      },
    );
    if (status !== 0) throw new Error(stdout + stderr);
    return fs.readFileSync(path.join(folder, '.nx/ran'), 'utf8').trim().split('\n').sort();
  }

  /** The packages and targets as they are, each package with one source and one spec. */
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-targets-'));
    for (const file of ['nx.json', 'package.json', '.gitignore', 'scripts/executors.json'])
      write(file, fs.readFileSync(path.join(root, file), 'utf8'));
    for (const name of PACKAGES) {
      const manifest = fs.readFileSync(path.join(root, name, 'package.json'), 'utf8');
      const { nx, ...rest } = JSON.parse(manifest) as { nx?: { targets: Record<string, object> } };
      write(
        `${name}/package.json`,
        JSON.stringify({ ...rest, scripts: {}, nx: { targets: nx?.targets ?? {} } }),
      );
      write(`${name}/src/one.ts`, '');
      write(`${name}/src/one.spec.ts`, '');
    }
    for (const file of ['jest.config.js', 'docs/page.md']) write(file, '');
    write('package-lock.json', LOCK);
    write('scripts/specs.mjs', EXECUTOR);
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    ran();
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  /** What reads, or runs, the whole repository. */
  const WHOLE = ['e2e:stories', 'scripts:rehearsals', 'scripts:test'];

  it.each([
    ["a package's own spec", 'web/src/one.spec.ts', ['web:test', ...WHOLE]],
    ['a source of a package that some depend on', 'libs/platform/src/one.ts', ['auth:test', ...WHOLE]],
    [
      'a migration, which every database of a test has behind it',
      'services/events/src/migrations/one.ts',
      ['auth:test', ...WHOLE],
    ],
    ['the configuration of Jest', 'jest.config.js', ['auth:test', 'web:test', ...WHOLE]],
    ['a document', 'docs/page.md', ['scripts:test']],
  ])('has no answer after a change of %s, and has those of the others', (_, file, missed) => {
    write(file, '// changed');
    expect(ran()).toEqual(missed.sort());
  });

  it('is not asked where only those are wanted that a change since a commit reaches', async () => {
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], { cwd: folder });
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'as it is');
    write('services/auth/src/one.ts', '// changed again');
    write('.nx/ran', '');
    const { runTargets } = (await import(BUILD)) as {
      runTargets: (folder: string, targets: string, options: object) => Promise<{ exitCode: number }>;
    };
    const more = ['--exclude-task-dependencies', '--skip-nx-cache'];
    expect(await runTargets(folder, 'test', { since: 'HEAD', more })).toMatchObject({ exitCode: 0 });
    const asked = fs.readFileSync(path.join(folder, '.nx/ran'), 'utf8').split('\n');
    expect(asked).toContain('auth:test');
    expect(asked.filter((each) => ['web:test', 'events:test', 'contracts:test'].includes(each))).toEqual([]);
  });
});

type Targets = Record<string, { inputs?: unknown[] }>;
const json = <T>(file: string) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')) as T;
const NX = json<{ namedInputs: Record<string, unknown[]>; targetDefaults: Targets }>('nx.json');

/** The beginnings, up to a pattern, of the files outside of a package that its specs have as inputs. */
const outerInputs = (inputs: unknown[]): string[] =>
  inputs.flatMap((input) => {
    if (typeof input !== 'string') return [];
    const [, file] = /^\{workspaceRoot\}\/([^*{]*)/.exec(input) ?? [];
    return file !== undefined ? [file] : outerInputs(NX.namedInputs[input] ?? []);
  });

describe('the inputs of test', () => {
  it.each(PACKAGES.filter((name) => !['bench', 'e2e', 'scripts'].includes(name)))(
    'hold each file outside of %s that its code names by a relative path',
    (name) => {
      const { nx } = json<{ nx: { targets: Targets } }>(`${name}/package.json`);
      const known = outerInputs(nx.targets['test']?.inputs ?? NX.targetDefaults['test']?.inputs ?? []);
      const files = fs
        .readdirSync(path.join(root, name, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file));
      const named = files.flatMap((file) => {
        const text = fs.readFileSync(path.join(root, name, 'src', file), 'utf8');
        return [...text.matchAll(/['"`]((?:\.\.\/)+[\w./-]+\.\w+)['"`]/g)].map(([, to]) =>
          path.join(name, 'src', path.dirname(file), to!),
        );
      });
      const outside = named.filter((file) => !file.startsWith(`${name}/`));
      expect(outside.filter((file) => !known.some((each) => file.startsWith(each)))).toEqual([]);
    },
  );
});
