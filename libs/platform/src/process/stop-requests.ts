// Imports nothing: a process loads it first.

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** No work has begun, so there is none to finish. */
const leave = () => process.exit(0);

/** Until `whenAskedToStop`, a request to stop ends the process at once. */
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
