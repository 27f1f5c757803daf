import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
const { Broker, BROKER_URL } = await import('../../libs/testing/src/harness/broker.ts');

// Loaded when the first test asks for a database: the migrations bring TypeORM with them.
const prepareTemplate = async (url) => (await import('../src/prepare-template.ts')).prepareTemplate(url);

/** Starts the broker that gives the run its PostgreSQL and Redis when a test first asks for them. */
export default async function globalSetup() {
  const broker = new Broker(prepareTemplate);
  process.env[BROKER_URL] = await broker.listen();
  globalThis.meetmarkTestBroker = broker;
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ]) {
    process.once(signal, () => void broker.close().finally(() => process.exit(exitCode)));
  }
}
