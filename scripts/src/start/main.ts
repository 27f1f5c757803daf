import { failure, progress } from './console.js';
import { readSettings, type Settings } from './settings.js';
import { Supervisor } from './supervisor.js';

const PARENT_CHECK_MS = 500;

/**
 * Calls `stop` with the reason after Ctrl-C, after SIGTERM, or when the terminal is closed. Also when npm
 * ends, because npm forwards no signals. From the second request on, calls `insist`.
 */
function onStopRequest(parentPid: number, stop: (reason: string) => void, insist: () => void): void {
  let asked = false;
  const request = (reason: string) => {
    if (asked) return insist();
    asked = true;
    stop(reason);
  };
  process.on('SIGINT', () => request('Ctrl-C'));
  process.on('SIGTERM', () => request('SIGTERM'));
  process.on('SIGHUP', () => request('the terminal was closed'));
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const watch = setInterval(() => {
    if (process.ppid === parentPid) return;
    clearInterval(watch);
    if (!asked) request('npm ended');
  }, PARENT_CHECK_MS);
  watch.unref();
}

interface StartOptions {
  root: string;
  directory: string;
  parentPid: number;
  args: string[];
}

/** Runs Meetmark for `npm start`. Meetmark stops on request, or if one of its processes ends unexpectedly. */
export async function start({ root, directory, parentPid, args }: StartOptions): Promise<void> {
  const supervisor = new Supervisor(settingsOrEnd(root, directory, args));
  onStopRequest(
    parentPid,
    (reason) => void supervisor.end(reason, 0),
    () => progress('Already stopping; this takes a few seconds', 'stop'),
  );
  await supervisor.run();
}

function settingsOrEnd(root: string, directory: string, args: string[]): Settings {
  try {
    return readSettings(root, directory, process.env, args);
  } catch (error) {
    failure(error instanceof Error ? error.message : String(error));
    return process.exit(1);
  }
}
