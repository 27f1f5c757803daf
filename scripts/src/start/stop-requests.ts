const PARENT_CHECK_MS = 500;

/**
 * Calls back with the reason when Meetmark is to stop: Ctrl-C, SIGTERM, a closed terminal, or the end of npm, which passes no
 * signal on to the script's own child. Whoever asks again while we are stopping is told so by `insist`.
 */
export function onStopRequest(parentPid: number, stop: (reason: string) => void, insist: () => void): void {
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
