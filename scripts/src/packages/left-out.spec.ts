import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Package {
  devOptional?: boolean;
  link?: boolean;
}

const file = path.resolve(import.meta.dirname, '../../../package-lock.json');
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Package> };

/** Types that the compiler looks for at the root, where what has them as an optional peer finds them, too: half a megabyte. */
const TYPES = ['@types/luxon', '@types/react'];

it('no package that only development needs is installed by npm start, since another would take it where it is there', () => {
  const both = Object.entries(packages).filter(([, { devOptional, link }]) => devOptional && !link);
  expect(both.map(([place]) => place.replace(/^node_modules\//, '')).sort()).toEqual(TYPES);
});
