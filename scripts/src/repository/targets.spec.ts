import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
interface Project {
  displayName: string;
  rootDir: string;
  testMatch?: string[];
  testRegex?: string;
  testPathIgnorePatterns?: string[];
}
const { default: config } = (await import(pathToFileURL(path.join(root, 'jest.config.js')).href)) as {
  default: { projects: Project[] };
};

it('the up-to-date check covers every shared file that a build reads', () => {
  const inputs = ['nx.json', 'web/package.json'].flatMap((file) =>
    [...read(file).matchAll(/\{workspaceRoot\}\/([^"*]*[^"*/])/g)].map(([, name = '']) => name),
  );
  const checked = [...read('scripts/support/build.mjs').matchAll(/'([^'\s]+)'/g)].map(
    ([, name = '']) => name,
  );
  expect(inputs.length).toBeGreaterThan(5);
  expect(inputs.filter((input) => !checked.some((name) => input.startsWith(name)))).toEqual([]);
});

it('every Jest project is part of npm test', () => {
  const steps = read('scripts/support/tests.mjs');
  const missing = config.projects.filter(({ displayName }) => !steps.includes(`'${displayName}'`));
  expect(missing.map(({ displayName }) => displayName)).toEqual([]);
});

it("the specs that read all of class-validator's registry don't share it with other specs", () => {
  const rules = new RegExp(config.projects.find(({ displayName }) => displayName === 'rules')!.testRegex!);
  const specs = ['gateway/src', 'libs', 'services', 'scripts/src'].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `/${folder}/${file}`)
      .filter((file) => /\/src\/.*\.spec\.ts$/.test(file) && !file.includes('node_modules')),
  );
  expect(specs.filter((file) => /validationMetadatas\W+Map/.test(read(file)))).toEqual(
    specs.filter((file) => rules.test(file)),
  );
});

describe('the end-to-end specs', () => {
  const e2e = path.join(root, 'e2e');
  const stories = fs
    .readdirSync(path.join(e2e, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => path.join(e2e, 'src', file));
  const projects = config.projects.filter(({ rootDir }) => path.resolve(rootDir) === e2e);
  const takes = ({ testMatch = [], testRegex, testPathIgnorePatterns = [] }: Project, story: string) =>
    (testRegex === undefined
      ? testMatch.some((glob) => story.startsWith(glob.replace('<rootDir>', e2e).replace(/\*.*/, '')))
      : new RegExp(testRegex).test(story)) &&
    !testPathIgnorePatterns.some((pattern) => new RegExp(pattern).test(story));

  it('every quick story is a spec of the Jest project e2e', () => {
    const [list = ''] = /QUICK_STORIES = \[[^;]*/.exec(read('scripts/support/tests.mjs')) ?? [];
    const quick = [...list.matchAll(/'([^']+)'/g)].map(([, name]) =>
      path.join(e2e, 'src', `${name}.spec.ts`),
    );
    const inProject = projects.find(({ displayName }) => displayName === 'e2e')!;
    expect(quick.length).toBeGreaterThan(5);
    expect(quick.filter((story) => !stories.includes(story) || !takes(inProject, story))).toEqual([]);
  });

  it('every end-to-end spec belongs to exactly one Jest project', () => {
    const count = (story: string) => projects.filter((each) => takes(each, story)).length;
    expect(stories.filter((story) => count(story) !== 1)).toEqual([]);
  });
});
