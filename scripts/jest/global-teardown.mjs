import { endOrFail } from './open-handles.cjs';

export default async function globalTeardown() {
  await globalThis.meetmarkTestBroker?.close();
  endOrFail();
}
