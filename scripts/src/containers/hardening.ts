import { docker, type Compose } from './compose.js';
import { PROCESSES } from '../stack/processes.js';
import { expectEqual, type Checks } from './checks.js';

interface Inspected {
  Config: { User: string };
  HostConfig: {
    ReadonlyRootfs: boolean;
    CapDrop: string[] | null;
    CapAdd: string[] | null;
    SecurityOpt: string[] | null;
    Memory: number;
    Privileged: boolean;
    RestartPolicy: { Name: string };
  };
}

/** Has to change owners and users at its start; everything else needs no capability. */
const STARTS_AS_ROOT = ['postgres'];
const PUBLIC_PORTS = ['gateway:8080', 'mail:8025'];

/** How the containers of a running stack are held. */
export async function checkHardening(checks: Checks, compose: Compose): Promise<void> {
  const containers = await compose.containers();
  await checks.check('nothing is published but the gateway and the mail page', async () => {
    const published = containers.flatMap(({ service, published: ports }) =>
      ports.map(({ target }) => `${service}:${target}`),
    );
    expectEqual([...new Set(published)].sort(), PUBLIC_PORTS, 'published');
  });
  for (const { id, service } of containers) {
    await checks.check(`${service} is held tightly`, async () => {
      const [inspected] = JSON.parse(await docker('inspect', id)) as [Inspected];
      const { ReadonlyRootfs, CapDrop, CapAdd, SecurityOpt, Memory, Privileged, RestartPolicy } =
        inspected.HostConfig;
      const held = {
        readOnly: ReadonlyRootfs,
        capDrop: CapDrop,
        noNewPrivileges: SecurityOpt?.includes('no-new-privileges:true'),
        hasMemoryLimit: Memory > 0,
        privileged: Privileged,
        restart: RestartPolicy.Name,
        mayAddCapabilities: (CapAdd ?? []).length === 0 || STARTS_AS_ROOT.includes(service),
        isNumbered: /^\d+/.test(inspected.Config.User) || STARTS_AS_ROOT.includes(service),
      };
      const wanted = {
        readOnly: true,
        capDrop: ['ALL'],
        noNewPrivileges: true,
        hasMemoryLimit: true,
        privileged: false,
        restart: service === 'migrate' ? 'no' : 'unless-stopped',
        mayAddCapabilities: true,
        isNumbered: true,
      };
      expectEqual(held, wanted, service);
    });
  }
  await checks.check('no process of ours can write beside /tmp', async () => {
    for (const service of PROCESSES) {
      const script = 'touch /app/x 2>/dev/null || touch /x 2>/dev/null || echo refused; touch /tmp/x';
      expectEqual((await compose.run('exec', '-T', service, 'sh', '-c', script)).trim(), 'refused', service);
    }
  });
}
