import { register } from 'node:module';
import os from 'node:os';
import path from 'node:path';

register('../scripts/jest/typescript-hooks.mjs', import.meta.url);
const { startTestStack } = await import('../scripts/src/stack/test-stack.ts');
const { launchBrowser } = await import('./src/support/browser.ts');
const { SHARED_STACK } = await import('./src/support/shared-stack.ts');

/**
 * Starts one Meetmark with the demo community, and one browser. All stories share them, except those that
 * kill processes or need an empty database.
 */
export default async function globalSetup() {
  const cameraFile = path.join(os.tmpdir(), `camera-${process.pid}.y4m`);
  const [stack, browser] = await Promise.all([
    startTestStack({
      seeded: true,
      // Seconds before an email about an edit is sent. Short, because a story waits for such an email.
      environment: { EVENT_CHANGED_DELAY: '3' },
      replicas: { gateway: 2, auth: 2, events: 2, admin: 2 },
    }),
    launchBrowser([
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${cameraFile}`,
    ]),
  ]);
  const { endpoint } = await browser.bind('stories', { host: '127.0.0.1', port: 0 });
  const { url, gatewayUrls, databaseUrl, redisUrl, mailboxUrl, administrator, member, logDirectory } = stack;
  process.env[SHARED_STACK] = JSON.stringify({
    url,
    gatewayUrls,
    databaseUrl,
    redisUrl,
    mailboxUrl,
    operationsUrls: stack.stack.operationsUrls,
    administrator,
    member,
    logDirectory,
    browserUrl: endpoint,
    cameraFile,
  });
  globalThis.meetmarkStack = stack;
  globalThis.meetmarkBrowser = browser;
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ]) {
    process.once(signal, () => void stack.stop().finally(() => process.exit(exitCode)));
  }
}
