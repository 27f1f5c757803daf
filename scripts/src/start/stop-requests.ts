const PARENT_CHECK_MS = 500;

export interface StopRequest {
  reason: string;
  exitCode: number;
}

/**
 * Calls back when Meetmark is to stop: Ctrl-C, SIGTERM, a closed terminal, or the end of npm, which passes no signal on to the
 * script's own child. A second request finds us stopping and calls `insist`.
 */
export function onStopRequest(
  parentPid: number,
  stop: (request: StopRequest) => void,
  insist: () => void,
): void {
  let asked = false;
  const request = (reason: string, exitCode: number) => {
    if (asked) return insist();
    asked = true;
    stop({ reason, exitCode });
  };
  process.on('SIGINT', () => request('Ctrl-C', 0));
  process.on('SIGTERM', () => request('SIGTERM', 0));
  process.on('SIGHUP', () => request('the terminal was closed', 0));
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const watch = setInterval(() => {
    if (process.ppid === parentPid) return;
    clearInterval(watch);
    if (!asked) request('npm has gone', 0);
  }, PARENT_CHECK_MS);
  watch.unref();
}
