import os from 'node:os';
import path from 'node:path';
import { launchBrowser } from './src/support/browser.ts';
import { SHARED_BROWSER } from './src/support/shared-stack.ts';

/** Starts the browser that all stories of a Jest run share, unless it has started. */
export async function shareBrowser() {
  if (globalThis.meetmarkBrowser !== undefined) return;
  const cameraFile = path.join(os.tmpdir(), `camera-${process.pid}.y4m`);
  const browser = await launchBrowser([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${cameraFile}`,
  ]);
  globalThis.meetmarkBrowser = browser;
  const { endpoint: url } = await browser.bind('stories', { host: '127.0.0.1', port: 0 });
  process.env[SHARED_BROWSER] = JSON.stringify({ url, cameraFile });
}
