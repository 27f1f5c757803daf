import { onFreePort, PortPicker } from '@meetmark/testing';
import { fork } from 'node:child_process';
import path from 'node:path';
import { getCommunityFile, siteUrl } from '../stack/environment.js';
import { loadSecrets } from '../stack/secrets.js';
import { closeContents, keepFilesPrivate, makePrivateDirectory } from '../stack/private-directory.js';
import { Stack } from '../stack/stack.js';
import { failure, progress, welcome } from './console.js';
import { demoAccounts } from './demo-accounts.js';
import { type Development, startDevelopment } from './development.js';
import { explain } from './explain.js';
import type { Prepared, Preparation, PreparationAnswer } from './prepare-community.js';
import { listenAddress, publicPort } from './public-port.js';
import { RunRecord } from './run-record.js';
import type { Settings } from './settings.js';
import { setupLink } from '@meetmark/contracts';
import { collectWhenIdle } from '@meetmark/platform/process/idle-collection';
import fs from 'node:fs';

const PREVIOUS = '.previous.log';

function rotateLogs(directory: string): void {
  fs.mkdirSync(directory, { recursive: true });
  for (const name of fs.readdirSync(directory)) {
    if (!name.endsWith('.log') || name.endsWith(PREVIOUS)) continue;
    fs.renameSync(path.join(directory, name), path.join(directory, name.replace(/\.log$/, PREVIOUS)));
  }
}

/** @throws Error if the demo or the administrator can't be added to the database */
async function prepareCommunity(
  preparation: Preparation,
  onSpawn: (name: string, pid: number) => void,
): Promise<Prepared> {
  const child = fork(new URL('./prepare-community.js', import.meta.url));
  if (child.pid !== undefined) onSpawn('prepare-community', child.pid);
  const answered = new Promise<PreparationAnswer>((resolve, reject) => {
    child.once('message', (answer: PreparationAnswer) => resolve(answer));
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      reject(new Error(`Filling the database failed: ${signal ?? `exit code ${code}`}`)),
    );
  });
  child.send(preparation, () => undefined);
  const answer = await answered;
  if ('prepared' in answer) return answer.prepared;
  throw Object.assign(new Error(answer.failed.message), { code: answer.failed.code });
}

export class Supervisor {
  private record: RunRecord | undefined;
  private stack: Stack | undefined;
  private development: Development | undefined;
  private starting: Promise<void> | undefined;
  private ending: Promise<void> | undefined;

  constructor(private readonly settings: Settings) {}

  /** Resolves when Meetmark is ready. After a failure, prints an explanation and exits with code 1. */
  async run(): Promise<void> {
    this.starting = this.bringUp();
    try {
      await this.starting;
    } catch (error) {
      await this.end('the start failed', 1, explain(error, this.settings.directory));
    }
  }

  /** Stops everything in reverse order of the start, and exits. Later calls wait for the first one. */
  end(reason: string, exitCode: number, explanation?: string): Promise<void> {
    return (this.ending ??= this.takeDown(reason, exitCode, explanation));
  }

  private async takeDown(reason: string, exitCode: number, explanation?: string): Promise<void> {
    if (this.record) progress(`Stopping: ${reason}`, 'stop');
    // During the start, stops the processes that are already running, so that `starting` fails.
    if (!this.stack) await this.record?.stopChildren();
    await Promise.allSettled([this.starting]);
    await this.development?.stop();
    await this.stack?.stop();
    await this.record?.stopChildren();
    this.record?.release();
    if (this.record) progress('Stopped', 'stop');
    if (explanation !== undefined) failure(explanation);
    process.exit(exitCode);
  }

  private async bringUp(): Promise<void> {
    const { settings } = this;
    keepFilesPrivate();
    // With `--empty`, the data folder is a subfolder of the demo's data folder. Both must be private.
    if (settings.empty) makePrivateDirectory(path.dirname(settings.directory));
    makePrivateDirectory(settings.directory);
    const record = await RunRecord.claim(path.join(settings.directory, 'run.json'), progress);
    this.record = record;
    closeContents(settings.directory);
    rotateLogs(path.join(settings.directory, 'logs'));
    const secrets = loadSecrets(path.join(settings.directory, 'secrets.json'), {
      adminEmail: settings.administrator.email,
      adminPassword: settings.administrator.password,
    });
    const listenAt = await listenAddress(settings.host);
    let ports = new PortPicker();
    let port = settings.port;
    let prepared: Prepared = { notes: [] };
    const onSpawn = (name: string, pid: number) => record.addChild(name, pid);
    const pick = async (wanted: number) => {
      ports = new PortPicker();
      return publicPort(settings.portIsExplicit ? settings : { ...settings, port: wanted }, ports);
    };
    const startStack = async (picked: number) => {
      if (this.ending) throw new Error('The start was cancelled');
      port = picked;
      return Stack.start({
        ...settings,
        listenAt,
        inherited: settings.environment,
        secrets,
        durable: true,
        isBundled: !settings.watch,
        pickPort: (wanted) => ports.pick(wanted),
        // In development, Vite uses the public port and forwards API requests.
        port: settings.watch ? await ports.pick(port + 1) : port,
        publicUrl: settings.watch ? (settings.publicUrl ?? siteUrl(settings.host, port)) : settings.publicUrl,
        note: progress,
        onSpawn,
        prepareData: async (urls) => {
          const preparation = {
            urls: { databaseUrl: urls.databaseUrl, redisUrl: urls.redisUrl },
            secrets,
            communityFile: settings.empty ? null : getCommunityFile(settings.root, settings.environment),
            hasNamedAdministrator: settings.administrator.email !== undefined,
          };
          const hasWork = preparation.communityFile === null || preparation.hasNamedAdministrator;
          const accounts = hasWork ? null : await demoAccounts(urls.databaseUrl, secrets);
          prepared = accounts ? { notes: [], accounts } : await prepareCommunity(preparation, onSpawn);
          for (const note of prepared.notes) progress(note, 'seed');
        },
      });
    };
    const stack = await onFreePort(port, pick, startStack);
    const url = settings.publicUrl ?? siteUrl(settings.host, port);
    this.stack = stack;
    stack.onUnexpectedExit((name, how) => this.endAfterLoss(name, how));
    if (settings.watch) {
      this.development = await startDevelopment({
        ...settings,
        listenAt,
        url: siteUrl(settings.host, port),
        port,
        stack,
        note: progress,
        onSpawn,
      });
    }
    const { accounts, setupToken } = prepared;
    if (this.ending) return;
    record.ready(url);
    collectWhenIdle();
    welcome({
      url,
      gatewayUrls: stack.gatewayUrls,
      mailboxUrl: stack.servers.mailboxUrl,
      accounts,
      setupUrl: setupToken === undefined ? undefined : setupLink(url, setupToken),
    });
  }

  private endAfterLoss(name: string, how: string): void {
    const log = path.join(this.settings.directory, 'logs', `${name}.log`);
    progress(`${name} stopped unexpectedly (${how}). See ${log}`, 'stop');
    void this.end(`${name} ended`, 1);
  }
}
