import { docker } from './compose.js';
import { expectEqual } from './checks.js';

interface Component {
  purl: string;
}

interface CycloneDx {
  bomFormat: string;
  metadata: { component: Component };
  components: Component[];
}

/** What stands in the image: its lists, and name@version of every folder below a node_modules. */
const CONTENTS = `
  const fs = require('node:fs');
  const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
  const lists = fs.globSync('*.cdx.json').map(read);
  const packages = fs.globSync('**/node_modules/{*,@*/*}/package.json').map(read);
  console.log(JSON.stringify({ lists, installed: packages.map(({ name, version }) => name + '@' + version) }));`;
const OURS = /^(@meetmark\/|meetmark@)/;

/** The lists of an image name exactly the packages that are in it. Ours themselves are not looked at. */
export async function checkBillOfMaterials(image: string): Promise<string> {
  const output = await docker('run', '--rm', '--network', 'none', image, 'node', '-e', CONTENTS);
  const { lists, installed } = JSON.parse(output) as { lists: CycloneDx[]; installed: string[] };
  expectEqual([...new Set(lists.map(({ bomFormat }) => bomFormat))], ['CycloneDX'], 'formats');
  const components = lists.flatMap(({ metadata, components: others }) => [metadata.component, ...others]);
  const listed = components.map(({ purl }) => decodeURIComponent(purl.replace(/^pkg:npm\/|\?.*$/g, '')));
  expectEqual(
    { notListed: others(installed, listed), notThere: others(listed, installed) },
    { notListed: [], notThere: [] },
    'packages',
  );
  return `${installed.length} packages`;
}

const others = (names: string[], known: string[]) =>
  [...new Set(names)].filter((name) => !known.includes(name) && !OURS.test(name));
