import { register } from 'node:module';

register('../scripts/jest/typescript-hooks.mjs', import.meta.url);
const { startTestStack } = await import('../scripts/src/stack/test-stack.ts');
const { SHARED_STACK } = await import('./src/support/shared-stack.ts');

/**
 * Starts one Meetmark with the demo community. All stories share it, except those that kill processes or need
 * an empty database.
 */
export default async function globalSetup() {
  const stack = await startTestStack({
    seeded: true,
    // Seconds before an email about an edit is sent. Short, because a story waits for such an email.
    environment: { EVENT_CHANGED_DELAY: '3' },
    replicas: { gateway: 2, auth: 2, events: 2, admin: 2 },
  });
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
  });
  globalThis.meetmarkStack = stack;
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ]) {
    process.once(signal, () => void stack.stop().finally(() => process.exit(exitCode)));
  }
}
