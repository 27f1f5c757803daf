import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { eventFields, newcomer } from '@meetmark/testing/factories/samples';
import { ApiClient } from '@meetmark/testing/http-client';
import { checkBackup } from './backup-check.js';
import { Checks, expectEqual } from './checks.js';
import { Compose, output } from './compose.js';
import { checkImages, IMAGES } from './images.js';
import { checkManifests } from './manifest-check.js';
import { checkProduction } from './production.js';
import { createsOnce, restartsAtOnce, SCALE, stopsByItself } from './scaling.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Number of restarts. More than one, because a race between starting processes doesn't occur every time. */
const RESTARTS = 3;

/** `PORT` is a range, because each of the two gateways needs its own port. */
const PORTS = { PORT: '18480-18481', MAIL_PORT: '18425' };
const PUBLIC_URL = 'http://localhost:18480';
/** Headers that a proxy in front of PUBLIC_URL would send. The requests go directly to a container. */
const BEHIND_PROXY = { 'sec-fetch-site': 'same-origin', 'x-forwarded-host': 'localhost' };

// npm run test:containers: checks the images and the whole system in Docker containers
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-containers-'));
const envFile = path.join(directory, '.env');
const limitsFile = path.join(directory, 'limits.json');
const withTestLimits = { environment: { RATE_LIMIT_PROFILE: 'test' } };
fs.writeFileSync(
  limitsFile,
  JSON.stringify({ services: { gateway: withTestLimits, events: withTestLimits } }),
);
const checks = new Checks();
const leavings: (() => Promise<unknown>)[] = [];
await output(process.execPath, [path.join(ROOT, 'scripts/make-env.mjs'), envFile]);
const secrets = parseEnv(fs.readFileSync(envFile, 'utf8'));
const account = { email: secrets['ADMIN_EMAIL'] ?? '', password: secrets['ADMIN_PASSWORD'] ?? '' };
const project = {
  root: ROOT,
  name: `meetmark-test-${process.pid}`,
  envFile,
  environment: { ...PORTS, PUBLIC_URL, TRUSTED_PROXIES: '1' },
  files: [limitsFile],
};
const compose = new Compose(project);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(1));

await checkManifests(checks, ROOT);
await checks.check('all images build', async () => {
  if (!process.argv.includes('--built')) await compose.run('build', ...IMAGES);
});
await checkImages(checks);
await checks.check('no package in them has a known serious fault', () =>
  output('npm', ['audit', '--omit=dev', '--audit-level=high'], { cwd: ROOT }).then(() => undefined),
);
leavings.push(() => compose.run('down', '-v', '--timeout', '45'));
let isUp = false;
await checks.check('the stack comes up healthy from nothing', async () => {
  await compose.up();
  isUp = true;
});
if (isUp) await checks.check('all of the running system was looked at', checkRunning);
else
  await checks.check('its logs can be read', async () =>
    console.log(await compose.run('logs', '--tail', '20')),
  );
await clear();
await checkProduction(checks, { root: ROOT, envFile, onStart: (down) => leavings.push(down) });
await end(checks.summarise());

function runTool(tool: string, values: Record<string, string> = {}): Promise<string> {
  const settings = Object.entries(values).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  return compose.run('run', '--rm', ...settings, tool);
}

async function checkRunning(): Promise<void> {
  const [running] = await compose.listContainers('gateway');
  // Docker chooses the gateway's port from the range.
  const [, port] = running!.ports.find(([target, host]) => target === 8080 && host > 0)!;
  const gateway = `http://localhost:${port}`;
  const administrator = new ApiClient(gateway, BEHIND_PROXY);
  await checks.check('the administrator of the .env signs in and makes an event', async () => {
    await administrator.signIn(account);
    const event = eventFields({ title: 'In containers' });
    await administrator.expect(201, 'POST', '/api/events', event);
  });
  await checks.check("create-admin makes an account an administrator's", async () => {
    const [email, password] = ['second.admin@example.org', 'correct horse'];
    await runTool('create-admin', { ADMIN_EMAIL: email, ADMIN_PASSWORD: password });
    const second = new ApiClient(gateway, BEHIND_PROXY);
    await second.signIn({ email, password });
    await second.expect(200, 'GET', '/api/admin/summary');
  });
  await checks.check('create-setup-link says that there is an owner', async () => {
    const said = await runTool('create-setup-link').catch(String);
    if (!said.includes('already has an owner')) throw new Error(said);
  });
  await checks.check('the gateway serves the web application', async () => {
    const visitor = new ApiClient(gateway, BEHIND_PROXY);
    const { text } = await visitor.get('/');
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(text)?.[1];
    if (script === undefined) throw new Error(`no script in ${text}`);
    await visitor.expect(200, 'GET', script);
  });
  await checks.check('each part scales on its own', () => compose.up(SCALE));
  await checks.check('100 events made through three replicas are 100 rows', () =>
    createsOnce(compose, administrator),
  );
  const member = new ApiClient(gateway, BEHIND_PROXY);
  await member.signUp(newcomer('Mia', 'Member'));
  for (let round = 1; round <= RESTARTS; round++)
    await checks.check(`restart ${round} of everything at once drops no request of ten a second`, () =>
      restartsAtOnce(compose, member),
    );
  const empty = new Compose({ ...project, name: `${project.name}-restored` });
  leavings.push(() => empty.run('down', '-v'));
  const password = secrets['POSTGRES_PASSWORD'] ?? '';
  await checkBackup(checks, { source: compose, empty, administrator, password, directory });
  await checks.check(
    'Redis keeps its data, and refused no process anything, also after a restart',
    async () => {
      const asOperator = (command: string) => {
        const script = `REDISCLI_AUTH="$OPERATOR_REDIS_PASSWORD" redis-cli --user operator ${command}`;
        return compose.run('exec', '-T', 'redis', 'sh', '-c', script);
      };
      const settings = (await asOperator('CONFIG GET appendonly maxmemory-policy')).trim().split('\n');
      expectEqual(settings.toSorted(), ['appendonly', 'maxmemory-policy', 'noeviction', 'yes'], 'settings');
      // When a process starts, it tries some commands to check that Redis refuses them. These refusals don't
      // count.
      const refused = async () =>
        (await asOperator('ACL LOG'))
          .split('\n')
          .filter((line) => line.includes(' name=') && !line.includes(' name=required-refusals '));
      expectEqual(await refused(), [], 'refused');
      await compose.run('restart', 'redis');
      await compose.run('up', '-d', '--wait', '--no-recreate', '--no-deps', 'redis');
      expectEqual(await refused(), [], 'refused');
    },
  );
  await checks.check('compose stop ends processes by themselves that have just been started', () =>
    stopsByItself(compose),
  );
  await compose.up(SCALE);
  await checks.check('compose stop ends processes by themselves that are at work', () =>
    stopsByItself(compose),
  );
}

async function clear(): Promise<void> {
  for (let down = leavings.pop(); down; down = leavings.pop())
    await down().catch((error: unknown) => console.error(error));
}

async function end(exitCode: number): Promise<never> {
  await clear();
  fs.rmSync(directory, { recursive: true, force: true });
  process.exit(exitCode);
}
