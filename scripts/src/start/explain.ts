import { isPortTaken } from '@meetmark/testing';

const FULL = 'The disk is full: make room and start again. What was stored is still there.';
const PORT_TAKEN =
  'Another program has taken a port meanwhile. Start again, or choose the one of the site: PORT=8090 npm start';

/** The reason in the system's or our own words, and what can be done where the system names the reason alone. */
export function explain(error: unknown, directory: string): string {
  const { message, code } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  const belongsToAnother =
    `This account may not write there. If another one has started Meetmark before, with sudo for example, take ` +
    `the folder over: sudo chown -R "$(id -un)" ${directory}`;
  const waysOut: Record<string, string> = {
    EACCES: belongsToAnother,
    EPERM: belongsToAnother,
    EROFS: `${directory} is on a disk that cannot be written to: use a copy of this folder on another one.`,
    ENOSPC: FULL,
    EDQUOT: FULL,
  };
  const wayOut = isPortTaken(error) ? PORT_TAKEN : waysOut[code ?? ''];
  return wayOut === undefined ? message : `${message}\n${wayOut}`;
}
