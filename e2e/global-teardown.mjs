import { endOrFail } from '../scripts/jest/open-handles.cjs';

export default async function globalTeardown() {
  try {
    await globalThis.meetmarkStack?.stop();
  } finally {
    endOrFail();
  }
}
