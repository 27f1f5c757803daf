import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { WorkerConfig } from '../worker.config.js';

const HOOKS = new URL('../../../../scripts/jest/typescript-hooks.mjs', import.meta.url).href;
const MAIN = new URL('../main.ts', import.meta.url).pathname;
const REGISTER = `data:text/javascript,import{register}from"node:module";register(${JSON.stringify(HOOKS)})`;

/** Runs the real main.ts in a child process, for tests of crashes. */
export function spawnWorker(config: WorkerConfig, changes: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, ['--no-warnings', '--import', REGISTER, MAIN], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'test',
      LOG_LEVEL: 'info',
      DATABASE_URL: config.databaseUrl,
      REDIS_URL: config.redisUrl,
      OPERATIONS_PORT: '0',
      SMTP_URL: config.smtpUrl,
      MAIL_FROM: config.mailFrom,
      PUBLIC_URL: config.publicUrl,
      COMMUNITY_CONFIG: config.communityConfig,
      LINK_SECRETS: config.linkSecrets.join(','),
      RESET_CODE_SECRETS: config.resetCodeSecrets.join(','),
      GUEST_CODE_SECRETS: config.guestCodeSecrets.join(','),
      MESSAGES_PER_SECOND: String(config.messagesPerSecond),
      JOB_LOCK: String(config.jobLock),
      TAKE_OVER_EVERY: String(config.takeOverEvery),
      LOOK_EVERY: String(config.lookEvery),
      RETRY_AFTER: String(config.retryAfter),
      ...changes,
    },
  });
}

/** Returns the exit code (null if killed) and the output. */
export async function waitForExit(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
