import chromiumPackage from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

/**
 * Maximum number of attempts to start the package's Chromium, which crashes at one start in several hundred.
 */
const STARTS = 3;
const CRASHED = /process did exit: exitCode=null, signal=/;

/**
 * Arguments of the package that we leave out. With `--single-process`, Chromium ends when its first context
 * is closed. Others emulate a graphics card.
 */
const LEFT_OUT =
  /^--(no-zygote|single-process|in-process-gpu|ignore-gpu-blocklist|use-gl=|use-angle=|enable-unsafe-swiftshader)/;

/**
 * Starts Chromium from an npm package.
 * @param more command line arguments
 */
export async function openBrowser(more: string[] = []): Promise<Browser> {
  for (let start = 1; ; start += 1) {
    try {
      return await launch(more);
    } catch (error) {
      if (start === STARTS || !CRASHED.test(String(error))) throw error;
      console.warn(`Chromium crashed at its start, number ${start}`);
    }
  }
}

const launch = async (more: string[]) =>
  chromium.launch({
    executablePath: await chromiumPackage.executablePath(),
    args: [
      ...chromiumPackage.args.filter((argument) => !LEFT_OUT.test(argument)),
      // Render without a graphics card, because emulating one takes as much time as everything else together.
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...more,
    ],
    headless: true,
  });
