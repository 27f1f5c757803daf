import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
const { Broker, BROKER_URL } = await import('../../libs/testing/src/harness/broker.ts');

// Imported on first use, because migrations load TypeORM, which is slow.
const prepareTemplate = async (url) => (await import('../src/prepare-template.ts')).prepareTemplate(url);

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
