import chromiumPackage from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

/** The packaged Chromium dies of a segmentation fault at about one start in several hundred; then another is started. */
const STARTS = 3;
const CRASHED = /process did exit: exitCode=null, signal=/;

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
      // One process for everything is meant for tiny machines: the browser ends with the first context that is closed.
      ...chromiumPackage.args.filter((argument) => argument !== '--single-process'),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...more,
    ],
    headless: true,
  });
