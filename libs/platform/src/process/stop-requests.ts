// This file must import nothing, because processes load it first.

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const leave = () => process.exit(0);

/**
 * Until `whenAskedToStop` is called, a stop request ends the process immediately, because no work has
 * started.
 */
export function leaveWhenAskedToStop(): void {
  for (const signal of SIGNALS) process.on(signal, leave);
  process.on('disconnect', leave);
}

/**
 * Resolves after a signal, or when the parent's IPC channel closes. The channel is needed because a killed
 * supervisor can't pass on signals.
 */
export function whenAskedToStop(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve(signal)).off(signal, leave);
    process.on('disconnect', () => resolve('the parent process has gone')).off('disconnect', leave);
  });
}
