import { ERRORS } from '@meetmark/contracts';
import fs from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const SERVICES = ['auth', 'events', 'admin', 'worker'];
const PACKAGES = ['gateway', 'libs/platform', ...SERVICES.map((name) => `services/${name}`)];

/** Returns a package's sources as one string: only specs if `areSpecs`, otherwise only product code. */
function readSources(folder: string, areSpecs: boolean): string {
  const src = path.join(ROOT, folder, 'src');
  return fs
    .readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        /\.(ts|sql)$/.test(file) && file.includes('.spec.') === areSpecs && !file.includes('testing/'),
    )
    .map((file) => fs.readFileSync(path.join(src, file), 'utf8'))
    .join('\n');
}

it('every error code occurs in the specs of a package that uses it', () => {
  const packages = PACKAGES.map((folder) => ({
    code: readSources(folder, false),
    specs: readSources(folder, true),
  }));
  const untested = Object.keys(ERRORS).filter((code) => {
    const named = new RegExp(`\\b${code}\\b`);
    return !packages.some(({ code: sources, specs }) => named.test(sources) && named.test(specs));
  });
  expect(untested).toEqual([]);
});
