// Prints the installed packages as CycloneDX, for the Dockerfile. Removes packages without a folder from
// npm's complete list. `npm sbom --omit=dev` would drop a shipped package that another workspace uses only in
// tests.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';

const MAX_BYTES = 64 * 1024 * 1024;

const folders = globSync('**/node_modules/{*,@*/*}/package.json');
const installed = new Set(
  folders.map((file) => {
    const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
    return `pkg:npm/${name.replace('@', '%40')}@${version}`;
  }),
);
const options = ['--package-lock-only', '--sbom-format=cyclonedx'];
const list = JSON.parse(execFileSync('npm', ['sbom', ...options], { maxBuffer: MAX_BYTES }));
const components = list.components.filter(({ purl }) => installed.has(purl));
const known = new Set([list.metadata.component, ...components].map((component) => component['bom-ref']));
const dependencies = list.dependencies
  .filter(({ ref }) => known.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => known.has(each)) }));
console.log(JSON.stringify({ ...list, components, dependencies }, null, 1));
