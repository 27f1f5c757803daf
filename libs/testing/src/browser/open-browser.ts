import chromiumPackage from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

/** Maximum number of starts. The package's Chromium crashes at one of several hundred. */
const STARTS = 3;
const CRASHED = /process did exit: exitCode=null, signal=/;

/**
 * Arguments of the package that we leave out. With a single process, Chromium ends when the first context is
 * closed. The others emulate a graphics card.
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
      // Render by software, because emulating a graphics card takes as much time as everything else.
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...more,
    ],
    headless: true,
  });
