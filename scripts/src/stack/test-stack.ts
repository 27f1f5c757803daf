import { setupLink } from '@meetmark/contracts';
import { loadCommunity } from '@meetmark/platform/community/community';
import { anyFreePort, expectNothingRefused, Guardian } from '@meetmark/testing';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEMO_MEMBER_EMAIL, seedDemo } from '../seed/seed-demo.js';
import { withClient } from '../with-client.js';
import { communityFileOf } from './environment.js';
import { parseReplicas, type ProcessName, type Replicas } from './processes.js';
import { makeSecrets, type Secrets } from './secrets.js';
import { setupTokenOf, storeOfAuth } from './setup-token.js';
import { Stack, type ServerUrls } from './stack.js';

export interface TestStackOptions {
  /** What is not named runs once. */
  replicas?: Partial<Replicas>;
  /** True fills in the demo community; otherwise the database is migrated and empty. */
  seeded?: boolean;
  /** Fills the database before it is migrated, with what an earlier version wrote. */
  restoreData?: (databaseUrl: string) => Promise<void>;
  /** True leaves it to who has `setupUrl` what the community is called: nothing of the demo is in it. */
  unowned?: boolean;
  /** True keeps fsync and Redis' append-only file on, for tests that kill servers. */
  durable?: boolean;
  /** Puts something, such as a proxy that fails, between the processes and their servers. */
  inFrontOf?: (servers: ServerUrls) => Promise<ServerUrls>;
  /** Variables for every process; `RATE_LIMIT_PROFILE` is `test` and `FAREWELL` 100 unless given. */
  environment?: Record<string, string>;
  /** For node itself, such as those of its profiler. */
  nodeArguments?: (name: ProcessName) => string[];
}

export interface TestStack {
  /** The first gateway; also where the web application is. */
  url: string;
  gatewayUrls: string[];
  /** Connection string of the database's owner. */
  databaseUrl: string;
  redisUrl: string;
  /** The mailbox's API is below `/api/messages`. */
  mailboxUrl: string;
  secrets: Secrets;
  /** Sign-in of the demo community's administrator, when `seeded`. */
  administrator: { email: string; password: string };
  /** Sign-in of one of its members, when `seeded`. */
  member: { email: string; password: string };
  /** Leads the first owner of an `unowned` one. */
  setupUrl?: string;
  /** Kills, restarts, and knows every process and server. */
  stack: Stack;
  /** Where each process's log lines are, `<name>.log`, second replicas as `<name>-2.log`. */
  logDirectory: string;
  /** Fails when Redis refused a process something. */
  stop(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A whole Meetmark of the test's own, from the built processes, on free ports. Leaves nothing behind, even when killed. */
export async function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-stack-'));
  // The account that PostgreSQL runs as under root has to enter it.
  fs.chmodSync(directory, 0o755);
  const guardian = new Guardian();
  guardian.removeAtEnd(directory);
  const secrets = makeSecrets();
  const administrator = { email: secrets.adminEmail, password: secrets.adminPassword };
  let member = { email: '', password: secrets.memberPassword };
  try {
    const stack = await Stack.start({
      root: ROOT,
      directory,
      replicas: { ...parseReplicas(undefined), ...options.replicas },
      secrets,
      durable: options.durable ?? false,
      pickPort: anyFreePort,
      port: await anyFreePort(),
      host: '127.0.0.1',
      listenAt: '127.0.0.1',
      inherited: {
        ...process.env,
        RATE_LIMIT_PROFILE: 'test',
        FAREWELL: '100',
        ...(options.unowned ? { COMMUNITY_CONFIG: 'config/community.json' } : {}),
        ...options.environment,
      },
      inFrontOf: options.inFrontOf,
      nodeArguments: options.nodeArguments,
      note: () => {},
      onSpawn: (_name, pid) => guardian.guard(pid),
      restoreData: options.restoreData,
      prepareData: options.seeded
        ? async ({ databaseUrl }) => {
            const { memberPassword } = secrets;
            const { timeZone } = loadCommunity(communityFileOf(ROOT, process.env));
            await seedDemo(databaseUrl, async () => ({ administrator, memberPassword, timeZone }));
            member = { email: DEMO_MEMBER_EMAIL, password: memberPassword };
          }
        : options.unowned || options.restoreData
          ? undefined
          : // accounts are made only once there is an owner
            async ({ databaseUrl }) => {
              await withClient(databaseUrl, (client) => insertAdministrator(client));
            },
    });
    const [url = ''] = stack.gatewayUrls;
    const { databaseUrl, redisUrl, mailboxUrl } = stack.servers;
    const setupToken = options.unowned
      ? await setupTokenOf(storeOfAuth({ databaseUrl, redisUrl }, secrets))
      : undefined;
    return {
      url,
      gatewayUrls: stack.gatewayUrls,
      databaseUrl,
      redisUrl,
      mailboxUrl: mailboxUrl ?? '',
      secrets,
      administrator,
      member,
      setupUrl: setupToken === undefined ? undefined : setupLink(url, setupToken),
      stack,
      logDirectory: path.join(directory, 'logs'),
      async stop() {
        try {
          if (stack.servers.processes.redis?.running) await expectNothingRefused(redisUrl);
        } finally {
          await stack.stop();
          await guardian.finish();
        }
      },
    };
  } catch (error) {
    await guardian.finish();
    throw error;
  }
}
