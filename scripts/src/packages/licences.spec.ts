import { readFileSync } from 'node:fs';
import path from 'node:path';

interface LockFile {
  packages: Record<string, { license?: string; dev?: boolean; link?: boolean }>;
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

describe('the licence of every package that is shipped', () => {
  const shipped = Object.entries(packages).filter(
    ([place, { dev, link }]) => place.includes('node_modules/') && dev !== true && link !== true,
  );

  it('allows to pass it on', () => {
    const others = shipped
      .map(([place, { license = 'none' }]) => [place.split('node_modules/').at(-1) ?? '', license] as const)
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
