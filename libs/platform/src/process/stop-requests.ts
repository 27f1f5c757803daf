/**
 * Resolves to the reason when the process is asked to stop: a signal, or the loss of the parent that it has an IPC channel to
 * (a supervisor that was killed could not pass the signal on).
 */
export function whenAskedToStop(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
    process.on('disconnect', () => resolve('the parent process has gone'));
  });
}
