import '@meetmark/platform/process/early-stop';

await import('reflect-metadata');
const { runProcess } = await import('@meetmark/platform');
const { openWorker } = await import('./open-worker.js');
const { WorkerConfig } = await import('./worker.config.js');

/** A mail that is being handed over may take this long (milliseconds) to end. */
const STOP_WITHIN = 35_000;

await runProcess({ name: 'worker', config: WorkerConfig, open: openWorker, stopWithin: STOP_WITHIN });
