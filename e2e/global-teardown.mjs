export default async function globalTeardown() {
  await globalThis.meetmarkStack?.stop();
}
