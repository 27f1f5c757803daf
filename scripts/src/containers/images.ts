import { PROCESSES } from '../stack/processes.js';
import { expectEqual, type Checks } from './checks.js';
import { docker } from './compose.js';

export const IMAGES = [...PROCESSES, 'migrate'];

const MAX_MB = 300;
const FORBIDDEN = `
  ls -d /app/.git /app/.env /root/.npm /app/k8s 2>/dev/null
  command -v npm npx gcc cc make git
  find /app -path '*/node_modules' -prune -o \\( -name '*.ts' -o -name '*.spec.*' -o -name '.env*' \\) -print
  true`;
/** Script that prints the differences between the image's package list and its node_modules folders. */
const DIFFERENCES = `
  const fs = require('node:fs');
  const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
  const listed = fs.globSync('*.cdx.json').map(read)
    .flatMap(({ metadata, components }) => [metadata.component, ...components])
    .map(({ purl }) => decodeURIComponent(purl.replace(/^pkg:npm\\/|\\?.*$/g, '')));
  const installed = fs.globSync('**/node_modules/{*,@*/*}/package.json').map(read)
    .map(({ name, version }) => name + '@' + version);
  const only = (names, others) => names.filter((name) => !others.includes(name) && !/^@?meetmark[@/]/.test(name));
  console.log([...only(listed, installed), ...only(installed, listed), ...(listed.length ? [] : ['no list'])].join(' '));`;

export async function checkImages(checks: Checks): Promise<void> {
  for (const name of IMAGES) {
    const image = `meetmark/${name}`;
    const run = async (...command: string[]) =>
      (await docker('run', '--rm', '--network', 'none', image, ...command)).trim();
    await checks.check(`${image} is smaller than ${MAX_MB} MB`, async () => {
      const megabytes = Number(await docker('image', 'inspect', '-f', '{{.Size}}', image)) / 1_000_000;
      if (megabytes >= MAX_MB) throw new Error(`${megabytes} MB`);
      return `${Math.round(megabytes)} MB`;
    });
    await checks.check(`${image} runs node itself, as a numbered user who is not root`, async () => {
      const config = await docker('image', 'inspect', '-f', '{{json .Config}}', image);
      const { User, Cmd, Entrypoint } = JSON.parse(config) as Record<string, string[] | null>;
      expectEqual([User, Cmd?.[0], Entrypoint], ['1000:1000', 'node', null], 'user, command, entrypoint');
    });
    await checks.check(`${image} holds no secrets, sources, tests, package manager or compiler`, async () =>
      expectEqual(await run('sh', '-c', FORBIDDEN), '', 'found'),
    );
    await checks.check(`${image} lists exactly the packages that it holds`, async () =>
      expectEqual(await run('node', '-e', DIFFERENCES), '', 'differences'),
    );
  }
}
