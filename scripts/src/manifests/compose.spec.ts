import { SCALE } from '../containers/scaling.js';
import { connectionsNeeded } from '../stack/connections.js';
import { PROCESSES } from '../stack/processes.js';
import { readCompose, readText } from './manifest.js';

const text = readText('docker-compose.yml');
const { services, networks } = readCompose();

describe.each(Object.entries(services))('the Compose service %s', (name, service) => {
  it('has a memory limit and no privileges', () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.stringMatching(/^\d+m$/),
    });
    expect(service).not.toHaveProperty('privileged');
    if (name !== 'postgres') expect(service).not.toHaveProperty('cap_add');
    const numbered = ['redis', 'mail'].includes(name);
    expect(service['user']).toEqual(numbered ? expect.stringMatching(/^\d+:\d+$/) : undefined);
  });
});

it('Compose publishes ports only for the gateway and the mail catcher', () => {
  const published = Object.keys(services).filter((name) => services[name]!.ports);
  expect(published).toEqual(['mail', 'gateway']);
});

it.each([
  ...['gateway', 'auth', 'events', 'admin'].map((name) => [name, ['postgres', 'redis']] as const),
  ['worker', ['mail', 'postgres', 'redis']] as const,
  ['migrate', ['postgres']] as const,
])('%s shares networks only with the long-running services %j', (name, expected) => {
  const once = ['migrate', 'seed-demo', 'create-admin', 'create-setup-link', 'remove-second-factors'];
  const others = Object.keys(services).filter(
    (other) =>
      other !== name &&
      !once.includes(other) &&
      services[other]!.networks.some((each) => services[name]!.networks.includes(each)),
  );
  expect(others.toSorted()).toEqual(expected);
});

it('all networks except “front” and “outside” are internal', () => {
  const open = Object.keys(networks).filter((name) => networks[name]?.internal !== true);
  expect(open).toEqual(['front', 'outside']);
  expect(networks['front']).toMatchObject({
    driver_opts: { 'com.docker.network.bridge.enable_ip_masquerade': 'false' },
  });
});

it('PostgreSQL has enough connections for the documented number of replicas', () => {
  const limit = Number(/max_connections=(\d+)/.exec(String(services['postgres']!.command))?.[1]);
  const processes = PROCESSES.map((name) => ({
    ...{ name, replicas: SCALE[name] },
    pool: Number(services[name]!.environment?.['DATABASE_POOL_SIZE']),
  }));
  expect(limit - connectionsNeeded(processes)).toBeGreaterThanOrEqual(5);
});

it('production requires a public URL, mail server and sender, and starts no mail catcher', () => {
  const production = readText('docker-compose.production.yml');
  for (const name of ['PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM']) expect(production).toContain(`\${${name}:?`);
  expect(readCompose('docker-compose.production.yml').services['mail']).toHaveProperty('profiles');
});

it('the Dockerfile uses the same images as Compose', () => {
  const dockerfile = readText('Dockerfile');
  for (const [line, name, image] of dockerfile.matchAll(/^ARG (\w+_IMAGE)=(.+)$/gm))
    expect([line, text]).toEqual([line, expect.stringContaining(`\${${name}:-${image}}`)]);
  expect(text.match(/^ +(image|[A-Z]+_IMAGE): (?!meetmark\/|\$\{[A-Z]+_IMAGE:-)/gm)).toBeNull();
});
