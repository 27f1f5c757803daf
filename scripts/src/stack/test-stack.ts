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
import { getCommunityFile } from './environment.js';
import { parseReplicas, type ProcessName, type Replicas } from './processes.js';
import { makeSecrets } from './secrets.js';
import { issueSetupToken, storeOfAuth } from './setup-token.js';
import { Stack, type ServerUrls } from './stack.js';

export interface TestStackOptions {
  replicas?: Partial<Replicas>;
  seeded?: boolean;
  unowned?: boolean;
  /** Whether to keep fsync and Redis's append-only file on, for tests that kill servers. */
  durable?: boolean;
  /** Replaces the servers’ URLs, for example with those of proxies. */
  proxyServers?: (servers: ServerUrls) => Promise<ServerUrls>;
  environment?: Record<string, string>;
  nodeArguments?: (name: ProcessName) => string[];
}

export type TestStack = Awaited<ReturnType<typeof startTestStack>>;

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export async function startTestStack(options: TestStackOptions = {}) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-stack-'));
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
      ...{ pickPort: anyFreePort, port: await anyFreePort(), host: '127.0.0.1', listenAt: '127.0.0.1' },
      inherited: {
        ...process.env,
        RATE_LIMIT_PROFILE: 'test',
        FAREWELL: '100',
        ...(options.unowned ? { COMMUNITY_CONFIG: 'config/community.json' } : {}),
        ...options.environment,
      },
      proxyServers: options.proxyServers,
      nodeArguments: options.nodeArguments,
      note: () => {},
      onSpawn: (_name, pid) => guardian.guard(pid),
      prepareData: options.seeded
        ? async ({ databaseUrl }) => {
            const { memberPassword } = secrets;
            const { timeZone } = loadCommunity(getCommunityFile(ROOT, process.env));
            await seedDemo(databaseUrl, async () => ({ administrator, memberPassword, timeZone }));
            member = { email: DEMO_MEMBER_EMAIL, password: memberPassword };
          }
        : options.unowned
          ? undefined
          : async ({ databaseUrl }) => {
              await withClient(databaseUrl, (client) => insertAdministrator(client));
            },
    });
    const [url = ''] = stack.gatewayUrls;
    const { databaseUrl, redisUrl, mailboxUrl } = stack.servers;
    const setupToken = options.unowned
      ? await issueSetupToken(storeOfAuth({ databaseUrl, redisUrl }, secrets))
      : undefined;
    return {
      /** `url` is the first gateway's. `databaseUrl` connects as the database's owner. */
      ...{ url, gatewayUrls: stack.gatewayUrls, databaseUrl, redisUrl, mailboxUrl: mailboxUrl ?? '' },
      ...{ stack, secrets, administrator, member },
      setupUrl: setupToken === undefined ? undefined : setupLink(url, setupToken),
      /** Contains `<name>.log` for each process and `<name>-2.log` for a second replica. */
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
