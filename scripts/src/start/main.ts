import { failure, progress } from './console.js';
import { readSettings, type Settings } from './settings.js';
import { Supervisor } from './supervisor.js';

const PARENT_CHECK_MS = 500;

/**
 * Calls back with the reason when Meetmark is to stop: Ctrl-C, SIGTERM, a closed terminal, or the end of npm, which passes no
 * signal on to the script's own child. A second signal while we are stopping gets its answer from `insist`.
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
    if (!asked) request('npm has gone');
  }, PARENT_CHECK_MS);
  watch.unref();
}

interface StartOptions {
  root: string;
  /** Data, secrets and logs of this checkout. */
  directory: string;
  /** Parent of the process when it began: its end is a request to stop. */
  parentPid: number;
  args: string[];
}

/** `npm start`, once everything is installed and built: up, until somebody asks for the end or something ends by itself. */
export async function start({ root, directory, parentPid, args }: StartOptions): Promise<void> {
  const supervisor = new Supervisor(settingsOrEnd(root, directory, args));
  onStopRequest(
    parentPid,
    (reason) => void supervisor.end(reason, 0),
    () => progress('already stopping; this takes some seconds', 'stop'),
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
