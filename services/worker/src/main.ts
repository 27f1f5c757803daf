import '@meetmark/platform/process/early-stop';

await import('reflect-metadata');
const { runProcess } = await import('@meetmark/platform');
const { openWorker } = await import('./open-worker.js');
const { WorkerConfig } = await import('./worker.config.js');

/** Milliseconds that a stopping worker has to finish the current email. */
const STOP_WITHIN = 35_000;

await runProcess({ name: 'worker', config: WorkerConfig, open: openWorker, stopWithin: STOP_WITHIN });
