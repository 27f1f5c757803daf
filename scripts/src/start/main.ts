import { isPortFree, PortPicker } from '@meetmark/testing';
import path from 'node:path';
import { loadSecrets } from '../stack/secrets.js';
import { Stack } from '../stack/stack.js';
import { prepareCommunity } from './community.js';
import { failure, progress, welcome } from './console.js';
import { startDevelopment, type Development } from './development.js';
import { rotateLogs } from './rotate-logs.js';
import { RunRecord } from './run-record.js';
import { readSettings, type Settings } from './settings.js';
import { stillValid } from './sign-in-check.js';
import { onStopRequest } from './stop-requests.js';

export interface StartOptions {
  root: string;
  /** Data, secrets and logs of this checkout. */
  directory: string;
  /** Parent of the process when it began: its end is a request to stop. */
  parentPid: number;
  args: string[];
}

/** `npm start`: everything up, in order, until somebody asks for the end or something ends by itself. */
export async function start({ root, directory, parentPid, args }: StartOptions): Promise<void> {
  let record: RunRecord | undefined;
  let stack: Stack | undefined;
  let development: Development | undefined;
  let ending: Promise<void> | undefined;

  const end = (reason: string, exitCode: number): Promise<void> =>
    (ending ??= (async () => {
      progress(`stopping everything: ${reason}`, 'stop');
      await development?.stop();
      // In the middle of a start: what has been started already goes, and with it the start fails.
      if (!stack) await record?.stopChildren();
      await Promise.allSettled([starting]);
      await stack?.stop();
      record?.release();
      progress('all stopped', 'stop');
      process.exit(exitCode);
    })());

  const bringUp = async (): Promise<void> => {
    const settings = readSettings(root, directory, process.env, args);
    record = await RunRecord.claim(path.join(settings.directory, 'run.json'), (message) => progress(message));
    rotateLogs(path.join(settings.directory, 'logs'));
    const secrets = loadSecrets(path.join(settings.directory, 'secrets.json'), {
      adminEmail: settings.administrator.email,
      adminPassword: settings.administrator.password,
    });
    const ports = new PortPicker();
    const port = await publicPort(settings, ports);
    const claimed = record;
    let memberEmail = '';
    stack = await Stack.start({
      ...settings,
      inherited: settings.environment,
      secrets,
      durable: true,
      pickPort: (wanted) => ports.pick(wanted),
      // In development Vite has the public port and passes the API on to the gateway.
      port: settings.watch ? await ports.pick(port + 1) : port,
      publicUrl: settings.publicUrl ?? (settings.watch ? `http://localhost:${port}` : undefined),
      note: progress,
      onSpawn: (name, pid) => claimed.addChild(name, pid),
      prepareData: async (urls) => {
        ({ memberEmail } = await prepareCommunity(urls, secrets, settings, progress));
      },
    });
    stack.onUnexpectedExit((name, how) => {
      progress(
        `${name} ended by itself (${how}); its log: ${path.join(settings.directory, 'logs', `${name}.log`)}`,
        'stop',
      );
      void end(`${name} ended`, 1);
    });
    if (settings.watch)
      development = await startDevelopment({
        root,
        directory,
        port,
        stack,
        note: progress,
        onSpawn: (name, pid) => claimed.addChild(name, pid),
      });
    const accounts = await stillValid(stack.servers.databaseUrl, {
      member: { email: memberEmail, password: secrets.memberPassword },
      administrator: { email: secrets.adminEmail, password: secrets.adminPassword },
    });
    const url = settings.publicUrl ?? `http://localhost:${port}`;
    record.ready(url);
    if (ending) return;
    welcome({ url, gatewayUrls: stack.gatewayUrls, mailboxUrl: stack.servers.mailboxUrl, ...accounts });
  };

  onStopRequest(
    parentPid,
    ({ reason, exitCode }) => void end(reason, exitCode),
    () => progress('already stopping; this takes some seconds', 'stop'),
  );
  const starting = bringUp();
  try {
    await starting;
  } catch (error) {
    if (!ending) failure(error instanceof Error ? error.message : String(error));
    await end('the start failed', 1);
  }
}

/** @throws Error that says what to do when the user asked for a port that is taken */
async function publicPort({ port, portIsExplicit }: Settings, ports: PortPicker): Promise<number> {
  if (!portIsExplicit) {
    const picked = await ports.pick(port);
    if (picked !== port)
      progress(`port ${port} is taken by another program; using ${picked} (set PORT to choose)`);
    return picked;
  }
  if (await isPortFree(port)) return ports.pick(port);
  throw new Error(
    `Port ${port} (PORT) is taken by another program. Stop that program, or choose another port: PORT=${port + 10} npm start`,
  );
}
