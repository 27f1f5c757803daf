import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Package {
  license?: string;
  /** Where a package of the workspace lies. */
  resolved?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}
interface LockFile {
  packages: Record<string, Package>;
}

const file = path.resolve(import.meta.dirname, '../../../package-lock.json');
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as LockFile;

/** What may be passed on beside code under MIT, whatever the receiver's own licence. */
const FREE = ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'];
const ALSO_FREE = ['Zlib', 'Python-2.0', 'OFL-1.1', 'Unicode-DFS-2016'];
/** libvips, a library of its own beside sharp: it may be exchanged, which the licence asks for. */
const EXCHANGEABLE = /^@img\/sharp-(libvips-|win32-|wasm32)/;
/** MIT by what stands in the package, in a place that npm does not read. */
const SAID_ELSEWHERE = ['@antv/g2-extension-plot', 'passport-strategy', 'pause'];

/** Of 'A OR B' one is enough, of 'A AND B' all are needed. */
const isFree = (expression: string): boolean =>
  expression
    .replace(/[()]/g, '')
    .split(' AND ')
    .every((part) => part.split(' OR ').some((licence) => [...FREE, ...ALSO_FREE].includes(licence)));

/** What images and the pages are made of. */
const SHIPPED = Object.keys(packages).filter((place) =>
  /^(gateway|services\/\w+|web|libs\/(contracts|platform)|scripts)$/.test(place),
);

/** They build the pages and are no part of them. The other builders are the root's. */
const BUILDERS = ['vite', '@vitejs/plugin-react'];

/** Where Node finds a package: beside who asks, or nearer to the root. */
function placeOf(name: string, asker: string): string | undefined {
  for (let around = asker; ; around = around.slice(0, Math.max(around.lastIndexOf('/'), 0))) {
    const place = `${around === '' ? '' : `${around}/`}node_modules/${name}`;
    if (packages[place]) return packages[place].link ? packages[place].resolved : place;
    if (around === '') return undefined;
  }
}

/** What needs, needs in turn, or may use. */
function reachableFrom(places: string[]): Set<string> {
  const reached = new Set<string>();
  const visit = (place: string) => {
    if (reached.has(place)) return;
    reached.add(place);
    const { dependencies, optionalDependencies, peerDependencies } = packages[place]!;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const found = BUILDERS.includes(name) ? undefined : placeOf(name, place);
      if (found !== undefined) visit(found);
    }
  };
  places.forEach(visit);
  return reached;
}

describe('the licence of every package that is shipped', () => {
  const shipped = [...reachableFrom(SHIPPED)].filter((place) => place.includes('node_modules/'));

  it('allows to pass it on', () => {
    const others = shipped
      .map((place) => [place.split('node_modules/').at(-1)!, packages[place]!.license ?? 'none'] as const)
      .filter(
        ([name, licence]) => !isFree(licence) && !EXCHANGEABLE.test(name) && !SAID_ELSEWHERE.includes(name),
      )
      .map(([name, licence]) => `${name}: ${licence}`);
    expect(shipped.length).toBeGreaterThan(100);
    expect(others).toEqual([]);
  });

  it.each([
    ['MIT AND ISC', true],
    ['(MIT OR GPL-3.0)', true],
    ['MIT AND GPL-3.0', false],
    ['none', false],
  ])('is judged as a whole: %s', (expression, free) => {
    expect(isFree(expression)).toBe(free);
  });
});
