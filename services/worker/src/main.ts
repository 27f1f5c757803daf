import 'reflect-metadata';
import { runProcess } from '@meetmark/platform';
import { openWorker } from './open-worker.js';
import { WorkerConfig } from './worker.config.js';

/** A mail that is being handed over may take this long (milliseconds) to end. */
const STOP_WITHIN = 35_000;

await runProcess({ name: 'worker', config: WorkerConfig, open: openWorker, stopWithin: STOP_WITHIN });
