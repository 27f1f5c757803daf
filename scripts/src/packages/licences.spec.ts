import { readFileSync } from 'node:fs';

interface Package {
  license?: string;
  dev?: boolean;
  link?: boolean;
}

const file = new URL('../../../package-lock.json', import.meta.url);
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Package> };

/** Licences whose packages may be distributed with MIT code. */
const FREE =
  'MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 Zlib Python-2.0 OFL-1.1 Unicode-DFS-2016';
/**
 * Packages that we may ship although their licence isn't in `FREE`. Users can replace libvips, as its licence
 * requires. ical.js is shipped unchanged, and README.md says where its source is, as its licence requires.
 * lightningcss is only a build tool. npm doesn't recognise the MIT licence of the other packages.
 */
const EXCEPTIONS =
  /^(@img\/sharp-(libvips-|win32-|wasm32).*|lightningcss.*|@antv\/g2-extension-plot|ical\.js|passport-strategy|pause)$/;

/** In 'A OR B', at least one licence must be in `FREE`. In 'A AND B', both must be. */
const isFree = (expression: string) =>
  expression
    .replace(/[()]/g, '')
    .split(' AND ')
    .every((part) => part.split(' OR ').some((licence) => FREE.split(' ').includes(licence)));

it('every shipped package has a licence that permits redistribution', () => {
  const shipped = Object.entries(packages).filter(
    ([place, { dev, link }]) => /node_modules/.test(place) && !dev && !link,
  );
  expect(shipped.length).toBeGreaterThan(100);
  const others = shipped.flatMap(([place, { license = 'none' }]) => {
    const name = place.split('node_modules/').at(-1)!;
    return isFree(license) || EXCEPTIONS.test(name) ? [] : [`${name}: ${license}`];
  });
  expect(others).toEqual([]);
});
