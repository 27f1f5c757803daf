import { register } from 'node:module';

register('../scripts/jest/typescript-hooks.mjs', import.meta.url);
const { startTestStack } = await import('../scripts/src/stack/test-stack.ts');
const { SHARED_STACK } = await import('./src/support/shared-stack.ts');

/** One whole Meetmark with the demo community for all stories that neither kill anything nor need an empty database. */
export default async function globalSetup() {
  // npm run test:containers has one already
  if (process.env[SHARED_STACK] !== undefined) return;
  const stack = await startTestStack({
    seeded: true,
    // the throttle of mails about edits, in seconds: a story waits for one
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
