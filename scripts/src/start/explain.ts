import { isPortTaken } from '@meetmark/testing';

const FULL = 'The disk is full. Free some space and start again. Your data is still there.';
const PORT_TAKEN =
  'Another program took a port during the start. Start again, or choose the port of the site: PORT=8090 npm start';

export function explain(error: unknown, directory: string): string {
  const { message, code } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  const belongsToAnother =
    `This account may not write there. If Meetmark was started by another account before, for example with sudo, take ` +
    `the folder over: sudo chown -R "$(id -un)" ${directory}`;
  const waysOut: Record<string, string> = {
    EACCES: belongsToAnother,
    EPERM: belongsToAnother,
    EROFS: `${directory} is on a read-only disk. Copy this folder to another disk and start there.`,
    ENOSPC: FULL,
    EDQUOT: FULL,
  };
  const wayOut = isPortTaken(error) ? PORT_TAKEN : waysOut[code ?? ''];
  return wayOut === undefined ? message : `${message}\n${wayOut}`;
}
