import { endOrFail } from '../scripts/jest/open-handles.cjs';

export default async function globalTeardown() {
  try {
    await Promise.all([globalThis.meetmarkBrowser?.close(), globalThis.meetmarkStack?.stop()]);
  } finally {
    endOrFail();
  }
}
