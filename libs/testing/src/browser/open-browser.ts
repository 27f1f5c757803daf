import chromiumPackage from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

/** The packaged Chromium dies of a segmentation fault at about one start in several hundred; then another is started. */
const STARTS = 3;
const CRASHED = /process did exit: exitCode=null, signal=/;

/**
 * Of the package's arguments. One process for everything is meant for tiny machines: the browser ends with the first context that is
 * closed. The others imitate a graphics card.
 */
const LEFT_OUT =
  /^--(no-zygote|single-process|in-process-gpu|ignore-gpu-blocklist|use-gl=|use-angle=|enable-unsafe-swiftshader)/;

/** Chromium from an npm package: nothing has to be installed. @param more arguments of its command line */
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
      // Pages are drawn by the processor: a graphics card that is only imitated takes as much time as all the rest.
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...more,
    ],
    headless: true,
  });
