import { endOrFail } from './open-handles.cjs';

export default async function globalTeardown() {
  try {
    await globalThis.meetmarkTestBroker?.close();
  } finally {
    endOrFail();
  }
}
