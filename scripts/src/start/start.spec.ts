import { type ErrorBody, GetCommunityPicture, GetEvent, type Message, SignIn } from '@meetmark/contracts';
import { openCaller, testConfig } from '@meetmark/platform/testing/open-service';
import { anyFreePort, identify, isRunning, until } from '@meetmark/testing';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { urlForRole } from '../stack/environment.js';
import { getKeys, loadSecrets } from '../stack/secrets.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const entry = new URL('../../dist/start/process/main.js', import.meta.url).href;
const START_MS = 90_000;

// Runs the built program like `npm start`, but with a temporary data directory.
describe('npm start', () => {
  let directory: string;
  let running: Run | undefined;

  beforeAll(() => {
    directory = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-start-'));
    fs.mkdirSync(path.join(directory, 'mail'));
    fs.writeFileSync(path.join(directory, 'mail/1.eml'), 'To: ada@people.example\n\nHello');
    for (const wide of ['', 'mail']) fs.chmodSync(path.join(directory, wide), 0o755);
    fs.chmodSync(path.join(directory, 'mail/1.eml'), 0o644);
  });
  afterEach(async () => {
    if (running?.child.exitCode === null) {
      running.child.kill('SIGTERM');
      await once(running.child, 'exit');
    }
  });
  afterAll(() => fs.rmSync(directory, { recursive: true }));

  interface Run {
    child: ChildProcess;
    output: string;
  }

  const launch = (
    environment: Record<string, string> = {},
    args: string[] = [],
    data: string = directory,
  ): Run => {
    const options = { root, directory: data, parentPid: process.pid, args };
    const program = `import(${JSON.stringify(entry)}).then(({ start }) => start(${JSON.stringify(options)}))`;
    const { npm_lifecycle_event: _script, ...inherited } = process.env;
    const child = spawn(process.execPath, ['-e', program], { env: { ...inherited, ...environment } });
    const run: Run = { child, output: '' };
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (run.output += chunk));
    return (running = run);
  };
  const ready = (run: Run, lastLine = 'Sign in as the administrator') =>
    until(
      'Meetmark',
      START_MS,
      async () => run.output.includes(lastLine),
      () => (run.child.exitCode === null ? null : `ended: ${run.output}`),
    );
  /** Takes the port when PostgreSQL is ready, before the gateway listens. */
  const takePort = async (run: Run, port: () => number) => {
    await until('PostgreSQL', START_MS, async () => run.output.includes('is ready'));
    const squatter = net.createServer((socket) => socket.destroy()).listen(port(), '127.0.0.1');
    await once(squatter, 'listening');
    return squatter;
  };
  const ended = async ({ child }: Run) => (child.exitCode ?? (await once(child, 'exit'))[0]) as number;
  const readChildren = () =>
    (
      JSON.parse(fs.readFileSync(path.join(directory, 'run.json'), 'utf8')) as {
        children: { pid: number; startedAt: string; name: string }[];
      }
    ).children;
  const openToOthers = () =>
    ['', ...fs.readdirSync(directory, { recursive: true, encoding: 'utf8' })].filter(
      (name) => (fs.lstatSync(path.join(directory, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o077,
    );
  /**
   * Sends invalid input to each process: a request body to the gateway and messages to the services. Returns
   * the fields that each process rejects.
   */
  const refusedFields = async (url: string) => {
    const redis = readChildren().find(({ name }) => name === 'redis')!;
    const [address] = /127\.0\.0\.1:\d+/.exec(identify(redis.pid)!.command)!;
    const secrets = loadSecrets(path.join(directory, 'secrets.json'));
    const redisUrl = urlForRole(`redis://${address}`, 'gateway', secrets.redisPasswords.gateway);
    const { rpc, close } = await openCaller(testConfig({ redisUrl, ...getKeys(secrets) }));
    const fields = ({ details }: Pick<ErrorBody, 'details'>) => Object.keys(details?.fields ?? {});
    const sent = (message: Message, bad: object) => rpc.call(message, bad).then(() => 'taken', fields);
    const credentials = { email: 'boss@example.org', password: 1 };
    const body = JSON.stringify(credentials);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/login`, { method: 'POST', headers, body });
    const refused = {
      gateway: fields((await answer.json()) as ErrorBody),
      auth: await sent(SignIn, credentials),
      events: await sent(GetEvent, { eventId: 'none' }),
      admin: await sent(GetCommunityPicture, { hash: 'none' }),
    };
    close();
    return refused;
  };

  it(
    'starts all processes, prints URL and sign-in, validates input, and stops on SIGTERM',
    async () => {
      const port = await anyFreePort();
      const run = launch({
        PORT: String(port),
        ADMIN_EMAIL: 'boss@example.org',
        ADMIN_PASSWORD: 'the boss knows',
      });
      await ready(run);
      const lines = run.output.trim().split('\n').slice(-4);
      expect(lines[0]).toMatch(/^Mailbox: http:\/\/localhost:\d+$/);
      expect(lines[1]).toBe(`Meetmark is ready: http://localhost:${port}`);
      expect(lines[2]).toMatch(/^Sign in as a member: \S+@\S+ \/ \S+$/);
      expect(lines[3]).toBe('Sign in as the administrator: boss@example.org / the boss knows');
      const events = (await (await fetch(`http://localhost:${port}/api/events/public`)).json()) as unknown[];
      expect(events.length).toBeGreaterThanOrEqual(24);

      // If a bundle contained a second copy of class-validator, its process wouldn't check any rules.
      expect(await refusedFields(`http://localhost:${port}`)).toEqual({
        gateway: ['password'],
        auth: ['password'],
        events: ['eventId'],
        admin: ['hash'],
      });

      const kinds = ['postgres', 'redis/appendonlydir', 'mail/1.eml', 'web', 'logs/gateway.log'];
      for (const name of [...kinds, 'run.json', 'secrets.json'])
        expect([name, fs.existsSync(path.join(directory, name))]).toEqual([name, true]);
      expect(openToOthers()).toEqual([]);

      const children = readChildren();
      expect(children.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['postgres', 'redis', 'prepare-community', 'auth', 'gateway']),
      );
      run.child.kill('SIGTERM');
      expect(await ended(run)).toBe(0);
      expect(children.filter(isRunning)).toEqual([]);
    },
    START_MS * 2,
  );

  it(
    'starts an empty site with --empty and prints a setup link',
    async () => {
      const port = await anyFreePort();
      const data = path.join(directory, 'empty');
      fs.mkdirSync(data);
      for (const wide of [directory, data]) fs.chmodSync(wide, 0o755);
      const run = launch({ PORT: String(port) }, ['--empty'], data);
      await ready(run, 'Set up your community');
      expect(openToOthers()).toEqual([]);
      const site = `http://localhost:${port}`;
      const lines = run.output.trim().split('\n');
      expect(lines.at(-1)).toMatch(
        new RegExp(`^Set up your community, once and within a day: ${site}/setup#[\\w-]{22}$`),
      );
      expect(run.output).not.toContain('Sign in as');

      const page = await fetch(site, { headers: { accept: 'text/html' } });
      expect(page.url).toBe(`${site}/setup`);
      expect(await page.text()).not.toContain('Northern Digital Marketers');
      const shown = async (call: string) => (await (await fetch(`${site}/api/${call}`)).json()) as unknown;
      expect(await shown('config')).toMatchObject({ name: 'Our community', sponsors: [] });
      expect(await shown('events/public')).toEqual([]);
    },
    START_MS * 2,
  );

  it(
    'uses another port if the default is taken during startup, recovers after kill -9, refuses a second run, and ends when a child dies',
    async () => {
      const killed = launch();
      const lostPort = () => Number(/; using (\d+)\./.exec(killed.output)?.[1] ?? 8_080);
      const squatter = await takePort(killed, lostPort);
      const lost = lostPort();
      await ready(killed);
      const port = Number(/Meetmark is ready: http:\/\/localhost:(\d+)/.exec(killed.output)?.[1]);
      expect(port).toBeGreaterThan(lost);
      expect((await fetch(`http://localhost:${port}/api/config`)).status).toBe(200);
      squatter.close();
      await once(squatter, 'close');
      const orphans = readChildren();
      killed.child.kill('SIGKILL');
      await once(killed.child, 'exit');

      const run = launch({ REPLICAS: 'auth=2', PORT: String(await anyFreePort()) });
      await ready(run);
      expect(run.output).toContain('Stopping postgres');
      expect(orphans.filter(isRunning)).toEqual([]);
      expect(run.output).toContain('Sign in as the administrator: boss@example.org / the boss knows');
      expect(run.output).not.toContain('The demo community was added');
      expect(readChildren().map(({ name }) => name)).not.toContain('prepare-community');

      const second = launch();
      expect(await ended(second)).toBe(1);
      expect(second.output).toContain('already running from this folder');

      const children = readChildren();
      const dying = children.find(({ name }) => name === 'auth-2');
      process.kill(dying?.pid ?? 0, 'SIGKILL');
      expect(await ended(run)).toBe(1);
      expect(run.output).toContain('auth-2 stopped unexpectedly (SIGKILL)');
      expect(children.filter(isRunning)).toEqual([]);
    },
    START_MS * 3,
  );

  it(
    'runs unbundled services with --watch, and stops while Vite is still starting',
    async () => {
      const run = launch({ PORT: String(await anyFreePort()) }, ['--watch']);
      const viteRuns = async () => readChildren().some(({ name }) => name === 'vite');
      await until('Vite', START_MS, viteRuns, () => (run.child.exitCode === null ? null : run.output));
      const children = readChildren();
      // In a bundle, the service would have its own copies of the libraries and ignore later changes.
      const { pid } = children.find(({ name }) => name === 'auth')!;
      expect(identify(pid)?.command).toMatch(/auth\/dist\/main\.js$/);
      run.child.kill('SIGTERM');
      expect(await ended(run)).toBe(0);
      expect(children.filter(isRunning)).toEqual([]);
    },
    START_MS * 2,
  );

  it(
    'fails if the port that PORT sets is taken during startup',
    async () => {
      const asked = await anyFreePort();
      const refused = launch({ PORT: String(asked) });
      const squatter = await takePort(refused, () => asked);
      expect(await ended(refused)).toBe(1);
      expect(refused.output).toContain(`Port ${asked} (PORT) is in use by another program`);
      squatter.close();
      await once(squatter, 'close');
    },
    START_MS * 3,
  );
});
