import { PortPicker } from '@meetmark/testing';
import path from 'node:path';
import { siteUrl, communityFileOf } from '../stack/environment.js';
import { loadSecrets, type Secrets } from '../stack/secrets.js';
import { setupTokenOf, storeOfAuth } from '../stack/setup-token.js';
import { Stack } from '../stack/stack.js';
import { failure, progress, welcome } from './console.js';
import { type Development, startDevelopment } from './development.js';
import { explain } from './explain.js';
import { listenAddress, publicPort } from './public-port.js';
import { RunRecord } from './run-record.js';
import type { Settings } from './settings.js';
import { createAdministrator } from '@meetmark/auth/operator-commands';
import { setupLink } from '@meetmark/contracts';
import { collectWhenIdle } from '@meetmark/platform/process/idle-collection';
import { loadCommunity } from '@meetmark/platform/community/community';
import { seedDemo } from '../seed/seed-demo.js';
import fs from 'node:fs';
import { verify } from '@node-rs/argon2';
import { withClient } from '../with-client.js';

interface Account {
  email: string;
  password: string;
}

/** The accounts as they can be printed: where the password has been changed since, that is said instead of the old one. */
async function stillValid<Name extends string>(
  databaseUrl: string,
  accounts: Record<Name, Account>,
): Promise<Record<Name, Account>> {
  return withClient(databaseUrl, async (client) => {
    const checked: Partial<Record<Name, Account>> = {};
    for (const [name, account] of Object.entries<Account>(accounts)) {
      const { rows } = await client.query<{ password_hash: string }>(
        'SELECT password_hash FROM auth.users WHERE lower(email) = lower($1)',
        [account.email],
      );
      const stored = rows[0]?.password_hash;
      checked[name as Name] = { ...account, password: await printable(stored, account.password) };
    }
    return checked as Record<Name, Account>;
  });
}

async function printable(stored: string | undefined, password: string): Promise<string> {
  if (stored === undefined) return '(no such account in this database)';
  return (await verify(stored, password)) ? password : '(the password you chose)';
}

const PREVIOUS = '.previous.log';

/** Keeps the logs of this run and the one before. */
function rotateLogs(directory: string): void {
  fs.mkdirSync(directory, { recursive: true, mode: 0o755 });
  for (const name of fs.readdirSync(directory)) {
    if (!name.endsWith('.log') || name.endsWith(PREVIOUS)) continue;
    fs.renameSync(path.join(directory, name), path.join(directory, name.replace(/\.log$/, PREVIOUS)));
  }
}

interface Prepared {
  /** Of the demo community. */
  memberEmail?: string;
  /** Of the link with which the first owner is made, where nobody owns the installation. */
  setupToken?: string;
}

/**
 * Seeds an empty database, unless it is to stay empty; in one that is filled already, an administrator named by the user is made when
 * missing.
 */
async function prepareCommunity(
  urls: { databaseUrl: string; redisUrl: string },
  secrets: Secrets,
  { root, environment, administrator, empty }: Settings,
  note: (message: string, source: string) => void,
): Promise<Prepared> {
  const account = { email: secrets.adminEmail, password: secrets.adminPassword };
  const store = storeOfAuth(urls, secrets);
  const nameAdministrator = async () => {
    const outcome = await createAdministrator(store, account);
    note(`administrator ${account.email}: ${outcome}`, 'seed');
  };
  if (empty) {
    if (administrator.email !== undefined) await nameAdministrator();
    return { setupToken: await setupTokenOf(store) };
  }
  const { timeZone } = loadCommunity(communityFileOf(root, environment));
  const { seeded, memberEmail } = await seedDemo(urls.databaseUrl, {
    administrator: account,
    memberPassword: secrets.memberPassword,
    timeZone,
  });
  if (seeded) {
    note('the demo community is in', 'seed');
  } else if (administrator.email !== undefined) {
    await nameAdministrator();
  }
  return { memberEmail };
}

/** Brings Meetmark up, and down again when somebody asks or something ends by itself. One for a process: it ends it. */
export class Supervisor {
  private record: RunRecord | undefined;
  private stack: Stack | undefined;
  private development: Development | undefined;
  private starting: Promise<void> | undefined;
  private ending: Promise<void> | undefined;

  constructor(private readonly settings: Settings) {}

  /** Resolves when Meetmark is ready; a failure is explained and ends the process with code 1. */
  async run(): Promise<void> {
    this.starting = this.bringUp();
    try {
      await this.starting;
    } catch (error) {
      await this.end('the start failed', 1, explain(error, this.settings.directory));
    }
  }

  /** Stops everything in reverse order and ends the process. A call that comes later joins the first. */
  end(reason: string, exitCode: number, explanation?: string): Promise<void> {
    return (this.ending ??= this.takeDown(reason, exitCode, explanation));
  }

  private async takeDown(reason: string, exitCode: number, explanation?: string): Promise<void> {
    if (this.record) progress(`stopping everything: ${reason}`, 'stop');
    // In the middle of a start: what has been started already goes, and with it the start fails.
    if (!this.stack) await this.record?.stopChildren();
    await Promise.allSettled([this.starting]);
    await this.development?.stop();
    await this.stack?.stop();
    // Such as a Vite whose start failed half-way.
    await this.record?.stopChildren();
    this.record?.release();
    if (this.record) progress('all stopped', 'stop');
    if (explanation !== undefined) failure(explanation);
    process.exit(exitCode);
  }

  private async bringUp(): Promise<void> {
    const { settings } = this;
    const record = await RunRecord.claim(path.join(settings.directory, 'run.json'), progress);
    this.record = record;
    rotateLogs(path.join(settings.directory, 'logs'));
    const secrets = loadSecrets(path.join(settings.directory, 'secrets.json'), {
      adminEmail: settings.administrator.email,
      adminPassword: settings.administrator.password,
    });
    const listenAt = await listenAddress(settings.host);
    const ports = new PortPicker();
    const port = await publicPort(settings, ports);
    const url = settings.publicUrl ?? siteUrl(settings.host, port);
    const onSpawn = (name: string, pid: number) => record.addChild(name, pid);
    let prepared: Prepared = {};
    const stack = await Stack.start({
      ...settings,
      listenAt,
      inherited: settings.environment,
      secrets,
      durable: true,
      pickPort: (wanted) => ports.pick(wanted),
      // In development Vite has the public port and passes the API on to the gateway.
      port: settings.watch ? await ports.pick(port + 1) : port,
      publicUrl: settings.watch ? url : settings.publicUrl,
      note: progress,
      onSpawn,
      prepareData: async (urls) => {
        prepared = await prepareCommunity(urls, secrets, settings, progress);
      },
    });
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
    const { memberEmail, setupToken } = prepared;
    const accounts =
      memberEmail === undefined
        ? undefined
        : await stillValid(stack.servers.databaseUrl, {
            member: { email: memberEmail, password: secrets.memberPassword },
            administrator: { email: secrets.adminEmail, password: secrets.adminPassword },
          });
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
    progress(`${name} ended by itself (${how}); its log: ${log}`, 'stop');
    void this.end(`${name} ended`, 1);
  }
}
