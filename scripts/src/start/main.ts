import { failure, progress } from './console.js';
import { readSettings, type Settings } from './settings.js';
import { onStopRequest } from './stop-requests.js';
import { Supervisor } from './supervisor.js';

export interface StartOptions {
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
