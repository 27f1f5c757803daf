import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');
const yaml = <T>(file: string) => parse(read(file)) as T;

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Workflow {
  permissions: object;
  jobs: Record<string, { 'runs-on': string; 'timeout-minutes': number; steps: Step[] }>;
}
interface Updates {
  version: number;
  updates: {
    'package-ecosystem': string;
    directory: string;
    schedule: { interval: string };
    groups?: Record<string, { patterns?: string[]; 'update-types'?: string[] }>;
  }[];
}

// What only a forge can run is held to what stands in this repository.
describe('the workflow of a forge', () => {
  const { permissions, jobs } = yaml<Workflow>('.github/workflows/ci.yml');
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('may read, and ends', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs))
      expect(job).toMatchObject({ 'runs-on': expect.any(String), 'timeout-minutes': expect.any(Number) });
  });

  it('runs what is here, and may run it', () => {
    const run = steps.flatMap((step) => step.run ?? []);
    expect(run).toEqual(['.ci/run']);
    expect(fs.statSync(path.join(ROOT, '.ci/run')).mode & 0o111).toBe(0o111);
    expect(steps.filter((step) => (step.uses === undefined) === (step.run === undefined))).toEqual([]);
  });

  it('has the Node of the images', () => {
    const versions = steps.flatMap((step) => step.with?.['node-version-file'] ?? []) as string[];
    expect(versions).toEqual(['.node-version']);
    expect(read('Dockerfile')).toContain(`NODE_IMAGE=node:${read(versions[0]!).trim()}-slim`);
  });
});

describe('the updates of a forge', () => {
  const { version, updates } = yaml<Updates>('.github/dependabot.yml');
  const manifestsIn = (folder: string): string[] =>
    fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap(({ name }) => {
      const file = path.join(folder, name, 'package.json');
      return fs.existsSync(path.join(ROOT, file)) && name !== 'node_modules' ? [file] : [];
    });
  const named = ['package.json', 'e2e/src/browsers/package.json']
    .concat(...['', 'services', 'libs'].map(manifestsIn))
    .flatMap((file) => {
      const kinds = JSON.parse(read(file)) as Record<string, Record<string, string> | undefined>;
      return Object.keys({ ...kinds['dependencies'], ...kinds['devDependencies'] });
    });
  const isNamed = (pattern: string) =>
    named.some((name) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern));

  it('are of what is there', () => {
    const LOCKS: Record<string, string> = {
      npm: 'package-lock.json',
      'github-actions': '.github/workflows',
      docker: 'Dockerfile',
    };
    expect(version).toBe(2);
    const missing = updates.filter(
      (each) =>
        !['daily', 'weekly', 'monthly'].includes(each.schedule.interval) ||
        !fs.existsSync(path.join(ROOT, each.directory, LOCKS[each['package-ecosystem']] ?? 'nothing')),
    );
    expect(missing).toEqual([]);
  });

  it('come in groups of packages that are there', () => {
    const groups = updates.flatMap((each) => Object.values(each.groups ?? {}));
    const patterns = groups.flatMap((group) => group.patterns ?? []);
    expect(patterns.length).toBeGreaterThan(10);
    expect(patterns.filter((pattern) => !isNamed(pattern))).toEqual([]);
    expect(groups.filter((group) => !group.patterns && !group['update-types'])).toEqual([]);
  });
});

it('templates of issues have a name and what they are about', () => {
  const templates = fs
    .readdirSync(path.join(ROOT, '.github/ISSUE_TEMPLATE'))
    .filter((name) => name.endsWith('.md'));
  expect(templates.length).toBeGreaterThan(1);
  for (const name of templates) {
    const [, head = ''] = /^---\n([^]*?)\n---\n/.exec(read(`.github/ISSUE_TEMPLATE/${name}`)) ?? [];
    expect(parse(head)).toEqual({ name: expect.any(String), about: expect.any(String) });
  }
});

it('what a newcomer reads first is no longer than 80 lines', () => {
  expect(read('CONTRIBUTING.md').trimEnd().split('\n').length).toBeLessThanOrEqual(80);
});
