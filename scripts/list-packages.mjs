// For the Dockerfile: prints the packages that are installed in the working directory, as CycloneDX. npm lists what the lock file holds; of
// that an image has the production packages of its own workspaces, for its own platform. (npm's own selection, --omit=dev, also leaves out
// what one workspace ships and another one uses for its tests.)
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const PATH = 'cdx:npm:package:path';
const MAX_BYTES = 64 * 1024 * 1024;

const options = ['--package-lock-only', '--sbom-format=cyclonedx'];
const output = execFileSync('npm', ['sbom', ...options], { maxBuffer: MAX_BYTES });
const list = JSON.parse(output);
const isThere = ({ properties }) => {
  const place = properties.find(({ name }) => name === PATH)?.value ?? '';
  return place.includes('node_modules/') && existsSync(path.join(place, 'package.json'));
};
const components = list.components.filter(isThere);
const known = new Set([list.metadata.component, ...components].map((component) => component['bom-ref']));
const dependencies = list.dependencies
  .filter(({ ref }) => known.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) }));
console.log(JSON.stringify({ ...list, components, dependencies }, null, 1));
