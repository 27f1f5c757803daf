export default async function globalTeardown() {
  await globalThis.meetmarkTestBroker.close();
}
