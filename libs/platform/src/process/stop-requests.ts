// Imports nothing: it is the first thing that a process loads.

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** Nothing was begun yet, so there is nothing to finish. */
const leave = () => process.exit(0);

/** From now until `whenAskedToStop`, whoever asks this process to stop ends it at once. */
export function leaveWhenAskedToStop(): void {
  for (const signal of SIGNALS) process.on(signal, leave);
  process.on('disconnect', leave);
}

/**
 * Resolves to the reason when the process is asked to stop: a signal, or the loss of the parent that it has an IPC channel to
 * (a supervisor that was killed could not pass the signal on).
 */
export function whenAskedToStop(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve(signal)).off(signal, leave);
    process.on('disconnect', () => resolve('the parent process has gone')).off('disconnect', leave);
  });
}
