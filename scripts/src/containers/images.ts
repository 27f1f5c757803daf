import { PROCESSES } from '../stack/processes.js';
import { docker } from './compose.js';
import { checkBillOfMaterials } from './bill-of-materials.js';
import { expectEqual, type Checks } from './checks.js';

export const IMAGES = [...PROCESSES, 'migrate'];

/** The gateway has the fonts of all scripts, with which share pictures are drawn, and those that a community may choose: 17 MB. */
const MAX_MB = { gateway: 320, others: 300 };
const BYTES_PER_MB = 1_000_000;

/** What stands in the images, whatever runs. */
export async function checkImages(checks: Checks): Promise<void> {
  for (const name of IMAGES) {
    const image = `meetmark/${name}`;
    const most = name === 'gateway' ? MAX_MB.gateway : MAX_MB.others;
    await checks.check(`${image} is smaller than ${most} MB`, async () => {
      const megabytes = Number(await docker('image', 'inspect', '-f', '{{.Size}}', image)) / BYTES_PER_MB;
      if (megabytes >= most) throw new Error(`${megabytes} MB`);
      return `${Math.round(megabytes)} MB`;
    });
    await checks.check(`${image} runs node itself, as a numbered user who is not root`, async () => {
      const { User, Cmd, Entrypoint } = JSON.parse(
        await docker('image', 'inspect', '-f', '{{json .Config}}', image),
      ) as { User: string; Cmd: string[]; Entrypoint: string[] | null };
      expectEqual([User, Cmd[0], Entrypoint], ['1000:1000', 'node', null], 'user, command, entrypoint');
      expectEqual((await inImage(image, 'id -u')).trim(), '1000', 'id');
    });
    await checks.check(`${image} holds no secrets, sources, tests, package manager or compiler`, async () => {
      const found = await inImage(
        image,
        `ls -d /app/.git /app/.env /root/.npm /app/k8s 2>/dev/null
         command -v npm npx gcc cc make git
         find /app -path '*/node_modules' -prune -o \\( -name '*.ts' -o -name '*.spec.*' -o -name '.env*' \\) -print
         true`,
      );
      expectEqual(found.trim(), '', 'found');
    });
    await checks.check(`${image} lists its packages in CycloneDX, all of them and no other`, () =>
      checkBillOfMaterials(image),
    );
  }
}

const inImage = (image: string, script: string) =>
  docker('run', '--rm', '--network', 'none', '--entrypoint', 'sh', image, '-c', script);
