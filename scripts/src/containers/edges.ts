import { addressesOf, docker, type Compose } from './compose.js';
import { expectEqual, type Checks } from './checks.js';

const SERVERS = ['postgres:5432', 'redis:6379'];
/** What each container of ours may open a connection to. */
const EDGES: Record<string, string[]> = {
  gateway: SERVERS,
  auth: SERVERS,
  events: SERVERS,
  admin: SERVERS,
  // a network knows no ports: the catcher's page comes with its SMTP
  worker: ['mail:1025', 'mail:8025', ...SERVERS],
  migrate: ['postgres:5432'],
};
/** What listens at all. */
const LISTENING: Record<string, number[]> = {
  gateway: [8080, 9090],
  auth: [9090],
  events: [9090],
  admin: [9090],
  worker: [9090],
  postgres: [5432],
  redis: [6379],
  mail: [1025, 8025],
};
/** The only ones with a way out of the engine: browsers come in by one, mails leave by the other. */
const OPEN_NETWORKS = ['front', 'outside'];
/** Packets between Docker's networks are dropped, not refused. */
const PATIENCE_SECONDS = 3;

interface Network {
  Name: string;
  Internal: boolean;
  Options: Record<string, string> | null;
}

/** Tries every connection that could be there, by address, from within each container of ours. */
export async function checkEdges(checks: Checks, compose: Compose): Promise<void> {
  const targets = await addresses(compose);
  for (const [service, edges] of Object.entries(EDGES)) {
    await checks.check(`${service} reaches ${edges.join(', ')} and nothing else`, async () => {
      const others = [...targets].filter(([, name]) => !name.startsWith(`${service}:`));
      const script = probe(others.map(([address]) => address));
      const command = ['bash', '-c', script];
      const reached =
        service === 'migrate'
          ? await compose.run('run', '--rm', '-T', '--no-deps', service, ...command)
          : await compose.run('exec', '-T', service, ...command);
      const names = reached
        .split('\n')
        .filter(Boolean)
        .map((address) => targets.get(address));
      expectEqual([...new Set(names)].sort(), [...edges].sort(), service);
      return `${others.length} addresses tried`;
    });
  }
  await checks.check('no network has a way out but those of the gateway and the mails', async () => {
    const networks = await networksOf(compose);
    const open = networks.filter(({ Internal }) => !Internal);
    expectEqual(open.map(({ Name }) => Name.split('_').at(-1)).sort(), OPEN_NETWORKS, 'open');
    const front = open.find(({ Name }) => Name.endsWith('_front'));
    expectEqual(front?.Options?.['com.docker.network.bridge.enable_ip_masquerade'], 'false', 'front');
  });
}

/** host/port, as bash's /dev/tcp has it, to service:port: of every container in each of its networks. */
async function addresses(compose: Compose): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { id, service, state } of await compose.containers()) {
    if (state !== 'running') continue;
    for (const address of Object.values(await addressesOf(id)))
      for (const port of LISTENING[service] ?? []) found.set(`${address}/${port}`, `${service}:${port}`);
  }
  return found;
}

async function networksOf(compose: Compose): Promise<Network[]> {
  const listed = await docker('network', 'ls', '-q', '--filter', `name=^${compose.network('')}`);
  const names = listed.split('\n').filter(Boolean);
  return JSON.parse(await docker('network', 'inspect', ...names)) as Network[];
}

/** All at once; prints the addresses that accept a connection. */
const probe = (targets: string[]) =>
  `for target in ${targets.join(' ')}; do
     (timeout ${PATIENCE_SECONDS} bash -c "exec 3<>/dev/tcp/$target" 2>/dev/null && echo $target) &
   done; wait; true`;
