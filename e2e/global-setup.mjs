import { register } from 'node:module';

register('../scripts/jest/typescript-hooks.mjs', import.meta.url);
const { startTestStack } = await import('../scripts/src/stack/test-stack.ts');
const { SHARED_STACK } = await import('./src/support/shared-stack.ts');
const { shareBrowser } = await import('./share-browser.mjs');

/**
 * Starts one Meetmark with the demo community, and one browser. All stories share them, except those that
 * kill processes or need an empty database.
 */
export default async function globalSetup() {
  const [stack] = await Promise.all([
    startTestStack({
      seeded: true,
      // Seconds before an email about an edit is sent. Short, because a story waits for such an email.
      environment: { EVENT_CHANGED_DELAY: '3' },
      replicas: { gateway: 2, auth: 2, events: 2, admin: 2 },
    }),
    shareBrowser(),
  ]);
  const { url, databaseUrl, mailboxUrl, administrator, member } = stack;
  process.env[SHARED_STACK] = JSON.stringify({ url, databaseUrl, mailboxUrl, administrator, member });
  globalThis.meetmarkStack = stack;
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ]) {
    process.once(signal, () => void stack.stop().finally(() => process.exit(exitCode)));
  }
}
