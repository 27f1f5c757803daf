import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { eventFields, newcomer } from '@meetmark/testing/factories/samples';
import { ApiClient } from '@meetmark/testing/http-client';
import { auditPackages } from './audit.js';
import { checkBackup } from './backup-check.js';
import { browserStory } from './browser-story.js';
import { Checks } from './checks.js';
import { Compose, said } from './compose.js';
import { documentedRun } from './documented-run.js';
import { checkEdges } from './edges.js';
import { checkHardening } from './hardening.js';
import { checkImages, IMAGES } from './images.js';
import { checkPictures } from './picture-check.js';
import { checkProduction } from './production.js';
import { checkNothingRefused, checkRedis } from './redis-check.js';
import { createsOnce, restartsAtOnce, rollingRestarts, SCALE, stopsByItself } from './scaling.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MEMBERS = 4;
/** What is lost in a start of everything at once is lost now and then. */
const RESTARTS = 3;

/** Two ports each, so that a second gateway finds one. */
const PORTS = { PORT: '18480-18481', MAIL_PORT: '18425' };
const PUBLIC_URL = 'http://localhost:18480';
/** As the proxy in front says it: addresses of containers are no names of the site. */
const BEHIND_PROXY = { 'sec-fetch-site': 'same-origin', 'x-forwarded-host': 'localhost' };

// npm run test:containers: the images, and the whole system in containers of its own, on the Docker engine of the environment.
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-containers-'));
const envFile = path.join(directory, '.env');
const checks = new Checks();
/** What takes down that which has been brought up. */
const leavings: (() => Promise<unknown>)[] = [];
await said(process.execPath, [path.join(ROOT, 'scripts/make-env.mjs'), envFile]);
const secrets = parseEnv(fs.readFileSync(envFile, 'utf8'));
const account = { email: secrets['ADMIN_EMAIL'] ?? '', password: secrets['ADMIN_PASSWORD'] ?? '' };
const compose = new Compose({
  root: ROOT,
  name: `meetmark-test-${process.pid}`,
  envFile,
  environment: {
    ...PORTS,
    ...{ RATE_LIMIT_PROFILE: 'test', ADMIN_SECOND_FACTOR: 'encouraged' },
    ...{ PUBLIC_URL, TRUSTED_PROXIES: '1' },
  },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(1));

await checks.check('all images build', async () => {
  if (!process.argv.includes('--built')) await compose.run('build', ...IMAGES);
});
await checkImages(checks);
await checks.check('no package in them has a known serious fault', async () => auditPackages(ROOT));
leavings.push(() => compose.run('down', '-v', '--timeout', '45'));
let isUp = false;
await checks.check('the stack comes up healthy from nothing', async () => {
  await compose.up();
  isUp = true;
});
// A check of its own, so that whatever ends it early is counted, and everything is taken down all the same.
if (isUp) await checks.check('all of the running system was looked at', checkRunning);
else
  await checks.check('its logs can be read', async () =>
    console.log(await compose.run('logs', '--tail', '20')),
  );
await clear();
await checkProduction(checks, { root: ROOT, envFile, onStart: (down) => leavings.push(down) });
await end(checks.summarise());

async function checkRunning(): Promise<void> {
  await checkHardening(checks, compose);
  await checkEdges(checks, compose);
  await checkRedis(checks, compose);
  // one of the range: Docker chooses
  const gateway = `http://localhost:${await compose.portOf('gateway', 8080)}`;
  const mailPage = `http://127.0.0.1:${await compose.portOf('mail', 8025)}`;
  const administrator = new ApiClient(gateway, BEHIND_PROXY);
  const members: ApiClient[] = [];
  let eventId = '';
  await checks.check('the administrator of the .env signs in and makes an event', async () => {
    await administrator.signIn(account);
    const event = eventFields({ title: 'In containers' });
    eventId = (await administrator.expect<{ id: string }>(201, 'POST', '/api/events', event)).id;
  });
  await checks.check(
    'in Chromium somebody signs up, registers, is mailed, and resets the password by the mailed code',
    () => browserStory(ROOT, { url: gateway, mailPage, administrator: account }),
  );
  await checks.check("create-admin makes an account an administrator's", async () => {
    const [email, password] = ['second.admin@example.org', 'correct horse'];
    await compose.run(...documentedRun('create-admin', { ADMIN_EMAIL: email, ADMIN_PASSWORD: password }));
    const second = new ApiClient(gateway, BEHIND_PROXY);
    await second.signIn({ email, password });
    await second.expect(200, 'GET', '/api/admin/summary');
  });
  await checks.check('create-setup-link says that there is an owner', async () => {
    const said = await compose.run(...documentedRun('create-setup-link', {})).catch(String);
    if (!said.includes('has an owner already')) throw new Error(said);
  });
  await checks.check('remove-second-factors lets in who lost theirs', async () => {
    const person = newcomer('Lost', 'Phone');
    const member = new ApiClient(gateway, BEHIND_PROXY);
    const { id } = await member.signUp(person);
    await compose.sql(
      `UPDATE auth.users SET second_factor = true, email_verified_at = now() WHERE id = '${id}';
       INSERT INTO auth.second_factors (id, user_id, name, kind, sealed_secret, last_step)
       VALUES (gen_random_uuid(), '${id}', 'Phone', 'totp', 'sealed', 0)`,
    );
    const said = await compose.run(...documentedRun('remove-second-factors', { USER_EMAIL: person.email }));
    await member.expect(401, 'GET', '/api/user');
    await new ApiClient(gateway, BEHIND_PROXY).signIn(person);
    return said.trim();
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
  for (let number = 0; number < MEMBERS; number++) {
    const member = new ApiClient(gateway, BEHIND_PROXY);
    await member.signUp(newcomer('Mia', 'Member'));
    members.push(member);
  }
  await checkPictures(checks, compose, members);
  await rollingRestarts(checks, compose, { members, administrator, eventId });
  for (let round = 1; round <= RESTARTS; round++)
    await checks.check(`restart ${round} of everything at once drops no request of ten a second`, () =>
      restartsAtOnce(compose, members[0]!),
    );
  await checkBackup(checks, compose);
  await checkNothingRefused(checks, compose);
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
